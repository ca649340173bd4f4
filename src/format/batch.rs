//! The events of one line, as an adapter hands them over.

use std::ops::Range;

use crate::format::event::{EventType, Payload, RawJson, RawText, Status};
use crate::format::time;
use crate::format::write::{Field, Json, Name, Text, Writer};
use crate::json::{Doc, Value};
use crate::limits::MAX_SESSION;

/// Collects the events of a line. An adapter pushes, and cannot fail.
#[derive(Debug)]
pub(crate) struct Batch {
    writer: Writer,
    events: Vec<Written>,
    /// The sessions that the events of the line belong to, as JSON strings. The last one is carried on.
    sessions: Vec<Vec<u8>>,
    /// How many of them had been named when the record at hand began.
    earlier: usize,
    /// The keys that stand on every event of the line, as written.
    parent: Writer,
    message_id: Writer,
    time: Option<String>,
    deltas: bool,
    handled: bool,
    outcome: Outcome,
}

/// Where an event stands in the buffer, and whose it is.
#[derive(Debug)]
struct Written {
    kind: EventType,
    payload: Range<usize>,
    /// How many sessions had been named on the line when the event was added; 0 for none.
    session: usize,
}

/// Whether the record at hand states an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Something else ended or began before the record.
    Before,
    /// The record states it.
    Here,
}

/// What the stream has said of its end so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the last `session.ended` was a success; `None` without any.
    pub succeeded: Option<bool>,
    /// Whether the stream's last word is an end: no work came behind it.
    pub ended: bool,
    /// Whether the last notice of level error came behind the last end.
    pub error: bool,
    /// Whether background work runs, as the last word about it says.
    pub background: bool,
}

impl Batch {
    pub(crate) fn new(clip: usize, deltas: bool) -> Self {
        Self {
            writer: Writer::new(clip),
            events: Vec::new(),
            sessions: Vec::new(),
            earlier: 0,
            parent: Writer::new(0),
            message_id: Writer::new(0),
            time: None,
            deltas,
            handled: false,
            outcome: Outcome::default(),
        }
    }

    /// Starts the next line.
    pub(crate) fn clear(&mut self) {
        self.writer.buf.clear();
        self.events.clear();
        if self.sessions.len() > 1 {
            let last = self.sessions.len() - 1;
            self.sessions.swap(0, last);
            self.sessions.truncate(1);
        }
        self.earlier = self.sessions.len();
        self.parent.buf.clear();
        self.message_id.buf.clear();
        self.time = None;
        self.handled = false;
    }

    /// The tool call whose subagent produced the events that follow on this line.
    pub(crate) fn parent(&mut self, id: Option<Name<'_>>) {
        context(&mut self.parent, "\"parentCallId\":", id);
    }

    /// The message that the events that follow on this line belong to.
    pub(crate) fn message_id(&mut self, id: Option<Name<'_>>) {
        context(&mut self.message_id, "\"messageId\":", id);
    }

    /// The session that the events from here on belong to, on this line and on those that name none.
    /// No name, or one that is too long to be one, leaves it as it is.
    pub(crate) fn session(&mut self, id: Option<&Name<'_>>) {
        let Some(id) = id else { return };
        let start = self.writer.buf.len();
        id.write(&mut self.writer);
        let written = self.writer.buf.get(start..).unwrap_or_default();
        let known = self.sessions.last().is_some_and(|last| last == written);
        if !known && (3..=MAX_SESSION).contains(&written.len()) {
            self.sessions.push(written.to_vec());
        }
        self.writer.buf.truncate(start);
    }

    /// Another stream begins: it has not named its session.
    pub(crate) fn forget_session(&mut self) {
        self.sessions.clear();
        self.earlier = 0;
    }

    /// The session that the stream named last, as a JSON string.
    pub(crate) fn current_session(&self) -> Option<&[u8]> {
        self.sessions.last().map(Vec::as_slice)
    }

    /// Goes on with a session that another batch named, as [`Batch::current_session`] gave it.
    pub(crate) fn carry_on(&mut self, session: Option<&[u8]>) {
        self.sessions.extend(session.map(<[u8]>::to_vec));
    }

    /// The line's own time; what is no moment is ignored.
    pub(crate) fn time(&mut self, value: Value<'_>) {
        if let Some(time) = time::read(value) {
            self.time = Some(time);
        }
    }

    /// Adds an event that the record states. A delta is left out where deltas are not wanted.
    pub(crate) fn push<P: Payload>(&mut self, payload: P) {
        self.add(Place::Here, payload);
    }

    /// Adds an event that comes before the record: something else ended or began here, and the record
    /// itself has not been read yet.
    pub(crate) fn before<P: Payload>(&mut self, payload: P) {
        self.add(Place::Before, payload);
    }

    /// Adds an event where its place depends on who asks: see [`Batch::push`] and [`Batch::before`].
    #[expect(clippy::needless_pass_by_value, reason = "callers build the payload for this call")]
    pub(crate) fn add<P: Payload>(&mut self, place: Place, payload: P) {
        self.handled |= place == Place::Here;
        // What ended before the record belongs to the session before it; a start names its own.
        let old = place == Place::Before && P::TYPE != EventType::SessionStarted;
        self.session(payload.names_session());
        let session = if old { self.earlier } else { self.sessions.len() };
        if P::TYPE == EventType::Delta && !self.deltas {
            return;
        }
        let start = self.writer.buf.len();
        self.writer.begin();
        payload.fields(&mut self.writer);
        for context in [&self.parent, &self.message_id] {
            if !context.buf.is_empty() {
                self.writer.key("");
                self.writer.buf.extend_from_slice(&context.buf);
            }
        }
        self.finish(P::TYPE, start, session);
    }

