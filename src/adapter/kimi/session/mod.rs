//! The session files of both programs, each `wire.jsonl`: what went over the wire between the agent and
//! its views. Neither names its session: the path does, and Kimi Code's `state.json` two folders up.

mod code;
mod older;

use crate::adapter::Match;
use crate::json::Value;

pub(super) use code::Code;
pub(super) use older::Older;

/// The types of Kimi Code's records that nothing else has. Others look like any program's log.
const OWN: [&str; 10] = [
    "agent.message.appended",
    "context.append_loop_event",
    "context.append_message",
    "llm.request",
    "profile.bind",
    "runtime.set_binding",
    "token_counting.measured",
    "turn.prompt",
    "turn.steer",
    "usage.record",
];

/// Whose file a record is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Kimi Code's.
    Code,
    /// Kimi CLI's.
    Older,
}

/// The file that names the session of Kimi Code's file of that name.
pub(super) fn beside(name: &str) -> Option<String> {
    (name == "wire.jsonl").then(|| "../../state.json".to_owned())
}

/// What a record of a file looks like. The first line of Kimi CLI's says too little to be its own.
pub(super) fn form(record: Value<'_>) -> Option<(Form, Match)> {
    let [kind, time, protocol, created] =
        record.pick(["type", "time", "protocol_version", "created_at"]);
    let [timestamp, message] = record.pick(["timestamp", "message"]);
    if kind.is("metadata") && protocol.is_string() {
        let code = created.number().is_some();
        return Some(if code { (Form::Code, Match::Own) } else { (Form::Older, Match::Weak) });
    }
    let [inner, payload] = message.pick(["type", "payload"]);
    if timestamp.number().is_some() && inner.is_string() && payload.is_object() && !kind.exists() {
        return Some((Form::Older, Match::Own));
    }
    let dotted = kind.str().is_some_and(|kind| kind.raw().contains('.'));
    let sure = if OWN.iter().any(|own| kind.is(own)) { Match::Own } else { Match::Weak };
    (dotted && time.number().is_some()).then_some((Form::Code, sure))
}
