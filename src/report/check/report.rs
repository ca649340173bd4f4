//! Streams to reports.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;

use super::count::{Count, UnknownTool};
use super::label;
use super::pairs::Pairs;
use super::tools::Names;
use crate::adapter::Protocol;
use crate::format::event::EventType;
use crate::format::sourced::Sourced;
use crate::input::lines::Lines;
use crate::input::text;
use crate::json::{Doc, Value};
use crate::limits::{MAX_DISAGREEMENTS, MAX_TYPES};
use crate::read::event_reader::{Seen, unquoted};
use crate::read::feed::Feed;
use crate::read::normalize::Options;
use crate::read::reader::Reader;
use crate::read::verdict::Form;
use crate::report::summary::{COUNTERS, Fold};

/// The step of reading in bytes.
const READ: usize = 256 << 10;
/// What plain text among the records is called.
const TEXT: &str = "(text)";

/// A type of record or block that was not mapped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unmapped {
    /// What the record says it is.
    pub kind: String,
    /// What the thing in it says it is.
    pub subtype: Option<String>,
    /// How often, and where first.
    pub met: Count,
}

/// A session whose calls do not add up to what the harness states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disagreement {
    /// The stream.
    pub file: String,
    /// The session.
    pub session_id: Option<String>,
    /// The counter.
    pub counter: &'static str,
    /// The sum of the calls.
    pub calls: u64,
    /// The running total.
    pub session: u64,
}

/// How well the streams of a dialect are understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DialectReport {
    /// The dialect; `None` when it was not found out.
    pub dialect: Option<Protocol>,
    /// Streams.
    pub files: u64,
    /// Lines that are not blank.
    pub lines: u64,
    /// Lines of which nothing was left unmapped.
    pub mapped_lines: u64,
    /// Events, pieces of partial text not counted.
    pub events: u64,
    /// What has no place here, as far as anyone knows: the adapter does not know it.
    pub unmapped: Vec<Unmapped>,
    /// What the dialect is known to print and what carries nothing for the vocabulary.
    pub left_raw: Vec<Unmapped>,
    /// Tools that the dialect's table does not know. They are read all the same, without `kind`.
    pub unknown_tools: Vec<UnknownTool>,
    /// Broken records: lines that start like JSON and are none that can be read.
    pub malformed: Count,
    /// Calls without a result.
    pub calls_without_result: u64,
    /// Results without a call.
    pub results_without_call: u64,
    /// Streams whose last word is no end, though the dialect has one.
    pub missing_ends: Count,
    /// Sessions whose calls and total differ.
    pub disagreements: Vec<Disagreement>,
}

impl DialectReport {
    /// Whether every line was understood.
    pub fn is_understood(&self) -> bool {
        self.unmapped.is_empty()
            && self.malformed.count == 0
            && (self.dialect.is_some() || self.lines == 0)
    }
}

/// How well streams are understood, dialect by dialect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// One report a dialect, in the order of the table.
    pub dialects: Vec<DialectReport>,
}

impl Report {
    /// Whether every line was understood.
    pub fn is_understood(&self) -> bool {
        self.dialects.iter().all(DialectReport::is_understood)
    }
}

/// Reads streams and says how well they are understood.
///
/// ```
/// use agentnorm::check::Checker;
/// use agentnorm::{Feed, Options, Protocol};
///
/// let mut checker = Checker::new(Options::new(Protocol::Jsonl));
/// checker.begin_stream("stream.jsonl");
/// checker.push(b"{\"type\":\"message\",\"role\":\"user\",\"text\":\"Hi\"}\n{\"type\":\"news\"}\n");
/// checker.end_stream();
/// let report = checker.finish();
/// assert_eq!(report.dialects[0].unmapped[0].kind, "news");
/// assert!(!report.is_understood());
/// ```
#[derive(Debug)]
pub struct Checker {
    options: Options,
    /// What the stream is called.
    file: String,
    lines: Lines,
    reader: Reader,
    stream: Stream,
    dialects: BTreeMap<usize, Merged>,
}

