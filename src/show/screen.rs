//! Styled lines of a certain width.

use std::borrow::Cow;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::format::tame::Tamer;

pub(super) const PLAIN: Style = Style::new();
pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const GREEN: Style = AnsiColor::Green.on_default();
pub(super) const RED: Style = AnsiColor::Red.on_default();
pub(super) const YELLOW: Style = AnsiColor::Yellow.on_default();
pub(super) const CYAN: Style = AnsiColor::Cyan.on_default();
pub(super) const BLUE: Style = AnsiColor::Blue.on_default();

/// The least room that text gets, however deep it is indented.
const MIN_ROOM: usize = 20;

/// What belongs together stands without an empty line between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Start,
    Text,
    Work,
    Recap,
}

/// A piece of text in one style.
#[derive(Debug, Clone)]
pub(super) struct Span<'a> {
    pub(super) style: Style,
    pub(super) text: Cow<'a, str>,
}

pub(super) fn span<'a>(style: Style, text: impl Into<Cow<'a, str>>) -> Span<'a> {
    Span { style, text: text.into() }
}

/// What stands in front of a line. It is ours, not the agent's.
#[derive(Debug, Clone, Default)]
pub(super) struct Lead {
    text: String,
    width: usize,
}

impl Lead {
    pub(super) fn then(&self, style: Style, text: &str) -> Self {
        let mut lead = self.clone();
        // Writing to memory cannot fail.
        let _ = write!(lead.text, "{style}{text}{style:#}");
        lead.width += text.width();
        lead
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }
}

/// Collects lines. Whatever is written behind a lead is made harmless, line by line.
#[derive(Debug, Default)]
pub(super) struct Screen {
    pub(super) out: String,
    /// Columns; `None` for lines of any length.
    pub(super) width: Option<usize>,
    tamer: Tamer,
    /// The style that is on. It goes on from word to word.
    on: Style,
}

impl Screen {
    pub(super) fn new(width: Option<usize>) -> Self {
        Self { width, ..Self::default() }
    }

    pub(super) fn lead(&mut self, lead: &Lead) {
        self.turn_to(PLAIN);
        self.out.push_str(&lead.text);
        self.tamer = Tamer::default();
    }

    pub(super) fn text(&mut self, style: Style, text: &str) {
        self.turn_to(style);
        for c in text.chars() {
            self.tamer.push(c, &mut self.out);
        }
    }

    fn turn_to(&mut self, style: Style) {
        if self.on != style {
            let _ = write!(self.out, "{:#}{style}", self.on);
            self.on = style;
        }
    }

    pub(super) fn end_line(&mut self) {
        self.turn_to(PLAIN);
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        self.out.push('\n');
    }

    /// Writes an empty line.
    pub(super) fn gap(&mut self, lead: &Lead) {
        self.lead(lead);
        self.end_line();
    }

    /// Returns how much room there is for text behind a lead.
    fn room(&self, lead: &Lead) -> usize {
        self.width.map_or(usize::MAX, |width| width.saturating_sub(lead.width).max(MIN_ROOM))
    }

    /// Writes one line that is never broken by us.
    pub(super) fn whole(&mut self, lead: &Lead, style: Style, text: &str) {
        self.lead(lead);
        self.text(style, text);
        self.end_line();
    }

