//! What the calls of all fixtures do, by a table of its own: a slip in a dialect's row is seen here. A tool that
//! is not in this table, one of an MCP server above all, must have neither kind nor target.
//!
//! A dialect is checked once it has rows.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

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
    /// Nowhere.
    Nothing,
}

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
];

/// The target that a call's arguments, which are a text, should have.
fn target(says: Says, input: &str) -> Option<String> {
    let json: Value = serde_json::from_str(input).unwrap_or(Value::Null);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let said = match says {
        Says::Nothing => None,
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
                        (Value::from(*kind), target(*says, input).map_or(Value::Null, Value::from))
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
