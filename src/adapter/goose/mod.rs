//! goose, `run --output-format stream-json`.
//!
//! ```json
//! {"type":"message","message":{"id":"M3yb","role":"assistant","created":1767607200,"content":[{"type":"text","text":"Hel"}],"metadata":{"userVisible":true,"agentVisible":true}}}
//! {"type":"message","message":{"id":"MHyb","role":"assistant","created":…,"content":[{"type":"toolRequest","id":"shell-954","toolCall":{"status":"success","value":{"name":"shell","arguments":{"command":"ls"}}}}],…}}
//! {"type":"message","message":{"id":"msg_34","role":"user","created":…,"content":[{"type":"toolResponse","id":"shell-954","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"a"}],"structuredContent":{"stdout":"a","exit_code":0},"isError":false}}}],…}}
//! {"type":"notification","extension_id":"developer","log":{"message":"…"}}
//! {"type":"error","error":"…"}
//! {"type":"complete","total_tokens":12463,"input_tokens":12296,"output_tokens":66,"cache_read_input_tokens":0,"cache_write_input_tokens":0,"cost_usd":0.01}
//! ```
//!
//! Nothing was recorded: this follows goose's public source up to 1.44 and lines of 1.44 and older
//! versions that others published. Texts and reasoning come in pieces, each a line with the id of its
//! message; a line that goes on with neither ends it. A run ends with `complete` or, when it failed,
//! with `error`; older versions print `complete` behind an `error` all the same. The session's id is
//! in a banner of plain text in front at most. A notification is what a tool says while it works.
//!
//! Usage: only the total, in `complete`, over the whole session with the runs before this one. The
//! source says of `input_tokens` that cache reads and writes are subsets of it, so both are taken
//! off. Older versions print `total_tokens` alone, that of the last model call: no total of anything.

mod tools;

use self::tools::TOOLS;
use super::content::{self, Content, arguments, attachment};
use super::ending::says_failed;
use super::pieces::Pieces;
use super::running::Running;
use super::tool;
use super::written::Writing;
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::{Batch, Place};
use crate::format::event::{
    Act, Code, Delta, Level, Message, Notice, Of, SessionEnded, SessionStarted, SessionUsage,
    Since, Status, Thinking, ToolCall, ToolResult,
};
use crate::format::tokens::Tokens;
use crate::format::write::{Name, Text};
use crate::json::place::{PieceAt, Places};
use crate::json::{Str, Value};

pub(super) const DIALECT: Dialect = Dialect {
    name: "goose",
    summary: "goose, stream-json output of run",
    recorded: "goose 1.44, public shapes only",
    made_up: true,
    carries: Carries { session_id: false, model: false, tokens: true, cost: true, end: true },
    detect,
    tools: TOOLS,
    commands: &["goose"],
    flags: &[Flags {
        behind: Some("run"),
        unless: &["--output-format"],
        add: &["--output-format", "stream-json"],
    }],
    places: &PLACES,
    ..Dialect::BASE
};

static PLACES: Places = Places {
    rows: &[
        PieceAt::piece("\"assistant\"", ASSISTANT, "message.content.*.text", &["message.id"]),
        PieceAt::piece("\"assistant\"", ASSISTANT, "message.content.*.thinking", &["message.id"]),
    ],
    noise_ends: true,
    one_at_a_time: true,
    ..Places::NONE
};
const ASSISTANT: &[(&str, &str)] = &[("type", "message"), ("message.role", "assistant")];

