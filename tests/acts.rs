//! What the calls of all fixtures do, by a table of its own: a slip in a dialect's row is seen here. A tool that
//! is not in this table, one of an MCP server above all, must have neither kind nor target.
//!
//! A dialect is checked once it has rows.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// Where in the arguments the target stands.
#[derive(Debug, Clone, Copy)]
enum Says {
    /// Under this key, or under the next.
    Key(&'static str),
    /// In a command line with a shell around it: a string, a list, or a list under `command`.
    Script,
    /// In a patch, or a list or an object of changes by path.
    Files,
    /// It is all of the arguments, or the query in them.
    Query,
    /// In a list under this key, a line each.
    Lines(&'static str),
    /// In the objects of a list under the first key: the second key of each.
    Each(&'static str, &'static str),
    /// Nowhere.
    Nothing,
}

/// The kind of a tool that only reads where its `command` is `view`.
const BY_COMMAND: &str = "read or edit";

/// Dialect, tool, kind and target.
const ACTS: &[(&str, &str, &str, Says)] = &[
    ("codex", "shell", "execute", Says::Script),
    ("codex", "exec_command", "execute", Says::Key("cmd")),
    ("codex", "shell_command", "execute", Says::Key("command")),
    ("codex", "apply_patch", "edit", Says::Files),
    ("codex", "view_image", "read", Says::Key("path")),
    ("codex", "web_search", "fetch", Says::Query),
    ("codex", "spawn_agent", "agent", Says::Key("message|prompt")),
    ("codex", "update_plan", "plan", Says::Nothing),
    ("gemini", "run_shell_command", "execute", Says::Key("command")),
    ("gemini", "read_file", "read", Says::Key("file_path|absolute_path")),
    ("gemini", "write_file", "edit", Says::Key("file_path")),
    ("gemini", "replace", "edit", Says::Key("file_path")),
    ("gemini", "invoke_agent", "agent", Says::Key("prompt")),
    ("gemini", "write_todos", "plan", Says::Nothing),
    ("qwen", "run_shell_command", "execute", Says::Key("command")),
    ("qwen", "read_file", "read", Says::Key("file_path")),
    ("qwen", "write_file", "edit", Says::Key("file_path")),
    ("qwen", "edit", "edit", Says::Key("file_path")),
    ("qwen", "agent", "agent", Says::Key("description")),
    ("qwen", "todo_write", "plan", Says::Nothing),
    ("cline", "editor", "edit", Says::Key("path")),
    ("cline", "execute_command", "execute", Says::Query),
    ("cline", "newFileCreated", "edit", Says::Key("path")),
    ("cline", "readFile", "read", Says::Key("path")),
    ("cline", "read_files", "read", Says::Each("files", "path")),
    ("cline", "run_commands", "execute", Says::Lines("commands")),
    ("cline", "spawn_agent", "agent", Says::Key("task")),
    ("cursor", "delete", "delete", Says::Key("path")),
    ("cursor", "edit", "edit", Says::Key("path")),
    ("cursor", "glob", "search", Says::Key("globPattern")),
    ("cursor", "grep", "search", Says::Key("pattern")),
    ("cursor", "ls", "search", Says::Key("path")),
    ("cursor", "read", "read", Says::Key("path")),
    ("cursor", "shell", "execute", Says::Key("command")),
    ("cursor", "task", "agent", Says::Key("description")),
    ("cursor", "updateTodos", "plan", Says::Nothing),
    ("cursor", "webFetch", "fetch", Says::Key("url")),
    ("cursor", "write", "edit", Says::Key("path")),
    ("goose", "developer__shell", "execute", Says::Key("command")),
    ("goose", "developer__text_editor", BY_COMMAND, Says::Key("path")),
    ("goose", "shell", "execute", Says::Key("command")),
    ("goose", "tree", "search", Says::Key("path")),
    ("goose", "write", "edit", Says::Key("path")),
    ("grok", "list_dir", "search", Says::Key("target_directory")),
    ("grok", "read_file", "read", Says::Key("target_file|path|file_path")),
    ("grok", "run_terminal_command", "execute", Says::Key("command")),
    ("kimi", "Agent", "agent", Says::Key("description")),
    ("kimi", "Bash", "execute", Says::Key("command")),
    ("kimi", "Edit", "edit", Says::Key("path")),
    ("kimi", "Read", "read", Says::Key("path")),
    ("kimi", "ReadFile", "read", Says::Key("path")),
    ("kimi", "SetTodoList", "plan", Says::Nothing),
    ("kimi", "Shell", "execute", Says::Key("command")),
    ("kimi", "StrReplaceFile", "edit", Says::Key("path")),
    ("kimi", "TodoList", "plan", Says::Nothing),
    ("kimi", "Write", "edit", Says::Key("path")),
    ("kimi", "WriteFile", "edit", Says::Key("path")),
    ("openhands", "file_editor", BY_COMMAND, Says::Key("path")),
    ("openhands", "task_tracker", "plan", Says::Nothing),
    ("openhands", "terminal", "execute", Says::Key("command")),
    ("vibe", "bash", "execute", Says::Key("command")),
    ("vibe", "file_system.bash", "execute", Says::Key("command")),
    ("vibe", "file_system.read_file", "read", Says::Key("filePath|path")),
    ("vibe", "file_system.search_replace", "edit", Says::Key("filePath|file_path")),
    ("vibe", "file_system.write_file", "edit", Says::Key("filePath|path")),
    ("vibe", "read_file", "read", Says::Key("path")),
    ("vibe", "search_replace", "edit", Says::Key("file_path")),
    ("vibe", "todo", "plan", Says::Nothing),
    ("vibe", "vibe.todo", "plan", Says::Nothing),
    ("vibe", "write_file", "edit", Says::Key("path")),
];

/// The target that a call's arguments, which are a text, should have.
fn target(says: Says, input: &str) -> Option<String> {
    let json: Value = serde_json::from_str(input).unwrap_or(Value::Null);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let lines = |values: &[Value], of: &dyn Fn(&Value) -> Option<String>| {
        values.iter().map(of).collect::<Option<Vec<_>>>().map(|lines| lines.join("\n"))
    };
    let said = match says {
        Says::Nothing => None,
        Says::Lines(key) => json[key].as_array().and_then(|list| lines(list, &text)),
        Says::Each(key, of) => {
            json[key].as_array().and_then(|list| lines(list, &|value| text(&value[of])))
        }
        Says::Key(keys) => keys.split('|').find_map(|key| text(&json[key])),
        Says::Script => {
            let list = json.as_array().or_else(|| json["command"].as_array());
            let words: Vec<String> = match list {
                Some(words) => words.iter().filter_map(text).collect(),
                None => shlex::split(input).unwrap_or_default(),
            };
            match &words[..] {
                [_, flag, script] if flag == "-lc" => Some(script.clone()),
                words if list.is_some() => Some(words.join(" ")),
                _ => Some(input.to_owned()),
            }
        }
        Says::Files => Some(match &json {
            Value::Array(changes) => {
                let paths: Vec<_> =
                    changes.iter().filter_map(|change| text(&change["path"])).collect();
                paths.join("\n")
            }
            Value::Object(changes) => changes.keys().cloned().collect::<Vec<_>>().join("\n"),
            _ => {
                let named = |line: &str| {
                    Some(line.strip_prefix("*** ")?.split_once(" File: ")?.1.to_owned())
                };
                input.lines().filter_map(named).collect::<Vec<_>>().join("\n")
            }
        }),
        Says::Query => {
            text(&json["query"]).or_else(|| text(&json["url"])).or(Some(input.to_owned()))
        }
    };
    said.filter(|said| !said.is_empty())
}

#[test]
fn every_call_of_a_known_tool_says_what_it_does_and_no_other() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let dialects: BTreeSet<&str> = ACTS.iter().map(|(dialect, ..)| *dialect).collect();
    let mut met = BTreeSet::new();
    for dialect in dialects {
        for case in fs::read_dir(fixtures.join(dialect)).unwrap() {
            let case = case.unwrap().path();
            let expected = fs::read_to_string(case.join("expected.jsonl")).unwrap();
            for line in expected.lines() {
                let record: Value = serde_json::from_str(line).unwrap();
                if record["type"] != "tool.call" {
                    continue;
                }
                let call = &record["payload"];
                let name = call["name"].as_str().unwrap_or_default();
                let row = ACTS.iter().find(|(of, tool, ..)| *of == dialect && *tool == name);
                let (kind, want) = match row {
                    Some((_, tool, kind, says)) => {
                        met.insert((dialect, *tool));
                        let input = call["input"].as_str().unwrap_or_default();
                        let views = || {
                            let json = serde_json::from_str::<Value>(input).unwrap_or_default();
                            json["command"] == "view"
                        };
                        let kind = match *kind {
                            BY_COMMAND if views() => "read",
                            BY_COMMAND => "edit",
                            kind => kind,
                        };
                        (Value::from(kind), target(*says, input).map_or(Value::Null, Value::from))
                    }
                    None => (Value::Null, Value::Null),
                };
                let at = format!("{}: {line:.300}", case.display());
                assert_eq!(call["kind"], kind, "{at}");
                if call["truncated"] == false {
                    assert_eq!(call["target"], want, "{at}");
                }
            }
        }
    }
    let rows: BTreeSet<_> = ACTS.iter().map(|(dialect, tool, ..)| (*dialect, *tool)).collect();
    assert_eq!(met, rows, "no fixture calls these");
}
