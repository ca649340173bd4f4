//! Where secrets stand in streams: the question before they are passed on.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::format::tame::line as harmless;
use crate::input::lines::Lines;
use crate::read::feed::Feed;
use crate::read::normalize::READ;
use crate::read::options::Options;
use crate::read::reader::Reader;

/// A place where something would be redacted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// The stream.
    pub file: String,
    /// The line's number, from 1.
    pub line: u64,
    /// What kind of secret it is; never the secret.
    pub kind: String,
}

/// Finds what [`crate::Redaction`] would redact, and changes nothing.
#[derive(Debug)]
pub struct SecretFinder {
    options: Options,
    lines: Lines,
    reader: Reader,
    file: String,
    found: Vec<Found>,
}

impl SecretFinder {
    /// Reads as `options` say, which must say what to look for.
    pub fn new(options: Options) -> Self {
        let mut finder = Self {
            lines: Lines::new(READ, options.max_line),
            reader: Reader::new(options.clone()),
            options,
            file: String::new(),
            found: Vec::new(),
        };
        finder.reader.keep_found();
        finder
    }

    /// What was found.
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// The list as lines of text.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut rows = self.found.as_slice();
        while let Some(first) = rows.first() {
            let count = rows.iter().take_while(|row| *row == first).count();
            let times = if count > 1 { format!(" ({count} places)") } else { String::new() };
            let Found { file, line, kind } = first;
            let _ = writeln!(text, "{}:{line}: {kind}{times}", harmless(file));
            rows = rows.get(count..).unwrap_or_default();
        }
        if text.is_empty() { "no secrets found\n".to_owned() } else { text }
    }

    /// The list for programs.
    pub fn to_json(&self) -> Value {
        let row = |row: &Found| json!({"file": row.file, "line": row.line, "kind": row.kind});
        json!({"secrets": self.found.iter().map(row).collect::<Vec<_>>()})
    }

    fn take(&mut self) {
        let file = &self.file;
        let found = self.reader.take_found().into_iter();
        self.found.extend(found.map(|(line, kind)| Found { file: file.clone(), line, kind }));
    }
}

impl Feed for SecretFinder {
    type Error = std::convert::Infallible;

    fn begin_stream(&mut self, name: &str) {
        name.clone_into(&mut self.file);
    }

    fn space(&mut self) -> &mut [u8] {
        self.lines.space()
    }

    fn filled(&mut self, count: usize) {
        self.lines.filled(count);
        while let Some(line) = self.lines.next_line() {
            self.reader.line(line, None, &mut |_| {});
        }
        self.take();
    }

    fn end_stream(&mut self) {
        if let Some(line) = self.lines.rest() {
            self.reader.line(line, None, &mut |_| {});
        }
        self.reader.finish(&mut |_| {});
        self.take();
        self.lines = Lines::new(READ, self.options.max_line);
        self.reader = Reader::new(self.options.clone());
        self.reader.keep_found();
    }
}
