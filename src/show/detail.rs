//! What a person wants to read of a call's arguments: the command, the change, the plan, the
//! questions. Every text in here is harmless.

use std::borrow::Cow;

use similar::{Algorithm, DiffTag, capture_diff_slices, group_diff_ops};

use super::asked::{Asked, COMMANDS, PATHS, command, first, short};
use super::edit;
use crate::format::tame::{line, tame};
use crate::json::Value;
use crate::limits::{MAX_COMPARED_LINES, MAX_DIFF_LINES, MAX_QUESTIONS};

/// The lines that stand around a change.
const AROUND: usize = 3;

#[derive(Debug, Default)]
pub(super) enum Detail {
    /// The arguments themselves.
    #[default]
    None,
    Command(String),
    Changes(Vec<FileChange>),
    /// Markdown.
    Plan(String),
    Questions(Vec<Question>),
}

#[derive(Debug, Default)]
pub(super) struct FileChange {
    pub(super) path: String,
    pub(super) lines: Vec<Line>,
    /// How many further lines are left out.
    pub(super) left: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Same,
    Added,
    Removed,
    /// Lines between that are not told.
    Gap,
}

#[derive(Debug)]
pub(super) struct Line {
    pub(super) sign: Sign,
    pub(super) text: String,
    /// Its number in the old and in the new file, where that is known.
    pub(super) old: Option<u64>,
    pub(super) new: Option<u64>,
}

#[derive(Debug)]
pub(super) struct Question {
    pub(super) text: String,
    pub(super) options: Vec<String>,
}

/// Finds what is worth reading. `edits`: whether the call changes files.
pub(super) fn detail(asked: &Asked<'_>, arguments: Option<Value<'_>>, edits: bool) -> Detail {
    if let Some(arguments) = arguments {
        if let Some(plan) = plan(asked, arguments) {
            return Detail::Plan(tame(&plan).into_owned());
        }
        let questions = questions(asked, arguments);
        if !questions.is_empty() {
            return Detail::Questions(questions);
        }
    }
    if !asked.diffs {
        return Detail::None;
    }
    if edits {
        let changes = changes(asked, arguments);
        if !changes.is_empty() {
            return Detail::Changes(changes);
        }
    }
    let told = (asked.kind == "execute").then(|| asked.target.clone()).flatten();
    let told = told.or_else(|| match (arguments, asked.kind) {
        (Some(arguments), "" | "execute") => first(arguments, COMMANDS).filter(|_| !edits),
        (None, "" | "execute") => Some(Cow::Borrowed(asked.input)),
        _ => None,
    });
    match told.filter(|text| !text.trim().is_empty()) {
        Some(text) => Detail::Command(tame(command(text.trim_end())).into_owned()),
        None => Detail::None,
    }
}

/// Returns the plan that a tool for leaving the planning hands in.
fn plan<'a>(asked: &Asked<'_>, arguments: Value<'a>) -> Option<Cow<'a, str>> {
    let name = asked.tool.to_ascii_lowercase().replace(['_', '-'], "");
    let leaves = asked.kind == "switch_mode" || name.contains("planmode");
    let texts = arguments.pick(["plan", "plan_content", "planContent", "plan_summary"]);
    let text = texts.into_iter().find_map(Value::decode);
    text.filter(|text| leaves && !text.trim().is_empty())
}

fn questions(asked: &Asked<'_>, arguments: Value<'_>) -> Vec<Question> {
    let name = asked.tool.to_ascii_lowercase();
    if asked.kind != "ask" && !name.contains("ask") {
        return Vec::new();
    }
    let list = arguments.get("questions");
    let one = (!list.is_array()).then_some(arguments);
    let questions = list.elements().chain(one).take(MAX_QUESTIONS).filter_map(|question| {
        let [text, options, choices] = question.pick(["question", "options", "choices"]);
        let text = text.decode().filter(|text| !text.trim().is_empty())?;
        let options = options.elements().chain(choices.elements()).take(MAX_QUESTIONS);
        let options = options.filter_map(|option| {
            let [label, about] = option.pick(["label", "description"]);
            let label = label.decode().or_else(|| option.decode())?;
            Some(match about.decode().filter(|about| !about.is_empty()) {
                Some(about) => format!("{}: {}", line(&label), line(&about)),
                None => line(&label).into_owned(),
            })
        });
        let options = options.collect();
        Some(Question { text: tame(text.trim()).into_owned(), options })
    });
    questions.collect()
}

