//! The calls whose result has not come yet.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use super::words::tame;
use crate::json::Value;
use crate::limits::MAX_WATCHED_CALLS;

/// A call that is open.
#[derive(Debug)]
pub(super) struct Call {
    /// The digests stand for ids, which may be of any length.
    id: u64,
    parent: u64,
    message: Option<u64>,
    /// The tool, and what it does where that is known.
    pub(super) what: String,
    pub(super) since: Duration,
}

/// The open calls, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Open(VecDeque<Call>);

impl Open {
    pub(super) fn call(&mut self, payload: Value<'_>, now: Duration) {
        let [id, name, target, parent, message] =
            payload.pick(["callId", "name", "target", "parentCallId", "messageId"]);
        let id = digest(id);
        if self.0.iter().any(|call| call.id == id && id != NOBODY) {
            return;
        }
        if self.0.len() == MAX_WATCHED_CALLS {
            self.0.pop_front();
        }
        let name = tame(&name.decode().unwrap_or("a tool".into()));
        let what = match target.decode().filter(|target| !target.is_empty()) {
            Some(target) => format!("{name}: {}", tame(&target)),
            None => name,
        };
        let message = message.is_some().then(|| digest(message));
        self.0.push_back(Call { id, parent: digest(parent), message, what, since: now });
    }

    pub(super) fn result(&mut self, payload: Value<'_>) {
        let id = digest(payload.get("callId"));
        if let Some(at) = self.0.iter().rposition(|call| call.id == id) {
            self.0.remove(at);
        }
    }

    /// The model speaks. It cannot go on before it has the results of what it called in another
    /// message: whichever are open then, their harness does not tell.
    pub(super) fn speaks(&mut self, payload: Value<'_>) {
        let [parent, message, role] = payload.pick(["parentCallId", "messageId", "role"]);
        if !message.is_some() || (role.is_some() && !role.is("assistant")) {
            return;
        }
        let (parent, message) = (digest(parent), digest(message));
        self.0.retain(|call| {
            call.parent != parent || call.message.is_none_or(|of_call| of_call == message)
        });
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Counts the time of each from now on.
    pub(super) fn restart(&mut self, now: Duration) {
        for call in &mut self.0 {
            call.since = now;
        }
    }

    /// Takes a time that has passed off the time of each.
    pub(super) fn delay(&mut self, time: Duration, now: Duration) {
        for call in &mut self.0 {
            call.since = call.since.saturating_add(time).min(now);
        }
    }

    pub(super) fn oldest(&self) -> Option<&Call> {
        self.0.front()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The digest of what is missing.
const NOBODY: u64 = 0;

/// Returns a number that stands for a text of any length.
pub(super) fn digest(value: Value<'_>) -> u64 {
    if !value.is_some() {
        return NOBODY;
    }
    let mut hasher = DefaultHasher::new();
    value.decode().unwrap_or_else(|| value.text().into()).hash(&mut hasher);
    hasher.finish()
}
