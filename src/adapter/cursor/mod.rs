//! Cursor's CLI, `cursor-agent -p --output-format stream-json`.
//!
//! ```json
//! {"type":"system","subtype":"init","apiKeySource":"login","cwd":"/srv/app","session_id":"s1","model":"Composer 2.5","permissionMode":"default"}
//! {"type":"thinking","subtype":"delta","text":"The file","session_id":"s1","timestamp_ms":1786956076436}
//! {"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"I'll read"}]},"session_id":"s1","timestamp_ms":1786956076440}
//! {"type":"tool_call","subtype":"completed","call_id":"t1","tool_call":{"readToolCall":{"args":{"path":"a"},"result":{"success":{"content":"x"}}}},"session_id":"s1","timestamp_ms":1786956076450}
//! {"type":"result","subtype":"success","duration_ms":5234,"is_error":false,"result":"…","session_id":"s1","request_id":"r1","usage":{"inputTokens":4282,"outputTokens":113,"cacheReadTokens":22063,"cacheWriteTokens":0}}
//! ```
//!
//! Not recorded: the program is closed and needs an account. Built on its documentation and on streams
//! that others published (up to 2026.08).
//!
//! With `--stream-partial-output` an assistant line with a time and without `model_call_id` is a piece,
//! and each text comes once more whole: with both keys before a tool call, with neither at the end
//! (there it was seen to be the text of the whole turn). Without the flag those are the only lines.
//!
//! Usage: the end record's `usage` is the total. A published one counts 4282 input tokens beside 22063
//! read from the cache, so its input does not contain them, and nothing is subtracted.

mod tools;

use self::tools::Tools;
use super::chat::said;
use super::ending::{self, says_failed};
use super::pieces::Pieces;
use super::running::Running;
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::{Batch, Place};
use crate::format::event::{
    Code, Delta, Level, Message, Notice, Of, SessionEnded, SessionStarted, SessionUsage, Status,
    Thinking,
};
use crate::format::tokens::Tokens;
use crate::format::write::{Name, Text};
use crate::json::place::{PieceAt, Places};
use crate::json::{Str, Value};
use crate::limits::MAX_CURSOR_SAID;

pub(super) const DIALECT: Dialect = Dialect {
    name: "cursor",
    summary: "Cursor CLI, --output-format stream-json",
    recorded: "published streams only",
    carries: Carries { session_id: true, model: true, tokens: true, cost: false, end: true },
    detect,
    session: &["session_id"],
    tools: tools::TOOLS,
    commands: &["cursor-agent", "cursor agent"],
    flags: &[Flags {
        behind: None,
        unless: &["--output-format"],
        add: &["--output-format", "stream-json"],
    }],
    places: &PLACES,
    ..Dialect::BASE
};

static PLACES: Places = Places {
    rows: &[
        PieceAt::piece(
            "\"timestamp_ms\"",
            &[("type", "assistant"), ("timestamp_ms", "*"), ("model_call_id", "")],
            "message.content.*.text",
            &["session_id"],
        ),
        PieceAt::piece(
            "\"delta\"",
            &[("type", "thinking"), ("subtype", "delta")],
            "text",
            &["session_id"],
        ),
    ],
    noise_ends: true,
    one_at_a_time: true,
    ..Places::NONE
};

/// The frames are named like Claude's. What Claude always prints is missing in the first and the last
/// (`tools`, `uuid`, `num_turns`); times are numbers, and tool calls are lines of their own.
fn detect(record: Value<'_>) -> Match {
    let [kind, subtype, session] = record.pick(["type", "subtype", "session_id"]);
    let own = if kind.is("tool_call") {
        (subtype.is("started") || subtype.is("completed")) && record.get("tool_call").is_object()
    } else if kind.is("thinking") {
        (subtype.is("delta") || subtype.is("completed")) && session.is_string()
    } else if kind.is("assistant") {
        let [call, time, message] = record.pick(["model_call_id", "timestamp_ms", "message"]);
        (call.is_string() || time.number().is_some()) && message.get("content").is_array()
    } else if kind.is("system") {
        let [key, mode, tools, uuid] =
            record.pick(["apiKeySource", "permissionMode", "tools", "uuid"]);
        let shared = tools.exists() || uuid.exists();
        subtype.is("init") && key.is_string() && mode.is_string() && !shared
    } else if kind.is("result") {
        let [request, usage, turns, uuid] =
            record.pick(["request_id", "usage", "num_turns", "uuid"]);
        let ours = request.is_string() || usage.get("inputTokens").exists();
        ours && !turns.exists() && !uuid.exists()
    } else {
        false
    };
    if own {
        return Match::Own;
    }
    let known = [
        "system",
        "user",
        "assistant",
        "result",
        "interaction_query",
        "connection",
        "retry",
        "error",
    ];
    if known.iter().any(|name| kind.is(name)) { Match::Weak } else { Match::No }
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    started: bool,
    open: Option<Open>,
    /// What the model said in this turn, once a piece was seen.
    said: Option<Said>,
    tools: Tools,
    spent: Running,
}

