//! What a call does, from the table of the harness's own tools that stands in its dialect's row.
//!
//! A tool that is not in the table, an MCP server's above all, has neither kind nor target: a name is
//! never guessed from.

use std::borrow::Cow;

use crate::format::event::{Act, ToolCall};
use crate::format::write::Text;
use crate::json::{Doc, Value};

/// One of a harness's own tools: its name, what it does, and the argument that says to what. The first
/// of the arguments that is there in its form counts; a key with dots goes into objects.
pub(crate) type Tool = (&'static str, Act, &'static [Arg]);

/// The tools of a harness.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tools {
    /// Those for which the vocabulary has a word.
    pub(crate) acts: &'static [Tool],
    /// The names of the others.
    pub(crate) others: &'static [&'static str],
}

impl Tools {
    /// Whether a tool of that name is the harness's own.
    pub(crate) fn knows(self, name: &str) -> bool {
        self.acts.iter().any(|(tool, ..)| *tool == name) || self.others.contains(&name)
    }

    /// No tools.
    pub(crate) const NONE: Tools = Tools { acts: &[], others: &[] };
}

/// An argument and its form.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Arg {
    /// A string.
    Str(&'static str),
    /// A list of strings, a line each.
    Lines(&'static str),
    /// A list of objects: this key of each, a line each.
    Each(&'static str, &'static str),
    /// The words of a command line; a shell around a script is taken off.
    Argv(&'static str),
    /// A command line in one string; a shell around a script is taken off.
    Shell(&'static str),
    /// A patch: the files that it names, a line each. The empty key is the input itself.
    Patch(&'static str),
    /// An object whose keys are the paths, a line each.
    Keys(&'static str),
}

/// What a call of the tool `name` does: a [`ToolCall`] with nothing but `kind` and `target`, to be
/// filled up by the caller.
pub(crate) fn does<'a>(tools: Tools, name: &str, input: Value<'a>) -> ToolCall<'a> {
    let Some((_, act, args)) = tools.acts.iter().find(|(tool, ..)| *tool == name) else {
        return ToolCall::default();
    };
    let target = match input.decode() {
        Some(text) => of_text(args, &text),
        None => target(args, input),
    };
    ToolCall { kind: Some(*act), target: target.map(Text::from), ..ToolCall::default() }
}

/// The same for arguments that are a text: JSON, or what the tool alone reads.
pub(crate) fn does_text(tools: Tools, name: &str, input: &str) -> ToolCall<'static> {
    let Some((_, act, args)) = tools.acts.iter().find(|(tool, ..)| *tool == name) else {
        return ToolCall::default();
    };
    ToolCall {
        kind: Some(*act),
        target: of_text(args, input).map(Text::from),
        ..ToolCall::default()
    }
}

/// Whether a call of a tool for files, whose argument `command` says what it does, only reads one.
pub(crate) fn views(input: Value<'_>) -> bool {
    let text = input.decode().unwrap_or_default();
    let mut doc = Doc::default();
    let input = if input.is_string() { doc.parse(&text).unwrap_or(input) } else { input };
    input.get("command").is("view")
}

/// The words of a command as a shell reads them; a shell that only runs a script is taken off.
pub(crate) fn command_line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match *words {
        [shell, flag, script] if is_shell(shell) && runs_script(flag) => script.to_owned(),
        _ => shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" ")),
    }
}

fn target(args: &[Arg], input: Value<'_>) -> Option<String> {
    args.iter().find_map(|arg| arg.of(input)).filter(|target| !target.is_empty())
}

/// The target in arguments that are a text: JSON, or all of it is the argument.
fn of_text(args: &[Arg], text: &str) -> Option<String> {
    let mut doc = Doc::default();
    match doc.parse(text).filter(|arguments| arguments.is_object()) {
        Some(arguments) => target(args, arguments),
        None => args.iter().find_map(|arg| arg.of_text(text)).filter(|target| !target.is_empty()),
    }
}

impl Arg {
    pub(super) fn of(self, input: Value<'_>) -> Option<String> {
        match self {
            Arg::Str(key) => at(input, key).owned(),
            Arg::Lines(key) => lines(at(input, key).elements().map(Value::decode)),
            Arg::Each(key, of) => lines(at(input, key).elements().map(|e| e.get(of).decode())),
            Arg::Argv(key) => {
                let list = at(input, key);
                let words: Vec<_> = list.elements().map(Value::decode).collect::<Option<_>>()?;
                list.is_array().then(|| command_line(words.iter().map(Cow::as_ref)))
            }
            Arg::Shell(key) => Some(script(&at(input, key).decode()?)),
            Arg::Patch(key) => patched(&at(input, key).decode()?),
            Arg::Keys(key) => {
                let map = at(input, key);
                let keys = map.members().map(|(key, _)| Some(key.decode()));
                map.is_object().then(|| lines(keys)).flatten()
            }
        }
    }

