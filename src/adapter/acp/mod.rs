//! The Agent Client Protocol, version 1: JSON-RPC 2.0 lines on standard output (opencode, Claude Code's
//! adapter, cline, …). Where a log holds the client's lines too, they are read as well.
//!
//! ```json
//! {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentCapabilities":{…},"agentInfo":{"name":"OpenCode","version":"1.18.33"}}}
//! {"jsonrpc":"2.0","id":1,"result":{"sessionId":"ses_1","configOptions":[{"id":"model","currentValue":"mock/mock-1",…}]}}
//! {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"ses_1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Run"}}}}
//! {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"ses_1","update":{"sessionUpdate":"tool_call","toolCallId":"c1","title":"bash","status":"pending","rawInput":{}}}}
//! {"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}
//! ```
//!
//! Recorded: opencode 1.18.33, claude-code-acp 0.16.2, cline 3.0.65 (a refused login only).
//!
//! Texts come only as pieces; the next line that is none ends them. An answer does not say what it
//! answers: the one with `stopReason` is the prompt's, and so is an error once there is a session,
//! other than "method not found" (the recordings opencode 1.18.33 shell, claude-code-acp 0.16.2 err400).
//!
//! Usage: `usage_update` states the cost of the session so far, and no tokens. The answer's `usage` is of the
//! last step only: the recording opencode 1.18.33 shell ends with 200 + 21 tokens, and its first step
//! took 200 + 34. So it is no total, and it stays in the line.

mod calls;
mod spoken;

use std::collections::VecDeque;

use self::calls::Calls;
use self::spoken::{Speaker, Spoken};
use super::content::{content, plan};
use super::recent::remember;
use super::running::Running;
use super::{Adapt, Carries, Dialect, Match};
use crate::adapter::model::windowed;
use crate::format::batch::{Batch, Place};
use crate::format::event::{
    Code, Level, Message, ModelUsage, Notice, SessionEnded, SessionStarted, SessionTitle,
    SessionUsage, Since, Status,
};
use crate::format::write::{Keyed, Name, Text};
use crate::json::Value;
use crate::json::place::{PieceAt, Places};

pub(super) const DIALECT: Dialect = Dialect {
    name: "acp",
    summary: "Agent Client Protocol over stdio",
    recorded: "opencode 1.18.33, claude-code-acp 0.16.2, cline 3.0.65",
    carries: Carries { session_id: true, model: true, tokens: false, cost: true, end: true },
    detect,
    commands: &["claude-code-acp"],
    left_raw: &[
        "session/request_permission",
        "session/update/available_commands_update",
        "session/update/tool_call",
        "session/update/tool_call_update",
        "{error,id,jsonrpc}",
        "{id,jsonrpc,result}",
    ],
    named_by: &["method", "sessionUpdate"],
    places: &PLACES,
    ..Dialect::BASE
};

static PLACES: Places = Places {
    rows: &[
        PieceAt::piece(
            "_chunk",
            &[("params.update.sessionUpdate", "agent_message_chunk")],
            "params.update.content.text",
            WHOSE,
        ),
        PieceAt::piece(
            "_chunk",
            &[("params.update.sessionUpdate", "agent_thought_chunk")],
            "params.update.content.text",
            WHOSE,
        ),
        PieceAt::piece(
            "_chunk",
            &[("params.update.sessionUpdate", "user_message_chunk")],
            "params.update.content.text",
            WHOSE,
        ),
    ],
    noise_ends: true,
    one_at_a_time: true,
    ..Places::NONE
};
const WHOSE: &[&str] =
    &["params.sessionId", "params.update.messageId", "params.update.sessionUpdate"];

