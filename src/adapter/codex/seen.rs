//! What is remembered by an item's id, all of it bounded.

use std::collections::VecDeque;

use crate::adapter::pieces::{Snapshot, whole_pairs};
use crate::adapter::recent::remember;
use crate::json::{Str, Value};
use crate::limits::{MAX_CODEX_ID, MAX_CODEX_TEXT, MAX_CODEX_TEXTS};

/// The latest ids of a kind.
#[derive(Debug, Default)]
pub(super) struct Ids {
    ids: VecDeque<String>,
}

impl Ids {
    /// Adds an id; false when it was there.
    pub(super) fn add(&mut self, id: Value<'_>) -> bool {
        if self.has(id) {
            return false;
        }
        if let Some(id) = id.decode().filter(|id| id.len() <= MAX_CODEX_ID) {
            remember(&mut self.ids, id.into_owned());
        }
        true
    }

    /// Takes an id away; false when it was not there.
    pub(super) fn remove(&mut self, id: Value<'_>) -> bool {
        let at = id.str().and_then(|id| self.ids.iter().position(|known| id.is(known)));
        at.and_then(|at| self.ids.remove(at)).is_some()
    }

    pub(super) fn has(&self, id: Value<'_>) -> bool {
        id.str().is_some_and(|id| self.ids.iter().any(|known| id.is(known)))
    }
}

/// The texts that are shown in snapshots and not whole yet.
#[derive(Debug, Default)]
pub(super) struct Shown {
    texts: Vec<Showing>,
    /// Whether a text that was still being shown had to be forgotten.
    forgot: bool,
}

#[derive(Debug)]
struct Showing {
    id: String,
    text: Snapshot,
    /// Whether what was said under this id does not count any more.
    again: bool,
}

impl Shown {
    /// Another process starts. What was half said under an id has nothing to do with what comes.
    pub(super) fn restart(&mut self) {
        for showing in &mut self.texts {
            showing.text = Snapshot::default();
            showing.again = true;
        }
    }

    /// Takes a text: the whole so far, or the whole. Returns what a delta should say, and whether the
    /// text starts again with it. A text that is shown whole at once has no delta.
    pub(super) fn next(
        &mut self,
        id: Value<'_>,
        text: Str<'_>,
        whole: bool,
    ) -> Option<(String, bool)> {
        if whole && self.texts.is_empty() && !self.forgot {
            return None;
        }
        let id = id.decode().unwrap_or_default();
        let known = self.texts.iter().position(|showing| showing.id == id);
        if whole {
            return match known.map(|at| self.texts.remove(at)) {
                Some(mut showing) => showing.next(&text.decode()),
                // It may be the one that was forgotten: what was said of it may be anything.
                None if self.forgot && !text.is_empty() => Some((text.decode().into_owned(), true)),
                None => None,
            };
        }
        let so_far = whole_pairs(text);
        if so_far.is_empty() {
            return None;
        }
        let showing = match known.and_then(|at| self.texts.get_mut(at)) {
            Some(showing) => showing,
            None => self.add(id.into_owned())?,
        };
        showing.next(&so_far)
    }

    fn add(&mut self, id: String) -> Option<&mut Showing> {
        if self.texts.len() == MAX_CODEX_TEXTS {
            self.texts.remove(0);
            self.forgot = true;
        }
        self.texts.push(Showing { id, text: Snapshot::default(), again: self.forgot });
        self.texts.last_mut()
    }
}

impl Showing {
    fn next(&mut self, text: &str) -> Option<(String, bool)> {
        if text.len() > MAX_CODEX_TEXT {
            self.text = Snapshot::default();
            self.again = true;
            return Some((text.to_owned(), true));
        }
        let (piece, reset) = self.text.update(text)?;
        let reset = std::mem::take(&mut self.again) || reset;
        Some((piece.to_owned(), reset))
    }
}
