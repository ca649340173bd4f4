//! A JSON document over several lines: an indented array or object, read as its parts close.
//!
//! ```text
//! [
//!   {
//!     "type": "system",
//! ```
//!
//! A line that opens a bracket and is no JSON by itself may begin one. It may also be a torn record or
//! noise, and then it must not hold back what comes behind it: a line that cannot continue the document
//! ends the attempt, and so does a whole record at the left edge where the document expects none.

use std::ops::Range;

use memchr::memchr2;

use crate::input::text;
use crate::limits::DOCUMENT_DEPTH;

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A value, or the end of an array that has none.
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    /// A comma, or the end of what is open.
    CommaOrEnd,
    /// White space: the document has ended.
    Nothing,
}

/// Where a document stands behind a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// More lines are due.
    Open,
    /// The bracket closed.
    Closed,
    /// It is no document: [`Document::lines`] are to be read each for itself, and so is this line.
    Broken,
}

/// A part of a document: an element of the array, or the object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    /// The number of the line where it begins.
    pub(crate) line: u64,
    /// Its own bytes.
    pub(crate) bytes: &'a [u8],
}

/// What is done with a part.
pub(crate) type PartSink<'s> = dyn FnMut(Part<'_>) + 's;

/// A document whose lines are still coming.
#[derive(Debug)]
pub(crate) struct Document {
    /// The lines from the first part on that has not been given out, each with its line feed.
    text: Vec<u8>,
    /// Where each of these lines begins in the text, and its number.
    starts: Vec<(usize, u64)>,
    scanned: usize,
    /// The open brackets, by the byte that closes each.
    open: Vec<u8>,
    next: Next,
    /// Whether its parts are the elements of an array; else it is an object, which is its only part.
    array: bool,
    /// Whether an element that is an object was closed by a comma, so that the array is no noise.
    certain: bool,
    /// Where the part begins that is being read, and where it ends once it has.
    part: Option<(usize, Option<usize>)>,
    /// The parts that closed and were not handed on.
    closed: Vec<Range<usize>>,
}

impl Document {
    /// Begins a document, if `line` can be the first of its lines and not the last. At most `limit` bytes
    /// are held.
    pub(crate) fn begin(
        number: u64,
        line: &[u8],
        limit: usize,
        sink: &mut PartSink<'_>,
    ) -> Option<Document> {
        let line = text::trim(line);
        let first = *line.first()?;
        if !matches!(first, b'[' | b'{') {
            return None;
        }
        let mut document = Document::new(first == b'[');
        let open = document.add(number, line, limit) == Progress::Open;
        open.then(|| {
            if document.certain {
                document.hand_on(sink);
            }
            document
        })
    }

    /// The elements of an array that stands on one line, as they are written.
    pub(crate) fn elements(array: &[u8], sink: &mut dyn FnMut(&[u8])) {
        let mut document = Document::new(true);
        document.add(0, array, usize::MAX);
        document.hand_on(&mut |part| sink(part.bytes));
    }

    fn new(array: bool) -> Document {
        Document {
            text: Vec::new(),
            starts: Vec::new(),
            scanned: 0,
            open: Vec::new(),
            next: Next::Value,
            array,
            certain: false,
            part: None,
            closed: Vec::new(),
        }
    }

    /// Reads the next line, and hands on the parts that it closes.
    pub(crate) fn line(
        &mut self,
        number: u64,
        line: &[u8],
        limit: usize,
        sink: &mut PartSink<'_>,
    ) -> Progress {
        let element_due = self.array && self.certain && self.open.len() == 1;
        if !element_due && is_whole_object(line) {
            return Progress::Broken;
        }
        let progress = self.add(number, line, limit);
        if self.certain && progress == Progress::Open || progress == Progress::Closed {
            self.hand_on(sink);
        }
        progress
    }

