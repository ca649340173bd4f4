//! What happened, counted.

use std::collections::{BTreeMap, VecDeque};

use super::figures::bounded;
use crate::format::event::EventType;
use crate::json::Value;
use crate::limits::{MAX_FILES, MAX_ID, MAX_NAME, MAX_NAMES, MAX_OPEN_CALLS, MAX_PATH};
use crate::report::kept::kept;

/// How one tool was used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tool {
    /// How often it was called.
    pub calls: u64,
    /// How many of its results are errors.
    pub errors: u64,
}

/// What happened, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Events.
    pub events: u64,
    /// Events that were not mapped.
    pub raw: u64,
    /// Whole texts by role.
    pub messages: BTreeMap<String, u64>,
    /// Whole reasoning texts.
    pub thinking: u64,
    /// Tools by name. Results whose call is not known are those of `(unknown)`.
    pub tools: BTreeMap<String, Tool>,
    /// The files that were changed, and how: `add`, `update`, `delete` or `rename`.
    pub files: BTreeMap<String, String>,
    /// How many changes of further files are not in `files`.
    pub more_files: u64,
    /// Notices by code.
    pub notices: BTreeMap<String, u64>,
    /// Tool results that say the call was denied.
    pub denied_results: u64,
}

impl Tally {
    /// Tries that failed and were made again.
    pub fn retries(&self) -> u64 {
        self.notices.get("retry").copied().unwrap_or_default()
    }

    /// Calls that were not permitted. A harness states a denial as a notice, with the result, or
    /// both: the larger count stands.
    pub fn denials(&self) -> u64 {
        let notices = self.notices.get("permission_denied").copied().unwrap_or_default();
        notices.max(self.denied_results)
    }

    pub(super) fn add(&mut self, other: &Tally) {
        self.events += other.events;
        self.raw += other.raw;
        self.thinking += other.thinking;
        self.more_files += other.more_files;
        self.denied_results += other.denied_results;
        for (role, count) in &other.messages {
            *bounded(&mut self.messages, role, MAX_NAMES) += count;
        }
        for (code, count) in &other.notices {
            *bounded(&mut self.notices, code, MAX_NAMES) += count;
        }
        for (name, tool) in &other.tools {
            let mine = bounded(&mut self.tools, name, MAX_NAMES);
            mine.calls += tool.calls;
            mine.errors += tool.errors;
        }
        for (path, change) in &other.files {
            self.file(path, change);
        }
    }

    fn file(&mut self, path: &str, change: &str) {
        let (path, change) = (&*kept(path, MAX_PATH), &*kept(change, MAX_NAME));
        if let Some(known) = self.files.get_mut(path) {
            // A file that the session added is new however often it is rewritten.
            if !(known == "add" && change == "update") {
                change.clone_into(known);
            }
        } else if self.files.len() < MAX_FILES {
            self.files.insert(path.to_owned(), change.to_owned());
        } else {
            self.more_files += 1;
        }
    }
}

/// The calls whose result has not come yet: id and tool, the oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenCalls(VecDeque<(String, String)>);

impl OpenCalls {
    fn take(&mut self, id: &str) -> Option<String> {
        let id = kept(id, MAX_ID);
        let at = self.0.iter().rposition(|(open, _)| *open == id)?;
        self.0.remove(at).map(|(_, name)| name)
    }

    fn add(&mut self, id: &str, name: &str) {
        let (id, name) = (kept(id, MAX_ID).into_owned(), kept(name, MAX_NAME).into_owned());
        if self.0.len() == MAX_OPEN_CALLS {
            self.0.pop_front();
        }
        self.0.push_back((id, name));
    }
}

impl Tally {
    /// Counts an event.
    pub(super) fn event(&mut self, kind: EventType, payload: Value<'_>, open: &mut OpenCalls) {
        self.events += 1;
        match kind {
            EventType::Raw => self.raw += 1,
            EventType::Thinking => self.thinking += 1,
            EventType::Message => {
                let role = payload.get("role").decode();
                *bounded(&mut self.messages, role.as_deref().unwrap_or("(none)"), MAX_NAMES) += 1;
            }
            EventType::Notice => {
                let code = payload.get("code").decode();
                *bounded(&mut self.notices, code.as_deref().unwrap_or("(none)"), MAX_NAMES) += 1;
            }
            EventType::ToolCall => {
                let [id, name] = payload.pick(["callId", "name"]);
                let name = name.decode().unwrap_or("(unnamed)".into());
                bounded(&mut self.tools, &name, MAX_NAMES).calls += 1;
                open.add(&id.decode().unwrap_or_default(), &name);
            }
            EventType::ToolResult => self.result(payload, open),
            _ => {}
        }
    }

    fn result(&mut self, payload: Value<'_>, open: &mut OpenCalls) {
        let [id, error, status, files] = payload.pick(["callId", "isError", "status", "files"]);
        let name = open.take(&id.decode().unwrap_or_default());
        if error.is_true() {
            let name = name.as_deref().unwrap_or("(unknown)");
            bounded(&mut self.tools, name, MAX_NAMES).errors += 1;
        }
        self.denied_results += u64::from(status.is("denied"));
        for file in files.elements() {
            let [path, change] = file.pick(["path", "change"]);
            if let Some(path) = path.decode() {
                self.file(&path, &change.decode().unwrap_or_default());
            }
        }
    }
}
