//! Texts that come in pieces: appended ones, and snapshots of the whole so far.

use std::borrow::Cow;

use crate::format::batch::{Batch, Place};
use crate::format::event::{Delta, Message, Of, Thinking};
use crate::format::write::Text;
use crate::json::{Doc, Str, Value};
use crate::limits::{MAX_HALVES, MAX_PIECES_TEXT};

/// A text that is put together from pieces. They are joined as they are written: half a surrogate
/// pair at the end of one meets the other half by itself.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    written: String,
    /// Half a surrogate pair that ended the last piece, as its escape.
    half: Option<String>,
}

impl Pieces {
    /// Takes the next piece and returns what a delta should say; nothing when there is nothing to
    /// say yet. Half a surrogate pair at its end waits for the next piece.
    pub(super) fn push<'t>(&mut self, piece: Str<'t>) -> Option<Text<'t>> {
        let raw = piece.raw();
        if self.written.len() + raw.len() <= MAX_PIECES_TEXT {
            self.written.push_str(raw);
        }
        if raw.is_empty() {
            return None;
        }
        let (text, half) = join(self.half.take(), piece);
        self.half = half.map(str::to_owned);
        text
    }

    /// Whether nothing was put together.
    pub(super) fn is_empty(&self) -> bool {
        self.written.is_empty()
    }

    /// The whole text, and a last piece where half a pair was left over. Starts the next text.
    pub(super) fn take(&mut self) -> (Text<'static>, Option<Text<'static>>) {
        let left = self.half.take().map(Text::written);
        (Text::written(std::mem::take(&mut self.written)), left)
    }

    /// Adds the whole text of the kind `of`, behind a last piece where half a pair was left over.
    /// Starts the next text.
    pub(super) fn tell(&mut self, of: Of, role: &'static str, place: Place, out: &mut Batch) {
        let (text, left) = self.take();
        if let Some(left) = left {
            out.add(place, Delta { of, text: Some(left), ..Delta::default() });
        }
        let text = Some(text);
        if of == Of::Thinking {
            out.add(place, Thinking { text, ..Thinking::default() });
        } else {
            out.add(place, Message { role: Some(role.into()), text, ..Message::default() });
        }
    }

    /// The text so far, without half a pair at its end.
    pub(super) fn said(&self) -> String {
        let end = self.written.len() - self.half.as_ref().map_or(0, String::len);
        decode(self.written.get(..end).unwrap_or_default())
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
        let (text, left) = pieces.take();
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
        assert_eq!(snapshot.update(""), None);
        assert_eq!(snapshot.update("b"), Some(("b", true)));
    }
}
