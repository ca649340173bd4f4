//! A session's events to spans.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::chat::{Chat, Lane};
use super::names;
use super::span::{Attributes, Kind, Moment, Span};
use crate::export::ids::Ids;
use crate::export::session::{Item, Session};
use crate::format::event::owned::{Event, Message, Notice, SessionEnded, ToolCall, ToolResult};
use crate::format::event::{Code, EventType, Level, Status};

/// A turn of work: what is between two ends.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) id: [u8; 8],
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) outcome: Option<SessionEnded>,
}

/// Walks over a session.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    session: &'a Session,
    content: bool,
    ids: Ids,
    /// The attributes of each span.
    shared: Attributes,
    root: [u8; 8],
    is_over: bool,
    /// The spans of calls that wait for their result, by the call's number.
    open: BTreeMap<usize, Span>,
    /// The ids of all calls' spans.
    call_ids: BTreeMap<usize, [u8; 8]>,
    lanes: Vec<Lane>,
    chats: Vec<Chat>,
    pub(super) turns: Vec<Turn>,
    pub(super) spans: Vec<Span>,
    pub(super) left_out: BTreeMap<&'static str, u64>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(session: &'a Session, ids: Ids, shared: Attributes, content: bool) -> Self {
        let mut ids = ids;
        let root = ids.span("session".to_owned());
        Self {
            session,
            content,
            ids,
            shared,
            root,
            is_over: true,
            open: BTreeMap::new(),
            call_ids: BTreeMap::new(),
            lanes: session.agents.iter().map(|_| Lane::default()).collect(),
            chats: Vec::new(),
            turns: Vec::new(),
            spans: Vec::new(),
            left_out: BTreeMap::new(),
        }
    }

    pub(super) fn root(&self) -> [u8; 8] {
        self.root
    }

    pub(super) fn id(&mut self, key: String) -> [u8; 8] {
        self.ids.span(key)
    }

    /// Takes the next item in.
    pub(super) fn item(&mut self, at: usize, item: &Item, time: i64) {
        if item.agent == 0 {
            self.turn(item, time);
        }
        let parent = self.parent(item.agent);
        match &item.event {
            Event::Message(message) => self.message(item, message, time, parent),
            Event::Thinking(thinking) => {
                let text = thinking.text.as_deref().unwrap_or_default();
                self.said(item, time, parent, json!({"type": "reasoning", "content": text}));
            }
            Event::ToolCall(call) => self.call(at, item, call, time, parent),
            Event::ToolResult(result) => self.result(item, result, time),
            Event::CallUsage(usage) => {
                if let Some(chat) = self.chat(item, time, parent) {
                    chat.spend(usage);
                }
            }
            Event::Notice(notice) => self.notice(item, notice, time),
            Event::SessionEnded(end) => {
                if let (0, Some(turn)) = (item.agent, self.turns.last_mut()) {
                    turn.outcome = Some(end.clone());
                }
            }
            Event::SessionStarted(_) | Event::SessionTitle(_) | Event::SessionUsage(_) => {}
            _ => self.leave_out(match item.kind {
                EventType::Plan => "plan",
                EventType::SessionBackground => "session_background",
                EventType::Raw => "raw",
                _ => "other",
            }),
        }
    }

    pub(super) fn leave_out(&mut self, what: &'static str) {
        *self.left_out.entry(what).or_default() += 1;
    }

    /// Notes that the main agent goes on, or begins its next turn.
    fn turn(&mut self, item: &Item, time: i64) {
        let works = matches!(
            item.kind,
            EventType::SessionStarted
                | EventType::Message
                | EventType::Thinking
                | EventType::ToolCall
        );
        if self.turns.is_empty() || (self.is_over && works) {
            let id = self.ids.span(format!("turn {}", self.turns.len()));
            self.turns.push(Turn { id, start: time, end: time, outcome: None });
            self.is_over = false;
        }
        if let Some(turn) = self.turns.last_mut() {
            turn.end = time;
        }
        self.is_over |= item.kind == EventType::SessionEnded;
    }

    /// Returns the span that an agent's work belongs to: its call's, or the turn's.
    fn parent(&self, agent: usize) -> [u8; 8] {
        let call = self.session.agents.get(agent).and_then(|agent| agent.call);
        let call = call.and_then(|call| self.call_ids.get(&call));
        call.copied().or(self.turns.last().map(|turn| turn.id)).unwrap_or(self.root)
    }

    /// Returns the model call that an item tells of.
    fn chat(&mut self, item: &Item, time: i64, parent: [u8; 8]) -> Option<&mut Chat> {
        let lane = self.lanes.get_mut(item.agent)?;
        let known = item.message.as_ref().and_then(|id| lane.named.get(id)).copied();
        let at = known.unwrap_or(self.chats.len());
        if known.is_none() {
            let mut chat = lane.begin(time, parent, item.message.clone());
            if item.kind == EventType::Usage {
                chat.outputs = std::mem::take(&mut lane.outputs);
            }
            if let Some(id) = &item.message {
                lane.named.insert(id.clone(), at);
            }
            self.chats.push(chat);
        }
        let chat = self.chats.get_mut(at)?;
        chat.end = chat.end.max(time);
        lane.since = Some(lane.since.map_or(time, |since| since.max(time)));
        Some(chat)
    }

    /// Takes in what a model said.
    fn said(&mut self, item: &Item, time: i64, parent: [u8; 8], part: Json) {
        let content = self.content;
        if item.message.is_some() {
            if let Some(chat) = self.chat(item, time, parent)
                && content
            {
                chat.outputs.push(part);
            }
        } else if let Some(lane) = self.lanes.get_mut(item.agent)
            && content
        {
            lane.outputs.push(part);
        }
    }

    /// Takes in what a model was told.
    fn told(&mut self, agent: usize, time: i64, role: &str, part: Json) {
        if let Some(lane) = self.lanes.get_mut(agent) {
            lane.since = Some(lane.since.map_or(time, |since| since.max(time)));
            if self.content {
                lane.inputs.push(json!({"role": role, "parts": Json::Array(vec![part])}));
            }
        }
    }

    fn message(&mut self, item: &Item, message: &Message, time: i64, parent: [u8; 8]) {
        if message.replay || message.discarded {
            return self.leave_out(if message.replay {
                "message_replayed"
            } else {
                "message_discarded"
            });
        }
        let part = json!({"type": "text", "content": message.text.as_deref().unwrap_or_default()});
        match message.role.as_deref() {
            Some("assistant") => self.said(item, time, parent, part),
            role => self.told(item.agent, time, role.unwrap_or("user"), part),
        }
    }

    fn call(&mut self, at: usize, item: &Item, call: &ToolCall, time: i64, parent: [u8; 8]) {
        let name = call.name.as_deref().unwrap_or("unknown");
        let mut attributes = self.shared.clone();
        attributes.text(names::OPERATION, names::EXECUTE_TOOL);
        attributes.text(names::TOOL_NAME, name);
        let is_mcp = name.starts_with("mcp__") || name.starts_with("mcp_");
        attributes.text(names::TOOL_TYPE, if is_mcp { "extension" } else { "function" });
        attributes.text_of(names::TOOL_CALL, call.call_id.as_ref());
        if self.content {
            attributes.text_of(names::TOOL_ARGUMENTS, call.input.as_ref());
        }
        let id = self.ids.span(format!("call {}", call.call_id.as_deref().unwrap_or_default()));
        self.call_ids.insert(at, id);
        self.open.insert(
            at,
            Span {
                id,
                parent: Some(parent),
                name: format!("{} {name}", names::EXECUTE_TOOL),
                kind: Kind::Internal,
                start: time,
                end: time,
                attributes,
                moments: Vec::new(),
                failed: None,
            },
        );
        let input = call.input.as_deref().unwrap_or_default();
        let arguments = serde_json::from_str(input).unwrap_or_else(|_| Json::from(input));
        let part = json!({
            "type": "tool_call", "id": call.call_id, "name": name, "arguments": arguments,
        });
        self.said(item, time, parent, part);
    }

    fn result(&mut self, item: &Item, result: &ToolResult, time: i64) {
        let caller = item.call.and_then(|call| self.session.items.get(call));
        let agent = caller.map_or(item.agent, |caller| caller.agent);
        let response = json!({
            "type": "tool_call_response", "id": result.call_id,
            "response": result.output.as_deref().unwrap_or_default(),
        });
        self.told(agent, time, "tool", response);
        let Some(mut span) = item.call.and_then(|call| self.open.remove(&call)) else {
            return self.leave_out("tool_result");
        };
        span.end = span.end.max(time);
        // Call and result may stand on one line, which was printed at the end.
        #[expect(clippy::cast_possible_truncation, reason = "it saturates")]
        if let (true, Some(took)) = (span.end == span.start, result.duration_ms) {
            let began = self.session.began().unwrap_or(span.start);
            span.start = span.end.saturating_sub(took as i64).max(began).min(span.end);
        }
        if result.is_error {
            span.failed = Some(String::new());
            span.attributes
                .text(names::ERROR_TYPE, result.status.as_deref().unwrap_or("tool_error"));
        }
        if let Some(code) = result.exit_code {
            span.attributes.number(names::EXIT_CODE, code);
        }
        if self.content {
            span.attributes.text_of(names::TOOL_RESULT, result.output.as_ref());
        }
        self.spans.push(span);
    }

    fn notice(&mut self, item: &Item, notice: &Notice, time: i64) {
        let mut attributes = Attributes::default();
        attributes.text("agentnorm.level", notice.level.unwrap_or(Level::Info).word());
        attributes.text_of("agentnorm.message", notice.message.as_ref());
        attributes.count(
            "agentnorm.retry.attempt",
            notice.retry.as_ref().and_then(|retry| retry.attempt),
        );
        let code = notice.code.map_or("other", Code::word);
        let name = format!("agentnorm.notice.{code}");
        if let Some(lane) = self.lanes.get_mut(item.agent) {
            lane.is_compacted |= notice.code == Some(Code::Compacted);
            lane.moments.push(Moment { time, name, attributes });
        }
    }

    /// Ends what is open at `time`, and makes the model calls' spans. Returns what is left for the
    /// session's own span: what was said and told without a model call, and what happened.
    pub(super) fn end(&mut self, time: i64) -> (Vec<Json>, Vec<Json>, Vec<Moment>) {
        for (_, mut span) in std::mem::take(&mut self.open) {
            span.end = span.end.max(time);
            span.failed = Some(String::new());
            span.attributes.text(names::ERROR_TYPE, "unfinished");
            self.spans.push(span);
        }
        let (mut inputs, mut outputs, mut moments) = (Vec::new(), Vec::new(), Vec::new());
        let whose = (self.session.model(), self.session.harness());
        for chat in std::mem::take(&mut self.chats) {
            if chat.figures.is_some() {
                let key = format!("chat {}", chat.message.as_deref().unwrap_or_default());
                let id = self.ids.span(key);
                self.spans.push(chat.span(id, &self.shared, whose));
            } else {
                inputs.extend(chat.inputs);
                outputs.extend(chat.outputs);
                moments.extend(chat.moments);
            }
        }
        for lane in std::mem::take(&mut self.lanes) {
            inputs.extend(lane.inputs);
            outputs.extend(lane.outputs);
            moments.extend(lane.moments);
        }
        moments.sort_by_key(|moment| moment.time);
        (inputs, outputs, moments)
    }
}

/// Returns why a turn failed, if it did: the kind of end, and the message.
pub(super) fn failure(end: Option<&SessionEnded>) -> Option<(&str, String)> {
    let end = end.filter(|end| end.status == Some(Status::Failed))?;
    Some((end.reason.as_deref().unwrap_or("_OTHER"), end.error.clone().unwrap_or_default()))
}
