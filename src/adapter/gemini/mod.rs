//! Gemini CLI, `--output-format stream-json`.
//!
//! Every line has a `type` and an ISO `timestamp`:
//!
//! ```json
//! {"type":"init","timestamp":"…","session_id":"015144db-…","model":"gemini-2.5-pro"}
//! {"type":"message","timestamp":"…","role":"user","content":"Say hello."}
//! {"type":"message","timestamp":"…","role":"assistant","content":"This stream","delta":true}
//! {"type":"tool_use","timestamp":"…","tool_name":"read_file","tool_id":"read_file__…_0","parameters":{"file_path":"a"}}
//! {"type":"tool_result","timestamp":"…","tool_id":"read_file__…_0","status":"error","output":"…","error":{"type":"file_not_found","message":"…"}}
//! {"type":"error","timestamp":"…","severity":"error","message":"…"}
//! {"type":"result","timestamp":"…","status":"success","stats":{"total_tokens":2781,"input_tokens":2700,"output_tokens":61,"cached":2400,"input":300,"duration_ms":105,"tool_calls":1,"models":{…}}}
//! ```
//!
//! Recorded with 0.61.0. The assistant's text comes only in pieces; any other line ends it. When a
//! model stream is cut, the text is printed again with nothing that says so (recording 0.61 cut): it
//! is joined as printed. Reasoning is never printed. A result's `output` is what a person is shown:
//! empty for a read, absent for an edit; a command that exits with 3 is a plain `success`
//! (recording 0.61 failing). The error types of refusals and timeouts are those of the public
//! source. After a signal there is no `result`. Session files are another form ([`chat`]).
//!
//! Usage: only the run's total, in `result`. `input_tokens` contains `cached`, which is taken off:
//! recording 0.61 denied has 2700, 2400, and the harness's own `input` of 300. Reasoning is in
//! `total_tokens` alone, beside the output: 2781 − 2700 − 61 = 20 in the same recording.

mod answer;
mod chat;
mod tools;

use super::content::{arguments, plan};
use super::pieces::Pieces;
use super::running::Running;
use super::tool::does;
use super::written::Writing;
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::{Batch, Place};
use crate::format::event::{
    Code, Delta, Level, Message, ModelUsage, Notice, Of, SessionEnded, SessionStarted,
    SessionUsage, Status, ToolCall, ToolResult,
};
use crate::format::tokens::Tokens;
use crate::format::write::{Keyed, Name, Text};
use crate::json::place::{PieceAt, Places};
use crate::json::{Doc, Number, Value};
use chat::Chat;
use tools::TOOLS;

pub(super) const DIALECT: Dialect = Dialect {
    name: "gemini",
    summary: "Gemini CLI, stream-json or json output, and session files",
    recorded: "gemini-cli 0.30.0 (files), 0.61.0",
    carries: Carries { session_id: true, model: true, tokens: true, cost: false, end: true },
    detect,
    session: &["session_id"],
    tools: TOOLS,
    commands: &["gemini", "@google/gemini-cli"],
    flags: &[Flags {
        behind: None,
        unless: &["--output-format", "-o"],
        add: &["--output-format", "stream-json"],
    }],
    // Session files: what was told before, the model's context, marks.
    left_raw: &["gemini", "info", "user", "{$rewindTo}", "{$set}"],
    places: &PLACES,
    ..Dialect::BASE
};

static PLACES: Places = Places {
    rows: &[PieceAt::piece(
        "\"delta\"",
        &[("type", "message"), ("delta", "true")],
        "content",
        &["role"],
    )],
    noise_ends: true,
    one_at_a_time: true,
    ..Places::NONE
};

fn detect(record: Value<'_>) -> Match {
    match chat::detect(record) {
        Match::No if answer::is_answer(record) => return Match::Own,
        Match::No => {}
        sure => return sure,
    }
    let [kind, time, session, id] = record.pick(["type", "timestamp", "session_id", "id"]);
    let Some(kind) = kind.decode().filter(|_| time.is_string()) else { return Match::No };
    let bare = !session.exists() && !id.exists();
    let own = match kind.as_ref() {
        "init" => session.is_string() && record.get("model").exists(),
        "message" => {
            let [role, content] = record.pick(["role", "content"]);
            bare && role.is_string() && content.is_string()
        }
        "tool_use" | "tool_result" => bare && record.get("tool_id").is_string(),
        "error" => record.get("severity").is_string(),
        "result" => bare && record.get("status").is_string() && record.get("stats").exists(),
        _ => false,
    };
    if own { Match::Own } else { Match::No }
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    /// The assistant's text so far.
    text: Pieces,
    /// The id and the list of the last plan that was written; it holds once its result is good.
    plan: Option<(String, String)>,
    writing: Writing,
    spent: Running,
    /// The reading of a session file, where this is one.
    chat: Option<Chat>,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, time, role, content, delta] =
            record.pick(["type", "timestamp", "role", "content", "delta"]);
        out.time(time);
        if delta.is_true()
            && role.is("assistant")
            && kind.is("message")
            && let Some(piece) = content.str()
        {
            if let Some(text) = self.text.push(piece) {
                out.push(Delta { of: Of::Message, text: Some(text), ..Delta::default() });
            }
            return;
        }
        self.interrupt(out);
        let kind = kind.decode().unwrap_or_default();
        if !matches!(&*kind, "init" | "message" | "tool_use" | "tool_result" | "result")
            && chat::detect(record) != Match::No
        {
            return self.chat.get_or_insert_default().read(record, out);
        }
        match kind.as_ref() {
            "init" => started(record, out),
            "message" => message(role, content, out),
            "tool_use" => self.call(record, out),
            "tool_result" => self.result(record, out),
            "error" => error(record, out),
            "result" => ended(record, &mut self.spent, out),
            "" if answer::is_answer(record) => answer::read(record, &mut self.spent, out),
            _ => {}
        }
    }

    fn has_end(&self) -> bool {
        self.chat.is_none()
    }

    fn interrupt(&mut self, out: &mut Batch) {
        if !self.text.is_empty() {
            self.text.tell(Of::Message, "assistant", Place::Before, out);
        }
    }

    fn pending(&self) -> bool {
        !self.text.is_empty()
    }

    fn finish(&mut self, out: &mut Batch) {
        self.interrupt(out);
    }
}

