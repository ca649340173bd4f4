//! What dialects share of tools and contents: arguments, lists of blocks, steps of a plan.

use std::borrow::Cow;

use super::embedded::{self, Part};
use crate::format::batch::Batch;
use crate::format::event::{Attachment, FileChange, Plan, Step};
use crate::format::write::{Name, Text};
use crate::json::{self, Doc, Kind, Str, Value};

pub(super) use embedded::{attachment, base64_size};

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
/// line feed. What is not text becomes an attachment and a line that says so; a block of another kind
/// becomes its JSON, without what only a machine can read.
pub(super) fn content(value: Value<'_>) -> Content<'_> {
    let mut attachments = Vec::new();
    let text = match value.kind() {
        Kind::Missing | Kind::Null => None,
        Kind::String => Text::of(value),
        Kind::Array => {
            let mut blocks = value.elements();
            let only = blocks.next().filter(|_| blocks.next().is_none());
            if let Some(text) = only.and_then(plain) {
                // The usual list of one text is passed on undecoded.
                Text::of(text)
            } else {
                // Texts are joined as they are written: most of them is clipped in the end.
                let mut written = String::new();
                for (at, block) in value.elements().enumerate() {
                    if at > 0 {
                        written.push_str("\\n");
                    }
                    match embedded::part(block) {
                        Part::Text(text) => {
                            written.push_str(text.str().map(Str::raw).unwrap_or_default());
                        }
                        Part::Attached(attachment, line) => {
                            json::push_escaped(&mut written, &line);
                            attachments.push(attachment);
                        }
                        Part::Line(line) => json::push_escaped(&mut written, &line),
                        Part::Other => {
                            let json = embedded::legible(block, &mut attachments);
                            json::push_escaped(&mut written, &json);
                        }
                    }
                }
                Some(Text::written(written))
            }
        }
        _ => Some(embedded::legible(value, &mut attachments).into()),
    };
    Content { text, attachments }
}

/// Contents of which nothing is known but that they are JSON: as it stands, without what only a
/// machine can read.
pub(super) fn structured(value: Value<'_>) -> Content<'_> {
    let mut attachments = Vec::new();
    let text = match value.kind() {
        Kind::Missing | Kind::Null => None,
        Kind::String => Text::of(value),
        _ => Some(embedded::legible(value, &mut attachments).into()),
    };
    Content { text, attachments }
}

/// The text of a text block (or of a bare string in a list).
fn plain(block: Value<'_>) -> Option<Value<'_>> {
    match embedded::part(block) {
        Part::Text(text) => Some(text),
        _ => None,
    }
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
    use crate::format::write::{Field as _, Writer};
    use crate::json::Doc;

    /// What a text says once it is written.
    #[expect(clippy::ref_option, reason = "it is the field")]
    fn decoded(text: &Option<Text<'_>>) -> String {
        let mut writer = Writer::new(0);
        text.write(&mut writer);
        let json = String::from_utf8(writer.buf).unwrap();
        Doc::default().parse(&json).unwrap().owned().unwrap_or_default()
    }

    /// The text of a content, and its attachments as they are told.
    fn read(json: &str) -> (String, Vec<(String, Option<u64>)>) {
        let mut doc = Doc::default();
        let content = content(doc.parse(json).unwrap());
        let text = decoded(&content.text);
        let told = content.attachments.into_iter().map(|attachment| {
            let name = attachment.media_type.map(|name| name.text().into_owned());
            (name.unwrap_or_default(), attachment.bytes)
        });
        (text, told.collect())
    }

    #[test]
    fn data_is_never_text() {
        for (json, text, attached) in [
            (
                r#"[{"type":"text","text":"a"},{"type":"resource","resource":{"uri":"x://a","mimeType":"a/b","blob":"QUJD"}},"z"]"#,
                "a\n[resource a/b, 3 bytes]\nz",
                Some(("a/b", 3)),
            ),
            (
                r#"[{"type":"resource","resource":{"uri":"x://a","text":"b\nc"}},{"type":"resource_link","uri":"x://l","name":"l"}]"#,
                "b\nc\n[link l, x://l]",
                None,
            ),
            (
                r#"[{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}},""]"#,
                "[image image/png, 3 bytes]\n",
                Some(("image/png", 3)),
            ),
            (
                r#"[{"type":"input_image","image_url":"data:image/png;base64,QUJD"}]"#,
                "[image image/png, 3 bytes]",
                Some(("image/png", 3)),
            ),
            (
                r#"[{"inlineData":{"mimeType":"audio/wav","data":"QUJD"}}]"#,
                "[audio audio/wav, 3 bytes]",
                Some(("audio/wav", 3)),
            ),
            (
                r#"[{"type":"input_audio","input_audio":{"data":"QUJD","format":"wav"}}]"#,
                "[audio, 3 bytes]",
                Some(("", 3)),
            ),
            (
                r#"{"content": [{"type":"image","mimeType":"image/png","data":"QUJD"}], "n": 1}"#,
                r#"{"content":["[image image/png, 3 bytes]"],"n":1}"#,
                Some(("image/png", 3)),
            ),
            (
                r#"[{"type":"web_search_result","url":"u","encrypted_content":"QUJD"}]"#,
                r#"{"type":"web_search_result","url":"u"}"#,
                None,
            ),
            (r#"[{"type":"file","path":"data"}]"#, r#"{"type":"file","path":"data"}"#, None),
            (r#"{"data": [1, 2]}"#, r#"{"data":[1,2]}"#, None),
            (
                r#"[{"type":"document","source":{"type":"text","media_type":"text/plain","data":"so"}}]"#,
                "so",
                None,
            ),
        ] {
            let attached = attached.map(|(name, bytes)| (name.to_owned(), Some(bytes)));
            assert_eq!(read(json), (text.to_owned(), attached.into_iter().collect()), "{json}");
        }
    }
}
