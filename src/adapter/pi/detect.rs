//! Which records are pi's.

use super::session;
use crate::adapter::Match;
use crate::json::Value;

pub(super) fn detect(record: Value<'_>) -> Match {
    let [kind, message, event] = record.pick(["type", "message", "assistantMessageEvent"]);
    let Some(kind) = kind.decode() else { return Match::No };
    let own = match kind.as_ref() {
        "session" => {
            let [version, id, cwd] = record.pick(["version", "id", "cwd"]);
            version.number().is_some() && id.is_string() && cwd.is_string()
        }
        // Anthropic's own `message_start` has a message of `type` message.
        "message_start" | "message_end" => {
            let [role, kind] = message.pick(["role", "type"]);
            role.is_string() && !kind.exists()
        }
        "message_update" => event.is_object(),
        "tool_execution_start" | "tool_execution_update" | "tool_execution_end" => {
            record.get("toolCallId").is_string()
        }
        "turn_end" => message.is_object() && record.get("toolResults").is_array(),
        "agent_end" => record.get("messages").is_array(),
        "auto_compaction_start" => record.get("reason").is_string(),
        "agent_settled" | "auto_compaction_end" => record.get("aborted").bool().is_some(),
        "auto_retry_start" => record.get("maxAttempts").number().is_some(),
        "response" => {
            let [command, success] = record.pick(["command", "success"]);
            command.is_string() && success.bool().is_some()
        }
        "message" => session::is_message(record, message),
        "model_change" | "thinking_level_change" | "session_info" | "compaction"
            if record.get("parentId").exists() =>
        {
            return Match::Weak;
        }
        "agent_start"
        | "turn_start"
        | "retry_fallback_applied"
        | "retry_fallback_succeeded"
        | "auto_retry_end"
        | "compaction_start"
        | "compaction_end"
        | "queue_update"
        | "entry_appended"
        | "session_info_changed"
        | "thinking_level_changed"
        | "bash_execution_update"
        | "extension_error"
        | "extension_ui_request" => {
            return Match::Weak;
        }
        _ => return Match::No,
    };
    if own { Match::Own } else { Match::No }
}
