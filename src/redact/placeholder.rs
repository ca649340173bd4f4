//! What stands where a secret stood.

use std::hash::{BuildHasher as _, RandomState};

use siphasher::sip::SipHasher13;
use siphasher::sip128::SipHasher24;

use super::class::{Class, HEX};

/// How each placeholder starts.
pub(super) const START: &[u8] = b"[redacted:";
/// What stands for a line, or for a piece of a text, that could not be looked at.
pub(crate) const WHOLE: &str = "[redacted:line]";

const KIND: Class = Class::of(b"a-z0-9-");
/// The longest name of a kind.
pub(super) const LONGEST_KIND: usize = 48;

/// The key of the hash that tells secrets apart without telling anything of them.
#[derive(Clone)]
pub(super) struct Key(u64, u64);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// A key that no other run has.
    pub(super) fn random() -> Self {
        // Each of these is keyed by the system's own randomness.
        Self(RandomState::new().hash_one(1), RandomState::new().hash_one(2))
    }

    /// The key that a file's bytes make, the same in each run.
    pub(super) fn of_file(bytes: &[u8]) -> Self {
        let hash = SipHasher24::new().hash(bytes);
        Self(hash.h1, hash.h2)
    }

    pub(super) fn hash(&self, secret: &[u8]) -> u64 {
        SipHasher13::new_with_keys(self.0, self.1).hash(secret)
    }
}

/// The placeholder of a secret whose keyed hash is `hash`.
pub(super) fn write(kind: &str, hash: u64) -> String {
    format!("[redacted:{kind}:{:04x}]", hash & 0xffff)
}

/// The name of a kind as a placeholder can hold it.
pub(super) fn kind(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    name.chars().take(LONGEST_KIND).map(letter).collect()
}

/// Where the placeholder that starts at the start of `text` ends.
fn length(text: &[u8]) -> Option<usize> {
    if text.starts_with(WHOLE.as_bytes()) {
        return Some(WHOLE.len());
    }
    let rest = text.strip_prefix(START)?;
    let kind = rest.iter().take(LONGEST_KIND).take_while(|byte| KIND.has(**byte)).count();
    let [b':', a, b, c, d, b']', ..] = rest.get(kind..)? else { return None };
    ([a, b, c, d].iter().all(|digit| HEX.has(**digit))).then_some(START.len() + kind + 6)
}

/// The placeholders that stand in a text.
pub(super) fn find(text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    memchr::memmem::find_iter(text, START)
        .filter_map(|at| Some((at, at + length(text.get(at..)?)?)))
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "this is a test")]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_known_again() {
        let key = Key::of_file(b"one");
        let first = write(&kind("My_Token"), key.hash(b"x"));
        assert_eq!(first, write("my-token", Key::of_file(b"one").hash(b"x")));
        assert_ne!(key.hash(b"x"), Key::of_file(b"two").hash(b"x"));
        assert_ne!(Key::random().hash(b"x"), Key::random().hash(b"x"));
        let text = format!("a {first} b {WHOLE} [redacted:thing] [redacted:A:1234]");
        let found: Vec<_> = find(text.as_bytes()).map(|(from, to)| &text[from..to]).collect();
        assert_eq!(found, [&first, WHOLE]);
    }
}
