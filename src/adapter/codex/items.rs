//! The items of the present and the experimental form.

use super::notices;
use super::seen::{Ids, Shown};
use super::tools::TOOLS;
use super::words::words;
use crate::adapter::content::{self, arguments, step};
use crate::adapter::tool::does;
use crate::format::batch::Batch;
use crate::format::event::{
    Delta, FileChange, Message, Of, Plan, Step, Thinking, ToolCall, ToolResult,
};
use crate::format::write::{Name, Text};
use crate::json::{self, Value};

/// Where in its life an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Started,
    Updated,
    Completed,
}

/// What is remembered of the items of one process.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// The calls that have no result yet.
    open: Ids,
    /// The calls whose result was an item of its own.
    answered: Ids,
    shown: Shown,
}

impl Items {
    /// Another process starts, and its ids with it.
    pub(super) fn restart(&mut self) {
        self.open = Ids::default();
        self.answered = Ids::default();
        self.shown.restart();
    }

    /// Reads an item of the type `kind`.
    pub(super) fn read(&mut self, phase: Phase, kind: &str, item: Value<'_>, out: &mut Batch) {
        let id = item.get("id");
        match kind {
            "agent_message" | "assistant_message" => {
                self.text(phase, Of::Message, id, item.get("text"), out);
            }
            "reasoning" => self.text(phase, Of::Thinking, id, item.get("text"), out),
            "todo_list" => plan(item, out),
            "error" => out.push(notices::warning(item.get("message"))),
            "command_execution" => self.command(phase, id, item, out),
            "file_change" => self.file_change(phase, id, item, out),
            "mcp_tool_call" => self.mcp(phase, id, item, out),
            "web_search" => self.web_search(phase, id, item, out),
            "collab_tool_call" => self.collab(phase, id, item, out),
            "function_call" => self.function_call(id, item, out),
            "function_call_output" => self.function_call_output(phase, id, item, out),
            other => self.other(phase, other, id, item, out),
        }
    }

    /// Every recorded version prints a text once, whole. Streams with snapshots show it whole so far
    /// each time.
    fn text(&mut self, phase: Phase, of: Of, id: Value<'_>, text: Value<'_>, out: &mut Batch) {
        let whole = phase == Phase::Completed;
        out.message_id(Name::filled(id));
        if let Some(str) = text.str()
            && let Some((piece, reset)) = self.shown.next(id, str, whole)
        {
            let text = Some(Text::from(piece));
            out.push(Delta { of, text, reset, ..Delta::default() });
        }
        if whole && of == Of::Thinking {
            if let Some(text) = Text::filled(text) {
                out.push(Thinking { text: Some(text), ..Thinking::default() });
            }
        } else if whole && let Some(text) = Text::of(text) {
            // An answer that is empty is printed as one (0.171 `empty_message`).
            out.push(Message {
                role: Some(Name::from("assistant")),
                text: Some(text),
                ..Message::default()
            });
        }
        out.message_id(None);
    }

