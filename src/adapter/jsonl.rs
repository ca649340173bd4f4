//! A harness that speaks the vocabulary itself: `type` is lifted out, every other key becomes the
//! payload, unchanged and byte for byte.
//!
//! ```json
//! {"type":"message","role":"assistant","text":"Done."}
//! ```

use std::collections::HashSet;

use super::{Adapt, Dialect, Match};
use crate::format::batch::Batch;
use crate::format::event::EventType;
use crate::format::write::{Json, Name};
use crate::json::place::{PieceAt, Places};
use crate::json::{Str, Value};

pub(super) const DIALECT: Dialect = Dialect {
    name: "jsonl",
    summary: "the harness speaks this vocabulary itself",
    detect,
    places: &PLACES,
    ..Dialect::BASE
};

static PLACES: Places = Places {
    rows: &[PieceAt::piece(
        "\"delta\"",
        &[("type", "delta")],
        "text",
        &["of", "index", "callId", "parentCallId", "messageId"],
    )],
    amid: &[&[("type", "notice")], &[("type", "usage")], &[("type", "raw")]],
    ..Places::NONE
};

/// Types that no other dialect uses. The one-word types (`message`, `usage`, …) prove nothing.
fn detect(record: Value<'_>) -> Match {
    let [kind, payload] = record.pick(["type", "payload"]);
    let ours = ["session.started", "session.ended", "session.title", "tool.call", "tool.result"];
    match event_type(kind).filter(|_| !payload.exists()) {
        Some(_) if ours.iter().any(|name| kind.is(name)) => Match::Own,
        Some(_) => Match::Weak,
        None => Match::No,
    }
}

fn event_type(kind: Value<'_>) -> Option<EventType> {
    kind.decode().and_then(|name| EventType::from_name(&name))
}

#[derive(Debug, Default)]
pub(crate) struct Adapter;

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let Some(kind) = event_type(record.get("type")) else { return };
        let mut members: Vec<(Str<'_>, Value<'_>)> =
            record.members().filter(|(key, _)| !key.is("type")).collect();
        // The last of those with the same key stands.
        let mut seen = HashSet::with_capacity(members.len());
        members.reverse();
        members.retain(|(key, _)| seen.insert(key.decode()));
        members.reverse();
        // What no repair makes strict leaves the whole line raw.
        let payload: Option<Vec<_>> = members
            .into_iter()
            .map(|(key, value)| Some((Name::from(key), Json::mended(value)?)))
            .collect();
        if let Some(payload) = payload {
            out.copy(kind, payload.into_iter());
        }
    }
}
