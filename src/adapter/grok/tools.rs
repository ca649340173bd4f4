//! Grok's own tools, as the package 1.0.41 and its user guide name them. Which of them it has goes by the
//! model. What only the binary shows has no target.

use crate::adapter::tool::Arg::{Each, Patch, Str};
use crate::adapter::tool::Tools;
use crate::format::event::Act::{Agent, Ask, Edit, Execute, Fetch, Plan, Read, Search, SwitchMode};

pub(super) const TOOLS: Tools = Tools {
    acts: &[
        ("run_terminal_command", Execute, &[Str("command")]),
        ("run_terminal_cmd", Execute, &[Str("command")]),
        ("monitor", Execute, &[]),
        ("read_file", Read, &[Str("target_file"), Str("path"), Str("file_path")]),
        ("hashline_read", Read, &[Str("target_file"), Str("path"), Str("file_path")]),
        ("search_replace", Edit, &[Str("file_path")]),
        ("hashline_edit", Edit, &[]),
        ("write", Edit, &[]),
        ("apply_patch", Edit, &[Patch("patch")]),
        ("grep", Search, &[Str("pattern")]),
        ("hashline_grep", Search, &[Str("pattern")]),
        ("list_dir", Search, &[Str("target_directory")]),
        ("lsp", Search, &[]),
        ("web_search", Fetch, &[Str("query")]),
        ("web_fetch", Fetch, &[Str("url")]),
        ("spawn_subagent", Agent, &[Str("description")]),
        ("todo_write", Plan, &[]),
        ("ask_user_question", Ask, &[Each("questions", "question")]),
        ("enter_plan_mode", SwitchMode, &[]),
        ("exit_plan_mode", SwitchMode, &[]),
    ],
    others: &[
        "get_command_or_subagent_output",
        "get_task_output",
        "wait_commands_or_subagents",
        "wait_tasks",
        "kill_command_or_subagent",
        "kill_task",
        "scheduler_create",
        "scheduler_list",
        "scheduler_delete",
        "memory_search",
        "memory_get",
        "skill",
        "search_tool",
        "use_tool",
        "update_goal",
        "workflow",
        "image_gen",
        "image_edit",
        "image_to_video",
        "video_gen",
    ],
};
