//! Values of an indexed line.

use std::borrow::Cow;

use super::string::Str;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// There is no such value.
    Missing,
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// A number of the wire.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Int(u64),
    Float(f64),
}

/// The highest bit of a number that stays below it.
pub(super) const FLAG: u32 = 1 << 31;

/// A value's place: where its text starts and ends, and the node behind it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) start: u32,
    /// The end, and in the highest bit whether it is a string with escapes.
    pub(super) end: u32,
    /// The index of the next node that is not inside, and in the highest bit whether what is inside was
    /// left unread.
    pub(super) next: u32,
}

impl Node {
    pub(super) fn end(self) -> usize {
        (self.end & !FLAG) as usize
    }

    fn next(self) -> usize {
        (self.next & !FLAG) as usize
    }

    /// Whether the line held too much to index what is inside.
    fn is_unread(self) -> bool {
        self.next & FLAG != 0
    }

    pub(super) fn is_escaped(self) -> bool {
        self.end & FLAG != 0
    }
}

/// A value of an indexed line, or the absence of one: looking something up in it never fails.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'a> {
    text: &'a str,
    nodes: &'a [Node],
    at: usize,
}

impl Default for Value<'_> {
    fn default() -> Self {
        Value::MISSING
    }
}

impl<'a> Value<'a> {
    /// No value.
    pub(crate) const MISSING: Value<'static> = Value { text: "", nodes: &[], at: 0 };

    pub(super) fn root(text: &'a str, nodes: &'a [Node]) -> Self {
        Self { text, nodes, at: 0 }
    }

    fn node(self) -> Option<Node> {
        self.nodes.get(self.at).copied()
    }

    fn at(self, at: usize) -> Self {
        Self { at, ..self }
    }