fn changes(asked: &Asked<'_>, arguments: Option<Value<'_>>) -> Vec<FileChange> {
    let Some(arguments) = arguments else { return patch(asked.input, "", asked.cwd) };
    let path = first(arguments, PATHS);
    let path = asked.target.as_deref().filter(|target| !target.contains('\n')).or(path.as_deref());
    let path = path.unwrap_or_default();
    if let Some(text) = edit::patch_text(arguments) {
        return patch(&text, path, asked.cwd);
    }
    // A list of files, each with its own change.
    let listed = arguments.elements().chain(arguments.get("changes").elements());
    let listed: Vec<FileChange> = listed
        .filter_map(|file| {
            let path = first(file, PATHS).unwrap_or_default();
            edit::patch_text(file).map(|text| patch(&text, &path, asked.cwd))
        })
        .flatten()
        .collect();
    if !listed.is_empty() {
        return listed;
    }
    let mut change = FileChange::of(path, asked.cwd);
    for (old, new) in edit::replacements(arguments) {
        change.replace(&old, &new);
    }
    if let Some(text) =
        edit::written(asked.tool, asked.kind, arguments).filter(|_| change.lines.is_empty())
    {
        for (old, new) in edit::search_blocks(&text) {
            change.replace(old, new);
        }
        if change.lines.is_empty() {
            for (number, line) in (1..).zip(text.lines()) {
                change.push(Sign::Added, line, None, Some(number));
            }
        }
    }
    if change.lines.is_empty() { Vec::new() } else { vec![change] }
}

impl FileChange {
    fn of(path: &str, cwd: &str) -> Self {
        Self { path: line(short(path, cwd)).into_owned(), ..Self::default() }
    }

    fn push(&mut self, sign: Sign, text: &str, old: Option<u64>, new: Option<u64>) {
        if self.lines.len() >= MAX_DIFF_LINES {
            self.left += usize::from(sign != Sign::Gap);
            return;
        }
        self.lines.push(Line { sign, text: tame(text).into_owned(), old, new });
    }

    /// Adds what differs between the two texts. Where in the file they stand nobody says.
    fn replace(&mut self, old: &str, new: &str) {
        if !self.lines.is_empty() {
            self.push(Sign::Gap, "", None, None);
        }
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        if old.len() + new.len() > MAX_COMPARED_LINES {
            for line in &old {
                self.push(Sign::Removed, line, None, None);
            }
            for line in &new {
                self.push(Sign::Added, line, None, None);
            }
            return;
        }
        let operations = capture_diff_slices(Algorithm::Myers, &old, &new);
        for (at, group) in group_diff_ops(operations, AROUND).into_iter().enumerate() {
            if at > 0 {
                self.push(Sign::Gap, "", None, None);
            }
            for operation in group {
                let (tag, before, after) = operation.as_tag_tuple();
                if tag == DiffTag::Equal {
                    for line in old.get(before).unwrap_or_default() {
                        self.push(Sign::Same, line, None, None);
                    }
                    continue;
                }
                for line in old.get(before).unwrap_or_default() {
                    self.push(Sign::Removed, line, None, None);
                }
                for line in new.get(after).unwrap_or_default() {
                    self.push(Sign::Added, line, None, None);
                }
            }
        }
    }
}

