//! What the tools of cline 3.x gave: a list with one part a command or file, or one object.

use crate::adapter::content;
use crate::format::batch::Batch;
use crate::format::event::{FileChange, ToolResult};
use crate::format::write::{Name, Text};
use crate::json::{Kind, Number, Str, Value};

/// What answers a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answer<'a> {
    pub(super) id: Value<'a>,
    pub(super) name: Value<'a>,
    pub(super) output: Value<'a>,
    pub(super) error: Value<'a>,
    /// How long the call took in milliseconds.
    pub(super) duration: Option<Number>,
    /// It says itself that the call failed.
    pub(super) failed: bool,
}

impl<'a> Answer<'a> {
    /// The answer in an event of the stream.
    pub(super) fn of(event: Value<'a>) -> Self {
        let [id, name, output, error, duration] =
            event.pick(["toolCallId", "toolName", "output", "error", "durationMs"]);
        let duration = duration.number();
        Self { id, name, output, error, duration, failed: error.is_some() }
    }
}

pub(super) fn push(answer: Answer<'_>, out: &mut Batch) {
    let Answer { id, name, output, error, duration, failed: told } = answer;
    let parts = || output.elements().chain(output.is_object().then_some(output));
    let failed = |part: Value<'_>| part.get("success").bool() == Some(false);
    let is_error = told || parts().any(failed);
    let only = output.elements().next().filter(|_| output.elements().nth(1).is_none());
    let why = only.map_or(Value::MISSING, |part| part.get("error")).decode();
    let why = why.as_deref().unwrap_or_default();
    out.push(ToolResult {
        call_id: Name::of(id),
        is_error,
        output: output_text(output).or_else(|| Text::of(error)),
        // `fail`; of several commands each has its own.
        exit_code: why
            .strip_prefix("Command exited with code ")
            .and_then(|code| content::exit_code(code.parse().ok())),
        status: status(name, output, why).map(Name::from),
        duration_ms: duration,
        files: edited(name, output).into_iter().collect(),
        ..ToolResult::default()
    });
}

/// The forms are the recorded ones: `sigterm_tool` ran into a time limit, `noapprove` was refused.
fn status(name: Value<'_>, output: Value<'_>, why: &str) -> Option<&'static str> {
    if why.starts_with("Command failed: Command timed out after ") {
        return Some("timeout");
    }
    let refusal = output.get("error").decode()?;
    let tool = name.decode()?;
    let words = refusal.strip_prefix("Tool \"")?.strip_prefix(tool.as_ref())?;
    words.starts_with("\" requires approval in a TTY session").then_some("denied")
}

/// The texts of a result, one below the other.
fn output_text(output: Value<'_>) -> Option<Text<'_>> {
    match output.kind() {
        Kind::Array => {
            let mut parts = output.elements();
            let only = parts.next().filter(|_| parts.next().is_none()).map(part_text);
            if let Some(Some(text)) = only {
                return Some(text.into());
            }
            let mut joined = String::new();
            for (at, part) in output.elements().enumerate() {
                if at > 0 && !joined.ends_with('\n') {
                    joined.push('\n');
                }
                match part_text(part) {
                    Some(text) => joined.push_str(&text.decode()),
                    None => joined.push_str(part.text()),
                }
            }
            Some(joined.into())
        }
        Kind::Object => part_text(output).map(Text::from).or_else(|| content::content(output).text),
        _ => content::content(output).text,
    }
}

/// What a command or a file gave, else why it gave nothing; a subagent's last words.
fn part_text(part: Value<'_>) -> Option<Str<'_>> {
    let [result, error, text] = part.pick(["result", "error", "text"]);
    let filled = [result, error, text].map(|value| value.str().filter(|text| !text.is_empty()));
    filled.into_iter().flatten().next().or(result.str())
}

/// Both forms are those of the recording `edit`.
fn edited<'a>(name: Value<'a>, output: Value<'a>) -> Option<FileChange<'a>> {
    let [query, result, success] = output.pick(["query", "result", "success"]);
    if !name.is("editor") || !success.is_true() {
        return None;
    }
    let path = query.decode()?.strip_prefix("edit:")?.to_owned();
    let words = result.decode()?;
    let change = if words.starts_with("File created successfully at: ") {
        "add"
    } else if words.starts_with("Edited ") {
        "update"
    } else {
        return None;
    };
    Some(FileChange { path: path.into(), change: change.into() })
}
