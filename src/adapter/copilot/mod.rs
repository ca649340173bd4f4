//! GitHub Copilot CLI, `--output-format json`, and its session files (`session.rs`).
//!
//! Every line but the last is an event of the session; `ephemeral` marks those that the session file
//! does not keep, `agentId` those of a subagent:
//!
//! ```json
//! {"type":"session.tools_updated","data":{"model":"m"},"ephemeral":true,"id":"e3","timestamp":"…","parentId":"e1"}
//! {"type":"assistant.message_delta","data":{"messageId":"m1","deltaContent":"Run"},"ephemeral":true,"id":"e7",…}
//! {"type":"assistant.message","data":{"messageId":"m1","content":"Running.","reasoningText":"…","toolRequests":[{"toolCallId":"c1","name":"bash","arguments":{…}}]},"id":"e9",…}
//! {"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"…"},"shellExecution":{"exitCode":0}},…}
//! {"type":"result","timestamp":"…","sessionId":"s1","exitCode":0,"usage":{"premiumRequests":0,"sessionDurationMs":453}}
//! ```
//!
//! Recorded: 1.0.102. Texts come as deltas and whole; reasoning in three places (deltas, `reasoningText`,
//! `assistant.reasoning` behind the message), of which the first whole one counts. A retried try has
//! ids of its own, and its pieces never become whole (the recording 1.0.102 cut).
//!
//! Usage: no printed line of 1.0.102 states tokens; the end record counts premium requests and time only
//! (the recording 1.0.102 text), so there are no calls and the total has nothing but the duration. Older
//! versions and hosts of the SDK print what only session files hold today (`usage.rs`).
//!
//! Only `result` is an end. A run that SIGTERM ends prints one with `exitCode` 0 (the recording
//! 1.0.102 terminated), so an `abort` before it makes it a failure; after SIGINT there is none.

mod calls;
mod session;
mod start;
mod texts;
mod tools;
mod usage;

use self::calls::Calls;
use self::start::Start;
use self::texts::Texts;
use self::usage::Usage;
use super::outcome::says_failed;
use super::running::Running;
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::Batch;
use crate::format::event::{
    Code, Level, Message, Notice, Of, Retry, SessionEnded, SessionStarted, SessionTitle,
    SessionUsage, Status, Thinking,
};
use crate::format::write::{Name, Text};
use crate::json::Value;
use crate::json::place::{PieceAt, Places};

pub(super) const DIALECT: Dialect = Dialect {
    name: "copilot",
    summary: "GitHub Copilot CLI, --output-format json",
    recorded: "copilot 1.0.102",
    carries: Carries { session_id: true, model: true, tokens: false, cost: false, end: true },
    detect,
    tools: tools::TOOLS,
    commands: &["copilot"],
    flags: &[Flags {
        behind: None,
        unless: &["--output-format"],
        add: &["--output-format", "json"],
    }],
    left_raw: &[
        "agent.interrupted",
        "assistant.idle",
        // An empty answer (the recording 1.0.102 empty).
        "assistant.message",
        "assistant.reasoning",
        "assistant.turn_end",
        "assistant.turn_start",
        // A call that consumed nothing, or that was told before.
        "assistant.usage",
        "hook.end",
        "hook.start",
        "mcp.oauth_required",
        "model.call_failure",
        "model.call_final_result",
        "model.call_finished",
        "model.call_start",
        "permission.completed",
        "permission.requested",
        "session.background_tasks_changed",
        "session.idle",
        "session.info",
        "session.managed_settings_resolved",
        "session.mcp_servers_loaded",
        "session.model_change",
        "session.permissions_changed",
        "session.plan_changed",
        "session.skills_loaded",
        "session.task_complete",
        "session.todos_changed",
        "session.usage_checkpoint",
        "session.usage_info",
        "session.usage_record",
        "skill.invoked",
        "subagent.completed",
        "subagent.configured",
        "subagent.failed",
        "subagent.selected",
        "subagent.started",
        "system.message",
        "system.notification",
        "tool.execution_partial_result",
        "tool.execution_start",
        "tool.shell_output",
    ],
    places: &PLACES,
    ..Dialect::BASE
};

static PLACES: Places = Places {
    rows: &[
        PieceAt::piece(
            "_delta",
            &[("type", "assistant.message_delta")],
            "data.deltaContent",
            WHOSE,
        ),
        PieceAt::piece(
            "_delta",
            &[("type", "assistant.reasoning_delta")],
            "data.deltaContent",
            WHOSE,
        ),
        PieceAt::piece(
            "_delta",
            &[("type", "assistant.tool_call_delta")],
            "data.inputDelta",
            WHOSE,
        ),
        PieceAt::so_far(
            "_partial_result",
            &[("type", "tool.execution_partial_result")],
            "data.partialOutput",
        ),
    ],
    amid: &[&[("type", "assistant.streaming_delta")], &[("type", "session.info")]],
    speaker: "agentId",
    ..Places::NONE
};
const WHOSE: &[&str] =
    &["agentId", "data.messageId", "data.reasoningId", "data.toolCallId", "data.parentToolCallId"];

