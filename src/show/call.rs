//! A tool call in one line: its most telling argument, and what it edits.

use std::borrow::Cow;

use super::asked::{Asked, COMMANDS, PATHS, command, first, list, short};
use super::close_json::close_json;
use super::detail::{Detail, detail};
use super::edit::{self, LineCounts};
use crate::format::tame;
use crate::input::text::clip;
use crate::json::{Doc, Kind, Value};
use crate::limits::MAX_ARGUMENT;
use crate::report::summary::several;

/// What a person sees of a call.
#[derive(Debug, Default)]
pub(super) struct Description {
    /// The argument that says most, harmless, in one line.
    pub(super) argument: String,
    pub(super) edit: Option<LineCounts>,
    pub(super) detail: Detail,
    /// Whether it writes the plan.
    pub(super) is_plan: bool,
}

/// Describes a call by what it does and to what, where that is said, else by its input.
pub(super) fn describe(doc: &mut Doc, asked: &Asked<'_>) -> Description {
    let (input, cwd) = (asked.input, asked.cwd);
    let closed = if doc.parse(input).is_none() { close_json(input) } else { None };
    let text = closed.as_deref().unwrap_or(input);
    let arguments = doc.parse(text);
    if let Some(value) = arguments.filter(|v| matches!(v.kind(), Kind::Object | Kind::Array)) {
        let mut edit = edit::of_arguments(asked.tool, asked.kind, value);
        if let Some(counts) = &mut edit {
            counts.at_least |= closed.is_some();
        }
        // An editor whose command is a verb says more than its path.
        let verb = value.get("command").decode().filter(|verb| !verb.contains(' '));
        let told = target(asked).filter(|_| asked.kind == "execute" || verb.is_none());
        let told = told.unwrap_or_else(|| argument(value, cwd));
        let is_plan = plan(value).is_some();
        let detail = detail(asked, Some(value), edit.is_some());
        return Description { argument: one_line(&told), edit, detail, is_plan };
    }
    let edit = edit::of_patch(input);
    let files = edit::patched_files(input);
    let argument = if edit.is_some() && !files.is_empty() {
        let files: Vec<&str> = files.iter().map(|file| short(file, cwd)).collect();
        Cow::Owned(files.join(", "))
    } else {
        target(asked).unwrap_or(Cow::Borrowed(command(input)))
    };
    let detail = detail(asked, None, edit.is_some());
    Description { argument: one_line(&argument), edit, detail, is_plan: false }
}

/// Returns the target as it is shown. Of a search the arguments say more: where it looks; so do those
/// of a plan.
fn target<'a>(asked: &Asked<'a>) -> Option<Cow<'a, str>> {
    let target = asked.target.clone().filter(|target| !target.trim().is_empty())?;
    match asked.kind {
        "execute" => Some(Cow::Owned(command(&target).to_owned())),
        "read" | "delete" | "move" => {
            let paths: Vec<&str> = target.lines().map(|path| short(path, asked.cwd)).collect();
            Some(Cow::Owned(paths.join(", ")))
        }
        "fetch" | "agent" => Some(target),
        _ => None,
    }
}

fn one_line(text: &str) -> String {
    let (start, cut) = clip(text.trim(), MAX_ARGUMENT);
    let mut line = tame::line(start).into_owned();
    if cut {
        line.push('…');
    }
    line
}

const PATTERNS: [&str; 8] =
    ["pattern", "query", "regex", "globPattern", "glob_pattern", "q", "queries", "search_term"];
const ADDRESSES: [&str; 2] = ["url", "uri"];
const LISTS: [&str; 4] = ["todos", "steps", "plan", "task_list"];
const WORDS: [&str; 12] = [
    "description",
    "subject",
    "title",
    "question",
    "questions",
    "prompt",
    "task",
    "message",
    "text",
    "summary",
    "skill",
    "name",
];

