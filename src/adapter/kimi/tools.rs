//! The tools of Kimi Code (2.1.0) and of Kimi CLI (1.43.0), as recorded calls, the lists in requests and
//! the packages name them. The names that both have mean the same.

use crate::adapter::tool::Arg::{Each, Str};
use crate::adapter::tool::Tools;
use crate::format::event::Act::{
    Agent, Ask, Edit, Execute, Fetch, Plan, Read, Search, SwitchMode, Think,
};

pub(super) const TOOLS: Tools = Tools {
    acts: &[
        ("Bash", Execute, &[Str("command")]),
        ("Read", Read, &[Str("path")]),
        ("ReadMediaFile", Read, &[Str("path")]),
        ("Write", Edit, &[Str("path")]),
        ("Edit", Edit, &[Str("path")]),
        ("Glob", Search, &[Str("pattern")]),
        ("Grep", Search, &[Str("pattern")]),
        ("FetchURL", Fetch, &[Str("url")]),
        ("WebSearch", Fetch, &[Str("query")]),
        ("Agent", Agent, &[Str("description")]),
        ("AgentSwarm", Agent, &[Str("description")]),
        ("TowerSpawn", Agent, &[]),
        ("TodoList", Plan, &[]),
        ("AskUserQuestion", Ask, &[Each("questions", "question")]),
        ("EnterPlanMode", SwitchMode, &[]),
        ("ExitPlanMode", SwitchMode, &[]),
        // Kimi CLI.
        ("Shell", Execute, &[Str("command")]),
        ("ReadFile", Read, &[Str("path")]),
        ("WriteFile", Edit, &[Str("path")]),
        ("StrReplaceFile", Edit, &[Str("path")]),
        ("SearchWeb", Fetch, &[Str("query")]),
        ("Task", Agent, &[Str("description")]),
        ("SetTodoList", Plan, &[]),
        ("Think", Think, &[]),
    ],
    others: &[
        "TaskList",
        "TaskOutput",
        "TaskStop",
        "WaitFor",
        "Skill",
        "CronCreate",
        "CronDelete",
        "CronList",
        "CreateGoal",
        "GetGoal",
        "SetGoalBudget",
        "UpdateGoal",
        "NotifyUser",
        "select_tools",
        "TowerInit",
        "TowerPlan",
        "TowerMission",
        "TowerSend",
        "TowerInbox",
        "TowerFinding",
        "TowerReview",
        "TowerMerge",
        "TowerStatus",
        "TowerTeardown",
        "SendDMail",
    ],
};