    /// Pushes the call when the item is seen first, and says whether its result is due.
    fn call<'a>(
        &mut self,
        phase: Phase,
        id: Value<'a>,
        call: impl FnOnce() -> ToolCall<'a>,
        out: &mut Batch,
    ) -> bool {
        let done = phase == Phase::Completed;
        let known = if done { self.open.remove(id) } else { !self.open.add(id) };
        if !known {
            out.push(ToolCall { call_id: Name::of(id), ..call() });
        }
        done
    }

    fn command<'a>(&mut self, phase: Phase, id: Value<'a>, item: Value<'a>, out: &mut Batch) {
        let [command, output, exit_code, status] =
            item.pick(["command", "aggregated_output", "exit_code", "status"]);
        // The command line is not JSON even where it reads like it.
        let call = || {
            let text = command.is_string();
            let input = if text { Text::filled(command) } else { arguments(command) };
            own("shell", input, command)
        };
        let done = self.call(phase, id, call, out);
        if let Some(str) = output.str()
            && let Some((piece, reset)) = self.shown.next(id, str, done)
        {
            let (text, call_id) = (Some(Text::from(piece)), Name::of(id));
            out.push(Delta { of: Of::ToolResult, text, call_id, reset, ..Delta::default() });
        }
        if !done {
            return;
        }
        let exit_code = exit_code.i64();
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error: failed(status) || exit_code.is_some_and(|code| code != 0),
            output: words(output),
            exit_code: content::exit_code(exit_code),
            status: denied(status),
            ..ToolResult::default()
        });
    }

    fn file_change<'a>(&mut self, phase: Phase, id: Value<'a>, item: Value<'a>, out: &mut Batch) {
        let [changes, status] = item.pick(["changes", "status"]);
        if !self.call(phase, id, || own("apply_patch", arguments(changes), changes), out) {
            return;
        }
        let is_error = failed(status);
        let changes = changes.elements().filter_map(|change| {
            let [path, kind] = change.pick(["path", "kind"]);
            let word = ["add", "update", "delete", "rename"].into_iter().find(|word| kind.is(word));
            Some(FileChange { path: Name::of(path)?, change: word?.into() })
        });
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error,
            status: denied(status),
            files: if is_error { Vec::new() } else { changes.collect() },
            ..ToolResult::default()
        });
    }

    fn mcp<'a>(&mut self, phase: Phase, id: Value<'a>, item: Value<'a>, out: &mut Batch) {
        let [server, tool, input, result, error, status] =
            item.pick(["server", "tool", "arguments", "result", "error", "status"]);
        let name = || Some(mcp_name(server, tool));
        let call = || ToolCall { name: name(), input: arguments(input), ..ToolCall::default() };
        if !self.call(phase, id, call, out) {
            return;
        }
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error: failed(status) || error.is_some(),
            status: denied(status),
            ..mcp_result(result, error)
        });
    }

    /// From 0.100 to 0.171 the object has the key `id` twice, `item_9` and then `ws_…`; the last
    /// wins, at the start and at the end alike.
    fn web_search<'a>(&mut self, phase: Phase, id: Value<'a>, item: Value<'a>, out: &mut Batch) {
        let [query, action, status] = item.pick(["query", "action", "status"]);
        if !self.call(phase, id, || own("web_search", Text::filled(query), query), out) {
            return;
        }
        let mut queries = String::new();
        for query in action.get("queries").elements().filter_map(Value::decode) {
            if !queries.is_empty() {
                queries.push('\n');
            }
            queries.push_str(&query);
        }
        let output = if queries.is_empty() { Text::filled(query) } else { Some(queries.into()) };
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error: failed(status),
            output,
            ..ToolResult::default()
        });
    }

    /// What a subagent itself says and does is not printed; its states are.
    fn collab<'a>(&mut self, phase: Phase, id: Value<'a>, item: Value<'a>, out: &mut Batch) {
        let [tool, agents, status] = item.pick(["tool", "agents_states", "status"]);
        let call = || ToolCall {
            name: Some(Name::filled(tool).unwrap_or_else(|| Name::from("collab_tool_call"))),
            input: members(item, ["prompt", "receiver_thread_ids"]),
            ..does(TOOLS, &tool.decode().unwrap_or_default(), item)
        };
        if !self.call(phase, id, call, out) {
            return;
        }
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error: failed(status),
            output: words(agents),
            status: denied(status),
            ..ToolResult::default()
        });
    }

    /// A call of the Responses API. No recorded version prints one; readers of Codex streams expect
    /// it. The result is an item of its own.
    fn function_call<'a>(&mut self, id: Value<'a>, item: Value<'a>, out: &mut Batch) {
        let [name, call_id, input] = item.pick(["name", "call_id", "arguments"]);
        let call_id = if call_id.is_string() { call_id } else { id };
        if !self.answered.has(call_id) && self.open.add(call_id) {
            out.push(ToolCall {
                call_id: Name::of(call_id),
                name: Name::of(name),
                input: arguments(input),
                ..does(TOOLS, &name.decode().unwrap_or_default(), input)
            });
        }
    }

    fn function_call_output<'a>(
        &mut self,
        phase: Phase,
        id: Value<'a>,
        item: Value<'a>,
        out: &mut Batch,
    ) {
        let [call_id, output, status] = item.pick(["call_id", "output", "status"]);
        let call_id = if call_id.is_string() { call_id } else { id };
        // Whichever line shows the output first is the result.
        let shown = output.is_some() || phase == Phase::Completed;
        if !shown || !self.answered.add(call_id) {
            return;
        }
        self.open.remove(call_id);
        let content = content::content(output);
        out.push(ToolResult {
            call_id: Name::of(call_id),
            is_error: failed(status),
            output: content.text,
            attachments: content.attachments,
            ..ToolResult::default()
        });
    }

    /// An item of another type is a tool where it has a status.
    fn other(&mut self, phase: Phase, kind: &str, id: Value<'_>, item: Value<'_>, out: &mut Batch) {
        let [status, name, tool, input, result, error] =
            item.pick(["status", "name", "tool", "arguments", "result", "error"]);
        if !status.is_string() {
            return;
        }
        let name = Name::filled(tool).or_else(|| Name::filled(name));
        let name = Some(name.unwrap_or_else(|| Name::from(kind.to_owned())));
        let call = || ToolCall { name, input: arguments(input), ..ToolCall::default() };
        if self.call(phase, id, call, out) {
            out.push(ToolResult {
                call_id: Name::of(id),
                is_error: failed(status) || error.is_some(),
                status: denied(status),
                ..mcp_result(result, error)
            });
        }
    }
}