fn detect(record: Value<'_>) -> Match {
    let [kind, message, id] = record.pick(["type", "message", "id"]);
    let Some(kind) = kind.decode().filter(|_| !id.exists()) else { return Match::No };
    match kind.as_ref() {
        "message" => {
            let [role, created, content] = message.pick(["role", "created", "content"]);
            let own = role.is_string() && created.number().is_some() && content.is_array();
            if own { Match::Own } else { Match::No }
        }
        "complete" if record.get("total_tokens").exists() => Match::Own,
        "notification" if record.get("extension_id").is_string() => Match::Own,
        "error" if record.get("error").is_string() => Match::Weak,
        "model_change" => {
            let [model, mode] = record.pick(["model", "mode"]);
            if model.is_string() && mode.is_string() { Match::Own } else { Match::No }
        }
        _ => Match::No,
    }
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    started: bool,
    /// The text that is being put together, what it is, and its message's id.
    text: Pieces,
    of: Of,
    id: String,
    model: Option<String>,
    /// Whether an error ended the turn.
    failed: bool,
    spent: Running,
    writing: Writing,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, message] = record.pick(["type", "message"]);
        let kind = kind.decode().unwrap_or_default();
        if !self.started && detect(record) != Match::No {
            self.start(message, out);
        }
        if kind == "message" && message.is_object() {
            return self.message(message, out);
        }
        self.interrupt(out);
        match kind.as_ref() {
            "error" => self.error(record, out),
            "complete" => self.complete(record, out),
            "model_change" => self.model(record, out),
            _ => {}
        }
    }

    fn interrupt(&mut self, out: &mut Batch) {
        if self.text.is_empty() {
            return;
        }
        // An empty id is none.
        out.message_id(Some(Name::from(&self.id)));
        self.text.tell(self.of, "assistant", Place::Before, out);
        out.message_id(None);
    }

    fn pending(&self) -> bool {
        !self.text.is_empty()
    }

    fn finish(&mut self, out: &mut Batch) {
        self.interrupt(out);
    }
}

impl Adapter {
    fn start(&mut self, message: Value<'_>, out: &mut Batch) {
        self.started = true;
        let model = message.get("metadata").get("inference").get("requestedModel");
        self.model = model.owned();
        out.before(windowed(SessionStarted {
            harness: Some("goose".into()),
            model: Name::filled(model),
            ..SessionStarted::default()
        }));
    }

    fn message(&mut self, message: Value<'_>, out: &mut Batch) {
        let [id, role, created, blocks, metadata] =
            message.pick(["id", "role", "created", "content", "metadata"]);
        out.time(created);
        self.failed = false;
        let assistant = role.is("assistant");
        if !assistant && is_said(blocks) {
            self.interrupt(out);
            out.message_id(Name::filled(id));
            let Content { text, attachments } = content::content(blocks);
            // What the user does not see, goose wrote for the model.
            let synthetic = metadata.get("userVisible").bool() == Some(false);
            let role = Name::of(role);
            return out.push(Message { role, text, synthetic, attachments, ..Message::default() });
        }
        for block in blocks.elements() {
            let [kind, text, thinking] = block.pick(["type", "text", "thinking"]);
            let kind = kind.decode().unwrap_or_default();
            let piece = match kind.as_ref() {
                "text" if assistant => text.str().map(|text| (Of::Message, text)),
                "thinking" => thinking.str().map(|text| (Of::Thinking, text)),
                "reasoning" => text.str().map(|text| (Of::Thinking, text)),
                _ => None,
            };
            if let Some((of, piece)) = piece {
                self.piece(of, id, piece, out);
                continue;
            }
            self.interrupt(out);
            out.message_id(Name::filled(id));
            match kind.as_ref() {
                "text" | "image" => said(role, block, out),
                "redactedThinking" => out.push(Thinking {
                    text: Some("".into()),
                    redacted: true,
                    ..Thinking::default()
                }),
                "toolRequest" | "frontendToolRequest" => request(block, &mut self.writing, out),
                "toolResponse" => response(block, &mut self.writing, out),
                "systemNotification" => notification(block, out),
                "conversationCompacted" => out.push(Notice {
                    code: Code::Compacted,
                    message: Text::of(block.get("msg")),
                    ..Notice::default()
                }),
                _ => out.raw(block),
            }
        }
    }

    fn piece(&mut self, of: Of, id: Value<'_>, piece: Str<'_>, out: &mut Batch) {
        let same = match id.str() {
            Some(id) => id.is(&self.id),
            None => self.id.is_empty(),
        };
        if self.of != of || !same {
            self.interrupt(out);
            self.of = of;
            self.id.clear();
            self.id.push_str(&id.decode().unwrap_or_default());
        }
        out.message_id(Name::filled(id));
        if let Some(text) = self.text.push(piece) {
            out.push(Delta { of, text: Some(text), ..Delta::default() });
        }
    }

    fn error(&mut self, record: Value<'_>, out: &mut Batch) {
        self.failed = true;
        out.push(SessionEnded {
            status: Status::Failed,
            error: Text::filled(record.get("error")),
            ..SessionEnded::default()
        });
    }

