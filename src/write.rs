//! How the vocabulary's fields become JSON.

use std::borrow::Cow;
use std::io::Write as _;

use json_escape_simd::escape_into;

use crate::json::{self, Escapes, Number, Piece, Value};
use crate::shape::{ObjectShape, Shape};
use crate::text::char_index;

/// Writes one payload at a time into a reused buffer.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) buf: Vec<u8>,
    /// Characters per text field; 0 for no limit.
    clip: usize,
    clipped: bool,
    /// Where the record would say that a text was clipped, if one behind that place will be.
    unclipped: Option<usize>,
}

impl Writer {
    pub(crate) fn new(clip: usize) -> Self {
        Self { buf: Vec::new(), clip, clipped: false, unclipped: None }
    }

    pub(crate) fn begin(&mut self) {
        self.clipped = false;
        self.unclipped = None;
        self.buf.push(b'{');
    }

    pub(crate) fn end(&mut self) {
        if let Some(at) = self.unclipped.filter(|_| self.clipped) {
            self.buf.splice(at..at, *b",\"truncated\":true");
        }
        self.buf.push(b'}');
    }

    /// Writes `"key":`, which `quoted` must be, behind a comma where one is due.
    pub(crate) fn key(&mut self, quoted: &str) {
        if self.buf.last() != Some(&b'{') {
            self.buf.push(b',');
        }
        self.buf.extend_from_slice(quoted.as_bytes());
    }

    pub(crate) fn str(&mut self, text: &str) {
        escape_into(text, &mut self.buf);
    }

    pub(crate) fn object(&mut self, object: &impl Object) {
        self.buf.push(b'{');
        object.fields(self);
        self.buf.push(b'}');
    }

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

/// A value of the format.
pub(crate) trait Field {
    const SHAPE: Shape;

    /// Whether an extension key with this value is left out.
    fn absent(&self, _w: &mut Writer) -> bool {
        false
    }

    fn write(&self, w: &mut Writer);
}

/// A set of fields.
pub(crate) trait Object {
    const SHAPE: ObjectShape;

    fn fields(&self, w: &mut Writer);
}

impl<T: Object> Field for T {
    const SHAPE: Shape = Shape::Object(&<T as Object>::SHAPE);

    fn absent(&self, w: &mut Writer) -> bool {
        let start = w.buf.len();
        w.object(self);
        let empty = w.buf.get(start..) == Some(b"{}");
        w.buf.truncate(start);
        empty
    }

    fn write(&self, w: &mut Writer) {
        w.object(self);
    }
}

impl<T: Field> Field for Option<T> {
    const SHAPE: Shape = Shape::Nullable(&T::SHAPE);

    fn absent(&self, w: &mut Writer) -> bool {
        self.as_ref().is_none_or(|value| value.absent(w))
    }

    fn write(&self, w: &mut Writer) {
        match self {
            Some(value) => value.write(w),
            None => w.buf.extend_from_slice(b"null"),
        }
    }
}

impl<T: Field> Field for Vec<T> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);

    fn absent(&self, _w: &mut Writer) -> bool {
        self.is_empty()
    }

    fn write(&self, w: &mut Writer) {
        w.buf.push(b'[');
        for (at, item) in self.iter().enumerate() {
            if at > 0 {
                w.buf.push(b',');
            }
            item.write(w);
        }
        w.buf.push(b']');
    }
}

impl Field for bool {
    const SHAPE: Shape = Shape::Boolean;

    fn absent(&self, _w: &mut Writer) -> bool {
        !self
    }

    fn write(&self, w: &mut Writer) {
        w.buf.extend_from_slice(if *self { b"true" } else { b"false" });
    }
}

impl Field for u64 {
    const SHAPE: Shape = Shape::Integer;

    fn write(&self, w: &mut Writer) {
        w.buf.extend_from_slice(itoa::Buffer::new().format(*self).as_bytes());
    }
}

impl Field for i64 {
    const SHAPE: Shape = Shape::Integer;

    fn write(&self, w: &mut Writer) {
        w.buf.extend_from_slice(itoa::Buffer::new().format(*self).as_bytes());
    }
}

impl Field for f64 {
    const SHAPE: Shape = Shape::Number;

    fn absent(&self, _w: &mut Writer) -> bool {
        !self.is_finite()
    }

    fn write(&self, w: &mut Writer) {
        if self.is_finite() {
            // Writing to memory cannot fail.
            let _ = write!(w.buf, "{self}");
        } else {
            w.buf.extend_from_slice(b"null");
        }
    }
}

impl Field for Number {
    const SHAPE: Shape = Shape::Number;

    fn write(&self, w: &mut Writer) {
        match self {
            Number::Int(int) => int.write(w),
            Number::Float(float) => float.write(w),
        }
    }
}

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

/// Whether a text of the record was clipped, or was cut before it came here.
#[derive(Debug, Default)]
pub(crate) struct Clipped {
    pub(crate) before: bool,
}

impl Field for Clipped {
    const SHAPE: Shape = Shape::Boolean;

    fn absent(&self, w: &mut Writer) -> bool {
        let absent = !w.clipped && !self.before;
        if absent {
            w.unclipped = Some(w.buf.len());
        }
        absent
    }

    fn write(&self, w: &mut Writer) {
        (w.clipped || self.before).write(w);
    }
}

/// JSON of the harness, strict, passed on as it is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Json<'a>(Cow<'a, str>);

impl<'a> Json<'a> {
    /// The value unchanged, if it is strict.
    pub(crate) fn strict(value: Value<'a>) -> Option<Self> {
        json::is_strict(value).then(|| Self(Cow::Borrowed(value.text())))
    }

    /// The value, mended where it is not strict.
    pub(crate) fn mended(value: Value<'a>) -> Option<Self> {
        json::repaired(value).map(Self)
    }
}

impl Field for Json<'_> {
    const SHAPE: Shape = Shape::Json;

    fn write(&self, w: &mut Writer) {
        let text: &str = if self.0.is_empty() { "null" } else { &self.0 };
        w.buf.extend_from_slice(text.as_bytes());
    }
}

/// An object whose keys are the harness's own.
#[derive(Debug)]
pub(crate) struct Keyed<'a, T>(pub(crate) Vec<(Name<'a>, T)>);

impl<T> Default for Keyed<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Object> Field for Keyed<'_, T> {
    const SHAPE: Shape = Shape::Keyed(&Shape::Object(&T::SHAPE));

    fn absent(&self, _w: &mut Writer) -> bool {
        self.0.is_empty()
    }

    fn write(&self, w: &mut Writer) {
        w.buf.push(b'{');
        for (at, (key, value)) in self.0.iter().enumerate() {
            if at > 0 {
                w.buf.push(b',');
            }
            key.write(w);
            w.buf.push(b':');
            w.object(value);
        }
        w.buf.push(b'}');
    }
}
