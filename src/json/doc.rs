//! The index of a line, and the values read from it.

use std::borrow::Cow;

use super::scan::string_end;
use super::string::Str;

/// The nodes that one line may have before what is inside its top-level values is left unread. A
/// line of 64 MiB that holds nothing but brackets must not need a gigabyte of index.
const MAX_NODES: usize = 4 << 20;

/// A value's place: where its text starts and ends, and for containers the node behind it.
#[derive(Debug, Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    /// Containers: the index of the next node that is not inside. Strings: 1 when escaped.
    next: u32,
}

/// A reusable index.
#[derive(Debug, Default)]
pub(crate) struct Doc {
    nodes: Vec<Node>,
    open: Vec<u32>,
}

impl Doc {
    /// Indexes `text`, which must be one value and nothing behind it.
    pub(crate) fn parse<'a>(&'a mut self, text: &'a str) -> Option<Value<'a>> {
        let end = self.index(text)?;
        let rest = text.as_bytes().get(end..)?;
        rest.iter().all(u8::is_ascii_whitespace).then(|| self.root(text))
    }

    /// Indexes the value that `text` starts with; also returns its length in bytes.
    pub(crate) fn parse_prefix<'a>(&'a mut self, text: &'a str) -> Option<(Value<'a>, usize)> {
        let end = self.index(text)?;
        Some((self.root(text), end))
    }

    fn root<'a>(&'a self, text: &'a str) -> Value<'a> {
        Value { text, nodes: &self.nodes, at: 0 }
    }

    /// Walks over the value at the start of `text` and returns where it ends.
    fn index(&mut self, text: &str) -> Option<usize> {
        u32::try_from(text.len()).ok()?;
        self.nodes.clear();
        self.open.clear();
        // While not 0, nothing is recorded: that many containers were open when the limit was met.
        let mut mute = 0;
        let bytes = text.as_bytes();
        let mut at = blank(bytes, 0);
        loop {
            // A value starts here.
            let first = *bytes.get(at)?;
            if mute == 0 && self.nodes.len() > MAX_NODES {
                mute = self.collapse();
            }
            let mut container;
            if matches!(first, b'{' | b'[') {
                container = to_u32(self.nodes.len()) | if first == b'{' { OBJECT } else { 0 };
                self.open.push(container);
                if mute == 0 {
                    self.add(at, at, 0);
                }
                at = blank(bytes, at + 1);
                let empty = matches!((first, bytes.get(at)?), (b'{', b'}') | (b'[', b']'));
                if !empty {
                    if first == b'{' {
                        at = self.key(bytes, at, mute == 0)?;
                    }
                    continue;
                }
            } else {
                let (end, escaped) = scalar(bytes, at, first)?;
                if mute == 0 {
                    self.add(at, end, u32::from(escaped));
                }
                at = end;
                match self.open.last() {
                    Some(open) => container = *open,
                    None => return Some(at),
                }
                at = blank(bytes, at);
            }
            // Behind a value, or at the bracket that closes an empty container.
            loop {
                let object = container & OBJECT != 0;
                match *bytes.get(at)? {
                    b',' => {
                        at = blank(bytes, at + 1);
                        if object {
                            at = self.key(bytes, at, mute == 0)?;
                        }
                        break;
                    }
                    b'}' if object => {}
                    b']' if !object => {}
                    _ => return None,
                }
                at += 1;
                self.open.pop();
                let unmute = mute == self.open.len() + 1;
                if mute == 0 || unmute {
                    mute = 0;
                    let next = to_u32(self.nodes.len());
                    if let Some(node) = self.nodes.get_mut((container & !OBJECT) as usize) {
                        node.end = to_u32(at);
                        node.next = next;
                    }
                }
                match self.open.last() {
                    Some(open) => container = *open,
                    None => return Some(at),
                }
                at = blank(bytes, at);
            }
        }
    }

    fn add(&mut self, start: usize, end: usize, next: u32) {
        self.nodes.push(Node { start: to_u32(start), end: to_u32(end), next });
    }

    /// Reads the key at `at` and the colon behind it; returns where the value starts.
    fn key(&mut self, bytes: &[u8], at: usize, record: bool) -> Option<usize> {
        if bytes.get(at) != Some(&b'"') {
            return None;
        }
        let (quote, escaped) = string_end(bytes, at + 1)?;
        if record {
            self.add(at, quote + 1, u32::from(escaped));
        }
        let colon = blank(bytes, quote + 1);
        (bytes.get(colon) == Some(&b':')).then(|| blank(bytes, colon + 1))
    }

    /// Forgets what is inside the top-level value that is being read and returns how many
    /// containers are open with it.
    fn collapse(&mut self) -> usize {
        let level = self.open.len().min(2);
        if let Some(open) = level.checked_sub(1).and_then(|i| self.open.get(i)) {
            self.nodes.truncate((open & !OBJECT) as usize + 1);
        }
        level
    }
}

const OBJECT: u32 = 1 << 31;

fn to_u32(n: usize) -> u32 {
    // `Doc::index` refuses texts of 4 GiB and more.
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn blank(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The end of the scalar at `at`, and whether it is a string with escapes.
fn scalar(bytes: &[u8], at: usize, first: u8) -> Option<(usize, bool)> {
    if first == b'"' {
        let (quote, escaped) = string_end(bytes, at + 1)?;
        return Some((quote + 1, escaped));
    }
    let rest = bytes.get(at..)?;
    let len = rest
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))
        .unwrap_or(rest.len());
    let word = rest.get(..len)?;
    let known = matches!(word, b"null" | b"true" | b"false" | b"NaN" | b"Infinity" | b"-Infinity")
        || (matches!(first, b'0'..=b'9' | b'-' | b'+' | b'.')
            && std::str::from_utf8(word).is_ok_and(|w| w.parse::<f64>().is_ok()));
    known.then_some((at + len, false))
}

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

