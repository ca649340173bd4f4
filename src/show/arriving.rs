//! The main thread's text that is arriving, where nobody sees it arrive: should its whole never come,
//! what came of it is shown.

use super::item::Delta;
use crate::format::event::Of;
use crate::limits::MAX_TORN_TEXT;

#[derive(Debug, Default)]
pub(super) struct Arriving(Option<(u64, String)>);

impl Arriving {
    pub(super) fn add(&mut self, delta: &Delta<'_>) {
        if delta.of != Of::Message {
            return;
        }
        let same = self.0.as_ref().is_some_and(|(id, _)| *id == delta.text_id);
        if !same || delta.reset {
            self.0 = Some((delta.text_id, String::new()));
        }
        if let Some((_, text)) = self.0.as_mut().filter(|(_, text)| text.len() < MAX_TORN_TEXT) {
            text.push_str(&delta.text);
        }
    }

    /// Forgets the text: the whole has come.
    pub(super) fn clear(&mut self) {
        self.0 = None;
    }

    /// Takes what came of a text whose whole did not come.
    pub(super) fn take_torn(&mut self) -> Option<String> {
        self.0.take().map(|(_, text)| text).filter(|text| !text.trim().is_empty())
    }
}
