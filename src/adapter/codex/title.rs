//! Where Codex keeps the names of its threads.

use crate::adapter::{Named, TitleFile};

/// Codex's list of named threads, which exists once a person has named one. A thread that is renamed
/// gets another line (recorded with 0.129 and 0.171).
pub(super) const TITLE: TitleFile = TitleFile {
    home: "CODEX_HOME",
    default: ".codex",
    path: "session_index.jsonl",
    lines: &["\"id\":\"{id}\""],
    pointing: None,
    read: |record| {
        let [session, title] = record.pick(["id", "thread_name"]);
        Some(Named { session, title, rank: 0 })
    },
};
