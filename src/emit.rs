//! Events to JSON lines.

use std::io::{self, Write};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use json_escape_simd::escape_into;

use crate::batch::Batch;
use crate::event::{Code, EventType, Level, Notice};
use crate::normalize::{Source, Sourced};
use crate::write::Text;

/// Output is handed on in pieces of about this size, in bytes.
const PIECE: usize = 256 << 10;

/// Writes events as JSON lines. A line's source is escaped once, however many events it has.
///
/// After the first error nothing is written any more; [`Emitter::flush`] reports it.
#[derive(Debug)]
pub struct Emitter<W: Write> {
    out: W,
    buf: Vec<u8>,
    source: Vec<u8>,
    with_source: bool,
    budget: Option<u64>,
    events: u64,
    /// Lines of which some event was over the budget.
    left_out: u64,
    error: Option<io::Error>,
}

impl<W: Write> Emitter<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self {
            out,
            buf: Vec::with_capacity(PIECE * 2),
            source: Vec::new(),
            with_source: true,
            budget: None,
            events: 0,
            left_out: 0,
            error: None,
        }
    }

    /// Leaves the lines out of the records.
    #[must_use]
    pub fn without_source(mut self, without: bool) -> Self {
        self.with_source = !without;
        self
    }

    /// Writes at most `budget` events, and in the end one that says how many lines were left out.
    #[must_use]
    pub fn budget(mut self, budget: Option<u64>) -> Self {
        self.budget = budget;
        self
    }

    /// Whether writing failed.
    pub fn is_broken(&self) -> bool {
        self.error.is_some()
    }

    /// Writes the events of a line.
    pub fn write(&mut self, line: Sourced<'_>) {
        if self.error.is_some() {
            return;
        }
        if let Some(record) = line.stored {
            if self.spend() {
                self.buf.extend_from_slice(record.as_bytes());
                self.buf.push(b'\n');
            } else {
                self.left_out += 1;
            }
        } else {
            self.source.clear();
            let mut cut = false;
            for (kind, payload) in line.events() {
                // The budget is for the harness's lines, not for what is said of them.
                if line.line.is_none() || self.spend() {
                    self.record(kind, payload, &line);
                } else {
                    cut = true;
                }
            }
            self.left_out += u64::from(cut);
        }
        if self.buf.len() >= PIECE {
            self.hand_on();
        }
    }

    /// Says how many lines the budget left out, if any.
    pub fn finish(&mut self) {
        if self.left_out == 0 || self.error.is_some() {
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
        for (kind, payload) in batch.events() {
            self.record(kind, payload, &Sourced::made_up(&batch));
        }
    }

    /// Hands everything on. Call it before waiting for input.
    pub fn flush(&mut self) -> io::Result<()> {
        self.hand_on();
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
        match &self.error {
            None => Ok(()),
            Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }

    fn spend(&mut self) -> bool {
        self.events += 1;
        self.budget.is_none_or(|budget| self.events <= budget)
    }

    fn record(&mut self, kind: EventType, payload: &[u8], line: &Sourced<'_>) {
        self.buf.extend_from_slice(b"{\"type\":\"");
        self.buf.extend_from_slice(kind.name().as_bytes());
        self.buf.extend_from_slice(b"\",\"payload\":");
        self.buf.extend_from_slice(payload);
        if let Some(number) = line.line {
            self.buf.extend_from_slice(b",\"line\":");
            self.buf.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        }
        if let Some(time) = line.time {
            self.buf.extend_from_slice(b",\"time\":\"");
            self.buf.extend_from_slice(time.as_bytes());
            self.buf.push(b'"');
        }
        if let Some(source) = line.source.filter(|_| self.with_source) {
            self.source(source);
        }
        self.buf.extend_from_slice(b"}\n");
    }

    fn source(&mut self, source: Source<'_>) {
        if self.source.is_empty() {
            self.source.extend_from_slice(b",\"source\":");
            escape_into(source.text, &mut self.source);
            if let Some(bytes) = source.bytes {
                self.source.extend_from_slice(b",\"sourceBytes\":\"");
                self.source.extend_from_slice(BASE64_STANDARD.encode(bytes).as_bytes());
                self.source.push(b'"');
            }
            if source.truncated {
                self.source.extend_from_slice(b",\"sourceTruncated\":true");
            }
        }
        if self.source.len() < PIECE {
            self.buf.extend_from_slice(&self.source);
        } else {
            // A long line is not copied once more for each of its events.
            self.hand_on();
            if self.error.is_none() {
                self.error = self.out.write_all(&self.source).err();
            }
        }
    }

    fn hand_on(&mut self) {
        if self.error.is_none() {
            self.error = self.out.write_all(&self.buf).err();
        }
        self.buf.clear();
        if self.buf.capacity() > PIECE * 8 {
            self.buf.shrink_to(PIECE * 2);
        }
    }
}
