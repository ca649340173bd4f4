//! Whether a session ended at a rate limit, and when that is lifted.

use super::words::tame;
use crate::format::event::EventType;
use crate::json::Value;

/// What the notices say of a rate limit.
#[derive(Debug, Default)]
pub(crate) struct RateLimit {
    last_error: bool,
    lifted: Option<String>,
}

impl RateLimit {
    /// Takes an event in.
    pub(crate) fn event(&mut self, kind: EventType, payload: Value<'_>) {
        if kind != EventType::Notice {
            return;
        }
        let [level, code, limit] = payload.pick(["level", "code", "limit"]);
        let is_rate_limit = code.is("rate_limit");
        if let Some(lifted) = limit.get("resetsAt").filled().filter(|_| is_rate_limit) {
            self.lifted = Some(tame(&lifted));
        }
        if level.is("error") {
            self.last_error = is_rate_limit;
        }
    }

    /// Returns what to say where the last error was a rate limit.
    pub(crate) fn word(&self) -> Option<String> {
        let lifted = match &self.lifted {
            Some(time) => format!("which is lifted at {time}"),
            None => "and the agent did not say when it is lifted".to_owned(),
        };
        self.last_error.then(|| format!("the session failed at a rate limit, {lifted}"))
    }
}
