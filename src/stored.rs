//! agentnorm's own output, read again: each line once, from the source that its events carry.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::adapter::{Match, Protocol};
use crate::batch::{Batch, Outcome};
use crate::event::EventType;
use crate::json::Value;
use crate::lines::Line;
use crate::normalize::{Options, Reader, Sink, Sourced};

/// A record of ours has a type of the vocabulary and an object `payload`.
pub(crate) fn detect(record: Value<'_>) -> Match {
    let [kind, payload] = record.pick(["type", "payload"]);
    if event_type(kind).is_some() && payload.is_object() { Match::Own } else { Match::No }
}

fn event_type(kind: Value<'_>) -> Option<EventType> {
    kind.decode().and_then(|name| EventType::from_name(&name))
}

/// Reads stored records.
#[derive(Debug)]
pub(crate) struct Stored {
    options: Options,
    reader: Reader,
    /// The line that was read last, and its source.
    last: Option<(u64, String)>,
    none: Batch,
    passed_on: Outcome,
}

impl Stored {
    pub(crate) fn new(options: &Options) -> Self {
        let options = Options { protocol: Protocol::Auto, stamp: false, ..options.clone() };
        Self {
            reader: Reader::new(options.clone()),
            none: Batch::new(0, true),
            options,
            last: None,
            passed_on: Outcome::default(),
        }
    }

    /// Reads a record; false when it is none of ours.
    pub(crate) fn record(&mut self, record: Value<'_>, sink: &mut Sink<'_>) -> bool {
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
        let (Some(number), Some(text), false) =
            (line.count(), source.decode(), truncated.is_true())
        else {
            if line.count().is_none() {
                // What no line caused stands behind the stream.
                self.reader.finish(sink);
            }
            self.passed_on = self.outcome();
            self.passed_on.see(kind, payload.text().as_bytes());
            sink(Sourced::passed_on(record.text(), &self.none));
            return true;
        };
        if let Some((last, last_text)) = &self.last {
            if *last == number && *last_text == text {
                return true;
            }
            if number <= *last {
                self.reader.finish(sink);
                self.reader = Reader::new(self.options.clone());
            }
        }
        let exact = bytes.decode().and_then(|b| BASE64_STANDARD.decode(b.as_bytes()).ok());
        let bytes = exact.as_deref().unwrap_or(text.as_bytes());
        let terminated = !payload.get("unterminated").is_true();
        let line = Line { number, bytes, oversized: None, terminated };
        self.reader.line(line, time.decode().as_deref(), sink);
        self.last = Some((number, text.into_owned()));
        self.passed_on = Outcome::default();
        true
    }

    pub(crate) fn finish(&mut self, sink: &mut Sink<'_>) {
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