/// What the model said in a turn.
#[derive(Debug, Default)]
struct Said {
    text: String,
    /// Whether a text is missing. No later one is appended then.
    full: bool,
}

/// A text that is put together.
#[derive(Debug)]
struct Open {
    of: Of,
    pieces: Pieces,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, subtype, time] = record.pick(["type", "subtype", "timestamp_ms"]);
        out.time(time);
        if kind.is("thinking") {
            return self.thinking(subtype, record, out);
        }
        if kind.is("assistant") {
            return self.assistant(time, record, out);
        }
        self.flush(out);
        if kind.is("tool_call") {
            self.tools.call(subtype, record, out);
        } else if kind.is("user") {
            self.said = None;
            message("user", record, out);
        } else if kind.is("system") && subtype.is("init") {
            let [cwd, session, model] = record.pick(["cwd", "session_id", "model"]);
            self.started = true;
            out.push(windowed(SessionStarted {
                harness: Some("cursor".into()),
                model: Name::of(model),
                cwd: Name::of(cwd),
                session_id: Name::of(session),
                ..SessionStarted::default()
            }));
        } else if kind.is("result") {
            self.end(subtype, record, out);
        } else if kind.is("connection") || kind.is("retry") {
            let level = if subtype.is("reconnected") { Level::Info } else { Level::Warning };
            out.push(Notice {
                level,
                code: Code::Retry,
                message: Text::filled(record.get("message")).or_else(|| Text::of(subtype)),
                ..Notice::default()
            });
        } else if kind.is("error") || (kind.is("system") && subtype.is("error")) {
            let message = ending::error(record).or_else(|| Text::filled(record.get("message")));
            let (level, code) = (Level::Error, Code::Error);
            out.push(Notice { level, code, message, ..Notice::default() });
        }
    }

    fn interrupt(&mut self, out: &mut Batch) {
        self.flush(out);
    }

    fn pending(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.pieces.is_empty())
    }

    fn finish(&mut self, out: &mut Batch) {
        self.flush(out);
    }
}

impl Adapter {
    fn thinking(&mut self, subtype: Value<'_>, record: Value<'_>, out: &mut Batch) {
        let text = record.get("text");
        if subtype.is("delta") {
            if let Some(text) = text.str() {
                self.piece(Of::Thinking, text, record, out);
            }
            return;
        }
        if self.open.as_ref().is_some_and(|open| open.of == Of::Thinking) {
            return self.close(Place::Here, out);
        }
        self.flush(out);
        if let Some(text) = Text::filled(text) {
            out.push(Thinking { text: Some(text), ..Thinking::default() });
        }
    }

    fn assistant(&mut self, time: Value<'_>, record: Value<'_>, out: &mut Batch) {
        let [call, body] = record.pick(["model_call_id", "message"]);
        let mut blocks = body.get("content").elements();
        let text = blocks.next().filter(|_| blocks.next().is_none()).map(|block| block.get("text"));
        let Some(text) = text.and_then(Value::str) else {
            self.flush(out);
            return message("assistant", record, out);
        };
        if time.is_some() && !call.is_some() {
            return self.piece(Of::Message, text, record, out);
        }
        self.whole(text, out);
    }

    fn piece(&mut self, of: Of, text: Str<'_>, record: Value<'_>, out: &mut Batch) {
        if self.open.as_ref().is_some_and(|open| open.of != of) {
            self.flush(out);
        }
        if of == Of::Message {
            self.said.get_or_insert_default();
        }
        let open = self.open.get_or_insert_with(|| Open { of, pieces: Pieces::default() });
        match open.pieces.push(text) {
            Some(piece) => {
                out.push(Delta { of, text: Some(piece), ..Delta::default() });
            }
            None => out.framing(record),
        }
    }

