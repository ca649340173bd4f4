//! What the lines of session files look like.

use crate::adapter::Match;
use crate::json::Value;

/// Whether a record is a line of a session file.
pub(in crate::adapter::codex) fn detect(kind: &str, record: Value<'_>) -> Match {
    let [timestamp, payload] = record.pick(["timestamp", "payload"]);
    let enveloped = matches!(
        kind,
        "session_meta"
            | "response_item"
            | "event_msg"
            | "turn_context"
            | "compacted"
            | "world_state"
            | "token_usage_record"
    );
    if enveloped && timestamp.is_string() && payload.is_object() {
        return Match::Own;
    }
    // A bare item of 0.20.
    let [role, content, call_id, summary] = record.pick(["role", "content", "call_id", "summary"]);
    let bare = match kind {
        "message" => role.is_string() && content.is_array(),
        "function_call" | "function_call_output" => call_id.is_string(),
        "reasoning" => summary.is_array(),
        _ => false,
    };
    if bare { Match::Weak } else { Match::No }
}

/// Whether a record without a type is a line of a session file: the first of 0.20, a mark between its others,
/// or a line of the list of names.
pub(in crate::adapter::codex) fn is_untyped(record: Value<'_>) -> bool {
    let [id, timestamp, instructions, state, title, updated] = record.pick([
        "id",
        "timestamp",
        "instructions",
        "record_type",
        "thread_name",
        "updated_at",
    ]);
    let first = timestamp.is_string() && instructions.exists();
    state.is("state") || id.is_string() && (first || title.is_string() && updated.is_string())
}
