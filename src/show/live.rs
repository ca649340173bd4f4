//! A text that is still arriving, on a screen.
//!
//! It is drawn as it comes, broken where the line is full, so that it is known how many rows it takes:
//! when its whole has come, it is taken off the screen and drawn once more, with its Markdown.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::UnicodeWidthChar;

use super::item::Delta;
use super::screen::{DIM, Group, Lead, PLAIN, Screen};
use crate::format::event::Of;
use crate::format::tame::{Tamer, tame};
use crate::limits::MAX_LIVE_TEXT;

/// The columns of a screen that does not say how many it has.
const COLUMNS: usize = 80;

#[derive(Debug)]
pub(super) struct Live {
    text_id: u64,
    of: Of,
    text: String,
    tamer: Tamer,
    lead: Lead,
    style: Style,
    /// Where the cursor is, from where the text, or the empty line before it, started.
    row: usize,
    column: usize,
    size: Option<(usize, usize)>,
    /// What was shown before.
    before: Option<Group>,
}

impl Live {
    pub(super) fn open(
        delta: &Delta<'_>,
        lead: &Lead,
        before: Option<Group>,
        gap: bool,
        size: Option<(usize, usize)>,
        screen: &mut Screen,
    ) -> Self {
        let lead = lead.then(PLAIN, "  ");
        screen.lead(&lead);
        Self {
            text_id: delta.text_id,
            of: delta.of,
            text: String::new(),
            tamer: Tamer::default(),
            style: if delta.of == Of::Message { PLAIN } else { DIM },
            row: usize::from(gap),
            column: lead.width(),
            lead,
            size,
            before,
        }
    }

    pub(super) fn is_of(&self, delta: &Delta<'_>) -> bool {
        self.text_id == delta.text_id && self.of == delta.of
    }

    pub(super) fn write(&mut self, text: &str, screen: &mut Screen) {
        if self.text.len() < MAX_LIVE_TEXT {
            self.text.push_str(text);
        }
        let columns = self.size.map_or(COLUMNS, |(columns, _)| columns);
        let _ = write!(screen.out, "{}", self.style);
        let mut safe = String::new();
        for c in text.chars() {
            let before = self.tamer.clone();
            safe.clear();
            self.tamer.push(c, &mut safe);
            if self.column + width(&safe) > columns {
                self.next_line(screen);
                // Where we break the line, another starts: what comes may be a command there.
                self.tamer = before.at_line_start();
                safe.clear();
                self.tamer.push(c, &mut safe);
            }
            for (at, line) in safe.split('\n').enumerate() {
                if at > 0 {
                    self.next_line(screen);
                }
                screen.out.push_str(line);
                self.column += width(line);
            }
        }
        let _ = write!(screen.out, "{:#}", self.style);
    }

    fn next_line(&mut self, screen: &mut Screen) {
        screen.out.push('\n');
        self.row += 1;
        screen.lead(&self.lead);
        let _ = write!(screen.out, "{}", self.style);
        self.column = self.lead.width();
    }

    /// Returns whether the harmless text `whole` is what has arrived, or goes on from there.
    pub(super) fn is_start_of(&self, whole: &str) -> bool {
        tame(whole.trim_start()).starts_with(tame(self.text.trim()).as_ref())
    }

    /// Returns whether all of `whole` has arrived.
    pub(super) fn is(&self, whole: &str) -> bool {
        tame(whole.trim()) == tame(self.text.trim())
    }

    /// Returns whether all of the text is on the screen still, and it lies there as it was drawn.
    pub(super) fn can_be_erased(&self, size: Option<(usize, usize)>) -> bool {
        size.is_some_and(|(_, rows)| self.size == size && self.row + 1 < rows)
    }

    /// Takes the text off the screen; returns what was shown before it.
    pub(super) fn erase(self, screen: &mut Screen) -> Option<Group> {
        screen.out.push('\r');
        if self.row > 0 {
            let _ = write!(screen.out, "\u{1b}[{}A", self.row);
        }
        screen.out.push_str("\u{1b}[J");
        self.before
    }
}

/// Returns how many columns a text takes; a line feed takes none.
fn width(text: &str) -> usize {
    text.chars().filter_map(UnicodeWidthChar::width).sum()
}
