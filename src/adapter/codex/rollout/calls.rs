//! Calls and their results.
//!
//! The response items tell both, in every version. What else tells of a call (`item_completed`, and from 0.116
//! to 0.146 the `…_end` events) is a second telling that has what the items lack: exit codes, failures and
//! changed files. It comes before the call's output, or it tells nothing more.
//!
//! A script (0.144: `exec`) calls tools that have no response item: there the second telling is the only one,
//! and the call is the script's.

use super::output::{self, Script, Stated};
use crate::adapter::codex::files::{self, Files};
use crate::adapter::codex::items::{mcp_name, mcp_result};
use crate::adapter::codex::tools::{CHANGES, TOOLS};
use crate::adapter::content::{arguments, exit_code, plan};
use crate::adapter::recent::{Id, Recent};
use crate::adapter::tool;
use crate::adapter::written::patched;
use crate::format::batch::Batch;
use crate::format::event::{Act, ToolCall, ToolResult};
use crate::format::write::{Name, Text};
use crate::json::{self, Doc, Number, Value};
use crate::limits::{MAX_CODEX_CALLS, MAX_CODEX_ID};

#[derive(Debug, Default)]
pub(super) struct Calls {
    /// The calls whose output has not come.
    open: Recent<Call>,
    /// The calls that were told, answered ones among them.
    known: Recent<()>,
    /// The scripts that run, the latest last.
    scripts: Vec<Running>,
    search: Option<Search>,
}

/// A call, and what a second telling says of it.
#[derive(Debug, Default)]
struct Call {
    /// Whether its output has Codex's fixed forms: what an MCP server prints may only look like them.
    formed: bool,
    exit_code: Option<i64>,
    failed: bool,
    declined: bool,
    files: Files,
    duration: Option<Number>,
    /// The cell that a `wait` waits for.
    cell: Option<String>,
}

/// A script that runs.
#[derive(Debug)]
struct Running {
    id: String,
    cell: Option<String>,
}

/// A web search that was told last. Its two tellings stand next to each other.
#[derive(Debug)]
struct Search {
    is_event: bool,
    has_id: bool,
}

impl Calls {
    /// Something else came: the next telling of a web search is another search.
    pub(super) fn between(&mut self) {
        self.search = None;
    }

    /// Reads a response item that is a call.
    pub(super) fn call(&mut self, kind: &str, item: Value<'_>, out: &mut Batch) {
        let [name, namespace, input, arguments_, action, id, call_id] =
            item.pick(["name", "namespace", "input", "arguments", "action", "id", "call_id"]);
        let input = match kind {
            "function_call" | "tool_search_call" => arguments_,
            "custom_tool_call" => input,
            _ => action,
        };
        let own = match kind {
            "local_shell_call" => Some("local_shell".into()),
            "tool_search_call" => Some("tool_search".into()),
            _ => name.decode(),
        };
        let name = own.as_deref().unwrap_or_default();
        let id = if call_id.is_string() { call_id } else { id };
        let key = Id::of(id);
        if let Some(key) = key {
            if self.known.get(key).is_some() {
                return;
            }
            self.known.add(key, ());
        }
        let does =
            if is_own(namespace) { tool::does(TOOLS, name, input) } else { ToolCall::default() };
        let formed = does.kind == Some(Act::Execute)
            || is_own(namespace) && matches!(name, "write_stdin" | "apply_patch" | "exec" | "wait");
        let mut call = Call { formed, ..Call::default() };
        let text = input.decode().unwrap_or_default();
        let mut doc = Doc::default();
        let read = doc.parse(&text).unwrap_or(Value::MISSING);
        match name {
            "apply_patch" => {
                let patch = read.get("input").decode();
                call.files = files::bounded(patched(patch.as_deref().unwrap_or(&text)));
            }
            "exec" if kind == "custom_tool_call" => self.start_script(id),
            "wait" => {
                call.cell = read.get("cell_id").owned().filter(|cell| cell.len() <= MAX_CODEX_ID);
            }
            _ => {}
        }
        if let Some(key) = key {
            self.open.add(key, call);
        }
        // A script or a patch is not JSON even where it reads like it.
        let written =
            if kind == "custom_tool_call" { Text::filled(input) } else { arguments(input) };
        let called = Some(Name::from(name.to_owned())).filter(|_| !name.is_empty());
        out.push(ToolCall { call_id: Name::filled(id), name: called, input: written, ..does });
        if name == "update_plan" && is_own(namespace) {
            plan(read.get("plan"), "step", out);
        }
    }

