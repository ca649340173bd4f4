//! Secrets do not leave: a line in, a line out, before anything else sees it.
//!
//! [`Prefilter`] tells from a line's bytes whether it needs a closer look, which hardly one does. Of a
//! line of JSON each string is looked at by itself, as it is meant and not as it is written: with its
//! escapes taken off, as many levels as there are ([`unescape`]). What is found there is replaced where
//! it stands, and not a byte beside it. [`tail`] holds back what the end of a piece may become with the
//! next one.
//!
//! Everything is linear in the length of the line.

mod assignment;
mod class;
mod config;
#[cfg(test)]
mod corpus;
mod finder;
mod judge;
mod line;
mod look;
mod name;
mod placeholder;
mod prefilter;
mod report;
mod rules;
mod structure;
mod tail;
#[cfg(test)]
#[expect(clippy::string_slice, reason = "this is a test")]
mod tests;
mod unescape;
mod user;
mod values;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(feature = "cli")]
pub(crate) use config::is_secret_variable;
pub use config::{Redaction, RedactionBuilder, RedactionError};
use finder::Finder;
use look::{Form, Look, Span, render};
use placeholder::Key;
use prefilter::Prefilter;
pub(crate) use report::Report;
use tail::Tails;
pub use user::RuleError;
use user::UserRules;
pub(crate) use values::SHORTEST;
use values::Values;

use crate::input::text;
use crate::json::Doc;
use crate::json::place::Places;

/// What is looked for, ready to use.
#[derive(Debug)]
struct Rules {
    prefilter: Prefilter,
    finder: Finder,
    values: Values,
    user: UserRules,
    key: Key,
}

/// A line that was made or changed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) line: Vec<u8>,
    /// What was redacted, place by place.
    pub(crate) kinds: Vec<String>,
    /// Whether it is the line before, which was withheld until now.
    pub(crate) late: bool,
}

impl Made {
    /// In how many places something was redacted.
    pub(crate) fn places(&self) -> u64 {
        self.kinds.len() as u64
    }
}

/// Redacts one stream.
#[derive(Debug)]
pub(crate) struct Redactor {
    rules: Arc<Rules>,
    report: Arc<Mutex<Report>>,
    tails: Tails,
    doc: Doc,
    before: Vec<Made>,
    made: Made,
    withholds: bool,
}

/// What became of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Redacted<'r> {
    /// Lines that come first: the rests of texts that this one ends.
    pub(crate) before: &'r [Made],
    /// The line, where it is not what it was.
    pub(crate) line: Option<&'r Made>,
    /// Whether the line is withheld: nothing is left of its piece, which may come whole with the next.
    pub(crate) withheld: bool,
}

impl Redactor {
    /// Redacts a whole line of a dialect that prints pieces at `places`.
    pub(crate) fn line(&mut self, line: &[u8], places: &'static Places) -> Redacted<'_> {
        self.attempt(|this| this.read(line, places))
    }

    /// Redacts what is kept of a line that was too long: what its cut end may have been is left out.
    pub(crate) fn head(&mut self, head: &[u8]) -> Redacted<'_> {
        self.attempt(|this| {
            this.end_texts();
            let look = Look { text: head, form: Form::Plain, from: 0, open: true, key: None };
            let (spans, live) = this.rules.look(look);
            this.write(head, live, &spans);
            true
        })
    }

    /// Ends the stream: the rests of the texts that are still open.
    pub(crate) fn finish(&mut self) -> &[Made] {
        self.attempt(|this| {
            this.end_texts();
            false
        })
        .before
    }

    /// Fails closed: a line that could not be looked at says only that.
    fn attempt(&mut self, work: impl FnOnce(&mut Self) -> bool) -> Redacted<'_> {
        self.before.clear();
        self.withholds = false;
        self.made.line.clear();
        self.made.kinds.clear();
        let done = catch_unwind(AssertUnwindSafe(|| work(self)));
        let changed = done.unwrap_or_else(|_| {
            self.tails = Tails::default();
            self.before.clear();
            self.withholds = false;
            self.give_up();
            true
        });
        let line = changed.then_some(&self.made);
        Redacted { before: &self.before, line, withheld: self.withholds }
    }

    fn give_up(&mut self) {
        self.made =
            Made { line: placeholder::WHOLE.into(), kinds: vec!["line".to_owned()], late: false };
        self.report.lock().unwrap_or_else(PoisonError::into_inner).fail();
    }

    /// Whether the line is not what it was.
    fn read(&mut self, line: &[u8], places: &'static Places) -> bool {
        if !places.rows.is_empty()
            && let Some(changed) = self.piece(line, places)
        {
            return changed;
        }
        self.let_go();
        if !self.rules.prefilter.may_hold(line) {
            return false;
        }
        if u32::try_from(line.len()).is_err() {
            self.give_up();
            return true;
        }
        let json = self.is_json(line);
        let rules = Arc::clone(&self.rules);
        let spans = if json {
            rules.look_in_json(line, &[])
        } else {
            let look = Look { text: line, form: Form::Plain, from: 0, open: false, key: None };
            rules.look(look).0
        };
        if spans.is_empty() {
            return false;
        }
        self.write(line, line.len(), &spans);
        if json {
            self.must_be_json();
        }
        true
    }

    /// Whether a line is a value of JSON, as the reader will take it.
    fn is_json(&mut self, line: &[u8]) -> bool {
        self.doc
            .parse(&text::decode(text::trim(line)))
            .is_some_and(|value| value.is_object() || value.is_array() || value.is_string())
    }

    /// Gives the line up that redaction has broken.
    fn must_be_json(&mut self) {
        let made = std::mem::take(&mut self.made.line);
        if self.is_json(&made) {
            self.made.line = made;
        } else {
            self.give_up();
        }
    }

    /// Writes `line` up to `to`, with placeholders.
    fn write(&mut self, line: &[u8], to: usize, spans: &[Span]) {
        render(line, 0, to, spans, &mut self.made.line);
        self.made.kinds = self.count(spans);
    }

    /// Counts what was redacted, and takes it into the report.
    fn count(&self, spans: &[Span]) -> Vec<String> {
        count(&self.report, spans)
    }
}

fn count(report: &Mutex<Report>, spans: &[Span]) -> Vec<String> {
    if spans.is_empty() {
        return Vec::new();
    }
    let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
    for span in spans {
        report.add(&span.kind, span.hash);
    }
    spans.iter().map(|span| span.kind.clone()).collect()
}

/// How many placeholders stand in a text.
pub(crate) fn placeholders(text: &str) -> u64 {
    placeholder::find(text.as_bytes()).count() as u64
}

/// The bytes of a line as text that can be read: what is not UTF-8 is replaced.
fn readable(line: &[u8]) -> Cow<'_, str> {
    text::decode(line)
}
