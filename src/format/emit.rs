//! Events to JSON lines.

use std::io::{self, Write};
use std::ops::Range;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use json_escape_simd::escape_into;

use crate::format::batch::Batch;
use crate::format::event::{Code, EventType, Level, Notice};
use crate::format::out::Out;
use crate::format::sourced::{Source, Sourced, Stored};
use crate::format::write::Text;
use crate::limits::MAX_SOURCES;

/// Output is handed on in pieces of about this size, in bytes.
const PIECE: usize = 256 << 10;

/// Writes events as JSON lines. A line's source is escaped once, however many events it has.
///
/// After the first error nothing is written any more; [`Emitter::flush`] and [`Emitter::finish`] report
/// it. An emitter that is dropped writes what it still holds, but then nobody learns of an error.
///
/// ```
/// use agentnorm::{Emitter, Normalizer, Options, Protocol};
///
/// let mut emitter = Emitter::new(Vec::new());
/// let mut normalizer = Normalizer::new(Options::new(Protocol::None));
/// normalizer.push(b"Done.\n", &mut |line| emitter.write(line));
/// normalizer.finish(&mut |line| emitter.write(line));
/// let out = emitter.finish()?;
/// assert_eq!(
///     String::from_utf8_lossy(&out),
///     r#"{"type":"raw","payload":{"text":"Done.","truncated":false},"line":1,"source":"Done."}"#.to_owned() + "\n"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "call finish, which reports the first error of writing"]
pub struct Emitter<W: Write> {
    out: Out<W>,
    buf: Vec<u8>,
    /// Where in `buf` the line's source stands already.
    escaped: Option<Range<usize>>,
    /// A long line's source.
    long: Vec<u8>,
    with_source: bool,
    /// The member that names the input's file, as written; empty where none is asked for.
    file: Vec<u8>,
    budget: Option<u64>,
    events: u64,
    /// Lines of which some event was over the budget.
    left_out: u64,
}

