//! What dialects share of tools and contents: arguments, lists of blocks, steps of a plan.

use std::borrow::Cow;

use crate::format::batch::Batch;
use crate::format::event::{Attachment, FileChange, Plan, Step};
use crate::format::write::{Name, Text};
use crate::json::{self, Doc, Kind, Value};

/// A tool call's arguments. JSON loses its insignificant white space and nothing else; arguments
/// that arrive as a string are read as JSON where they parse, else passed as that string. An empty
/// string, `null` and nothing at all are no arguments.
pub(super) fn arguments(input: Value<'_>) -> Option<Text<'_>> {
    match input.kind() {
        Kind::Missing | Kind::Null => None,
        Kind::String => {
            let text = input.decode().filter(|text| !text.is_empty())?;
            let mut doc = Doc::default();
            let json = doc.parse(&text).is_some_and(|v| v.is_object() || v.is_array());
            Some(if json { json::compact(&text).into_owned().into() } else { text.into() })
        }
        _ => Some(json::compact(input.text()).into()),
    }
}

/// Contents as text, and what of them is not text.
#[derive(Debug, Default)]
pub(super) struct Content<'a> {
    pub(super) text: Option<Text<'a>>,
    pub(super) attachments: Vec<Attachment<'a>>,
}

/// The content of a message or a result: a string, or a list of blocks whose texts are joined with a
/// line feed. An image or document becomes an attachment and a line that says so; a block of another
/// kind becomes its JSON.
pub(super) fn content(value: Value<'_>) -> Content<'_> {
    let mut attachments = Vec::new();
    let text = match value.kind() {
        Kind::Missing | Kind::Null => None,
        Kind::String => Text::of(value),
        Kind::Array => {
            let mut blocks = value.elements();
            let only = blocks.next().filter(|_| blocks.next().is_none());
            if let Some(text) = only.map(text_of).filter(|text| text.is_string()) {
                // The usual list of one text is passed on undecoded.
                Text::of(text)
            } else {
                // Texts are joined as they are written: most of them is clipped in the end.
                let mut written = String::new();
                for (at, block) in value.elements().enumerate() {
                    if at > 0 {
                        written.push_str("\\n");
                    }
                    match (text_of(block).str(), attachment(block)) {
                        (Some(text), _) => written.push_str(text.raw()),
                        (None, Some((attachment, line))) => {
                            json::push_escaped(&mut written, &line);
                            attachments.push(attachment);
                        }
                        (None, None) => {
                            json::push_escaped(&mut written, &json::compact(block.text()));
                        }
                    }
                }
                Some(Text::written(written))
            }
        }
        _ => Some(json::compact(value.text()).into()),
    };
    Content { text, attachments }
}

/// The text of a text block (or of a bare string in a list).
fn text_of(block: Value<'_>) -> Value<'_> {
    if block.is_string() {
        return block;
    }
    let [kind, text] = block.pick(["type", "text"]);
    if kind.is("text") { text } else { Value::MISSING }
}

/// An image, document or sound block, and the line that stands for it in a text.
///
/// Anthropic's form is `{"type":"image","source":{"media_type":…,"data":…}}`, MCP's
/// `{"type":"image","mimeType":…,"data":…}`.
pub(super) fn attachment(block: Value<'_>) -> Option<(Attachment<'_>, String)> {
    let [kind, source, data, mime] = block.pick(["type", "source", "data", "mimeType"]);
    let word = ["image", "document", "audio"].into_iter().find(|word| kind.is(word))?;
    let [inner_data, inner_mime] = source.pick(["data", "media_type"]);
    let data = if inner_data.exists() { inner_data } else { data };
    let mime = if inner_mime.exists() { inner_mime } else { mime };
    let bytes = data.str().map(|data| base64_size(data.raw()));
    let name = mime.decode().unwrap_or_default();
    let line = match (name.is_empty(), bytes) {
        (false, Some(bytes)) => format!("[{word} {name}, {bytes} bytes]"),
        (false, None) => format!("[{word} {name}]"),
        (true, Some(bytes)) => format!("[{word}, {bytes} bytes]"),
        (true, None) => format!("[{word}]"),
    };
    Some((Attachment { media_type: Name::filled(mime), bytes }, line))
}

/// How many bytes a base64 text stands for.
pub(super) fn base64_size(data: &str) -> u64 {
    let digits = data.trim_end_matches('=').len() as u64;
    digits * 3 / 4
}

/// The exit status that a harness states. A negative number is none: -1 stands where there was none
/// (the recording openhands 1.16 failing).
pub(super) fn exit_code(stated: Option<i64>) -> Option<i64> {
    stated.filter(|code| *code >= 0)
}

/// The one file that a call changed, if it names one.
pub(super) fn changed<'a>(path: Option<Name<'a>>, change: &'static str) -> Vec<FileChange<'a>> {
    path.map(|path| FileChange { path, change: change.into() }).into_iter().collect()
}

/// Adds the plan that `list` writes, if it is a list; `text` is the key of a step's text.
pub(super) fn plan(list: Value<'_>, text: &str, out: &mut Batch) {
    if list.is_array() {
        let steps = list.elements().map(|item| {
            let [text, status] = item.pick([text, "status"]);
            step(text, status)
        });
        out.push(Plan { steps: steps.collect() });
    }
}

/// A step of a plan.
pub(super) fn step<'a>(text: Value<'a>, status: Value<'a>) -> Step<'a> {
    let status = status.decode().map(|word| match word {
        Cow::Borrowed(word) => Name::from(step_status(word)),
        Cow::Owned(word) => Name::from(step_status(&word).to_owned()),
    });
    Step { text: Text::of(text), status }
}

/// A step's status. A harness's plain synonyms become the vocabulary's words; others are passed on.
pub(super) fn step_status(word: &str) -> &str {
    match word {
        "done" | "complete" => "completed",
        "todo" => "pending",
        "in-progress" => "in_progress",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_measured_without_decoding() {
        for (data, bytes) in [("", 0), ("QQ==", 1), ("QUI=", 2), ("QUJD", 3), ("QUJDRA==", 4)] {
            assert_eq!(base64_size(data), bytes);
        }
    }
}
