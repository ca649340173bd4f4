//! `assistant` and `user` lines: texts, reasoning, tool calls and their results.

use super::Adapter;
use super::calls::{Tally, tokens};
use super::plan::Pending;
use super::results::{self, Returned};
use super::words;
use crate::adapter::content;
use crate::adapter::embedded::{self, Part};
use crate::adapter::recent::Id;
use crate::adapter::tool;
use crate::format::batch::Batch;
use crate::format::event::{Act, Attachment, Code, Level, Message, Notice, Of, Thinking, ToolCall};
use crate::format::write::{Name, Text};
use crate::json::Value;

/// What a line says around a message of the model.
pub(super) struct Spoken<'a> {
    /// Whose thread it is: what names the subagent.
    pub(super) agent: Value<'a>,
    /// The harness's word for an error of the API.
    pub(super) error: Value<'a>,
    /// The message is an error of the API.
    pub(super) failed: bool,
    /// How the counts of a call are told apart.
    pub(super) tally: Tally,
}

/// What a line says around a message of the user's side.
#[derive(Default)]
pub(super) struct Heard<'a> {
    /// Whose thread it is: what names the subagent.
    pub(super) agent: Value<'a>,
    /// The harness wrote it.
    pub(super) synthetic: bool,
    /// It was said before.
    pub(super) replay: bool,
    /// The harness's own record of a tool's result.
    pub(super) detail: Value<'a>,
    /// What `tool_result_meta` says of results.
    pub(super) meta: Value<'a>,
    /// Why a call did not run.
    pub(super) denial: Value<'a>,
    /// The line is a record of a session file.
    pub(super) kept: bool,
}

impl Adapter {
    pub(super) fn assistant(&mut self, record: Value<'_>, message: Value<'_>, out: &mut Batch) {
        let [agent, timestamp, error, failed] =
            record.pick(["parent_tool_use_id", "timestamp", "error", "is_api_error_message"]);
        out.time(timestamp);
        out.parent(Name::filled(agent));
        let tally = Tally::Printed;
        self.spoken(&Spoken { agent, error, failed: failed.is_true(), tally }, message, out);
    }

