//! agentnorm's own output, read again: each line once, from the source that its events carry.

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::adapter::Protocol;
use crate::adapter::agentnorm::event_type;
use crate::format::batch::{Batch, Outcome};
use crate::format::event::EventType;
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
    /// The line that was read last, and its source.
    last: Option<(u64, String)>,
    /// That line, where a later record of it may say that the stream ended inside.
    waiting: Option<Waiting>,
    doc: Doc,
    none: Batch,
    passed_on: Outcome,
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
        let options = Options { protocol: Protocol::Auto, stamp: false, ..options.clone() };
        Self {
            reader: Reader::new(options.clone()),
            none: Batch::new(0, true),
            options,
            last: None,
            waiting: None,
            doc: Doc::default(),
            passed_on: Outcome::default(),
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
            let Some(as_it_is) = json::respelled(record) else { return false };
            let as_it_is = with_count(as_it_is, record, redacted);
            let Some(respelled) = json::respelled(payload) else { return false };
            self.read_waiting(sink);
            if line.count().is_none() {
                // What no line caused stands behind the stream.
                self.reader.finish(sink);
            } else {
                self.reader.pass_over();
            }
            self.passed_on = self.outcome();
            self.passed_on.see(kind, payload.text().as_bytes());
            let stored = Stored { record: &as_it_is, kind, payload: &respelled };
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
        if let Some((last, last_text)) = &self.last {
            if *last == number && *last_text == text {
                if let Some(waiting) = &mut self.waiting {
                    waiting.terminated &= terminated;
                }
                return true;
            }
            // The rest of a text in pieces has a source of its own and the number of the line that ended
            // the text, which is never the first: two first lines are those of two streams.
            let another = number < *last || (number == *last && number == 1);
            self.read_waiting(sink);
            if another {
                self.reader.finish(sink);
                self.reader = Reader::new(self.options.clone());
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
        if kind != EventType::Raw && self.doc.parse(&text).is_none() {
            self.waiting = Some(Waiting { bytes: bytes.to_vec(), time, terminated, redacted });
        } else {
            let line = Line { number, bytes, oversized: None, terminated };
            self.reader.line(line, time.as_deref(), sink);
        }
        self.last = Some((number, text.into_owned()));
        self.passed_on = Outcome::default();
        true
    }

    fn read_waiting(&mut self, sink: &mut Sink<'_>) {
        if let (Some(waiting), Some((number, _))) = (self.waiting.take(), &self.last) {
            let Waiting { bytes, time, terminated, redacted } = waiting;
            self.reader.redacted_before(redacted);
            let line = Line { number: *number, bytes: &bytes, oversized: None, terminated };
            self.reader.line(line, time.as_deref(), sink);
        }
    }

    pub(crate) fn finish(&mut self, sink: &mut Sink<'_>) {
        self.read_waiting(sink);
        self.reader.finish(sink);
    }

    pub(crate) fn outcome(&self) -> Outcome {
        if self.passed_on == Outcome::default() { self.reader.outcome() } else { self.passed_on }
    }

    pub(crate) fn protocol(&self) -> Protocol {
        self.reader.protocol()
    }

    pub(crate) fn has_end(&self) -> bool {
        self.reader.has_end()
    }
}

/// In how many places a text was redacted.
#[cfg(feature = "redact")]
fn placeholders(text: &str) -> u64 {
    crate::redact::placeholders(text)
}

#[cfg(not(feature = "redact"))]
fn placeholders(_text: &str) -> u64 {
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
