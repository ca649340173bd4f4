//! Bytes to lines. A line ends at byte 0x0A and nowhere else; this module knows no JSON.
//!
//! [`Lines`] owns the read buffer. Each byte is searched for a newline once, and memory is bounded
//! by the line limit: of a longer line only the head is kept, and its length is counted.

use crate::limits::LINE_HEAD;
use memchr::memchr;

/// The smallest free space that is worth a read.
const MIN_READ: usize = 64 << 10;

/// One line of input without its line feed.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// The line's number, from 1. Blank lines count.
    pub number: u64,
    /// The bytes between the line feeds; of an oversized line its head.
    pub bytes: &'a [u8],
    /// The length in bytes of a line that was over the limit.
    pub oversized: Option<u64>,
    /// Whether a line feed ended the line; false only for the last one of the input.
    pub terminated: bool,
}

/// A push splitter: fill its buffer, take whole lines out.
#[derive(Debug)]
pub struct Lines {
    buf: Vec<u8>,
    /// Where the pending line starts.
    start: usize,
    /// Up to where the pending line was searched for a newline.
    scanned: usize,
    /// Where the bytes that were read end.
    end: usize,
    limit: usize,
    number: u64,
    /// Bytes of the pending oversized line that were thrown away.
    dropped: u64,
}

impl Lines {
    /// A splitter that reads in steps of `capacity` bytes and cuts lines over `limit` bytes.
    pub fn new(capacity: usize, limit: usize) -> Self {
        let buf = vec![0; capacity.max(MIN_READ)];
        Self { buf, start: 0, scanned: 0, end: 0, limit, number: 0, dropped: 0 }
    }

    /// Free space to read into. Call [`Lines::filled`] with the number of bytes that were read.
    pub fn space(&mut self) -> &mut [u8] {
        if self.start > 0 && (self.start == self.end || self.buf.len() - self.end < MIN_READ) {
            self.buf.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.scanned -= self.start;
            self.start = 0;
        }
        if self.buf.len() - self.end < MIN_READ {
            let most = self.limit.saturating_add(LINE_HEAD + MIN_READ);
            let len = (self.buf.len() * 2).min(most.max(self.end + MIN_READ));
            self.buf.resize(len, 0);
        }
        self.buf.get_mut(self.end..).unwrap_or_default()
    }

    /// Says that `count` bytes of [`Lines::space`] now hold input.
    pub fn filled(&mut self, count: usize) {
        self.end = (self.end + count).min(self.buf.len());
    }

    /// Copies `bytes` in as far as there is room, and returns those that must be pushed again when the
    /// lines are taken out.
    ///
    /// ```
    /// let mut bytes: &[u8] = b"one\ntwo\n";
    /// let (mut lines, mut count) = (agentnorm::Lines::new(0, 100), 0);
    /// while !bytes.is_empty() {
    ///     bytes = lines.push(bytes);
    ///     while lines.next_line().is_some() {
    ///         count += 1;
    ///     }
    /// }
    /// assert_eq!(count, 2);
    /// ```
    #[must_use = "what did not fit must be pushed again"]
    pub fn push<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let space = self.space();
        let (taken, rest) = bytes.split_at(bytes.len().min(space.len()));
        if let Some(to) = space.get_mut(..taken.len()) {
            to.copy_from_slice(taken);
        }
        self.filled(taken.len());
        rest
    }

    /// The next whole line, or `None` when more input is needed.
    pub fn next_line(&mut self) -> Option<Line<'_>> {
        let pending = self.buf.get(self.scanned..self.end)?;
        let Some(at) = memchr(b'\n', pending) else {
            self.starve();
            return None;
        };
        let newline = self.scanned + at;
        let from = self.start;
        let length = (newline - from) as u64 + self.dropped;
        self.start = newline + 1;
        self.scanned = self.start;
        Some(self.line(from, newline, length, true))
    }

    /// What is left when the input has ended: the bytes after the last line feed, if there are any.
    pub fn rest(&mut self) -> Option<Line<'_>> {
        if self.start == self.end {
            return None;
        }
        let (from, to) = (self.start, self.end);
        let length = (to - from) as u64 + self.dropped;
        self.start = self.end;
        self.scanned = self.end;
        Some(self.line(from, to, length, false))
    }

    /// Remembers that no newline is pending, and lets go of what is over the limit.
    fn starve(&mut self) {
        let kept = self.end - self.start;
        if self.dropped > 0 || kept > self.limit {
            let head = kept.min(LINE_HEAD);
            self.dropped += (kept - head) as u64;
            self.end = self.start + head;
        }
        self.scanned = self.end;
    }

    fn line(&mut self, from: usize, to: usize, length: u64, terminated: bool) -> Line<'_> {
        self.number += 1;
        let oversized = self.dropped > 0 || length > self.limit as u64;
        self.dropped = 0;
        let to = if oversized { to.min(from + LINE_HEAD) } else { to };
        Line {
            number: self.number,
            bytes: self.buf.get(from..to).unwrap_or_default(),
            oversized: oversized.then_some(length),
            terminated,
        }
    }
}

