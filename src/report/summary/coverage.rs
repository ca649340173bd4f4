//! What a sum covers: not every harness states everything.

use serde_json::{Value, json};

use super::recap::Recap;

/// How the sessions of a sum ended, and how many of them state what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Coverage {
    pub(super) sessions: u64,
    pub(super) succeeded: u64,
    pub(super) failed: u64,
    /// Those without an end, whether or not their harness has one.
    pub(super) not_ended: u64,
    pub(super) tokens: u64,
    pub(super) cost: u64,
    turns: u64,
    duration: u64,
}

impl Coverage {
    pub(super) fn of<'r>(sessions: impl Iterator<Item = &'r Recap>) -> Self {
        let mut sum = Self::default();
        for session in sessions {
            sum.sessions += 1;
            match session.outcome.as_ref().map(|end| end.succeeded) {
                Some(true) => sum.succeeded += 1,
                Some(false) => sum.failed += 1,
                None => sum.not_ended += 1,
            }
            let usage = &session.usage;
            let known = usage.figures.counts().iter().any(Option::is_some);
            sum.tokens += u64::from(known);
            sum.cost += u64::from(usage.figures.cost_usd.is_some());
            sum.turns += u64::from(usage.turns.is_some());
            sum.duration += u64::from(usage.duration_ms.is_some());
        }
        sum
    }

    pub(super) fn outcomes(&self) -> Value {
        json!({"succeeded": self.succeeded, "failed": self.failed, "notEnded": self.not_ended})
    }

    pub(super) fn covered(&self) -> Value {
        json!({
            "tokens": self.tokens,
            "costUsd": self.cost,
            "turns": self.turns,
            "durationMs": self.duration,
        })
    }
}
