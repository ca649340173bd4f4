//! Vibe 3: one line for each finished entry of the history.
//!
//! An effect is a tool call and its result in one. Effects come in the order in which they ended;
//! calls of unknown tools are not printed at all.
//!
//! ```json
//! {"id":"effect-…",…,"type":"effect","title":"file_system.bash","detail":{"toolName":"file_system.bash","kind":"shell","input":{"command":"…"}},"state":{"status":"completed","outputText":"hello demo\n","output":{…},"display":{"success":true,…}}}
//! ```
//!
//! A failing shell command is `completed` with `display.success` false; no exit code is printed. A
//! read has an empty `outputText` and what was read in `output.content` (3.0.2 edit).

use crate::adapter::chat::said;
use crate::adapter::content::{arguments, changed, exit_code, plan};
use crate::adapter::tool;
use crate::adapter::vibe::tools::TOOLS;
use crate::format::batch::Batch;
use crate::format::event::{FileChange, Message, Thinking, ToolCall, ToolResult};
use crate::format::write::{Name, Text};
use crate::json::Value;

pub(super) fn read(kind: Value<'_>, entry: Value<'_>, out: &mut Batch) {
    // The line is printed when the entry is finished.
    let [id, created, updated] = entry.pick(["id", "createdAt", "updatedAt"]);
    out.time(created);
    out.time(updated);
    if kind.is("message") {
        out.message_id(Name::of(id));
        message(entry, out);
    } else if kind.is("reasoning") {
        out.message_id(Name::of(id));
        if let Some(text) = Text::filled(entry.get("text")) {
            out.push(Thinking { text: Some(text), ..Thinking::default() });
        }
    } else if kind.is("effect") {
        effect(id, entry, out);
    }
}

fn message(entry: Value<'_>, out: &mut Batch) {
    let [role, blocks, outcome] = entry.pick(["role", "content", "outcome"]);
    let Some(said) = said(blocks) else { return };
    out.push(Message {
        role: Name::of(role),
        text: said.text,
        attachments: said.attachments,
        discarded: outcome.get("type").is("discarded"),
        ..Message::default()
    });
}

fn effect(id: Value<'_>, entry: Value<'_>, out: &mut Batch) {
    let [title, detail, state] = entry.pick(["title", "detail", "state"]);
    let [name, kind, input] = detail.pick(["toolName", "kind", "input"]);
    let [status, text, output, error, reason, display] =
        state.pick(["status", "outputText", "output", "error", "reason", "display"]);
    if !detail.is_object() {
        return;
    }
    out.push(ToolCall {
        call_id: Name::of(id),
        name: Name::of(name).or_else(|| Name::of(title)),
        input: arguments(input),
        ..tool::does(TOOLS, &name.decode().unwrap_or_default(), input)
    });
    if !state.is_object() {
        return;
    }
    let cancelled = status.is("cancelled");
    let failed = cancelled || status.is("failed") || display.get("success").bool() == Some(false);
    // A file has what a tool returned as it is; what is printed was made of it.
    let returned = output.get("structured_content");
    let shown = if kind.is("file_read") {
        output.get("content")
    } else if name.is("file_system.read_file") {
        returned.get("content")
    } else {
        returned.get("stdout")
    };
    let words = [text, error.get("message"), reason, shown];
    out.push(ToolResult {
        call_id: Name::of(id),
        is_error: failed,
        output: words.into_iter().find_map(Text::filled).or_else(|| Text::of(text)),
        exit_code: exit_code(returned.get("returncode").i64()),
        status: cancelled.then(|| "cancelled".into()),
        files: if failed { Vec::new() } else { changes(name, kind, input, output) },
        ..ToolResult::default()
    });
    if (kind.is("todo") || name.is("vibe.todo")) && !failed {
        let [after, asked] = [output.get("todos"), input.get("todos")];
        plan(if after.is_array() { after } else { asked }, "content", out);
    }
}

fn changes<'a>(
    name: Value<'a>,
    kind: Value<'a>,
    input: Value<'a>,
    output: Value<'a>,
) -> Vec<FileChange<'a>> {
    let returned = output.get("structured_content");
    let (existed, path) = if kind.is("file_edit") {
        (None, input.get("filePath"))
    } else if kind.is("file_write") {
        (output.get("fileExisted").bool(), input.get("filePath"))
    } else if name.is("file_system.search_replace") {
        (None, input.get("file_path"))
    } else if name.is("file_system.write_file") {
        (returned.get("file_existed").bool(), input.get("path"))
    } else {
        return Vec::new();
    };
    changed(Name::filled(path), if existed == Some(false) { "add" } else { "update" })
}