    /// Adds a line or block that was not mapped.
    pub(crate) fn raw(&mut self, value: Value<'_>) {
        match Json::strict(value) {
            Some(json) => self.push(RawJson { json }),
            None => self.push(RawText { text: Text::from(value.text()), ..RawText::default() }),
        }
    }

    /// Adds a line that only a stream with partial messages has: `raw`, or nothing where deltas are
    /// not wanted.
    pub(crate) fn framing(&mut self, value: Value<'_>) {
        self.handled = true;
        if self.deltas {
            self.raw(value);
        }
    }

    /// Adds an event of a harness that speaks the vocabulary itself: `members` are its payload.
    pub(crate) fn copy<'a>(
        &mut self,
        kind: EventType,
        members: impl Iterator<Item = (Name<'a>, Json<'a>)>,
    ) {
        self.handled = true;
        if kind == EventType::Delta && !self.deltas {
            return;
        }
        let start = self.writer.buf.len();
        self.writer.begin();
        for (key, json) in members {
            self.writer.key("");
            key.write(&mut self.writer);
            self.writer.buf.push(b':');
            json.write(&mut self.writer);
        }
        self.finish(kind, start, self.sessions.len());
    }

    fn finish(&mut self, kind: EventType, start: usize, session: usize) {
        self.writer.end();
        let range = start..self.writer.buf.len();
        let payload = self.writer.buf.get(range.clone()).unwrap_or_default();
        self.outcome.see(kind, payload);
        self.events.push(Written { kind, payload: range, session });
    }

    /// Another record stands on the line: it is not handled yet, and its ids are its own.
    pub(crate) fn next_record(&mut self) {
        self.parent.buf.clear();
        self.message_id.buf.clear();
        self.handled = false;
        self.earlier = self.sessions.len();
    }

    /// How many events there are.
    pub(crate) fn mark(&self) -> usize {
        self.events.len()
    }

    /// Drops what was added since `mark`.
    pub(crate) fn rewind(&mut self, mark: usize) {
        self.events.truncate(mark);
        self.handled = false;
    }

    /// Whether the adapter pushed anything of the record.
    pub(crate) fn is_handled(&self) -> bool {
        self.handled
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The time that the line states.
    pub(crate) fn stated_time(&self) -> Option<&str> {
        self.time.as_deref()
    }

    pub(crate) fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The events: type, payload as JSON text, and the session as a JSON string.
    pub(crate) fn events(
        &self,
    ) -> impl ExactSizeIterator<Item = (EventType, &[u8], Option<&[u8]>)> {
        self.events.iter().map(|event| {
            let payload = self.writer.buf.get(event.payload.clone()).unwrap_or_default();
            let named = event.session.checked_sub(1).and_then(|at| self.sessions.get(at));
            (event.kind, payload, named.map(Vec::as_slice))
        })
    }
}

fn context(writer: &mut Writer, key: &str, id: Option<Name<'_>>) {
    writer.buf.clear();
    if let Some(id) = id {
        writer.buf.extend_from_slice(key.as_bytes());
        let start = writer.buf.len();
        id.write(writer);
        if writer.buf.get(start..) == Some(b"\"\"") {
            writer.buf.clear();
        }
    }
}

impl Outcome {
    /// Takes an event into account; `payload` is its JSON text.
    pub(crate) fn see(&mut self, kind: EventType, payload: &[u8]) {
        use EventType as E;
        match kind {
            E::SessionEnded => {
                let mut doc = Doc::default();
                let payload = std::str::from_utf8(payload).unwrap_or_default();
                let status = doc.parse(payload).unwrap_or(Value::MISSING).get("status");
                let good = status.is(Status::Succeeded.word());
                *self = Outcome { succeeded: Some(good), ended: true, error: false, ..*self };
            }
            E::SessionBackground => {
                let mut doc = Doc::default();
                let payload = std::str::from_utf8(payload).unwrap_or_default();
                let tasks = doc.parse(payload).unwrap_or(Value::MISSING).get("tasks");
                self.background = tasks.elements().next().is_some();
            }
            E::Notice if payload.starts_with(b"{\"level\":\"error\"") => self.error = true,
            E::SessionStarted
            | E::Message
            | E::Thinking
            | E::ToolCall
            | E::ToolResult
            | E::Plan
            | E::Delta => {
                self.ended = false;
                self.error = false;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::event::{Plan, Step};

    /// The characters of the plan's texts where each step has a text of `each`.
    fn written(clip: usize, steps: usize, each: usize) -> usize {
        let text = "x".repeat(each);
        let step = || Step { text: Some(Text::from(&text)), status: None };
        let plan = Plan { steps: (0..steps).map(|_| step()).collect() };
        let mut batch = Batch::new(clip, true);
        batch.push(plan);
        let (_, payload, _) = batch.events().next().unwrap();
        let payload = std::str::from_utf8(payload).unwrap();
        payload.matches('x').count() - "text".matches('x').count() * steps
    }

    #[test]
    fn the_texts_of_a_list_share_what_it_may_say() {
        assert_eq!(written(8000, 2, 9000), 16_000);
        assert_eq!(written(8000, 8, 9000), 64_000);
        assert_eq!(written(8000, 100, 9000), 64_000);
        assert_eq!(written(8000, 1000, 9000), 80_000);
        assert_eq!(written(8000, 1000, 50), 50_000);
        assert_eq!(written(10, 100, 9000), 1000);
        assert_eq!(written(0, 100, 9000), 900_000);
    }
}
