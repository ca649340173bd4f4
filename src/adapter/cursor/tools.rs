//! Tool calls. The tool is named by a key; new ones come with every release:
//!
//! ```json
//! {"shellToolCall":{"args":{"command":"ls"},"result":{"failure":{"exitCode":2,"stdout":"","stderr":"…"}}},"toolCallId":"t1","startedAtMs":"1"}
//! {"tool":{"case":"readToolCall","value":{"args":{…},"result":{…}}}}
//! {"function":{"name":"x","arguments":"{}"}}
//! {"id":"toolu_1","name":"TodoWrite","input":{…},"result":"ok"}
//! ```
//!
//! The last form is that of models of another maker.
//!
//! The result's one object says by its key what became of the call: `success` or a word for a failure.

use std::borrow::Cow;
use std::collections::VecDeque;

use crate::adapter::content::{self, arguments};
use crate::adapter::recent::remember;
use crate::adapter::tool::{self, Arg, Tools as Table};
use crate::adapter::written::written;
use crate::format::batch::Batch;
use crate::format::event::Act::{
    Agent, Ask, Delete, Edit, Execute, Fetch, Plan as Planning, Read, Search, SwitchMode,
};
use crate::format::event::{FileChange, Plan, Step, ToolCall, ToolResult};
use crate::format::write::{Name, Text};
use crate::json::{Kind, Str, Value, compact};

/// Cursor's own tools, by the names that are left of their keys.
pub(super) const TOOLS: Table = Table {
    acts: &[
        ("shell", Execute, &[Arg::Str("command")]),
        ("read", Read, &[Arg::Str("path")]),
        ("write", Edit, &[Arg::Str("path")]),
        ("edit", Edit, &[Arg::Str("path")]),
        ("delete", Delete, &[Arg::Str("path")]),
        ("ls", Search, &[Arg::Str("path")]),
        ("glob", Search, &[Arg::Str("globPattern")]),
        ("grep", Search, &[Arg::Str("pattern")]),
        ("semSearch", Search, &[Arg::Str("query")]),
        ("readLints", Read, &[Arg::Lines("paths")]),
        ("webFetch", Fetch, &[Arg::Str("url")]),
        ("webSearch", Fetch, &[Arg::Str("searchTerm")]),
        ("task", Agent, &[Arg::Str("description")]),
        ("updateTodos", Planning, &[]),
        ("readTodos", Planning, &[]),
        ("createPlan", Planning, &[]),
        ("askQuestion", Ask, &[]),
        ("switchMode", SwitchMode, &[]),
    ],
    others: &[
        "listMcpResources",
        "readMcpResource",
        "getMcpTools",
        "getAgentStatus",
        "sendToAgent",
        "readAgentTranscript",
        "generateImage",
        "applyAgentDiff",
        "fetchRules",
        "mcp",
    ],
};

#[derive(Debug, Default)]
pub(super) struct Tools {
    /// The calls that were told, and whether their result was.
    calls: VecDeque<(String, bool)>,
}

/// What a line says of a call.
#[derive(Debug, Clone, Copy)]
struct Tool<'a> {
    name: Str<'a>,
    args: Value<'a>,
    result: Value<'a>,
}

impl Tools {
    pub(super) fn call(&mut self, subtype: Value<'_>, record: Value<'_>, out: &mut Batch) {
        let [id, call] = record.pick(["call_id", "tool_call"]);
        let Some(tool) = tool(call) else { return };
        let id = [id, call.get("toolCallId"), call.get("id"), tool.args.get("toolCallId")]
            .into_iter()
            .find(|id| id.is_string())
            .unwrap_or(Value::MISSING);
        let failed = subtype.is("failed");
        let ends = failed || subtype.is("completed");
        if !ends && !subtype.is("started") {
            return;
        }
        let known = self.calls.iter().rposition(|(call, _)| id.is(call));
        let done = known.and_then(|at| self.calls.get(at)).is_some_and(|(_, done)| *done);
        if ends && done {
            return;
        }
        if let Some(at) = known {
            self.calls.remove(at);
        }
        if let Some(id) = id.decode() {
            remember(&mut self.calls, (id.into_owned(), ends));
        }
        if known.is_none() || done {
            out.push(ToolCall {
                call_id: Name::of(id),
                name: Some(name(tool.name).into()),
                input: arguments(tool.args),
                ..does(tool)
            });
        }
        if ends {
            result(id, tool, failed, out);
        }
    }
}