    /// The lines that were held and belong to no part that was handed on.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let ends = self.starts.iter().skip(1).map(|(at, _)| *at).chain([self.text.len()]);
        self.starts.iter().zip(ends).map(|((at, number), end)| {
            let line = self.text.get(*at..end).unwrap_or_default();
            (*number, line.strip_suffix(b"\n").unwrap_or(line))
        })
    }

    fn add(&mut self, number: u64, line: &[u8], limit: usize) -> Progress {
        let start = self.text.len();
        if line.len() > limit.saturating_sub(start) {
            return Progress::Broken;
        }
        self.starts.push((start, number));
        self.text.extend_from_slice(line);
        self.text.push(b'\n');
        if self.scan().is_none() {
            self.text.truncate(start);
            self.starts.pop();
            return Progress::Broken;
        }
        if self.next == Next::Nothing { Progress::Closed } else { Progress::Open }
    }

    /// Hands on the parts that closed, and forgets them.
    fn hand_on(&mut self, sink: &mut PartSink<'_>) {
        for part in std::mem::take(&mut self.closed) {
            let line = self.line_of(part.start);
            sink(Part { line, bytes: self.text.get(part).unwrap_or_default() });
        }
        if self.certain {
            self.let_go();
        }
    }

    fn line_of(&self, at: usize) -> u64 {
        let behind = self.starts.partition_point(|(start, _)| *start <= at);
        self.starts.get(behind.saturating_sub(1)).map_or(0, |(_, number)| *number)
    }

    /// Forgets what stands before the part that is being read.
    fn let_go(&mut self) {
        let from = self.part.map_or(self.text.len(), |(start, _)| start);
        let number = self.line_of(from);
        self.text.drain(..from);
        self.scanned -= from;
        self.part = self.part.map(|(start, end)| (start - from, end.map(|end| end - from)));
        self.starts.retain(|(start, _)| *start > from);
        for (start, _) in &mut self.starts {
            *start -= from;
        }
        if !self.text.is_empty() {
            self.starts.insert(0, (0, number));
        }
    }

    /// Reads on to the end of the text; `None` where it is no JSON.
    fn scan(&mut self) -> Option<()> {
        while let Some(byte) = self.text.get(self.scanned).copied() {
            let at = self.scanned;
            self.scanned += 1;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {}
                b'"' if matches!(self.next, Next::Key | Next::KeyOrEnd) => {
                    self.scanned = string_end(&self.text, at)?;
                    self.next = Next::Colon;
                }
                b':' if self.next == Next::Colon => self.next = Next::Value,
                b',' if self.next == Next::CommaOrEnd => {
                    if self.array && self.open.len() == 1 {
                        self.part_closes();
                    }
                    let object = self.open.last() == Some(&b'}');
                    self.next = if object { Next::Key } else { Next::Value };
                }
                b'}' | b']' => {
                    let fits = match self.next {
                        Next::CommaOrEnd => true,
                        Next::KeyOrEnd => byte == b'}',
                        Next::ValueOrEnd => byte == b']',
                        _ => false,
                    };
                    if !fits || self.open.pop() != Some(byte) {
                        return None;
                    }
                    self.value_ends(self.scanned);
                    if self.open.is_empty() {
                        self.part_closes();
                    }
                }
                b'{' | b'[' => {
                    self.value_begins(at)?;
                    if self.open.len() >= DOCUMENT_DEPTH {
                        return None;
                    }
                    let object = byte == b'{';
                    self.open.push(if object { b'}' } else { b']' });
                    self.next = if object { Next::KeyOrEnd } else { Next::ValueOrEnd };
                }
                b'"' => {
                    self.value_begins(at)?;
                    self.scanned = string_end(&self.text, at)?;
                    self.value_ends(self.scanned);
                }
                b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                    self.value_begins(at)?;
                    let word =
                        |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.');
                    let rest = self.text.get(at..).unwrap_or_default();
                    self.scanned = at + rest.iter().take_while(|b| word(b)).count();
                    self.value_ends(self.scanned);
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn value_begins(&mut self, at: usize) -> Option<()> {
        if !matches!(self.next, Next::Value | Next::ValueOrEnd) {
            return None;
        }
        let depth = usize::from(self.array);
        if self.open.len() == depth {
            self.part = Some((at, None));
        }
        Some(())
    }

    fn value_ends(&mut self, at: usize) {
        self.next = if self.open.is_empty() { Next::Nothing } else { Next::CommaOrEnd };
        if self.open.len() == usize::from(self.array)
            && let Some((_, end)) = &mut self.part
        {
            *end = Some(at);
        }
    }

    fn part_closes(&mut self) {
        if let Some((start, Some(end))) = self.part.take() {
            self.certain |= self.array && self.text.get(start) == Some(&b'{');
            self.closed.push(start..end);
        }
    }
}

/// Where the string ends that begins at `at`; a line feed cannot stand in one.
fn string_end(text: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        let rest = text.get(at..)?;
        at += memchr2(b'"', b'\\', rest)? + 1;
        match text.get(at - 1) {
            Some(b'"') => break,
            _ => at += 1,
        }
    }
    Some(at)
}

