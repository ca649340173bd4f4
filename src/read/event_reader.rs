//! Streams of either kind: what the filter wrote is read directly, anything else is normalized on the
//! way. The first line that holds an object tells which.

use std::path::Path;

use crate::format::event::EventType;
use crate::format::sourced::Sourced;
use crate::input::lines::{Line, Lines};
use crate::input::text;
use crate::json::{Doc, Str, Value};
use crate::read::options::Options;
use crate::read::reader::Reader;
use crate::read::verdict::Form;

/// The step of reading in bytes.
const READ: usize = 256 << 10;

/// An event as a reader of events meets it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) kind: EventType,
    pub(crate) payload: Value<'a>,
    pub(crate) line: Option<u64>,
    /// The session that the event belongs to, as it is written between the quotes.
    pub(crate) session: Option<&'a str>,
    pub(crate) time: Option<&'a str>,
    /// The event was stored, or handed over: its stream may be one of several in the input.
    pub(crate) is_stored: bool,
}

/// Reads events.
pub(crate) trait Visit {
    fn event(&mut self, seen: Seen<'_>);

    /// Whether the payload, of which `start` is the start, need not be read: the type says enough.
    fn skips(&self, kind: EventType, start: &str) -> bool;

    /// The stream ended. `form`: what was read, where that is known of more than its events.
    fn end_stream(&mut self, form: Option<Form>);
}

/// Reads streams, one after the other, and hands their events to a visitor.
#[derive(Debug)]
pub(crate) struct EventReader<V> {
    options: Options,
    lines: Lines,
    reader: Reader,
    /// Whether the stream holds records of ours. Until an object comes that is open, and what came
    /// before it is read like a raw stream.
    ours: Option<bool>,
    records: Records<V>,
}

#[derive(Debug)]
struct Records<V> {
    doc: Doc,
    visitor: V,
}

impl<V: Visit> EventReader<V> {
    pub(crate) fn new(options: Options, visitor: V) -> Self {
        Self {
            lines: Lines::new(READ, options.max_line),
            reader: Reader::new(options.clone()),
            ours: None,
            records: Records { doc: Doc::default(), visitor },
            options,
        }
    }

    pub(crate) fn visitor(&mut self) -> &mut V {
        &mut self.records.visitor
    }

    pub(crate) fn into_visitor(self) -> V {
        self.records.visitor
    }

    /// Says that the stream that comes next is the file at `path`.
    pub(crate) fn begin_file(&mut self, path: &Path) {
        self.reader.begin_file(path);
    }

    /// Space to read the next bytes into. [`EventReader::filled`] must follow.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        self.lines.space()
    }

    /// Says that `count` bytes of [`EventReader::space`] hold input, and reads them.
    pub(crate) fn filled(&mut self, count: usize) {
        self.lines.filled(count);
        self.drain();
    }

    /// Takes an event in; `payload` is its JSON text.
    pub(crate) fn event(&mut self, kind: EventType, payload: &str) {
        let payload = self.records.doc.parse(payload).unwrap_or(Value::MISSING);
        self.records.visitor.event(Seen {
            kind,
            payload,
            line: None,
            session: None,
            time: None,
            is_stored: true,
        });
    }

    /// Takes in the events of a line that was normalized elsewhere.
    #[cfg(feature = "show")]
    pub(crate) fn sourced(&mut self, line: Sourced<'_>) {
        self.records.sourced(line);
    }

    /// Ends a stream. What is read next is the start of another.
    pub(crate) fn end_stream(&mut self) {
        let mut lines = std::mem::replace(&mut self.lines, Lines::new(READ, self.options.max_line));
        if let Some(line) = lines.rest() {
            self.line(line);
        }
        let mut form = None;
        if self.ours != Some(true) {
            self.reader.finish(&mut |line| self.records.sourced(line));
            form = Some(self.reader.form());
        }
        #[cfg(feature = "redact")]
        if self.ours == Some(true) {
            let records = &mut self.records;
            self.reader.redacted_rests(&mut |line| records.line(&text::decode(line)));
        }
        self.records.visitor.end_stream(form);
        self.reader = Reader::new(self.options.clone());
        self.ours = None;
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
            let records = &mut self.records;
            let mut each = |line: &[u8]| records.line(&text::decode(text::trim(line)));
            #[cfg(feature = "redact")]
            if self.reader.redact_payloads(line.bytes, &mut each) {
                return;
            }
            each(line.bytes);
        }
    }
}

