//! Texts that come in pieces: appended ones, and snapshots of the whole so far.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::adapter::room::{Held, Room};
use crate::format::batch::{Batch, Place};
use crate::format::event::{Delta, Message, Of, Thinking};
use crate::format::write::{Clipped, Text};
use crate::json::{Doc, Str, Value};
use crate::limits::{MAX_HALVES, MAX_PIECES_TEXT};

/// A text that is put together from pieces. They are joined as they are written: half a surrogate
/// pair at the end of one meets the other half by itself.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    written: Held,
    /// Half a surrogate pair that ended the last piece, as its escape.
    half: Option<String>,
    /// Whether a piece came.
    begun: bool,
    /// Whether a piece is missing. No later one is appended then: a whole has no gap.
    full: bool,
}

impl Pieces {
    /// Holds its text within `room`.
    pub(super) fn within(room: &Room) -> Self {
        Self { written: Held::within(room), ..Self::default() }
    }

    /// Holds no text, where the harness prints the whole as well.
    pub(super) fn unheld() -> Self {
        Self::within(&Room::new(0))
    }

    /// Takes the next piece and returns what a delta should say; nothing when there is nothing to
    /// say yet. Half a surrogate pair at its end waits for the next piece.
    pub(super) fn push<'t>(&mut self, piece: Str<'t>) -> Option<Text<'t>> {
        let raw = piece.raw();
        if raw.is_empty() {
            return None;
        }
        self.begun = true;
        let fits = self.written.as_str().len() + raw.len() <= MAX_PIECES_TEXT;
        self.full = self.full || !fits || !self.written.push_str(raw);
        let (text, half) = join(self.half.take(), piece);
        self.half = half.map(str::to_owned);
        text
    }

    /// Whether no piece came.
    pub(super) fn is_empty(&self) -> bool {
        !self.begun
    }

    /// Whether the text is not all that was said.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Returns the text and whether it is all that was said, and a last piece where half a pair was
    /// left over. Starts the next text.
    pub(super) fn take(&mut self) -> (Text<'static>, Clipped, Option<Text<'static>>) {
        let left = self.half.take().map(Text::written);
        self.begun = false;
        let truncated = Clipped { before: std::mem::take(&mut self.full) };
        (Text::written(self.written.take()), truncated, left)
    }

    /// Adds the whole text of the kind `of`, behind a last piece where half a pair was left over.
    /// Starts the next text.
    pub(super) fn tell(&mut self, of: Of, role: &'static str, place: Place, out: &mut Batch) {
        let (text, truncated, left) = self.take();
        if let Some(left) = left {
            out.add(place, Delta { of, text: Some(left), ..Delta::default() });
        }
        let text = Some(text);
        if of == Of::Thinking {
            out.add(place, Thinking { text, truncated, ..Thinking::default() });
        } else {
            out.add(
                place,
                Message { role: Some(role.into()), text, truncated, ..Message::default() },
            );
        }
    }

    /// The text so far, without half a pair at its end.
    pub(super) fn said(&self) -> String {
        let written = self.written.as_str();
        let half = self.half.as_deref().filter(|_| !self.full).unwrap_or_default();
        decode(written.strip_suffix(half).unwrap_or(written))
    }
}

/// Pieces that are passed on as they come, where the harness prints the whole text as well.
#[derive(Debug, Default)]
pub(super) struct Relay {
    /// Half a surrogate pair that ended an item's last piece, as its escape.
    halves: Vec<(u64, String)>,
}

impl Relay {
    /// Takes the next piece of `item` and returns what a delta should say; nothing when there is
    /// nothing to say yet. Half a surrogate pair at its end waits for the next piece.
    pub(super) fn push<'t>(&mut self, item: u64, piece: Str<'t>) -> Option<Text<'t>> {
        if piece.is_empty() {
            return None;
        }
        let (text, half) = join(self.take(item), piece);
        if let Some(half) = half
            && self.halves.len() < MAX_HALVES
        {
            self.halves.push((item, half.to_owned()));
        }
        text
    }

    /// The last piece of `item`, where half a pair was left over.
    pub(super) fn rest(&mut self, item: u64) -> Option<String> {
        self.take(item).map(|half| decode(&half))
    }

    /// Forgets what was left over.
    pub(super) fn clear(&mut self) {
        self.halves.clear();
    }

    fn take(&mut self, item: u64) -> Option<String> {
        let at = self.halves.iter().position(|(of, _)| *of == item)?;
        Some(self.halves.swap_remove(at).1)
    }
}

/// Puts the half that was left over in front of the next piece: what a delta should say of it, and
/// the half that is left over now.
fn join(half: Option<String>, piece: Str<'_>) -> (Option<Text<'_>>, Option<&str>) {
    let next = piece.is_escaped().then(|| piece.dangling_surrogate()).flatten();
    if half.is_none() && next.is_none() {
        return (Some(piece.into()), None);
    }
    let raw = piece.raw();
    let head = raw.get(..raw.len() - next.map_or(0, str::len)).unwrap_or_default();
    let text = format!("{}{head}", half.unwrap_or_default());
    ((!text.is_empty()).then(|| decode(&text).into()), next)
}

