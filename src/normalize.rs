//! Lines to events: which dialect reads a line, and what becomes of a line that none can read.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::adapter::{Adapter, Match, Protocol};
use crate::batch::{Batch, Outcome};
use crate::event::{EventType, RawText};
use crate::glue;
use crate::json::{Doc, Value};
use crate::lines::{DEFAULT_MAX_LINE, Line, Lines};
use crate::stored::Stored;
use crate::text::{self, DEFAULT_CLIP};
use crate::time;
use crate::write::{Clipped, Text};

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
        self.reader.options.stamp
    }

    fn drain(&mut self, sink: &mut Sink<'_>) {
        while let Some(line) = self.lines.next_line() {
            self.reader.line(line, None, sink);
        }
    }
}

/// Reads lines.
#[derive(Debug)]
pub(crate) struct Reader {
    options: Options,
    /// The dialect, `Auto` while that is open.
    protocol: Protocol,
    adapter: Adapter,
    stored: Option<Box<Stored>>,
    doc: Doc,
    batch: Batch,
    /// The last line, while the adapter holds something back that will come with it.
    held: Option<Held>,
}

#[derive(Debug, Default)]
struct Held {
    number: u64,
    time: Option<String>,
    text: String,
    bytes: Option<Vec<u8>>,
    truncated: bool,
}

impl Reader {
    pub(crate) fn new(options: Options) -> Self {
        let protocol = options.protocol;
        let batch = Batch::new(options.clip, options.deltas);
        let mut reader = Self {
            options,
            protocol: Protocol::Auto,
            adapter: Adapter::new(protocol),
            stored: None,
            doc: Doc::default(),
            batch,
            held: None,
        };
        reader.settle(protocol);
        reader
    }

    /// Reads one line. `time` is what an earlier reading knew of it.
    pub(crate) fn line(&mut self, line: Line<'_>, time: Option<&str>, sink: &mut Sink<'_>) {
        let bytes = text::trim(line.bytes);
        if bytes.is_empty() && line.oversized.is_none() {
            return;
        }
        let decoded = text::decode(bytes);
        let lossy = matches!(decoded, Cow::Owned(_)) && line.oversized.is_none();
        let exact = lossy.then_some(bytes);
        let mut source = Source { text: &decoded, bytes: exact, truncated: false };
        self.batch.clear();
        if let Some(length) = line.oversized {
            let (head, cut) = text::clip(&decoded, DEFAULT_CLIP);
            source.text = head;
            source.truncated = true;
            self.adapter.interrupt(&mut self.batch);
            let truncated = Clipped { before: cut || (line.bytes.len() as u64) < length };
            let text = Text::from(source.text);
            let unterminated = !line.terminated;
            self.batch.push(RawText { text, truncated, unterminated, bytes: Some(length) });
        } else {
            self.read(&decoded, !line.terminated, sink);
        }
        self.hand_over(line.number, source, time, sink);
    }

    /// Ends the stream.
    pub(crate) fn finish(&mut self, sink: &mut Sink<'_>) {
        if let Some(stored) = &mut self.stored {
            stored.finish(sink);
            return;
        }
        self.batch.clear();
        self.adapter.finish(&mut self.batch);
        let Some(held) = self.held.take().filter(|_| !self.batch.is_empty()) else { return };
        let source =
            Source { text: &held.text, bytes: held.bytes.as_deref(), truncated: held.truncated };
        let time = self.batch.stated_time().or(held.time.as_deref());
        sink(Sourced {
            line: Some(held.number),
            time,
            source: Some(source),
            stored: None,
            batch: &self.batch,
        });
    }

    /// A line stands here whose events are known already.
    pub(crate) fn pass_over(&mut self) {
        self.batch.clear();
        self.adapter.interrupt(&mut self.batch);
        self.batch.clear();
        self.held = None;
    }

    pub(crate) fn outcome(&self) -> Outcome {
        self.stored.as_ref().map_or_else(|| self.batch.outcome(), |stored| stored.outcome())
    }

    pub(crate) fn has_end(&self) -> bool {
        self.stored.as_ref().map_or_else(|| self.adapter.has_end(), |stored| stored.has_end())
    }

    pub(crate) fn protocol(&self) -> Protocol {
        match (&self.stored, self.adapter.protocol()) {
            (Some(stored), _) => stored.protocol(),
            // The reading of plain text stands in while the dialect is open.
            (None, Protocol::None) => self.options.protocol,
            (None, protocol) => protocol,
        }
    }

    fn settle(&mut self, protocol: Protocol) {
        self.protocol = protocol;
        if protocol == Protocol::Agentnorm {
            self.stored = Some(Box::new(Stored::new(&self.options)));
        }
    }

