//! qwen-code, `--output-format stream-json` (and `json`, an array), recorded with 0.24.4: Claude's
//! dialect with a version key of its own.
//!
//! ```json
//! {"type":"system","subtype":"init","uuid":"…","session_id":"…","cwd":"…","tools":[…],"model":"…","qwen_code_version":"0.24.4",…}
//! {"type":"stream_event",…,"event":{"type":"goal_state","goal_state":{…}}}
//! {"type":"assistant",…,"message":{"id":"…","content":[…],"usage":{"input_tokens":1200,"output_tokens":50,"cache_read_input_tokens":1000,"total_tokens":1250}}}
//! {"type":"result","subtype":"success","is_error":false,"num_turns":2,"result":"…","usage":{…},"permission_denials":[]}
//! ```
//!
//! Each kind of block is a line with a message id of its own, and only the last line of a model turn
//! has counts. What Claude prints beside `subtype` stands in `data`.
//!
//! Usage: input contains what was read from the cache (the recording text: 1200 with 1000 cached and
//! 50 of output have a `total_tokens` of 1250). The `usage` of a result is the session's, earlier
//! processes and hidden side calls included (the recordings multi and resume); its `num_turns` and
//! `duration_ms` are of one turn. Session files are another form ([`chat`]).

mod chat;
mod tools;

use super::claude::{self, Flavor};
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::format::batch::Batch;
use crate::json::Value;
use chat::Chat;

pub(super) const DIALECT: Dialect = Dialect {
    name: "qwen",
    summary: "qwen-code, stream-json or json output, and session files",
    recorded: "qwen-code 0.24.4",
    carries: Carries { session_id: true, model: true, tokens: true, cost: false, end: true },
    detect,
    session: &["session_id", "sessionId"],
    tools: tools::TOOLS,
    arrays: true,
    commands: &["qwen"],
    flags: &[Flags {
        behind: None,
        unless: &["--output-format", "-o"],
        add: &["--output-format", "stream-json"],
    }],
    beside: chat::beside,
    left_raw: &[
        "stream_event/goal_state",
        // Session files: what was told before, settings, snapshots.
        "system/attribution_snapshot",
        "system/custom_title",
        "system/file_history_snapshot",
        "system/rewind",
        "system/session_artifact_snapshot",
        "system/slash_command",
        "system/ui_telemetry",
    ],
    places: &claude::PLACES,
    ..Dialect::BASE
};

fn detect(record: Value<'_>) -> Match {
    if chat::detect(record) == Match::Own {
        return Match::Own;
    }
    let common = match claude::detect(record) {
        Match::No => return Match::No,
        Match::Own => return Match::Weak,
        common => common,
    };
    let [subtype, data, event, message, usage, version] =
        record.pick(["subtype", "data", "event", "message", "usage", "qwen_code_version"]);
    let counted = [message.get("usage"), usage].into_iter().any(|u| u.get("total_tokens").exists());
    let own = version.exists()
        || event.get("goal_state").exists()
        || counted
        || subtype.is("retry") && data.get("discardedToolCalls").exists()
        || data.get("task_id").exists();
    if own { Match::Own } else { common }
}

#[derive(Debug)]
pub(crate) struct Adapter {
    stream: claude::Adapter,
    /// The reading of a session file, where this is one.
    chat: Option<Box<Chat>>,
    /// The call that started the subagent whose file this is.
    call: Option<String>,
}

impl Default for Adapter {
    fn default() -> Self {
        Self {
            stream: claude::Adapter::default().of(Flavor::Qwen, tools::TOOLS),
            chat: None,
            call: None,
        }
    }
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        if record.get("parentUuid").exists() && chat::detect(record) == Match::Own {
            let call = self.call.as_deref();
            return self.chat.get_or_insert_default().read(record, call, out);
        }
        self.stream.record(record, out);
    }

    fn beside(&mut self, _name: &str, beside: Value<'_>) {
        self.call = beside.get("toolUseId").owned();
    }

    fn has_end(&self) -> bool {
        self.chat.is_none()
    }

    fn inherit(&mut self, common: claude::Adapter) {
        self.stream = common.of(Flavor::Qwen, tools::TOOLS);
    }
}
