//! Claude Code, `--output-format stream-json --verbose`.

use super::{Adapt, Dialect, Flags, Match};
use crate::batch::Batch;
use crate::json::Value;

pub(super) const JSON: Dialect = Dialect {
    name: "claude-json",
    summary: "Claude Code, stream-json output",
    detect,
    arrays: true,
    commands: &["claude", "@anthropic-ai/claude-code"],
    flags: &[OUTPUT],
    ..Dialect::BASE
};

pub(super) const STREAM: Dialect = Dialect {
    name: "claude-stream",
    summary: "Claude Code, stream-json output and input",
    arrays: false,
    flags: &[OUTPUT, INPUT],
    ..JSON
};

/// Without `--verbose` Claude Code refuses stream-json.
const OUTPUT: Flags = Flags {
    behind: None,
    unless: &["--output-format"],
    add: &["--output-format", "stream-json", "--verbose"],
};

const INPUT: Flags = Flags {
    behind: None,
    unless: &["--output-format", "--input-format"],
    add: &["--input-format", "stream-json"],
};

fn detect(record: Value<'_>) -> Match {
    let kind = record.get("type");
    let known = ["system", "assistant", "user", "result", "stream_event"];
    if known.iter().any(|k| kind.is(k)) { Match::Shared } else { Match::No }
}

#[derive(Debug, Default)]
pub(crate) struct Adapter;

impl Adapt for Adapter {
    fn record(&mut self, _record: Value<'_>, _out: &mut Batch) {}
}
