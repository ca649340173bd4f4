//! cline, `--json`: two families of lines that share nothing but the command's name. 3.x prints the
//! events of its agent ([`events`]), 2.x the messages of its editor extension ([`says`]), as do the
//! programs that grew from that one. Usage is stated by the former only; its rule stands there.
//!
//! The files of version 3 are two documents ([`session`]).
//!
//! ```json
//! {"ts":"2026-11-30T11:37:44.888Z","type":"agent_event","event":{"type":"content_end","contentType":"text","text":"Hi."}}
//! {"ts":1796039509517,"type":"say","say":"completion_result","text":"Hi.","modelInfo":{"modelId":"mock-1",…}}
//! ```

mod events;
mod results;
mod says;
mod session;
mod tools;

use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::format::batch::Batch;
use crate::format::event::{Code, Level, Notice};
use crate::format::write::Text;
use crate::json::Value;
use crate::json::place::{PieceAt, Places};

pub(super) const DIALECT: Dialect = Dialect {
    name: "cline",
    summary: "cline, --json",
    recorded: "cline 3.0.65 and 2.18.0",
    carries: Carries { session_id: true, model: true, tokens: true, cost: true, end: true },
    detect,
    commands: &["cline"],
    flags: &[Flags { behind: None, unless: &["--json"], add: &["--json"] }],
    tools: tools::TOOLS,
    left_raw: &[
        "(text)",
        "agent_event/done",
        "agent_event/iteration_end",
        "agent_event/iteration_start",
        "ask/command_output",
        "ask/resume_task",
        "hook_event",
        "say/api_req_retried",
        "say/api_req_started",
        "say/command_output",
    ],
    places: &PLACES,
    ..Dialect::BASE
};

/// A piece comes with the whole text so far beside it; the older form prints that alone.
static PLACES: Places = Places {
    rows: &[
        PieceAt::piece(START, &[("event.type", START)], "event.text", &["event.contentType"]),
        PieceAt::piece(START, &[("event.type", START)], "event.reasoning", &["event.contentType"]),
        PieceAt::so_far(START, &[("event.type", START)], "event.accumulated"),
        PieceAt::piece(
            "\"chunk\"",
            &[("event.type", "content_update")],
            "event.update.chunk",
            &["event.toolCallId", "event.update.stream", "event.update.commandIndex"],
        ),
        PieceAt::so_far("\"partial\"", &[("partial", "true")], "text"),
        PieceAt::so_far("\"partial\"", &[("partial", "true")], "reasoning"),
    ],
    ..Places::NONE
};
const START: &str = "content_start";

fn detect(record: Value<'_>) -> Match {
    let [kind, event, time] = record.pick(["type", "event", "ts"]);
    let Some(kind) = kind.decode() else {
        return if session::document(record).is_some() { Match::Own } else { Match::No };
    };
    let own = match kind.as_ref() {
        "agent_event" => time.exists() && event.get("type").is_string(),
        "hook_event" => record.get("hookEventName").is_string(),
        "run_start" => record.get("providerId").is_string() && record.get("modelId").is_string(),
        "run_result" => record.get("finishReason").is_string(),
        "task_started" => record.get("taskId").is_string(),
        "say" | "ask" => time.number().is_some() && record.get(&kind).is_string(),
        "team_event" | "team_restored" | "run_abort_requested" | "run_aborted" => {
            return Match::Weak;
        }
        "error" if record.get("message").is_string() => return Match::Weak,
        _ => return Match::No,
    };
    if own { Match::Own } else { Match::No }
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    events: events::Events,
    says: says::Says,
    /// What was read last is the file of a conversation.
    conversation: bool,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, time] = record.pick(["type", "ts"]);
        let Some(kind) = kind.decode() else {
            let document = session::document(record);
            self.conversation = document == Some(session::Document::Messages);
            match document {
                Some(session::Document::Messages) => session::messages(record, out),
                Some(session::Document::State) => session::state(record, out),
                None => {}
            }
            return;
        };
        self.conversation = false;
        out.time(time);
        match kind.as_ref() {
            "task_started" | "say" | "ask" | "error" => self.says.record(&kind, record, out),
            _ => self.events.record(&kind, record, out),
        }
    }

    fn has_end(&self) -> bool {
        !self.conversation
    }
}

fn notice(level: Level, code: Code, message: Option<Text<'_>>) -> Notice<'_> {
    Notice { level, code, message, ..Notice::default() }
}
