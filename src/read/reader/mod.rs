//! One line to its events: which dialect reads it, and what becomes of a line that none can read.

mod documents;
#[cfg(feature = "redact")]
mod redacting;
mod stored;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::adapter::{Adapter, Match, Protocol};
use crate::format::batch::Batch;
use crate::format::event::{EventType, RawText};
use crate::format::outcome::Outcome;
use crate::format::sourced::{Sink, Source, Sourced};
use crate::format::time;
use crate::format::write::{Clipped, Name, Text};
use crate::input::beside::OfFile;
use crate::input::document::Document;
use crate::input::lines::Line;
use crate::input::text;
use crate::json::{Doc, Value};
use crate::limits::{DEFAULT_CLIP, MAX_DETECTED};
use crate::read::glue;
use crate::read::options::Options;
use crate::read::verdict::Form;
use stored::StoredReader;

/// Reads lines.
#[derive(Debug)]
pub(crate) struct Reader {
    options: Options,
    /// The dialect, `Auto` while that is open.
    protocol: Protocol,
    adapter: Adapter,
    stored: Option<Box<StoredReader>>,
    /// The file that the stream is.
    file: Option<OfFile>,
    doc: Doc,
    batch: Batch,
    /// Whether a record of the dialect was read.
    is_known: bool,
    /// The last line, while the adapter holds something back that will come with it.
    held: Option<Held>,
    /// In how many places of the line at hand something was redacted.
    redacted: u64,
    #[cfg(feature = "redact")]
    redacting: Option<Box<redacting::Redacting>>,
    /// The document over several lines that is being read.
    document: Option<Box<Document>>,
    /// The dialects that were detected, each with the line where it was.
    detected: Vec<(u64, Protocol)>,
}

/// The line at hand, or the record that stands in its place.
#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    number: u64,
    time: Option<&'a str>,
    source: Source<'a>,
    unterminated: bool,
}

/// What was made of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Its events are in the batch.
    Whole,
    /// Its events have been handed over, each with the record it came from.
    HandedOver,
    /// It is no JSON, and a document over several lines may begin with it.
    MayBegin,
}

