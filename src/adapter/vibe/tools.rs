//! Vibe's own tools, 3.0.2 and 2.9.0. Version 3 has three names for one call: the printed one, the same
//! with other arguments in its files, and the one that the model is offered, which is version 2's.

use crate::adapter::tool::Arg::{Each, Str};
use crate::adapter::tool::Tools;
use crate::format::event::Act::{Agent, Ask, Edit, Execute, Fetch, Plan, Read, Search, SwitchMode};

pub(super) const TOOLS: Tools = Tools {
    acts: &[
        ("file_system.bash", Execute, &[Str("command")]),
        ("file_system.read_file", Read, &[Str("filePath"), Str("path")]),
        ("file_system.write_file", Edit, &[Str("filePath"), Str("path")]),
        ("file_system.search_replace", Edit, &[Str("filePath"), Str("file_path")]),
        ("bash", Execute, &[Str("command")]),
        ("read_file", Read, &[Str("path"), Str("file_path")]),
        ("write_file", Edit, &[Str("path"), Str("file_path")]),
        ("edit", Edit, &[Str("file_path")]),
        ("search_replace", Edit, &[Str("file_path")]),
        ("process.start", Execute, &[Str("command")]),
        ("powershell", Execute, &[Str("command")]),
        ("git_bash", Execute, &[Str("command")]),
        ("run_typescript", Execute, &[Str("code")]),
        ("grep", Search, &[Str("pattern")]),
        ("web_search", Fetch, &[Str("query")]),
        ("connector_web_search.web_search", Fetch, &[Str("query")]),
        ("web_fetch", Fetch, &[Str("url")]),
        ("connector_web_search.open_url", Fetch, &[Str("url")]),
        ("vibe.todo", Plan, &[]),
        ("todo", Plan, &[]),
        ("agents.spawn", Agent, &[Str("task")]),
        ("subagent.spawn", Agent, &[Str("task")]),
        ("task", Agent, &[Str("task")]),
        ("ui.ask_user_question", Ask, &[Each("questions", "question")]),
        ("ask_user_question", Ask, &[Each("questions", "question")]),
        ("exit_plan_mode", SwitchMode, &[]),
    ],
    others: &[
        "process.output",
        "process.write",
        "process.list",
        "process.stop",
        "agents.list",
        "agents.list_configs",
        "agents.send_message",
        "agents.interrupt",
        "self.wait",
        "self.sleep",
        "skill.read",
        "vibe.cron",
        "vibe.unified_harness_scratchpad",
        "skill",
        "search_tool_functions",
        "unified_harness_scratchpad",
        "wait",
    ],
};
