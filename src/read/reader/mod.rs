//! One line to its events: which dialect reads it, and what becomes of a line that none can read.

#[cfg(feature = "redact")]
mod redacting;
mod stored;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::adapter::{Adapter, Match, Protocol};
use crate::format::batch::{Batch, Outcome};
use crate::format::event::RawText;
use crate::format::sourced::{Sink, Source, Sourced};
use crate::format::time;
use crate::format::write::{Clipped, Text};
use crate::input::lines::Line;
use crate::input::text;
use crate::json::{Doc, Value};
use crate::limits::DEFAULT_CLIP;
use crate::read::glue;
use crate::read::options::Options;
use stored::StoredReader;

/// Reads lines.
#[derive(Debug)]
pub(crate) struct Reader {
    options: Options,
    /// The dialect, `Auto` while that is open.
    protocol: Protocol,
    adapter: Adapter,
    stored: Option<Box<StoredReader>>,
    doc: Doc,
    batch: Batch,
    /// The last line, while the adapter holds something back that will come with it.
    held: Option<Held>,
    /// In how many places of the line at hand something was redacted.
    redacted: u64,
    #[cfg(feature = "redact")]
    redacting: Option<Box<redacting::Redacting>>,
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
            doc: Doc::default(),
            batch,
            held: None,
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

    /// Reads one line as it is.
    fn plain_line(&mut self, line: Line<'_>, time: Option<&str>, sink: &mut Sink<'_>) {
        let bytes = text::trim(line.bytes);
        if bytes.is_empty() && line.oversized.is_none() {
            return;
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
            // Where the line is a stored record, its own reader is told.
            self.redacted = redacted;
            self.read(&decoded, !line.terminated, sink);
            self.redacted = 0;
        }
        self.hand_over(line.number, source, time, sink);
    }

    /// Ends the stream.
    pub(crate) fn finish(&mut self, sink: &mut Sink<'_>) {
        #[cfg(feature = "redact")]
        self.finish_redacting(sink);
        if let Some(stored) = &mut self.stored {
            stored.finish(sink);
            return;
        }
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

    fn settle(&mut self, protocol: Protocol) {
        self.protocol = protocol;
        if protocol == Protocol::Agentnorm {
            self.stored = Some(Box::new(StoredReader::new(&self.options)));
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
            if !stored.record(record, self.redacted, sink) {
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