impl<V: Visit> Records<V> {
    /// Whether the line is a record of ours; `None` when it holds no object.
    fn are_ours(&mut self, bytes: &[u8]) -> Option<bool> {
        let text = text::decode(text::trim(bytes));
        let record = self.doc.parse(&text).filter(|value| value.is_object())?;
        Some(kind(record.get("type")).is_some() && record.get("payload").is_object())
    }

    fn sourced(&mut self, line: Sourced<'_>) {
        for (kind, payload, session) in line.with_sessions() {
            let session = session.and_then(unquoted);
            let payload = text::decode(payload);
            let payload = if self.visitor.skips(kind, &payload) {
                Value::MISSING
            } else {
                self.doc.parse(&payload).unwrap_or(Value::MISSING)
            };
            self.visitor.event(Seen {
                kind,
                payload,
                line: line.line,
                session,
                time: line.time,
                is_stored: false,
            });
        }
    }

    /// A record of ours, in the form that the emitter writes or in any other.
    fn line(&mut self, record: &str) {
        if self.written(record).is_none()
            && let Some(value) = self.doc.parse(record)
        {
            let [kind_name, payload, line, session, time] =
                value.pick(["type", "payload", "line", "sessionId", "time"]);
            if let Some(kind) = kind(kind_name) {
                let time = time.decode();
                let time = time.as_deref();
                let session = session.str().map(Str::raw);
                self.visitor.event(Seen {
                    kind,
                    payload,
                    line: line.count(),
                    session,
                    time,
                    is_stored: true,
                });
            }
        }
    }

    /// A record as the emitter writes it. It ends with the source, which is most of it and which
    /// nobody here asks for: reading stops in front of it. So it does in front of a payload that is
    /// not asked for.
    fn written(&mut self, record: &str) -> Option<()> {
        let rest = record.strip_suffix('}')?.strip_prefix("{\"type\":\"")?;
        let (name, rest) = rest.split_once("\",\"payload\":")?;
        let kind = EventType::from_name(name)?;
        if self.visitor.skips(kind, rest) {
            self.visitor.event(Seen {
                kind,
                payload: Value::MISSING,
                line: None,
                session: None,
                time: None,
                is_stored: true,
            });
            return Some(());
        }
        let (payload, length) = self.doc.parse_prefix(rest).ok()?;
        let mut rest = rest.get(length..)?;
        let mut line = None;
        if let Some(behind) = rest.strip_prefix(",\"line\":") {
            let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
            line = Some(behind.get(..end)?.parse().ok()?);
            rest = behind.get(end..)?;
        }
        let session = string(&mut rest, ",\"sessionId\":\"").ok()?;
        string(&mut rest, ",\"file\":\"").ok()?;
        if let Some(behind) = rest.strip_prefix(",\"redacted\":") {
            rest = behind.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        let time = string(&mut rest, ",\"time\":\"").ok()?;
        if !(rest.is_empty() || rest.starts_with(",\"source\":\"")) {
            return None;
        }
        self.visitor.event(Seen { kind, payload, line, session, time, is_stored: true });
        Some(())
    }
}

/// Takes the string off that stands behind `key` in front of `rest`, as it is written. Fails where it
/// holds an escape: then the record is read as a whole.
fn string<'a>(rest: &mut &'a str, key: &str) -> Result<Option<&'a str>, Escaped> {
    let Some(behind) = rest.strip_prefix(key) else { return Ok(None) };
    let (text, behind) = behind.split_once('"').ok_or(Escaped)?;
    *rest = behind;
    if text.contains('\\') { Err(Escaped) } else { Ok(Some(text)) }
}

/// A string whose end is not where the next quote is.
struct Escaped;

/// Takes the quotes off a JSON string.
pub(crate) fn unquoted(string: &[u8]) -> Option<&str> {
    str::from_utf8(string).ok()?.strip_prefix('"')?.strip_suffix('"')
}

fn kind(name: Value<'_>) -> Option<EventType> {
    name.decode().and_then(|name| EventType::from_name(&name))
}
