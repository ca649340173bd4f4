//! The files that a patch changes.

use crate::format::event::FileChange;
use crate::format::write::Name;
use crate::json::Value;
use crate::limits::MAX_WRITTEN_PATHS;

/// Files and what happens to each.
pub(super) type Files = Vec<(String, &'static str)>;

/// The files of a list of changes by path: `{"/srv/app/a.py":{"update":{"unified_diff":…,"move_path":null}}}`
/// in the legacy form, `{"/srv/app/a.py":{"type":"update","unified_diff":…,"move_path":null}}` in session files.
pub(super) fn changes(changes: Value<'_>) -> Files {
    let change = |change: Value<'_>| {
        let [kind, path, add, update, delete] =
            change.pick(["type", "move_path", "add", "update", "delete"]);
        let moved = path.is_some() || update.get("move_path").is_some();
        match (add.exists() || kind.is("add"), delete.exists() || kind.is("delete"), moved) {
            (true, ..) => "add",
            (_, true, _) => "delete",
            (.., true) => "rename",
            _ => "update",
        }
    };
    changes.members().map(|(path, how)| (path.decode().into_owned(), change(how))).collect()
}

/// What may be remembered of the files until the result comes.
pub(super) fn bounded(files: Files) -> Files {
    let bytes: usize = files.iter().map(|(path, _)| path.len()).sum();
    if bytes > MAX_WRITTEN_PATHS { Files::new() } else { files }
}

/// The files as the vocabulary says them.
pub(super) fn changed(files: Files) -> Vec<FileChange<'static>> {
    let file = |(path, change): (String, &'static str)| FileChange {
        path: Name::from(path),
        change: Name::from(change),
    };
    files.into_iter().map(file).collect()
}
