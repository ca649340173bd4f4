//! Bounded memories: of ids, and of what comes last.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::json::Value;
use crate::limits::MAX_RECENT;

/// Remembers `value` as the last, and forgets the oldest where there are too many.
pub(super) fn remember<T>(list: &mut VecDeque<T>, value: T) {
    if list.len() >= MAX_RECENT {
        list.pop_front();
    }
    list.push_back(value);
}

/// What is known of the last ids. They are kept as hashes, so remembering one allocates nothing.
#[derive(Debug)]
pub(super) struct Recent<T> {
    entries: VecDeque<(u64, T)>,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self { entries: VecDeque::new() }
    }
}

impl<T> Recent<T> {
    /// What is known of `id`.
    pub(super) fn get(&mut self, id: Id) -> Option<&mut T> {
        self.entries.iter_mut().rev().find(|(known, _)| *known == id.0).map(|(_, value)| value)
    }

    /// Remembers `id`, which is new, and forgets the oldest where there are too many.
    pub(super) fn add(&mut self, id: Id, value: T) {
        remember(&mut self.entries, (id.0, value));
    }

    /// What is known of `id`, which is forgotten.
    pub(super) fn take(&mut self, id: Id) -> Option<T> {
        let at = self.entries.iter().rposition(|(known, _)| *known == id.0)?;
        self.entries.remove(at).map(|(_, value)| value)
    }
}

/// The hash of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Id(u64);

impl Id {
    /// The id as the line writes it, if it is a string and not empty.
    pub(super) fn of(value: Value<'_>) -> Option<Self> {
        value.str().filter(|id| !id.is_empty()).map(|id| Self::from(id.raw()))
    }
}

impl From<&str> for Id {
    fn from(id: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        Id(hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_is_forgotten() {
        let mut recent = Recent::default();
        for n in 0..=MAX_RECENT {
            recent.add(Id::from(n.to_string().as_str()), n);
        }
        assert_eq!(recent.get(Id::from("0")), None);
        assert_eq!(recent.get(Id::from("1")), Some(&mut 1));
        assert_eq!(recent.take(Id::from("256")), Some(256));
        assert_eq!(recent.take(Id::from("256")), None);
    }
}
