//! The files that a harness's own tools wrote, where the harness does not list them: the path is among the
//! arguments, and the result says that the call succeeded.
//!
//! Whether the file was made or replaced is then not said: the word is `write`. A patch tells, and so does
//! a tool that deletes.

use super::recent::{Id, Recent};
use super::tool::{Arg, Tools};
use crate::format::event::{Act, FileChange};
use crate::format::write::Name;
use crate::json::{Doc, Value};
use crate::limits::MAX_WRITTEN_PATHS;

/// A file and what becomes of it.
type Change = (String, &'static str);

/// The calls that will have written something once they succeed.
#[derive(Debug, Default)]
pub(super) struct Writing {
    open: Recent<Vec<Change>>,
}

impl Writing {
    /// A call of the tool `name`.
    pub(super) fn call(&mut self, tools: Tools, id: Value<'_>, name: &str, input: Value<'_>) {
        if let Some(id) = Id::of(id) {
            let changes = changes(tools, name, input);
            if !changes.is_empty() {
                self.open.add(id, changes);
            }
        }
    }

    /// The call's result is there: the files that it wrote.
    pub(super) fn result(&mut self, id: Value<'_>, succeeded: bool) -> Vec<FileChange<'static>> {
        let changes = Id::of(id).and_then(|id| self.open.take(id)).unwrap_or_default();
        if succeeded { files(changes) } else { Vec::new() }
    }
}

/// The files that a call writes which succeeded.
pub(super) fn written(tools: Tools, name: &str, input: Value<'_>) -> Vec<FileChange<'static>> {
    files(changes(tools, name, input))
}

fn files(changes: Vec<Change>) -> Vec<FileChange<'static>> {
    let file = |(path, change)| FileChange { path: Name::from(path), change: Name::from(change) };
    changes.into_iter().map(file).collect()
}

fn changes(tools: Tools, name: &str, input: Value<'_>) -> Vec<Change> {
    let Some((_, act, args)) = tools.acts.iter().find(|(tool, ..)| *tool == name) else {
        return Vec::new();
    };
    let change = match act {
        Act::Edit => "write",
        Act::Delete => "delete",
        _ => return Vec::new(),
    };
    let mut doc = Doc::default();
    let text = input.decode().unwrap_or_default();
    let input = if input.is_string() { doc.parse(&text).unwrap_or(input) } else { input };
    let found =
        args.iter().find_map(|arg| Some((arg, arg.of(input).or_else(|| arg.of_text(&text))?)));
    let Some((arg, target)) = found else { return Vec::new() };
    let changes: Vec<Change> = match arg {
        Arg::Patch(key) => {
            let patch = if key.is_empty() { None } else { super::tool::at(input, key).owned() };
            patched(patch.as_deref().unwrap_or(&text))
        }
        _ => target.lines().map(|path| (path.to_owned(), change)).collect(),
    };
    let bytes: usize = changes.iter().map(|(path, _)| path.len()).sum();
    if bytes > MAX_WRITTEN_PATHS { Vec::new() } else { changes }
}

/// What a patch says of each file; one that is moved has its old name, as Codex prints it.
pub(super) fn patched(text: &str) -> Vec<Change> {
    let mut files: Vec<Change> = Vec::new();
    for line in text.lines() {
        let Some((mark, path)) = line.strip_prefix("*** ").and_then(|line| line.split_once(": "))
        else {
            continue;
        };
        match mark {
            "Add File" => files.push((path.to_owned(), "add")),
            "Update File" => files.push((path.to_owned(), "update")),
            "Delete File" => files.push((path.to_owned(), "delete")),
            "Move to" => {
                if let Some((_, change)) = files.last_mut() {
                    *change = "rename";
                }
            }
            _ => {}
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOLS: Tools = Tools {
        acts: &[
            ("Write", Act::Edit, &[Arg::Str("path")]),
            ("Patch", Act::Edit, &[Arg::Patch("input")]),
            ("Remove", Act::Delete, &[Arg::Lines("paths")]),
            ("Read", Act::Read, &[Arg::Str("path")]),
        ],
        others: &[],
    };

    fn of(name: &str, input: &str) -> Vec<Change> {
        let mut doc = Doc::default();
        changes(TOOLS, name, doc.parse(input).unwrap())
    }

    #[test]
    fn the_arguments_name_what_is_written() {
        let text = |text: &str| text.to_owned();
        assert_eq!(of("Write", r#"{"path":"a"}"#), [(text("a"), "write")]);
        assert_eq!(of("Write", r#""{\"path\":\"a\"}""#), [(text("a"), "write")]);
        assert_eq!(
            of("Remove", r#"{"paths":["a","b"]}"#),
            [(text("a"), "delete"), (text("b"), "delete")]
        );
        assert_eq!(
            of("Patch", r#"{"input":"*** Add File: a\n+x\n*** Update File: b\n*** Move to: c"}"#),
            [(text("a"), "add"), (text("b"), "rename")]
        );
        for (name, input) in [
            ("Read", r#"{"path":"a"}"#),
            ("Write", r#"{"file":"a"}"#),
            ("mcp__a__Write", r#"{"path":"a"}"#),
        ] {
            assert_eq!(of(name, input), [], "{name} {input}");
        }
        let long = format!(r#"{{"path":"{}"}}"#, "a".repeat(MAX_WRITTEN_PATHS + 1));
        assert_eq!(of("Write", &long), []);
    }

    #[test]
    fn only_a_call_that_succeeded_has_written() {
        let mut doc = Doc::default();
        let call = doc.parse(r#"{"id":"1","input":{"path":"a"}}"#).unwrap();
        for succeeded in [true, false] {
            let mut writing = Writing::default();
            writing.call(TOOLS, call.get("id"), "Write", call.get("input"));
            assert_eq!(writing.result(call.get("id"), succeeded).len(), usize::from(succeeded));
            assert!(writing.result(call.get("id"), true).is_empty());
        }
    }
}
