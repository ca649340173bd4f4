//! What runs in the background.
//!
//! 2.1.332 prints the whole set whenever it changes (`background_tasks_changed`) beside the `task_*`
//! lines; versions before it print only the latter (the recording 2.1.197 bash-background).

use std::collections::VecDeque;

use crate::format::batch::Batch;
use crate::format::event::{SessionBackground, Task, TaskChange};
use crate::format::write::{Name, Text};
use crate::input::text::clip;
use crate::json::Value;
use crate::limits::{MAX_CLAUDE_BACKGROUND, MAX_CLAUDE_TASK_ID, MAX_CLAUDE_TASK_TEXT};

/// The tasks of the stream.
#[derive(Debug, Default)]
pub(super) struct Background {
    known: VecDeque<Known>,
    /// The harness states the set itself.
    stated: bool,
}

#[derive(Debug, Default)]
struct Known {
    id: String,
    kind: Option<String>,
    description: Option<String>,
    call: Option<String>,
    running: bool,
}

impl Background {
    /// The whole set.
    pub(super) fn changed(&mut self, tasks: Value<'_>, out: &mut Batch) {
        self.stated = true;
        for known in &mut self.known {
            known.running = false;
        }
        for task in tasks.elements() {
            if let Some(known) = self.learn(task) {
                known.running = true;
            }
        }
        out.push(SessionBackground { tasks: self.tasks(), change: None });
    }

    /// A `task_*` line; `word` says what happened where the line has no word of its own.
    pub(super) fn task(&mut self, line: Value<'_>, word: Option<&'static str>, out: &mut Batch) {
        let [id, status, description, summary, call, patch, backgrounded] = line.pick([
            "task_id",
            "status",
            "description",
            "summary",
            "tool_use_id",
            "patch",
            "is_backgrounded",
        ]);
        let [patched, moved] = patch.pick(["status", "is_backgrounded"]);
        let status = if patched.is_some() { patched } else { status };
        let stated = self.stated;
        if let Some(known) = self.learn(line) {
            let starts = word == Some("started") && backgrounded.bool() != Some(false);
            if (starts || moved.is_true()) && !stated {
                known.running = true;
            }
            if ["completed", "failed", "killed", "stopped"].iter().any(|end| status.is(end)) {
                known.running = false;
            }
        }
        let change = TaskChange {
            task_id: Name::of(id),
            status: Name::filled(status).or_else(|| word.map(Name::from)),
            description: Text::filled(description),
            summary: Text::filled(summary),
            call_id: Name::filled(call),
        };
        out.push(SessionBackground { tasks: self.tasks(), change: Some(change) });
    }

    fn tasks(&self) -> Vec<Task<'_>> {
        self.known.iter().filter(|known| known.running).map(Known::task).collect()
    }

    /// Remembers what a line says of a task. The lines of a task do not all name its call.
    fn learn(&mut self, task: Value<'_>) -> Option<&mut Known> {
        let [id, kind, subagent, description, call] =
            task.pick(["task_id", "task_type", "subagent_type", "description", "tool_use_id"]);
        let id = id.decode().filter(|id| id.len() <= MAX_CLAUDE_TASK_ID)?;
        let at = self.known.iter().position(|known| known.id == id).unwrap_or_else(|| {
            if self.known.len() >= MAX_CLAUDE_BACKGROUND {
                // What no longer runs is missed the least.
                let at = self.known.iter().position(|known| !known.running).unwrap_or_default();
                self.known.remove(at);
            }
            self.known.push_back(Known { id: id.into_owned(), ..Known::default() });
            self.known.len() - 1
        });
        let known = self.known.get_mut(at)?;
        let learn = |slot: &mut Option<String>, value: Value<'_>| {
            if slot.is_none() {
                let text = value.decode();
                *slot = text.map(|text| clip(&text, MAX_CLAUDE_TASK_TEXT).0.to_owned());
            }
        };
        learn(&mut known.kind, if kind.is_some() { kind } else { subagent });
        // The description of a `task_progress` line is of the step, not of the task.
        learn(&mut known.description, description);
        if known.call.is_none() {
            known.call = call.owned().filter(|id| id.len() <= MAX_CLAUDE_TASK_ID);
        }
        Some(known)
    }
}

impl Known {
    fn task(&self) -> Task<'_> {
        Task {
            task_id: Some(Name::from(&self.id)),
            kind: self.kind.as_ref().map(Name::from),
            description: self.description.as_ref().map(Text::from),
            call_id: self.call.as_ref().map(Name::from),
        }
    }
}