    pub(super) fn spoken(&mut self, line: &Spoken<'_>, message: Value<'_>, out: &mut Batch) {
        let [id, model, blocks, usage] = message.pick(["id", "model", "content", "usage"]);
        out.message_id(Name::filled(id));
        let splits = self.flavor.splits_messages();
        let synthetic = model.is("<synthetic>") || line.failed;
        let said = |text| Message {
            role: Some("assistant".into()),
            text,
            synthetic,
            ..Message::default()
        };
        if blocks.is_string() {
            self.streams.whole(line.agent, id, Of::Message, splits, out);
            if let Some(text) = Text::filled(blocks) {
                out.push(said(Some(text)));
            }
        }
        // A citation splits a running text into blocks.
        let cites = is_cited(blocks);
        let mut run = String::new();
        for block in blocks.elements() {
            let [kind, text, thinking] = block.pick(["type", "text", "thinking"]);
            let kind = kind.decode().unwrap_or_default();
            if !run.is_empty() && kind != "text" {
                out.push(said(Some(Text::from(std::mem::take(&mut run)))));
            }
            match &*kind {
                "text" if text.is_string() => {
                    self.streams.whole(line.agent, id, Of::Message, splits, out);
                    if cites {
                        run.push_str(&text.decode().unwrap_or_default());
                        continue;
                    }
                    if let Some(text) = Text::filled(text) {
                        out.push(said(Some(text)));
                    }
                }
                "thinking" if thinking.is_string() => {
                    self.streams.whole(line.agent, id, Of::Thinking, splits, out);
                    let redacted = thinking.is("");
                    let text = Text::of(thinking);
                    out.push(Thinking { text, redacted, ..Thinking::default() });
                }
                "redacted_thinking" => {
                    let text = Some(Text::from(""));
                    out.push(Thinking { text, redacted: true, ..Thinking::default() });
                }
                "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                    self.streams.whole(line.agent, id, Of::ToolCall, splits, out);
                    self.call(line.agent, block, out);
                }
                "tool_result" | "mcp_tool_result" => {
                    let of = Returned { agent: line.agent, ..Returned::default() };
                    self.tool_result(&of, block, out);
                }
                kind if kind.ends_with("_tool_result") => results::server(block, out),
                _ => out.raw(block),
            }
        }
        if !run.is_empty() {
            out.push(said(Some(Text::from(run))));
        }
        let word = line.error.decode().filter(|error| !error.is_empty());
        if word.is_some() || line.failed && line.tally != Tally::Printed {
            let limit = word.as_deref() == Some("rate_limit");
            if !(limit && std::mem::take(&mut self.limited)) {
                let code = if limit { Code::RateLimit } else { Code::Error };
                let message = word.map(Text::from);
                out.push(Notice { level: Level::Error, code, message, ..Notice::default() });
            }
        } else if usage.is_object() {
            let counts = tokens(usage, self.flavor.gross_input());
            self.calls.line(id, Name::of(model), counts, line.tally, out);
        }
    }

    pub(super) fn user(&mut self, record: Value<'_>, message: Value<'_>, out: &mut Batch) {
        let [agent, timestamp, synthetic, is_meta, replay, detail, meta] = record.pick([
            "parent_tool_use_id",
            "timestamp",
            "isSynthetic",
            "isMeta",
            "isReplay",
            "tool_use_result",
            "tool_result_meta",
        ]);
        out.time(timestamp);
        out.parent(Name::filled(agent));
        let line = Heard {
            agent,
            synthetic: synthetic.is_true() || is_meta.is_true(),
            replay: replay.is_true(),
            detail,
            meta,
            ..Heard::default()
        };
        self.heard(&line, message, out);
    }

    pub(super) fn heard(&mut self, line: &Heard<'_>, message: Value<'_>, out: &mut Batch) {
        let [id, role, blocks] = message.pick(["id", "role", "content"]);
        out.message_id(Name::filled(id));
        let said = |text: Text<'_>, out: &mut Batch, synthetic, attachments| {
            out.push(Message {
                role: Name::of(role).or_else(|| Some("user".into())),
                text: Some(text),
                synthetic,
                replay: line.replay,
                attachments,
                ..Message::default()
            });
        };
        let synthetic = |text| line.synthetic || words::are_the_harness_s(text);
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
            said(text, out, line.synthetic, attachments);
        }
        let of = Returned {
            agent: line.agent,
            detail: line.detail,
            meta: line.meta,
            denial: line.denial,
            kept: line.kept,
        };
        for block in blocks.elements() {
            let [kind, text] = block.pick(["type", "text"]);
            let text = if block.is_string() { block } else { text };
            if kind.is("tool_result") {
                self.tool_result(&of, block, out);
            } else if block.is_string() || kind.is("text") && text.is_string() {
                if let Some(words) = Text::filled(text).filter(|_| !together) {
                    said(words, out, synthetic(text), Vec::new());
                }
            } else if !is_attached(block) {
                out.raw(block);
            }
        }
    }

    fn call(&mut self, agent: Value<'_>, block: Value<'_>, out: &mut Batch) {
        let [id, name, input] = block.pick(["id", "name", "input"]);
        let tool = name.decode().unwrap_or_default();
        let does = tool::does(self.tools(), &tool, input);
        if matches!(does.kind, Some(Act::Edit | Act::Delete)) {
            self.writing.call(self.tools(), id, &tool, input);
        }
        out.push(ToolCall {
            call_id: Name::filled(id),
            name: Name::of(name),
            input: content::arguments(input),
            ..does
        });
        let pending = Pending::of(&tool, input);
        if matches!(pending, Pending::Todo) {
            self.plan.todos(&agent.decode().unwrap_or_default(), input, out);
        }
        if let Some(id) = Id::of(id) {
            self.pending.add(id, pending);
        }
    }
}

/// Whether one of several blocks cites something.
fn is_cited(blocks: Value<'_>) -> bool {
    let cites = |block: Value<'_>| block.get("citations").elements().next().is_some();
    blocks.elements().nth(1).is_some() && blocks.elements().any(cites)
}

/// The texts of a frame that holds an image or document, as one, and what is attached to them.
fn beside_images(blocks: Value<'_>) -> (Text<'_>, Vec<Attachment<'_>>) {
    let (mut texts, mut lines, mut attachments) = (Vec::new(), Vec::new(), Vec::new());
    for block in blocks.elements() {
        match embedded::part(block) {
            Part::Attached(attachment, line) => {
                attachments.push(attachment);
                lines.push(line);
            }
            Part::Text(text) if block.is_object() => {
                texts.extend(text.decode().filter(|text| !text.is_empty()));
            }
            _ => {}
        }
    }
    let text = if texts.is_empty() { lines.join("\n") } else { texts.join("\n") };
    (Text::from(text), attachments)
}
