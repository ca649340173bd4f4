//! pi (`@earendil-works/pi-coding-agent` 1.6, `@mariozechner/pi-coding-agent` 0.73): `--mode json`,
//! the output side of `--mode rpc`, and its session files (`session.rs`).
//!
//! ```json
//! {"type":"session","version":3,"id":"01a22c3b-…","timestamp":"2026-11-30T11:33:47.052Z","cwd":"/w"}
//! {"type":"message_update","usage":{…},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"I'll"}}
//! {"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"I'll list."}],"usage":{…},"stopReason":"toolUse",…}}
//! {"type":"tool_execution_start","toolCallId":"call_1_1","toolName":"bash","args":{"command":"ls"}}
//! {"type":"agent_settled","aborted":false}
//! ```
//!
//! The same text comes up to five times: in pieces, in `text_end`, `message_end`, `turn_end` and
//! `agent_end`. The pieces are the deltas, `message_end` is the whole, and the others stay `raw`. 0.73
//! repeats the whole message twice in each update; of such a line only the piece is read. What a tool
//! has printed so far is repeated whole as well, and its tail is the delta.
//!
//! Calls are taken from `tool_execution_start`: arguments that were cut off are `{}` there too (the
//! recordings `badargs`).
//!
//! **Usage** is stated once a reply, on its `message_end`. `input` is net of the cache: the recording
//! 1.6 `shell` has 200 beside 1000 read from the cache where the provider said 1200. `output` contains
//! `reasoning` (1.6 `thinking`: 60 with 26). Only the RPC answer to `get_session_stats` gives a total.
//!
//! **Ends**: 1.6 prints `agent_settled`. In 0.73 `agent_end` is the last line of a run, but a retried
//! run prints one as well (0.73 `err429`), and so does one that overflowed and is compacted
//! (0.73 `overflow`): it is held back until the next line tells.
//!
//! Before `compaction_end` there was `auto_compaction_end`; a fork has `retry_fallback_applied` and
//! `error` besides (not recorded).

mod detect;
mod messages;
mod rpc;
mod session;
mod tools;

use super::outcome::says_failed;
use super::pieces::Relay;
use super::running::Running;
use super::{Adapt, Carries, Dialect, Flags};
use crate::adapter::model::windowed;
use crate::format::batch::{Batch, Place};
use crate::format::event::{
    Code, Level, Notice, Retry, SessionEnded, SessionStarted, SessionTitle, Status,
};
use crate::format::write::{Name, Text};
use crate::json::Value;
use crate::json::place::{PieceAt, Places};

pub(super) const DIALECT: Dialect = Dialect {
    name: "pi",
    summary: "pi, --mode json or rpc",
    recorded: "pi 1.6.0 and 0.73.1",
    carries: Carries { session_id: true, model: true, tokens: true, cost: true, end: true },
    detect: detect::detect,
    tools: tools::TOOLS,
    commands: &["pi", "@mariozechner/pi-coding-agent", "@earendil-works/pi-coding-agent"],
    flags: &[Flags { behind: None, unless: &["--mode"], add: &["--mode", "json"] }],
    left_raw: &[
        "agent_end",
        "agent_start",
        "auto_compaction_start",
        "auto_retry_end",
        "branch_summary",
        "compaction_start",
        "context_edit",
        "custom",
        "custom_message",
        "entry_appended",
        "label",
        "message/bashExecution",
        // An answer that was aborted before its first word (the recording 1.6 rpc-abort).
        "message_end/assistant",
        "message_end/toolResult",
        // The first one of a file says which model it is.
        "model_change",
        "queue_update",
        "response",
        "retry_fallback_succeeded",
        "thinking_level_change",
        "turn_end",
        "turn_start",
    ],
    places: &PLACES,
    ..Dialect::BASE
};

