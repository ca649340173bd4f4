//! The tools of `OpenHands` 1.16 and of older versions. Its editors read where their `command` is `view`.

use crate::adapter::tool::Arg::{Patch, Str};
use crate::adapter::tool::Tools;
use crate::format::event::Act::{Agent, Edit, Execute, Fetch, Plan, Read, Search, Think};

pub(super) const TOOLS: Tools = Tools {
    acts: &[
        ("terminal", Execute, &[Str("command")]),
        ("execute_bash", Execute, &[Str("command")]),
        ("file_editor", Edit, &[Str("path")]),
        ("planning_file_editor", Edit, &[Str("path")]),
        ("str_replace_editor", Edit, &[Str("path")]),
        ("apply_patch", Edit, &[Patch("patch")]),
        ("read_file", Read, &[Str("file_path")]),
        ("write_file", Edit, &[Str("file_path")]),
        ("edit", Edit, &[Str("file_path")]),
        ("list_directory", Search, &[Str("dir_path")]),
        ("glob", Search, &[Str("pattern")]),
        ("grep", Search, &[Str("pattern")]),
        ("browser_navigate", Fetch, &[Str("url")]),
        ("browser_get_content", Fetch, &[]),
        ("browser_get_state", Fetch, &[]),
        ("task", Agent, &[Str("description"), Str("prompt")]),
        ("delegate", Agent, &[]),
        ("task_tracker", Plan, &[]),
        ("think", Think, &[]),
    ],
    others: &[
        "finish",
        "invoke_skill",
        "browser_click",
        "browser_type",
        "browser_scroll",
        "browser_go_back",
        "browser_list_tabs",
        "browser_switch_tab",
        "browser_close_tab",
        "browser_get_storage",
        "browser_set_storage",
        "browser_start_recording",
        "browser_stop_recording",
        "tom_consult",
        "sleeptime_compute",
    ],
};
