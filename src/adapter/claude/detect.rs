//! Whether a record is Claude Code's.
//!
//! qwen and amp print the same lines, droid, copilot and cursor-agent some that look alike. What
//! only Claude prints is named here; everything else of its shape is [`Match::Shared`] where the
//! shape says enough, and [`Match::Weak`] where only the type fits.

use crate::adapter::Match;
use crate::json::Value;

pub(in crate::adapter) fn detect(record: Value<'_>) -> Match {
    let [kind, subtype, message, event, uuid, session, kept] =
        record.pick(["type", "subtype", "message", "event", "uuid", "session_id", "sessionId"]);
    if kept.is_string() || kind.is("summary") || kind.is("file-history-snapshot") {
        return file(record, kind, message);
    }
    let Some(kind) = kind.decode() else { return Match::No };
    let named = uuid.is_string() && session.is_string();
    let shared = |shape: bool| if shape || named { Match::Shared } else { Match::Weak };
    let own = |proof: bool, shape: bool| if proof { Match::Own } else { shared(shape) };
    match &*kind {
        "system" => match subtype.decode() {
            Some(subtype) => own(system(record, &subtype), &*subtype == "init"),
            None => Match::No,
        },
        "assistant" | "user" => {
            let content = message.get("content");
            let list = content.is_array() || content.is_string();
            if message.is_object() {
                own(record.get("tool_use_result").exists(), list)
            } else {
                Match::No
            }
        }
        "result" => {
            let [cost, models, is_error, turns] =
                record.pick(["total_cost_usd", "modelUsage", "is_error", "num_turns"]);
            let shape = subtype.is_string() && (is_error.bool().is_some() || turns.is_some());
            if !subtype.is_string() && !cost.exists() && !models.is_object() {
                // So short a form is only known from those who wrote it themselves.
                let ends = is_error.bool().is_some() || record.get("result").is_string();
                return if ends { Match::Weak } else { Match::No };
            }
            own(cost.exists() || models.is_object(), shape)
        }
        "stream_event" => own(
            record.get("api_message_id").exists(),
            event.get("type").decode().is_some_and(|kind| is_api_event(&kind)),
        ),
        "rate_limit_event" => own(record.get("rate_limit_info").is_object(), false),
        "conversation_reset" => own(record.get("new_conversation_id").is_string(), false),
        "command_lifecycle" => own(record.get("command_uuid").is_string(), false),
        "tool_use_summary" => own(record.get("preceding_tool_use_ids").is_array(), false),
        "tool_progress" => own(record.get("elapsed_time_seconds").is_some(), false),
        "prompt_suggestion" => own(named && record.get("suggestion").is_string(), false),
        "control_request" => shared(record.get("request").get("subtype").is_string()),
        "control_response" => shared(record.get("response").get("subtype").is_string()),
        "control_cancel_request" => shared(record.get("request_id").is_string()),
        "active_goal" | "auth_status" | "keep_alive" | "error" => Match::Weak,
        kind if is_api_event(kind) => Match::Weak,
        // The list of types grows; what never changes is that a record has both ids.
        _ if named => Match::Shared,
        _ => Match::No,
    }
}

/// Whether the record is one of a session file.
fn file(record: Value<'_>, kind: Value<'_>, message: Value<'_>) -> Match {
    let [sidechain, parent, payload, leaf, id] =
        record.pick(["isSidechain", "parentUuid", "systemPayload", "leafUuid", "messageId"]);
    let talk = sidechain.exists()
        && parent.exists()
        && !payload.exists()
        && !message.get("parts").exists();
    let kind = kind.decode().unwrap_or_default();
    let own = match &*kind {
        "summary" => leaf.is_string(),
        "file-history-snapshot" => id.is_string(),
        kind => talk || FILE_TYPES.contains(&kind) && record.get("sessionId").is_string(),
    };
    if own { Match::Own } else { Match::No }
}

/// The types of records that only a session file has, beside the conversation.
pub(super) const FILE_TYPES: [&str; 23] = [
    "agent-name",
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "atis-latch",
    "bridge-session",
    "cost-state",
    "custom-title",
    "file-history-delta",
    "file-history-snapshot",
    "frame-link",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "queue-operation",
    "relocated",
    "started",
    "summary",
    "tag",
    "tools-used",
    "worktree-state",
];

fn system(record: Value<'_>, subtype: &str) -> bool {
    let has = |key: &str| record.get(key).exists();
    match subtype {
        "init" => {
            // 1.x does not state its version.
            has("claude_code_version")
                || ["tools", "permissionMode", "slash_commands", "apiKeySource"]
                    .into_iter()
                    .all(has)
        }
        "task_started" | "task_progress" | "task_updated" | "task_notification" => has("task_id"),
        "background_tasks_changed" => has("tasks"),
        "compact_boundary" => has("compact_metadata"),
        "api_retry" => has("retry_delay_ms"),
        "session_title_changed" => has("title"),
        "hook_started" | "hook_progress" | "hook_response" => has("hook_id"),
        "permission_denied" => has("tool_use_id"),
        "model_fallback" | "model_refusal_fallback" | "model_refusal_no_fallback" => {
            has("original_model")
        }
        _ => false,
    }
}

pub(super) fn is_api_event(kind: &str) -> bool {
    matches!(
        kind,
        "message_start"
            | "message_delta"
            | "message_stop"
            | "content_block_start"
            | "content_block_delta"
            | "content_block_stop"
            | "ping"
    )
}