#[derive(Debug, Default)]
struct Held {
    number: u64,
    time: Option<String>,
    text: String,
    bytes: Option<Vec<u8>>,
    truncated: bool,
    redacted: u64,
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
            file: None,
            doc: Doc::default(),
            batch,
            is_known: false,
            held: None,
            document: None,
            detected: Vec::new(),
            redacted: 0,
            #[cfg(feature = "redact")]
            redacting: None,
        };
        #[cfg(feature = "redact")]
        reader.set_up_redacting();
        reader.settle(protocol);
        reader
    }

    /// Says in how many places the line that comes next was redacted before.
    pub(crate) fn redacted_before(&mut self, places: u64) {
        self.redacted = places;
    }

    /// Reads one line. `time` is what an earlier reading knew of it.
    pub(crate) fn line(&mut self, line: Line<'_>, time: Option<&str>, sink: &mut Sink<'_>) {
        #[cfg(feature = "redact")]
        if self.line_redacted(line, time, sink) {
            return;
        }
        self.plain_line(line, time, sink);
    }

    /// Reads a line that stands for itself. False where it is no JSON and `documents` may begin with it:
    /// nothing was read then.
    fn record_line(
        &mut self,
        line: Line<'_>,
        time: Option<&str>,
        documents: bool,
        sink: &mut Sink<'_>,
    ) -> bool {
        let bytes = text::trim(line.bytes);
        if bytes.is_empty() && line.oversized.is_none() {
            return true;
        }
        let decoded = text::decode(bytes);
        let lossy = matches!(decoded, Cow::Owned(_)) && line.oversized.is_none();
        let exact = lossy.then_some(bytes);
        let redacted = std::mem::take(&mut self.redacted);
        let mut source = Source { text: &decoded, bytes: exact, truncated: false, redacted };
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
            let at = Place { number: line.number, time, source, unterminated: !line.terminated };
            // Where the line is a stored record, its own reader is told.
            self.redacted = redacted;
            let reading = self.read(at, documents && line.terminated, sink);
            if reading != Reading::MayBegin {
                self.redacted = 0;
            }
            match reading {
                Reading::Whole => {}
                Reading::HandedOver => return true,
                Reading::MayBegin => return false,
            }
        }
        self.hand_over(line.number, source, time, sink);
        true
    }

    /// Ends the stream.
    pub(crate) fn finish(&mut self, sink: &mut Sink<'_>) {
        #[cfg(feature = "redact")]
        self.finish_redacting(sink);
        if let Some(document) = self.document.take() {
            self.alone(&document, sink);
        }
        if let Some(stored) = &mut self.stored {
            stored.finish(sink);
            return;
        }
        self.end_of_adapter(sink);
    }

    /// The stream of the adapter ends here.
    fn end_of_adapter(&mut self, sink: &mut Sink<'_>) {
        self.batch.clear();
        self.adapter.finish(&mut self.batch);
        let Some(held) = self.held.take().filter(|_| !self.batch.is_empty()) else { return };
        let source = Source {
            text: &held.text,
            bytes: held.bytes.as_deref(),
            truncated: held.truncated,
            redacted: held.redacted,
        };
        let time = self.batch.stated_time().or(held.time.as_deref());
        sink(Sourced::of_line(held.number, time, source, &self.batch));
    }

    /// Takes the place of a reader that has read another stream of the same file.
    pub(crate) fn succeed(mut self, before: &Reader) -> Self {
        self.batch.go_on_from(before.batch.outcome());
        self.is_known = before.is_known;
        self
    }

    /// An event stands here that is known already.
    pub(crate) fn see(&mut self, kind: EventType, payload: &str) {
        let mut outcome = self.batch.outcome();
        outcome.see(kind, payload.as_bytes());
        self.batch.go_on_from(outcome);
        self.is_known |= kind != EventType::Raw;
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

    /// The session that the stream named last, as a JSON string.
    pub(crate) fn session(&self) -> Option<&[u8]> {
        self.batch.current_session()
    }

    pub(crate) fn form(&self) -> Form {
        let is_known = self.stored.as_ref().map_or(self.is_known, |stored| stored.is_known());
        Form { is_known, has_end: self.has_end() }
    }

    #[cfg(feature = "cli")]
    pub(crate) fn stamps(&self) -> bool {
        self.options.stamp
    }

    pub(crate) fn protocol(&self) -> Protocol {
        match (&self.stored, self.adapter.protocol()) {
            (Some(stored), _) => stored.protocol(),
            // The reading of plain text stands in while the dialect is open.
            (None, Protocol::None) => self.options.protocol,
            (None, protocol) => protocol,
        }
    }

    /// Says which file the stream is. What stands beside it is read now.
    pub(crate) fn begin_file(&mut self, path: &Path) {
        self.file = OfFile::new(path, |name| self.options.protocol.beside(name));
        self.introduce();
    }

    /// Tells the adapter which file it reads.
    fn introduce(&mut self) {
        let Some(file) = &self.file else { return };
        let name = (self.adapter.protocol().dialect().beside)(&file.name);
        let beside = file.beside.iter().find(|(beside, _)| Some(beside) == name.as_ref());
        let mut doc = Doc::default();
        let text = beside.map(|(_, text)| text.as_str()).unwrap_or_default();
        self.adapter.beside(&file.name, doc.parse(text).unwrap_or(Value::MISSING));
    }

    fn settle(&mut self, protocol: Protocol) {
        self.protocol = protocol;
        if protocol == Protocol::Agentnorm {
            self.stored = Some(Box::new(StoredReader::new(&self.options)));
        }
    }

    fn read(&mut self, at: Place<'_>, documents: bool, sink: &mut Sink<'_>) -> Reading {
        let mut doc = std::mem::take(&mut self.doc);
        let reading = self.read_with(&mut doc, at, documents, sink);
        self.doc = doc;
        reading
    }

    fn read_with(
        &mut self,
        doc: &mut Doc,
        at: Place<'_>,
        documents: bool,
        sink: &mut Sink<'_>,
    ) -> Reading {
        let text = at.source.text;
        if self.protocol == Protocol::None {
            self.text(text, at.unterminated && doc.parse(text).is_none());
            return Reading::Whole;
        }
        match doc.parse(text) {
            Some(value) if value.is_object() => self.record(value, at.number, sink),
            Some(value) if value.is_array() => return self.array(value, at, sink),
            Some(value) if !value.is_some() => self.adapter.interrupt(&mut self.batch),
            Some(_) => self.text(text, false),
            None if documents && text.starts_with(['[', '{']) => return Reading::MayBegin,
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
                match glue::records(text, doc, known) {
                    Some((noise, records)) => {
                        if !text::trim(noise.as_bytes()).is_empty() {
                            self.text(noise.trim_end_matches([' ', '\t']), false);
                        }
                        for record in records {
                            if let Some(value) = doc.parse(record) {
                                self.record(value, at.number, sink);
                            }
                        }
                    }
                    None => self.text(text, at.unterminated),
                }
            }
        }
        Reading::Whole
    }

    fn text(&mut self, text: &str, unterminated: bool) {
        self.adapter.interrupt(&mut self.batch);
        let text = Text::from(text);
        self.batch.push(RawText { text, unterminated, ..RawText::default() });
    }

    fn record(&mut self, record: Value<'_>, number: u64, sink: &mut Sink<'_>) {
        if self.protocol == Protocol::Auto {
            match Protocol::detect(record) {
                (protocol, Match::Own) => {
                    let common = self.adapter.protocol();
                    if common != Protocol::None && !known(common, record) {
                        self.stream_ends(sink);
                    }
                    self.become_own(protocol, number);
                }
                (protocol, Match::Shared) if matches!(self.adapter, Adapter::None(_)) => {
                    self.adapter = Adapter::new(protocol);
                    self.introduce();
                }
                _ => {}
            }
        }
        if let Some(stored) = &mut self.stored {
            if !stored.record(record, self.redacted, sink) {
                self.batch.raw(record);
            }
            return;
        }
        if matches!(self.adapter, Adapter::None(_)) {
            return self.batch.raw(record);
        }
        if self.adapt(record) {
            return;
        }
        if let Some(another) = self.another(record) {
            self.stream_ends(sink);
            self.begin(another, number);
            if self.adapt(record) {
                return;
            }
        }
        self.batch.raw(record);
    }

    /// Lets the adapter read a record. False where it says nothing of it.
    fn adapt(&mut self, record: Value<'_>) -> bool {
        self.batch.next_record();
        let keys = self.adapter.protocol().dialect().session;
        if let Some(id) = keys.iter().find_map(|key| Name::filled(record.get(key))) {
            self.batch.session(Some(&id));
        }
        let before = self.batch.mark();
        let read = catch_unwind(AssertUnwindSafe(|| self.adapter.record(record, &mut self.batch)));
        if read.is_err() {
            self.batch.rewind(before);
        }
        let is_read = self.batch.is_handled();
        self.is_known |= is_read || known(self.adapter.protocol(), record);
        is_read
    }

    /// The other dialect whose own this record is, where the dialect was detected and the record is none
    /// of it.
    fn another(&self, record: Value<'_>) -> Option<(Protocol, Match)> {
        let current = self.adapter.protocol();
        if self.options.protocol != Protocol::Auto || known(current, record) {
            return None;
        }
        match Protocol::detect(record) {
            (Protocol::Agentnorm, _) => None,
            (another, sure @ (Match::Own | Match::Shared)) if another != current => {
                Some((another, sure))
            }
            _ => None,
        }
    }

    /// Runs of several harnesses stand in one file: the stream of one ends, and another begins.
    fn stream_ends(&mut self, sink: &mut Sink<'_>) {
        self.end_of_adapter(sink);
        self.batch.clear();
        self.batch.forget_session();
    }

    /// Begins the stream of another dialect.
    fn begin(&mut self, (protocol, sure): (Protocol, Match), number: u64) {
        self.adapter = Adapter::new(protocol);
        self.introduce();
        if sure == Match::Own {
            self.become_own(protocol, number);
        } else {
            // Which of those that share the shape it is stays open.
            self.protocol = Protocol::Auto;
        }
    }

    fn become_own(&mut self, protocol: Protocol, number: u64) {
        if self.detected.len() < MAX_DETECTED {
            self.detected.push((number, protocol));
        }
        let before = std::mem::replace(&mut self.adapter, Adapter::new(Protocol::None));
        self.adapter = before.switch(protocol);
        self.introduce();
        self.settle(protocol);
    }

    /// The dialects that were detected, each with the number of the line where it was.
    pub(crate) fn detected(&self) -> &[(u64, Protocol)] {
        self.stored.as_ref().map_or(&self.detected, |stored| stored.detected())
    }

    fn hand_over(
        &mut self,
        number: u64,
        source: Source<'_>,
        earlier: Option<&str>,
        sink: &mut Sink<'_>,
    ) {
        // Where stored records are read again nothing is stamped: the time is an earlier reading's.
        let now = (self.options.stamp && self.batch.stated_time().is_none()).then(time::now);
        let time = self.batch.stated_time().or(earlier).or(now.as_deref());
        if !self.batch.is_empty() {
            sink(Sourced::of_line(number, time, source, &self.batch));
        }
        if self.adapter.pending() {
            // The buffers are used again: a long text holds back line after line.
            let held = self.held.get_or_insert_default();
            held.number = number;
            held.time = time.map(str::to_owned);
            source.text.clone_into(&mut held.text);
            held.bytes = source.bytes.map(<[u8]>::to_vec);
            held.truncated = source.truncated;
            held.redacted = source.redacted;
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
