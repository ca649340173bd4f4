//! A tool's output, folded.

use std::borrow::Cow;

use super::paint::{bare, settled};
use crate::format::tame::tame;
use crate::input::text::clip;
use crate::limits::MAX_FOLDED_LINE;
use crate::report::summary::several;

#[derive(Debug, Default)]
pub(super) struct Output<'a> {
    text: Cow<'a, str>,
    lines: usize,
    /// The recording holds only the start.
    clipped: bool,
}

/// A part of a folded output.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'o> {
    Line(Cow<'o, str>),
    /// So many lines are left out.
    Left(usize),
}

impl<'a> Output<'a> {
    pub(super) fn new(text: Cow<'a, str>, clipped: bool) -> Self {
        let text = settled(text);
        let lines = text.trim_end().split('\n').count();
        Self { lines: if text.trim().is_empty() { 0 } else { lines }, text, clipped }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Describes how much it is, `42 lines, 3.1 KB`, and what was cut.
    pub(super) fn size(&self) -> String {
        let mut size = several(self.lines as u64, "line");
        size = format!("{size}, {}", bytes(self.text.len()));
        if self.clipped {
            size.push_str(" and more that the recording left out");
        }
        size
    }

    /// Returns whether folding to `most` lines leaves something out, or something was left out
    /// before.
    pub(super) fn is_cut(&self, most: usize) -> bool {
        self.lines > most || self.clipped
    }

    /// Folds to the first lines and the last that are not blank, with the others left out; 0 for no
    /// limit.
    pub(super) fn fold(&self, head: usize, tail: usize) -> Vec<Part<'_>> {
        let parts = self.painted_fold(head, tail).into_iter().map(|part| match part {
            Part::Line(line) => Part::Line(Cow::Owned(tame(&bare(&line)).into_owned())),
            left @ Part::Left(_) => left,
        });
        parts.collect()
    }

    /// Folds like [`Output::fold`]. The lines have their colours, and are not harmless.
    pub(super) fn painted_fold(&self, head: usize, tail: usize) -> Vec<Part<'_>> {
        let most = head + tail;
        if self.lines == 0 {
            return Vec::new();
        }
        let lines = self.text.trim_end().split('\n');
        if most == 0 || self.lines <= most + 1 {
            return lines.map(|line| Part::Line(shown(line, most > 0))).collect();
        }
        let telling = lines.clone().filter(|line| !line.trim().is_empty()).count();
        let mut lines = lines.filter(|line| !line.trim().is_empty());
        if telling <= most + 1 {
            return lines.map(|line| Part::Line(shown(line, true))).collect();
        }
        let mut fold: Vec<Part<'_>> =
            lines.by_ref().take(head).map(|line| Part::Line(shown(line, true))).collect();
        fold.push(Part::Left(self.lines - head - tail));
        let behind = lines.skip(telling - head - tail);
        fold.extend(behind.map(|line| Part::Line(shown(line, true))));
        fold
    }

    /// Returns the last lines that are not blank, at most so many, and how many stand before them.
    pub(super) fn tail(&self, most: usize) -> (&str, usize) {
        let text = self.text.trim_end();
        let start =
            text.rmatch_indices('\n').nth(most.saturating_sub(1)).map_or(0, |(at, _)| at + 1);
        let (before, tail) = text.split_at(start);
        (tail, before.lines().count())
    }

    /// Returns the output as it came, with its colours, up to `limit` characters (0: all), and whether
    /// something was cut off. It is not harmless.
    pub(super) fn painted(&self, limit: usize) -> (&str, bool) {
        let (start, cut) = clip(&self.text, limit);
        (start.trim_end_matches('\n'), cut)
    }

    /// Returns the output up to `limit` characters (0: all), and whether something was cut off.
    pub(super) fn start(&self, limit: usize) -> (Cow<'_, str>, bool) {
        let (start, cut) = clip(&self.text, limit);
        let start = start.trim_end_matches('\n');
        (Cow::Owned(tame(&bare(start)).into_owned()), cut)
    }
}

fn shown(line: &str, short: bool) -> Cow<'_, str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let (start, cut) = clip(line, if short { MAX_FOLDED_LINE } else { 0 });
    if cut { Cow::Owned(format!("{start}…")) } else { Cow::Borrowed(start) }
}

/// Writes a number of bytes: `12 bytes`, `3.1 KB`.
pub(super) fn bytes(count: usize) -> String {
    let tenths = |unit: usize| format!("{}.{}", count / unit, count % unit * 10 / unit);
    match count {
        0..1_000 => several(count as u64, "byte"),
        1_000..1_000_000 => format!("{} KB", tenths(1_000)),
        _ => format!("{} MB", tenths(1_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_outputs_keep_their_start_and_end() {
        let text = "line 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\nline 9\n";
        let output = Output::new(Cow::Borrowed(text), false);
        assert_eq!(output.size(), "9 lines, 63 bytes");
        let fold = output.fold(1, 2);
        let line = |n| Part::Line(Cow::Owned(format!("line {n}")));
        assert_eq!(fold, [line(1), Part::Left(6), line(8), line(9)]);
        let blank = Output::new(Cow::Borrowed("a\n\n\nb\n\n"), false);
        assert_eq!(blank.fold(1, 1), [Part::Line("a".into()), Part::Line("b".into())]);
        assert_eq!(output.fold(5, 3).len(), 9, "one line is not folded away");
        assert_eq!(output.fold(0, 0).len(), 9);
        assert!(Output::new(Cow::Borrowed(""), false).fold(3, 3).is_empty());
        assert_eq!(bytes(20_345), "20.3 KB");
    }
}
