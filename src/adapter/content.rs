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
pub(super) mod tests {
    use super::*;
    use crate::format::write::{Field as _, Writer};
    use crate::json::Doc;

    /// What a text says once it is written.
    pub(crate) fn decoded(text: Option<Text<'_>>) -> String {
        let mut writer = Writer::new(0);
        text.write(&mut writer);
        let json = String::from_utf8(writer.buf).unwrap();
        Doc::default().parse(&json).unwrap().owned().unwrap_or_default()
    }
}
