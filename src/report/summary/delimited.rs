//! Recaps for other programs: CSV, TSV, and lines of `key=value`.

use std::fmt::Write as _;

use super::coverage::Coverage;
use super::listing::{Line, Listing};
use super::recap::{Recap, Summary, Usage};

/// What separates the cells of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delimiter {
    /// CSV, with quotes where they are needed.
    Comma,
    /// No quotes: a tab or a line feed in a text is a space.
    Tab,
}

const NUMBERS: [&str; 8] = [
    "inputTokens",
    "outputTokens",
    "cacheReadTokens",
    "cacheCreationTokens",
    "reasoningTokens",
    "costUsd",
    "turns",
    "durationMs",
];

impl Summary {
    /// Makes a table with a line of names first. What is not known is empty.
    pub(crate) fn to_delimited(
        &self,
        delimiter: Delimiter,
        listing: &Listing,
    ) -> Result<Vec<u8>, csv::Error> {
        let mut out = csv::WriterBuilder::new();
        if delimiter == Delimiter::Tab {
            out.delimiter(b'\t').quote_style(csv::QuoteStyle::Never);
        }
        let mut out = out.from_writer(Vec::new());
        let clean = |text: &str| -> String {
            match delimiter {
                Delimiter::Comma => text.to_owned(),
                Delimiter::Tab => text.replace(|c: char| c.is_control(), " "),
            }
        };
        let session = [
            "start",
            "dated",
            "end",
            "harness",
            "version",
            "model",
            "outcome",
            "runs",
            "sessionId",
            "title",
            "firstWords",
            "cwd",
            "file",
        ];
        let group = ["key", "sessions", "succeeded", "failed", "notEnded"];
        let names: &[&str] = if listing.by.is_some() { &group } else { &session };
        out.write_record(names.iter().chain(&NUMBERS))?;
        for line in listing.lines(self).listed {
            let head = match &line {
                Line::Session(recap) => texts(recap),
                Line::Group(group) => {
                    let Coverage { sessions, succeeded, failed, not_ended, .. } = group.coverage;
                    let counts = [sessions, succeeded, failed, not_ended].map(|n| n.to_string());
                    std::iter::once(text(&group.key)).chain(counts).collect()
                }
            };
            let cells = head.iter().map(|cell| clean(cell)).chain(numbers(&line.recap().usage));
            out.write_record(cells)?;
        }
        out.into_inner().map_err(|error| error.into_error().into())
    }

    /// Makes lines of `key=value` for a file that a shell or a CI system reads. A value holds nothing that
    /// either could take for more than a value.
    pub(crate) fn to_env(&self) -> String {
        let mut lines = String::new();
        let mut line = |key: &str, value: &str| {
            // Writing to memory cannot fail.
            let _ = writeln!(lines, "{key}={}", harmless(value));
        };
        let coverage = Coverage::of(self.sessions.iter());
        let one = match self.sessions.as_slice() {
            [one] => Some(one),
            _ => None,
        };
        let of_one = |read: fn(&Recap) -> Option<&String>| {
            one.and_then(read).map(String::as_str).unwrap_or_default()
        };
        line("session_id", of_one(|recap| recap.session_id.as_ref()));
        line("harness", of_one(|recap| recap.harness.as_ref()));
        line("model", of_one(|recap| recap.model.as_ref()));
        line("outcome", one.map(outcome).unwrap_or_default());
        for (key, count) in [
            ("sessions", coverage.sessions),
            ("succeeded", coverage.succeeded),
            ("failed", coverage.failed),
            ("not_ended", coverage.not_ended),
        ] {
            line(key, &count.to_string());
        }
        let names = [
            "input_tokens",
            "output_tokens",
            "cache_read_tokens",
            "cache_creation_tokens",
            "reasoning_tokens",
            "cost_usd",
            "turns",
            "duration_ms",
        ];
        for (key, value) in names.into_iter().zip(numbers(&self.total.usage)) {
            line(key, &value);
        }
        lines
    }
}

fn outcome(recap: &Recap) -> &'static str {
    recap.outcome.as_ref().map_or("not_ended", |end| end.status())
}

fn texts(recap: &Recap) -> Vec<String> {
    let start = recap.start();
    let dated = start.as_ref().map(|start| if start.is_of_file { "file" } else { "stream" });
    let own = |own: &Option<String>| own.as_deref().map(text).unwrap_or_default();
    vec![
        start.as_ref().map(|start| start.time.to_string()).unwrap_or_default(),
        dated.unwrap_or_default().to_owned(),
        own(&recap.to),
        own(&recap.harness),
        own(&recap.version),
        own(&recap.model),
        outcome(recap).to_owned(),
        recap.runs.to_string(),
        own(&recap.session_id),
        own(&recap.title),
        own(&recap.first_words),
        own(&recap.cwd),
        own(&recap.files.first().cloned()),
    ]
}

fn numbers(usage: &Usage) -> Vec<String> {
    let count = |count: Option<u64>| count.map(|count| count.to_string()).unwrap_or_default();
    let mut cells: Vec<String> = usage.figures.counts().into_iter().map(count).collect();
    cells.push(usage.figures.cost_usd.map(|cost| cost.to_string()).unwrap_or_default());
    cells.push(count(usage.turns));
    cells.push(count(usage.duration_ms));
    cells
}

/// Makes a text that a spreadsheet does not take for a formula.
fn text(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    format!("{}{text}", if is_formula { "'" } else { "" })
}

/// Keeps what is a plain word for a shell, too.
fn harmless(value: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:/@%+,-".contains(c);
    value.chars().take(200).map(|c| if plain(c) { c } else { '_' }).collect()
}