    /// The value as it stands in the line.
    pub(crate) fn text(self) -> &'a str {
        let span = self.node().map(|n| n.start as usize..n.end());
        span.and_then(|s| self.text.get(s)).unwrap_or_default()
    }

    /// Where the value stands in the line.
    pub(crate) fn span(self) -> Option<std::ops::Range<usize>> {
        self.node().map(|node| node.start as usize..node.end())
    }

    pub(crate) fn kind(self) -> Kind {
        let Some(node) = self.node() else { return Kind::Missing };
        match self.text.as_bytes().get(node.start as usize) {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            Some(_) => Kind::Number,
            None => Kind::Missing,
        }
    }

    pub(crate) fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    pub(crate) fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    pub(crate) fn is_string(self) -> bool {
        self.kind() == Kind::String
    }

    /// Whether there is a value other than `null`.
    pub(crate) fn is_some(self) -> bool {
        !matches!(self.kind(), Kind::Missing | Kind::Null)
    }

    /// Whether there is a value, `null` included.
    pub(crate) fn exists(self) -> bool {
        self.kind() != Kind::Missing
    }

    /// The value of `key`, the last one where the key is repeated.
    pub(crate) fn get(self, key: &str) -> Self {
        let [value] = self.pick([key]);
        value
    }

    /// The values of several keys in one pass.
    #[expect(clippy::inline_always, reason = "the keys must be constants where they are compared")]
    #[inline(always)]
    pub(crate) fn pick<const N: usize>(self, keys: [&str; N]) -> [Self; N] {
        let mut found = [Value::MISSING; N];
        if !self.is_object() {
            return found;
        }
        let (mut at, end) = self.inside();
        while let Some(key) = self.nodes.get(at).filter(|_| at < end) {
            let value = self.at(at + 1);
            // Keys are compared as bytes: cutting a `str` would look for characters at its edges.
            let inside = key.start as usize + 1..key.end().saturating_sub(1);
            let raw = self.text.as_bytes().get(inside).unwrap_or_default();
            for (want, slot) in keys.iter().zip(&mut found) {
                let is = if key.is_escaped() {
                    self.at(at).string().is(want)
                } else {
                    raw.len() == want.len()
                        && raw.first() == want.as_bytes().first()
                        && raw == want.as_bytes()
                };
                if is {
                    *slot = value;
                }
            }
            at = value.behind();
        }
        found
    }

    /// The members of an object, in the order of the line; empty for anything else.
    pub(crate) fn members(self) -> impl Iterator<Item = (Str<'a>, Self)> {
        let (mut at, end) = if self.is_object() { self.inside() } else { (0, 0) };
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let key = self.at(at).string();
            let value = self.at(at + 1);
            at = value.behind();
            Some((key, value))
        })
    }

    /// The elements of an array; empty for anything else.
    pub(crate) fn elements(self) -> impl Iterator<Item = Self> {
        let (mut at, end) = if self.is_array() { self.inside() } else { (0, 0) };
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let value = self.at(at);
            at = value.behind();
            Some(value)
        })
    }

    /// The nodes inside a container.
    fn inside(self) -> (usize, usize) {
        (self.at + 1, self.node().map_or(0, Node::next))
    }

    /// The node behind this value.
    fn behind(self) -> usize {
        self.node().map_or(0, Node::next).max(self.at + 1)
    }

    /// The scalars in the value, keys included, in the order of the line.
    pub(crate) fn scalars(self) -> impl Iterator<Item = Self> {
        (self.at..self.behind())
            .map(move |at| self.at(at))
            .filter(|v| !matches!(v.kind(), Kind::Object | Kind::Array))
    }

    /// How deep the value's containers are nested; `None` when not all of it was indexed.
    pub(crate) fn depth(self) -> Option<usize> {
        let mut ends: Vec<usize> = Vec::new();
        let mut deepest = 0;
        for value in (self.at..self.behind()).map(|at| self.at(at)) {
            while ends.last().is_some_and(|end| *end <= value.at) {
                ends.pop();
            }
            if matches!(value.kind(), Kind::Object | Kind::Array) {
                if value.node().is_some_and(Node::is_unread) {
                    return None;
                }
                ends.push(value.behind());
                deepest = deepest.max(ends.len());
            }
        }
        Some(deepest)
    }

    fn string(self) -> Str<'a> {
        let quoted = self.text();
        let raw = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
        Str { raw, escaped: self.node().is_some_and(Node::is_escaped) }
    }

    /// The string, if it is one.
    pub(crate) fn str(self) -> Option<Str<'a>> {
        self.is_string().then(|| self.string())
    }

    /// The decoded string, if it is one.
    pub(crate) fn decode(self) -> Option<Cow<'a, str>> {
        self.str().map(Str::decode)
    }

    /// The decoded text, if the value is a string and not empty.
    pub(crate) fn filled(self) -> Option<String> {
        self.owned().filter(|text| !text.is_empty())
    }

    /// The decoded string, if it is one, for what outlives the line.
    pub(crate) fn owned(self) -> Option<String> {
        self.decode().map(Cow::into_owned)
    }

    /// Whether the value is the string `literal`.
    pub(crate) fn is(self, literal: &str) -> bool {
        self.str().is_some_and(|s| s.is(literal))
    }

    pub(crate) fn bool(self) -> Option<bool> {
        match self.text() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    pub(crate) fn is_true(self) -> bool {
        self.bool() == Some(true)
    }

    /// The number, if it is one that can be printed.
    pub(crate) fn number(self) -> Option<Number> {
        if self.kind() != Kind::Number {
            return None;
        }
        let text = self.text();
        if let Ok(int) = text.parse() {
            return Some(Number::Int(int));
        }
        let float: f64 = text.parse().ok()?;
        if !float.is_finite() {
            return None;
        }
        let whole = (0.0..9_007_199_254_740_992.0).contains(&float) && float.fract() == 0.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
        Some(if whole { Number::Int(float as u64) } else { Number::Float(float) })
    }

    /// A count: whole numbers in any spelling; what is negative is 0, a fraction is cut off. What is
    /// past the integers that a double holds is no count of anything, and is taken for the last of
    /// them, so that no sum of counts can overflow.
    pub(crate) fn count(self) -> Option<u64> {
        const MOST: u64 = 1 << 53;
        match self.number()? {
            Number::Int(int) => Some(int.min(MOST)),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturates"
            )]
            Number::Float(float) => Some((float as u64).min(MOST)),
        }
    }

    pub(crate) fn i64(self) -> Option<i64> {
        self.text().parse().ok()
    }

    pub(crate) fn f64(self) -> Option<f64> {
        match self.number()? {
            #[expect(clippy::cast_precision_loss, reason = "as every JSON reader does")]
            Number::Int(int) => Some(int as f64),
            Number::Float(float) => Some(float),
        }
    }
}
