//! What a stream has said of its end.

use crate::format::event::{EventType, Level, Status};
use crate::json::{Doc, Value};

/// What the stream has said of its end so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Outcome {
    /// Whether the last `session.ended` was a success; `None` without any.
    pub succeeded: Option<bool>,
    /// Whether the stream's last word is an end: no work came behind it.
    pub ended: bool,
    /// Whether an error came last: a notice of level error with no work and no end behind it.
    pub error: bool,
    /// Whether an error came behind the last end, whatever else came there.
    pub error_behind_end: bool,
    /// Whether background work runs, as the last word about it says.
    pub background: bool,
}

impl Outcome {
    /// Takes an event into account; `payload` is its JSON text.
    pub(crate) fn see(&mut self, kind: EventType, payload: &[u8]) {
        let reads = matches!(
            kind,
            EventType::SessionEnded | EventType::SessionBackground | EventType::Notice
        );
        let mut doc = Doc::default();
        let payload = std::str::from_utf8(payload).unwrap_or_default();
        let payload = if reads { doc.parse(payload) } else { None };
        self.see_value(kind, payload.unwrap_or(Value::MISSING));
    }

    /// Takes an event into account.
    pub(crate) fn see_value(&mut self, kind: EventType, payload: Value<'_>) {
        use EventType as E;
        match kind {
            E::SessionEnded => {
                let good = payload.get("status").is(Status::Succeeded.word());
                let background = self.background;
                *self = Self { succeeded: Some(good), ended: true, background, ..Self::default() };
            }
            E::SessionBackground => {
                self.background = payload.get("tasks").elements().next().is_some();
            }
            E::Notice if payload.get("level").is(Level::Error.word()) => {
                self.error = true;
                self.error_behind_end = self.succeeded.is_some();
            }
            E::SessionStarted
            | E::Message
            | E::Thinking
            | E::ToolCall
            | E::ToolResult
            | E::Plan
            | E::Delta => {
                self.ended = false;
                self.error = false;
            }
            _ => {}
        }
    }
}
