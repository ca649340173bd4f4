//! Where Claude Code keeps the names of its sessions.

use crate::adapter::{Named, Pointing, TitleFile};

/// Claude Code's transcripts. Its stream never states the name it generates.
///
/// Recorded with 2.1.332: `ai-title` and `custom-title` lines, each repeated at the end of a run;
/// `summary` lines are known from the code of 2.0.76 and 1.0.128 and from public reports.
pub(super) const TITLE: TitleFile = TitleFile {
    home: "CLAUDE_CONFIG_DIR",
    default: ".claude",
    path: "projects/*/'{id}'.jsonl",
    lines: &["\"type\":\"summary\"", "\"type\":\"ai-title\"", "\"type\":\"custom-title\""],
    // The summary of another session stands at the head of many files.
    pointing: Some(Pointing { line: "\"type\":\"summary\"", from: "leafUuid", to: "uuid" }),
    read: |record| {
        let [kind, session, summary, ai, custom] =
            record.pick(["type", "sessionId", "summary", "aiTitle", "customTitle"]);
        let kind = kind.decode()?;
        let (rank, title) = match &*kind {
            "summary" => (0, summary),
            "ai-title" => (1, ai),
            "custom-title" => (2, custom),
            _ => return None,
        };
        Some(Named { session, title, rank })
    },
};
