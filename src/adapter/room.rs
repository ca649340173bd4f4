//! The bytes that an adapter may hold.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::MAX_HELD_TEXT;

/// An allowance in bytes. Whatever shares it holds no more than that together, however many texts are
/// open at a time.
#[derive(Debug, Clone)]
pub(super) struct Room {
    left: Arc<AtomicUsize>,
}

impl Default for Room {
    fn default() -> Self {
        Self::new(MAX_HELD_TEXT)
    }
}

impl Room {
    pub(super) fn new(bytes: usize) -> Self {
        Self { left: Arc::new(AtomicUsize::new(bytes)) }
    }

    /// Takes `bytes`; false, and nothing is taken, when there are not so many left.
    fn take(&self, bytes: usize) -> bool {
        let less = |left: usize| left.checked_sub(bytes);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }

    fn give(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A text that holds bytes of a room. It gives them back when it is taken or dropped.
#[derive(Debug, Default)]
pub(super) struct Held {
    room: Room,
    text: String,
}

impl Held {
    pub(super) fn within(room: &Room) -> Self {
        Self { room: room.clone(), text: String::new() }
    }

    /// Appends `more`; false, and nothing is appended, when the room has no bytes for it.
    pub(super) fn push_str(&mut self, more: &str) -> bool {
        let fits = self.room.take(more.len());
        if fits {
            self.text.push_str(more);
        }
        fits
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Hands over the text, which is empty then.
    pub(super) fn take(&mut self) -> String {
        self.room.give(self.text.len());
        std::mem::take(&mut self.text)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.room.give(self.text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_or_dropped_is_given_back() {
        let room = Room::new(10);
        let (mut one, mut two) = (Held::within(&room), Held::within(&room));
        assert!(one.push_str("123456") && two.push_str("1234"));
        assert!(!one.push_str("7"));
        assert_eq!(one.as_str(), "123456");
        drop(two);
        assert!(one.push_str("7890"));
        assert!(!one.push_str("x"));
        assert_eq!(one.take(), "1234567890");
        assert!(one.push_str("1234567890"));
        assert!(!Held::within(&room).push_str("x"));
    }
}