    /// The target in a text that is all of the input.
    pub(super) fn of_text(self, text: &str) -> Option<String> {
        match self {
            Arg::Patch("") => patched(text),
            Arg::Str("") => Some(text.to_owned()),
            Arg::Shell("") => Some(script(text)),
            _ => None,
        }
    }
}

/// The argument; the empty key is the input itself.
pub(super) fn at<'a>(input: Value<'a>, path: &str) -> Value<'a> {
    path.split('.').filter(|key| !key.is_empty()).fold(input, Value::get)
}

/// One line for each; nothing where one is of another form.
fn lines<'a>(values: impl Iterator<Item = Option<Cow<'a, str>>>) -> Option<String> {
    let values: Vec<_> = values.collect::<Option<_>>()?;
    (!values.is_empty()).then(|| values.join("\n"))
}

/// The script of a command line that is a shell with one script.
fn script(command: &str) -> String {
    let mut words = command.split_whitespace();
    let shell = words.next().is_some_and(is_shell) && words.next().is_some_and(runs_script);
    let words = shell.then(|| shlex::split(command)).flatten().unwrap_or_default();
    match <[String; 3]>::try_from(words) {
        Ok([_, _, script]) => script,
        Err(_) => command.to_owned(),
    }
}

fn is_shell(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    matches!(name, "bash" | "sh" | "zsh")
}

fn runs_script(flag: &str) -> bool {
    matches!(flag, "-lc" | "-c")
}

/// The files that a patch adds, updates, deletes or moves to.
fn patched(patch: &str) -> Option<String> {
    const MARKS: [&str; 4] =
        ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
    let name =
        |line: &str| MARKS.iter().find_map(|mark| line.strip_prefix(mark)).map(str::to_owned);
    let files: Vec<_> = patch.lines().filter_map(name).collect();
    (!files.is_empty()).then(|| files.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target_of(args: &'static [Arg], input: &str) -> Option<String> {
        let mut doc = Doc::default();
        target(args, doc.parse(input).unwrap())
    }

    #[test]
    fn each_form_of_a_target_is_read() {
        for (args, input, want) in [
            (&[Arg::Str("command")][..], r#"{"command":"ls -l"}"#, Some("ls -l")),
            (&[Arg::Str("command")], r#"{"command":["ls"]}"#, None),
            (&[Arg::Str("command")], r#"{"cmd":"ls"}"#, None),
            (&[Arg::Str("command")], r#"{"command":""}"#, None),
            (&[Arg::Lines("paths"), Arg::Str("path")], r#"{"paths":["a","b"]}"#, Some("a\nb")),
            (&[Arg::Lines("paths"), Arg::Str("path")], r#"{"path":"a"}"#, Some("a")),
            (&[Arg::Lines("paths")], r#"{"paths":["a",1]}"#, None),
            (
                &[Arg::Each("questions", "question")],
                r#"{"questions":[{"question":"A?"}]}"#,
                Some("A?"),
            ),
            (&[Arg::Argv("command")], r#"{"command":["bash","-lc","echo a b"]}"#, Some("echo a b")),
            (&[Arg::Argv("command")], r#"{"command":["grep","a b","f"]}"#, Some("grep 'a b' f")),
            (&[Arg::Shell("c")], r#"{"c":"/bin/bash -lc 'echo hi'"}"#, Some("echo hi")),
            (
                &[Arg::Shell("c")],
                r#"{"c":"bash -lc 'echo hi' more"}"#,
                Some("bash -lc 'echo hi' more"),
            ),
            (
                &[Arg::Patch("input")],
                r#"{"input":"*** Add File: a\n+x\n*** Move to: b"}"#,
                Some("a\nb"),
            ),
            (&[Arg::Keys("changes")], r#"{"changes":{"/a":{},"/b":{}}}"#, Some("/a\n/b")),
            (&[Arg::Each("", "path")], r#"[{"path":"a"},{"path":"b"}]"#, Some("a\nb")),
            (&[Arg::Str("action.query")], r#"{"action":{"query":"q"}}"#, Some("q")),
        ] {
            assert_eq!(target_of(args, input).as_deref(), want, "{args:?} {input}");
        }
    }

    #[test]
    fn a_tool_of_no_table_says_nothing() {
        let acts: &[Tool] = &[("Bash", Act::Execute, &[Arg::Str("command")])];
        let tools = Tools { acts, others: &[] };
        let mut doc = Doc::default();
        let input = doc.parse(r#""{\"command\":\"ls\"}""#).unwrap();
        assert!(does(tools, "mcp__a__Bash", input).kind.is_none());
        let call = does(tools, "Bash", input);
        assert_eq!(call.kind, Some(Act::Execute));
        assert!(call.target.is_some());
    }
}
