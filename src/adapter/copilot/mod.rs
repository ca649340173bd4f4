//! GitHub Copilot CLI, `--output-format json`.
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
//! Usage: no line states tokens; the end record counts premium requests and time only (the recording
//! 1.0.102 text), so there are no calls and the total has nothing but the duration.
//!
//! Only `result` is an end. A run that SIGTERM ends prints one with `exitCode` 0 (the recording
//! 1.0.102 terminated), so an `abort` before it makes it a failure; after SIGINT there is none.

mod calls;
mod texts;

use self::calls::Calls;
use self::texts::Texts;
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
        "model.call_failure",
        "model.call_final_result",
        "model.call_finished",
        "model.call_start",
        "session.background_tasks_changed",
        "session.info",
        "session.mcp_servers_loaded",
        "session.skills_loaded",
        "session.todos_changed",
        "subagent.completed",
        "subagent.configured",
        "subagent.selected",
        "subagent.started",
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
    /// A start was emitted; whether with the session's id.
    announced: bool,
    identified: bool,
    model: Option<String>,
    calls: Calls,
    texts: Texts,
    /// The last reasoning that was emitted whole.
    reasoning: String,
    /// How many tries of the current model call failed before the last one.
    tries: Option<u64>,
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
        let [kind, data, time, agent] = record.pick(["type", "data", "timestamp", "agentId"]);
        let Some(kind) = kind.decode() else { return };
        out.time(time);
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
                calls::result(data, out);
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
            "session.compaction_complete" => {
                self.notice(Level::Info, Code::Compacted, Value::MISSING, None, out);
            }
            "session.model_change" => self.change(data, out),
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
    /// The start, as far as it is known, before the first event of the session's work.
    fn announce(&mut self, out: &mut Batch) {
        if !self.announced {
            self.announced = true;
            out.push(windowed(SessionStarted {
                harness: Some("copilot".into()),
                model: self.model.as_ref().map(Name::from),
                ..SessionStarted::default()
            }));
        }
    }

    fn start(&mut self, data: Value<'_>, out: &mut Batch) {
        let [id, model, version, context] =
            data.pick(["sessionId", "selectedModel", "copilotVersion", "context"]);
        if let Some(model) = model.decode() {
            self.model = Some(model.into_owned());
        }
        self.announced = true;
        self.identified = id.is_string();
        out.push(windowed(SessionStarted {
            harness: Some("copilot".into()),
            model: self.model.as_ref().map(Name::from),
            cwd: Name::of(context.get("cwd")),
            session_id: Name::of(id),
            version: Name::of(version),
            ..SessionStarted::default()
        }));
    }

    fn model(&mut self, agent: Value<'_>, data: Value<'_>, out: &mut Batch) {
        if let Some(model) = data.get("model").decode().filter(|_| !agent.is_string()) {
            self.model = Some(model.into_owned());
            self.announce(out);
        }
    }

    fn change(&mut self, data: Value<'_>, out: &mut Batch) {
        let [from, to] = data.pick(["previousModel", "newModel"]);
        let Some(model) = to.decode() else { return };
        self.model = Some(model.into_owned());
        self.announce(out);
        out.push(Notice {
            code: Code::ModelChanged,
            from: Name::of(from),
            to: Name::of(to),
            ..Notice::default()
        });
    }

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
        if !self.identified && id.is_string() {
            self.announced = true;
            self.identified = true;
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
            out.push(self.spent.process(usage));
        }
        let failure = self.failure.take();
        let aborted = self.aborted.take();
        let exit_code = code.i64();
        let clean = exit_code.map_or(failure.is_none(), |code| code == 0);
        let failed = !clean || aborted.is_some();
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
        *self = Self { spent: std::mem::take(&mut self.spent), ..Self::default() };
    }
}
