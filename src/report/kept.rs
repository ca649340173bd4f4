//! Ids, names and texts that outlive their line: each is bounded, however long it was.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::json::Value;

/// Returns the text in at most `most` bytes. A longer one is its start and a digest of all of it, so that
/// it stays another than those that start alike.
pub(crate) fn kept(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let digest = format!("…{:016x}", hasher.finish());
    let mut end = most.saturating_sub(digest.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Cow::Owned(text.get(..end).unwrap_or_default().to_owned() + &digest)
}

/// Returns a string that is not empty, in at most `most` bytes.
pub(super) fn filled(value: Value<'_>, most: usize) -> Option<String> {
    let text = value.decode().filter(|text| !text.is_empty())?;
    Some(kept(&text, most).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_stays_another() {
        for unit in ["a", "é", "🚀"] {
            let (one, two) = (unit.repeat(500) + "1", unit.repeat(500) + "2");
            let (a, b) = (kept(&one, 100), kept(&two, 100));
            assert!(a.len() <= 100 && a.len() > 90 && a.starts_with(unit), "{a}");
            assert_ne!(a, b);
            assert_eq!(kept(&a, 100), a);
            assert_eq!(kept(&one, one.len()), one);
        }
    }
}
