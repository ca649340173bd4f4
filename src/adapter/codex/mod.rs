//! Codex CLI, `codex exec --json`: every form that a version printed.
//!
//! ```text
//! present, 0.44 to 0.171      {"type":"thread.started","thread_id":"01a2…"}
//!                             {"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"Done."}}
//!                             {"type":"turn.completed","usage":{"input_tokens":9300,"cached_input_tokens":3100,…}}
//! experimental, 0.42          {"type":"session.created","session_id":"01a2…"}
//!                             {"type":"item.completed","item":{"id":"item_0","item_type":"assistant_message","text":"Done."}}
//! legacy, 0.20 to 0.42        {"model":"gpt-5","workdir":"/srv/app","provider":"openai","sandbox":"read-only",…}
//!                             {"prompt":"demo task"}
//!                             {"id":"0","msg":{"type":"agent_message","message":"Done."}}
//! proto, 0.42 `codex proto`   {"id":"","msg":{"type":"session_configured","session_id":"01a2…","model":"gpt-5-codex",…}}
//! ```
//!
//! The structure tells them apart. Session files are a further form ([`rollout`]). JSON-RPC of `codex
//! app-server` is another dialect: its lines stay `raw`.
//!
//! - A process is one turn, and its item ids start at `item_0` (0.171 `resume_2_second`): what is
//!   remembered by id ends where the next process starts.
//! - The present form's usage is the thread's running total: 0.171 `resume_1`, `_2`, `_3` print 1000,
//!   6000 and 10000 for turns of 1000, 5000 and 4000. Up to 0.60 it counts the process, and three
//!   keys do not tell the version (see `usage`).
//! - A retry and the final failure are both a top-level `error`; only `turn.failed` ends (0.171
//!   `http_500_then_ok`). The experimental and the legacy form print no end at all.
//! - An item that never completes is normal (0.129 `shell_half_second`, any signal): its call stays
//!   open.

mod files;
mod items;
mod legacy;
mod notices;
mod rollout;
mod seen;
mod title;
mod tools;
mod usage;
mod words;

use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::Batch;
use crate::format::event::{Message, SessionEnded, SessionStarted, Status};
use crate::format::write::{Name, Text};
use crate::json::Value;
use crate::json::place::{Holds, PieceAt, Places};
use items::{Items, Phase};
use legacy::Legacy;
use rollout::Rollout;
use usage::Totals;
use words::{HARNESS, words};

pub(super) const DIALECT: Dialect = Dialect {
    name: "codex",
    summary: "Codex CLI, exec --json, and session files",
    recorded: "Codex CLI 0.20 to 0.171 (13 versions)",
    carries: Carries { session_id: true, model: false, tokens: true, cost: false, end: true },
    detect,
    tools: tools::TOOLS,
    commands: &["codex"],
    flags: &[
        Flags {
            behind: Some("exec"),
            unless: &["--json", "--experimental-json"],
            add: &["--json"],
        },
        // Its short name.
        Flags {
            behind: Some("e"),
            unless: &["exec", "--json", "--experimental-json"],
            add: &["--json"],
        },
    ],
    title: Some(title::TITLE),
    left_raw: &[
        "agent_reasoning_section_break",
        "task_started",
        "token_count",
        "turn.started",
        "turn_diff",
        // Session files: second tellings, context for the model, settings.
        "event_msg/agent_message",
        "event_msg/agent_reasoning",
        "event_msg/agent_reasoning_raw_content",
        "event_msg/agent_reasoning_section_break",
        "event_msg/collab_agent_spawn_end",
        "event_msg/collab_close_end",
        "event_msg/collab_waiting_end",
        "event_msg/context_compacted",
        "event_msg/dynamic_tool_call_request",
        "event_msg/dynamic_tool_call_response",
        "event_msg/entered_review_mode",
        "event_msg/exec_command_end",
        "event_msg/exited_review_mode",
        "event_msg/guardian_assessment",
        "event_msg/image_generation_end",
        "event_msg/item_completed",
        "event_msg/mcp_tool_call_end",
        "event_msg/patch_apply_end",
        "event_msg/sub_agent_activity",
        "event_msg/task_complete",
        "event_msg/task_started",
        "event_msg/thread_goal_updated",
        "event_msg/thread_rolled_back",
        "event_msg/thread_settings_applied",
        "event_msg/token_count",
        "event_msg/turn_aborted",
        "event_msg/undo_completed",
        "event_msg/user_message",
        "event_msg/view_image_tool_call",
        "event_msg/web_search_end",
        "inter_agent_communication_metadata",
        "message",
        "response_item/agent_message",
        "response_item/custom_tool_call",
        "response_item/custom_tool_call_output",
        "response_item/function_call",
        "response_item/function_call_output",
        "response_item/ghost_snapshot",
        "response_item/image_generation_call",
        "response_item/message",
        "response_item/reasoning",
        "response_item/web_search_call",
        "session_meta",
        "token_usage_record",
        "turn_context",
        "world_state",
        "{record_type}",
    ],
    places: &PLACES,
    ..Dialect::BASE
};