/// A piece comes with the whole message so far beside it.
static PLACES: Places = Places {
    rows: &[
        PieceAt::piece(
            UPDATE,
            &[("type", UPDATE)],
            "assistantMessageEvent.delta",
            &["assistantMessageEvent.type", "assistantMessageEvent.contentIndex"],
        ),
        PieceAt::so_far(
            UPDATE,
            &[("type", UPDATE)],
            "assistantMessageEvent.partial.content.*.text",
        ),
        PieceAt::so_far(
            UPDATE,
            &[("type", UPDATE)],
            "assistantMessageEvent.partial.content.*.thinking",
        ),
        PieceAt::so_far(
            UPDATE,
            &[("type", UPDATE)],
            "assistantMessageEvent.partial.content.*.partialArgs",
        ),
        PieceAt::so_far(
            UPDATE,
            &[("type", UPDATE)],
            "assistantMessageEvent.partial.content.*.partialJson",
        ),
        PieceAt::so_far(
            UPDATE,
            &[("type", UPDATE)],
            "assistantMessageEvent.partial.content.*.arguments.**",
        ),
        PieceAt::so_far(UPDATE, &[("type", UPDATE)], "message.content.*.text"),
        PieceAt::so_far(UPDATE, &[("type", UPDATE)], "message.content.*.thinking"),
        PieceAt::so_far(UPDATE, &[("type", UPDATE)], "message.content.*.partialArgs"),
        PieceAt::so_far(UPDATE, &[("type", UPDATE)], "message.content.*.partialJson"),
        PieceAt::so_far(UPDATE, &[("type", UPDATE)], "message.content.*.arguments.**"),
        PieceAt::so_far(RUN, &[("type", RUN)], "partialResult.content.*.text"),
    ],
    amid: &[&[("type", "queue_update")], &[("type", "response")]],
    ..Places::NONE
};
const UPDATE: &str = "message_update";
const RUN: &str = "tool_execution_update";

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    started: bool,
    /// The session's id as last told.
    session: String,
    /// The stream is a session file.
    kept: bool,
    /// The model that a session file named last.
    model: Option<String>,
    relay: Relay,
    /// The tool calls that are being written: the content block and the call's id.
    writing: Vec<(u64, String)>,
    tools: tools::Tools,
    /// The next piece is the first of a retried attempt.
    retried: bool,
    /// How the run's last reply ended.
    last: Option<Last>,
    /// The error of the last reply, if it was one.
    failure: Option<String>,
    held: Option<Held>,
    spent: Running,
}

#[derive(Debug, Default)]
struct Last {
    stop: Option<String>,
    error: Option<String>,
    /// The end itself is marked as a failure.
    marked: bool,
}

/// An `agent_end` of which it is not known yet whether it is the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    /// Any line may tell.
    Run,
    /// `agent_settled` is to follow.
    Settling,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, message, event] = record.pick(["type", "message", "assistantMessageEvent"]);
        let Some(kind) = kind.decode() else { return };
        self.release(&kind, record, out);
        match kind.as_ref() {
            "message_update" => self.update(record, message, event, out),
            "message_start" => {
                self.relay.clear();
                self.writing.clear();
                out.time(message.get("timestamp"));
                out.framing(record);
            }
            "message_end" => self.message(message, out),
            "message" => self.entry(record, message, out),
            "turn_end" => {
                let [id, time] = message.pick(["responseId", "timestamp"]);
                out.message_id(Name::filled(id));
                out.time(time);
            }
            "tool_execution_start" => {
                self.announce(out);
                self.tools.start(record, out);
            }
            "tool_execution_update" => self.tools.update(record, out),
            "tool_execution_end" => self.tools.end(record, out),
            "session" => self.session(record, out),
            "agent_start" => {
                self.last = None;
                self.announce(out);
            }
            "agent_end" => {
                self.mark(record);
                let retry = record.get("willRetry");
                if !retry.is_true() {
                    self.held = Some(if retry.exists() { Held::Settling } else { Held::Run });
                }
            }
            "agent_settled" => {
                self.mark(record);
                self.end(record.get("aborted").is_true(), Place::Here, out);
            }
            "auto_retry_start" => self.retry(record, out),
            "auto_retry_end" if record.get("success").bool() == Some(false) => {
                let error = record.get("finalError");
                // The last try's own message tells it, too (1.6 `err429`).
                if !self.failure.as_deref().is_some_and(|told| error.is(told)) {
                    failed(error, out);
                }
            }
            "retry_fallback_applied" => self.fall_back(record, out),
            "error" => failed(record.get("message"), out),
            "compaction_end" | "auto_compaction_end" => compacted(record, out),
            "model_change" => self.model(record, out),
            "compaction" => self.compaction(record, out),
            "session_info_changed" | "session_info" => {
                out.time(record.get("timestamp"));
                if let Some(title) = Name::filled(record.get("name")) {
                    out.push(SessionTitle { title: Some(title) });
                }
            }
            "extension_error" => out.push(Notice {
                level: Level::Warning,
                code: Code::Error,
                message: Text::of(record.get("error")),
                ..Notice::default()
            }),
            "entry_appended" => out.time(record.get("entry").get("timestamp")),
            "response" => self.response(record, out),
            _ => out.time(record.get("timestamp")),
        }
    }

    fn pending(&self) -> bool {
        self.held.is_some()
    }

    fn has_end(&self) -> bool {
        !self.kept
    }

    fn finish(&mut self, out: &mut Batch) {
        if self.held.is_some() {
            self.end(false, Place::Before, out);
        }
    }
}

