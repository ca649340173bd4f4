//! How the vocabulary's fields become JSON.

mod strings;

use std::borrow::Cow;
use std::io::Write as _;

use json_escape_simd::escape_into;

use crate::format::shape::{ObjectShape, Shape};
use crate::json::{self, Number, Value};
use crate::limits::{MAX_LIST_TEXT, MIN_LIST_CLIP};

pub(crate) use strings::{Name, Text};

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
        let clip = w.clip;
        // Texts in a list share what a list may say: a plan is printed whole at each of its changes.
        if clip > 0 && !self.is_empty() {
            w.clip = clip.min((MAX_LIST_TEXT / self.len()).max(MIN_LIST_CLIP));
        }
        w.buf.push(b'[');
        for (at, item) in self.iter().enumerate() {
            if at > 0 {
                w.buf.push(b',');
            }
            item.write(w);
        }
        w.buf.push(b']');
        w.clip = clip;
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
    const SHAPE: Shape = Shape::Count;

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
        json::is_strict(value).then(|| Self(one_line(value.text())))
    }

    /// The value, mended where it is not strict.
    pub(crate) fn mended(value: Value<'a>) -> Option<Self> {
        json::repaired(value).map(|json| match json {
            Cow::Borrowed(json) => Self(one_line(json)),
            Cow::Owned(json) => Self(Cow::Owned(one_line(&json).into_owned())),
        })
    }
}

impl Field for Json<'_> {
    const SHAPE: Shape = Shape::Json;

    fn write(&self, w: &mut Writer) {
        let text: &str = if self.0.is_empty() { "null" } else { &self.0 };
        w.buf.extend_from_slice(text.as_bytes());
    }
}

/// The JSON of a document over several lines, on one: a record is a line.
fn one_line(json: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\n', json.as_bytes()).is_some() {
        json::compact(json)
    } else {
        Cow::Borrowed(json)
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
