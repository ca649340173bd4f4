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
//! Other agents and drafts spell it their way, by what others published: `session/notification` with names
//! like `AgentMessageChunk` and a `TurnEnd` (Kiro), `_x.ai/session/update` (Grok), and the second draft's whole
//! texts and `state_update`.
//!
//! Usage: `usage_update` states the cost of the session so far, and in some agents its tokens (`spent.rs`). The answer's `usage` is of the
//! last step only: the recording opencode 1.18.33 shell ends with 200 + 21 tokens, and its first step
//! took 200 + 34. So it is no total, and it stays in the line.

pub(super) mod calls;
mod spent;
mod spoken;

use std::collections::VecDeque;

use self::calls::Calls;
use self::spoken::{Speaker, Spoken};
use super::content::{content, plan};
use super::recent::remember;
use super::running::Running;
use super::tool::Tools;
use super::{Adapt, Carries, Dialect, Match, Protocol};
use crate::adapter::model::windowed;
use crate::format::batch::{Batch, Place};
use crate::format::event::{
    Code, Level, Message, Notice, Plan, SessionEnded, SessionStarted, SessionTitle, Status,
};
use crate::format::write::{Name, Text};
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
        "_x.ai/session/update/pending_interaction",
        "session/update/available_commands_update",
        "session/update/current_mode_update",
        "session/update/state_update",
        "session/update/tool_call_content_chunk",
        "session/update/tool_call",
        "session/update/tool_call_update",
        "{error,id,jsonrpc}",
        "{id,jsonrpc,result}",
    ],
    named_by: &["method", "sessionUpdate"],
    places: &PLACES,
    ..Dialect::BASE
};

/// The notifications that tell what happens.
const UPDATES: [&str; 4] =
    ["session/update", "session/notification", "_x.ai/session/update", "x.ai/session/update"];

/// The agents that have a dialect of their own here, and so a table of their tools.
const AGENTS: &[(&str, Protocol)] = &[
    ("OpenCode", Protocol::Opencode),
    ("Kilo", Protocol::Opencode),
    ("@zed-industries/claude-code-acp", Protocol::ClaudeJson),
    ("gemini-cli", Protocol::Gemini),
    ("qwen-code", Protocol::Qwen),
];

