//! Session files: `~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl`, a tree by `id` and `parentId`.
//!
//! ```json
//! {"type":"session","version":3,"id":"01a22c3b-…","timestamp":"2026-11-30T11:33:47.052Z","cwd":"/w"}
//! {"type":"model_change","id":"8cd62c3a","parentId":null,"timestamp":"…","provider":"mock","modelId":"mock-1"}
//! {"type":"message","id":"796d76e0","parentId":"a1b8cc8b","timestamp":"…","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"bash","arguments":{…}}],…,"timestamp":1767225600969}}
//! {"type":"message","id":"e0b29ff5","parentId":"796d76e0","timestamp":"…","message":{"role":"toolResult","toolCallId":"c1","content":[…],"isError":false,"durationMs":80,…}}
//! {"type":"session_info","id":"e50c28b0","parentId":"a1d22624","timestamp":"…","name":"my own name"}
//! ```
//!
//! A message is what `message_end` prints, and the calls are in it. A failed try that was taken out of
//! the context stands before its `context_edit`. Nothing states a total or an end.

use super::Adapter;
use crate::format::batch::Batch;
use crate::format::event::{Code, Notice};
use crate::format::write::Name;
use crate::json::Value;

/// Tells whether a record is a message of a file. Droid's have no time of their own.
pub(super) fn is_message(record: Value<'_>, message: Value<'_>) -> bool {
    let [id, parent, time] = record.pick(["id", "parentId", "timestamp"]);
    let [role, own_time] = message.pick(["role", "timestamp"]);
    id.is_string()
        && parent.exists()
        && time.is_string()
        && role.is_string()
        && own_time.number().is_some()
}

impl Adapter {
    pub(super) fn entry(&mut self, record: Value<'_>, message: Value<'_>, out: &mut Batch) {
        if !record.get("parentId").exists() {
            return;
        }
        self.kept = true;
        if message.get("role").is("toolResult") {
            self.announce(out);
            self.tools.returned(message, out);
        } else {
            self.message(message, out);
        }
        // The moment when it was written comes after that of its first word.
        out.time(record.get("timestamp"));
    }

    /// The first one of a file says which model it is; only another one is a change.
    pub(super) fn model(&mut self, record: Value<'_>, out: &mut Batch) {
        let [time, model] = record.pick(["timestamp", "modelId"]);
        out.time(time);
        self.kept = true;
        let Some(name) = model.filled() else { return };
        let before = self.model.replace(name);
        if let Some(from) = before.filter(|before| !model.is(before)) {
            out.push(Notice {
                code: Code::ModelChanged,
                from: Some(from.into()),
                to: Name::of(model),
                ..Notice::default()
            });
        }
    }

    pub(super) fn compaction(&mut self, record: Value<'_>, out: &mut Batch) {
        let [time, first] = record.pick(["timestamp", "firstKeptEntryId"]);
        out.time(time);
        if first.exists() {
            self.kept = true;
            out.push(Notice { code: Code::Compacted, ..Notice::default() });
        }
    }
}
