//! The events of a line, and the line.

use crate::format::batch::Batch;
use crate::format::event::EventType;

/// A line's text as the events carry it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The line without white space and BOM at its edges; invalid UTF-8 is replaced.
    pub text: &'a str,
    /// The exact bytes, where the line was not valid UTF-8.
    pub bytes: Option<&'a [u8]>,
    /// Whether the line was over the line limit; `text` is then its first 8,000 characters.
    pub truncated: bool,
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
    /// A stored record that is passed on as it is instead of the events.
    pub stored: Option<&'a str>,
    batch: &'a Batch,
}

impl<'a> Sourced<'a> {
    /// The events: each type, and the payload as JSON text.
    pub fn events(&self) -> impl ExactSizeIterator<Item = (EventType, &'a [u8])> {
        self.batch.events().map(|(kind, payload, _)| (kind, payload))
    }

    /// The events, and with each the session that it belongs to as a JSON string, as soon as the stream
    /// has named one.
    pub(crate) fn with_sessions(
        &self,
    ) -> impl ExactSizeIterator<Item = (EventType, &'a [u8], Option<&'a [u8]>)> {
        self.batch.events()
    }

    pub(crate) fn of_line(
        number: u64,
        time: Option<&'a str>,
        source: Source<'a>,
        batch: &'a Batch,
    ) -> Self {
        Self { line: Some(number), time, source: Some(source), stored: None, batch }
    }

    pub(crate) fn passed_on(record: &'a str, none: &'a Batch) -> Self {
        Self { line: None, time: None, source: None, stored: Some(record), batch: none }
    }

    /// Events of our own making.
    pub(crate) fn made_up(batch: &'a Batch) -> Self {
        Self { line: None, time: batch.stated_time(), source: None, stored: None, batch }
    }
}

/// Where the events go.
pub type Sink<'s> = dyn FnMut(Sourced<'_>) + 's;