/// What the call does; only a key names one of Cursor's own tools.
fn does(tool: Tool<'_>) -> ToolCall<'_> {
    if tool.name.raw().ends_with("ToolCall") {
        tool::does(TOOLS, &name(tool.name), tool.args)
    } else {
        ToolCall::default()
    }
}

fn tool(call: Value<'_>) -> Option<Tool<'_>> {
    let [named, input, result] = call.pick(["name", "input", "result"]);
    if let Some(name) = named.str().filter(|_| input.exists()) {
        return Some(Tool { name, args: input, result });
    }
    for (key, value) in call.members() {
        if key.is("tool") {
            let [case, value] = value.pick(["case", "value"]);
            let [args, result] = value.pick(["args", "result"]);
            return Some(Tool { name: case.str()?, args, result });
        }
        if key.is("function") {
            let [name, args, own] = value.pick(["name", "arguments", "result"]);
            let result = if own.exists() { own } else { result };
            return Some(Tool { name: name.str()?, args, result });
        }
        if value.is_object() && key.raw().ends_with("ToolCall") {
            let [args, result] = value.pick(["args", "result"]);
            return Some(Tool { name: key, args, result });
        }
    }
    None
}

fn name(name: Str<'_>) -> String {
    let name = name.decode();
    name.strip_suffix("ToolCall").unwrap_or(&name).to_owned()
}

fn result(id: Value<'_>, tool: Tool<'_>, failed: bool, out: &mut Batch) {
    let outcome = tool.result.members().find(|(key, value)| value.is_object() || key.is("success"));
    let is = |known: &str| outcome.is_some_and(|(word, _)| word.is(known));
    let told = outcome.map_or(Value::MISSING, |(_, told)| told);
    let [exit, wrong] = told.pick(["exitCode", "isError"]);
    let exit_code = content::exit_code(exit.i64());
    let good = outcome.is_none() || is("success");
    let is_error = failed || !good || wrong.is_true() || exit_code.is_some_and(|code| code != 0);
    let status = if is("rejected") {
        Some("denied")
    } else if is("timeout") {
        Some("timeout")
    } else {
        None
    };
    out.push(ToolResult {
        call_id: Name::of(id),
        is_error,
        output: output(told, tool.result),
        exit_code,
        status: status.map(Into::into),
        files: if is_error { Vec::new() } else { files(tool, told) },
        ..ToolResult::default()
    });
    if tool.name.is("updateTodosToolCall") && !is_error {
        plan(tool.args, told, out);
    }
}

/// The result as text: what a shell printed, the text of the one key that has it, else all of it.
fn output<'a>(told: Value<'a>, result: Value<'a>) -> Option<Text<'a>> {
    let [both, stdout, stderr] = told.pick(["interleavedOutput", "stdout", "stderr"]);
    if let Some(both) = Text::filled(both) {
        return Some(both);
    }
    if stdout.is_string() || stderr.is_string() {
        let mut text = stdout.decode().unwrap_or_default();
        let stderr = stderr.decode().unwrap_or_default();
        if !stderr.is_empty() {
            if !text.is_empty() && !text.ends_with('\n') {
                text.to_mut().push('\n');
            }
            text.to_mut().push_str(&stderr);
        }
        return Some(Text::from(text));
    }
    let keys = told.pick(["content", "message", "diffString", "reason", "error", "errorMessage"]);
    let text = keys.into_iter().find_map(Text::of);
    let rest = if told.is_object() { told } else { result };
    text.or_else(|| match rest.kind() {
        Kind::Missing | Kind::Null => None,
        Kind::String => Text::of(rest),
        _ => Some(Text::from(compact(rest.text()))),
    })
}

/// The file of an edit, a deletion or a write.
fn files<'a>(tool: Tool<'a>, told: Value<'a>) -> Vec<FileChange<'a>> {
    let [path, diff] = told.pick(["path", "diffString"]);
    let path = if path.is_string() { path } else { tool.args.get("path") };
    let change = if tool.name.is("deleteToolCall") {
        "delete"
    } else if tool.name.is("editToolCall") {
        let new = diff.str().is_some_and(|diff| diff.raw().starts_with("--- /dev/null"));
        if new { "add" } else { "update" }
    } else if tool.name.is("writeToolCall") {
        // Nothing says whether it is new.
        return written(TOOLS, "write", tool.args);
    } else {
        return Vec::new();
    };
    content::changed(Name::of(path), change)
}

/// The list as the tool left it; where it does not say, the list it was given, unless that is a
/// part of it only.
fn plan(args: Value<'_>, told: Value<'_>, out: &mut Batch) {
    let merged = told.get("todos");
    let [given, merge] = args.pick(["todos", "merge"]);
    let todos = if merged.is_array() { merged } else { given };
    if !todos.is_array() || (merge.is_true() && !merged.is_array()) {
        return;
    }
    let steps = todos.elements().map(|todo| {
        let [text, status] = todo.pick(["content", "status"]);
        Step { text: Text::of(text), status: status.decode().map(|word| Name::from(plain(word))) }
    });
    out.push(Plan { steps: steps.collect() });
}

/// `TODO_STATUS_IN_PROGRESS` and `in_progress` are the same word.
fn plain(word: Cow<'_, str>) -> Cow<'_, str> {
    match word.strip_prefix("TODO_STATUS_") {
        Some(bare) => Cow::Owned(bare.to_ascii_lowercase()),
        None => word,
    }
}