/// Others speak JSON-RPC too (MCP servers, app servers): the methods and the answers' keys decide.
fn detect(record: Value<'_>) -> Match {
    let [version, method, params, result] = record.pick(["jsonrpc", "method", "params", "result"]);
    if !version.is("2.0") {
        return Match::No;
    }
    let methods = [
        "session/update",
        "session/request_permission",
        "session/new",
        "session/load",
        "session/prompt",
        "session/cancel",
    ];
    let ours = methods.iter().any(|name| method.is(name)) && params.is_object();
    let [capabilities, stop] = result.pick(["agentCapabilities", "stopReason"]);
    let client = params.get("clientCapabilities");
    if ours || capabilities.is_object() || client.is_object() || stop.is_string() {
        Match::Own
    } else {
        Match::Weak
    }
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    agent: Option<String>,
    version: Option<String>,
    cwd: Option<String>,
    model: Option<String>,
    /// The session of the last line that named one, last.
    sessions: VecDeque<String>,
    /// The ids of the client's prompts that have no answer yet, where the log holds them.
    prompts: VecDeque<String>,
    /// Whether the log holds the client's lines.
    two_sided: bool,
    text: Spoken,
    calls: Calls,
    spent: Running,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, method, params, result, error] =
            record.pick(["id", "method", "params", "result", "error"]);
        if method.is("session/update") {
            let [session, update] = params.pick(["sessionId", "update"]);
            return self.update(session, update, record, out);
        }
        self.text.end(out);
        if method.is("session/request_permission") {
            self.calls.see(params.get("toolCall"), false, out);
        } else if method.is("session/prompt") {
            self.prompt(id, params, out);
        } else if method.is("session/new") {
            self.cwd = params.get("cwd").owned();
        } else if result.is_object() && !method.exists() {
            self.answer(id, result, out);
        } else if error.is_object() && !method.exists() {
            self.refusal(id, error, out);
        }
    }

    fn interrupt(&mut self, out: &mut Batch) {
        self.text.end(out);
    }

    fn pending(&self) -> bool {
        self.text.is_open() || self.calls.waiting()
    }

    fn finish(&mut self, out: &mut Batch) {
        self.text.end(out);
        self.calls.tell(out);
    }
}

impl Adapter {
    fn update(
        &mut self,
        session: Value<'_>,
        update: Value<'_>,
        record: Value<'_>,
        out: &mut Batch,
    ) {
        if session.str().is_some_and(|id| self.sessions.back().is_none_or(|known| !id.is(known))) {
            self.text.end(out);
            self.session(session, Place::Before, out);
        }
        let kind = update.get("sessionUpdate");
        if let Some(speaker) = Speaker::of(kind) {
            return self.text.chunk(speaker, update, record, out);
        }
        self.text.end(out);
        if kind.is("tool_call") {
            self.calls.see(update, true, out);
        } else if kind.is("tool_call_update") {
            self.calls.see(update, false, out);
        } else if kind.is("plan") {
            plan(update.get("entries"), "content", out);
        } else if kind.is("usage_update") {
            self.usage(update, out);
        } else if kind.is("session_info_update") {
            if let Some(title) = Name::of(update.get("title")) {
                out.push(SessionTitle { title: Some(title) });
            }
        } else if kind.is("config_option_update") {
            self.options(update, out);
        }
    }

    /// A session that was not named before begins.
    fn session(&mut self, id: Value<'_>, place: Place, out: &mut Batch) {
        let Some(name) = id.decode() else { return };
        let known = self.sessions.iter().position(|known| *known == name);
        if let Some(session) = known.and_then(|at| self.sessions.remove(at)) {
            self.sessions.push_back(session);
            return;
        }
        remember(&mut self.sessions, name.into_owned());
        self.spent.restart();
        out.add(
            place,
            windowed(SessionStarted {
                harness: self.agent.as_ref().map(Name::from),
                model: self.model.as_ref().map(Name::from),
                cwd: self.cwd.as_ref().map(Name::from),
                session_id: Name::of(id),
                version: self.version.as_ref().map(Name::from),
                ..SessionStarted::default()
            }),
        );
    }

