//! What a call edits: which files, and how many lines come and go.

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
    fn plus(self, other: LineCounts) -> LineCounts {
        LineCounts {
            added: self.added + other.added,
            removed: self.removed + other.removed,
            at_least: self.at_least || other.at_least,
        }
    }
}

/// Reads what the arguments of a call say it edits; `None` when it edits nothing.
pub(super) fn of_arguments(tool: &str, arguments: Value<'_>) -> Option<LineCounts> {
    if let Some(counts) = patch_inside(arguments).or_else(|| replacements(arguments)) {
        return Some(counts);
    }
    let tool = tool.to_ascii_lowercase();
    let writes = ["write", "create", "newfile"].iter().any(|word| tool.contains(word))
        || arguments.get("streamContent").exists()
        || arguments.get("command").is("create");
    let [a, b, c, d] = arguments.pick(["content", "file_text", "fileText", "streamContent"]);
    let text = [a, b, c, d].into_iter().find_map(Value::decode).filter(|_| writes)?;
    Some(blocks(&text).unwrap_or_else(|| difference("", &text)))
}

fn patch_inside(arguments: Value<'_>) -> Option<LineCounts> {
    let patches =
        arguments.pick(["patch", "diff", "input", "patchText", "unified_diff", "content"]);
    patches.into_iter().find_map(|patch| {
        let text = patch.decode()?;
        of_patch(&text).or_else(|| blocks(&text))
    })
}

/// Pairs of old and new text: beside each other, in an object, or in a list.
fn replacements(arguments: Value<'_>) -> Option<LineCounts> {
    let nested = arguments.pick(["edit", "edits", "changes", "replacements"]);
    let lists = nested.into_iter().flat_map(|value| {
        let single = value.is_object().then_some(value);
        single.into_iter().chain(value.elements())
    });
    std::iter::once(arguments).chain(lists).filter_map(pair).reduce(LineCounts::plus)
}

fn pair(value: Value<'_>) -> Option<LineCounts> {
    const OLD: [&str; 6] = ["old_string", "oldString", "old_str", "old_text", "oldText", "old"];
    const NEW: [&str; 6] = ["new_string", "newString", "new_str", "new_text", "newText", "new"];
    let first = |keys| value.pick::<6>(keys).into_iter().find_map(Value::decode);
    let (old, new) = (first(OLD), first(NEW));
    if old.is_none() && new.is_none() {
        return None;
    }
    Some(difference(&old.unwrap_or_default(), &new.unwrap_or_default()))
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

/// Blocks between `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`.
fn blocks(text: &str) -> Option<LineCounts> {
    let mut counts = None;
    for block in text.split("<<<<<<< SEARCH\n").skip(1) {
        let (old, rest) = block.split_once("=======\n")?;
        let (new, _) = rest.split_once(">>>>>>> REPLACE").unwrap_or((rest, ""));
        counts = Some(counts.unwrap_or_default()).map(|c: LineCounts| c.plus(difference(old, new)));
    }
    counts
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
        of_arguments(tool, doc.parse(arguments).unwrap()).map(|c| (c.added, c.removed))
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
