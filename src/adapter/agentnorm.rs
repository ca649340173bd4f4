//! agentnorm's own output. How it is read stands in `read`: each line once, from its source.

use super::{Dialect, Match};
use crate::format::event::EventType;
use crate::json::Value;
use crate::json::place::{PieceAt, Places};

pub(super) const DIALECT: Dialect = Dialect {
    name: "agentnorm",
    summary: "agentnorm's own output, read again from the source of each line",
    detect,
    ..Dialect::BASE
};

const WHOSE: &[&str] =
    &["payload.of", "payload.index", "payload.callId", "payload.parentCallId", "payload.messageId"];
const AMID: &[&[(&str, &str)]] = &[&[("type", "notice")], &[("type", "usage")], &[("type", "raw")]];

/// Where the records that have no source hold pieces: of the others the source is read, which is
/// redacted as what it is.
pub(crate) static PLACES: Places = Places {
    rows: &[PieceAt::piece(
        "\"delta\"",
        &[("type", "delta"), ("source", "")],
        "payload.text",
        WHOSE,
    )],
    amid: AMID,
    ..Places::NONE
};

/// Where the records hold pieces for those who read the payload.
pub(crate) static PAYLOADS: Places = Places {
    rows: &[PieceAt::piece("\"delta\"", &[("type", "delta")], "payload.text", WHOSE)],
    amid: AMID,
    ..Places::NONE
};

/// Tells a record of ours by a type of the vocabulary and an object `payload`.
fn detect(record: Value<'_>) -> Match {
    let [kind, payload] = record.pick(["type", "payload"]);
    if event_type(kind).is_some() && payload.is_object() { Match::Own } else { Match::No }
}

/// Returns the type of the vocabulary that `kind` names.
pub(crate) fn event_type(kind: Value<'_>) -> Option<EventType> {
    kind.decode().and_then(|name| EventType::from_name(&name))
}
