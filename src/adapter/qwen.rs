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
//! `duration_ms` are of one turn.

use super::claude::{self, Flavor};
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::format::batch::Batch;
use crate::json::Value;

pub(super) const DIALECT: Dialect = Dialect {
    name: "qwen",
    summary: "qwen-code, stream-json or json output",
    recorded: "qwen-code 0.24.4",
    carries: Carries { session_id: true, model: true, tokens: true, cost: false, end: true },
    detect,
    arrays: true,
    commands: &["qwen"],
    flags: &[Flags {
        behind: None,
        unless: &["--output-format", "-o"],
        add: &["--output-format", "stream-json"],
    }],
    left_raw: &["stream_event/goal_state"],
    places: &claude::PLACES,
    ..Dialect::BASE
};

fn detect(record: Value<'_>) -> Match {
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
pub(crate) struct Adapter(claude::Adapter);

impl Default for Adapter {
    fn default() -> Self {
        Self(claude::Adapter::default().of(Flavor::Qwen))
    }
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        self.0.record(record, out);
    }

    fn inherit(&mut self, common: claude::Adapter) {
        self.0 = common.of(Flavor::Qwen);
    }
}