impl Adapter {
    fn call(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, name, parameters] = record.pick(["tool_id", "tool_name", "parameters"]);
        let todos = parameters.get("todos");
        if name.is("write_todos") && todos.is_array() {
            let id = id.owned().unwrap_or_default();
            self.plan = Some((id, todos.text().to_owned()));
        }
        let tool = name.decode().unwrap_or_default();
        self.writing.call(TOOLS, id, &tool, parameters);
        out.push(ToolCall {
            call_id: Name::of(id),
            name: Name::of(name),
            input: arguments(parameters),
            ..does(TOOLS, &tool, parameters)
        });
    }

    fn result(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, status, output, error] = record.pick(["tool_id", "status", "output", "error"]);
        let is_error = status.is("error") || error.is_some();
        let [reason, message] = error.pick(["type", "message"]);
        let output =
            Text::filled(output).or_else(|| Text::filled(message)).or_else(|| Text::of(output));
        let finer = [
            ("policy_violation", "denied"),
            ("execution_denied", "denied"),
            ("execution_timeout", "timeout"),
        ];
        let finer = finer.into_iter().find(|(word, _)| reason.is(word));
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error,
            output,
            status: finer.map(|(_, status)| status.into()),
            files: self.writing.result(id, !is_error),
            ..ToolResult::default()
        });
        if let Some((_, todos)) = self.plan.take_if(|(call, _)| id.is(call))
            && !is_error
        {
            let mut doc = Doc::default();
            plan(doc.parse(&todos).unwrap_or(Value::MISSING), "description", out);
        }
    }
}

fn started(record: Value<'_>, out: &mut Batch) {
    let [session, model] = record.pick(["session_id", "model"]);
    out.push(windowed(SessionStarted {
        harness: Some("gemini-cli".into()),
        model: Name::filled(model),
        session_id: Name::filled(session),
        ..SessionStarted::default()
    }));
}

/// A text that was printed whole: what the user asked.
fn message(role: Value<'_>, content: Value<'_>, out: &mut Batch) {
    let text = Text::filled(content);
    if text.is_some() {
        out.push(Message { role: Name::of(role), text, ..Message::default() });
    }
}

fn error(record: Value<'_>, out: &mut Batch) {
    let [severity, message] = record.pick(["severity", "message"]);
    let level = if severity.is("warning") { Level::Warning } else { Level::Error };
    out.push(Notice { level, code: Code::Error, message: Text::of(message), ..Notice::default() });
}

fn ended(record: Value<'_>, spent: &mut Running, out: &mut Batch) {
    let [status, error, totals] = record.pick(["status", "error", "stats"]);
    if !status.is_string() {
        return;
    }
    if totals.is_object() {
        usage(totals, spent, out);
    }
    let [reason, message] = error.pick(["type", "message"]);
    let failed = !status.is("success") || error.is_some();
    out.push(SessionEnded {
        status: if failed { Status::Failed } else { Status::Succeeded },
        reason: Name::filled(reason),
        error: Text::filled(message).or_else(|| Text::filled(error)),
        ..SessionEnded::default()
    });
}

fn usage(totals: Value<'_>, spent: &mut Running, out: &mut Batch) {
    let [duration, models] = totals.pick(["duration_ms", "models"]);
    let models =
        models.members().map(|(name, stats)| (Name::from(name), ModelUsage::from(tokens(stats))));
    out.push(spent.process(SessionUsage {
        // A run that failed was not measured, and has a zero.
        duration_ms: duration.number().filter(|duration| *duration != Number::Int(0)),
        models: Keyed(models.collect()),
        ..tokens(totals).into()
    }));
}

/// Reasoning stands beside the output, in the total alone.
fn tokens(stats: Value<'_>) -> Tokens {
    let [total, input, output, cache_read] =
        stats.pick(["total_tokens", "input_tokens", "output_tokens", "cached"]).map(Value::count);
    let rest = |total: u64| total.checked_sub(input?)?.checked_sub(output?);
    let reasoning = total.and_then(rest).filter(|rest| *rest > 0);
    Tokens { input, output, cache_read, reasoning, ..Tokens::default() }.without_cached()
}