/// Texts come whole so far each time; the older protocol sends pieces.
static PLACES: Places = Places {
    rows: &[
        PieceAt::so_far("item.updated", &[("type", "item.updated")], "item.text"),
        PieceAt::so_far("item.updated", &[("type", "item.updated")], "item.aggregated_output"),
        PieceAt::so_far("item.started", &[("type", "item.started")], "item.aggregated_output"),
        PieceAt::piece(
            "_delta",
            &[("msg.type", "agent_message_delta")],
            "msg.delta",
            &["msg.type"],
        ),
        PieceAt::piece(
            "_delta",
            &[("msg.type", "agent_reasoning_delta")],
            "msg.delta",
            &["msg.type"],
        ),
        PieceAt::piece(
            "_delta",
            &[("msg.type", "agent_reasoning_raw_content_delta")],
            "msg.delta",
            &["msg.type"],
        ),
        PieceAt {
            mark: "_delta",
            when: &[("msg.type", "exec_command_output_delta")],
            text: "msg.chunk",
            whose: &["msg.call_id", "msg.stream"],
            holds: Holds::Encoded,
        },
        // The app server's events are read raw, but they are pieces all the same.
        PieceAt::piece(
            "\"method\"",
            &[("method", "item/agentMessage/delta")],
            "params.delta",
            ITEM,
        ),
        PieceAt::piece(
            "\"method\"",
            &[("method", "item/reasoning/textDelta")],
            "params.delta",
            ITEM,
        ),
        PieceAt::piece(
            "\"method\"",
            &[("method", "item/reasoning/summaryTextDelta")],
            "params.delta",
            ITEM,
        ),
        PieceAt::piece(
            "\"method\"",
            &[("method", "item/commandExecution/outputDelta")],
            "params.delta",
            ITEM,
        ),
        PieceAt::piece(
            "\"method\"",
            &[("method", "item/fileChange/outputDelta")],
            "params.delta",
            ITEM,
        ),
        PieceAt::piece("\"method\"", &[("method", "item/plan/delta")], "params.delta", ITEM),
        PieceAt::piece("item.plan.delta", &[("type", "item.plan.delta")], "delta", &["item_id"]),
    ],
    amid: &[&[("msg.type", "token_count")], &[("method", "thread/tokenUsage/updated")]],
    ..Places::NONE
};
const ITEM: &[&str] = &["params.threadId", "params.itemId", "params.summaryIndex"];

/// The start, an item, an end, a legacy message or the legacy header prove the dialect. A bare
/// `turn.started`, `error` or `prompt` does not.
fn detect(record: Value<'_>) -> Match {
    let [kind, item, msg, method] = record.pick(["type", "item", "msg", "method"]);
    if method.exists() {
        return Match::No;
    }
    let Some(kind) = kind.str() else {
        return detect_untyped(record, msg);
    };
    let kind = kind.decode();
    let own = match kind.as_ref() {
        "thread.started" => record.get("thread_id").is_string(),
        "session.created" => record.get("session_id").is_string(),
        "item.started" | "item.created" | "item.updated" | "item.completed" => {
            let [id, new, old] = item.pick(["id", "type", "item_type"]);
            id.is_string() && (new.is_string() || old.is_string())
        }
        "turn.completed" => record.get("usage").get("cached_input_tokens").exists(),
        "turn.failed" => record.get("error").get("message").is_string(),
        "error" => return if record.get("message").exists() { Match::Weak } else { Match::No },
        other => {
            let ours = ["thread.", "turn.", "item."].iter().any(|prefix| other.starts_with(prefix));
            return if ours { Match::Weak } else { rollout::detect(other, record) };
        }
    };
    if own { Match::Own } else { Match::Weak }
}

fn detect_untyped(record: Value<'_>, msg: Value<'_>) -> Match {
    let [kind, id, prompt] = record.pick(["type", "id", "prompt"]);
    if kind.exists() {
        Match::No
    } else if rollout::is_untyped(record) {
        Match::Own
    } else if msg.get("type").is_string() {
        if id.is_string() { Match::Own } else { Match::Weak }
    } else if is_header(record) {
        Match::Own
    } else if prompt.is_string() && record.members().nth(1).is_none() {
        Match::Weak
    } else {
        Match::No
    }
}