    /// Writes one line in several styles that is never broken by us.
    pub(super) fn uncut(&mut self, lead: &Lead, spans: &[Span<'_>]) {
        self.lead(lead);
        for span in spans {
            self.text(span.style, &span.text);
        }
        self.end_line();
    }

    /// Writes one line, cut where it is too long; `tail` is always shown.
    pub(super) fn cut(&mut self, lead: &Lead, spans: &[Span<'_>], tail: &[Span<'_>]) {
        let wide = |spans: &[Span<'_>]| spans.iter().map(|s| s.text.width()).sum::<usize>();
        let room = self.room(lead).saturating_sub(wide(tail));
        let mut left = if wide(spans) <= room { usize::MAX } else { room.saturating_sub(1) };
        self.lead(lead);
        for span in spans {
            let (text, width) = fit(&span.text, left);
            self.text(span.style, text);
            left = left.saturating_sub(width);
            if text.len() < span.text.len() {
                self.text(span.style, "…");
                break;
            }
        }
        for span in tail {
            self.text(span.style, &span.text);
        }
        self.end_line();
    }

    /// Writes text broken between words; `first` stands in front of the first line, `rest` of the
    /// others.
    pub(super) fn wrap(&mut self, first: &Lead, rest: &Lead, spans: &[Span<'_>]) {
        self.lead(first);
        let mut left = self.room(first);
        let mut line_is_empty = true;
        // Spaces at the start of a line of the text stay, those where we broke it do not.
        let mut ours = false;
        for word in words(spans) {
            match word {
                Word::Break => {
                    self.next_line(rest, &mut left, &mut line_is_empty);
                    ours = false;
                }
                Word::Text { space, pieces } => {
                    let width: usize = pieces.iter().map(|(_, text)| text.width()).sum();
                    let space = if line_is_empty && ours { 0 } else { space };
                    if width.saturating_add(space) > left && !line_is_empty {
                        self.next_line(rest, &mut left, &mut line_is_empty);
                        ours = true;
                    } else if space > 0 {
                        let space = space.min(left / 2);
                        // Within a style the space has it, too.
                        let next = pieces.first().map(|(style, _)| *style);
                        let style = if next == Some(self.on) { self.on } else { PLAIN };
                        self.text(style, &" ".repeat(space));
                        left -= space;
                    }
                    for (style, mut text) in pieces {
                        while !text.is_empty() {
                            let (part, width) = fit(text, left.max(1));
                            let part = if part.is_empty() { first_char(text) } else { part };
                            self.text(style, part);
                            left = left.saturating_sub(width);
                            line_is_empty = false;
                            text = text.get(part.len()..).unwrap_or_default();
                            if !text.is_empty() {
                                ours = true;
                                self.next_line(rest, &mut left, &mut line_is_empty);
                            }
                        }
                    }
                }
            }
        }
        self.end_line();
    }

    fn next_line(&mut self, lead: &Lead, left: &mut usize, line_is_empty: &mut bool) {
        self.end_line();
        self.lead(lead);
        *left = self.room(lead);
        *line_is_empty = true;
    }
}

enum Word<'s> {
    /// Pieces that must stay together, and how many spaces stand before them.
    Text {
        space: usize,
        pieces: Vec<(Style, &'s str)>,
    },
    Break,
}

fn words<'s>(spans: &'s [Span<'_>]) -> Vec<Word<'s>> {
    let mut words: Vec<Word<'s>> = Vec::new();
    // Spaces since the last word; `None` inside a word.
    let mut space = Some(0);
    for span in spans {
        for (at, line) in span.text.split('\n').enumerate() {
            if at > 0 {
                words.push(Word::Break);
                space = Some(0);
            }
            let mut rest = line;
            while !rest.is_empty() {
                let end = rest.find(' ').unwrap_or(rest.len());
                let (piece, behind) = rest.split_at(end);
                if !piece.is_empty() {
                    match (space, words.last_mut()) {
                        (None, Some(Word::Text { pieces, .. })) => pieces.push((span.style, piece)),
                        _ => words.push(Word::Text {
                            space: space.unwrap_or_default(),
                            pieces: vec![(span.style, piece)],
                        }),
                    }
                    space = None;
                }
                let trimmed = behind.trim_start_matches(' ');
                if trimmed.len() < behind.len() {
                    space = Some(space.unwrap_or_default() + behind.len() - trimmed.len());
                }
                rest = trimmed;
            }
        }
    }
    words
}

/// Returns as much of the text as fits into `room` columns, and how wide that is.
fn fit(text: &str, room: usize) -> (&str, usize) {
    let mut width = 0;
    for (at, c) in text.char_indices() {
        let next = width + c.width().unwrap_or_default();
        if next > room {
            return (text.get(..at).unwrap_or_default(), width);
        }
        width = next;
    }
    (text, width)
}

fn first_char(text: &str) -> &str {
    let end = text.chars().next().map_or(0, char::len_utf8);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(width: usize, spans: &[Span<'_>]) -> String {
        let mut screen = Screen::new(Some(width));
        let lead = Lead::default().then(PLAIN, "  ");
        screen.wrap(&lead, &lead, spans);
        screen.out
    }

    #[test]
    fn text_breaks_between_words() {
        let spans = [span(PLAIN, "one two three four five six seven")];
        assert_eq!(wrapped(24, &spans), "  one two three four\n  five six seven\n");
        let long = "x".repeat(30);
        assert_eq!(
            wrapped(24, &[span(PLAIN, long)]),
            format!("  {}\n  {}\n", "x".repeat(22), "x".repeat(8))
        );
        let wide = [span(PLAIN, "漢字".repeat(6))];
        assert_eq!(wrapped(24, &wide), "  漢字漢字漢字漢字漢字漢\n  字\n");
    }

    #[test]
    fn a_broken_line_cannot_become_a_command() {
        let spans = [span(PLAIN, "aaaaaaaaaaaaaaaaaaaaaa ::error::bbb")];
        assert_eq!(wrapped(24, &spans), "  aaaaaaaaaaaaaaaaaaaaaa\n  : :error::bbb\n");
    }
}