    fn read(&mut self, text: &str, unterminated: bool, sink: &mut Sink<'_>) {
        let mut doc = std::mem::take(&mut self.doc);
        if self.protocol == Protocol::None {
            self.text(text, unterminated && doc.parse(text).is_none());
            self.doc = doc;
            return;
        }
        match doc.parse(text) {
            Some(value) if value.is_object() => self.record(value, sink),
            Some(value) if value.is_array() => self.array(value, sink),
            Some(value) if !value.is_some() => self.adapter.interrupt(&mut self.batch),
            Some(_) => self.text(text, false),
            None => {
                let mut protocol = self.protocol;
                let known = |before: &[&str], record: Value<'_>| {
                    if before.is_empty() {
                        protocol = self.protocol;
                    }
                    // Which dialect it is may be known from the first record of the line on.
                    if protocol == Protocol::Auto {
                        let (dialect, sure) = Protocol::detect(record);
                        if sure == Match::Own {
                            protocol = dialect;
                        }
                        return sure != Match::No;
                    }
                    known(protocol, record)
                };
                match glue::records(text, &mut doc, known) {
                    Some((noise, records)) => {
                        if !text::trim(noise.as_bytes()).is_empty() {
                            self.text(noise.trim_end_matches([' ', '\t']), false);
                        }
                        for record in records {
                            if let Some(value) = doc.parse(record) {
                                self.record(value, sink);
                            }
                        }
                    }
                    None => self.text(text, unterminated),
                }
            }
        }
        self.doc = doc;
    }

    fn text(&mut self, text: &str, unterminated: bool) {
        self.adapter.interrupt(&mut self.batch);
        let text = Text::from(text);
        self.batch.push(RawText { text, unterminated, ..RawText::default() });
    }

    fn array(&mut self, array: Value<'_>, sink: &mut Sink<'_>) {
        let whole = array.elements().next().is_some()
            && array.elements().all(|e| e.is_object() && known(self.protocol, e));
        let arrays = match self.protocol {
            Protocol::Auto => array.elements().all(|e| Protocol::detect(e).0.dialect().arrays),
            protocol => protocol.dialect().arrays,
        };
        if whole && arrays {
            // Which of the dialects prints the array is settled by all of it, not by its first element.
            if self.protocol == Protocol::Auto
                && let Some(own) =
                    array.elements().map(Protocol::detect).find(|(_, sure)| *sure == Match::Own)
            {
                self.become_own(own.0);
            }
            for element in array.elements() {
                self.record(element, sink);
            }
        } else {
            self.adapter.interrupt(&mut self.batch);
        }
    }

    fn record(&mut self, record: Value<'_>, sink: &mut Sink<'_>) {
        if self.protocol == Protocol::Auto {
            match Protocol::detect(record) {
                (protocol, Match::Own) => self.become_own(protocol),
                (protocol, Match::Shared) if matches!(self.adapter, Adapter::None(_)) => {
                    self.adapter = Adapter::new(protocol);
                }
                _ => {}
            }
        }
        if let Some(stored) = &mut self.stored {
            if !stored.record(record, sink) {
                self.batch.raw(record);
            }
            return;
        }
        if matches!(self.adapter, Adapter::None(_)) {
            return self.batch.raw(record);
        }
        self.batch.next_record();
        let before = self.batch.mark();
        let read = catch_unwind(AssertUnwindSafe(|| self.adapter.record(record, &mut self.batch)));
        if read.is_err() {
            self.batch.rewind(before);
        }
        if !self.batch.is_handled() {
            self.batch.raw(record);
        }
    }

    fn become_own(&mut self, protocol: Protocol) {
        let before = std::mem::replace(&mut self.adapter, Adapter::new(Protocol::None));
        self.adapter = before.switch(protocol);
        self.settle(protocol);
    }

    fn hand_over(
        &mut self,
        number: u64,
        source: Source<'_>,
        earlier: Option<&str>,
        sink: &mut Sink<'_>,
    ) {
        let now = (self.options.stamp && earlier.is_none() && self.batch.stated_time().is_none())
            .then(time::now);
        let time = self.batch.stated_time().or(earlier).or(now.as_deref());
        if !self.batch.is_empty() {
            sink(Sourced {
                line: Some(number),
                time,
                source: Some(source),
                stored: None,
                batch: &self.batch,
            });
        }
        if self.adapter.pending() {
            // The buffers are used again: a long text holds back line after line.
            let held = self.held.get_or_insert_default();
            held.number = number;
            held.time = time.map(str::to_owned);
            source.text.clone_into(&mut held.text);
            held.bytes = source.bytes.map(<[u8]>::to_vec);
            held.truncated = source.truncated;
        } else {
            self.held = None;
        }
    }
}

/// Whether a record belongs to the protocol.
fn known(protocol: Protocol, record: Value<'_>) -> bool {
    match protocol {
        Protocol::Auto => Protocol::detect(record).1 != Match::No,
        protocol => (protocol.dialect().detect)(record) != Match::No,
    }
}
