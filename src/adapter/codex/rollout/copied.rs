//! The records that a fork's file begins with: copies of its parent's.
//!
//! To 0.145 a fork, and a subagent that was given its parent's context, begins with its own `session_meta`, the
//! parent's, and the parent's records, all with new times. Where its own begin is said by the first turn that
//! is its own (0.129 `x-tty-fork`). From 0.150 on nothing is copied: `history_base` says where it begins.

use jiff::Timestamp;

use crate::json::Value;

/// The envelope times of copies lie no further apart than this, in seconds.
const BURST: i64 = 2;

/// Where the copies of a file are.
#[derive(Debug, Default)]
pub(super) struct Copied {
    /// The file's own session.
    id: String,
    /// When it began, and when its first line was written, in seconds.
    began: Option<i64>,
    written: Option<i64>,
    /// A turn was started in what was copied.
    turns: bool,
}

impl Copied {
    /// What a file begins with whose `session_meta` stands in `record`, if it may begin with copies.
    pub(super) fn of(record: Value<'_>, meta: Value<'_>) -> Option<Self> {
        let [id, forked, parent, base, source, timestamp] = meta.pick([
            "id",
            "forked_from_id",
            "parent_thread_id",
            "history_base",
            "source",
            "timestamp",
        ]);
        let spawned = source.get("subagent").get("thread_spawn").is_object();
        let derived = forked.is_string() || parent.is_string() || spawned;
        (derived && !base.is_some()).then(|| Self {
            id: id.owned().unwrap_or_default(),
            began: second(timestamp),
            written: second(record.get("timestamp")),
            turns: false,
        })
    }

    /// Whether a record is the file's own, and all behind it.
    pub(super) fn is_over(&mut self, record: Value<'_>, payload: Value<'_>) -> bool {
        let [kind, turn, started] = payload.pick(["type", "turn_id", "started_at"]);
        let late = match (second(record.get("timestamp")), self.written) {
            (Some(now), Some(first)) => now > first.saturating_add(BURST),
            _ => false,
        };
        if !kind.is("task_started") {
            // Versions that start no turns say nothing else of where the copies end.
            return late && !self.turns;
        }
        self.turns = true;
        let turn = turn.decode().unwrap_or_default();
        if is_timed(&turn) && is_timed(&self.id) {
            // Ids of version 7 sort by their times.
            return *turn >= *self.id;
        }
        match (started.i64(), self.began) {
            (Some(started), Some(began)) => started >= began,
            _ => late,
        }
    }
}

/// Whether an id is a UUID of version 7.
fn is_timed(id: &str) -> bool {
    id.len() == 36 && id.as_bytes().get(14) == Some(&b'7')
}

fn second(time: Value<'_>) -> Option<i64> {
    time.decode()?.parse::<Timestamp>().ok().map(Timestamp::as_second)
}
