//! What agents and tools wrote, made harmless.
//!
//! Control characters become symbols, so that nothing steers a terminal. What turns the direction of
//! writing round is spelled out. And what CI systems take for a command gets a space inside: GitHub
//! reads `::name::` at the start of a line, behind white space too, and `##[name]` anywhere; Azure
//! Pipelines reads `##vso[` and `TeamCity` `##teamcity[` anywhere in a line.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Makes the text harmless in every format. Line feeds stay.
pub(crate) fn tame(text: &str) -> Cow<'_, str> {
    if is_harmless(text) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + text.len() / 8);
    let mut tamer = Tamer::default();
    for c in text.chars() {
        tamer.push(c, &mut safe);
    }
    Cow::Owned(safe)
}

/// Makes the text harmless, and one line.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    let text = text.trim_end();
    if text.contains(['\n', '\r']) {
        let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
        return Cow::Owned(tame(&lines.collect::<Vec<_>>().join(" ⏎ ")).into_owned());
    }
    tame(text)
}

fn is_harmless(text: &str) -> bool {
    let mut before = ' ';
    text.chars().all(|c| {
        let pair = matches!((before, c), (':', ':') | ('#', '#'));
        before = c;
        !pair && c != '\t' && (c == '\n' || symbol(c).is_none())
    })
}

/// Makes a text that comes in pieces harmless.
#[derive(Debug, Default, Clone)]
pub(crate) struct Tamer {
    line: Start,
    /// Where in `##name[` the text is.
    hashes: Hashes,
    carriage: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Start {
    #[default]
    Blank,
    Colon,
    Over,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Hashes {
    #[default]
    None,
    One,
    Name,
}

impl Tamer {
    /// The same text goes on at the start of a line.
    #[cfg(feature = "show")]
    pub(crate) fn at_line_start(&self) -> Self {
        Self { carriage: self.carriage, ..Self::default() }
    }

    pub(crate) fn push(&mut self, c: char, safe: &mut String) {
        // A carriage return in front of a line feed is only that.
        if std::mem::take(&mut self.carriage) && c != '\n' {
            safe.push('␍');
            self.line = Start::Over;
        }
        match (self.line, self.hashes, c) {
            (Start::Colon, _, ':') | (_, Hashes::Name, '[') => safe.push(' '),
            _ => {}
        }
        self.line = match (self.line, c) {
            (_, '\n') => Start::Blank,
            (Start::Blank, ':') => Start::Colon,
            (Start::Blank, c) if c.is_whitespace() || is_invisible(c) => Start::Blank,
            (start, '\r') => start,
            _ => Start::Over,
        };
        self.hashes = match (self.hashes, c) {
            (Hashes::None, '#') => Hashes::One,
            (Hashes::One | Hashes::Name, '#') => Hashes::Name,
            (Hashes::Name, c) if c.is_ascii_alphanumeric() || c == '-' || c == '_' => Hashes::Name,
            _ => Hashes::None,
        };
        match c {
            '\n' => safe.push('\n'),
            '\t' => safe.push_str("    "),
            '\r' => self.carriage = true,
            c => match symbol(c) {
                Some(Symbol::Picture(picture)) => safe.push(picture),
                Some(Symbol::Spelled) => {
                    // Writing to memory cannot fail.
                    let _ = write!(safe, "<U+{:04X}>", u32::from(c));
                }
                None => safe.push(c),
            },
        }
    }
}

enum Symbol {
    Picture(char),
    Spelled,
}

/// Returns what a character that must not be sent is shown as.
fn symbol(c: char) -> Option<Symbol> {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).map(Symbol::Picture),
        '\u{7f}' => Some(Symbol::Picture('␡')),
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => Some(Symbol::Spelled),
        _ => None,
    }
}

/// Returns whether the character takes no room, so that what stands behind it looks like the line's
/// start.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(tame("std::io and # Heading\n\n- é 🚀"), Cow::Owned(_)));
        assert!(matches!(tame("# Heading\n\n- é 🚀"), Cow::Borrowed(_)));
        assert_eq!(tame("std::io, a ## b [c]\n## Title [x]"), "std::io, a ## b [c]\n## Title [x]");
    }

    #[test]
    fn control_characters_become_symbols() {
        assert_eq!(tame("\u{1b}]0;x\u{7}\u{7f}"), "␛]0;x␇␡");
        assert_eq!(tame("\u{9b}31m"), "<U+009B>31m");
        assert_eq!(tame("a\r\nb\rc\td"), "a\nb␍c    d");
        assert_eq!(tame("abc\u{202e}fed\u{2066}"), "abc<U+202E>fed<U+2066>");
        assert_eq!(line("a\r\nb\n\n  c\n"), "a ⏎ b ⏎   c");
    }

    #[test]
    fn no_line_is_a_command_of_a_ci_system() {
        assert_eq!(tame("::error::x\n  ::warning::y"), ": :error::x\n  : :warning::y");
        assert_eq!(tame("\u{feff}::error::x"), "\u{feff}: :error::x");
        assert_eq!(tame("see ##vso[task.complete]"), "see ##vso [task.complete]");
        assert_eq!(tame("##[error]x ###[a"), "## [error]x ### [a");
        assert_eq!(tame("##teamcity[x]"), "##teamcity [x]");
    }
}
