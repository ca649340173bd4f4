//! Calls that are told a second time: by a copy of a stream, or by a session that began with a copy of
//! another one's records.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::figures::Figures;
use super::part::Part;
use crate::limits::MAX_TOLD_CALLS;
use crate::read::event_reader::Seen;

/// The calls that were counted, and the part that told each.
#[derive(Debug, Default)]
pub(super) struct Repeats(BTreeMap<u64, u64>);

impl Repeats {
    /// Whether an earlier part told this call. One part may tell a call in pieces, and some gateways
    /// give every call the same id, so the figures are a part of what a call is known by.
    pub(super) fn is_repeat(&mut self, part: &Part, order: u64, seen: &Seen<'_>) -> bool {
        let [scope, id, model] = seen.payload.pick(["scope", "messageId", "model"]);
        let Some(id) = id.decode().filter(|_| scope.is("call")) else { return false };
        let mut digest = DefaultHasher::new();
        (id, model.decode(), Figures::read(seen.payload).counts()).hash(&mut digest);
        // A copy in another session keeps its time. Where there is none, ids tell only within a session.
        match seen.time {
            Some(time) => time.hash(&mut digest),
            None => match &part.who.id {
                Some(id) => id.hash(&mut digest),
                None => return false,
            },
        }
        let digest = digest.finish();
        if let Some(first) = self.0.get(&digest) {
            return *first != order;
        }
        if self.0.len() >= MAX_TOLD_CALLS {
            self.0.pop_first();
        }
        self.0.insert(digest, order);
        false
    }
}
