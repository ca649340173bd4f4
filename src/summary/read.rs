//! Streams to recaps: reads what the filter wrote directly, and normalizes anything else on the way.

use super::fold::Fold;
use super::part::says_only_its_type;
use super::recap::Summary;
use crate::event::EventType;
use crate::json::{Doc, Value};
use crate::lines::{Line, Lines};
use crate::normalize::{Options, Reader, Sourced};
use crate::parse::Event;
use crate::text;

/// The step of reading in bytes.
const READ: usize = 256 << 10;

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
    options: Options,
    lines: Lines,
    reader: Reader,
    /// Whether the stream holds records of ours. Until an object comes that is open, and what came
    /// before it is read like a raw stream.
    ours: Option<bool>,
    records: Records,
}

/// Reads records of ours into the fold.
#[derive(Debug)]
struct Records {
    doc: Doc,
    fold: Fold,
}

impl Summarizer {
    /// Reads raw streams as `options` say. With `dedupe`, what comes a second time is not counted.
    pub fn new(options: Options, dedupe: bool) -> Self {
        let mut options = options;
        options.stamp = false;
        Self {
            lines: Lines::new(READ, options.max_line),
            reader: Reader::new(options.clone()),
            ours: None,
            records: Records { doc: Doc::default(), fold: Fold::new(dedupe) },
            options,
        }
    }

    /// Takes an event in, as a part of the stream that is being read.
    pub fn event(&mut self, event: &Event) {
        self.records.owned(event);
    }

    /// Reads `bytes`, the next of the stream.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let taken = self.lines.push(bytes);
            self.drain();
            bytes = bytes.get(taken..).unwrap_or_default();
        }
    }

    /// Space to read the next bytes into. [`Summarizer::filled`] must follow.
    pub fn space(&mut self) -> &mut [u8] {
        self.lines.space()
    }

    /// Says that `count` bytes of [`Summarizer::space`] hold input, and reads them.
    pub fn filled(&mut self, count: usize) {
        self.lines.filled(count);
        self.drain();
    }

    /// Ends a stream. What is read next is the start of another.
    pub fn end_stream(&mut self) {
        let mut lines = std::mem::replace(&mut self.lines, Lines::new(READ, self.options.max_line));
        if let Some(line) = lines.rest() {
            self.line(line);
        }
        let mut has_end = None;
        if self.ours != Some(true) {
            self.reader.finish(&mut |line| self.records.sourced(line));
            has_end = Some(self.reader.has_end());
        }
        self.records.fold.end_stream(has_end);
        self.reader = Reader::new(self.options.clone());
        self.ours = None;
    }

    /// The recaps.
    pub fn finish(self) -> Summary {
        self.records.fold.finish()
    }

    fn drain(&mut self) {
        let mut lines = std::mem::replace(&mut self.lines, Lines::new(0, 0));
        while let Some(line) = lines.next_line() {
            self.line(line);
        }
        self.lines = lines;
    }

    fn line(&mut self, line: Line<'_>) {
        if self.ours.is_none() {
            self.ours = self.records.are_ours(line.bytes);
        }
        if self.ours != Some(true) {
            self.reader.line(line, None, &mut |line| self.records.sourced(line));
        } else if line.oversized.is_none() {
            self.records.line(&text::decode(text::trim(line.bytes)));
        }
    }
}

impl Records {
    /// Whether the line is a record of ours; `None` when it holds no object.
    fn are_ours(&mut self, bytes: &[u8]) -> Option<bool> {
        let text = text::decode(text::trim(bytes));
        let record = self.doc.parse(&text).filter(|value| value.is_object())?;
        Some(kind(record.get("type")).is_some() && record.get("payload").is_object())
    }

    fn sourced(&mut self, line: Sourced<'_>) {
        if let Some(record) = line.stored {
            return self.line(record);
        }
        for (kind, payload) in line.events() {
            let payload = text::decode(payload);
            let value = self.doc.parse(&payload).unwrap_or(Value::MISSING);
            self.fold.event(kind, value, line.line, line.time);
        }
    }

    fn owned(&mut self, event: &Event) {
        let payload = serde_json::to_string(&event.payload).unwrap_or_default();
        let value = self.doc.parse(&payload).unwrap_or(Value::MISSING);
        self.fold.event(event.kind, value, None, None);
    }

    /// A record of ours, in the form that the emitter writes or in any other.
    fn line(&mut self, record: &str) {
        if self.written(record).is_none()
            && let Some(value) = self.doc.parse(record)
        {
            let [kind_name, payload, line, time] = value.pick(["type", "payload", "line", "time"]);
            if let Some(kind) = kind(kind_name) {
                let time = time.decode();
                self.fold.event(kind, payload, line.count(), time.as_deref());
            }
        }
    }

    /// A record as the emitter writes it. It ends with the source, which is most of it and which
    /// nobody here asks for: reading stops in front of it. So it does in front of a payload that says
    /// no more than its type.
    fn written(&mut self, record: &str) -> Option<()> {
        let rest = record.strip_suffix('}')?.strip_prefix("{\"type\":\"")?;
        let (name, rest) = rest.split_once("\",\"payload\":")?;
        let kind = EventType::from_name(name)?;
        // The text of a line that was cut off says so.
        let text = kind == EventType::Raw && rest.starts_with("{\"text\":");
        if says_only_its_type(kind) && !text && !self.fold.dedupes() {
            self.fold.event(kind, Value::MISSING, None, None);
            return Some(());
        }
        let (payload, length) = self.doc.parse_prefix(rest)?;
        let mut rest = rest.get(length..)?;
        let mut line = None;
        let mut time = None;
        if let Some(behind) = rest.strip_prefix(",\"line\":") {
            let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
            line = Some(behind.get(..end)?.parse().ok()?);
            rest = behind.get(end..)?;
        }
        if let Some(behind) = rest.strip_prefix(",\"time\":\"") {
            let (text, behind) = behind.split_once('"')?;
            time = Some(text);
            rest = behind;
        }
        if !(rest.is_empty() || rest.starts_with(",\"source\":\"")) {
            return None;
        }
        self.fold.event(kind, payload, line, time);
        Some(())
    }
}

fn kind(name: Value<'_>) -> Option<EventType> {
    name.decode().and_then(|name| EventType::from_name(&name))
}