impl Adapter {
    /// Announces the session; `id` is remembered.
    fn start<'a>(&mut self, start: SessionStarted<'a>, id: Value<'a>, out: &mut Batch) {
        self.started = true;
        self.session.clear();
        self.session.push_str(&id.decode().unwrap_or_default());
        out.push(windowed(SessionStarted {
            harness: Some("pi".into()),
            session_id: Name::filled(id),
            ..start
        }));
    }

    /// Announces a session of which nothing is known but that it works.
    fn announce(&mut self, out: &mut Batch) {
        if !self.started {
            self.start(SessionStarted::default(), Value::MISSING, out);
        }
    }

    fn session(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, time, cwd] = record.pick(["id", "timestamp", "cwd"]);
        out.time(time);
        // Another process starts: what was half said will not be said again.
        let spent = std::mem::take(&mut self.spent);
        *self = Self { spent, ..Self::default() };
        self.start(SessionStarted { cwd: Name::filled(cwd), ..SessionStarted::default() }, id, out);
    }

    /// An end that is marked as a failure is one, whatever the last reply said.
    fn mark(&mut self, end: Value<'_>) {
        if says_failed(end) {
            let error = end.get("error");
            let error = error.filled().or_else(|| error.get("message").filled());
            let last = self.last.get_or_insert_default();
            last.marked = true;
            last.error = error.or(last.error.take());
        }
    }

    /// Tells the end that is held back, or forgets it where the line shows that it was none.
    fn release(&mut self, kind: &str, record: Value<'_>, out: &mut Batch) {
        let Some(held) = self.held else { return };
        match kind {
            "agent_settled" => {}
            "auto_retry_start" => self.held = None,
            // What is compacted because it grew, or because someone asked, had ended.
            "compaction_start"
                if !["threshold", "manual"].iter().any(|r| record.get("reason").is(r)) =>
            {
                self.held = None;
            }
            "session" | "agent_start" => self.end(false, Place::Before, out),
            _ if held == Held::Run => self.end(false, Place::Before, out),
            _ => {}
        }
    }

    fn end(&mut self, aborted: bool, place: Place, out: &mut Batch) {
        self.held = None;
        let last = self.last.take();
        let stop = last.as_ref().and_then(|last| last.stop.as_deref());
        let marked = last.as_ref().is_some_and(|last| last.marked).then_some("error");
        let reason = if aborted { Some("aborted") } else { stop };
        let reason = reason.filter(|reason| matches!(*reason, "aborted" | "error")).or(marked);
        out.add(
            place,
            SessionEnded {
                status: if reason.is_some() { Status::Failed } else { Status::Succeeded },
                stop_reason: stop.map(Name::from),
                reason: reason.map(Name::from),
                error: last.as_ref().and_then(|last| last.error.as_ref()).map(Text::from),
                ..SessionEnded::default()
            },
        );
    }

    /// Another model answers from here on.
    fn fall_back(&mut self, record: Value<'_>, out: &mut Batch) {
        let [from, to] = record.pick(["from", "to"]).map(Name::filled);
        if to.is_some() {
            self.announce(out);
            out.push(Notice { code: Code::ModelChanged, from, to, ..Notice::default() });
        }
    }

    fn retry(&mut self, record: Value<'_>, out: &mut Batch) {
        self.retried = true;
        let [attempt, max, delay, error] =
            record.pick(["attempt", "maxAttempts", "delayMs", "errorMessage"]);
        out.push(Notice {
            level: Level::Warning,
            code: Code::Retry,
            message: Text::of(error),
            retry: Some(Retry {
                attempt: attempt.count(),
                max: max.count(),
                delay_ms: delay.number(),
            }),
            ..Notice::default()
        });
    }
}

