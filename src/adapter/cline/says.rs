//! cline 2.x: what the extension says and asks.
//!
//! ```json
//! {"type":"task_started","taskId":"1796039539011"}
//! {"ts":1796039541165,"type":"say","say":"command","text":"ls -1","modelInfo":{"modelId":"mock-1",…},"conversationHistoryIndex":0}
//! {"ts":1796039541264,"type":"ask","ask":"command_output","text":"README.md","conversationHistoryIndex":0}
//! {"ts":1796039541629,"type":"say","say":"api_req_started","text":"{\"request\":\"[execute_command for 'ls -1'] Result:\\nCommand executed successfully (exit code 0).\\nOutput:\\nREADME.md\\n\\n\\n# task_progress RECOMMENDED…\"}",…}
//! {"type":"error","message":"{\"message\":\"401 Incorrect API key provided: sk-fake.\",…}"}
//! ```
//!
//! Several texts are JSON in a string. Nothing has an id: calls have none, and a call's result is
//! read off the next request to the model, whose fixed beginning repeats the call (`shell`, `fail`,
//! `edit`). The `command_output` lines show only the first lines of each chunk (`big`) and stay `raw`.
//!
//! `completion_result` is the last message and the end; a run that gave up ends with `error`.
//! **Usage** is not printed: the counts are filled in after the request's line was.

use std::borrow::Cow;

use super::notice;
use super::tools::TOOLS;
use crate::adapter::content::{self, arguments};
use crate::adapter::model::windowed;
use crate::adapter::pieces::{Snapshot, whole_pairs};
use crate::adapter::tool;
use crate::format::batch::Batch;
use crate::format::event::{
    Code, Delta, Level, Message, Notice, Of, Plan, Retry, SessionEnded, SessionStarted, Status,
    Step, Thinking, ToolCall, ToolResult,
};
use crate::format::write::{Name, Text};
use crate::json::{Doc, Number, Value};

#[derive(Debug, Default)]
pub(super) struct Says {
    session: Option<String>,
    model: Option<String>,
    /// The calls since the last request.
    calls: Vec<Call>,
    /// The text that is being written, and the time that identifies it.
    written: Snapshot,
    writing: String,
}

#[derive(Debug, Default)]
struct Call {
    /// The command or the file's path, which the request repeats.
    subject: String,
    change: Option<&'static str>,
}

impl Says {
    pub(super) fn record(&mut self, kind: &str, record: Value<'_>, out: &mut Batch) {
        let [id, text, partial, info, message, time] =
            record.pick(["taskId", "text", "partial", "modelInfo", "message", "ts"]);
        match kind {
            "task_started" => {
                self.session = id.owned();
                self.start(out);
            }
            "error" => out.push(SessionEnded {
                status: Status::Failed,
                reason: Some("error".into()),
                error: message.decode().map(plain),
                ..SessionEnded::default()
            }),
            _ => {
                let Some(what) = record.get(kind).decode() else { return };
                self.meet(info.get("modelId"), out);
                if partial.is_true() {
                    self.piece(&what, record, text, time, out);
                } else if kind == "say" {
                    self.say(&what, text, out);
                } else {
                    self.ask(&what, text, out);
                }
            }
        }
    }

    fn start(&self, out: &mut Batch) {
        out.push(windowed(SessionStarted {
            harness: Some("cline".into()),
            model: self.model.as_ref().map(Name::from),
            session_id: self.session.as_ref().map(Name::from),
            ..SessionStarted::default()
        }));
    }

    /// The model is named beside what is said, first behind the start: no usage would name it.
    fn meet(&mut self, model: Value<'_>, out: &mut Batch) {
        if self.model.as_ref().is_some_and(|known| model.is(known)) {
            return;
        }
        let Some(name) = model.decode().filter(|name| !name.is_empty()) else { return };
        match self.model.replace(name.into_owned()) {
            None => self.start(out),
            Some(before) => out.push(Notice {
                code: Code::ModelChanged,
                from: Some(before.into()),
                to: Name::of(model),
                ..Notice::default()
            }),
        }
    }

    /// A message that is still being written is printed again and again, whole so far.
    fn piece(
        &mut self,
        what: &str,
        record: Value<'_>,
        text: Value<'_>,
        time: Value<'_>,
        out: &mut Batch,
    ) {
        let Some((of, text)) = written(what).zip(text.str()) else { return out.framing(record) };
        if self.writing != time.text() {
            time.text().clone_into(&mut self.writing);
            self.written = Snapshot::default();
        }
        match self.written.update(&whole_pairs(text)) {
            Some((text, reset)) => {
                out.push(Delta { of, text: Some(text.into()), reset, ..Delta::default() });
            }
            None => out.framing(record),
        }
    }

