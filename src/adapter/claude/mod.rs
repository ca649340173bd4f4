//! Claude Code, `--output-format stream-json --verbose` (and `json`), recorded with 1.0.128, 2.1.197
//! and 2.1.332.
//!
//! ```json
//! {"type":"system","subtype":"init","cwd":"/workspace/demo","session_id":"…","tools":["Bash"],"model":"claude-opus-5-5",…}
//! {"type":"assistant","message":{"id":"msg_…","content":[{"type":"tool_use",…}],"usage":{…}},"parent_tool_use_id":null,…}
//! {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_…","content":"…"}]},"tool_use_result":{…}}
//! {"type":"result","subtype":"success","is_error":false,"usage":{…},"modelUsage":{…},"total_cost_usd":0.01,…}
//! ```
//!
//! Each content block of a message is a line of its own, and all of them repeat the message's `id`
//! and `usage` (2.1.332 parallel): a call is counted once ([`calls`]). `modelUsage` is the running
//! total ([`totals`]; 2.1.332 multi-turn and clear prove it).
//!
//! qwen and amp print the same dialect with differences that [`Flavor`] names.

mod background;
mod calls;
mod detect;
mod ends;
mod messages;
mod notices;
mod partial;
mod plan;
mod results;
mod session;
mod stated;
mod title;
mod tools;
mod totals;
mod window;
mod words;

use super::recent::{Id, Recent};
use super::tool::Tools;
use super::written::Writing;
use super::{Adapt, Carries, Dialect, Flags};
use crate::format::batch::Batch;
use crate::json::Value;
use crate::json::place::{PieceAt, Places};

pub(super) use detect::detect;
use tools::TOOLS;

pub(super) const JSON: Dialect = Dialect {
    name: "claude-json",
    summary: "Claude Code, stream-json or json output",
    recorded: "Claude Code 1.0.128, 2.1.197, 2.1.332",
    carries: Carries { session_id: true, model: true, tokens: true, cost: true, end: true },
    detect,
    session: &["session_id"],
    tools: TOOLS,
    arrays: true,
    commands: &["claude", "@anthropic-ai/claude-code"],
    flags: &[Flags {
        behind: None,
        unless: &["--output-format"],
        add: &["--output-format", "stream-json", "--verbose"],
    }],
    beside: session::beside,
    title: Some(title::TITLE),
    window: window::of,
    left_raw: &[
        "agent-name",
        "api-request",
        "api-request-blob",
        "api-request-shape",
        "atis-latch",
        "attachment",
        "bridge-session",
        "command_lifecycle",
        "control_cancel_request",
        "control_request",
        "control_response",
        "conversation_reset",
        "custom-title",
        "ai-title",
        "file-history-delta",
        "file-history-snapshot",
        "frame-link",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "prompt_suggestion",
        "queue-operation",
        "relocated",
        "started",
        "summary",
        "system/away_summary",
        "system/bridge_status",
        "system/commands_changed",
        "system/control_request_progress",
        "system/hook_progress",
        "system/hook_response",
        "system/hook_started",
        "system/local_command",
        "system/microcompact_boundary",
        "system/session_state_changed",
        "system/status",
        "system/stop_hook_summary",
        "system/thinking_tokens",
        "system/turn_duration",
        "system/ui_invalidate",
        "tool_progress",
        "tool_use_summary",
        "tools-used",
        "worktree-state",
    ],
    places: &PLACES,
    ..Dialect::BASE
};

/// Pieces come as events of the API, in a wrapper or bare.
pub(super) static PLACES: Places = Places {
    rows: &[
        PieceAt::piece(DELTA, &[("event.type", DELTA)], "event.delta.text", WRAPPED),
        PieceAt::piece(DELTA, &[("event.type", DELTA)], "event.delta.thinking", WRAPPED),
        PieceAt::piece(DELTA, &[("event.type", DELTA)], "event.delta.partial_json", WRAPPED),
        PieceAt::piece(DELTA, &[("type", DELTA)], "delta.text", &["index"]),
        PieceAt::piece(DELTA, &[("type", DELTA)], "delta.thinking", &["index"]),
        PieceAt::piece(DELTA, &[("type", DELTA)], "delta.partial_json", &["index"]),
    ],
    amid: &[
        &[("event.type", "ping")],
        &[("type", "ping")],
        &[("type", "system"), ("subtype", "status")],
        &[("type", "system"), ("subtype", "thinking_tokens")],
        &[("type", "system"), ("subtype", "task_started")],
        &[("type", "system"), ("subtype", "task_progress")],
        &[("type", "system"), ("subtype", "task_notification")],
        &[("type", "system"), ("subtype", "hook_started")],
        &[("type", "system"), ("subtype", "hook_progress")],
        &[("type", "system"), ("subtype", "hook_response")],
        &[("type", "rate_limit_event")],
        &[("type", "tool_progress")],
    ],
    speaker: "parent_tool_use_id",
    ..Places::NONE
};
const DELTA: &str = "content_block_delta";
const WRAPPED: &[&str] = &["session_id", "parent_tool_use_id", "event.index"];

