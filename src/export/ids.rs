//! Ids that are the same each time: digests of the session, of its run, and of what is named.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::session::Session;

/// A W3C trace context: the span that others are children of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceParent {
    pub(super) trace: [u8; 16],
    pub(super) span: [u8; 8],
    pub(super) flags: u8,
}

impl TraceParent {
    /// Reads `00-` + 32 hexadecimal digits + `-` + 16 + `-` + 2. Ids of zeros are none.
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-');
        let version = bytes::<1>(parts.next()?)?;
        let (trace, span) = (bytes(parts.next()?)?, bytes(parts.next()?)?);
        let [flags] = bytes(parts.next()?)?;
        // A later version may add parts; 255 is forbidden.
        let known = version != [255] && (version != [0] || parts.next().is_none());
        (known && trace != [0; 16] && span != [0; 8]).then_some(Self { trace, span, flags })
    }
}

/// Reads lower-case hexadecimal digits.
fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let plain = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.len() != 2 * N || !text.bytes().all(plain) {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// Writes bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Makes the ids of a session.
#[derive(Debug)]
pub(super) struct Ids {
    seed: Sha256,
    /// How often each key was asked for: a harness may use an id twice.
    keys: BTreeMap<String, u64>,
}

impl Ids {
    pub(super) fn of(session: &Session) -> Self {
        let mut seed = Sha256::new();
        // A session that has no id is what it holds.
        if let Some(id) = &session.id {
            feed(&mut seed, b"session");
            feed(&mut seed, id.as_bytes());
            feed(&mut seed, &session.began().unwrap_or_default().to_le_bytes());
        } else {
            feed(&mut seed, b"events");
            feed(&mut seed, &session.digest.clone().finalize());
        }
        Self { seed, keys: BTreeMap::new() }
    }

    /// Makes the ids those of the same session's next document.
    pub(super) fn repeat(&mut self, count: u64) {
        if count > 0 {
            feed(&mut self.seed, &count.to_le_bytes());
        }
    }

    pub(super) fn trace(&self) -> [u8; 16] {
        self.digest("trace", 0)
    }

    /// Returns the id of what `key` names; another one each time.
    pub(super) fn span(&mut self, key: String) -> [u8; 8] {
        let count = self.keys.get(&key).copied().unwrap_or_default();
        let id = self.digest(&key, count);
        self.keys.insert(key, count + 1);
        id
    }

    fn digest<const N: usize>(&self, key: &str, count: u64) -> [u8; N] {
        let mut digest = self.seed.clone();
        feed(&mut digest, key.as_bytes());
        feed(&mut digest, &count.to_le_bytes());
        let mut id = [0; N];
        for (to, from) in id.iter_mut().zip(digest.finalize()) {
            *to = from;
        }
        id
    }
}

/// Takes a part in, so that no two lists of parts are the same bytes.
pub(super) fn feed(digest: &mut Sha256, part: &[u8]) {
    digest.update((part.len() as u64).to_le_bytes());
    digest.update(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_parent_is_read_as_the_recommendation_says() {
        let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
        let read = TraceParent::read(&format!("00-{trace}-{span}-01")).unwrap();
        assert_eq!((hex(&read.trace), hex(&read.span), read.flags), (trace.into(), span.into(), 1));
        let zeros = ("0".repeat(32), "0".repeat(16));
        for wrong in [
            String::new(),
            format!("00-{trace}-{span}"),
            format!("00-{trace}-{span}-01-more"),
            format!("ff-{trace}-{span}-01"),
            format!("00-{}-{span}-01", zeros.0),
            format!("00-{trace}-{}-01", zeros.1),
            format!("00-{}-{span}-01", trace.to_uppercase()),
            format!("00-{trace}é-{span}-01"),
        ] {
            assert_eq!(TraceParent::read(&wrong), None, "{wrong}");
        }
        assert!(TraceParent::read(&format!("01-{trace}-{span}-01-more")).is_some());
    }
}