/// The envelope of the session events is enough: dotted names are used elsewhere, but not with it.
fn detect(record: Value<'_>) -> Match {
    let [kind, data, id, parent, time, usage] =
        record.pick(["type", "data", "id", "parentId", "timestamp", "usage"]);
    let event = data.is_object() && id.is_string() && time.is_string() && parent.exists();
    let named = kind.str().is_some_and(|kind| kind.raw().contains('.') || kind.is("abort"));
    let end = kind.is("result") && usage.get("premiumRequests").exists();
    if event && named || end { Match::Own } else { Match::No }
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    start: Start,
    /// The session's id as last told.
    session: Option<String>,
    /// An event was read that no session file keeps.
    printed: bool,
    /// The process stated what it consumed.
    counted: bool,
    model: Option<String>,
    calls: Calls,
    texts: Texts,
    /// The last reasoning that was emitted whole.
    reasoning: String,
    /// How many tries of the current model call failed before the last one.
    tries: Option<u64>,
    usage: Usage,
    failure: Option<Failure>,
    aborted: Option<String>,
    spent: Running,
}

#[derive(Debug)]
struct Failure {
    kind: Option<String>,
    message: Option<String>,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, data, time, agent, passing] =
            record.pick(["type", "data", "timestamp", "agentId", "ephemeral"]);
        let Some(kind) = kind.decode() else { return };
        out.time(time);
        self.printed |= passing.is_true();
        if kind == "result" {
            return self.end(record, out);
        }
        let [message, parent] = data.pick(["messageId", "parentToolCallId"]);
        if kind == "subagent.started" {
            self.calls.hire(agent, data);
        }
        if message.is_string() {
            out.message_id(Name::of(message));
        }
        if let Some(parent) = Name::of(parent) {
            out.parent(Some(parent));
        } else if agent.is_string() {
            out.parent(self.calls.of_agent(agent).map(Name::from));
        }
        match kind.as_ref() {
            "session.start" => self.start(data, out),
            "session.resume" => self.resume(data, out),
            "session.shutdown" => self.shutdown(data, out),
            "session.usage_record" => self.consumed(agent, data.get("usage"), out),
            "assistant.usage" => self.consumed(agent, data, out),
            "permission.completed" => self.permission(data, out),
            "session.tools_updated" => self.model(agent, data, out),
            "session.title_changed" => {
                if let Some(title) = Name::of(data.get("title")) {
                    self.announce(out);
                    out.push(SessionTitle { title: Some(title) });
                }
            }
            "user.message" => self.said("user", data, out),
            "assistant.message" => self.message(agent, data, out),
            "assistant.reasoning" => self.reasoning(agent, data, out),
            "assistant.message_start" => out.framing(record),
            "assistant.message_delta" => self.piece(Of::Message, agent, message, data, out),
            "assistant.reasoning_delta" => {
                self.piece(Of::Thinking, agent, data.get("reasoningId"), data, out);
            }
            "assistant.tool_call_delta" => {
                self.piece(Of::ToolCall, agent, data.get("toolCallId"), data, out);
            }
            "tool.execution_start" => {
                self.announce(out);
                self.calls.start(data, out);
            }
            "tool.execution_complete" if data.get("toolCallId").is_string() => {
                self.announce(out);
                self.calls.result(data, out);
            }
            "model.call_failure" => self.tries = data.get("retryAttempt").count(),
            "assistant.turn_retry" => {
                self.texts.retry();
                let attempt = self.tries.take().map(|tries| tries.saturating_add(1));
                let retry = attempt.map(|n| Retry { attempt: Some(n), ..Retry::default() });
                self.notice(Level::Warning, Code::Retry, data.get("reason"), retry, out);
            }
            "session.error" => self.error(data, out),
            "session.warning" => {
                self.notice(Level::Warning, Code::Info, data.get("message"), None, out);
            }
            "session.info" => {
                let [kind, message] = data.pick(["infoType", "message"]);
                // Other lines tell the retry itself and the file.
                if !kind.is("model_retry") && !kind.is("file_created") {
                    self.notice(Level::Info, Code::Info, message, None, out);
                }
            }
            "session.compaction_complete" | "session.truncation" => {
                self.notice(Level::Info, Code::Compacted, Value::MISSING, None, out);
            }
            "session.model_change" => self.change(agent, data, out),
            "abort" => {
                let reason = data.get("reason");
                self.aborted = Some(reason.owned().unwrap_or_default());
                self.notice(Level::Warning, Code::Info, reason, None, out);
            }
            _ => {}
        }
    }
}

