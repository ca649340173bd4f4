//! A command by its name, as Windows finds it: in the folders of `PATH`, with the extensions of `PATHEXT`.
//!
//! The system itself looks for `NAME.exe` only, and npm installs `claude.cmd`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What can be run without a program that is named after it; scripts of other kinds cannot.
const RUNNABLE: [&str; 4] = [".com", ".exe", ".bat", ".cmd"];

/// Finds the file that `program` means; `None` leaves it to the system. `path` and `extensions` are what
/// the environment says, `is_file` whether there is such a file.
pub(super) fn look_up(
    program: &OsStr,
    path: Option<&OsStr>,
    extensions: Option<&str>,
    is_file: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let listed = extensions.unwrap_or_default().split(';').map(str::trim).map(str::to_lowercase);
    let mut extensions: Vec<String> =
        listed.filter(|extension| RUNNABLE.contains(&extension.as_str())).collect();
    if extensions.is_empty() {
        extensions = RUNNABLE.map(str::to_owned).into();
    }
    let name = program.to_str()?;
    let lower = name.to_lowercase();
    let is_whole = RUNNABLE.iter().any(|extension| lower.ends_with(extension));
    let with_extension = |folder: Option<&Path>| {
        let extensions = extensions.iter().map(String::as_str);
        let mut names = is_whole.then_some("").into_iter().chain(extensions);
        names.find_map(|extension| {
            let name = format!("{name}{extension}");
            let file = folder.map_or_else(|| PathBuf::from(&name), |folder| folder.join(&name));
            is_file(&file).then_some(file)
        })
    };
    if name.contains(['/', '\\', ':']) {
        return with_extension(None);
    }
    // Not the current folder: what lies there is not what was meant.
    let folders = std::env::split_paths(path?).filter(|folder| !folder.as_os_str().is_empty());
    folders.into_iter().find_map(|folder| with_extension(Some(&folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_with_its_extension() {
        let files =
            ["one/claude.cmd", "one/claude", "two/claude.exe", "two/codex.ps1", "here/x.bat"];
        let path = std::env::join_paths(["", "none", "one", "two"]).unwrap();
        let find = |name: &str, extensions: Option<&str>| {
            let is_file = |file: &Path| files.iter().any(|known| Path::new(known) == file);
            let found = look_up(name.as_ref(), Some(&path), extensions, is_file);
            found.map(|file| file.to_str().unwrap().replace('\\', "/"))
        };
        let usual = Some(".COM;.EXE;.BAT;.CMD;.VBS;.PS1");
        for (name, extensions, found) in [
            ("claude", usual, Some("one/claude.cmd")),
            ("claude", None, Some("one/claude.cmd")),
            ("claude", Some(".EXE"), Some("two/claude.exe")),
            ("claude.exe", usual, Some("two/claude.exe")),
            ("Claude.CMD", usual, None),
            ("codex", usual, None),
            ("here/x", usual, Some("here/x.bat")),
            ("here/x.bat", usual, Some("here/x.bat")),
            ("x", usual, None),
        ] {
            assert_eq!(find(name, extensions).as_deref(), found, "{name} {extensions:?}");
        }
        assert_eq!(look_up("claude".as_ref(), None, usual, |_| true), None);
    }
}
