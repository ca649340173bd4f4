//! The events of one line, as an adapter hands them over.

use std::ops::Range;

use crate::format::event::{EventType, Payload, RawJson, RawText};
use crate::format::outcome::Outcome;
use crate::format::time;
use crate::format::write::{Field, Json, Name, Text, Writer};
use crate::json::Value;

/// Collects the events of a line. An adapter pushes, and cannot fail.
#[derive(Debug)]
pub(crate) struct Batch {
    writer: Writer,
    events: Vec<(EventType, Range<usize>)>,
    /// The keys that stand on every event of the line, as written.
    parent: Writer,
    message_id: Writer,
    time: Option<String>,
    deltas: bool,
    handled: bool,
    outcome: Outcome,
}

/// Whether the record at hand states an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Something else ended or began before the record.
    Before,
    /// The record states it.
    Here,
}

impl Batch {
    pub(crate) fn new(clip: usize, deltas: bool) -> Self {
        Self {
            writer: Writer::new(clip),
            events: Vec::new(),
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
        self.finish(P::TYPE, start);
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
        self.finish(kind, start);
    }

    fn finish(&mut self, kind: EventType, start: usize) {
        self.writer.end();
        let range = start..self.writer.buf.len();
        let payload = self.writer.buf.get(range.clone()).unwrap_or_default();
        self.outcome.see(kind, payload);
        self.events.push((kind, range));
    }

    /// Another record stands on the line: it is not handled yet, and its ids are its own.
    pub(crate) fn next_record(&mut self) {
        self.parent.buf.clear();
        self.message_id.buf.clear();
        self.handled = false;
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

    /// Goes on from what was said elsewhere.
    pub(crate) fn go_on_from(&mut self, outcome: Outcome) {
        self.outcome = outcome;
    }

    /// The events: type and payload as JSON text.
    pub(crate) fn events(&self) -> impl ExactSizeIterator<Item = (EventType, &[u8])> {
        self.events
            .iter()
            .map(|(kind, range)| (*kind, self.writer.buf.get(range.clone()).unwrap_or_default()))
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