    /// Reads a response item that is an output.
    pub(super) fn output(&mut self, item: Value<'_>, out: &mut Batch) {
        let [id, output, tools, status] = item.pick(["call_id", "output", "tools", "status"]);
        let output = if output.exists() { output } else { tools };
        let call = Id::of(id).and_then(|id| self.open.take(id));
        let call = call.unwrap_or_else(|| Call { formed: true, ..Call::default() });
        let stated = if call.formed { output::stated(output) } else { Stated::default() };
        if let Some(script) = &stated.script {
            self.end_script(id, call.cell.as_deref(), script);
        }
        let code = exit_code(call.exit_code.or(stated.exit_code));
        let failed = call.failed || stated.aborted || stated.script == Some(Script::Failed);
        let is_error = failed || code.is_some_and(|code| code != 0) || status.is("failed");
        // Without a word of how it went, nobody says that a patch was applied.
        let applied = !is_error && (code == Some(0) || call.duration.is_some());
        let word =
            if call.declined { Some("denied") } else { stated.aborted.then_some("cancelled") };
        let (text, attachments) = output::text(output);
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error,
            output: text,
            exit_code: code,
            status: word.map(Name::from),
            duration_ms: call.duration.or(stated.duration),
            files: if applied { files::changed(call.files) } else { Vec::new() },
            attachments,
            ..ToolResult::default()
        });
    }

    /// Reads an item or an end event: what it adds to its call, or the call of a script.
    pub(super) fn told_again(&mut self, kind: &str, item: Value<'_>, out: &mut Batch) {
        let [id, call_id, code, status, success, changes, duration] =
            item.pick(["id", "call_id", "exit_code", "status", "success", "changes", "duration"]);
        let id = if call_id.is_string() { call_id } else { id };
        let Some(key) = Id::of(id) else { return };
        let failed = mcp_failed(item) || success.bool() == Some(false);
        if let Some(call) = self.open.get(key) {
            let declined = status.is("declined");
            call.exit_code = code.i64().or(call.exit_code);
            call.failed |= failed || declined || status.is("failed");
            call.declined |= declined;
            call.duration = span(duration).or(call.duration);
            if changes.is_object() {
                call.files = files::bounded(files::changes(changes));
            }
        } else if self.known.get(key).is_none()
            && let Some(script) = self.scripts.last()
            && !item.get("source").is("user_shell")
        {
            let parent = script.id.clone();
            self.known.add(key, ());
            out.parent(Some(Name::from(parent)));
            nested(kind, id, item, failed, out);
            out.parent(None);
        }
    }

    /// Reads a web search, which has no output. To 0.12x the item has no id, and the event next to it has one.
    pub(super) fn search(&mut self, is_event: bool, item: Value<'_>, out: &mut Batch) {
        let [call_id, id, query, action, status] =
            item.pick(["call_id", "id", "query", "action", "status"]);
        let id = if call_id.is_string() { call_id } else { id };
        let key = Id::of(id);
        let told = Search { is_event, has_id: key.is_some() };
        let known = key.is_some_and(|key| self.known.get(key).is_some());
        // The other telling stands right before this one, and one of the two has no id.
        let twice = self
            .search
            .as_ref()
            .is_some_and(|last| last.is_event != told.is_event && !(last.has_id && told.has_id));
        self.search = if twice { None } else { Some(told) };
        if let Some(key) = key.filter(|_| !known) {
            self.known.add(key, ());
        }
        if known || twice {
            return;
        }
        let script = is_event && id.decode().is_some_and(|id| id.starts_with("exec-"));
        let parent = self.scripts.last().filter(|_| script).map(|script| script.id.clone());
        out.parent(parent.map(Name::from));
        searched(id, action, query, status, out);
        out.parent(None);
    }

    fn start_script(&mut self, id: Value<'_>) {
        if self.scripts.len() == MAX_CODEX_CALLS {
            self.scripts.remove(0);
        }
        let id = id.owned().filter(|id| id.len() <= MAX_CODEX_ID);
        self.scripts.push(Running { id: id.unwrap_or_default(), cell: None });
    }

    /// A script, or a `wait` for one, says how far it is.
    fn end_script(&mut self, id: Value<'_>, cell: Option<&str>, state: &Script) {
        let is = |script: &Running| {
            id.is(&script.id) || cell.is_some() && script.cell.as_deref() == cell
        };
        match state {
            Script::Running(cell) => {
                if let Some(script) = self.scripts.iter_mut().rfind(|script| is(script)) {
                    script.cell = Some(cell.clone());
                }
            }
            Script::Completed | Script::Failed => self.scripts.retain(|script| !is(script)),
        }
    }
}

