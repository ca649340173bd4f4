//! Records with noise glued to them: a terminal's title escape or a log fragment before the brace,
//! two records on one line.

use memchr::memchr_iter;

use crate::json::{Doc, Value};

/// How often a record is tried for on one line.
const TRIES: usize = 16;

/// Splits a line that is no JSON into the noise in front and the records behind it.
///
/// A record counts when `known` takes it and when it ends at the line's end or where the next record
/// starts.
pub(crate) fn records<'t>(
    text: &'t str,
    doc: &mut Doc,
    known: impl Fn(Value<'_>) -> bool,
) -> Option<(&'t str, Vec<&'t str>)> {
    let mut tries = 0;
    for start in memchr_iter(b'{', text.as_bytes()) {
        let mut found = Vec::new();
        let mut at = start;
        loop {
            if tries == TRIES {
                return None;
            }
            tries += 1;
            let rest = text.get(at..)?;
            let Some((value, len)) = doc.parse_prefix(rest) else { break };
            if !value.is_object() || !known(value) {
                break;
            }
            found.push(rest.get(..len)?);
            let behind = rest.get(len..)?.trim_start_matches([' ', '\t', '\r']);
            if behind.is_empty() {
                return Some((text.get(..start)?, found));
            }
            if !behind.starts_with('{') {
                break;
            }
            at = text.len() - behind.len();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Option<(&str, Vec<&str>)> {
        records(text, &mut Doc::default(), |v| v.get("k").exists())
    }

    #[test]
    fn records_are_found_behind_noise_and_side_by_side() {
        assert_eq!(split("\u{1b}]0;t\u{7}{\"k\":1}"), Some(("\u{1b}]0;t\u{7}", vec!["{\"k\":1}"])));
        assert_eq!(split("{\"k\":1}{\"k\":2} "), Some(("", vec!["{\"k\":1}", "{\"k\":2}"])));
        assert_eq!(split("{} log {\"k\":1}"), Some(("{} log ", vec!["{\"k\":1}"])));
    }

    #[test]
    fn torn_and_foreign_records_are_left_alone() {
        assert_eq!(split("{\"k\":\"x{\"k\":1},\"torn"), None);
        assert_eq!(split("log {\"z\":1}"), None);
        assert_eq!(split("log {\"k\":1} tail"), None);
        assert_eq!(split(&"{".repeat(100)), None);
    }
}
