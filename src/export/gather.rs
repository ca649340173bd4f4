//! Events to sessions.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::ids;
use super::session::Session;
use crate::format::event::EventType;
use crate::format::event::owned::Event;
use crate::json::{Str, Value, repaired};
use crate::limits::{MAX_EXPORTED_EVENTS, MAX_EXPORTED_TEXT};
use crate::read::event_reader::{Seen, Visit};
use crate::read::verdict::Form;
use crate::report::summary::{Fold, Recap};

/// The keys that hold texts of the user, the agent or its tools.
const TEXTS: [&str; 10] =
    ["text", "input", "target", "output", "summary", "message", "json", "steps", "tasks", "change"];

/// Gathers the sessions of a stream.
#[derive(Debug)]
pub(super) struct Gathered {
    /// Whether texts are wanted.
    content: bool,
    sessions: Vec<Session>,
    named: BTreeMap<String, usize>,
    /// The session that an event without a name belongs to.
    current: Option<usize>,
    line: u64,
    events: usize,
    text: usize,
    /// What the sessions of this stream spent.
    fold: Fold,
    form: Option<Form>,
}

impl Gathered {
    pub(super) fn new(content: bool) -> Self {
        Self {
            content,
            sessions: Vec::new(),
            named: BTreeMap::new(),
            current: None,
            line: 0,
            events: 0,
            text: 0,
            fold: Fold::new(false),
            form: None,
        }
    }

    /// Takes the sessions of the stream that ended.
    pub(super) fn take(&mut self) -> Vec<Session> {
        let mut gathered = std::mem::replace(self, Self::new(self.content));
        gathered.fold.end_stream(gathered.form);
        let recaps = gathered.fold.finish();
        if let [session] = &mut gathered.sessions[..] {
            session.usage = Some(recaps.total.usage);
        } else {
            let (mut named, mut nameless) = (BTreeMap::new(), Vec::new());
            for Recap { session_id, usage, .. } in recaps.sessions {
                match session_id {
                    Some(id) => drop(named.insert(id, usage)),
                    None => nameless.push(usage),
                }
            }
            let mut nameless = nameless.into_iter();
            for session in &mut gathered.sessions {
                session.usage = match &session.id {
                    Some(id) => named.remove(id),
                    None => nameless.next(),
                };
            }
        }
        gathered.sessions
    }

    /// Finds the session that an event belongs to.
    fn session(&mut self, seen: &Seen<'_>) -> usize {
        let again = seen.line.is_some_and(|line| line < self.line);
        self.line = seen.line.unwrap_or(self.line);
        let id = seen.session.map(|id| Str::written(id).decode().into_owned());
        let id = id.or_else(|| match seen.kind {
            EventType::SessionStarted => seen.payload.get("sessionId").filled(),
            _ => None,
        });
        let current =
            self.current.and_then(|at| self.sessions.get(at).map(|session| (at, session)));
        let at = match (id, current) {
            (Some(id), current) => match (self.named.get(&id), current) {
                (Some(at), _) => *at,
                // What came before the name is the named session's.
                (None, Some((at, session))) if session.id.is_none() && !again => {
                    self.named.insert(id.clone(), at);
                    if let Some(session) = self.sessions.get_mut(at) {
                        session.id = Some(id);
                    }
                    at
                }
                (None, _) => self.open(Some(id)),
            },
            (None, Some((at, session))) => {
                let turn = seen.payload.get("turn").count();
                let starts =
                    seen.kind == EventType::SessionStarted && turn.is_none_or(|turn| turn < 2);
                let spent = session.items.iter().any(|item| item.kind == EventType::SessionEnded);
                if again || (starts && spent) { self.open(None) } else { at }
            }
            (None, None) => self.open(None),
        };
        self.current = Some(at);
        at
    }

    fn open(&mut self, id: Option<String>) -> usize {
        let at = self.sessions.len();
        if let Some(id) = &id {
            self.named.insert(id.clone(), at);
        }
        self.sessions.push(Session::new(id));
        at
    }
}

impl Visit for Gathered {
    fn event(&mut self, seen: Seen<'_>) {
        // The whole follows its pieces.
        if seen.kind == EventType::Delta {
            return;
        }
        self.fold.event(seen);
        let at = self.session(&seen);
        let (content, size) = (self.content, seen.payload.text().len());
        let held = if content { size } else { 0 };
        let full = self.events >= MAX_EXPORTED_EVENTS || self.text + held > MAX_EXPORTED_TEXT;
        let Some(session) = self.sessions.get_mut(at) else { return };
        ids::feed(&mut session.digest, seen.kind.name().as_bytes());
        ids::feed(&mut session.digest, seen.payload.text().as_bytes());
        if full {
            session.left_out += 1;
            return;
        }
        self.events += 1;
        self.text += held;
        let mut payload = read(seen.payload);
        let of = |key: &str| seen.payload.get(key).filled();
        let whose = (of("parentCallId"), of("messageId"));
        if let (false, Json::Object(payload)) = (content, &mut payload) {
            payload.retain(|key, _| !TEXTS.contains(&key.as_str()));
        }
        let event = Event::of(seen.kind.name(), payload);
        session.add(seen.kind, event, seen.time, whose);
    }

    fn skips(&self, kind: EventType, _start: &str) -> bool {
        kind == EventType::Delta
    }

    fn end_stream(&mut self, form: Option<Form>) {
        self.form = form;
    }
}

/// Reads a payload. What is no strict JSON is repaired first: other programs read it.
fn read(payload: Value<'_>) -> Json {
    let text = payload.text();
    serde_json::from_str(text)
        .ok()
        .or_else(|| serde_json::from_str(&repaired(payload)?).ok())
        .unwrap_or_default()
}
