//! opencode, `run --format json`, and its fork Kilo Code (`@kilocode/cli` 7); exports of sessions are in
//! `export.rs`.
//!
//! Every line has a `type`, a `timestamp` in milliseconds, a `sessionID`, and a `part` or an `error`:
//!
//! ```json
//! {"type":"step_start","timestamp":1796038406567,"sessionID":"ses_…","part":{"type":"step-start",…}}
//! {"type":"text","timestamp":…,"sessionID":"ses_…","part":{"messageID":"msg_…","type":"text","text":"…",…}}
//! {"type":"tool_use","timestamp":…,"sessionID":"ses_…","part":{"tool":"bash","callID":"call_1_1","state":{"status":"completed","input":{…},"output":"…","metadata":{"exit":3,…},…},…}}
//! {"type":"step_finish","timestamp":…,"sessionID":"ses_…","part":{"reason":"stop","cost":0.0018,"tokens":{"total":1260,"input":200,"output":34,"reasoning":26,"cache":{"read":1000,"write":0}},…}}
//! {"type":"error","timestamp":…,"sessionID":"ses_…","error":{"name":"APIError","data":{"message":"…","statusCode":401,…}}}
//! ```
//!
//! Recorded with opencode 1.18.33 and kilo 7.7.7, whose lines differ in details only, the first in
//! nothing: `harness` says opencode for both. There is no start line: the first line gives the start.
//! A call and its result come in one line once the tool has ended. A failed command is `completed`,
//! its exit status in `metadata.exit` (recording 1.18 fail). A call that opencode could not make is a
//! call of the tool `invalid`, which names the real one (recording 1.18 badtool). An `error` is often
//! not the end (recording 1.18 overflow goes on), and nothing marks the end; newer sources print a
//! `done`, which was not recorded.
//!
//! Usage: each `step_finish` is one model call. `input` is net of the cache: recording 1.18 thinking
//! has 1200 prompt tokens, 1000 of them cached, and prints 200. `output` is net of `reasoning`, which
//! is billed like it: there, 200 × 3 + 1000 × 0.3 + (34 + 26) × 15 per million make the printed cost
//! of 0.0018. A step whose stream was cut prints zeros (recording 1.18 cut) and is no call. In 1.0, whose
//! steps have no `total`, the output contains the reasoning: of one scripted reply of 50 tokens with 20 of
//! reasoning, 1.0.185 prints 50 and 20, 1.18.33 prints 30 and 20 (the runs `parallel`). Its own cost
//! counts the 20 twice.

mod export;
mod tools;

use self::tools::TOOLS;
use super::content::{arguments, base64_size, exit_code, plan};
use super::outcome::says_failed;
use super::tool as tool_table;
use super::written::written;
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::{Batch, Place};
use crate::format::event::{
    Attachment, CallUsage, Code, FileChange, Level, Message, Notice, SessionEnded, SessionStarted,
    Status, Thinking, ToolCall, ToolResult,
};
use crate::format::tokens::Tokens;
use crate::format::write::{Name, Text};
use crate::json::{Number, Value};

pub(super) const DIALECT: Dialect = Dialect {
    name: "opencode",
    summary: "opencode and Kilo Code, json format of run",
    recorded: "opencode 1.18.33, kilo 7.7.7",
    carries: Carries { session_id: true, model: false, tokens: true, cost: true, end: false },
    late_calls: true,
    detect,
    session: &["sessionID"],
    tools: TOOLS,
    commands: &["opencode", "opencode-ai", "kilo", "@kilocode/cli"],
    flags: &[Flags { behind: Some("run"), unless: &["--format"], add: &["--format", "json"] }],
    left_raw: &[
        // What 1.0 keeps of a message beside its parts.
        "assistant",
        "compaction",
        "file",
        "patch",
        "snapshot",
        "step-finish",
        "step-start",
        "step_finish",
        "step_start",
        // A plugin's note, or no words.
        "text",
        "user",
    ],
    ..Dialect::BASE
};

