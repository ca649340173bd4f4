//! Gemini CLI's own tools, 0.30 and 0.61: recorded calls, the lists in its requests, its package. The names of
//! MCP tools have no sign of their own in 0.30.

use crate::adapter::tool::Arg::{Each, Lines, Str};
use crate::adapter::tool::Tools;
use crate::format::event::Act::{Agent, Ask, Edit, Execute, Fetch, Plan, Read, Search, SwitchMode};

pub(super) const TOOLS: Tools = Tools {
    acts: &[
        ("run_shell_command", Execute, &[Str("command")]),
        ("read_file", Read, &[Str("file_path"), Str("absolute_path")]),
        ("read_many_files", Read, &[Lines("include"), Lines("paths")]),
        ("write_file", Edit, &[Str("file_path")]),
        ("replace", Edit, &[Str("file_path")]),
        ("glob", Search, &[Str("pattern")]),
        ("grep_search", Search, &[Str("pattern")]),
        ("search_file_content", Search, &[Str("pattern")]),
        ("list_directory", Search, &[Str("dir_path"), Str("path")]),
        ("web_fetch", Fetch, &[Str("url"), Str("prompt")]),
        ("google_web_search", Fetch, &[Str("query")]),
        ("invoke_agent", Agent, &[Str("prompt")]),
        ("codebase_investigator", Agent, &[]),
        ("write_todos", Plan, &[]),
        ("tracker_create_task", Plan, &[Str("title")]),
        ("tracker_update_task", Plan, &[Str("title")]),
        ("tracker_get_task", Plan, &[]),
        ("tracker_list_tasks", Plan, &[]),
        ("tracker_add_dependency", Plan, &[]),
        ("tracker_visualize", Plan, &[]),
        ("ask_user", Ask, &[Each("questions", "question")]),
        ("enter_plan_mode", SwitchMode, &[]),
        ("exit_plan_mode", SwitchMode, &[]),
    ],
    others: &[
        "activate_skill",
        "complete_task",
        "get_internal_docs",
        "list_background_processes",
        "list_mcp_resources",
        "read_background_output",
        "read_mcp_resource",
        "save_memory",
        "take_snapshot",
        "update_topic",
    ],
};
