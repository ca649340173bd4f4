//! Strings of the format: passed on whole, or clipped.

use std::borrow::Cow;

use super::{Field, Writer};
use crate::format::shape::Shape;
use crate::input::text::char_index;
use crate::json::{self, Escapes, Piece, Value};

/// A string of the wire or our own.
#[derive(Debug, Clone)]
enum Words<'a> {
    Json(json::Str<'a>),
    Plain(Cow<'a, str>),
    /// The inside of a JSON string.
    Written(String),
}

impl Default for Words<'_> {
    fn default() -> Self {
        Words::Plain(Cow::Borrowed(""))
    }
}

/// A string that is passed on whole: an id, a name, a path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Name<'a>(Words<'a>);

impl Name<'_> {
    /// What it says.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match &self.0 {
            Words::Json(str) => str.decode(),
            Words::Plain(text) => Cow::Borrowed(text),
            Words::Written(text) => json::Str::written(text).decode(),
        }
    }
}

/// A string that is clipped.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text<'a>(Words<'a>);

impl Text<'_> {
    /// A text that is given as the inside of a JSON string.
    pub(crate) fn written(inside: String) -> Self {
        Self(Words::Written(inside))
    }
}

impl Field for Name<'_> {
    const SHAPE: Shape = Shape::String;

    fn write(&self, w: &mut Writer) {
        w.words(&self.0, 0);
    }
}

impl Field for Text<'_> {
    const SHAPE: Shape = Shape::String;

    fn write(&self, w: &mut Writer) {
        w.words(&self.0, w.clip);
    }
}

macro_rules! from_words {
    ($($target:ident),+) => {$(
        impl<'a> From<json::Str<'a>> for $target<'a> {
            fn from(str: json::Str<'a>) -> Self {
                Self(Words::Json(str))
            }
        }
        impl<'a> From<&'a str> for $target<'a> {
            fn from(text: &'a str) -> Self {
                Self(Words::Plain(Cow::Borrowed(text)))
            }
        }
        impl<'a> From<&'a String> for $target<'a> {
            fn from(text: &'a String) -> Self {
                Self(Words::Plain(Cow::Borrowed(text)))
            }
        }
        impl From<String> for $target<'_> {
            fn from(text: String) -> Self {
                Self(Words::Plain(Cow::Owned(text)))
            }
        }
        impl<'a> From<Cow<'a, str>> for $target<'a> {
            fn from(text: Cow<'a, str>) -> Self {
                Self(Words::Plain(text))
            }
        }
        impl<'a> $target<'a> {
            /// The value, if it is a string.
            pub(crate) fn of(value: Value<'a>) -> Option<Self> {
                value.str().map(Self::from)
            }

            /// The value, if it is a string and not empty.
            pub(crate) fn filled(value: Value<'a>) -> Option<Self> {
                value.str().filter(|s| !s.is_empty()).map(Self::from)
            }
        }
    )+};
}

from_words!(Name, Text);

impl Writer {
    /// A string that is clipped to at most `limit` characters (0: none).
    fn words(&mut self, words: &Words<'_>, limit: usize) {
        match words {
            Words::Plain(text) => {
                let kept = self.fit(text, limit);
                self.str(kept);
            }
            Words::Json(str) => self.written(*str, limit),
            Words::Written(text) => self.written(json::Str::written(text), limit),
        }
    }

    /// A string of the wire: copied as it is written where strict JSON takes that.
    fn written(&mut self, str: json::Str<'_>, limit: usize) {
        match str.strict_prefix(limit) {
            Some(kept) => {
                self.clipped |= kept.len() < str.raw().len();
                self.buf.push(b'"');
                self.buf.extend_from_slice(kept.as_bytes());
                self.buf.push(b'"');
            }
            None => self.mended(str.raw(), limit),
        }
    }

    fn fit<'t>(&mut self, text: &'t str, limit: usize) -> &'t str {
        match char_index(text, limit) {
            Some(end) if limit > 0 => {
                self.clipped = true;
                text.get(..end).unwrap_or_default()
            }
            _ => text,
        }
    }

    /// The inside of a JSON string that is not strict.
    fn mended(&mut self, raw: &str, limit: usize) {
        let mut left = if limit == 0 { usize::MAX } else { limit };
        self.buf.push(b'"');
        for piece in Escapes::new(raw) {
            if left == 0 {
                self.clipped = true;
                break;
            }
            if let Piece::Plain(plain) = piece {
                if let Some(end) = char_index(plain, left) {
                    let kept = plain.get(..end).unwrap_or_default();
                    self.buf.extend_from_slice(kept.as_bytes());
                    self.clipped = true;
                    break;
                }
                left -= plain.chars().count();
            } else {
                left -= 1;
            }
            piece.spell(|text| self.buf.extend_from_slice(text.as_bytes()));
        }
        self.buf.push(b'"');
    }
}