/// Whether the record is the line that opens a legacy stream. Its keys come in random order.
fn is_header(record: Value<'_>) -> bool {
    let keys = record.pick(["model", "workdir", "provider", "sandbox"]);
    keys.iter().all(|value| value.is_string())
}

/// The form that the stream has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Form {
    #[default]
    Present,
    Experimental,
    Legacy,
    Proto,
    Rollout,
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    form: Form,
    items: Items,
    legacy: Legacy,
    totals: Totals,
    rollout: Box<Rollout>,
    /// The thread whose counter runs.
    thread: Option<String>,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, item, msg, usage, error, message] =
            record.pick(["type", "item", "msg", "usage", "error", "message"]);
        let Some(kind) = kind.str() else {
            return self.untyped(record, msg, out);
        };
        match kind.decode().as_ref() {
            "item.completed" => self.item(Phase::Completed, record, item, out),
            "item.started" | "item.created" => self.item(Phase::Started, record, item, out),
            "item.updated" => self.item(Phase::Updated, record, item, out),
            "thread.started" => self.start(Form::Present, record.get("thread_id"), out),
            "session.created" => self.start(Form::Experimental, record.get("session_id"), out),
            "turn.completed" | "turn.failed" => {
                if usage.is_object() {
                    out.push(self.totals.turn(usage));
                }
                // No recorded version says so, but the SDK of one language does.
                let failed = record.get("status").is("failed") || error.is_some();
                if kind.is("turn.completed") && !failed {
                    return out.push(SessionEnded::default());
                }
                let stated = error.get("message");
                let error = words(if stated.exists() { stated } else { error });
                out.push(SessionEnded {
                    status: Status::Failed,
                    summary: error.clone(),
                    error,
                    ..SessionEnded::default()
                });
            }
            "error" => {
                let stated = if message.exists() { message } else { error };
                out.push(notices::error(stated));
            }
            kind => self.filed(kind, record, out),
        }
    }

    fn has_end(&self) -> bool {
        match self.form {
            Form::Present | Form::Proto => true,
            Form::Experimental | Form::Legacy => false,
            Form::Rollout => self.rollout.has_end(),
        }
    }
}

impl Adapter {
    /// A process starts: alone, or behind another one's output.
    fn start(&mut self, form: Form, id: Value<'_>, out: &mut Batch) {
        self.form = form;
        self.items.restart();
        let id = id.decode().filter(|id| !id.is_empty());
        if self.thread.is_none() || self.thread.as_deref() != id.as_deref() {
            self.totals.restart();
            self.thread = id.as_deref().map(str::to_owned);
        }
        out.push(windowed(SessionStarted {
            harness: Some(Name::from(HARNESS)),
            session_id: id.map(Name::from),
            ..SessionStarted::default()
        }));
    }

    fn item(&mut self, phase: Phase, record: Value<'_>, item: Value<'_>, out: &mut Batch) {
        let [new, old] = item.pick(["type", "item_type"]);
        if old.is_string() {
            self.form = Form::Experimental;
        }
        let kind = if old.is_string() { old } else { new };
        let Some(kind) = kind.decode() else { return };
        self.items.read(phase, &kind, item, out);
        let text = matches!(kind.as_ref(), "agent_message" | "assistant_message" | "reasoning");
        if text && phase != Phase::Completed && !out.is_handled() {
            // A text's start and a snapshot with nothing new: only a stream with snapshots has them.
            out.framing(record);
        }
    }

    /// Reads a line of a session file.
    fn filed(&mut self, kind: &str, record: Value<'_>, out: &mut Batch) {
        match rollout::detect(kind, record) {
            Match::Own => self.form = Form::Rollout,
            _ if self.form == Form::Rollout => {}
            _ => return,
        }
        self.rollout.read(kind, record, out);
    }

    fn untyped(&mut self, record: Value<'_>, msg: Value<'_>, out: &mut Batch) {
        if rollout::is_untyped(record) {
            self.form = Form::Rollout;
            return self.rollout.untyped(record, out);
        }
        if let Some(kind) = msg.get("type").decode() {
            match kind.as_ref() {
                "session_configured" => {
                    self.form = Form::Proto;
                    self.thread = None;
                }
                _ if self.form != Form::Proto => self.form = Form::Legacy,
                _ => {}
            }
            self.legacy.read(&kind, msg, &mut self.totals, out);
        } else if is_header(record) {
            self.form = Form::Legacy;
            self.thread = None;
            self.legacy.header(record, &mut self.totals, out);
        } else {
            let prompt = record.get("prompt");
            if let Some(text) = Text::filled(prompt).filter(|_| record.members().nth(1).is_none()) {
                out.push(Message {
                    role: Some(Name::from("user")),
                    text: Some(text),
                    ..Message::default()
                });
            }
        }
    }
}

#[cfg(test)]
mod tests;
