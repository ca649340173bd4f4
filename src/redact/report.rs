//! What was redacted, without saying what it was.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::limits::MAX_SECRETS;

/// Counts what was redacted.
#[derive(Debug, Default, Clone)]
pub(crate) struct Report {
    /// The keyed hash of each secret, and its kind.
    secrets: BTreeMap<u64, String>,
    more: bool,
    places: u64,
    lines: u64,
}

impl Report {
    pub(super) fn add(&mut self, kind: &str, hash: u64) {
        self.places += 1;
        if self.secrets.len() < MAX_SECRETS {
            self.secrets.entry(hash).or_insert_with(|| kind.to_owned());
        } else {
            self.more |= !self.secrets.contains_key(&hash);
        }
    }

    /// A line could not be looked at.
    pub(super) fn fail(&mut self) {
        self.lines += 1;
    }

    /// Says it in a line; nothing when there is nothing to say.
    pub(crate) fn words(&self) -> Option<String> {
        let count = |n: u64, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
        let mut words = String::new();
        if self.places > 0 {
            let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
            for kind in self.secrets.values() {
                *kinds.entry(kind).or_default() += 1;
            }
            let mut kinds: Vec<_> = kinds.into_iter().collect();
            kinds.sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), *kind));
            let kinds: Vec<_> =
                kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            let least = if self.more { "at least " } else { "" };
            let secrets = count(self.secrets.len() as u64, "secret");
            let places = count(self.places, "place");
            let _ = write!(words, "redacted {least}{secrets} in {places}: {}", kinds.join(", "));
        }
        if self.lines > 0 {
            let separator = if words.is_empty() { "" } else { "; " };
            let lines = count(self.lines, "line");
            let _ = write!(
                words,
                "{separator}{lines} could not be looked at and became [redacted:line]"
            );
        }
        (!words.is_empty()).then_some(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_secrets_and_places() {
        let mut report = Report::default();
        assert_eq!(report.words(), None);
        for (kind, hash) in
            [("github-token", 1), ("url-password", 2), ("github-token", 3), ("github-token", 1)]
        {
            report.add(kind, hash);
        }
        let words = "redacted 3 secrets in 4 places: github-token 2, url-password 1";
        assert_eq!(report.words().unwrap(), words);
    }
}
