//! The index of a line: one pass, no recursion.

use super::scan::string_end;
use super::value::{FLAG, Node, Value};
use crate::limits::MAX_NODES;

/// Why a text does not start with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It ends before the value does.
    Torn,
    /// What stands there is no JSON.
    Wrong,
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
        let end = self.index(text).ok()?;
        let rest = text.as_bytes().get(end..)?;
        rest.iter().all(u8::is_ascii_whitespace).then(|| self.root(text))
    }

    /// Indexes the value that `text` starts with; also returns its length in bytes.
    pub(crate) fn parse_prefix<'a>(
        &'a mut self,
        text: &'a str,
    ) -> Result<(Value<'a>, usize), Stop> {
        let end = self.index(text)?;
        Ok((self.root(text), end))
    }

    fn root<'a>(&'a self, text: &'a str) -> Value<'a> {
        Value::root(text, &self.nodes)
    }

    /// Walks over the value at the start of `text` and returns where it ends.
    fn index(&mut self, text: &str) -> Result<usize, Stop> {
        u32::try_from(text.len()).ok().filter(|len| len & FLAG == 0).ok_or(Stop::Wrong)?;
        self.nodes.clear();
        self.open.clear();
        // While not 0, nothing is recorded: that many containers were open when the limit was met.
        let mut mute = 0;
        let bytes = text.as_bytes();
        let mut at = blank(bytes, 0);
        loop {
            // A value starts here.
            let first = byte(bytes, at)?;
            if mute == 0 && self.nodes.len() > MAX_NODES {
                mute = self.collapse();
            }
            let mut container;
            if matches!(first, b'{' | b'[') {
                container = to_u32(self.nodes.len()) | if first == b'{' { FLAG } else { 0 };
                self.open.push(container);
                if mute == 0 {
                    self.add(at, at, false);
                }
                at = blank(bytes, at + 1);
                let empty = matches!((first, byte(bytes, at)?), (b'{', b'}') | (b'[', b']'));
                if !empty {
                    if first == b'{' {
                        at = self.key(bytes, at, mute == 0)?;
                    }
                    continue;
                }
            } else {
                let (end, escaped) = scalar(bytes, at, first)?;
                if mute == 0 {
                    self.add(at, end, escaped);
                }
                at = end;
                match self.open.last() {
                    Some(open) => container = *open,
                    None => return Ok(at),
                }
                at = blank(bytes, at);
            }
            // Behind a value, or at the bracket that closes an empty container.
            loop {
                let object = container & FLAG != 0;
                match byte(bytes, at)? {
                    b',' => {
                        at = blank(bytes, at + 1);
                        if object {
                            at = self.key(bytes, at, mute == 0)?;
                        }
                        break;
                    }
                    b'}' if object => {}
                    b']' if !object => {}
                    _ => return Err(Stop::Wrong),
                }
                at += 1;
                self.open.pop();
                let unmute = mute == self.open.len() + 1;
                if mute == 0 || unmute {
                    mute = 0;
                    let next = to_u32(self.nodes.len());
                    if let Some(node) = self.nodes.get_mut((container & !FLAG) as usize) {
                        node.end = to_u32(at);
                        node.next = next | if unmute { FLAG } else { 0 };
                    }
                }
                match self.open.last() {
                    Some(open) => container = *open,
                    None => return Ok(at),
                }
                at = blank(bytes, at);
            }
        }
    }

    #[inline]
    fn add(&mut self, start: usize, end: usize, escaped: bool) {
        let end = to_u32(end) | if escaped { FLAG } else { 0 };
        let next = to_u32(self.nodes.len()) + 1;
        self.nodes.push(Node { start: to_u32(start), end, next });
    }

    /// Reads the key at `at` and the colon behind it; returns where the value starts.
    #[inline]
    fn key(&mut self, bytes: &[u8], at: usize, record: bool) -> Result<usize, Stop> {
        if byte(bytes, at)? != b'"' {
            return Err(Stop::Wrong);
        }
        let (quote, escaped) = string_end(bytes, at + 1).ok_or(Stop::Torn)?;
        if record {
            self.add(at, quote + 1, escaped);
        }
        let colon = blank(bytes, quote + 1);
        if byte(bytes, colon)? == b':' { Ok(blank(bytes, colon + 1)) } else { Err(Stop::Wrong) }
    }

    /// Forgets what is inside the top-level value that is being read and returns how many
    /// containers are open with it.
    fn collapse(&mut self) -> usize {
        let level = self.open.len().min(2);
        if let Some(open) = level.checked_sub(1).and_then(|i| self.open.get(i)) {
            self.nodes.truncate((open & !FLAG) as usize + 1);
        }
        level
    }
}

/// `Doc::index` refuses texts of 2 GiB and more.
#[expect(clippy::cast_possible_truncation, reason = "checked once a text")]
const fn to_u32(n: usize) -> u32 {
    n as u32
}

#[inline]
fn byte(bytes: &[u8], at: usize) -> Result<u8, Stop> {
    bytes.get(at).copied().ok_or(Stop::Torn)
}

#[inline]
fn blank(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

/// The end of the scalar at `at`, and whether it is a string with escapes.
fn scalar(bytes: &[u8], at: usize, first: u8) -> Result<(usize, bool), Stop> {
    if first == b'"' {
        let (quote, escaped) = string_end(bytes, at + 1).ok_or(Stop::Torn)?;
        return Ok((quote + 1, escaped));
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let len = rest
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')))
        .unwrap_or(rest.len());
    let word = rest.get(..len).unwrap_or_default();
    let number = word.iter().all(u8::is_ascii_digit) && !word.is_empty();
    let known = number
        || matches!(word, b"null" | b"true" | b"false" | b"NaN" | b"Infinity" | b"-Infinity")
        || (matches!(first, b'0'..=b'9' | b'-' | b'+' | b'.')
            && std::str::from_utf8(word).is_ok_and(|w| w.parse::<f64>().is_ok()));
    match known {
        true => Ok((at + len, false)),
        false if len == rest.len() => Err(Stop::Torn),
        false => Err(Stop::Wrong),
    }
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "this is a test")]
mod tests {
    use super::super::{Kind, Number};
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
    fn counts_are_whole_and_their_sums_cannot_overflow() {
        let mut doc = Doc::default();
        let mut count = |text: &str| doc.parse(text).unwrap().count();
        let most = Some(1 << 53);
        for (text, expected) in [
            ("-5", Some(0)),
            ("2.9", Some(2)),
            ("1e3", Some(1_000)),
            ("9007199254740991", Some((1 << 53) - 1)),
            ("9007199254740993", most),
            ("18446744073709551615", most),
            ("1e300", most),
            ("1e400", None),
            ("\"5\"", None),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
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
    fn torn_is_told_from_wrong() {
        let mut doc = Doc::default();
        let mut stop = |text: &str| doc.parse_prefix(text).map(|(_, end)| end);
        for torn in ["", "{", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":tr", "{\"a\":[1,", "{\"a\":{},"]
        {
            assert_eq!(stop(torn), Err(Stop::Torn), "{torn}");
        }
        for wrong in ["{x", "{\"a\" b", "{\"a\":1 {", "]"] {
            assert_eq!(stop(wrong), Err(Stop::Wrong), "{wrong}");
        }
        assert_eq!(stop("{}{"), Ok(2));
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