    fn complete(&mut self, record: Value<'_>, out: &mut Batch) {
        let [input, output, read, write, cost] = record.pick([
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_write_input_tokens",
            "cost_usd",
        ]);
        let cost = cost.f64();
        let [input, output, cache_read, cache_creation] =
            [input, output, read, write].map(Value::count);
        if input.is_some() || output.is_some() || cost.is_some() {
            let gross = Tokens { input, output, cache_read, cache_creation, reasoning: None };
            out.push(self.spent.state(SessionUsage {
                cost_usd: cost,
                cumulative: Some(Since::Session),
                ..gross.without_cached().into()
            }));
        }
        if !std::mem::take(&mut self.failed) {
            let status = if says_failed(record) { Status::Failed } else { Status::Succeeded };
            out.push(SessionEnded { status, ..SessionEnded::default() });
        }
    }

    fn model(&mut self, record: Value<'_>, out: &mut Batch) {
        let [model, mode] = record.pick(["model", "mode"]);
        out.push(Notice {
            code: Code::ModelChanged,
            message: Text::filled(mode),
            from: self.model.as_deref().map(Name::from),
            to: Name::filled(model),
            ..Notice::default()
        });
        self.model = model.owned();
    }
}

/// Whether a message is nothing but texts and images, and not empty.
fn is_said(blocks: Value<'_>) -> bool {
    let mut some = false;
    let plain = blocks.elements().all(|block| {
        let [kind, text] = block.pick(["type", "text"]);
        let image = kind.is("image");
        some |= image || Text::filled(text).is_some();
        image || (kind.is("text") && text.is_string())
    });
    plain && some
}

/// A text beside blocks of other kinds, or an image.
fn said(role: Value<'_>, block: Value<'_>, out: &mut Batch) {
    let (text, attachments) = match attachment(block) {
        Some((attachment, line)) => (Some(line.into()), vec![attachment]),
        None => (Text::filled(block.get("text")), Vec::new()),
    };
    if text.is_none() {
        return out.raw(block);
    }
    out.push(Message { role: Name::of(role), text, attachments, ..Message::default() });
}

fn request(block: Value<'_>, writing: &mut Writing, out: &mut Batch) {
    let [id, call] = block.pick(["id", "toolCall"]);
    let value = call.get("value");
    let [name, input] = value.pick(["name", "arguments"]);
    // A call without arguments has no such key.
    let none = || value.is_object().then(|| "{}".into());
    let named = name.decode().unwrap_or_default();
    let mut does = tool::does(TOOLS, &named, input);
    if does.kind == Some(Act::Edit) && tool::views(input) {
        does.kind = Some(Act::Read);
    } else {
        writing.call(TOOLS, id, &named, input);
    }
    out.push(ToolCall {
        call_id: Name::of(id),
        name: Name::of(name),
        input: arguments(input).or_else(none),
        ..does
    });
}

fn response(block: Value<'_>, writing: &mut Writing, out: &mut Batch) {
    let [id, result] = block.pick(["id", "toolResult"]);
    let [status, value, error] = result.pick(["status", "value", "error"]);
    let [blocks, failed, data] = value.pick(["content", "isError", "structuredContent"]);
    let [exit, late] = data.pick(["exit_code", "timed_out"]);
    let blocks = if value.is_array() { value } else { blocks };
    let content = output(blocks);
    let is_error = status.is("error") || failed.is_true();
    out.push(ToolResult {
        call_id: Name::of(id),
        is_error,
        files: writing.result(id, !is_error),
        output: content.text.or_else(|| Text::of(error)),
        exit_code: content::exit_code(exit.i64()),
        status: late.is_true().then(|| "timeout".into()),
        attachments: content.attachments,
        ..ToolResult::default()
    });
}

/// A result's content. Some tools say the same to the model and, in other words, to the user: then
/// the model's text is taken.
fn output(blocks: Value<'_>) -> Content<'_> {
    let mut heard = blocks.elements().filter(|block| {
        let audience = block.get("annotations").get("audience");
        !audience.is_array() || audience.elements().any(|role| role.is("assistant"))
    });
    let only = heard.next().filter(|_| heard.next().is_none()).unwrap_or(Value::MISSING);
    let [kind, text] = only.pick(["type", "text"]);
    if kind.is("text") && text.is_string() {
        return Content { text: Text::of(text), attachments: Vec::new() };
    }
    content::content(blocks)
}

fn notification(block: Value<'_>, out: &mut Batch) {
    let [kind, message] = block.pick(["notificationType", "msg"]);
    let spent = kind.is("creditsExhausted");
    out.push(Notice {
        level: if spent { Level::Error } else { Level::Info },
        code: if spent { Code::Error } else { Code::Info },
        message: Text::of(message),
        ..Notice::default()
    });
}