type Types = BTreeMap<(String, Option<String>), Count>;

#[derive(Debug, Default)]
struct Merged {
    report: DialectReport,
    tools: Names,
    types: Types,
}

/// What is known of the stream that is being read.
#[derive(Debug)]
struct Stream {
    doc: Doc,
    report: DialectReport,
    types: Types,
    tools: Names,
    pairs: Pairs,
    fold: Fold,
    /// The line that was looked at last, and whether something of it was not mapped.
    line: u64,
    unmapped_line: bool,
}

impl Checker {
    /// Reads streams as `options` say. Partial text is not looked at.
    pub fn new(options: Options) -> Self {
        let mut options = options;
        options.deltas = false;
        options.stamp = false;
        Self {
            file: String::new(),
            lines: Lines::new(READ, options.max_line),
            reader: Reader::new(options.clone()),
            stream: Stream::new(),
            dialects: BTreeMap::new(),
            options,
        }
    }

    fn drain(&mut self) {
        while let Some(line) = self.lines.next_line() {
            let blank = text::trim(line.bytes).is_empty() && line.oversized.is_none();
            self.stream.begin(line.number, blank);
            self.reader.line(line, None, &mut |sourced| self.stream.sourced(&sourced));
        }
    }

    /// The report.
    pub fn finish(self) -> Report {
        Report { dialects: self.dialects.into_values().map(Merged::report).collect() }
    }
}

impl Feed for Checker {
    type Error = Infallible;

    fn begin_stream(&mut self, name: &str) {
        name.clone_into(&mut self.file);
    }

    fn begin_file(&mut self, path: &Path) {
        self.begin_stream(&path.display().to_string());
        self.reader.begin_file(path);
    }

    fn space(&mut self) -> &mut [u8] {
        self.lines.space()
    }

    fn filled(&mut self, count: usize) {
        self.lines.filled(count);
        self.drain();
    }

    fn end_stream(&mut self) {
        if let Some(line) = self.lines.rest() {
            self.stream.begin(line.number, text::trim(line.bytes).is_empty());
            self.reader.line(line, None, &mut |sourced| self.stream.sourced(&sourced));
        }
        self.reader.finish(&mut |sourced| self.stream.sourced(&sourced));
        let protocol = self.reader.protocol();
        let mut stream = std::mem::replace(&mut self.stream, Stream::new());
        stream.end(self.reader.form(), self.reader.outcome().ended);
        let row = Protocol::ALL.iter().position(|p| *p == protocol).unwrap_or_default();
        let known = !matches!(protocol, Protocol::Auto | Protocol::None);
        let merged = self.dialects.entry(row).or_default();
        merged.report.dialect = known.then_some(protocol);
        merged.add(stream, &self.file);
        self.file.clear();
        self.lines = Lines::new(READ, self.options.max_line);
        self.reader = Reader::new(self.options.clone());
    }
}

impl Stream {
    fn new() -> Self {
        Self {
            doc: Doc::default(),
            report: DialectReport { files: 1, ..DialectReport::default() },
            types: Types::new(),
            tools: Names::default(),
            pairs: Pairs::default(),
            fold: Fold::new(false),
            line: 0,
            unmapped_line: false,
        }
    }

    /// The next line is read.
    fn begin(&mut self, number: u64, blank: bool) {
        self.settle_line();
        self.line = number;
        self.report.lines += u64::from(!blank);
        self.report.mapped_lines += u64::from(!blank);
    }

    fn settle_line(&mut self) {
        self.report.mapped_lines -= u64::from(self.unmapped_line);
        self.unmapped_line = false;
    }

    fn sourced(&mut self, line: &Sourced<'_>) {
        let mut doc = std::mem::take(&mut self.doc);
        for (kind, payload, session) in line.with_sessions() {
            let payload = text::decode(payload);
            let payload = doc.parse(&payload).unwrap_or(Value::MISSING);
            let session = session.and_then(unquoted);
            let (line, time, is_stored) = (line.line, line.time, false);
            self.event(Seen { kind, payload, line, session, time, is_stored });
        }
        self.doc = doc;
    }

