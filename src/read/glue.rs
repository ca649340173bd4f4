//! Records with noise glued to them: a terminal's title escape or a log fragment before the brace,
//! records side by side on one line.

use memchr::memchr;

use crate::json::{Doc, Stop, Value};
use crate::limits::MAX_TRIES;

/// Splits a line that is no JSON into the noise in front and the records behind it.
///
/// A record counts when `known` takes it (and the records before it) and when it ends at the line's
/// end or where the next record starts. What is inside a torn record is none.
pub(crate) fn records<'t>(
    text: &'t str,
    doc: &mut Doc,
    mut known: impl FnMut(&[&str], Value<'_>) -> bool,
) -> Option<(&'t str, Vec<&'t str>)> {
    let (mut from, mut tries) = (0, 0);
    loop {
        let start = from + memchr(b'{', text.as_bytes().get(from..)?)?;
        let mut found = Vec::new();
        let mut at = start;
        from = start + 1;
        loop {
            if tries == MAX_TRIES {
                return None;
            }
            tries += 1;
            let rest = text.get(at..)?;
            let (value, len) = match doc.parse_prefix(rest) {
                Ok(prefix) => prefix,
                Err(Stop::Torn) => return None,
                Err(Stop::Wrong) => break,
            };
            // What is inside a whole object is no record of the line.
            from = at + len;
            if !value.is_object() || !known(&found, value) {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Option<(&str, Vec<&str>)> {
        records(text, &mut Doc::default(), |_, v| v.get("k").exists())
    }

    #[test]
    fn records_are_found_behind_noise_and_side_by_side() {
        assert_eq!(split("\u{1b}]0;t\u{7}{\"k\":1}"), Some(("\u{1b}]0;t\u{7}", vec!["{\"k\":1}"])));
        assert_eq!(split("{\"k\":1}{\"k\":2} "), Some(("", vec!["{\"k\":1}", "{\"k\":2}"])));
        assert_eq!(split("{} log {\"k\":1}"), Some(("{} log ", vec!["{\"k\":1}"])));
        assert_eq!(split("log: \"k\": {\"k\":1}"), Some(("log: \"k\": ", vec!["{\"k\":1}"])));
        assert_eq!(split(&"{\"k\":1}".repeat(16)).unwrap().1.len(), 16);
        let deep = format!("{}1{}", "{\"a\":".repeat(20), "}".repeat(20));
        assert_eq!(split(&format!("{deep} log {{\"k\":1}}")).unwrap().1, ["{\"k\":1}"]);
    }

    #[test]
    fn torn_and_foreign_records_are_left_alone() {
        assert_eq!(split("{\"k\":\"x{\"k\":1},\"torn"), None);
        assert_eq!(split("log {\"z\":1}"), None);
        assert_eq!(split("log {\"k\":1} tail"), None);
        assert_eq!(split("{\"type\":\"x\",\"item\":{\"k\":1}"), None);
        assert_eq!(split("{\"k\":1}{\"items\":[{\"k\":1}"), None);
        assert_eq!(split(&"{\"k\":1}".repeat(17)), None);
        assert_eq!(split(&"{".repeat(100)), None);
        assert_eq!(split(&format!("{}{{\"k\":1}}", "{".repeat(16))), None);
    }
}