    /// A text that comes whole: for the first time, or behind its pieces.
    fn whole(&mut self, text: Str<'_>, out: &mut Batch) {
        let Some(said) = self.said.as_ref().map(|said| said.text.as_str()) else {
            self.flush(out);
            if !text.is_empty() {
                say(text.into(), out);
            }
            return;
        };
        let text = text.decode();
        let open = self.open.as_ref().filter(|open| open.of == Of::Message);
        let pieces = open.map(|open| open.pieces.said()).unwrap_or_default();
        // The text of the pieces, or that of the turn so far, is told already.
        let known = text.strip_suffix(pieces.as_str()).is_some_and(|before| said.ends_with(before));
        // What the pieces of a text said that was too long to keep is not known: it starts again.
        let full = open.is_some_and(|open| open.pieces.is_full());
        if pieces.is_empty() {
            self.flush(out);
            if known {
                return;
            }
        } else if known && !full {
            return self.close(Place::Here, out);
        } else {
            // A piece is missing: the whole makes up for it.
            let tail = text.strip_prefix(pieces.as_str()).filter(|_| !full);
            out.push(Delta {
                of: Of::Message,
                text: Some(tail.unwrap_or(&text).into()),
                reset: tail.is_none(),
                ..Delta::default()
            });
            self.open = None;
        }
        self.remember(&text);
        say(text.into(), out);
    }

    /// Another line ends the text that was put together.
    fn flush(&mut self, out: &mut Batch) {
        self.close(Place::Before, out);
    }

    /// The text that was put together is whole.
    fn close(&mut self, place: Place, out: &mut Batch) {
        let Some(mut open) = self.open.take() else { return };
        if open.pieces.is_empty() {
            return;
        }
        if open.of == Of::Message {
            self.remember(&open.pieces.said());
        }
        open.pieces.tell(open.of, "assistant", place, out);
    }

    fn remember(&mut self, text: &str) {
        if let Some(said) = &mut self.said {
            said.full |= said.text.len() + text.len() > MAX_CURSOR_SAID;
            if !said.full {
                said.text.push_str(text);
            }
        }
    }

    fn end(&mut self, subtype: Value<'_>, record: Value<'_>, out: &mut Batch) {
        let [session, failed, result, error] =
            record.pick(["session_id", "is_error", "result", "error"]);
        let [duration, usage] = record.pick(["duration_ms", "usage"]);
        if !self.started && session.is_string() {
            self.started = true;
            out.push(windowed(SessionStarted {
                harness: Some("cursor".into()),
                session_id: Name::of(session),
                ..SessionStarted::default()
            }));
        }
        let stated = usage.is_object() || !tokens(record).is_zero();
        if stated || duration.is_some() {
            out.push(self.spent.process(SessionUsage {
                duration_ms: duration.number(),
                ..tokens(if usage.is_object() { usage } else { record }).into()
            }));
        }
        self.said = None;
        let other = subtype.is_string() && !subtype.is("success");
        let failed = failed.is_true() || other || says_failed(record);
        let error = if error.is_string() { error } else { error.get("message") };
        let error = if error.is_string() { error } else { result };
        out.push(SessionEnded {
            status: if failed { Status::Failed } else { Status::Succeeded },
            summary: Text::filled(result),
            reason: Name::of(subtype).filter(|_| other),
            error: Text::filled(error).filter(|_| failed),
            ..SessionEnded::default()
        });
    }
}

/// The counters, in one of the spellings that were seen.
fn tokens(usage: Value<'_>) -> Tokens {
    let of = |keys: &[&str]| keys.iter().find_map(|key| usage.get(key).count());
    Tokens {
        input: of(&["inputTokens", "input_tokens"]),
        output: of(&["outputTokens", "output_tokens"]),
        cache_read: of(&["cacheReadTokens", "cache_read_input_tokens", "cached_input_tokens"]),
        cache_creation: of(&["cacheWriteTokens", "cache_creation_input_tokens"]),
        reasoning: None,
    }
}

fn say(text: Text<'_>, out: &mut Batch) {
    out.push(Message { role: Some("assistant".into()), text: Some(text), ..Message::default() });
}

fn message(role: &str, record: Value<'_>, out: &mut Batch) {
    if let Some(content) = said(record.get("message").get("content")) {
        out.push(Message {
            role: Some(role.into()),
            text: content.text,
            attachments: content.attachments,
            ..Message::default()
        });
    }
}
