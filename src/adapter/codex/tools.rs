//! Codex's own tools: the names that its stream gives them, and those by which the model calls them, which
//! stand in session files. Read off recorded calls, the tool lists of its requests (0.150, 0.171) and its
//! package (0.80, 0.129, 0.171).

use crate::adapter::tool::Arg::{Argv, Each, Keys, Lines, Patch, Shell, Str};
use crate::adapter::tool::Tools;
use crate::format::event::Act::{Agent, Ask, Edit, Execute, Fetch, Plan, Read, Search};

pub(super) const TOOLS: Tools = Tools {
    acts: &[
        // A string with a shell around it in the stream, a list in the legacy form, an object in files.
        ("shell", Execute, &[Argv("command"), Argv(""), Shell("")]),
        ("container.exec", Execute, &[Argv("command")]),
        ("shell_command", Execute, &[Str("command")]),
        ("exec_command", Execute, &[Str("cmd")]),
        ("local_shell", Execute, &[Argv("command")]),
        // A list of changes in the stream, the patch itself in files.
        ("apply_patch", Edit, &[Patch(""), Patch("input"), Each("", "path")]),
        ("view_image", Read, &[Str("path")]),
        ("read_file", Read, &[Str("file_path")]),
        ("list_dir", Search, &[Str("dir_path")]),
        ("grep_files", Search, &[Str("pattern")]),
        ("web_search", Fetch, &[Lines("queries"), Str("query"), Str("url"), Str("")]),
        ("update_plan", Plan, &[]),
        ("spawn_agent", Agent, &[Str("message"), Str("prompt")]),
        ("spawn_agents_on_csv", Agent, &[]),
        ("request_user_input", Ask, &[Each("questions", "question")]),
    ],
    others: &[
        "artifacts",
        "close_agent",
        "create_goal",
        "exec",
        "followup_task",
        "get_context_remaining",
        "get_goal",
        "image_generation",
        "imagegen",
        "interrupt_agent",
        "list_agents",
        "list_available_plugins_to_install",
        "list_mcp_resource_templates",
        "list_mcp_resources",
        "new_context_window",
        "read_mcp_resource",
        "report_agent_job_result",
        "request_permissions",
        "request_plugin_install",
        "resume_agent",
        "send_input",
        "send_message",
        "test_sync_tool",
        "tool_search",
        "update_goal",
        "wait",
        "wait_agent",
        "write_stdin",
    ],
};

/// A patch that is told by what it changes: an object whose keys are the paths.
pub(super) const CHANGES: Tools =
    Tools { acts: &[("apply_patch", Edit, &[Keys("")])], others: &[] };
