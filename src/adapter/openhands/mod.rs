//! The `OpenHands` CLI, `--headless --json` (recorded 1.16.0).
//!
//! The records stand between plain text on the same stream: notes before and behind, a boxed summary
//! at the end, and the session's id only there. A record is an object with `kind`.
//!
//! ```json
//! {"id": "…", "timestamp": "2026-11-30T12:07:09.269423", "source": "user", "llm_message": {"role": "user", "content": [{"type": "text", "text": "…"}], …}, "kind": "MessageEvent"}
//! {"id": "e1", …, "source": "agent", "thought": [], "reasoning_content": null, "action": {"command": "view", …, "kind": "FileEditorAction"}, "tool_name": "file_editor", "tool_call_id": "c1", "tool_call": {"arguments": "{…}", …}, "llm_response_id": "…", "kind": "ActionEvent"}
//! {"id": "…", …, "source": "environment", "tool_call_id": "c1", "observation": {"content": […], "is_error": false, …, "kind": "FileEditorObservation"}, "action_id": "e1", "kind": "ObservationEvent"}
//! {"id": "…", …, "source": "environment", "code": "AuthenticationError", "detail": "…", "kind": "ConversationErrorEvent"}
//! ```
//!
//! Parallel calls are one `ActionEvent` each; thought and reasoning stand on the first. An action
//! that could not be read is `null` and is answered by an `AgentErrorEvent`. A terminal that broke
//! has the exit code -1, which is none (1.16.0 failing). The times name no zone and are no moments.
//!
//! A conversation's files are these events, each a file without a line feed at its end, and the system
//! prompt; and `base_state.json`, which alone names the session, its model, what it spent and how it
//! stands:
//!
//! ```json
//! {"id": "…", "workspace": {"working_dir": "/srv/demo", …}, "execution_status": "finished", "stats": {"usage_to_metrics": {"agent": {"model_name": "…", "accumulated_cost": 0.0, "accumulated_token_usage": {"prompt_tokens": 5500, "completion_tokens": 121, "cache_read_tokens": 4800, …}}}}, …}
//! ```
//!
//! Usage: none is printed. The files' `prompt_tokens` contain what was cached (1.16.0 edit: 1200 with 1000,
//! as the provider said). Only a failure has an end record, `ConversationErrorEvent`, and the
//! process exits with 0 all the same (1.16.0 err-after-tool). `SystemPromptEvent`,
//! `UserRejectObservation` and `Condensation` are read by their public definition; the CLI printed
//! none of them in a recording.

mod state;
mod tools;

use self::tools::TOOLS;
use super::chat::said;
use super::content::{self, arguments, changed, plan};
use super::tool;
use super::written::Writing;
use super::{Adapt, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::Batch;
use crate::format::event::{
    Act, Code, FileChange, Level, Message, Notice, SessionEnded, SessionStarted, Status, Thinking,
    ToolCall, ToolResult,
};
use crate::format::write::{Name, Text};
use crate::json::Value;

pub(super) const DIALECT: Dialect = Dialect {
    name: "openhands",
    summary: "OpenHands CLI, headless JSON output",
    recorded: "1.16",
    detect,
    commands: &["openhands"],
    flags: &[
        Flags { behind: None, unless: &["--headless"], add: &["--headless"] },
        Flags { behind: None, unless: &["--json"], add: &["--json"] },
    ],
    tools: TOOLS,
    beside: state::beside,
    left_raw: &["(text)", "ConversationStateUpdateEvent"],
    named_by: &["kind"],
    ..Dialect::BASE
};

fn detect(record: Value<'_>) -> Match {
    if state::is(record) {
        return Match::Own;
    }
    let [kind, source, timestamp] = record.pick(["kind", "source", "timestamp"]);
    if is_event(kind, source) && timestamp.is_string() { Match::Own } else { Match::No }
}

fn is_event(kind: Value<'_>, source: Value<'_>) -> bool {
    kind.is_string() && ["agent", "environment", "user"].iter().any(|from| source.is(from))
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    started: bool,
    /// How the session stands was read.
    stands: bool,
    /// The last event was an error that ended the turn.
    failed: bool,
    writing: Writing,
    /// The session, its model and its folder, as a file beside the event's says.
    named: [Option<String>; 3],
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, source, timestamp, response] =
            record.pick(["kind", "source", "timestamp", "llm_response_id"]);
        if !is_event(kind, source) {
            if state::is(record) {
                self.stands = true;
                state::read(record, self.failed, out);
            }
            return;
        }
        out.time(timestamp);
        if !self.started {
            self.started = true;
            let [session, model, cwd] = &self.named;
            out.before(windowed(SessionStarted {
                harness: Some("openhands".into()),
                model: model.as_ref().map(Name::from),
                cwd: cwd.as_ref().map(Name::from),
                session_id: session.as_ref().map(Name::from),
                ..SessionStarted::default()
            }));
        }
        self.failed = kind.is("ConversationErrorEvent");
        out.message_id(Name::filled(response));
        if kind.is("SystemPromptEvent") {
            let prompt = record.get("system_prompt");
            if let Some(text) = Text::filled(prompt.get("text")) {
                let role = Some("system".into());
                out.push(Message { role, text: Some(text), ..Message::default() });
            }
        } else if kind.is("MessageEvent") {
            message(record, out);
        } else if kind.is("ActionEvent") {
            action(record, &mut self.writing, out);
        } else if kind.is("ObservationEvent") {
            observation(record, &mut self.writing, out);
        } else if kind.is("AgentErrorEvent") {
            refusal(record, "error", None, out);
        } else if kind.is("UserRejectObservation") {
            refusal(record, "rejection_reason", Some("denied"), out);
        } else if kind.is("ConversationErrorEvent") {
            ended(record, out);
        } else if kind.is("Condensation") {
            let message = Text::of(record.get("summary"));
            out.push(Notice {
                level: Level::Info,
                code: Code::Compacted,
                message,
                ..Notice::default()
            });
        }
    }

    fn beside(&mut self, _name: &str, beside: Value<'_>) {
        if state::is(beside) {
            self.named = state::names(beside).map(Value::owned);
        }
    }

    fn has_end(&self) -> bool {
        self.stands
    }
}

