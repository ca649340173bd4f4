//! agentnorm's own output, read again: each line once, from the source that its events carry.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::adapter::agentnorm::event_type;
use crate::adapter::{Adapter, Protocol};
use crate::format::batch::Batch;
use crate::format::event::EventType;
use crate::format::outcome::Outcome;
use crate::format::sourced::{Sink, Source, Sourced, Stored};
use crate::format::time;
use crate::input::lines::Line;
use crate::input::text;
use crate::json::{self, Doc, Value};
use crate::read::options::Options;
use crate::read::reader::Reader;

/// Reads stored records.
#[derive(Debug)]
pub(crate) struct StoredReader {
    options: Options,
    reader: Reader,
    last: Option<Last>,
    /// Whether a record that no line caused came behind the last line.
    behind: bool,
    /// That line, where a later record of it may say that the stream ended inside.
    waiting: Option<Waiting>,
    doc: Doc,
    none: Batch,
    /// Whether there is an end record, as what was passed on lets suppose.
    has_end: Option<bool>,
}

/// The record that was read last.
#[derive(Debug)]
struct Last {
    number: u64,
    text: String,
    /// The first event that was stored of it.
    first: u64,
    /// How many were stored of it, so far.
    seen: usize,
    /// How many come of it now; `None` while it waits.
    given: Option<usize>,
}

impl Last {
    /// Whether `event` begins the record once more: another stream with the same line stands here.
    fn again(&self, event: u64) -> bool {
        self.first == event && self.given.is_some_and(|given| self.seen >= given.max(1))
    }
}

#[derive(Debug)]
struct Waiting {
    bytes: Vec<u8>,
    time: Option<String>,
    terminated: bool,
    redacted: u64,
}

impl StoredReader {
    pub(crate) fn new(options: &Options) -> Self {
        let options =
            Options { protocol: Protocol::Auto, stamp: false, documents: false, ..options.clone() };
        Self {
            reader: Reader::new(options.clone()),
            none: Batch::new(0, true),
            options,
            last: None,
            behind: false,
            waiting: None,
            doc: Doc::default(),
            has_end: None,
        }
    }

    /// Reads a record; false when it is none of ours.
    /// `redacted`: in how many places of it something was redacted now.
    pub(crate) fn record(&mut self, record: Value<'_>, redacted: u64, sink: &mut Sink<'_>) -> bool {
        let [kind, payload, line, time, source, bytes, truncated] = record.pick([
            "type",
            "payload",
            "line",
            "time",
            "source",
            "sourceBytes",
            "sourceTruncated",
        ]);
        let Some(kind) = event_type(kind).filter(|_| payload.is_object()) else { return false };
        let text = source.decode().filter(|source| !text::trim(source.as_bytes()).is_empty());
        let (Some(number), Some(text), false) = (line.count(), text, truncated.is_true()) else {
            if let Some(last) = &mut self.last
                && line.count() == Some(last.number)
                && !source.is_some()
                && !self.behind
            {
                // The first events of a record carry its text; the rest only say whose they are.
                last.seen += 1;
                return true;
            }
            let Some(as_it_is) = json::respelled(record) else { return false };
            let as_it_is = with_count(as_it_is, record, redacted);
            let Some(respelled) = json::respelled(payload) else { return false };
            self.read_waiting(sink);
            if line.count().is_none() {
                // What no line caused stands behind the stream.
                self.reader.finish(sink);
                self.behind = true;
            } else {
                self.reader.pass_over();
            }
            self.reader.see(kind, payload.text());
            let harness = payload.get("harness").decode();
            let row = harness.as_deref().and_then(Protocol::of_harness);
            let has_end = row.map(|protocol| protocol.dialect().carries.end);
            self.has_end = has_end.or(self.has_end).or(Some(true));
            let session = json::respelled(record.get("sessionId"));
            let session = session.as_deref().filter(|id| id.starts_with('"'));
            let stored = Stored { record: &as_it_is, kind, payload: &respelled, session };
            let source = source.decode();
            let exact = bytes.decode().and_then(|b| BASE64_STANDARD.decode(b.as_bytes()).ok());
            let source = source.as_deref().map(|text| Source {
                text,
                bytes: exact.as_deref(),
                truncated: truncated.is_true(),
                redacted: 0,
            });
            let time = time.decode();
            sink(Sourced::passed_on(stored, line.count(), time.as_deref(), source, &self.none));
            return true;
        };
        let terminated = !payload.get("unterminated").is_true();
        let event = fingerprint(kind, payload);
        let behind = std::mem::take(&mut self.behind);
        if let Some(last) = &mut self.last {
            let same = last.number == number && last.text == text && !behind;
            if same && !last.again(event) {
                last.seen += 1;
                if let Some(waiting) = &mut self.waiting {
                    waiting.terminated &= terminated;
                }
                return true;
            }
            // The elements of an array on one line share its number, and so does the rest of a text in
            // pieces with the line that ended the text.
            let another = number < last.number || same || behind && number == last.number;
            self.read_waiting(sink);
            if another {
                self.reader.finish(sink);
                self.reader = Reader::new(self.options.clone()).succeed(&self.reader);
            }
        }
        let earlier = record.get("redacted").count();
        // The line stands in its record twice: as its source, and in what was made of it.
        let redacted = earlier.unwrap_or(if redacted > 0 { placeholders(&text) } else { 0 });
        self.reader.redacted_before(redacted);
        let exact = bytes.decode().and_then(|b| BASE64_STANDARD.decode(b.as_bytes()).ok());
        let bytes = exact.as_deref().unwrap_or(text.as_bytes());
        let time = time::read(time);
        // A text that was put together comes before the `raw` of the torn line that ended it.
        let given = if kind != EventType::Raw && self.doc.parse(&text).is_none() {
            self.waiting = Some(Waiting { bytes: bytes.to_vec(), time, terminated, redacted });
            None
        } else {
            let line = Line { number, bytes, oversized: None, terminated };
            Some(self.read(line, time.as_deref(), sink))
        };
        self.last = Some(Last { number, text: text.into_owned(), first: event, seen: 1, given });
        true
    }

