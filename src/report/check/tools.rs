//! Drift: tools of a harness that its dialect's table does not know.

use std::collections::BTreeMap;

use super::count::{Count, UnknownTool};
use crate::adapter::Protocol;
use crate::format::event::EventType;
use crate::json::Value;
use crate::limits::{MAX_NAME, MAX_UNKNOWN_TOOLS};

/// The names of tools that a stream lists or calls, and how often.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeMap<String, Count>);

impl Names {
    pub(super) fn event(&mut self, kind: EventType, payload: Value<'_>, line: u64) {
        match kind {
            EventType::SessionStarted => {
                payload.get("tools").elements().for_each(|name| self.add(name, line));
            }
            EventType::ToolCall => self.add(payload.get("name"), line),
            _ => {}
        }
    }

    fn add(&mut self, name: Value<'_>, line: u64) {
        let Some(name) = name.decode().filter(|name| name.len() <= MAX_NAME) else { return };
        let known = self.0.contains_key(&*name);
        if known || self.0.len() < MAX_UNKNOWN_TOOLS {
            let met = self.0.entry(name.into_owned()).or_default();
            met.count += 1;
            if met.count == 1 {
                met.line = line;
            }
        }
    }

    /// Adds those of a stream in `file`.
    pub(super) fn merge(&mut self, other: &Names, file: &str) {
        for (name, met) in &other.0 {
            if self.0.contains_key(name) || self.0.len() < MAX_UNKNOWN_TOOLS {
                self.0.entry(name.clone()).or_default().add(met, file);
            }
        }
    }

    /// Those that the table of `protocol` does not know; none where the dialect has no table. Tools of
    /// MCP servers are told by the mark in their names, as far as the harness puts one there.
    pub(super) fn unknown(self, protocol: Protocol) -> Vec<UnknownTool> {
        let tools = protocol.dialect().tools;
        if tools.acts.is_empty() {
            return Vec::new();
        }
        let unknown = self.0.into_iter().filter(|(name, _)| !tools.knows(name) && !is_served(name));
        unknown.map(|(name, met)| UnknownTool { name, met }).collect()
    }
}

fn is_served(name: &str) -> bool {
    name.contains("__")
}
