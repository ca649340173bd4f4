//! `assistant` and `user` lines: texts, reasoning, tool calls and their results.

use super::Adapter;
use super::calls::tokens;
use super::plan::{Outcome, Pending};
use crate::adapter::content;
use crate::adapter::recent::Id;
use crate::adapter::tool;
use crate::format::batch::Batch;
use crate::format::event::{
    Attachment, Code, FileChange, Level, Message, Notice, Of, Thinking, ToolCall, ToolResult,
};
use crate::format::write::{Name, Text};
use crate::json::Value;

impl Adapter {
    pub(super) fn assistant(&mut self, record: Value<'_>, message: Value<'_>, out: &mut Batch) {
        let [parent, timestamp, error, api_error] =
            record.pick(["parent_tool_use_id", "timestamp", "error", "is_api_error_message"]);
        let [id, model, blocks, usage] = message.pick(["id", "model", "content", "usage"]);
        out.time(timestamp);
        out.parent(Name::filled(parent));
        out.message_id(Name::filled(id));
        let splits = self.flavor.splits_messages();
        let synthetic = model.is("<synthetic>") || api_error.is_true();
        let said = |text| Message {
            role: Some("assistant".into()),
            text,
            synthetic,
            ..Message::default()
        };
        if blocks.is_string() {
            self.streams.whole(parent, id, Of::Message, splits, out);
            if let Some(text) = Text::filled(blocks) {
                out.push(said(Some(text)));
            }
        }
        for block in blocks.elements() {
            let [kind, text, thinking] = block.pick(["type", "text", "thinking"]);
            let kind = kind.decode().unwrap_or_default();
            match &*kind {
                "text" if text.is_string() => {
                    self.streams.whole(parent, id, Of::Message, splits, out);
                    if let Some(text) = Text::filled(text) {
                        out.push(said(Some(text)));
                    }
                }
                "thinking" if thinking.is_string() => {
                    self.streams.whole(parent, id, Of::Thinking, splits, out);
                    let redacted = thinking.is("");
                    let text = Text::of(thinking);
                    out.push(Thinking { text, redacted, ..Thinking::default() });
                }
                "redacted_thinking" => {
                    let text = Some(Text::from(""));
                    out.push(Thinking { text, redacted: true, ..Thinking::default() });
                }
                "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                    self.streams.whole(parent, id, Of::ToolCall, splits, out);
                    self.call(parent, block, out);
                }
                "tool_result" | "mcp_tool_result" => {
                    self.tool_result(parent, block, Value::MISSING, Value::MISSING, out);
                }
                kind if kind.ends_with("_tool_result") => server_result(block, out),
                _ => out.raw(block),
            }
        }
        if let Some(error) = error.decode().filter(|error| !error.is_empty()) {
            let limit = error == "rate_limit";
            if !(limit && std::mem::take(&mut self.limited)) {
                let code = if limit { Code::RateLimit } else { Code::Error };
                let message = Some(Text::from(error));
                out.push(Notice { level: Level::Error, code, message, ..Notice::default() });
            }
        } else if usage.is_object() {
            let counts = tokens(usage, self.flavor.gross_input());
            self.calls.line(id, Name::of(model), counts, out);
        }
    }

    pub(super) fn user(&mut self, record: Value<'_>, message: Value<'_>, out: &mut Batch) {
        let [parent, timestamp, synthetic, replay, detail, meta] = record.pick([
            "parent_tool_use_id",
            "timestamp",
            "isSynthetic",
            "isReplay",
            "tool_use_result",
            "tool_result_meta",
        ]);
        let [id, role, blocks] = message.pick(["id", "role", "content"]);
        out.time(timestamp);
        out.parent(Name::filled(parent));
        out.message_id(Name::filled(id));
        let said = |text: Text<'_>, out: &mut Batch, synthetic, attachments| {
            out.push(Message {
                role: Name::of(role).or_else(|| Some("user".into())),
                text: Some(text),
                synthetic,
                replay: replay.is_true(),
                attachments,
                ..Message::default()
            });
        };
        let synthetic = |text| synthetic.is_true() || is_interruption(text);
        if let Some(text) = Text::filled(blocks) {
            said(text, out, synthetic(blocks), Vec::new());
        }
        let is_attached = |block: Value<'_>| {
            let kind = block.get("type");
            kind.is("image") || kind.is("document")
        };
        let together = blocks.elements().any(is_attached);
        if together {
            let (text, attachments) = beside_images(blocks);
            said(text, out, synthetic(Value::MISSING), attachments);
        }
        for block in blocks.elements() {
            let [kind, text] = block.pick(["type", "text"]);
            let text = if block.is_string() { block } else { text };
            if kind.is("tool_result") {
                self.tool_result(parent, block, detail, meta, out);
            } else if block.is_string() || kind.is("text") && text.is_string() {
                if let Some(words) = Text::filled(text).filter(|_| !together) {
                    said(words, out, synthetic(text), Vec::new());
                }
            } else if !is_attached(block) {
                out.raw(block);
            }
        }
    }

    fn call(&mut self, parent: Value<'_>, block: Value<'_>, out: &mut Batch) {
        let [id, name, input] = block.pick(["id", "name", "input"]);
        let tool = name.decode().unwrap_or_default();
        out.push(ToolCall {
            call_id: Name::filled(id),
            name: Name::of(name),
            input: content::arguments(input),
            ..tool::does(self.flavor.tools(), &tool, input)
        });
        self.writing.call(self.flavor.tools(), id, &tool, input);
        let pending = Pending::of(&tool, input);
        if matches!(pending, Pending::Todo) {
            self.plan.todos(&parent.decode().unwrap_or_default(), input, out);
        }
        if let Some(id) = Id::of(id) {
            self.pending.add(id, pending);
        }
    }

    fn tool_result(
        &mut self,
        parent: Value<'_>,
        block: Value<'_>,
        detail: Value<'_>,
        meta: Value<'_>,
        out: &mut Batch,
    ) {
        let [call, is_error, blocks] = block.pick(["tool_use_id", "is_error", "content"]);
        let failed = is_error.is_true();
        let pending = Id::of(call).and_then(|id| self.pending.take(id));
        let shell = matches!(pending, None | Some(Pending::Shell));
        let content = content::content(blocks);
        let status = status(call, blocks, detail, meta, failed);
        let succeeded = !failed && status.is_none();
        let written = self.writing.result(call, succeeded);
        let stated = if failed { Vec::new() } else { files(detail) };
        out.push(ToolResult {
            call_id: Name::filled(call),
            is_error: failed,
            output: content.text,
            exit_code: self.flavor.exit_code(blocks, failed).filter(|_| shell),
            status,
            files: if stated.is_empty() { written } else { stated },
            attachments: content.attachments,
            ..ToolResult::default()
        });
        if let Some(pending) = pending {
            let outcome = Outcome { failed, detail, text: blocks };
            self.plan.result(&parent.decode().unwrap_or_default(), pending, &outcome, out);
        }
    }
}

