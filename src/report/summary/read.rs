//! Streams to recaps.

use super::fold::Fold;
use super::part::says_only_its_type;
use super::recap::Summary;
use crate::format::event::EventType;
use crate::read::either::{Either, Seen, Visit};
use crate::read::normalize::Options;
use crate::read::parse::Event;

/// Makes recaps of streams, one after the other: raw ones of any dialect, or events that agentnorm
/// wrote. The first line that holds an object tells which.
///
/// ```
/// use agentnorm::{Options, Protocol, Summarizer};
///
/// let mut summarizer = Summarizer::new(Options::new(Protocol::Auto), false);
/// summarizer.push(br#"{"type":"usage","payload":{"scope":"call","inputTokens":3}}"#);
/// summarizer.end_stream();
/// assert_eq!(summarizer.finish().total.usage.figures.input_tokens, Some(3));
/// ```
#[derive(Debug)]
pub struct Summarizer {
    streams: Either<Fold>,
}

impl Summarizer {
    /// Reads raw streams as `options` say. With `dedupe`, what comes a second time is not counted.
    pub fn new(options: Options, dedupe: bool) -> Self {
        let mut options = options;
        options.stamp = false;
        Self { streams: Either::new(options, Fold::new(dedupe)) }
    }

    /// Takes an event in, as a part of the stream that is being read.
    pub fn event(&mut self, event: &Event) {
        let payload = serde_json::to_string(&event.payload).unwrap_or_default();
        self.streams.event(event.kind, &payload);
    }

    /// Reads `bytes`, the next of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.streams.push(bytes);
    }

    /// Space to read the next bytes into. [`Summarizer::filled`] must follow.
    pub fn space(&mut self) -> &mut [u8] {
        self.streams.space()
    }

    /// Says that `count` bytes of [`Summarizer::space`] hold input, and reads them.
    pub fn filled(&mut self, count: usize) {
        self.streams.filled(count);
    }

    /// Ends a stream. What is read next is the start of another.
    pub fn end_stream(&mut self) {
        self.streams.end_stream();
    }

    /// The recaps.
    pub fn finish(self) -> Summary {
        self.streams.into_visitor().finish()
    }
}

impl Visit for Fold {
    fn event(&mut self, seen: Seen<'_>) {
        Fold::event(self, seen.kind, seen.payload, seen.line, seen.time);
    }

    fn skips(&self, kind: EventType, start: &str) -> bool {
        // The text of a line that was cut off says so.
        let text = kind == EventType::Raw && start.starts_with("{\"text\":");
        says_only_its_type(kind) && !text && !self.dedupes()
    }

    fn end_stream(&mut self, has_end: Option<bool>) {
        Fold::end_stream(self, has_end);
    }
}