    fn prompt(&mut self, id: Value<'_>, params: Value<'_>, out: &mut Batch) {
        self.two_sided = true;
        if id.is_some() {
            remember(&mut self.prompts, id.text().to_owned());
        }
        let [session, prompt] = params.pick(["sessionId", "prompt"]);
        self.session(session, Place::Here, out);
        let content = content(prompt);
        if prompt.elements().next().is_some() {
            out.push(Message {
                role: Some("user".into()),
                text: content.text,
                attachments: content.attachments,
                ..Message::default()
            });
        }
    }

    fn answer(&mut self, id: Value<'_>, result: Value<'_>, out: &mut Batch) {
        let [agent, session, stop, models] =
            result.pick(["agentInfo", "sessionId", "stopReason", "models"]);
        if agent.is_object() {
            let [name, version] = agent.pick(["name", "version"]);
            self.agent = name.owned();
            self.version = version.owned();
        } else if stop.is_string() {
            self.prompts.retain(|prompt| prompt != id.text());
            self.calls.tell(out);
            let failed = ["cancelled", "refusal", "max_turn_requests"];
            let failed = failed.iter().any(|word| stop.is(word));
            out.push(SessionEnded {
                status: if failed { Status::Failed } else { Status::Succeeded },
                stop_reason: Name::of(stop),
                reason: Name::of(stop).filter(|_| failed),
                ..SessionEnded::default()
            });
        } else if session.is_string() {
            // `default` is the choice to leave the choice to the harness, and no model.
            let current = models.get("currentModelId");
            let current = if current.is_string() { current } else { option(result, "model") };
            self.model = current.decode().filter(|name| name != "default").map(Into::into);
            self.session(session, Place::Here, out);
        } else {
            self.options(result, out);
        }
    }

    /// An error is the answer to the prompt unless the log shows that it is not.
    fn refusal(&mut self, id: Value<'_>, error: Value<'_>, out: &mut Batch) {
        let [code, message] = error.pick(["code", "message"]);
        if code.i64() == Some(-32601) {
            return;
        }
        let open = self.prompts.iter().position(|prompt| prompt == id.text());
        if self.sessions.is_empty() || (self.two_sided && open.is_none()) {
            let (level, code) = (Level::Error, Code::Error);
            out.push(Notice { level, code, message: Text::of(message), ..Notice::default() });
            return;
        }
        if let Some(at) = open {
            self.prompts.remove(at);
        }
        self.calls.tell(out);
        out.push(SessionEnded {
            status: Status::Failed,
            error: Text::of(message),
            ..SessionEnded::default()
        });
    }

    fn options(&mut self, from: Value<'_>, out: &mut Batch) {
        let current = option(from, "model");
        let Some(model) = current.decode() else { return };
        if self.model.as_ref().is_some_and(|before| *before != model) {
            out.push(Notice {
                code: Code::ModelChanged,
                from: self.model.as_ref().map(Name::from),
                to: Name::of(current),
                ..Notice::default()
            });
        }
        self.model = Some(model.into_owned());
    }

    fn usage(&mut self, update: Value<'_>, out: &mut Batch) {
        let [size, cost] = update.pick(["size", "cost"]);
        let [amount, currency] = cost.pick(["amount", "currency"]);
        let cost_usd = amount.f64().filter(|_| currency.is("USD"));
        let window = size.count().filter(|size| *size > 0);
        if cost_usd.is_none() && window.is_none() {
            return;
        }
        let share = ModelUsage { context_window: window, ..ModelUsage::default() };
        let model = self.model.as_ref().filter(|_| window.is_some());
        out.push(self.spent.state(SessionUsage {
            cost_usd,
            cumulative: cost_usd.map(|_| Since::Session),
            models: Keyed(model.map(|model| (Name::from(model), share)).into_iter().collect()),
            ..SessionUsage::default()
        }));
    }
}

/// What is chosen for a configuration option.
fn option<'a>(from: Value<'a>, id: &str) -> Value<'a> {
    let mut options = from.get("configOptions").elements();
    let option = options.find(|option| option.get("id").is(id));
    option.map_or(Value::MISSING, |option| option.get("currentValue"))
}