    fn say(&mut self, what: &str, text: Value<'_>, out: &mut Batch) {
        if let Some(of) = written(what) {
            let mut written = std::mem::take(&mut self.written);
            self.writing.clear();
            if let Some(whole) = text.decode().filter(|_| !written.is_empty())
                && let Some((text, reset)) = written.update(&whole)
            {
                out.push(Delta { of, text: Some(text.into()), reset, ..Delta::default() });
            }
        }
        match what {
            "task" | "user_feedback" => message("user", text, out),
            "text" => message("assistant", text, out),
            "reasoning" => {
                if let Some(text) = Text::filled(text) {
                    out.push(Thinking { text: Some(text), ..Thinking::default() });
                }
            }
            "completion_result" => {
                message("assistant", text, out);
                out.push(SessionEnded { summary: Text::filled(text), ..SessionEnded::default() });
            }
            "command" => self.command(text, out),
            "tool" => self.tool(text, out),
            "api_req_started" => self.request(text, out),
            "task_progress" => plan(text, out),
            "error_retry" => retry(text, out),
            "error" => out.push(notice(Level::Error, Code::Error, Text::of(text))),
            "info" => out.push(notice(Level::Info, Code::Info, Text::of(text))),
            _ => {}
        }
    }

    fn ask(&mut self, what: &str, text: Value<'_>, out: &mut Batch) {
        match what {
            "command" => self.command(text, out),
            "tool" => self.tool(text, out),
            "followup" => question(text, "question", out),
            "plan_mode_respond" => question(text, "response", out),
            "api_req_failed" => {
                out.push(notice(Level::Error, Code::Error, text.decode().map(plain)));
            }
            _ => {}
        }
    }

    fn command(&mut self, text: Value<'_>, out: &mut Batch) {
        let Some(command) = text.decode() else { return };
        out.push(ToolCall {
            name: Some("execute_command".into()),
            input: Text::of(text),
            ..tool::does(TOOLS, "execute_command", text)
        });
        self.remember(Call { subject: command.into_owned(), change: None });
    }

    fn tool(&mut self, text: Value<'_>, out: &mut Batch) {
        let Some(json) = text.decode() else { return };
        let mut doc = Doc::default();
        let input = doc.parse(&json).unwrap_or(Value::MISSING);
        let [name, path] = input.pick(["tool", "path"]);
        out.push(ToolCall {
            name: Name::filled(name),
            input: arguments(text),
            ..tool::does(TOOLS, &name.decode().unwrap_or_default(), input)
        });
        let change = [("newFileCreated", "add"), ("editedExistingFile", "update")];
        let change = change.into_iter().find(|(tool, _)| name.is(tool)).map(|(_, change)| change);
        let subject = path.owned().unwrap_or_default();
        self.remember(Call { subject, change });
    }

    fn remember(&mut self, call: Call) {
        // More than one is more than a request's text can be told apart by.
        if self.calls.len() < 2 {
            self.calls.push(call);
        }
    }

    /// The next request to the model begins with the call's result.
    fn request(&mut self, text: Value<'_>, out: &mut Batch) {
        let mut calls = std::mem::take(&mut self.calls).into_iter();
        let (Some(call), None) = (calls.next(), calls.next()) else { return };
        let Some(json) = text.decode() else { return };
        let mut doc = Doc::default();
        let Some(request) = doc.parse(&json).and_then(|json| json.get("request").decode()) else {
            return;
        };
        let Some(result) = result(&request, &call.subject) else { return };
        let exit_code = exit_code(result);
        let failure = "The tool execution failed with the following error:\n<error>\n";
        let saved = result.starts_with("The content was successfully saved to ");
        let change = call.change.filter(|_| saved);
        out.push(ToolResult {
            is_error: exit_code.is_some_and(|code| code != 0) || result.starts_with(failure),
            output: Some(result.into()),
            exit_code,
            files: change
                .map(|change| content::changed(Some(Name::from(&call.subject)), change))
                .unwrap_or_default(),
            ..ToolResult::default()
        });
    }
}

/// The kinds that are written piece by piece.
fn written(what: &str) -> Option<Of> {
    match what {
        "text" | "completion_result" => Some(Of::Message),
        "reasoning" => Some(Of::Thinking),
        _ => None,
    }
}

fn message(role: &'static str, text: Value<'_>, out: &mut Batch) {
    if let Some(text) = Text::filled(text) {
        out.push(Message { role: Some(role.into()), text: Some(text), ..Message::default() });
    }
}

/// A question to the user: plain, or JSON in a string with the words under `key`.
fn question(text: Value<'_>, key: &str, out: &mut Batch) {
    let Some(json) = text.decode() else { return };
    let mut doc = Doc::default();
    match doc.parse(&json).filter(|json| json.is_object()) {
        Some(json) => message("assistant", json.get(key), out),
        None => message("assistant", text, out),
    }
}