/// Reads a unified diff, or the text of `apply_patch`.
fn patch(text: &str, path: &str, cwd: &str) -> Vec<FileChange> {
    const FILES: [&str; 3] = ["*** Add File: ", "*** Update File: ", "*** Delete File: "];
    let ours = text.starts_with("*** Begin Patch");
    let mut files: Vec<FileChange> = Vec::new();
    let (mut old, mut new) = (None, None);
    for line in text.lines() {
        let named = if ours {
            FILES.iter().find_map(|mark| line.strip_prefix(mark))
        } else {
            let named = line.strip_prefix("+++ ").filter(|name| *name != "/dev/null");
            named.map(|name| name.strip_prefix("b/").unwrap_or(name))
        };
        if let Some(name) = named {
            let name = if path.is_empty() { name } else { path };
            files.push(FileChange::of(name, cwd));
            let starts = line.starts_with("*** Add File").then_some(1);
            (old, new) = (None, starts);
            continue;
        }
        if line.starts_with("***") && ours || line.starts_with("--- ") && !ours {
            continue;
        }
        if files.is_empty() && line.starts_with("@@") {
            files.push(FileChange::of(path, cwd));
        }
        let Some(file) = files.last_mut() else { continue };
        if let Some(head) = line.strip_prefix("@@") {
            (old, new) = (number(head, '-'), number(head, '+'));
            if !file.lines.is_empty() {
                file.push(Sign::Gap, "", None, None);
            }
            continue;
        }
        let (sign, rest) = match line.as_bytes() {
            [b'+', ..] => (Sign::Added, line.get(1..)),
            [b'-', ..] => (Sign::Removed, line.get(1..)),
            [b' ', ..] => (Sign::Same, line.get(1..)),
            [] => (Sign::Same, Some("")),
            _ => continue,
        };
        let next = |counter: &mut Option<u64>, counts: bool| {
            let now = counter.filter(|_| counts);
            *counter = counter.map(|count| count.saturating_add(u64::from(counts)));
            now
        };
        let before = next(&mut old, sign != Sign::Added);
        let after = next(&mut new, sign != Sign::Removed);
        file.push(sign, rest.unwrap_or_default(), before, after);
    }
    files.retain(|file| !file.lines.is_empty());
    files
}

/// Reads the number behind a sign in `@@ -3,7 +3,8 @@`.
fn number(head: &str, sign: char) -> Option<u64> {
    let word = head.split(' ').find_map(|word| word.strip_prefix(sign))?;
    word.split(',').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Doc, Kind};

    fn shown(input: &str, tool: &str) -> String {
        let asked = Asked { tool, input, cwd: "/w", diffs: true, ..Asked::default() };
        let mut doc = Doc::default();
        let arguments = doc.parse(input).filter(|value| matches!(value.kind(), Kind::Object));
        let edits = match arguments {
            Some(value) => edit::of_arguments(tool, "", value),
            None => edit::of_patch(input),
        };
        match detail(&asked, arguments, edits.is_some()) {
            Detail::None => "-".to_owned(),
            Detail::Command(text) => format!("$ {text}"),
            Detail::Plan(text) => format!("plan {text}"),
            Detail::Questions(list) => {
                let shown = list.iter().map(|q| format!("{}? {}", q.text, q.options.join("|")));
                shown.collect::<Vec<_>>().concat()
            }
            Detail::Changes(files) => files
                .iter()
                .map(|file| {
                    let lines = file.lines.iter().map(|line| {
                        let number = |n: Option<u64>| n.map_or("_".to_owned(), |n| n.to_string());
                        let (old, new) = (number(line.old), number(line.new));
                        format!(" {old},{new}{:?}:{}", line.sign, line.text)
                    });
                    format!("{}{};", file.path, lines.collect::<Vec<_>>().concat())
                })
                .collect::<Vec<_>>()
                .concat(),
        }
    }

    #[test]
    fn what_is_worth_reading_is_found() {
        for (tool, input, want) in [
            ("Bash", r#"{"command":"cd x\nmake"}"#, "$ cd x\nmake"),
            ("shell", "/bin/bash -lc 'ls'", "$ ls"),
            (
                "Edit",
                r#"{"file_path":"/w/a.py","old_string":"a\nb","new_string":"a\nc"}"#,
                "a.py _,_Same:a _,_Removed:b _,_Added:c;",
            ),
            ("Write", r#"{"file_path":"/w/n","content":"x\ny\n"}"#, "n _,1Added:x _,2Added:y;"),
            (
                "apply",
                r#"{"diff":"--- a/x\n+++ b/x\n@@ -3,2 +3,2 @@\n a\n-b\n+c\n"}"#,
                "x 3,3Same:a 4,_Removed:b _,4Added:c;",
            ),
            (
                "apply_patch",
                "*** Begin Patch\n*** Add File: /w/n.py\n+x\n*** Update File: o\n@@\n-a\n+b\n*** End Patch",
                "n.py _,1Added:x;o _,_Removed:a _,_Added:b;",
            ),
            ("ExitPlanMode", "{\"plan\":\"# P\\n1. a\"}", "plan # P\n1. a"),
            (
                "AskUserQuestion",
                r#"{"questions":[{"question":"Which","options":[{"label":"A","description":"first"},"B"]}]}"#,
                "Which? A: first|B",
            ),
            ("Read", r#"{"file_path":"x"}"#, "-"),
        ] {
            assert_eq!(shown(input, tool), want, "{tool} {input}");
        }
    }
}