pub(super) const STREAM: Dialect = Dialect {
    name: "claude-stream",
    summary: "Claude Code, stream-json output and input",
    arrays: false,
    flags: &[Flags {
        behind: None,
        unless: &["--output-format"],
        add: &["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"],
    }],
    ..JSON
};

/// Which harness prints the dialect.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavor {
    #[default]
    Claude,
    Qwen,
    Amp,
}

impl Flavor {
    fn harness(self) -> &'static str {
        match self {
            Flavor::Claude => "claude-code",
            Flavor::Qwen => "qwen-code",
            Flavor::Amp => "amp",
        }
    }

    fn version_key(self) -> &'static str {
        match self {
            Flavor::Claude => "claude_code_version",
            Flavor::Qwen => "qwen_code_version",
            Flavor::Amp => "version",
        }
    }

    /// Whether `input_tokens` contains what was read from the cache.
    fn gross_input(self) -> bool {
        self == Flavor::Qwen
    }

    /// Whether the `usage` of a result is the session's, and its turns and duration are a turn's.
    fn adds_turns(self) -> bool {
        self == Flavor::Qwen
    }

    /// Whether each line of a message has an id of its own.
    fn splits_messages(self) -> bool {
        self == Flavor::Qwen
    }

    /// The exit status that a command's output states in the harness's fixed form.
    fn exit_code(self, output: Value<'_>, failed: bool) -> Option<i64> {
        let raw = output.str()?.raw();
        let code = match self {
            // `Exit code N`, and what the command printed on the lines behind it (the recording
            // bash-fail).
            Flavor::Claude if failed => raw.strip_prefix("Exit code ")?,
            // A block whose last lines are these (the recording 0.24.4 failing).
            Flavor::Qwen => {
                let (_, end) = raw.strip_prefix("Command: ")?.rsplit_once("\\nExit Code: ")?;
                let (_, rest) = end.split_once("\\nSignal: ")?;
                rest.contains("\\nProcess Group PGID: ").then_some(end)?
            }
            _ => return None,
        };
        let (code, _) = code.split_once("\\n").unwrap_or((code, ""));
        code.parse().ok().filter(|code| (0..=255).contains(code))
    }
}

/// What was printed last of a session.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Printed {
    #[default]
    Nothing,
    Work,
    End,
}

/// The reading of a stream.
#[derive(Debug, Default)]
pub(crate) struct Adapter {
    flavor: Flavor,
    /// The tools of a harness that is not Claude Code.
    tools: Option<Tools>,
    /// The session that was announced last.
    session: Option<Id>,
    /// How often the process announced a turn.
    inits: u64,
    /// The sessions that were announced.
    sessions: Recent<()>,
    printed: Printed,
    /// `num_turns` runs on over the turns.
    runs_on: bool,
    calls: calls::Calls,
    totals: totals::Totals,
    streams: partial::Streams,
    background: background::Background,
    plan: plan::Plan,
    /// The calls whose results are awaited.
    pending: Recent<plan::Pending>,
    writing: Writing,
    kept: session::Kept,
    /// The calls that are known to have been denied.
    denials: Recent<()>,
    /// A rate limit was announced to have been hit; the error that follows repeats it.
    limited: bool,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, subtype, message, parent, event, time, sidechain] = record.pick([
            "type",
            "subtype",
            "message",
            "parent_tool_use_id",
            "event",
            "timestamp",
            "isSidechain",
        ]);
        let Some(kind) = kind.decode() else { return };
        if sidechain.exists() {
            return self.kept(record, &kind, out);
        }
        let spoken = matches!(&*kind, "assistant" | "user" | "stream_event");
        if spoken {
            self.printed = Printed::Work;
        }
        if !spoken {
            out.time(time);
        }
        match &*kind {
            "assistant" => self.assistant(record, message, out),
            "user" => self.user(record, message, out),
            "system" => self.system(record, subtype, out),
            "result" => self.result(record, subtype, out),
            "stream_event" => self.event(record, parent, Some(event), out),
            "rate_limit_event" => self.rate_limit(record, out),
            "control_response" => Self::control_response(record, out),
            "conversation_reset" => self.totals.restart(),
            "error" => Self::error(record, out),
            kind if detect::is_api_event(kind) => self.event(record, parent, None, out),
            kind => self.kept_beside(record, kind, out),
        }
    }

    fn beside(&mut self, name: &str, beside: Value<'_>) {
        self.kept.beside(name, beside);
    }

    fn has_end(&self) -> bool {
        !self.kept.is_file()
    }

    fn inherit(&mut self, common: Adapter) {
        *self = common;
    }
}

impl Adapter {
    /// The reading of another harness's form, which goes on where this one stands.
    pub(super) fn of(self, flavor: Flavor, tools: Tools) -> Self {
        Adapter { flavor, tools: Some(tools), ..self }
    }

    fn tools(&self) -> Tools {
        self.tools.unwrap_or(TOOLS)
    }

    fn event(
        &mut self,
        record: Value<'_>,
        parent: Value<'_>,
        event: Option<Value<'_>>,
        out: &mut Batch,
    ) {
        let gross = self.flavor.gross_input();
        self.streams.event(record, parent, event, gross, &mut self.calls, out);
    }
}