/// The result of a tool that ran at the API.
fn server_result(block: Value<'_>, out: &mut Batch) {
    let [call, content, is_error] = block.pick(["tool_use_id", "content", "is_error"]);
    let refused =
        content.get("type").decode().is_some_and(|kind| kind.ends_with("_tool_result_error"));
    let content = content::structured(content);
    out.push(ToolResult {
        call_id: Name::filled(call),
        is_error: refused || is_error.is_true(),
        output: content.text,
        attachments: content.attachments,
        ..ToolResult::default()
    });
}

/// The texts of a frame that holds an image or document, as one, and what is attached to them.
fn beside_images(blocks: Value<'_>) -> (Text<'_>, Vec<Attachment<'_>>) {
    let (mut texts, mut lines, mut attachments) = (Vec::new(), Vec::new(), Vec::new());
    for block in blocks.elements() {
        let [kind, text] = block.pick(["type", "text"]);
        if let Some((attachment, line)) = content::attachment(block) {
            attachments.push(attachment);
            lines.push(line);
        } else if kind.is("text") {
            texts.extend(text.decode().filter(|text| !text.is_empty()));
        }
    }
    let text = if texts.is_empty() { lines.join("\n") } else { texts.join("\n") };
    (Text::from(text), attachments)
}

/// The user's side of an interrupt, which the harness writes without saying so.
fn is_interruption(text: Value<'_>) -> bool {
    text.is("[Request interrupted by user]")
        || text.is("[Request interrupted by user for tool use]")
}

/// What is finer than `is_error`: `tool_result_meta` tells a call that never ran from one that
/// failed (the recordings denied, hooks-events and interrupt-tool).
fn status(
    call: Value<'_>,
    text: Value<'_>,
    detail: Value<'_>,
    meta: Value<'_>,
    failed: bool,
) -> Option<Name<'static>> {
    let of_call = |entry: &Value<'_>| {
        let id = entry.get("id");
        id.text() == call.text() && id.is_some()
    };
    let [kind, decision] = meta.elements().find(of_call).map_or([Value::MISSING; 2], |entry| {
        entry.pick(["non_execution_kind", "permission_decision"])
    });
    let rejected = decision.get("decision").is("reject");
    let [interrupted, timed_out] = detail.pick(["interrupted", "timedOutAfterMs"]);
    let word = if kind.is("permission-rule") || rejected {
        "denied"
    } else if kind.is("user-rejected") || interrupted.is_true() || failed && is_interruption(text) {
        "cancelled"
    } else if timed_out.is_some() {
        "timeout"
    } else {
        return None;
    };
    Some(Name::from(word))
}

/// The files that a call changed: `Write` and `Edit` have a patch, a command a list.
fn files(detail: Value<'_>) -> Vec<FileChange<'_>> {
    let [path, edit, kind, diff] =
        detail.pick(["filePath", "structuredPatch", "type", "bashEditDiff"]);
    if edit.is_array() {
        return changed(path, kind.is("create")).into_iter().collect();
    }
    let parts = diff.get("files").elements().map(|file| file.pick(["filePath", "created"]));
    parts.filter_map(|[path, created]| changed(path, created.is_true())).collect()
}

fn changed(path: Value<'_>, created: bool) -> Option<FileChange<'_>> {
    let change = Name::from(if created { "add" } else { "update" });
    Name::filled(path).map(|path| FileChange { path, change })
}