/// The whole lines of `bytes`, and how many bytes they and their line feeds take.
///
/// Only what stands before the last line feed is consumed: a record that is split across two reads
/// is read once, whole. Line feeds are not part of the lines.
///
/// ```
/// let (lines, consumed) = agentnorm::split_complete_lines(b"{\"a\":1}\n{\"b\"");
/// assert_eq!(lines, [b"{\"a\":1}"]);
/// assert_eq!(consumed, 8);
/// ```
pub fn split_complete_lines(bytes: &[u8]) -> (Vec<&[u8]>, usize) {
    let mut lines = Vec::new();
    let mut consumed = 0;
    while let Some(rest) = bytes.get(consumed..) {
        let Some(at) = memchr(b'\n', rest) else { break };
        lines.push(rest.get(..at).unwrap_or_default());
        consumed += at + 1;
    }
    (lines, consumed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(input: &[u8], step: usize, limit: usize) -> Vec<(u64, Vec<u8>, Option<u64>, bool)> {
        let mut lines = Lines::new(0, limit);
        let mut got = Vec::new();
        for piece in input.chunks(step) {
            assert!(lines.push(piece).is_empty());
            while let Some(l) = lines.next_line() {
                got.push((l.number, l.bytes.to_vec(), l.oversized, l.terminated));
            }
        }
        if let Some(l) = lines.rest() {
            got.push((l.number, l.bytes.to_vec(), l.oversized, l.terminated));
        }
        got
    }

    #[test]
    fn any_cut_gives_the_same_lines() {
        let input = b"one\r\n\n\xe2\x80\xa8two\nlast";
        let whole = split(input, input.len(), 100);
        assert_eq!(whole.len(), 4);
        assert_eq!(whole[3], (4, b"last".to_vec(), None, false));
        for step in 1..input.len() {
            assert_eq!(split(input, step, 100), whole, "step {step}");
        }
    }

    #[test]
    fn a_line_over_the_limit_is_counted_and_cut() {
        let mut input = vec![b'x'; 300_000];
        input.extend_from_slice(b"\nnext\n");
        for step in [1000, 65_536, 1 << 20] {
            let step = step.min(60_000);
            let got = split(&input, step, 1000);
            assert_eq!(got[0].2, Some(300_000), "step {step}");
            assert_eq!(got[0].1.len(), LINE_HEAD);
            assert_eq!(got[1], (2, b"next".to_vec(), None, true));
        }
    }

    #[test]
    fn consumed_stops_behind_the_last_line_feed() {
        assert_eq!(split_complete_lines(b"").1, 0);
        assert_eq!(split_complete_lines(b"abc").1, 0);
        assert_eq!(split_complete_lines(b"a\n\nbc").1, 3);
    }
}
