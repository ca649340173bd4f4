//! Prompts that were typed while a turn ran. To 2.1.80 one that the turn took in stands in its
//! `queue-operation` and nowhere else; later an attachment repeats it.

use std::collections::VecDeque;

use crate::json::Value;
use crate::limits::{MAX_CLAUDE_QUEUE, MAX_CLAUDE_QUEUED};

/// The prompts that wait, first in, first out.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<Option<String>>,
}

impl Queue {
    /// Reads an operation; gives the prompt that a turn took in.
    pub(super) fn operation(&mut self, record: Value<'_>) -> Option<String> {
        let [operation, content] = record.pick(["operation", "content"]);
        let content = || content.decode().filter(|text| text.len() <= MAX_CLAUDE_QUEUED);
        if operation.is("enqueue") {
            if self.waiting.len() >= MAX_CLAUDE_QUEUE {
                self.waiting.pop_front();
            }
            self.waiting.push_back(content().map(Into::into));
        } else if operation.is("dequeue") {
            self.waiting.pop_front();
        } else if operation.is("popAll") {
            self.waiting.clear();
        } else if operation.is("remove") {
            let taken = self.waiting.pop_front().flatten();
            let text = content().map(Into::into).or(taken)?;
            // Commands of the terminal and the harness's own notices are no prompts.
            return Some(text)
                .filter(|text| !text.is_empty() && !text.starts_with(['/', '<', '!']));
        }
        None
    }
}
