//! The tools of goose's own extensions, as its public source names them. Newer versions print some of them
//! without the extension's name. What was not read in the source has no target.

use crate::adapter::tool::Arg::Str;
use crate::adapter::tool::Tools;
use crate::format::event::Act::{Agent, Edit, Execute, Fetch, Plan, Read, Search};

pub(super) const TOOLS: Tools = Tools {
    acts: &[
        ("shell", Execute, &[Str("command")]),
        ("developer__shell", Execute, &[Str("command")]),
        ("write", Edit, &[Str("path")]),
        ("edit", Edit, &[Str("path")]),
        ("tree", Search, &[Str("path")]),
        ("read_image", Read, &[]),
        // It reads where its `command` is `view`.
        ("developer__text_editor", Edit, &[Str("path")]),
        ("developer__analyze", Read, &[Str("path")]),
        ("analyze", Read, &[Str("path")]),
        ("developer__image_processor", Read, &[]),
        ("computercontroller__web_scrape", Fetch, &[]),
        ("computercontroller__automation_script", Execute, &[]),
        ("delegate", Agent, &[Str("instructions"), Str("source")]),
        ("subagent", Agent, &[]),
        ("subagent__execute_task", Agent, &[]),
        ("dynamic_task__create_task", Agent, &[]),
        ("todo__todo_write", Plan, &[]),
        ("todo__todo_read", Plan, &[]),
    ],
    others: &[
        "developer__screen_capture",
        "developer__list_windows",
        "screen_capture",
        "list_windows",
        "load",
        "chatrecall__chatrecall",
        "extensionmanager__manage_extensions",
        "extensionmanager__search_available_extensions",
        "extensionmanager__list_resources",
        "extensionmanager__read_resource",
        "platform__manage_schedule",
        "recipe__final_output",
        "apps__create_app",
        "execute_typescript",
        "list_functions",
        "get_function_details",
    ],
};