/// A call of a tool of Codex's own.
fn own<'a>(name: &'static str, input: Option<Text<'a>>, argument: Value<'a>) -> ToolCall<'a> {
    ToolCall { name: Some(Name::from(name)), input, ..does(TOOLS, name, argument) }
}

/// `server.tool`, or what of it is there.
pub(super) fn mcp_name<'a>(server: Value<'a>, tool: Value<'a>) -> Name<'a> {
    match (server.decode().filter(|server| !server.is_empty()), tool.decode()) {
        (Some(server), Some(tool)) => Name::from(format!("{server}.{tool}")),
        (Some(name), None) | (None, Some(name)) => Name::from(name),
        (None, None) => Name::from("mcp"),
    }
}

/// What an MCP call gave: its error, its content, or the structured content where there is no other.
pub(super) fn mcp_result<'a>(result: Value<'a>, error: Value<'a>) -> ToolResult<'a> {
    let message = error.get("message");
    let error = if message.is_some() { message } else { error };
    if error.is_some() {
        return ToolResult { output: words(error), ..ToolResult::default() };
    }
    let [blocks, new, old] = result.pick(["content", "structured_content", "structuredContent"]);
    let structured = if new.is_some() { new } else { old };
    let empty = blocks.elements().next().is_none() && !blocks.is_string();
    let content = content::content(match (empty, blocks.exists()) {
        (true, _) if structured.is_some() => structured,
        (_, true) => blocks,
        _ => result,
    });
    ToolResult { output: content.text, attachments: content.attachments, ..ToolResult::default() }
}

/// Those of the members that have a value, as JSON.
fn members<'a, const N: usize>(item: Value<'a>, keys: [&str; N]) -> Option<Text<'a>> {
    let mut text = String::new();
    for (key, value) in keys.iter().zip(item.pick(keys)).filter(|(_, value)| value.is_some()) {
        text.push(if text.is_empty() { '{' } else { ',' });
        for part in ["\"", key, "\":", &json::compact(value.text())] {
            text.push_str(part);
        }
    }
    (!text.is_empty()).then(|| Text::from(text + "}"))
}

fn plan(item: Value<'_>, out: &mut Batch) {
    let items = item.get("items");
    if !items.is_array() {
        return;
    }
    let steps = items.elements().map(|item| {
        let [text, completed, status] = item.pick(["text", "completed", "status"]);
        if status.is_string() {
            return step(text, status);
        }
        let word = if completed.is_true() { "completed" } else { "pending" };
        Step { text: Text::of(text), status: Some(Name::from(word)) }
    });
    out.push(Plan { steps: steps.collect() });
}

fn failed(status: Value<'_>) -> bool {
    status.is("failed") || status.is("declined")
}

fn denied(status: Value<'_>) -> Option<Name<'static>> {
    status.is("declined").then(|| Name::from("denied"))
}