    /// Reads a line, and returns how many events came of it.
    fn read(&mut self, line: Line<'_>, time: Option<&str>, sink: &mut Sink<'_>) -> usize {
        let mut given = 0;
        self.reader.line(line, time, &mut |sourced: Sourced<'_>| {
            given += sourced.events().count();
            sink(sourced);
        });
        given
    }

    fn read_waiting(&mut self, sink: &mut Sink<'_>) {
        let number = self.last.as_ref().map(|last| last.number);
        if let (Some(waiting), Some(number)) = (self.waiting.take(), number) {
            let Waiting { bytes, time, terminated, redacted } = waiting;
            self.reader.redacted_before(redacted);
            let line = Line { number, bytes: &bytes, oversized: None, terminated };
            let given = self.read(line, time.as_deref(), sink);
            if let Some(last) = &mut self.last {
                last.given = Some(given);
            }
        }
    }

    pub(crate) fn finish(&mut self, sink: &mut Sink<'_>) {
        self.read_waiting(sink);
        self.reader.finish(sink);
    }

    pub(crate) fn outcome(&self) -> Outcome {
        self.reader.outcome()
    }

    pub(crate) fn detected(&self) -> &[(u64, Protocol)] {
        self.reader.detected()
    }

    pub(crate) fn is_known(&self) -> bool {
        self.reader.is_known
    }

    pub(crate) fn protocol(&self) -> Protocol {
        self.reader.protocol()
    }

    pub(crate) fn has_end(&self) -> bool {
        let is_open = matches!(self.reader.adapter, Adapter::None(_));
        self.has_end.filter(|_| is_open).unwrap_or_else(|| self.reader.has_end())
    }
}

fn fingerprint(kind: EventType, payload: Value<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (kind.name(), payload.text()).hash(&mut hasher);
    hasher.finish()
}

/// In how many places a text was redacted.
#[cfg(feature = "redact")]
pub(super) fn placeholders(text: &str) -> u64 {
    crate::redact::placeholders(text)
}

#[cfg(not(feature = "redact"))]
pub(super) fn placeholders(_text: &str) -> u64 {
    0
}

/// A record that is passed on says in how many places it was redacted.
fn with_count<'a>(as_it_is: Cow<'a, str>, record: Value<'_>, redacted: u64) -> Cow<'a, str> {
    match as_it_is.strip_suffix('}') {
        Some(members) if redacted > 0 && !record.get("redacted").exists() => {
            format!("{members},\"redacted\":{redacted}}}").into()
        }
        _ => as_it_is,
    }
}
