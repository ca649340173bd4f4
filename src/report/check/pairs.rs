//! Calls and their results.

use std::collections::BTreeMap;

use crate::format::event::EventType;
use crate::json::Value;
use crate::limits::{MAX_CHECKED_CALLS, MAX_ID};
use crate::report::kept::kept;

/// Pairs calls with results, within one process.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    open: BTreeMap<String, u64>,
    /// Open calls without an id.
    nameless: u64,
    pub(super) calls_without_result: u64,
    pub(super) results_without_call: u64,
}

impl Pairs {
    pub(super) fn event(&mut self, kind: EventType, payload: Value<'_>) {
        let id = || payload.get("callId").decode().filter(|id| !id.is_empty());
        match kind {
            EventType::ToolCall => {
                if let Some(id) = id() {
                    *self.open.entry(kept(&id, MAX_ID).into_owned()).or_default() += 1;
                    if self.open.len() > MAX_CHECKED_CALLS
                        && let Some((_, calls)) = self.open.pop_first()
                    {
                        self.calls_without_result += calls;
                    }
                } else {
                    self.nameless += 1;
                }
            }
            EventType::ToolResult => {
                let known = if let Some(id) = id() {
                    self.close(&id)
                } else {
                    let known = self.nameless > 0;
                    self.nameless = self.nameless.saturating_sub(1);
                    known
                };
                self.results_without_call += u64::from(!known);
            }
            _ => {}
        }
    }

    /// Takes a call off; false when none of that id is open.
    fn close(&mut self, id: &str) -> bool {
        let id = &*kept(id, MAX_ID);
        match self.open.get_mut(id) {
            Some(1) => self.open.remove(id).is_some(),
            Some(calls) => {
                *calls -= 1;
                true
            }
            None => false,
        }
    }

    /// Ends the process: what is open stays so.
    pub(super) fn end(&mut self) {
        self.calls_without_result += self.open.values().sum::<u64>() + self.nameless;
        self.open.clear();
        self.nameless = 0;
    }
}
