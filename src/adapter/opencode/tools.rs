//! opencode's own tools, 1.0.185 to 1.18.33, and those of Kilo 7.7.7. An MCP server's tool has a name
//! like any other: only the table tells.

use crate::adapter::tool::Arg::{Each, Patch, Str};
use crate::adapter::tool::Tools;
use crate::format::event::Act::{Agent, Ask, Edit, Execute, Fetch, Plan, Read, Search, SwitchMode};

pub(super) const TOOLS: Tools = Tools {
    acts: &[
        ("bash", Execute, &[Str("command")]),
        ("read", Read, &[Str("filePath")]),
        ("write", Edit, &[Str("filePath")]),
        ("edit", Edit, &[Str("filePath")]),
        ("multiedit", Edit, &[Str("filePath")]),
        ("patch", Edit, &[Patch("patchText")]),
        ("apply_patch", Edit, &[Patch("patchText")]),
        ("glob", Search, &[Str("pattern")]),
        ("grep", Search, &[Str("pattern")]),
        ("list", Search, &[Str("path")]),
        // It asks a service on the web.
        ("codesearch", Fetch, &[Str("query")]),
        ("lsp", Search, &[Str("filePath")]),
        ("webfetch", Fetch, &[Str("url")]),
        ("websearch", Fetch, &[Str("query")]),
        ("task", Agent, &[Str("description")]),
        ("todowrite", Plan, &[]),
        ("todoread", Plan, &[]),
        ("question", Ask, &[Each("questions", "question")]),
        ("plan_enter", SwitchMode, &[]),
        ("plan_exit", SwitchMode, &[]),
        ("semantic_search", Search, &[Str("query")]),
        (BACKGROUND, Execute, &[Str("command")]),
        ("notebook_read", Read, &[]),
        ("notebook_edit", Edit, &[]),
        ("notebook_execute", Execute, &[]),
        ("repo_overview", Read, &[Str("path")]),
    ],
    others: &[
        "skill",
        // The calls inside it are parts of their own.
        "batch",
        "invalid",
        "execute",
        "agent_manager",
        "agent_manager_models",
        "goal_report",
        "chart",
        "open_plan",
        "repo_clone",
        "generate_image",
        "kilo_local_recall",
        "kilo_memory_recall",
        "kilo_memory_save",
        "board_post",
        "board_read",
        "browser_open",
        "send_file",
        "notify_user",
        "schedule_wakeup",
        "cancel_wakeup",
        "suggest",
    ],
};

/// Kilo's tool for what runs on: only a call with a command starts something.
pub(super) const BACKGROUND: &str = "background_process";
