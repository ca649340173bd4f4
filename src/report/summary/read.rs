//! Streams to recaps.

use std::convert::Infallible;
use std::path::Path;

#[cfg(feature = "cli")]
use super::figures::Figures;
use super::fold::Fold;
use super::part::says_only_its_type;
use super::recap::Summary;
use crate::format::event::EventType;
use crate::format::event::owned::Event;
#[cfg(feature = "cli")]
use crate::format::sourced::Sourced;
use crate::read::event_reader::{EventReader, Seen, Visit};
use crate::read::feed::Feed;
use crate::read::normalize::Options;
use crate::read::verdict::Form;

/// Makes recaps of streams, one after the other: raw ones of any dialect, or events that agentnorm
/// wrote. The first line that holds an object tells which.
///
/// ```
/// use agentnorm::summary::Summarizer;
/// use agentnorm::{Feed, Options, Protocol};
///
/// let mut summarizer = Summarizer::new(Options::new(Protocol::Auto), false);
/// summarizer.push(br#"{"type":"usage","payload":{"scope":"call","inputTokens":3}}"#);
/// summarizer.end_stream();
/// assert_eq!(summarizer.finish().total.usage.figures.input_tokens, Some(3));
/// ```
#[derive(Debug)]
pub struct Summarizer {
    streams: EventReader<Fold>,
}

impl Summarizer {
    /// Reads raw streams as `options` say. With `dedupe`, what comes a second time is not counted.
    pub fn new(options: Options, dedupe: bool) -> Self {
        let mut options = options;
        options.stamp = false;
        Self { streams: EventReader::new(options, Fold::new(dedupe)) }
    }

    /// Takes an event in, as a part of the stream that is being read.
    pub fn event(&mut self, event: &Event) {
        if let Some(kind) = event.kind() {
            self.streams.event(kind, &event.payload().to_string());
        }
    }

    /// Takes in the events of a line that was normalized elsewhere.
    #[cfg(feature = "cli")]
    pub(crate) fn sourced(&mut self, line: Sourced<'_>) {
        self.streams.sourced(line);
    }

    /// Returns what was spent so far: the figures and the turns.
    #[cfg(feature = "cli")]
    pub(crate) fn spent(&mut self) -> (Figures, Option<u64>) {
        self.streams.visitor().spent()
    }

    /// The recaps.
    pub fn finish(self) -> Summary {
        self.streams.into_visitor().finish()
    }
}

impl Feed for Summarizer {
    type Error = Infallible;

    fn begin_file(&mut self, path: &Path) {
        self.streams.begin_file(path);
        self.streams.visitor().begin_file(path);
    }

    fn space(&mut self) -> &mut [u8] {
        self.streams.space()
    }

    fn filled(&mut self, count: usize) {
        self.streams.filled(count);
    }

    fn end_stream(&mut self) {
        self.streams.end_stream();
    }
}

impl Visit for Fold {
    fn event(&mut self, seen: Seen<'_>) {
        Fold::event(self, seen);
    }

    fn skips(&self, kind: EventType, start: &str) -> bool {
        // The text of a line that was cut off says so.
        let text = kind == EventType::Raw && start.starts_with("{\"text\":");
        says_only_its_type(kind) && !text && !self.dedupes() && self.is_settled()
    }

    fn end_stream(&mut self, form: Option<Form>) {
        Fold::end_stream(self, form);
    }
}