/// The text without half a surrogate pair at its end, which the next snapshot will complete.
pub(super) fn whole_pairs(text: Str<'_>) -> Cow<'_, str> {
    let mut decoded = text.decode();
    if text.is_escaped() && text.dangling_surrogate().is_some() {
        decoded.to_mut().pop();
    }
    decoded
}

fn decode(raw: &str) -> String {
    let json = format!("\"{raw}\"");
    let mut doc = Doc::default();
    doc.parse(&json).and_then(Value::decode).unwrap_or_default().into_owned()
}

/// A text of which each line shows the whole so far. Only the length and the hash of the last one are
/// remembered, so that a text that is shown costs nothing, however long it is.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    length: usize,
    hash: u64,
}

impl Snapshot {
    /// Takes the whole text so far. Returns the new tail, and whether the text was started again;
    /// nothing when nothing is new. An empty text says nothing: it is passed over.
    pub(super) fn update<'t>(&mut self, text: &'t str) -> Option<(&'t str, bool)> {
        if text.is_empty() {
            return None;
        }
        let known = text.split_at_checked(self.length);
        let known = known.filter(|(head, _)| head.is_empty() || hash(head) == self.hash);
        if let Some((_, "")) = known {
            return None;
        }
        self.length = text.len();
        self.hash = hash(text);
        Some(known.map_or((text, true), |(_, tail)| (tail, false)))
    }

    /// Whether nothing was shown yet.
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::write::{Field as _, Writer};

    fn printed(text: &Text<'_>) -> String {
        let mut writer = Writer::new(0);
        text.write(&mut writer);
        serde_json::from_slice(&writer.buf).unwrap()
    }

    #[test]
    fn halves_of_a_pair_meet() {
        let mut doc = Doc::default();
        let mut pieces = Pieces::default();
        let mut said = String::new();
        for json in [r#""rocket \ud83d""#, r#""""#, r#""\ude80 up""#, r#""\ud83d""#] {
            let piece = doc.parse(json).unwrap().str().unwrap();
            said.extend(pieces.push(piece).as_ref().map(printed));
        }
        let (text, _, left) = pieces.take();
        said.extend(left.as_ref().map(printed));
        let text = printed(&text);
        assert_eq!(said, text);
        assert_eq!(text, "rocket 🚀 up\u{fffd}");
    }

    #[test]
    fn halves_meet_within_their_item() {
        let mut doc = Doc::default();
        let mut relay = Relay::default();
        let mut said = Vec::new();
        for (item, json) in [(0, r#""a\ud83d""#), (1, r#""b""#), (0, r#""\ude80\ud83d""#)] {
            let piece = doc.parse(json).unwrap().str().unwrap();
            said.push((item, relay.push(item, piece).is_some()));
        }
        assert_eq!(said, [(0, true), (1, true), (0, true)]);
        assert_eq!(relay.rest(1), None);
        assert_eq!(relay.rest(0).as_deref(), Some("\u{fffd}"));
        assert_eq!(relay.rest(0), None);
    }

    #[test]
    fn a_snapshot_that_extends_the_last_gives_its_tail() {
        let mut snapshot = Snapshot::default();
        assert_eq!(snapshot.update("é"), Some(("é", false)));
        assert_eq!(snapshot.update("éa"), Some(("a", false)));
        assert_eq!(snapshot.update("éa"), None);
        // It ends inside of what was the first character.
        assert_eq!(snapshot.update("aé"), Some(("aé", true)));
        assert_eq!(snapshot.update("éa"), Some(("éa", true)));
        assert_eq!(snapshot.update(""), None);
        assert_eq!(snapshot.update("b"), Some(("b", true)));
    }

    /// Pieces of `sizes` bytes, each of a letter of its own.
    fn put_together(pieces: &mut Pieces, sizes: &[usize]) -> (String, bool) {
        let mut doc = Doc::default();
        for (size, letter) in sizes.iter().zip(["a", "b", "c"]) {
            let json = format!("\"{}\"", letter.repeat(*size));
            let said = pieces.push(doc.parse(&json).unwrap().str().unwrap());
            assert_eq!(said.as_ref().map(printed).unwrap().len(), *size);
        }
        let (text, truncated, _) = pieces.take();
        (printed(&text), truncated.before)
    }

    #[test]
    fn behind_a_piece_that_is_missing_none_is_appended() {
        let mut pieces = Pieces::default();
        let near = MAX_PIECES_TEXT - 10;
        let (text, truncated) = put_together(&mut pieces, &[near, 100, 5]);
        assert!(truncated && text.len() == near && !text.contains('c'));
        let (text, truncated) = put_together(&mut pieces, &[near, 10]);
        assert!(!truncated && text.len() == MAX_PIECES_TEXT);
        assert_eq!(put_together(&mut pieces, &[1, 2, 3]), ("abbccc".to_owned(), false));
        assert!(pieces.is_empty() && !pieces.is_full());
    }

    #[test]
    fn texts_share_a_room() {
        let room = Room::new(10);
        let (mut one, mut two) = (Pieces::within(&room), Pieces::within(&room));
        let mut doc = Doc::default();
        one.push(doc.parse("\"1234567\"").unwrap().str().unwrap());
        assert_eq!(put_together(&mut two, &[3, 1]), ("aaa".to_owned(), true));
        assert_eq!(put_together(&mut one, &[1, 1, 1]), ("1234567abc".to_owned(), false));
        assert_eq!(put_together(&mut two, &[3, 7]), ("aaabbbbbbb".to_owned(), false));
        assert_eq!(put_together(&mut Pieces::unheld(), &[1]), (String::new(), true));
    }
}
