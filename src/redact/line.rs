//! A line of JSON: each of its strings looked at by itself, everything else left as it is.

use std::ops::Range;

use super::Rules;
use super::look::{Form, Look, Span};
use crate::json::string_end;

/// Members that only their writer can read: changed, they would be of no use to it.
const SEALED: &[&[u8]] = &[
    b"signature",
    b"thinkingSignature",
    b"thinking_signature",
    b"thoughtSignature",
    b"thought_signature",
    b"textSignature",
    b"encrypted_content",
    b"encryptedContent",
    b"encrypted",
    b"reasoning_encrypted_content",
    b"reasoningOpaque",
];

/// A string of a line: where its inside stands, and the key that it is the value of.
#[derive(Debug, Clone)]
struct StringAt {
    inside: Range<usize>,
    is_key: bool,
    key: Option<Range<usize>>,
}

/// The strings of a line, in order. One that does not end goes to the end of the line.
fn strings(line: &[u8]) -> impl Iterator<Item = StringAt> {
    let mut at = 0;
    let mut key: Option<Range<usize>> = None;
    std::iter::from_fn(move || {
        let open = at + memchr::memchr(b'"', line.get(at..)?)?;
        let start = open + 1;
        let gap = key.as_ref().and_then(|key| line.get(key.end + 1..open));
        let direct =
            gap.is_some_and(|gap| gap.iter().all(|b| b.is_ascii_whitespace() || *b == b':'));
        let whose = key.take().filter(|_| direct);
        let end = string_end(line, start).map_or(line.len(), |(end, _)| end);
        at = end + 1;
        let behind = line.get(at..).unwrap_or_default();
        let is_key = behind.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
        if is_key {
            key = Some(start..end);
        }
        Some(StringAt { inside: start..end, is_key, key: whose })
    })
}

impl Rules {
    /// Where secrets stand in a line of JSON; `except`: strings that are looked at elsewhere.
    pub(super) fn look_in_json(&self, line: &[u8], except: &[Range<usize>]) -> Vec<Span> {
        let mut all = Vec::new();
        // A pair of members that holds a name and a value, as lists of variables have them.
        let mut named: Option<Range<usize>> = None;
        for string in strings(line) {
            let inside = string.inside.clone();
            let Some(text) = line.get(inside.clone()) else { continue };
            let mut key = string.key.clone().and_then(|key| line.get(key));
            if key.is_some_and(|key| SEALED.contains(&key)) || except.contains(&inside) {
                continue;
            }
            if let Some(word) = key {
                if matches!(word, b"name" | b"Name" | b"key" | b"Key") {
                    named = Some(inside.clone());
                } else if matches!(word, b"value" | b"Value") {
                    key = named.take().and_then(|name| line.get(name));
                }
            }
            let key = key.filter(|_| !string.is_key).map(unescaped);
            let look = Look { text, form: Form::Inside, from: 0, open: false, key: key.as_deref() };
            all.extend(self.look(look).0.into_iter().map(|span| shifted(span, inside.start)));
        }
        all
    }
}

/// A key as it is meant.
fn unescaped(key: &[u8]) -> Vec<u8> {
    let levels = super::unescape::Levels::of(key);
    levels.text(0).map_or_else(|| key.to_vec(), <[u8]>::to_vec)
}

pub(super) fn shifted(mut span: Span, by: usize) -> Span {
    span.start += by;
    span.end += by;
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_know_their_keys() {
        let line = br#"{"a": "x\"y", "b":["c"], "d\n" : {"e":1}, "f":"torn"#;
        let text = |range: Range<usize>| String::from_utf8_lossy(&line[range]).into_owned();
        let found: Vec<String> = strings(line)
            .map(|s| format!("{:?} {} {:?}", text(s.inside), s.is_key, s.key.map(text)))
            .collect();
        let want = [
            r#""a" true None"#,
            r#""x\\\"y" false Some("a")"#,
            r#""b" true None"#,
            r#""c" false None"#,
            r#""d\\n" true None"#,
            r#""e" true None"#,
            r#""f" true None"#,
            r#""torn" false Some("f")"#,
        ];
        assert_eq!(found, want);
    }
}
