//! What a call says of itself, and what is looked for in its arguments.

use std::borrow::Cow;

use crate::json::{Kind, Value};
use crate::limits::MAX_ARGUMENT_WORDS;

/// What a call says of itself.
#[derive(Debug, Default)]
pub(super) struct Asked<'a> {
    pub(super) tool: &'a str,
    /// What the tool does, and to what; empty and `None` where nobody says it.
    pub(super) kind: &'a str,
    pub(super) target: Option<Cow<'a, str>>,
    pub(super) input: &'a str,
    /// Left out of paths.
    pub(super) cwd: &'a str,
    /// Whether what the call changes is asked for.
    pub(super) diffs: bool,
}

pub(super) const COMMANDS: [&str; 4] = ["command", "cmd", "commands", "script"];
pub(super) const PATHS: [&str; 9] = [
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "target_file",
    "notebook_path",
    "filename",
    "paths",
    "files",
];

/// Returns the text of the first of the keys that has one.
pub(super) fn first<'a, const N: usize>(value: Value<'a>, keys: [&str; N]) -> Option<Cow<'a, str>> {
    value.pick(keys).into_iter().find_map(|value| match value.kind() {
        Kind::String => value.decode().filter(|text| !text.is_empty()),
        Kind::Array if value.elements().next().is_some() => Some(Cow::Owned(list(value, ""))),
        _ => None,
    })
}

/// Joins a list: an argument vector, paths, or questions.
pub(super) fn list(value: Value<'_>, cwd: &str) -> String {
    let words: Vec<Cow<'_, str>> =
        value.elements().take(MAX_ARGUMENT_WORDS).filter_map(Value::decode).collect();
    if let [shell, flag, line] = words.as_slice()
        && is_shell(shell)
        && matches!(&**flag, "-c" | "-lc")
    {
        return line.clone().into_owned();
    }
    if !words.is_empty() {
        return words.join(" ");
    }
    let inner = value.elements().take(MAX_ARGUMENT_WORDS).filter_map(|element| {
        let [path, question, command] = element.pick(["path", "question", "command"]);
        let words = [path, question, command].into_iter().find_map(Value::decode)?;
        Some(short(&words, cwd).to_owned())
    });
    inner.collect::<Vec<_>>().join(", ")
}

fn is_shell(program: &str) -> bool {
    matches!(program.rsplit('/').next(), Some("sh" | "bash" | "zsh" | "dash"))
}

/// Returns the command line without the shell that a harness starts it with.
pub(super) fn command(text: &str) -> &str {
    let Some((shell, rest)) = text.split_once(' ').filter(|(shell, _)| is_shell(shell)) else {
        return text;
    };
    let inner = rest.strip_prefix("-lc ").or_else(|| rest.strip_prefix("-c "));
    let Some(inner) = inner.filter(|_| shell.starts_with('/')) else { return text };
    for quote in ['\'', '"'] {
        let bare = inner.strip_prefix(quote).and_then(|inner| inner.strip_suffix(quote));
        if let Some(bare) = bare.filter(|bare| !bare.contains([quote, '\\'])) {
            return bare;
        }
    }
    inner
}

/// Shortens a path to how it is seen from the working directory.
pub(super) fn short<'a>(path: &'a str, cwd: &str) -> &'a str {
    let inside = path.strip_prefix(cwd).and_then(|rest| rest.strip_prefix('/'));
    inside.filter(|rest| !cwd.is_empty() && !rest.is_empty()).unwrap_or(path)
}