fn message(event: Value<'_>, out: &mut Batch) {
    let message = event.get("llm_message");
    let [role, blocks] = message.pick(["role", "content"]);
    thinking(message, out);
    speak(role, blocks, out);
}

fn speak<'a>(role: Value<'a>, blocks: Value<'a>, out: &mut Batch) {
    if let Some(said) = said(blocks) {
        // A thought names no role: it is the model's.
        out.push(Message {
            role: Name::of(role).or_else(|| Some("assistant".into())),
            text: said.text,
            attachments: said.attachments,
            ..Message::default()
        });
    }
}

/// The reasoning of a message or an action, which names it in one of two ways.
fn thinking(of: Value<'_>, out: &mut Batch) {
    let [text, blocks] = of.pick(["reasoning_content", "thinking_blocks"]);
    if let Some(text) = Text::filled(text) {
        out.push(Thinking { text: Some(text), ..Thinking::default() });
        return;
    }
    for block in blocks.elements() {
        let [kind, text] = block.pick(["type", "thinking"]);
        if let Some(text) = Text::filled(text) {
            out.push(Thinking { text: Some(text), ..Thinking::default() });
        } else if kind.is("redacted_thinking") {
            out.push(Thinking { text: Some("".into()), redacted: true, ..Thinking::default() });
        }
    }
}

fn action(event: Value<'_>, writing: &mut Writing, out: &mut Batch) {
    let [thought, action, name, call_id, call] =
        event.pick(["thought", "action", "tool_name", "tool_call_id", "tool_call"]);
    thinking(event, out);
    speak(Value::MISSING, thought, out);
    if !(name.is_string() || call_id.is_string()) {
        return;
    }
    let input = call.get("arguments");
    let named = name.decode().unwrap_or_default();
    let mut does = tool::does(TOOLS, &named, input);
    if does.kind == Some(Act::Edit) && tool::views(input) {
        does.kind = Some(Act::Read);
    } else {
        writing.call(TOOLS, call_id, &named, input);
    }
    out.push(ToolCall {
        call_id: Name::of(call_id),
        name: Name::of(name),
        input: arguments(input),
        ..does
    });
    let [kind, command, list] = action.pick(["kind", "command", "task_list"]);
    // The tracker's other command only asks for the list.
    if kind.is("TaskTrackerAction") && command.is("plan") {
        plan(list, "title", out);
    }
}

fn observation(event: Value<'_>, writing: &mut Writing, out: &mut Batch) {
    let [call_id, seen] = event.pick(["tool_call_id", "observation"]);
    if !seen.is_object() {
        return;
    }
    let [blocks, is_error, exit_code, timeout] =
        seen.pick(["content", "is_error", "exit_code", "timeout"]);
    let output = content::content(blocks);
    let written = writing.result(call_id, !is_error.is_true());
    let stated = if is_error.is_true() { Vec::new() } else { changes(seen) };
    out.push(ToolResult {
        call_id: Name::of(call_id),
        is_error: is_error.is_true(),
        output: output.text,
        exit_code: content::exit_code(exit_code.i64()),
        status: timeout.is_true().then(|| "timeout".into()),
        files: if stated.is_empty() { written } else { stated },
        attachments: output.attachments,
        ..ToolResult::default()
    });
}

/// What the file editor changed.
fn changes(seen: Value<'_>) -> Vec<FileChange<'_>> {
    let [kind, command, path, existed] = seen.pick(["kind", "command", "path", "prev_exist"]);
    let changing = ["create", "str_replace", "insert", "undo_edit"];
    if !kind.is("FileEditorObservation") || !changing.iter().any(|word| command.is(word)) {
        return Vec::new();
    }
    let change = if existed.bool() == Some(false) { "add" } else { "update" };
    changed(Name::filled(path), change)
}

/// The answer to a call that was not run.
fn refusal(event: Value<'_>, words: &str, status: Option<&'static str>, out: &mut Batch) {
    let [call_id, output] = event.pick(["tool_call_id", words]);
    out.push(ToolResult {
        call_id: Name::of(call_id),
        is_error: true,
        output: Text::of(output),
        status: status.map(Name::from),
        ..ToolResult::default()
    });
}

fn ended(event: Value<'_>, out: &mut Batch) {
    let [code, detail] = event.pick(["code", "detail"]);
    out.push(SessionEnded {
        status: Status::Failed,
        reason: Name::of(code),
        error: Text::of(detail),
        ..SessionEnded::default()
    });
}
