//! A stream's bytes to events: the reader that everything else is made of.

use std::path::Path;

use crate::adapter::Protocol;
use crate::format::outcome::Outcome;
use crate::format::sourced::Sink;
use crate::input::lines::Lines;
use crate::read::reader::Reader;
use crate::read::verdict::{Form, Verdict};

pub use crate::read::options::Options;

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
pub(crate) const READ: usize = 256 << 10;

impl Normalizer {
    /// A reader for one stream.
    pub fn new(options: Options) -> Self {
        let lines = Lines::new(READ, options.max_line);
        Self { lines, reader: Reader::new(options) }
    }

    /// Says that the stream is the file at `path`, before anything of it is read: see
    /// [`Feed::begin_file`](crate::Feed::begin_file).
    pub fn begin_file(&mut self, path: &Path) {
        self.reader.begin_file(path);
    }

    /// Reads `bytes`, the next of the stream, and hands the events of each whole line to `sink`.
    pub fn push(&mut self, mut bytes: &[u8], sink: &mut Sink<'_>) {
        while !bytes.is_empty() {
            bytes = self.lines.push(bytes);
            self.drain(sink);
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

    /// The dialects that were detected in the stream, each with the number of the line where it began. At
    /// most 16 are remembered.
    pub fn detected(&self) -> &[(u64, Protocol)] {
        self.reader.detected()
    }

    /// The session that the stream named last, as a JSON string.
    pub(crate) fn session(&self) -> Option<&[u8]> {
        self.reader.session()
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

    /// What was read, as far as the verdict depends on it.
    pub fn form(&self) -> Form {
        self.reader.form()
    }

    /// Whether the session went well, as far as the stream has been read.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.form(), self.outcome())
    }

    /// Keeps a copy of the lines as they leave redaction.
    #[cfg(feature = "cli")]
    pub(crate) fn keep_copy(&mut self) {
        self.reader.keep_copy();
    }

    /// The lines that left redaction since this was asked last; nothing where nothing is redacted.
    #[cfg(feature = "cli")]
    pub(crate) fn take_copy(&mut self) -> Option<Vec<u8>> {
        self.reader.take_copy()
    }

    /// Whether events without a time of their own get the time of now.
    #[cfg(feature = "cli")]
    pub(crate) fn stamps(&self) -> bool {
        self.reader.stamps()
    }

    fn drain(&mut self, sink: &mut Sink<'_>) {
        while let Some(line) = self.lines.next_line() {
            self.reader.line(line, None, sink);
        }
    }
}