impl Adapter {
    fn said(&mut self, role: &str, data: Value<'_>, out: &mut Batch) {
        if let Some(text) = Text::filled(data.get("content")) {
            self.announce(out);
            out.push(Message { role: Some(role.into()), text: Some(text), ..Message::default() });
        }
    }

    fn message(&mut self, agent: Value<'_>, data: Value<'_>, out: &mut Batch) {
        let [reasoning, requests] = data.pick(["reasoningText", "toolRequests"]);
        if let Some(text) = reasoning.decode().filter(|text| !text.is_empty()) {
            self.think(agent, reasoning, out);
            self.reasoning = text.into_owned();
        }
        self.texts.close(Of::Message, agent, out);
        self.said("assistant", data, out);
        for request in requests.elements() {
            self.announce(out);
            self.calls.ask(request, out);
        }
        self.texts.close(Of::ToolCall, agent, out);
        if let Some(call) = self.usage.message(agent, data) {
            self.announce(out);
            out.push(call);
        }
        if !self.printed && !agent.is_string() {
            // The session went on behind what stopped it.
            self.failure = None;
            self.aborted = None;
        }
    }

    fn reasoning(&mut self, agent: Value<'_>, data: Value<'_>, out: &mut Batch) {
        let content = data.get("content");
        let text = content.decode().unwrap_or_default();
        if !text.is_empty() && !self.reasoning.contains(text.as_ref()) {
            self.think(agent, content, out);
        }
    }

    fn think(&mut self, agent: Value<'_>, text: Value<'_>, out: &mut Batch) {
        self.announce(out);
        self.texts.close(Of::Thinking, agent, out);
        out.push(Thinking { text: Text::of(text), ..Thinking::default() });
    }

    fn piece(&mut self, of: Of, agent: Value<'_>, id: Value<'_>, data: Value<'_>, out: &mut Batch) {
        let [text, input] = data.pick(["deltaContent", "inputDelta"]);
        let text = if of == Of::ToolCall { input } else { text };
        if let (Some(text), Some(id)) = (text.str(), id.str()) {
            self.announce(out);
            self.texts.piece(of, agent, id, text, out);
        }
    }

    fn error(&mut self, data: Value<'_>, out: &mut Batch) {
        let [kind, message] = data.pick(["errorType", "message"]);
        self.failure = Some(Failure { kind: kind.owned(), message: message.owned() });
        let code = if kind.is("rate_limit") { Code::RateLimit } else { Code::Error };
        self.notice(Level::Error, code, message, None, out);
    }

    fn notice(
        &mut self,
        level: Level,
        code: Code,
        message: Value<'_>,
        retry: Option<Retry>,
        out: &mut Batch,
    ) {
        self.announce(out);
        out.push(Notice { level, code, message: Text::of(message), retry, ..Notice::default() });
    }

    /// The last line, which is the first to state the session's id.
    fn end(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, code, usage] = record.pick(["sessionId", "exitCode", "usage"]);
        if self.start != Start::Identified && id.is_string() {
            out.push(windowed(SessionStarted {
                harness: Some("copilot".into()),
                model: self.model.as_ref().map(Name::from),
                session_id: Name::of(id),
                ..SessionStarted::default()
            }));
        }
        if usage.is_object() {
            let duration_ms = usage.get("sessionDurationMs").number();
            let usage = SessionUsage { duration_ms, ..SessionUsage::default() };
            // Tokens that were stated before are the same process's.
            let total =
                if self.counted { self.spent.state(usage) } else { self.spent.process(usage) };
            out.push(total);
        }
        let failure = self.failure.take();
        let aborted = self.aborted.take();
        let exit_code = code.i64();
        let clean = exit_code.map_or(failure.is_none(), |code| code == 0);
        let failed = !clean || aborted.is_some() || says_failed(record);
        let failure = failure.filter(|_| failed);
        let (kind, message) = failure.map_or((None, None), |f| (f.kind, f.message));
        out.push(SessionEnded {
            status: if failed { Status::Failed } else { Status::Succeeded },
            reason: aborted.filter(|reason| !reason.is_empty()).or(kind).map(Name::from),
            error: message.map(Text::from),
            exit_code,
            ..SessionEnded::default()
        });
        // What comes behind it is another process's.
        let session = id.filled().or(self.session.take());
        *self = Self { spent: std::mem::take(&mut self.spent), session, ..Self::default() };
    }
}