/// A value of an indexed line, or the absence of one: looking something up in it never fails.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'a> {
    text: &'a str,
    nodes: &'a [Node],
    at: usize,
}

impl<'a> Value<'a> {
    /// No value.
    pub(crate) const MISSING: Value<'static> = Value { text: "", nodes: &[], at: 0 };

    fn node(self) -> Option<Node> {
        self.nodes.get(self.at).copied()
    }

    fn at(self, at: usize) -> Self {
        Self { at, ..self }
    }

    /// The value as it stands in the line.
    pub(crate) fn text(self) -> &'a str {
        let span = self.node().map(|n| n.start as usize..n.end as usize);
        span.and_then(|s| self.text.get(s)).unwrap_or_default()
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
    pub(crate) fn pick<const N: usize>(self, keys: [&str; N]) -> [Self; N] {
        let mut found = [Value::MISSING; N];
        for (key, value) in self.members() {
            for (want, slot) in keys.iter().zip(&mut found) {
                if key.is(want) {
                    *slot = value;
                }
            }
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
        (self.at + 1, self.node().map_or(0, |n| n.next as usize))
    }

    /// The node behind this value.
    fn behind(self) -> usize {
        match self.kind() {
            Kind::Object | Kind::Array => self.inside().1.max(self.at + 1),
            _ => self.at + 1,
        }
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
                let unread = value.behind() == value.at + 1
                    && value.text().bytes().any(|b| !b"{[]} \t\r\n".contains(&b));
                if unread {
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
        Str { raw, escaped: self.node().is_some_and(|n| n.next == 1) }
    }

    /// The string, if it is one.
    pub(crate) fn str(self) -> Option<Str<'a>> {
        self.is_string().then(|| self.string())
    }

    /// The decoded string, if it is one.
    pub(crate) fn decode(self) -> Option<Cow<'a, str>> {
        self.str().map(Str::decode)
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
        let whole = float >= 0.0 && float < 9_007_199_254_740_992.0 && float.fract() == 0.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
        Some(if whole { Number::Int(float as u64) } else { Number::Float(float) })
    }

    /// A count: whole numbers in any spelling; what is negative is 0, a fraction is cut off.
    pub(crate) fn count(self) -> Option<u64> {
        match self.number()? {
            Number::Int(int) => Some(int),
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturates"
            )]
            Number::Float(float) => Some(float as u64),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_and_the_last_duplicate_wins() {
        let mut doc = Doc::default();
        let v =
            doc.parse(r#" {"a":[1,{"b":"x\n"},[]],"id":1,"c":{},"id":"two","n":-1.5e0} "#).unwrap();
        assert_eq!(v.get("id").decode().unwrap(), "two");
        let a: Vec<_> = v.get("a").elements().collect();
        assert_eq!(a.len(), 3);
        assert_eq!(a[0].count(), Some(1));
        assert_eq!(a[1].get("b").decode().unwrap(), "x\n");
        assert_eq!(a[2].kind(), Kind::Array);
        assert_eq!(v.get("c").members().count(), 0);
        assert_eq!(v.get("n").number(), Some(Number::Float(-1.5)));
        assert_eq!(v.get("a").get("b").get("c").kind(), Kind::Missing);
        assert_eq!(v.get("a").text(), r#"[1,{"b":"x\n"},[]]"#);
    }

    #[test]
    fn torn_and_wrong_texts_are_refused() {
        let mut doc = Doc::default();
        for text in [
            "",
            "{",
            "[",
            "{]",
            "[}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "[1,]",
            "[1 2]",
            "{a:1}",
            "\"x",
            "\"x\\",
            "1 2",
            "nul",
            "{\"a\":1}}",
            "{\"a\":tru}",
            "[1]x",
            "{\"a\":\"b\"c\"}",
            "--1",
        ] {
            assert!(doc.parse(text).is_none(), "{text}");
        }
        for text in ["1", "null", "[]", "{}", "[[[]],{}]", "1e400", "NaN", "01", "+1", ".5"] {
            assert!(doc.parse(text).is_some(), "{text}");
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(200_000), "]".repeat(200_000));
        let mut doc = Doc::default();
        assert!(doc.parse(&deep).is_some());
        assert_eq!(doc.parse(&deep).unwrap().depth(), Some(200_001));
        assert!(doc.parse(&deep[..deep.len() - 1]).is_none());
    }

    #[test]
    fn a_line_of_too_many_values_keeps_its_top_level() {
        let many = "1,".repeat(MAX_NODES + 9);
        let text = format!("{{\"type\":\"x\",\"big\":[{many}1],\"after\":[7]}}");
        let mut doc = Doc::default();
        let v = doc.parse(&text).unwrap();
        assert!(v.get("type").is("x"));
        assert_eq!(v.get("big").elements().count(), 0);
        assert_eq!(v.get("after").elements().next().unwrap().count(), Some(7));
        assert!(v.get("big").text().ends_with("1,1]"));
        assert!(doc.nodes.capacity() < MAX_NODES * 3);
    }
}
