//! The events of a line, and the line.

use crate::format::batch::Batch;
use crate::format::event::EventType;
use crate::format::record::{OwnedSource, SourcedEvent};
use crate::limits::MAX_SOURCES;

/// A line's text as the events carry it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The line without white space and BOM at its edges; invalid UTF-8 is replaced.
    pub text: &'a str,
    /// The exact bytes, where the line was not valid UTF-8.
    pub bytes: Option<&'a [u8]>,
    /// Whether the line was over the line limit; `text` is then its first 8,000 characters.
    pub truncated: bool,
    /// In how many places of the line something was redacted.
    pub redacted: u64,
}

/// The events of a line.
#[derive(Debug, Clone, Copy)]
pub struct Sourced<'a> {
    /// The line's number, from 1; `None` for events that no line caused.
    pub line: Option<u64>,
    /// RFC 3339, UTC, milliseconds.
    pub time: Option<&'a str>,
    /// The line; `None` for events that no line caused.
    pub source: Option<Source<'a>>,
    stored: Option<Stored<'a>>,
    batch: &'a Batch,
}

/// A stored record that is passed on as it is, since it cannot be read again from its source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stored<'a> {
    /// All of the record.
    pub(crate) record: &'a str,
    pub(crate) kind: EventType,
    /// The payload as JSON text.
    pub(crate) payload: &'a str,
    /// The session as a JSON string.
    pub(crate) session: Option<&'a str>,
}

impl<'a> Sourced<'a> {
    /// The events: each type, and the payload as JSON text.
    pub fn events(&self) -> impl Iterator<Item = (EventType, &'a [u8])> {
        self.with_sessions().map(|(kind, payload, _)| (kind, payload))
    }

    /// The events, and with each the session that it belongs to as a JSON string, as soon as the stream
    /// has named one.
    pub(crate) fn with_sessions(
        &self,
    ) -> impl Iterator<Item = (EventType, &'a [u8], Option<&'a [u8]>)> {
        let stored = self.stored.map(|stored| {
            (stored.kind, stored.payload.as_bytes(), stored.session.map(str::as_bytes))
        });
        stored.into_iter().chain(self.batch.events())
    }

    /// The events as values of their own.
    ///
    /// ```
    /// use agentnorm::event::Event;
    /// use agentnorm::{Normalizer, Options, Protocol};
    ///
    /// let mut normalizer = Normalizer::new(Options::new(Protocol::None));
    /// let mut events = Vec::new();
    /// normalizer.push(b"Done.\n", &mut |line| events.extend(line.to_events()));
    /// let Event::RawText(raw) = &events[0].event else { panic!() };
    /// assert_eq!(raw.text.as_deref(), Some("Done."));
    /// ```
    pub fn to_events(&self) -> impl Iterator<Item = SourcedEvent> {
        let stored = self.stored.and_then(|stored| SourcedEvent::of_record(stored.record));
        let events = self.batch.events();
        // The events of a line share its text, however long it is and however many carry it.
        let source = self.source.filter(|_| events.len() > 0).map(|source| OwnedSource {
            text: source.text.into(),
            bytes: source.bytes.map(Into::into),
            truncated: source.truncated,
            redacted: source.redacted,
        });
        let (line, time) = (self.line, self.time.map(str::to_owned));
        stored.into_iter().chain(events.enumerate().map(move |(at, (kind, payload, session))| {
            let session = session.and_then(|id| serde_json::from_slice(id).ok());
            let source = source.clone().filter(|_| at < MAX_SOURCES);
            SourcedEvent::of_line(kind, payload, line, session, time.clone(), source)
        }))
    }

    /// The record that is passed on, where there is one.
    pub(crate) fn stored(&self) -> Option<Stored<'a>> {
        self.stored
    }

    pub(crate) fn of_line(
        number: u64,
        time: Option<&'a str>,
        source: Source<'a>,
        batch: &'a Batch,
    ) -> Self {
        Self { line: Some(number), time, source: Some(source), stored: None, batch }
    }

    pub(crate) fn passed_on(
        stored: Stored<'a>,
        line: Option<u64>,
        time: Option<&'a str>,
        source: Option<Source<'a>>,
        none: &'a Batch,
    ) -> Self {
        Self { line, time, source, stored: Some(stored), batch: none }
    }

    /// Events of our own making.
    pub(crate) fn made_up(batch: &'a Batch) -> Self {
        Self { line: None, time: batch.stated_time(), source: None, stored: None, batch }
    }
}

/// Where the events go.
pub type Sink<'s> = dyn FnMut(Sourced<'_>) + 's;