fn detect(record: Value<'_>) -> Match {
    let [kind, session, part, error] = record.pick(["type", "sessionID", "part", "error"]);
    if !kind.is_string() {
        let kept =
            [export::is_export, export::is_session, export::is_message].iter().any(|is| is(record));
        return if kept { Match::Own } else { Match::No };
    }
    if !session.is_string() {
        return Match::No;
    }
    if export::is_part(record) {
        return Match::Own;
    }
    let own = part.is_object() || (kind.is("error") && error.exists()) || kind.is("done");
    if own { Match::Own } else { Match::No }
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    session: Option<String>,
    /// The records are of a session that was kept, not printed.
    kept: bool,
    /// Whether this version prints `done`.
    done: bool,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, time, session, part] = record.pick(["type", "timestamp", "sessionID", "part"]);
        if !kind.is_string() && export::is_export(record) {
            return self.export(record, out);
        } else if !kind.is_string() && export::is_session(record) {
            return self.known(record, out);
        }
        out.time(time);
        out.message_id(Name::filled(part.get("messageID")));
        let word = kind.decode().unwrap_or_default();
        if let Some(id) =
            session.str().filter(|id| !self.session.as_deref().is_some_and(|s| id.is(s)))
        {
            self.session = Some(id.decode().into_owned());
            // Of a `step_start` nothing else is said.
            let place = if word == "step_start" { Place::Here } else { Place::Before };
            out.add(place, windowed(start(Some(id.into()))));
        }
        if !part.exists() && export::is_part(record) {
            out.message_id(Name::filled(record.get("messageID")));
            return self.part(record, out);
        } else if !kind.is_some() && export::is_message(record) {
            return self.message(record, out);
        }
        match word.as_ref() {
            "text" => message(part, out),
            "reasoning" => thinking(part, out),
            "tool_use" => tool(part, false, out),
            "step_finish" => usage(part, None, out),
            "error" => error(record.get("error"), out),
            "done" => {
                self.done = true;
                let failed = says_failed(record);
                out.push(SessionEnded {
                    status: if failed { Status::Failed } else { Status::Succeeded },
                    reason: Name::filled(record.get("reason")),
                    ..SessionEnded::default()
                });
            }
            _ => {}
        }
    }

    fn has_end(&self) -> bool {
        self.done
    }
}

