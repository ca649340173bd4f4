//! What a call edits: which files, and how many lines come and go.

use std::borrow::Cow;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::json::Value;
use crate::limits::MAX_COMPARED_LINES;

/// How many lines come and go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LineCounts {
    pub(super) added: u64,
    pub(super) removed: u64,
    /// The call was clipped: there are at least that many.
    pub(super) at_least: bool,
}

impl LineCounts {
    pub(super) fn plus(self, other: LineCounts) -> LineCounts {
        LineCounts {
            added: self.added + other.added,
            removed: self.removed + other.removed,
            at_least: self.at_least || other.at_least,
        }
    }
}

/// Reads what the arguments of a call say it edits; `None` when it edits nothing.
pub(super) fn of_arguments(tool: &str, kind: &str, arguments: Value<'_>) -> Option<LineCounts> {
    let replaced = || {
        replacements(arguments).map(|(old, new)| difference(&old, &new)).reduce(LineCounts::plus)
    };
    if let Some(counts) = patch_inside(arguments).or_else(replaced) {
        return Some(counts);
    }
    written(tool, kind, arguments)
        .map(|text| blocks(&text).unwrap_or_else(|| difference("", &text)))
}

/// Returns the text of a file that the call writes.
pub(super) fn written<'a>(tool: &str, kind: &str, arguments: Value<'a>) -> Option<Cow<'a, str>> {
    let tool = tool.to_ascii_lowercase();
    let writes = kind == "edit"
        || ["write", "create", "newfile"].iter().any(|word| tool.contains(word))
        || arguments.get("streamContent").exists()
        || arguments.get("command").is("create");
    let texts = arguments.pick(["content", "file_text", "fileText", "streamContent"]);
    texts.into_iter().find_map(Value::decode).filter(|_| writes)
}

/// The keys that a patch stands behind.
const PATCHES: [&str; 6] = ["patch", "diff", "input", "patchText", "unified_diff", "content"];

fn patch_inside(arguments: Value<'_>) -> Option<LineCounts> {
    arguments.pick(PATCHES).into_iter().find_map(|patch| {
        let text = patch.decode()?;
        of_patch(&text).or_else(|| blocks(&text))
    })
}

/// Returns the patch that stands in the arguments.
pub(super) fn patch_text(arguments: Value<'_>) -> Option<Cow<'_, str>> {
    let texts = arguments.pick(PATCHES).into_iter().filter_map(Value::decode);
    texts.into_iter().find(|text| of_patch(text).is_some())
}

/// Pairs of old and new text: beside each other, in an object, or in a list.
pub(super) fn replacements(arguments: Value<'_>) -> impl Iterator<Item = Pair<'_>> {
    let nested = arguments.pick(["edit", "edits", "changes", "replacements"]);
    let lists = nested.into_iter().flat_map(|value| {
        let single = value.is_object().then_some(value);
        single.into_iter().chain(value.elements())
    });
    std::iter::once(arguments).chain(lists).filter_map(pair)
}

/// The text that goes and the one that comes.
pub(super) type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

fn pair(value: Value<'_>) -> Option<Pair<'_>> {
    const OLD: [&str; 6] = ["old_string", "oldString", "old_str", "old_text", "oldText", "old"];
    const NEW: [&str; 6] = ["new_string", "newString", "new_str", "new_text", "newText", "new"];
    let first = |keys| value.pick::<6>(keys).into_iter().find_map(Value::decode);
    let (old, new) = (first(OLD), first(NEW));
    (old.is_some() || new.is_some()).then(|| (old.unwrap_or_default(), new.unwrap_or_default()))
}

/// Counts the lines that differ between two texts.
fn difference(old: &str, new: &str) -> LineCounts {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut counts = LineCounts::default();
    if old.len() + new.len() > MAX_COMPARED_LINES {
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        counts.removed = (old.len() - same) as u64;
        counts.added = (new.len() - same) as u64;
        return counts;
    }
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (tag, before, after) = op.as_tag_tuple();
        if tag != DiffTag::Equal {
            counts.removed += before.len() as u64;
            counts.added += after.len() as u64;
        }
    }
    counts
}

/// Counts the lines of a unified diff or an `apply_patch` text.
pub(super) fn of_patch(text: &str) -> Option<LineCounts> {
    let ours = text.starts_with("*** Begin Patch");
    if !(ours || text.starts_with("@@ ") || text.contains("\n@@ ")) {
        return None;
    }
    let mut counts =
        LineCounts { at_least: ours && !text.contains("\n*** End Patch"), ..LineCounts::default() };
    for line in text.lines() {
        match line.as_bytes() {
            [b'+', b'+', b'+', b' ', ..] | [b'-', b'-', b'-', b' ', ..] if !ours => {}
            [b'+', ..] => counts.added += 1,
            [b'-', ..] => counts.removed += 1,
            _ => {}
        }
    }
    Some(counts)
}

/// Counts the lines of the blocks between `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`.
fn blocks(text: &str) -> Option<LineCounts> {
    search_blocks(text).map(|(old, new)| difference(old, new)).reduce(LineCounts::plus)
}

/// Returns the old and the new text of each block.
pub(super) fn search_blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("<<<<<<< SEARCH\n").skip(1).map_while(|block| {
        let (old, rest) = block.split_once("=======\n")?;
        Some((old, rest.split_once(">>>>>>> REPLACE").map_or(rest, |(new, _)| new)))
    })
}

/// Finds the files that an `apply_patch` text names.
pub(super) fn patched_files(text: &str) -> Vec<&str> {
    const MARKS: [&str; 3] = ["*** Add File: ", "*** Update File: ", "*** Delete File: "];
    text.lines().filter_map(|line| MARKS.iter().find_map(|mark| line.strip_prefix(mark))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    fn counts(tool: &str, arguments: &str) -> Option<(u64, u64)> {
        let mut doc = Doc::default();
        of_arguments(tool, "", doc.parse(arguments).unwrap()).map(|c| (c.added, c.removed))
    }

    #[test]
    fn every_spelling_of_an_edit_is_counted() {
        for (tool, arguments, want) in [
            ("Edit", r#"{"old_string":"a\nb\n","new_string":"a\nc\nd\n"}"#, Some((2, 1))),
            ("edit", r#"{"filePath":"x","oldString":"a","newString":"b"}"#, Some((1, 1))),
            (
                "edit",
                r#"{"edits":[{"oldText":"a","newText":""},{"oldText":"","newText":"b"}]}"#,
                Some((1, 1)),
            ),
            ("StrReplaceFile", r#"{"edit":{"old":"a","new":"a\nb"}}"#, Some((1, 0))),
            ("Write", r#"{"file_path":"x","content":"a\nb\n"}"#, Some((2, 0))),
            ("editor", r#"{"command":"create","path":"x","file_text":"a"}"#, Some((1, 0))),
            ("Read", r#"{"file_path":"x","content":"a"}"#, None),
            (
                "search_replace",
                r#"{"content":"<<<<<<< SEARCH\na\n=======\nb\nc\n>>>>>>> REPLACE\n"}"#,
                Some((2, 1)),
            ),
            (
                "apply",
                r#"{"patch":"*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n+c\n*** End Patch"}"#,
                Some((2, 1)),
            ),
            ("apply", r#"{"diff":"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"}"#, Some((1, 1))),
            ("Bash", r#"{"command":"ls"}"#, None),
        ] {
            assert_eq!(counts(tool, arguments), want, "{arguments}");
        }
    }
}
