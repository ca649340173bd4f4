//! Kimi CLI's session file, `wire.jsonl` (recorded 1.43.0).
//!
//! ```json
//! {"type": "metadata", "protocol_version": "1.10"}
//! {"timestamp": 1767225601.9, "message": {"type": "TurnBegin", "payload": {"user_input": "…"}}}
//! {"timestamp": 1767225602.7, "message": {"type": "ToolCall", "payload": {"type": "function", "id": "c1", "function": {"name": "ReadFile", "arguments": "{…}"}}}}
//! {"timestamp": 1767225602.7, "message": {"type": "ToolResult", "payload": {"tool_call_id": "c1", "return_value": {"is_error": false, "output": "…", "message": "…"}}}}
//! {"timestamp": 1767225602.7, "message": {"type": "StatusUpdate", "payload": {"token_usage": {"input_other": 200, "output": 50, "input_cache_read": 1000, "input_cache_creation": 0}, "message_id": "…"}}}
//! ```
//!
//! `TurnEnd` says nothing of how the turn went: it is no end. `StepInterrupted` is all that the file says
//! of an error (1.43 auth). `context.jsonl` beside it is the same conversation once more, in the form
//! that is printed.
//!
//! Usage: each `StatusUpdate` with `token_usage` is a call.

use super::code::part_of_answer;
use crate::adapter::chat::{self, said};
use crate::adapter::content;
use crate::adapter::kimi::{PLAN_TOOLS, exit_code_of, tools::TOOLS};
use crate::adapter::model::windowed;
use crate::adapter::written::Writing;
use crate::format::batch::Batch;
use crate::format::event::{CallUsage, Code, Level, Message, Notice, SessionStarted, ToolResult};
use crate::format::tokens::Tokens;
use crate::format::write::{Name, Text};
use crate::json::Value;

#[derive(Debug, Default)]
pub(in crate::adapter::kimi) struct Older {
    started: bool,
    writing: Writing,
}

impl Older {
    pub(in crate::adapter::kimi) fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [timestamp, message] = record.pick(["timestamp", "message"]);
        out.time(timestamp);
        if !message.is_object() {
            return;
        }
        if !std::mem::replace(&mut self.started, true) {
            out.before(windowed(SessionStarted {
                harness: Some("kimi".into()),
                ..SessionStarted::default()
            }));
        }
        let [kind, payload] = message.pick(["type", "payload"]);
        if !kind.is("SubagentEvent") {
            return self.event(kind, payload, out);
        }
        let [call, older_call, event] =
            payload.pick(["parent_tool_call_id", "task_tool_call_id", "event"]);
        out.parent(Name::filled(call).or_else(|| Name::filled(older_call)));
        let [kind, payload] = event.pick(["type", "payload"]);
        self.event(kind, payload, out);
    }

    fn event(&mut self, kind: Value<'_>, payload: Value<'_>, out: &mut Batch) {
        match kind.decode().unwrap_or_default().as_ref() {
            "TurnBegin" | "SteerInput" => {
                if let Some(said) = said(payload.get("user_input")) {
                    out.push(Message {
                        role: Some("user".into()),
                        text: said.text,
                        attachments: said.attachments,
                        ..Message::default()
                    });
                }
            }
            "ContentPart" => part_of_answer(payload, out),
            "ToolCall" => {
                chat::call(payload, TOOLS, PLAN_TOOLS, &mut self.writing, out);
            }
            "ToolResult" => self.result(payload, out),
            "StatusUpdate" => usage(payload, out),
            "CompactionEnd" => {
                out.push(Notice { code: Code::Compacted, ..Notice::default() });
            }
            "StepInterrupted" => {
                out.push(Notice { level: Level::Error, code: Code::Error, ..Notice::default() });
            }
            _ => {}
        }
    }

    fn result(&mut self, payload: Value<'_>, out: &mut Batch) {
        let [id, value] = payload.pick(["tool_call_id", "return_value"]);
        let [is_error, output, message] = value.pick(["is_error", "output", "message"]);
        let is_error = is_error.is_true();
        // What has no output says in words what it did.
        let none = !output.is_some() || output.is("");
        let content = content::content(if none { message } else { output });
        let code = message.str().filter(|_| is_error).and_then(|words| exit_code_of(words.raw()));
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error,
            exit_code: code,
            output: content.text.or_else(|| Text::of(output)),
            attachments: content.attachments,
            files: self.writing.result(id, !is_error),
            ..ToolResult::default()
        });
    }
}

fn usage(payload: Value<'_>, out: &mut Batch) {
    let [usage, message] = payload.pick(["token_usage", "message_id"]);
    let keys = ["input_other", "output", "input_cache_read", "input_cache_creation"];
    let [input, output, cache_read, cache_creation] = usage.pick(keys).map(Value::count);
    let spent = Tokens { input, output, cache_read, cache_creation, reasoning: None };
    if !spent.is_zero() {
        out.message_id(Name::filled(message));
        out.push(CallUsage { context_tokens: spent.context(), ..spent.into() });
    }
}
