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
        let mut call = DefaultHasher::new();
        (id, model.decode(), Figures::read(seen.payload).counts()).hash(&mut call);
        // A copy in another session keeps its time; ids tell only within a session.
        let by_time = seen.time.map(|time| digest(&call, time));
        let by_session = part.who.id.as_ref().map(|id| digest(&call, id));
        let mut is_repeat = false;
        for known in [by_time, by_session].into_iter().flatten() {
            is_repeat |= self.told_before(known, order);
        }
        is_repeat
    }

    fn told_before(&mut self, digest: u64, order: u64) -> bool {
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

fn digest(call: &DefaultHasher, place: &str) -> u64 {
    let mut digest = call.clone();
    place.hash(&mut digest);
    digest.finish()
}
