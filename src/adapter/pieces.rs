//! Texts that come in pieces: appended ones, and snapshots of the whole so far.

use crate::json::{Doc, Str};

/// The most that is put together of one text, in bytes. What comes behind it is still a delta.
const MOST: usize = 16 << 20;

/// A text that is put together from pieces.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    text: String,
    /// Half a surrogate pair that ended the last piece, as its escape.
    half: Option<String>,
}

impl Pieces {
    /// Takes the next piece and returns what a delta should say; nothing when there is nothing to
    /// say yet. Half a surrogate pair at its end waits for the next piece.
    pub(super) fn push(&mut self, piece: Str<'_>) -> Option<String> {
        let mut raw = piece.raw();
        if raw.is_empty() {
            return None;
        }
        let half = self.half.take();
        let next = piece.is_escaped().then(|| piece.dangling_surrogate()).flatten();
        if let Some(next) = next {
            raw = raw.get(..raw.len() - next.len()).unwrap_or_default();
            self.half = Some(next.to_owned());
        }
        let text = match half {
            None if !piece.is_escaped() => raw.to_owned(),
            half => decode(&format!("{}{raw}", half.unwrap_or_default())),
        };
        self.add(&text);
        (!text.is_empty()).then_some(text)
    }

    /// Adds plain text.
    pub(super) fn add(&mut self, text: &str) {
        if self.text.len() + text.len() <= MOST {
            self.text.push_str(text);
        }
    }

    /// Whether nothing was put together.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.half.is_none()
    }

    /// The text so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The whole text, and a last piece where half a pair was left over. Starts the next text.
    pub(super) fn take(&mut self) -> (String, Option<String>) {
        let left = self.half.take().map(|half| decode(&half));
        let mut text = std::mem::take(&mut self.text);
        text.push_str(left.as_deref().unwrap_or_default());
        (text, left)
    }
}

fn decode(raw: &str) -> String {
    let json = format!("\"{raw}\"");
    let mut doc = Doc::default();
    doc.parse(&json).and_then(|v| v.decode()).unwrap_or_default().into_owned()
}

/// A text of which each line shows the whole so far.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    last: String,
}

impl Snapshot {
    /// Takes the whole text so far. Returns the new tail, and whether the text was started again;
    /// nothing when nothing is new. An empty text says nothing: it is passed over.
    pub(super) fn update<'t>(&mut self, text: &'t str) -> Option<(&'t str, bool)> {
        if text.is_empty() {
            return None;
        }
        if let Some(tail) = text.strip_prefix(self.last.as_str()) {
            self.last.push_str(tail);
            return (!tail.is_empty()).then_some((tail, false));
        }
        self.last.clear();
        self.last.push_str(text);
        Some((text, true))
    }

    /// Whether nothing was shown yet.
    pub(super) fn is_empty(&self) -> bool {
        self.last.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_a_pair_meet() {
        let mut doc = Doc::default();
        let mut pieces = Pieces::default();
        let mut said = Vec::new();
        for json in [r#""rocket \ud83d""#, r#""""#, r#""\ude80 up""#, r#""\ud83d""#] {
            let piece = doc.parse(json).unwrap().str().unwrap();
            said.extend(pieces.push(piece));
        }
        let (text, left) = pieces.take();
        said.extend(left);
        assert_eq!(said.concat(), text);
        assert_eq!(text, "rocket 🚀 up\u{fffd}");
    }

    #[test]
    fn a_snapshot_that_extends_the_last_gives_its_tail() {
        let mut snapshot = Snapshot::default();
        assert_eq!(snapshot.update("é"), Some(("é", false)));
        assert_eq!(snapshot.update("éa"), Some(("a", false)));
        assert_eq!(snapshot.update("éa"), None);
        assert_eq!(snapshot.update(""), None);
        assert_eq!(snapshot.update("b"), Some(("b", true)));
    }
}
