//! The model calls that a stream shows.

use std::collections::{BTreeMap, VecDeque};

use super::open::digest;
use crate::format::event::EventType;
use crate::json::Value;
use crate::limits::{MAX_WATCHED_AGENTS, MAX_WATCHED_MESSAGES};

/// Counts model calls. Some dialects state the usage of each; in the others one begins where the
/// model says something behind what was said to it.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// By their usage.
    stated: u64,
    /// The messages whose usage came, the oldest first: it may come in pieces.
    messages: VecDeque<u64>,
    /// By what the model said.
    spoken: u64,
    /// The message that the main thread or a subagent said last.
    speakers: BTreeMap<u64, Speaker>,
}

#[derive(Debug, Default)]
struct Speaker {
    message: u64,
    speaks: bool,
}

impl Turns {
    pub(super) fn count(&self) -> u64 {
        self.stated.max(self.spoken)
    }

    pub(super) fn event(&mut self, kind: EventType, payload: Value<'_>) {
        use EventType as E;
        match kind {
            E::Message => {
                let [role, synthetic] = payload.pick(["role", "synthetic"]);
                if !role.is("assistant") {
                    self.listen(payload);
                } else if !synthetic.is_true() {
                    self.speak(payload);
                }
            }
            E::Thinking | E::ToolCall => self.speak(payload),
            E::ToolResult => self.listen(payload),
            E::SessionStarted | E::SessionEnded => self.speakers.clear(),
            E::Usage if payload.get("scope").is("call") => {
                let message = payload.get("messageId");
                if message.is_some() {
                    let message = digest(message);
                    if self.messages.contains(&message) {
                        return;
                    }
                    if self.messages.len() == MAX_WATCHED_MESSAGES {
                        self.messages.pop_front();
                    }
                    self.messages.push_back(message);
                }
                self.stated += 1;
            }
            _ => {}
        }
    }

    fn speaker(&mut self, payload: Value<'_>) -> &mut Speaker {
        let agent = digest(payload.get("parentCallId"));
        if self.speakers.len() == MAX_WATCHED_AGENTS && !self.speakers.contains_key(&agent) {
            self.speakers.clear();
        }
        self.speakers.entry(agent).or_default()
    }

    fn speak(&mut self, payload: Value<'_>) {
        let message = digest(payload.get("messageId"));
        let speaker = self.speaker(payload);
        let same = message == speaker.message && payload.get("messageId").is_some();
        let begins = !std::mem::replace(&mut speaker.speaks, true) && !same;
        speaker.message = message;
        self.spoken += u64::from(begins);
    }

    fn listen(&mut self, payload: Value<'_>) {
        self.speaker(payload).speaks = false;
    }
}
