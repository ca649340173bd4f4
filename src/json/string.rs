//! The inside of a JSON string, decoded only when asked for.

use std::borrow::Cow;

use super::scan::{code_unit, special, strict_until};
use crate::input::text::chars;

/// A JSON string as it stands between its quotes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Str<'a> {
    pub(super) raw: &'a str,
    pub(super) escaped: bool,
}

impl<'a> Str<'a> {
    /// The string whose inside is written like this.
    pub(crate) fn written(raw: &'a str) -> Self {
        Self { raw, escaped: true }
    }

    /// The bytes between the quotes, escapes included.
    pub(crate) fn raw(self) -> &'a str {
        self.raw
    }

    /// Whether the string holds escapes.
    pub(crate) fn is_escaped(self) -> bool {
        self.escaped
    }

    /// Whether strict JSON takes the string as it is written.
    pub(crate) fn is_strict(self) -> bool {
        strict_until(self.raw.as_bytes(), 0, self.raw.len()).is_some()
    }

    /// The string as written up to its first `limit` characters (0: all of it), where strict JSON
    /// takes that.
    pub(crate) fn strict_prefix(self, limit: usize) -> Option<&'a str> {
        let bytes = self.raw.as_bytes();
        if limit == 0 || bytes.len() <= limit {
            return self.is_strict().then_some(self.raw);
        }
        let (mut at, mut left) = (0, limit);
        // No character is written in less than a byte: no step goes too far, each gets closer.
        while left > 0 && at < bytes.len() {
            let (mut end, surplus) = strict_until(bytes, at, (at + left).min(bytes.len()))?;
            while bytes.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
                end += 1;
            }
            let chars = chars(bytes.get(at..end)?) - surplus;
            left -= chars.min(left);
            at = end;
        }
        self.raw.get(..at)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.raw.is_empty()
    }

    /// The string's value. Lone surrogate escapes become U+FFFD, unknown escapes stay as written.
    pub(crate) fn decode(self) -> Cow<'a, str> {
        if !self.escaped {
            return Cow::Borrowed(self.raw);
        }
        let mut text = String::with_capacity(self.raw.len());
        for piece in Escapes::new(self.raw) {
            match piece {
                Piece::Plain(plain) => text.push_str(plain),
                Piece::Escape { value, .. } => text.push(value),
                Piece::Control(c) => text.push(c),
            }
        }
        Cow::Owned(text)
    }

    /// Whether the value is `literal`.
    pub(crate) fn is(self, literal: &str) -> bool {
        if !self.escaped {
            return self.raw == literal;
        }
        // No byte of the value is written in more than six.
        self.raw.len() <= literal.len() * 6 && self.decode() == literal
    }

    /// The code unit of half a surrogate pair that ends the string (a piece of a longer text).
    pub(crate) fn dangling_surrogate(self) -> Option<&'a str> {
        let tail = self.raw.get(self.raw.len().checked_sub(6)?..)?;
        let unit = code_unit(tail.as_bytes(), 0)?;
        let lone = (0xD800..0xDC00).contains(&unit);
        let before = self.raw.len() - 6;
        let slashes = self.raw.bytes().take(before).rev().take_while(|b| *b == b'\\').count();
        (lone && slashes % 2 == 0).then_some(tail)
    }
}

/// Adds a plain text to the inside of a JSON string.
pub(crate) fn push_escaped(inside: &mut String, text: &str) {
    let quoted = json_escape_simd::escape(text);
    inside.push_str(quoted.get(1..quoted.len() - 1).unwrap_or_default());
}

/// A part of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text without escapes and control characters.
    Plain(&'a str),
    /// An escape sequence: how it is written, what it means, and whether strict JSON knows it.
    Escape { raw: &'a str, value: char, strict: bool },
    /// A control character that should have been escaped.
    Control(char),
}

impl Piece<'_> {
    /// Hands the piece to `put` as strict JSON spells it: as written where that is strict.
    pub(crate) fn spell(self, mut put: impl FnMut(&str)) {
        match self {
            Piece::Plain(text) | Piece::Escape { raw: text, strict: true, .. } => put(text),
            Piece::Escape { value: '\\', .. } => put("\\\\"),
            Piece::Escape { value, .. } => put(value.encode_utf8(&mut [0; 4])),
            Piece::Control(c) => put(&format!("\\u{:04x}", u32::from(c))),
        }
    }
}

/// Iterates over the pieces of a string's inside.
#[derive(Debug, Clone)]
pub(crate) struct Escapes<'a> {
    rest: &'a str,
}

impl<'a> Escapes<'a> {
    pub(crate) fn new(raw: &'a str) -> Self {
        Self { rest: raw }
    }
}

impl<'a> Iterator for Escapes<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let first = *self.rest.as_bytes().first()?;
        let (piece, len) = if first == b'\\' {
            escape(self.rest)
        } else if first < b' ' {
            (Piece::Control(char::from(first)), 1)
        } else {
            let len = special(self.rest.as_bytes(), 0);
            (Piece::Plain(self.rest.get(..len)?), len)
        };
        self.rest = self.rest.get(len..)?;
        Some(piece)
    }
}

fn escape(text: &str) -> (Piece<'_>, usize) {
    let piece = |len: usize, value: char, strict: bool| {
        (Piece::Escape { raw: text.get(..len).unwrap_or_default(), value, strict }, len)
    };
    let simple = match text.as_bytes().get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(text).unwrap_or_else(|| piece(1, '\\', false)),
        _ => return piece(1, '\\', false),
    };
    piece(2, simple, true)
}

fn unicode(text: &str) -> Option<(Piece<'_>, usize)> {
    let unit = code_unit(text.as_bytes(), 0)?;
    let (value, len) = match unit {
        0xD800..0xDC00 => match code_unit(text.as_bytes(), 6) {
            Some(low @ 0xDC00..0xE000) => {
                let scalar = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                (char::from_u32(scalar), 12)
            }
            _ => (None, 6),
        },
        other => (char::from_u32(other), 6),
    };
    let strict = value.is_some();
    let value = value.unwrap_or(char::REPLACEMENT_CHARACTER);
    Some((Piece::Escape { raw: text.get(..len)?, value, strict }, len))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(raw: &str) -> String {
        Str { raw, escaped: true }.decode().into_owned()
    }

    #[test]
    fn escapes_are_read_and_odd_ones_survive() {
        assert_eq!(decode(r#"a\n\"\\\/\u00e9"#), "a\n\"\\/é");
        assert_eq!(decode(r"\ud83d\ude80"), "🚀");
        assert_eq!(decode(r"x\ud83dy\ude80z"), "x\u{fffd}y\u{fffd}z");
        assert_eq!(decode(r"\ud83d\n"), "\u{fffd}\n");
        assert_eq!(decode(r"\x\u12g4\"), "\\x\\u12g4\\");
        assert_eq!(decode("a\u{1}é"), "a\u{1}é");
    }

    #[test]
    fn half_a_pair_at_the_end_is_seen() {
        let str = |raw| Str { raw, escaped: true };
        assert_eq!(str(r"a\ud83d").dangling_surrogate(), Some(r"\ud83d"));
        assert_eq!(str(r"a\\ud83d").dangling_surrogate(), None);
        assert_eq!(str(r"a\ude80").dangling_surrogate(), None);
        assert_eq!(str(r"\u00e9").dangling_surrogate(), None);
    }
}