fn compacted(record: Value<'_>, out: &mut Batch) {
    let [reason, result, error] = record.pick(["reason", "result", "errorMessage"]);
    if result.is_object() {
        let message = Text::filled(reason);
        out.push(Notice { code: Code::Compacted, message, ..Notice::default() });
    } else {
        failed(error, out);
    }
}

fn failed(error: Value<'_>, out: &mut Batch) {
    if let Some(message) = Text::filled(error) {
        out.push(Notice {
            level: Level::Error,
            code: Code::Error,
            message: Some(message),
            ..Notice::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::adapter::Protocol;
    use crate::adapter::testing::mapped;
    use crate::format::event::EventType;

    fn events(lines: &[&str]) -> Vec<(u64, String)> {
        let told = mapped(Protocol::Pi, lines).into_iter();
        let told = told.filter(|e| e.kind != EventType::SessionStarted);
        told.map(|e| (e.line, format!("{} {:?}", e.kind, e.payload.get("status")))).collect()
    }

    const REPLY: &str =
        r#"{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"stop"}}"#;

    #[test]
    fn what_was_compacted_for_its_size_had_ended() {
        let end = r#"{"type":"agent_end","messages":[]}"#;
        let told = |reason: &str| {
            let start = format!(r#"{{"type":"compaction_start","reason":"{reason}"}}"#);
            events(&[REPLY, end, &start])
        };
        let ended = r#"session.ended Some(String("succeeded"))"#;
        assert_eq!(told("threshold"), [(3, ended.to_owned())]);
        assert_eq!(told("overflow"), []);
    }

    #[test]
    fn a_run_that_never_settled_ended_with_its_last_line() {
        let end = r#"{"type":"agent_end","messages":[],"willRetry":false}"#;
        let ended = r#"session.ended Some(String("succeeded"))"#;
        assert_eq!(events(&[REPLY, end, r#"{"type":"queue_update"}"#]), [(3, ended.to_owned())]);
        let next = r#"{"type":"agent_start"}"#;
        let told = events(&[REPLY, end, next, REPLY, end, r#"{"type":"agent_settled"}"#]);
        let ends: Vec<u64> =
            told.iter().filter(|(_, what)| what == ended).map(|(line, _)| *line).collect();
        assert_eq!(ends, [3, 6]);
    }

    #[test]
    fn lines_of_the_wrong_shape_are_raw() {
        for line in [
            r#"{"type":"message_update","assistantMessageEvent":"text_delta"}"#,
            r#"{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":7}}"#,
            r#"{"type":"message_end","message":"done"}"#,
            r#"{"type":"message_end","message":{"role":"user","content":[]}}"#,
            r#"{"type":"tool_execution_update","toolCallId":null,"partialResult":[]}"#,
            r#"{"type":"response","command":"get_state","success":true}"#,
            r#"{"type":"session_info_changed","name":null}"#,
            r#"{"type":["session"]}"#,
        ] {
            assert_eq!(events(&[line]), [], "{line}");
        }
    }
}