fn start(session_id: Option<Name<'_>>) -> SessionStarted<'_> {
    SessionStarted { harness: Some("opencode".into()), session_id, ..SessionStarted::default() }
}

fn message(part: Value<'_>, out: &mut Batch) {
    // What opencode adds on its own, it adds to the user's side (recording 1.18 overflow).
    let role = if part.get("synthetic").is_true() { "user" } else { "assistant" };
    say(role, part, out);
}

fn say(role: &str, part: Value<'_>, out: &mut Batch) {
    let [text, synthetic] = part.pick(["text", "synthetic"]);
    let synthetic = synthetic.is_true();
    let text = Text::filled(text);
    if text.is_some() {
        out.push(Message { role: Some(role.into()), text, synthetic, ..Message::default() });
    }
}

fn thinking(part: Value<'_>, out: &mut Batch) {
    let text = Text::filled(part.get("text"));
    if text.is_some() {
        out.push(Thinking { text, ..Thinking::default() });
    }
}

/// A call and its result; of one that was `kept`, the call alone where it never ended.
fn tool(part: Value<'_>, kept: bool, out: &mut Batch) {
    let [id, tool, state] = part.pick(["callID", "tool", "state"]);
    let [status, input, output, error, metadata, attachments, time] =
        state.pick(["status", "input", "output", "error", "metadata", "attachments", "time"]);
    let completed = status.is("completed");
    let ended = completed || status.is("error");
    let open = kept && status.is_string();
    if !ended && !open {
        return;
    }
    let meant = input.get("tool");
    let invalid = tool.is("invalid") && meant.is_string();
    let name = if invalid { meant } else { tool };
    let word = name.decode().unwrap_or_default();
    let does = if word == tools::BACKGROUND && !input.get("command").is_string() {
        ToolCall::default()
    } else {
        tool_table::does(TOOLS, &word, input)
    };
    out.push(ToolCall {
        call_id: Name::of(id),
        name: Name::of(name),
        input: arguments(input),
        ..does
    });
    if !ended {
        return;
    }
    let exit = metadata.get("exit").i64();
    let rejected = "The user rejected permission to use this specific tool call.";
    let is_error = !completed || invalid || exit.is_some_and(|code| code != 0);
    let files = if is_error { Vec::new() } else { changes(tool, input, metadata) };
    let [begun, over] = time.pick(["start", "end"]).map(Value::count);
    out.push(ToolResult {
        call_id: Name::of(id),
        is_error,
        output: Text::of(output).or_else(|| Text::of(error)),
        exit_code: exit_code(exit),
        status: error.is(rejected).then(|| "denied".into()),
        duration_ms: begun
            .zip(over)
            .and_then(|(begun, over)| over.checked_sub(begun).map(Number::Int)),
        files: if files.is_empty() && !is_error { written(TOOLS, &word, input) } else { files },
        attachments: attachments
            .elements()
            .filter(|file| file.is_object())
            .map(attachment)
            .collect(),
        ..ToolResult::default()
    });
    if completed && tool.is("todowrite") {
        plan(metadata.get("todos"), "content", out);
    }
}

/// The files that a finished call says it changed.
fn changes<'a>(tool: Value<'a>, input: Value<'a>, metadata: Value<'a>) -> Vec<FileChange<'a>> {
    let [path, exists, diff] = metadata.pick(["filepath", "exists", "filediff"]);
    let change = if tool.is("write") {
        let change = if exists.is_true() { "update" } else { "add" };
        Name::filled(path).filter(|_| exists.bool().is_some()).map(|path| (path, change))
    } else if tool.is("edit") {
        // Without an old text the file may be new or not.
        let replaces = Name::filled(input.get("oldString")).is_some();
        Name::filled(diff.get("file")).filter(|_| replaces).map(|path| (path, "update"))
    } else {
        None
    };
    change.into_iter().map(|(path, change)| FileChange { path, change: change.into() }).collect()
}

/// A file part, whose content is a data URL.
fn attachment(file: Value<'_>) -> Attachment<'_> {
    let [mime, url] = file.pick(["mime", "url"]);
    let data = url.str().and_then(|url| url.raw().split_once(";base64,"));
    Attachment { media_type: Name::filled(mime), bytes: data.map(|(_, data)| base64_size(data)) }
}

fn usage(part: Value<'_>, model: Option<Name<'_>>, out: &mut Batch) {
    let [cost, counts] = part.pick(["cost", "tokens"]);
    let tokens = tokens(counts, counts.get("total").exists());
    let cost = cost.f64();
    if tokens.is_zero() && cost.unwrap_or(0.0) == 0.0 {
        return;
    }
    out.push(CallUsage {
        model,
        context_tokens: tokens.input.and(tokens.context()),
        cost_usd: cost,
        ..tokens.into()
    });
}

/// The counts of a step or a session; `apart` where the reasoning is not in the output.
fn tokens(counts: Value<'_>, apart: bool) -> Tokens {
    let [input, output, reasoning, cache] = counts.pick(["input", "output", "reasoning", "cache"]);
    let [input, output, reasoning] = [input, output, reasoning].map(Value::count);
    let [cache_read, cache_creation] = cache.pick(["read", "write"]).map(Value::count);
    let beside = reasoning.filter(|_| apart).unwrap_or(0);
    let output = output.map(|output| output.saturating_add(beside));
    let reasoning = reasoning.filter(|count| *count > 0);
    Tokens { input, output, cache_read, cache_creation, reasoning }
}

fn error(error: Value<'_>, out: &mut Batch) {
    let [name, data, plain] = error.pick(["name", "data", "message"]);
    let [message, status] = data.pick(["message", "statusCode"]);
    let limit = status.count() == Some(429);
    out.push(Notice {
        level: Level::Error,
        code: if limit { Code::RateLimit } else { Code::Error },
        message: Text::filled(message)
            .or_else(|| Text::filled(plain))
            .or_else(|| Text::filled(name))
            .or_else(|| Text::filled(error)),
        ..Notice::default()
    });
}
