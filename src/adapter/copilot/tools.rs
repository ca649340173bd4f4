//! GitHub Copilot CLI's own tools, 1.0.102 and the published lists of others. Models of GPT's family get
//! `apply_patch` and `rg` in place of `edit`, `create` and `grep`.

use crate::adapter::tool::Arg::{Patch, Str};
use crate::adapter::tool::{self, Tools};
use crate::format::event::Act::{
    Agent, Ask, Edit, Execute, Fetch, Plan, Read, Search, SwitchMode, Think,
};
use crate::format::event::ToolCall;
use crate::json::Value;

pub(super) const TOOLS: Tools = Tools {
    acts: &[
        ("bash", Execute, &[Str("command")]),
        ("powershell", Execute, &[Str("command")]),
        ("view", Read, &[Str("path")]),
        ("create", Edit, &[Str("path")]),
        ("edit", Edit, &[Str("path")]),
        (EDITOR, Edit, &[Str("path")]),
        ("apply_patch", Edit, &[Patch("")]),
        ("grep", Search, &[Str("pattern")]),
        ("rg", Search, &[Str("pattern")]),
        ("glob", Search, &[Str("pattern")]),
        ("web_fetch", Fetch, &[Str("url")]),
        ("web_search", Fetch, &[Str("query")]),
        ("task", Agent, &[Str("description")]),
        ("update_todo", Plan, &[]),
        ("ask_user", Ask, &[Str("question")]),
        ("exit_plan_mode", SwitchMode, &[]),
        ("think", Think, &[]),
    ],
    others: &[
        // The list of what is to do is rows of a table, but so is anything else.
        "sql",
        "read_bash",
        "stop_bash",
        "list_bash",
        "write_bash",
        "read_powershell",
        "stop_powershell",
        "list_powershell",
        "write_powershell",
        "list_agents",
        "read_agent",
        "write_agent",
        "skill",
        "session_store_sql",
        "fetch_copilot_cli_documentation",
        "report_intent",
        "store_memory",
        "task_complete",
        "show_file",
    ],
};

/// The older tool that reads or edits, as its first argument says.
const EDITOR: &str = "str_replace_editor";

/// Says what a call does.
pub(super) fn does<'a>(name: &str, input: Value<'a>) -> ToolCall<'a> {
    let call = tool::does(TOOLS, name, input);
    if views(name, input) { ToolCall { kind: Some(Read), ..call } } else { call }
}

/// Whether a call of the older tool only reads.
pub(super) fn views(name: &str, input: Value<'_>) -> bool {
    name == EDITOR && input.get("command").is("view")
}