impl<W: Write> Emitter<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self {
            out: Out::new(out),
            buf: Vec::with_capacity(PIECE * 2),
            escaped: None,
            long: Vec::new(),
            with_source: true,
            file: Vec::new(),
            budget: None,
            events: 0,
            left_out: 0,
        }
    }

    /// Says whether the records carry the lines they came from, which they do unless told otherwise.
    pub fn source(mut self, wanted: bool) -> Self {
        self.with_source = wanted;
        self
    }

    /// Writes at most `budget` events, and in the end one that says how many lines were left out.
    pub fn budget(mut self, budget: impl Into<Option<u64>>) -> Self {
        self.budget = budget.into();
        self
    }

    /// Names the file that the lines from here on come from: each record carries it. An empty name is
    /// none.
    pub fn file(&mut self, name: &str) {
        self.file.clear();
        if !name.is_empty() {
            self.file.extend_from_slice(b",\"file\":");
            escape_into(name, &mut self.file);
        }
    }

    /// Whether writing failed.
    pub fn is_broken(&self) -> bool {
        self.out.is_broken()
    }

    /// Writes the events of a line.
    pub fn write(&mut self, line: Sourced<'_>) {
        if self.out.is_broken() {
            return;
        }
        if let Some(Stored { record, .. }) = line.stored() {
            if self.spend() {
                self.buf.extend_from_slice(record.as_bytes());
                self.buf.push(b'\n');
            } else {
                self.left_out += 1;
            }
        } else {
            let mut cut = false;
            for (at, (kind, payload, session)) in line.with_sessions().enumerate() {
                // The budget is for the harness's lines, not for what is said of them.
                if line.line.is_none() || self.spend() {
                    self.record(kind, payload, session, at < MAX_SOURCES, &line);
                    // A line of many events must not pile up its copies.
                    if self.buf.len() >= PIECE * 4 {
                        self.hand_on();
                        self.escaped = None;
                    }
                } else {
                    cut = true;
                }
            }
            self.left_out += u64::from(cut);
            self.escaped = None;
            self.long.clear();
            self.long.shrink_to(PIECE * 8);
        }
        if self.buf.len() >= PIECE {
            self.hand_on();
        }
    }

    /// Says how many lines the budget left out, if any, hands everything on, and gives the output
    /// back.
    ///
    /// # Errors
    ///
    /// The first error of writing.
    pub fn finish(mut self) -> io::Result<W> {
        self.conclude();
        self.hand_on();
        self.out.finish()
    }

    fn conclude(&mut self) {
        if self.left_out == 0 || self.out.is_broken() {
            return;
        }
        let mut batch = Batch::new(0, true);
        let lines = if self.left_out == 1 { "line was" } else { "lines were" };
        batch.push(Notice {
            level: Level::Warning,
            code: Code::BudgetExhausted,
            message: Some(Text::from(format!("{} {lines} not normalized", self.left_out))),
            ..Notice::default()
        });
        for (kind, payload, session) in batch.events() {
            self.record(kind, payload, session, false, &Sourced::made_up(&batch));
        }
        self.left_out = 0;
    }

    /// Hands everything on. Call it before waiting for input.
    ///
    /// # Errors
    ///
    /// The first error of writing, each time.
    pub fn flush(&mut self) -> io::Result<()> {
        self.hand_on();
        self.out.flush()
    }

    fn spend(&mut self) -> bool {
        self.events += 1;
        self.budget.is_none_or(|budget| self.events <= budget)
    }

    fn record(
        &mut self,
        kind: EventType,
        payload: &[u8],
        session: Option<&[u8]>,
        source: bool,
        line: &Sourced<'_>,
    ) {
        self.buf.extend_from_slice(b"{\"type\":\"");
        self.buf.extend_from_slice(kind.name().as_bytes());
        self.buf.extend_from_slice(b"\",\"payload\":");
        self.buf.extend_from_slice(payload);
        if let Some(number) = line.line {
            self.buf.extend_from_slice(b",\"line\":");
            self.buf.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        }
        if let Some(session) = session {
            self.buf.extend_from_slice(b",\"sessionId\":");
            self.buf.extend_from_slice(session);
        }
        if !self.file.is_empty() {
            self.buf.extend_from_slice(&self.file);
        }
        if let Some(redacted) = line.source.map(|source| source.redacted).filter(|n| *n > 0) {
            self.buf.extend_from_slice(b",\"redacted\":");
            self.buf.extend_from_slice(itoa::Buffer::new().format(redacted).as_bytes());
        }
        if let Some(time) = line.time {
            self.buf.extend_from_slice(b",\"time\":\"");
            self.buf.extend_from_slice(time.as_bytes());
            self.buf.push(b'"');
        }
        if let Some(source) = line.source.filter(|_| source && self.with_source) {
            self.write_source(source);
        }
        self.buf.extend_from_slice(b"}\n");
    }

    fn write_source(&mut self, source: Source<'_>) {
        if source.text.len() >= PIECE {
            return self.long_source(source);
        }
        // It is escaped once, where it is needed first, and copied from there.
        if let Some(range) = self.escaped.clone() {
            self.buf.extend_from_within(range);
        } else {
            let start = self.buf.len();
            escape(source, &mut self.buf);
            self.escaped = Some(start..self.buf.len());
        }
    }

    /// A long line is not copied once more for each of its events.
    fn long_source(&mut self, source: Source<'_>) {
        if self.long.is_empty() {
            escape(source, &mut self.long);
        }
        self.hand_on();
        self.out.write(&self.long);
    }

    fn hand_on(&mut self) {
        self.out.write(&self.buf);
        self.buf.clear();
        if self.buf.capacity() > PIECE * 8 {
            self.buf.shrink_to(PIECE * 2);
        }
    }
}

impl<W: Write> Drop for Emitter<W> {
    fn drop(&mut self) {
        self.conclude();
        // There is nobody left to report an error to.
        let _ = self.flush();
    }
}

/// Writes a source and what belongs to it, as members of a record.
fn escape(source: Source<'_>, buf: &mut Vec<u8>) {
    buf.extend_from_slice(b",\"source\":");
    escape_into(source.text, buf);
    if let Some(bytes) = source.bytes {
        buf.extend_from_slice(b",\"sourceBytes\":\"");
        buf.extend_from_slice(BASE64_STANDARD.encode(bytes).as_bytes());
        buf.push(b'"');
    }
    if source.truncated {
        buf.extend_from_slice(b",\"sourceTruncated\":true");
    }
}