/// Whether a tool without a namespace, or of a namespace of Codex's own.
fn is_own(namespace: Value<'_>) -> bool {
    !namespace.is_some() || namespace.decode().is_some_and(|name| name.starts_with("multi_agent_"))
}

/// Whether an MCP call failed, whose end is `{"Ok":{"isError":…}}` or `{"Err":…}`, and whose item has `error`.
fn mcp_failed(item: Value<'_>) -> bool {
    let [result, error] = item.pick(["result", "error"]);
    let [good, bad, flag] = result.pick(["Ok", "Err", "isError"]);
    bad.is_some() || error.is_some() || flag.is_true() || good.get("isError").is_true()
}

/// A call that a script made, and its result.
fn nested(kind: &str, id: Value<'_>, item: Value<'_>, failed: bool, out: &mut Batch) {
    let [changes, command, invocation, status, code, stdout, all, duration] = item.pick([
        "changes",
        "command",
        "invocation",
        "status",
        "exit_code",
        "stdout",
        "aggregated_output",
        "duration",
    ]);
    let code = exit_code(code.i64());
    let is_error = failed
        || status.is("failed")
        || status.is("declined")
        || code.is_some_and(|code| code != 0);
    let result = ToolResult {
        call_id: Name::of(id),
        is_error,
        exit_code: code,
        status: status.is("declined").then(|| Name::from("denied")),
        duration_ms: span(duration),
        ..ToolResult::default()
    };
    let called = |name, input, does| ToolCall { call_id: Name::of(id), name, input, ..does };
    match kind {
        "patch_apply_end" | "FileChange" => {
            let does = tool::does(CHANGES, "apply_patch", changes);
            out.push(called(Some(Name::from("apply_patch")), arguments(changes), does));
            let files = if is_error { Vec::new() } else { files::changed(files::changes(changes)) };
            out.push(ToolResult { output: Text::filled(stdout), files, ..result });
        }
        "mcp_tool_call_end" | "McpToolCall" => {
            let told = if invocation.is_object() { invocation } else { item };
            let [server, tool, input] = told.pick(["server", "tool", "arguments"]);
            let name = Some(mcp_name(server, tool));
            out.push(called(name, arguments(input), ToolCall::default()));
            let [told, error] = item.pick(["result", "error"]);
            let [good, bad] = told.pick(["Ok", "Err"]);
            let good = if good.exists() { good } else { told };
            let bad = if bad.exists() { bad } else { error };
            let said = mcp_result(good, bad);
            out.push(ToolResult { output: said.output, attachments: said.attachments, ..result });
        }
        "exec_command_end" | "CommandExecution" => {
            let does = tool::does(TOOLS, "shell", command);
            out.push(called(Some(Name::from("shell")), arguments(command), does));
            let output = if all.is_string() { all } else { stdout };
            out.push(ToolResult { output: Text::of(output), ..result });
        }
        _ => {}
    }
}

/// A search and what is said of its end: the queries.
fn searched(
    id: Value<'_>,
    action: Value<'_>,
    query: Value<'_>,
    status: Value<'_>,
    out: &mut Batch,
) {
    let argument = if action.is_object() { action } else { query };
    let input = if action.is_object() { arguments(action) } else { Text::filled(query) };
    let does = tool::does(TOOLS, "web_search", argument);
    let called = Some(Name::from("web_search"));
    out.push(ToolCall { call_id: Name::filled(id), name: called, input, ..does });
    let [queries, one, url] = action.pick(["queries", "query", "url"]);
    let queries: Vec<_> = queries.elements().filter_map(Value::decode).collect();
    let said = [one, url, query].into_iter().find_map(Text::filled);
    out.push(ToolResult {
        call_id: Name::filled(id),
        is_error: status.is("failed"),
        output: if queries.is_empty() { said } else { Some(Text::from(queries.join("\n"))) },
        ..ToolResult::default()
    });
}

/// A duration of the form `{"secs":1,"nanos":627478616}`.
fn span(duration: Value<'_>) -> Option<Number> {
    let [secs, nanos] = duration.pick(["secs", "nanos"]);
    output::seconds(secs.f64()? + nanos.f64()? / 1e9)
}

/// The texts of a list, joined with `between`, as the inside of a JSON string.
pub(super) fn joined<'a>(
    texts: impl Iterator<Item = Value<'a>>,
    between: &str,
) -> Option<Text<'a>> {
    let mut written = String::new();
    for text in texts.filter_map(Value::str).filter(|text| !text.is_empty()) {
        if !written.is_empty() {
            json::push_escaped(&mut written, between);
        }
        written.push_str(text.raw());
    }
    (!written.is_empty()).then(|| Text::written(written))
}