fn tools(agent: Option<&str>) -> Option<Tools> {
    let (_, protocol) = AGENTS.iter().find(|(name, _)| Some(*name) == agent)?;
    Some(protocol.dialect().tools)
}
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
        "session/notification",
        "_x.ai/session/update",
        "x.ai/session/update",
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
    /// The ids of the client's prompts that have no answer yet, where the log holds them, and the session
    /// of each.
    prompts: VecDeque<(String, String)>,
    /// Whether the log holds the client's lines.
    two_sided: bool,
    text: Spoken,
    calls: Calls,
    spent: Running,
    /// The turn's end was told apart from the prompt's answer.
    ended: bool,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, method, params, result, error] =
            record.pick(["id", "method", "params", "result", "error"]);
        if UPDATES.iter().any(|name| method.is(name)) {
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
        out.session(Name::filled(session).as_ref());
        let [kind, other] = update.pick(["sessionUpdate", "type"]);
        let kind = if kind.is_string() { kind } else { other };
        if let Some(speaker) = Speaker::of(kind) {
            return self.text.chunk(speaker, update, record, out);
        }
        if let Some(speaker) = Speaker::of_whole(kind) {
            return self.text.whole(speaker, update, out);
        }
        self.text.end(out);
        match kind.decode().unwrap_or_default().as_ref() {
            "tool_call" | "ToolCall" => self.calls.see(update, true, out),
            "tool_call_update" | "ToolCallUpdate" => self.calls.see(update, false, out),
            "plan" | "Plan" => plan(update.get("entries"), "content", out),
            "plan_update" => plan(update.get("plan").get("entries"), "content", out),
            "plan_removed" => out.push(Plan { steps: Vec::new() }),
            "usage_update" | "UsageUpdate" => self.usage(update, out),
            "session_info_update" => {
                if let Some(title) = Name::of(update.get("title")) {
                    out.push(SessionTitle { title: Some(title) });
                }
            }
            "config_option_update" => self.options(update, out),
            "TurnEnd" => self.end(update.get("stopReason"), out),
            "state_update" => {
                let [state, stop] = update.pick(["state", "stopReason"]);
                if state.is("idle") && stop.is_string() {
                    self.end(stop, out);
                }
            }
            "turn_completed" => {
                let [stop, other] = update.pick(["stop_reason", "stopReason"]);
                self.turn(update, out);
                self.end(if stop.is_string() { stop } else { other }, out);
            }
            "model_changed" => self.model_changed(update, out),
            "retry_state" => out.push(Notice {
                level: Level::Warning,
                code: Code::Retry,
                message: words(update),
                ..Notice::default()
            }),
            "notice" => out.push(Notice { message: words(update), ..Notice::default() }),
            "compaction_update" if !update.get("status").is("in_progress") => {
                out.push(Notice { code: Code::Compacted, ..Notice::default() });
            }
            _ => {}
        }
    }

    /// The turn has ended.
    fn end(&mut self, stop: Value<'_>, out: &mut Batch) {
        self.calls.tell(out);
        self.ended = true;
        let failed = ["cancelled", "refusal", "max_turn_requests", "error"];
        let failed = failed.iter().any(|word| stop.is(word));
        out.push(SessionEnded {
            status: if failed { Status::Failed } else { Status::Succeeded },
            stop_reason: Name::of(stop),
            reason: Name::of(stop).filter(|_| failed),
            ..SessionEnded::default()
        });
    }

    fn model_changed(&mut self, update: Value<'_>, out: &mut Batch) {
        let [model, id] = update.pick(["model", "modelId"]);
        let model = if model.is_string() { model } else { id };
        let Some(name) = model.owned() else { return };
        let before = self.model.replace(name);
        out.push(Notice {
            code: Code::ModelChanged,
            from: before.map(Name::from),
            to: Name::of(model),
            ..Notice::default()
        });
    }

    /// A session that was not named before begins.
    fn session(&mut self, id: Value<'_>, place: Place, out: &mut Batch) {
        let Some(name) = id.decode() else { return };
        let known = self.sessions.iter().position(|known| *known == name);
        if let Some(session) = known.and_then(|at| self.sessions.remove(at)) {
            out.session(Some(&Name::from(&session)));
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
            let session = params.get("sessionId").owned().unwrap_or_default();
            remember(&mut self.prompts, (id.text().to_owned(), session));
        }
        self.ended = false;
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
            self.calls.tools = tools(self.agent.as_deref());
        } else if stop.is_string() {
            self.answered(id, out);
            self.calls.tell(out);
            // What ended the turn told it already.
            if !std::mem::take(&mut self.ended) {
                self.end(stop, out);
                self.ended = false;
            }
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
        let open = self.prompts.iter().position(|(prompt, _)| prompt == id.text());
        if self.sessions.is_empty() || (self.two_sided && open.is_none()) {
            let (level, code) = (Level::Error, Code::Error);
            out.push(Notice { level, code, message: Text::of(message), ..Notice::default() });
            return;
        }
        self.answered(id, out);
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

    /// A prompt has its answer, which belongs to the prompt's session.
    fn answered(&mut self, id: Value<'_>, out: &mut Batch) {
        let open = self.prompts.iter().position(|(prompt, _)| prompt == id.text());
        if let Some((_, session)) = open.and_then(|at| self.prompts.remove(at)) {
            out.session(Some(&Name::from(session)).filter(|name| !name.text().is_empty()));
        }
    }
}

/// What an update says in words.
fn words(update: Value<'_>) -> Option<Text<'_>> {
    update.pick(["message", "reason", "text"]).into_iter().find_map(Text::filled)
}

/// What is chosen for a configuration option.
fn option<'a>(from: Value<'a>, id: &str) -> Value<'a> {
    let mut options = from.get("configOptions").elements();
    let option = options.find(|option| option.get("id").is(id));
    option.map_or(Value::MISSING, |option| option.get("currentValue"))
}