/// The result of the call on `subject` that `request` begins with, without what is added for the
/// model.
fn result<'r>(request: &'r str, subject: &str) -> Option<&'r str> {
    let (tool, rest) = request.strip_prefix('[')?.split_once(" for '")?;
    if tool.contains([' ', ']']) {
        return None;
    }
    let rest = rest.strip_prefix(subject)?.strip_prefix("'] Result:\n")?;
    let ends = ["\n\n\n# task_progress ", "\n\n<environment_details>\n"];
    let end = ends.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    Some(rest.get(..end)?.trim_end_matches('\n'))
}

/// The two forms of the recordings `shell` and `fail`.
fn exit_code(result: &str) -> Option<i64> {
    let line = result.lines().next()?;
    let good = line
        .strip_prefix("Command executed successfully (exit code ")
        .and_then(|rest| rest.strip_suffix(")."));
    let bad = || line.strip_prefix("Command failed with exit code ")?.strip_suffix('.');
    content::exit_code(good.or_else(bad)?.parse().ok())
}

/// A Markdown check list.
fn plan(text: Value<'_>, out: &mut Batch) {
    let Some(list) = text.decode() else { return };
    let steps: Vec<_> = list.lines().filter_map(step).collect();
    if !steps.is_empty() {
        out.push(Plan { steps });
    }
}

fn step(line: &str) -> Option<Step<'_>> {
    let (mark, text) = line.trim_start().strip_prefix("- [")?.split_once("] ")?;
    let status = match mark {
        "x" | "X" => "completed",
        " " => "pending",
        _ => return None,
    };
    Some(Step { text: Some(text.trim_end().into()), status: Some(status.into()) })
}

fn retry(text: Value<'_>, out: &mut Batch) {
    let Some(json) = text.decode() else { return };
    let mut doc = Doc::default();
    let Some(retry) = doc.parse(&json).filter(|retry| retry.is_object()) else { return };
    let [attempt, max, delay, failed, error] =
        retry.pick(["attempt", "maxAttempts", "delaySeconds", "failed", "errorMessage"]);
    let message = error.decode().map(plain);
    // The last of them says that there is no other try (`err500`).
    if failed.is_true() {
        return out.push(notice(Level::Error, Code::Error, message));
    }
    out.push(Notice {
        retry: Some(Retry {
            attempt: attempt.count(),
            max: max.count(),
            delay_ms: delay.f64().map(|seconds| Number::Float(seconds * 1e3)),
        }),
        ..notice(Level::Warning, Code::Retry, message)
    });
}

/// An error's message; it is JSON in a string where a provider's error was passed on.
fn plain(error: Cow<'_, str>) -> Text<'_> {
    let mut doc = Doc::default();
    let inner = doc.parse(&error).map(|error| error.get("message"));
    match inner.and_then(Value::decode).filter(|message| !message.is_empty()) {
        Some(message) => message.into_owned().into(),
        None => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::Protocol;
    use crate::adapter::testing::read;

    #[test]
    fn what_is_still_written_gives_tails() {
        let lines = [
            r#"{"ts":5,"type":"say","say":"text","text":"Hé","partial":true}"#,
            r#"{"ts":5,"type":"say","say":"text","text":"Hé \ud83d","partial":true}"#,
            r#"{"ts":5,"type":"say","say":"text","text":"Hé \ud83d\ude80!","partial":false}"#,
            r#"{"ts":6,"type":"say","say":"text","text":"Hé","partial":true}"#,
        ];
        let told = read(Protocol::Cline, &lines);
        let texts: Vec<_> =
            told.iter().map(|e| (e.kind.name(), e.payload["text"].clone())).collect();
        let want = [
            ("delta", "Hé"),
            ("delta", " "),
            ("delta", "🚀!"),
            ("message", "Hé 🚀!"),
            ("delta", "Hé"),
        ];
        assert_eq!(texts, want.map(|(kind, text)| (kind, text.into())));
        assert!(told.iter().all(|e| e.payload.get("reset").is_none()));
    }

    #[test]
    fn a_result_is_read_only_behind_its_own_call() {
        let request = "[execute_command for 'a'] Result:\nok\n\n\n# task_progress x";
        assert_eq!(result(request, "a"), Some("ok"));
        assert_eq!(result(request, "b"), None);
        assert_eq!(result("[note to self for 'a'] Result:\nok", "a"), None);
        assert_eq!(exit_code("Command failed with exit code 3.\nx"), Some(3));
        assert_eq!(exit_code("It said: Command failed with exit code 3."), None);
        assert_eq!(exit_code("Command failed with exit code -1."), None);
    }
}
