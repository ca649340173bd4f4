//! The tools of cline 3.0.65, whose arguments are lists mostly, and what 2.18.0 calls the same in its
//! messages: there a command is a text, and the other tools are JSON in one.

use crate::adapter::tool::Arg::{Each, Lines, Str};
use crate::adapter::tool::Tools;
use crate::format::event::Act::{
    Agent, Ask, Delete, Edit, Execute, Fetch, Plan, Read, Search, SwitchMode,
};

pub(super) const TOOLS: Tools = Tools {
    acts: &[
        ("run_commands", Execute, &[Lines("commands")]),
        ("read_files", Read, &[Each("files", "path")]),
        ("editor", Edit, &[Str("path")]),
        ("apply_patch", Edit, &[]),
        ("search_codebase", Search, &[Lines("queries")]),
        ("fetch_web_content", Fetch, &[Each("requests", "url")]),
        ("spawn_agent", Agent, &[Str("task")]),
        ("ask_question", Ask, &[Str("question")]),
        ("switch_to_act_mode", SwitchMode, &[]),
        ("team_spawn_teammate", Agent, &[Str("rolePrompt")]),
        ("team_run_task", Agent, &[Str("task")]),
        ("team_task", Plan, &[Str("title")]),
        // Version 2.
        ("execute_command", Execute, &[Str("")]),
        ("readFile", Read, &[Str("path")]),
        ("newFileCreated", Edit, &[Str("path")]),
        ("editedExistingFile", Edit, &[Str("path")]),
        ("fileDeleted", Delete, &[Str("path")]),
        ("listFilesTopLevel", Search, &[Str("path")]),
        ("listFilesRecursive", Search, &[Str("path")]),
        ("listCodeDefinitionNames", Search, &[Str("path")]),
        ("searchFiles", Search, &[Str("regex")]),
        // Their `path` is the address or the query.
        ("webFetch", Fetch, &[Str("path")]),
        ("webSearch", Fetch, &[Str("path")]),
    ],
    others: &[
        "team_status",
        "team_send_message",
        "team_broadcast",
        "team_read_mailbox",
        "team_mission_log",
        "team_await_runs",
        "team_list_runs",
        "team_cancel_run",
        "team_shutdown_teammate",
        "team_cleanup",
        "team_create_outcome",
        "team_attach_outcome_fragment",
        "team_review_outcome_fragment",
        "team_finalize_outcome",
        "team_list_outcomes",
        "skills",
        "submit_and_exit",
        "useSkill",
        "summarizeTask",
    ],
};