/// Whether the line is a whole object that begins at the left edge.
fn is_whole_object(line: &[u8]) -> bool {
    line.first() == Some(&b'{') && Document::new(false).add(0, line, usize::MAX) == Progress::Closed
}

#[cfg(test)]
mod tests {
    use super::*;

    type Numbered = Vec<(u64, String)>;

    /// What is made of a text: parts with their lines, and the lines that are left to be read alone.
    fn read(text: &str) -> (Numbered, Numbered) {
        let (mut parts, mut alone) = (Vec::new(), Vec::new());
        let mut document: Option<Document> = None;
        let owned = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.as_bytes();
            let mut sink = |part: Part<'_>| parts.push((part.line, owned(part.bytes)));
            let progress = match &mut document {
                None => {
                    document = Document::begin(number, line, 1000, &mut sink);
                    if document.is_none() { Progress::Broken } else { Progress::Open }
                }
                Some(open) => open.line(number, line, 1000, &mut sink),
            };
            if progress == Progress::Broken {
                for (number, line) in document.iter().flat_map(Document::lines) {
                    alone.push((number, owned(line)));
                }
                alone.push((number, owned(line)));
            }
            if progress != Progress::Open {
                document = None;
            }
        }
        alone.extend(document.iter().flat_map(Document::lines).map(|(n, l)| (n, owned(l))));
        (parts, alone)
    }

    fn lines(expected: &[(u64, &str)]) -> Vec<(u64, String)> {
        expected.iter().map(|(number, line)| (*number, (*line).to_owned())).collect()
    }

    #[test]
    fn elements_come_as_they_close() {
        for (text, parts) in [
            ("[\n  {\n    \"a\": 1\n  },\n  {}\n]", &[(2, "{\n    \"a\": 1\n  }"), (5, "{}")][..]),
            (
                "[{\"a\":1},\n{\"b\":[2]},\n{\"c\":3}\n]",
                &[(1, "{\"a\":1}"), (2, "{\"b\":[2]}"), (3, "{\"c\":3}")],
            ),
            ("[\n]", &[]),
            ("[\n  1, \"x]\\\"\"\n, null]", &[(2, "1"), (2, "\"x]\\\"\""), (3, "null")]),
            ("{\n  \"a\": {\"b\": []}\n}", &[(1, "{\n  \"a\": {\"b\": []}\n}")]),
            ("[\r\n {},\r\n {}\r\n]\r", &[(2, "{}"), (3, "{}")]),
        ] {
            assert_eq!(read(text), (lines(parts), vec![]), "{text}");
        }
    }

    #[test]
    fn what_is_no_document_is_read_line_by_line() {
        for (text, parts, alone) in [
            // Noise, a log, a torn record, and whole records behind them.
            (
                "[\n{\"a\":1}\n{\"b\":2}",
                &[][..],
                &[(1, "["), (2, "{\"a\":1}"), (3, "{\"b\":2}")][..],
            ),
            ("{\"a\":[\n{\"b\":2}\nx", &[], &[(1, "{\"a\":["), (2, "{\"b\":2}"), (3, "x")]),
            (
                "[INFO] x\n{ y\n[1, 2\nz",
                &[],
                &[(1, "[INFO] x"), (2, "{ y"), (3, "[1, 2"), (4, "z")],
            ),
            ("{\"a\":\"b", &[], &[(1, "{\"a\":\"b")]),
            ("[\n  {}\n  {}\n]", &[], &[(1, "["), (2, "  {}"), (3, "  {}"), (4, "]")]),
            ("[\n  {},\n  {\n  x", &[(2, "{}")], &[(3, "{"), (4, "  x")]),
            ("[\n  {},\n  {\"a\":", &[(2, "{}")], &[(3, "{\"a\":")]),
            ("[1,\n2]]", &[], &[(1, "[1,"), (2, "2]]")]),
        ] {
            assert_eq!(read(text), (lines(parts), lines(alone)), "{text}");
        }
    }

    #[test]
    fn what_is_held_is_bounded() {
        let long = format!("{{\n\"a\": [\n{}", "1,\n".repeat(2000));
        let (parts, alone) = read(&long);
        assert_eq!((parts.len(), alone.len()), (0, 2002));
        let deep = "[\n".repeat(DOCUMENT_DEPTH + 2);
        assert_eq!(read(&deep).1.len(), DOCUMENT_DEPTH + 2);
    }
}
