//! amp, `-x … --stream-json` (and `--stream-json-thinking`): Claude's dialect, less of it. Read after
//! the public SDK types and help text; no run was recorded.
//!
//! ```json
//! {"type":"system","subtype":"init","cwd":"…","session_id":"T-…","tools":[…],"mcp_servers":[{"name":"…","status":"connected"}]}
//! {"type":"assistant","message":{"id":"…","model":"…","content":[…],"stop_reason":"tool_use","usage":{…}},"parent_tool_use_id":null,"session_id":"T-…"}
//! {"type":"result","subtype":"error_during_execution","is_error":true,"error":"…","duration_ms":1,"num_turns":1,"session_id":"T-…"}
//! ```
//!
//! The thread's id is the session's. A failed end has `error` instead of `result`, denials are
//! strings, and there is no cost and no partial message.

use super::claude::{self, Flavor};
use super::tool::Arg::{Patch, Str};
use super::tool::Tools;
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::format::batch::Batch;
use crate::format::event::Act::{Agent, Delete, Edit, Execute, Fetch, Plan, Read, Search};
use crate::json::Value;

pub(super) const DIALECT: Dialect = Dialect {
    name: "amp",
    summary: "amp, --stream-json output",
    recorded: "none: read after the public SDK types",
    carries: Carries { session_id: true, model: true, tokens: true, cost: false, end: true },
    detect,
    session: &["session_id"],
    tools: TOOLS,
    commands: &["amp"],
    flags: &[Flags {
        behind: None,
        unless: &["--stream-json", "--stream-json-thinking"],
        add: &["--stream-json"],
    }],
    ..Dialect::BASE
};

/// amp's own tools, after its published lists and prompts of 2025 and January 2026.
const TOOLS: Tools = Tools {
    acts: &[
        ("Bash", Execute, &[Str("cmd")]),
        ("shell_command", Execute, &[]),
        ("repl", Execute, &[]),
        ("Read", Read, &[Str("path")]),
        ("read_file", Read, &[Str("path")]),
        ("look_at", Read, &[Str("path")]),
        ("edit_file", Edit, &[Str("path")]),
        ("create_file", Edit, &[Str("path")]),
        ("undo_edit", Edit, &[Str("path")]),
        ("format_file", Edit, &[Str("path")]),
        ("apply_patch", Edit, &[Patch("")]),
        ("delete_file", Delete, &[Str("path")]),
        ("glob", Search, &[Str("filePattern")]),
        ("Glob", Search, &[Str("filePattern")]),
        ("Grep", Search, &[Str("pattern")]),
        ("list_directory", Search, &[Str("path")]),
        ("finder", Search, &[Str("query")]),
        ("codebase_search_agent", Search, &[Str("query")]),
        ("web_search", Fetch, &[Str("query"), Str("objective")]),
        ("read_web_page", Fetch, &[Str("url")]),
        ("Task", Agent, &[Str("description")]),
        ("oracle", Agent, &[Str("task")]),
        ("librarian", Agent, &[Str("query")]),
        ("kraken", Agent, &[]),
        ("reviewer", Agent, &[]),
        ("code_review", Agent, &[]),
        ("todo_write", Plan, &[]),
        ("todo_read", Plan, &[]),
        ("task_list", Plan, &[]),
    ],
    others: &[
        "get_diagnostics",
        "diff",
        "mermaid",
        "skill",
        "handoff",
        "read_thread",
        "find_thread",
        "painter",
        "Check",
        "walkthrough",
        "walkthrough_diagram",
        "diff_review",
        "file_review",
        "read_mcp_resource",
        "search_documents",
        "get_document",
        "read_github",
        "search_github",
        "commit_search",
        "list_directory_github",
        "list_repositories",
        "glob_github",
    ],
};

fn detect(record: Value<'_>) -> Match {
    match claude::detect(record) {
        Match::No => Match::No,
        Match::Own => Match::Weak,
        common => {
            let session = record.get("session_id").str();
            let thread = session.is_some_and(|session| session.raw().starts_with("T-"));
            if thread { Match::Own } else { common }
        }
    }
}

#[derive(Debug)]
pub(crate) struct Adapter(claude::Adapter);

impl Default for Adapter {
    fn default() -> Self {
        Self(claude::Adapter::default().of(Flavor::Amp, DIALECT.tools))
    }
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        self.0.record(record, out);
    }

    fn inherit(&mut self, common: claude::Adapter) {
        self.0 = common.of(Flavor::Amp, DIALECT.tools);
    }
}
