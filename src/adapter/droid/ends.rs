//! The records that end a run, and the total that they state.

use crate::adapter::outcome::says_failed;
use crate::adapter::running::Running;
use crate::format::batch::Batch;
use crate::format::event::{SessionEnded, SessionUsage, Status};
use crate::format::tokens::Tokens;
use crate::format::write::{Name, Text};
use crate::json::Value;

pub(super) fn completion(record: Value<'_>, spent: &mut Running, out: &mut Batch) {
    let [text, turns, duration, counts] =
        record.pick(["finalText", "numTurns", "durationMs", "usage"]);
    usage(counts, turns, duration, spent, out);
    let failed = says_failed(record);
    let text = Text::filled(text);
    out.push(SessionEnded {
        status: if failed { Status::Failed } else { Status::Succeeded },
        error: text.clone().filter(|_| failed),
        summary: text,
        ..SessionEnded::default()
    });
}

/// The only line of `-o json`.
pub(super) fn single(record: Value<'_>, spent: &mut Running, out: &mut Batch) {
    let [subtype, text, turns, duration, counts] =
        record.pick(["subtype", "result", "num_turns", "duration_ms", "usage"]);
    usage(counts, turns, duration, spent, out);
    let failed = says_failed(record) || !subtype.is("success");
    let text = Text::filled(text);
    out.push(SessionEnded {
        status: if failed { Status::Failed } else { Status::Succeeded },
        // The text of a run that failed is the error's message.
        error: text.clone().filter(|_| failed),
        summary: text,
        reason: Name::filled(subtype).filter(|_| failed),
        ..SessionEnded::default()
    });
}

fn usage(
    counts: Value<'_>,
    turns: Value<'_>,
    duration: Value<'_>,
    spent: &mut Running,
    out: &mut Batch,
) {
    if !counts.is_object() {
        return;
    }
    let [input, output, cache_read, cache_creation, reasoning] = counts
        .pick([
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
            "thinking_tokens",
        ])
        .map(Value::count);
    out.push(spent.process(SessionUsage {
        turns: turns.count(),
        duration_ms: duration.number(),
        ..Tokens { input, output, cache_read, cache_creation, reasoning }.into()
    }));
}