fn argument<'a>(value: Value<'a>, cwd: &str) -> Cow<'a, str> {
    if value.is_array() {
        return Cow::Owned(list(value, cwd));
    }
    let path = first(value, PATHS);
    let path = path.as_deref().map(|path| short(path, cwd).to_owned());
    if let Some(command_line) = first(value, COMMANDS) {
        return match path {
            // An editor whose command is a verb.
            Some(path) if !command_line.contains(' ') => {
                Cow::Owned(format!("{command_line} {path}"))
            }
            _ => Cow::Owned(command(&command_line).to_owned()),
        };
    }
    if let Some(pattern) = first(value, PATTERNS) {
        return match path {
            Some(path) => Cow::Owned(format!("{pattern} in {path}")),
            None => pattern,
        };
    }
    if let Some(path) = path {
        return Cow::Owned(path);
    }
    if let Some(address) = first(value, ADDRESSES) {
        return address;
    }
    if let Some(steps) = plan(value) {
        return Cow::Owned(several(steps.elements().count() as u64, "step"));
    }
    if let Some(words) = first(value, WORDS) {
        return words;
    }
    let mut members = value.members().map(|(_, value)| value);
    match members.find(|value| value.str().is_some_and(|s| !s.is_empty())) {
        Some(words) => words.decode().unwrap_or_default(),
        None if value.members().next().is_none() => Cow::Borrowed(""),
        None => Cow::Borrowed(value.text()),
    }
}

/// Finds the steps of a plan that the arguments hold.
fn plan(value: Value<'_>) -> Option<Value<'_>> {
    value.pick(LISTS).into_iter().find(|list| list.is_array())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_telling_argument_is_found() {
        for (input, want) in [
            (r#"{"description":"List","command":"ls -l"}"#, "ls -l"),
            (r#"{"command":"view","path":"/w/a.py"}"#, "view a.py"),
            (r#"{"pattern":"def ","path":"src"}"#, "def  in src"),
            (r#"{"file_path":"/w/src/add.py","old_string":"x"}"#, "src/add.py"),
            (r#"{"files":[{"path":"/w/README.md"}]}"#, "README.md"),
            (r#"[{"path":"/w/a","kind":"update"},{"path":"/w/b"}]"#, "a, b"),
            (r#"["bash","-lc","echo hi"]"#, "echo hi"),
            ("/bin/bash -lc 'echo begin; sleep 2'", "echo begin; sleep 2"),
            ("/bin/bash -lc \"echo 'x'\"", "echo 'x'"),
            ("/bin/bash -lc ls", "ls"),
            ("bash -lc ls", "bash -lc ls"),
            (r#"{"todos":[{},{}]}"#, "2 steps"),
            (r#"{"questions":[{"question":"Which?"}]}"#, "Which?"),
            (r#"{"a":2,"b":3}"#, r#"{"a":2,"b":3}"#),
            ("{}", ""),
            (r#"{"file_path":"/w/big.txt","content":"cut of"#, "big.txt"),
            ("*** Begin Patch\n*** Add File: /w/n.py\n+x\n*** End Patch", "n.py"),
            ("a\nb", "a ⏎ b"),
        ] {
            let asked = Asked { tool: "tool", input, cwd: "/w", ..Asked::default() };
            let described = describe(&mut Doc::default(), &asked);
            assert_eq!(described.argument, want, "{input}");
        }
    }

    #[test]
    fn what_a_call_says_of_itself_comes_first() {
        for (kind, target, input, want) in [
            ("execute", "/bin/sh -c 'make x'", r#"{"what":"no key of ours"}"#, "make x"),
            ("read", "/w/a\n/w/b", r#"{"odd":["/w/a","/w/b"]}"#, "a, b"),
            ("fetch", "https://x.test", r#"{"prompt":"p","u":"https://x.test"}"#, "https://x.test"),
            ("search", "def", r#"{"pattern":"def","path":"/w/src"}"#, "def in src"),
            ("read", "", r#"{"file_path":"/w/c"}"#, "c"),
        ] {
            let target = Some(Cow::Borrowed(target));
            let asked = Asked { tool: "t", kind, target, input, cwd: "/w", diffs: false };
            assert_eq!(describe(&mut Doc::default(), &asked).argument, want, "{kind}");
        }
    }
}
