//! What the words of a result say: the exit status, the files, the plan.

use crate::adapter::content::{self, changed, plan};
use crate::format::batch::Batch;
use crate::format::event::{FileChange, Plan, Step};
use crate::format::write::Name;
use crate::json::{Doc, Value};

/// The exit status of a command, from the words around its output.
pub(super) fn exit(said: Value<'_>, is_error: bool) -> Option<i64> {
    let raw = said.str()?.raw();
    let digits = if is_error {
        raw.strip_prefix("Error: Command failed (exit code: ")?.split_once(')')?.0
    } else {
        let (output, digits) = raw.strip_suffix(']')?.rsplit_once("[Process exited with code ")?;
        if !output.is_empty() && !output.ends_with("\\n") {
            return None;
        }
        digits
    };
    content::exit_code(digits.parse().ok())
}

/// Whether the call needed an approval that nobody could give (recording 0.225 denied).
pub(super) fn denied(said: Value<'_>) -> bool {
    let words = "Error: Exec ended early: insufficient permission to proceed.";
    said.str().is_some_and(|said| said.raw().starts_with(words))
}

/// The file that a good call says it changed: its result is JSON in a string.
pub(super) fn changes<'a>(tool: &str, value: Value<'a>) -> Vec<FileChange<'a>> {
    let change = match tool {
        "Edit" => "update",
        "Create" => "add",
        _ => return Vec::new(),
    };
    let text = value.decode().unwrap_or_default();
    let mut doc = Doc::default();
    let [success, path] = doc.parse(&text).unwrap_or(Value::MISSING).pick(["success", "file_path"]);
    let path = path.owned().filter(|_| success.is_true());
    changed(path.map(Name::from), change)
}

/// The plan is a list, or (recording 0.225 todo) a text of lines like `1. [in_progress] Read the code`.
pub(super) fn plan_of(todos: &str, out: &mut Batch) {
    let mut doc = Doc::default();
    let todos = doc.parse(todos).unwrap_or(Value::MISSING);
    if todos.is_array() {
        return plan(todos, "content", out);
    }
    let text = todos.decode().unwrap_or_default();
    let steps: Vec<Step<'_>> = text.lines().filter_map(line).collect();
    if !steps.is_empty() {
        out.push(Plan { steps });
    }
}

fn line(line: &str) -> Option<Step<'_>> {
    let (number, rest) = line.trim().split_once(". [")?;
    let (status, text) = rest.split_once("] ")?;
    number.parse::<u32>().ok()?;
    Some(Step { text: Some(text.into()), status: Some(status.into()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_fixed_words_state_an_exit_status() {
        let mut doc = Doc::default();
        let mut exit = |json: &str, is_error| exit(doc.parse(json).unwrap(), is_error);
        assert_eq!(exit(r#""[Process exited with code 0]""#, false), Some(0));
        assert_eq!(exit(r#""a\n\n\n[Process exited with code 7]""#, false), Some(7));
        assert_eq!(exit(r#""it said [Process exited with code 7]""#, false), None);
        assert_eq!(exit(r#""[Process exited with code 7] or so""#, false), None);
        assert_eq!(exit(r#""Error: Command failed (exit code: 3)\nx""#, true), Some(3));
        let killed =
            r#""Error: Command terminated by signal: SIGTERM\n[Process exited with code 0]""#;
        assert_eq!(exit(killed, true), None);
        assert_eq!(exit("7", false), None);
    }

    #[test]
    fn a_plan_is_a_numbered_text_or_a_list() {
        let text = |text: &str| line(text).map(|step| step.text.is_some());
        assert_eq!(text("1. [in_progress] Read the code"), Some(true));
        assert_eq!(text("Read the code"), None);
        assert_eq!(text("- [x] Read the code"), None);
    }
}