    fn event(&mut self, seen: Seen<'_>) {
        let Seen { kind, payload, .. } = seen;
        self.report.events += 1;
        if kind == EventType::SessionStarted && payload.get("turn").count().is_none() {
            self.pairs.end();
        }
        self.pairs.event(kind, payload);
        self.tools.event(kind, payload, self.line);
        self.fold.event(seen);
        if kind == EventType::Raw {
            self.unmapped_line = true;
            self.raw(payload);
        }
    }

    fn raw(&mut self, payload: Value<'_>) {
        let [json, text] = payload.pick(["json", "text"]);
        let mut doc = Doc::default();
        let text = text.decode().unwrap_or_default();
        // JSON that is not strict is kept as text.
        let record = if json.is_object() { Some(json) } else { doc.parse(&text) };
        let met = match record.filter(|record| record.is_object()) {
            Some(record) => {
                let key = label::of(record);
                let full = self.types.len() >= MAX_TYPES && !self.types.contains_key(&key);
                let key = if full { ("(other)".to_owned(), None) } else { key };
                self.types.entry(key).or_default()
            }
            // What was meant as a record is broken; anything else is plain text.
            None if text.starts_with(['{', '[']) => &mut self.report.malformed,
            None => self.types.entry((TEXT.to_owned(), None)).or_default(),
        };
        met.count += 1;
        if met.count == 1 {
            met.line = self.line;
        }
    }

    fn end(&mut self, form: Form, ended: bool) {
        self.settle_line();
        self.pairs.end();
        self.report.calls_without_result = self.pairs.calls_without_result;
        self.report.results_without_call = self.pairs.results_without_call;
        if form.has_end && !ended && self.report.lines > 0 {
            self.report.missing_ends = Count { count: 1, line: self.line, ..Count::default() };
        }
        let mut fold = std::mem::replace(&mut self.fold, Fold::new(false));
        fold.end_stream(Some(form));
        for session in fold.finish().sessions {
            let usage = session.usage;
            let counts = COUNTERS.into_iter().zip(usage.calls.counts()).zip(usage.stated.counts());
            for ((counter, calls), stated) in counts {
                if let (Some(calls), Some(stated)) = (calls, stated)
                    && calls != stated
                {
                    self.report.disagreements.push(Disagreement {
                        file: String::new(),
                        session_id: session.session_id.clone(),
                        counter,
                        calls,
                        session: stated,
                    });
                }
            }
        }
    }
}

impl Merged {
    fn add(&mut self, stream: Stream, file: &str) {
        let (mine, other) = (&mut self.report, stream.report);
        mine.files += other.files;
        mine.lines += other.lines;
        mine.mapped_lines += other.mapped_lines;
        mine.events += other.events;
        mine.calls_without_result += other.calls_without_result;
        mine.results_without_call += other.results_without_call;
        mine.malformed.add(&other.malformed, file);
        mine.missing_ends.add(&other.missing_ends, file);
        self.tools.merge(&stream.tools, file);
        for (key, met) in &stream.types {
            self.types.entry(key.clone()).or_default().add(met, file);
        }
        let room = MAX_DISAGREEMENTS - mine.disagreements.len().min(MAX_DISAGREEMENTS);
        let named = |d: Disagreement| Disagreement { file: file.to_owned(), ..d };
        mine.disagreements.extend(other.disagreements.into_iter().take(room).map(named));
    }

    fn report(mut self) -> DialectReport {
        let known = self.report.dialect.map_or(&[][..], |p| p.dialect().left_raw);
        if let Some(dialect) = self.report.dialect {
            self.report.unknown_tools = self.tools.unknown(dialect);
        }
        for ((kind, subtype), met) in self.types {
            let full = subtype.as_ref().map(|sub| format!("{kind}/{sub}"));
            let left = known.iter().any(|name| *name == kind || full.as_deref() == Some(name));
            let list = if left { &mut self.report.left_raw } else { &mut self.report.unmapped };
            list.push(Unmapped { kind, subtype, met });
        }
        self.report
    }
}
