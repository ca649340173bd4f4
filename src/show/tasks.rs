//! What runs in the background, as it changes.

use std::collections::VecDeque;

use super::words::{brief, word};
use crate::json::Value;
use crate::limits::{MAX_ID, MAX_KNOWN_TASKS, MAX_PATH};
use crate::report::kept::kept;

const RUNNING: &str = "running";

/// Knows the tasks by their ids, so that each change is shown once and by name.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    known: VecDeque<Task>,
}

#[derive(Debug)]
struct Task {
    id: String,
    name: String,
    /// The words that described it last.
    described: String,
}

impl Tasks {
    /// Returns what is new, in one line.
    pub(super) fn describe(&mut self, payload: Value<'_>) -> Option<String> {
        let [tasks, change] = payload.pick(["tasks", "change"]);
        if change.is_object() {
            return self.change(change);
        }
        let mut new = Vec::new();
        for task in tasks.elements() {
            let name = self.name(task);
            if let Some(known) = self.known(task).filter(|known| known.described.is_empty()) {
                RUNNING.clone_into(&mut known.described);
                new.push(format!("{name}: {RUNNING}"));
            }
        }
        (!new.is_empty()).then(|| new.join("; "))
    }

    fn change(&mut self, change: Value<'_>) -> Option<String> {
        let name = self.name(change);
        let [status, summary] = change.pick(["status", "summary"]);
        let status = word(status).unwrap_or_else(|| "changed".to_owned());
        let mut words = format!("{name}: {status}");
        if let Some(summary) = word(summary) {
            words = format!("{words} ({summary})");
        }
        if let Some(task) = self.known(change) {
            let described = kept(&words, MAX_PATH);
            if task.described == described || (task.described == RUNNING && status == "started") {
                return None;
            }
            task.described = described.into_owned();
        }
        Some(words)
    }

    fn known(&mut self, task: Value<'_>) -> Option<&mut Task> {
        let id = id(task)?;
        self.known.iter_mut().find(|known| known.id == id)
    }

    /// Returns the task's description, the one it had first.
    fn name(&mut self, task: Value<'_>) -> String {
        let (id, description) = (id(task), word(task.get("description")));
        let known = self.known.iter().find(|task| Some(&task.id) == id.as_ref());
        if let Some(known) = known {
            return known.name.clone();
        }
        let name = description.or_else(|| id.clone()).unwrap_or_else(|| "a task".to_owned());
        let name = brief(&name);
        if let Some(id) = id {
            if self.known.len() >= MAX_KNOWN_TASKS {
                self.known.pop_front();
            }
            self.known.push_back(Task { id, name: name.clone(), described: String::new() });
        }
        name
    }
}

fn id(task: Value<'_>) -> Option<String> {
    word(task.get("taskId")).map(|id| kept(&id, MAX_ID).into_owned())
}
