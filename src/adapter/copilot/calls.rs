//! Tool calls, and the subagents that work for one.
//!
//! The message that asks for a call names it first, the start of the execution again (the recording
//! 1.0.102 shell). Ids are only as unique as the model's provider makes them, so a pair is forgotten
//! once it is met.

use std::collections::VecDeque;

use super::tools;
use crate::adapter::content::{arguments, exit_code};
use crate::adapter::recent::remember;
use crate::adapter::written::Writing;
use crate::format::batch::Batch;
use crate::format::event::{FileChange, ToolCall, ToolResult};
use crate::format::write::{Name, Text};
use crate::json::Value;

#[derive(Debug, Default)]
pub(super) struct Calls {
    /// The calls that a message asked for and that did not start yet.
    asked: VecDeque<String>,
    /// Which call a subagent works for.
    agents: VecDeque<(String, String)>,
    writing: Writing,
}

impl Calls {
    /// A subagent starts.
    pub(super) fn hire(&mut self, agent: Value<'_>, data: Value<'_>) {
        if let (Some(agent), Some(call)) = (agent.decode(), data.get("toolCallId").decode()) {
            remember(&mut self.agents, (agent.into_owned(), call.into_owned()));
        }
    }

    /// The call that a subagent works for.
    pub(super) fn of_agent(&self, agent: Value<'_>) -> Option<&str> {
        self.agents.iter().find(|(id, _)| agent.is(id)).map(|(_, call)| call.as_str())
    }

    /// A message asks for a call.
    pub(super) fn ask(&mut self, request: Value<'_>, out: &mut Batch) {
        let [id, name, input] = request.pick(["toolCallId", "name", "arguments"]);
        self.push(id, name, input, out);
        if let Some(id) = id.decode() {
            remember(&mut self.asked, id.into_owned());
        }
    }

    /// The execution of a call starts.
    pub(super) fn start(&mut self, data: Value<'_>, out: &mut Batch) {
        let [id, name, input] = data.pick(["toolCallId", "toolName", "arguments"]);
        match self.asked.iter().position(|call| id.is(call)) {
            Some(at) => drop(self.asked.remove(at)),
            None => self.push(id, name, input, out),
        }
    }

    fn push(&mut self, id: Value<'_>, name: Value<'_>, input: Value<'_>, out: &mut Batch) {
        let tool = name.decode().unwrap_or_default();
        if !tools::views(&tool, input) {
            self.writing.call(tools::TOOLS, id, &tool, input);
        }
        out.push(ToolCall {
            call_id: Name::of(id),
            name: Name::of(name),
            input: arguments(input),
            ..tools::does(&tool, input)
        });
    }

    pub(super) fn result(&mut self, data: Value<'_>, out: &mut Batch) {
        let [id, success, result, error, shell, edits] =
            data.pick(["toolCallId", "success", "result", "error", "shellExecution", "fileEdits"]);
        let [message, code] = error.pick(["message", "code"]);
        let content = result.get("content");
        let is_error = success.bool() == Some(false);
        let written = self.writing.result(id, !is_error);
        // What the harness lists says more than the arguments.
        let edits: Vec<_> = edits.elements().filter_map(edit).collect();
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error,
            output: Text::of(if content.is_string() { content } else { message }),
            exit_code: exit_code(shell.get("exitCode").i64()),
            status: code.is("denied").then(|| "denied".into()),
            files: if edits.is_empty() { written } else { edits },
            ..ToolResult::default()
        });
    }
}

fn edit(edit: Value<'_>) -> Option<FileChange<'_>> {
    let [path, kind] = edit.pick(["path", "kind"]);
    let words = [("create", "add"), ("edit", "update"), ("delete", "delete"), ("rename", "rename")];
    let (_, change) = words.into_iter().find(|(word, _)| kind.is(word))?;
    Some(FileChange { path: Name::of(path)?, change: change.into() })
}
