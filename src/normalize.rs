//! A stream's bytes to events: the reader that everything else is made of.

use crate::adapter::Protocol;
use crate::batch::{Batch, Outcome};
use crate::event::EventType;
use crate::lines::{DEFAULT_MAX_LINE, Lines};
use crate::reader::Reader;
use crate::text::DEFAULT_CLIP;

/// How a stream is read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The dialect.
    pub protocol: Protocol,
    /// Characters per text field; 0 for no limit.
    pub clip: usize,
    /// The longest line in bytes. A longer one becomes one `raw` event.
    pub max_line: usize,
    /// Whether partial text is wanted.
    pub deltas: bool,
    /// Whether events whose line states no time get the time of reading.
    pub stamp: bool,
}

impl Options {
    /// The defaults for a protocol.
    pub fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            clip: DEFAULT_CLIP,
            max_line: DEFAULT_MAX_LINE,
            deltas: true,
            stamp: false,
        }
    }
}

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

/// Reads a stream of one dialect: bytes in, events out.
///
/// One value reads one stream. What it holds is bounded: the pending line and the state that the
/// dialect needs.
///
/// ```
/// use agentnorm::{Normalizer, Options, Protocol};
///
/// let mut normalizer = Normalizer::new(Options::new(Protocol::Jsonl));
/// let mut types = Vec::new();
/// let mut sink = |line: agentnorm::Sourced<'_>| {
///     types.extend(line.events().map(|(kind, _)| kind.name()));
/// };
/// normalizer.push(b"{\"type\":\"message\",\"role\":\"assis", &mut sink);
/// normalizer.push(b"tant\",\"text\":\"Done.\"}\nnot JSON", &mut sink);
/// normalizer.finish(&mut sink);
/// assert_eq!(types, ["message", "raw"]);
/// ```
#[derive(Debug)]
pub struct Normalizer {
    lines: Lines,
    reader: Reader,
}

/// The step of reading in bytes: what a pipe gives at once, and more than most lines need.
const READ: usize = 256 << 10;

impl Normalizer {
    /// A reader for one stream.
    pub fn new(options: Options) -> Self {
        let lines = Lines::new(READ, options.max_line);
        Self { lines, reader: Reader::new(options) }
    }

    /// Reads `bytes`, the next of the stream, and hands the events of each whole line to `sink`.
    pub fn push(&mut self, mut bytes: &[u8], sink: &mut Sink<'_>) {
        while !bytes.is_empty() {
            let taken = self.lines.push(bytes);
            self.drain(sink);
            bytes = bytes.get(taken..).unwrap_or_default();
        }
    }

    /// Space to read the next bytes into, which saves a copy. [`Normalizer::filled`] must follow.
    pub fn space(&mut self) -> &mut [u8] {
        self.lines.space()
    }

    /// Says that `count` bytes of [`Normalizer::space`] hold input, and reads them.
    pub fn filled(&mut self, count: usize, sink: &mut Sink<'_>) {
        self.lines.filled(count);
        self.drain(sink);
    }

    /// Ends the stream: reads what stands behind the last line feed.
    pub fn finish(&mut self, sink: &mut Sink<'_>) {
        if let Some(line) = self.lines.rest() {
            self.reader.line(line, None, sink);
        }
        self.reader.finish(sink);
    }

    /// What the stream has said of its end so far.
    pub fn outcome(&self) -> Outcome {
        self.reader.outcome()
    }

    /// The dialect that is read, `auto` while that is open.
    pub fn protocol(&self) -> Protocol {
        self.reader.protocol()
    }

    /// Whether the form of the dialect that was read has an end record.
    pub fn has_end(&self) -> bool {
        self.reader.has_end()
    }

    /// Whether events without a time of their own get the time of now.
    pub(crate) fn stamps(&self) -> bool {
        self.reader.stamps()
    }

    fn drain(&mut self, sink: &mut Sink<'_>) {
        while let Some(line) = self.lines.next_line() {
            self.reader.line(line, None, sink);
        }
    }
}
