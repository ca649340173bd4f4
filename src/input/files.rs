//! Which files are read where a directory is named.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// The endings of the files that are read out of a directory, with or without a compression's.
const ENDINGS: [&str; 3] = ["jsonl", "json", "ndjson"];
const COMPRESSED: [&str; 2] = ["gz", "zst"];

/// The files that `path` means: itself, or where it is a directory those in it, at any depth, whose names
/// end in `.jsonl`, `.json` or `.ndjson`, also with `.gz` or `.zst` behind, in order of their names.
/// Symbolic links in a directory are followed to files and not to directories.
pub(crate) fn files(path: &Path) -> Box<dyn Iterator<Item = io::Result<PathBuf>>> {
    if path == Path::new("-") || !path.is_dir() {
        return Box::new(std::iter::once(Ok(path.to_owned())));
    }
    let found =
        WalkDir::new(path).sort_by_file_name().into_iter().filter_map(|entry| match entry {
            Ok(entry) => {
                let wanted = is_wanted(entry.path()) && entry.path().is_file();
                wanted.then(|| Ok(entry.into_path()))
            }
            Err(error) => Some(Err(unreadable(error))),
        });
    Box::new(found)
}

/// The error of a folder that cannot be read, without the words of the library.
fn unreadable(error: walkdir::Error) -> io::Error {
    let path = error.path().map(|path| path.display().to_string()).unwrap_or_default();
    match error.into_io_error() {
        Some(error) => io::Error::new(error.kind(), format!("{path}: {error}")),
        None => io::Error::other(format!("{path}: it contains itself")),
    }
}

fn is_wanted(path: &Path) -> bool {
    let is = |path: &Path, endings: &[&str]| {
        path.extension().and_then(OsStr::to_str).is_some_and(|ending| endings.contains(&ending))
    };
    let inner = path.file_stem().map(Path::new).filter(|_| is(path, &COMPRESSED));
    is(inner.unwrap_or(path), &ENDINGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_tells_what_is_read_out_of_a_directory() {
        for (name, wanted) in [
            ("a.jsonl", true),
            ("a.json", true),
            ("a.ndjson.zst", true),
            ("a.jsonl.gz", true),
            ("a.gz", false),
            ("a.txt", false),
            ("a.jsonl.bak", false),
            ("jsonl", false),
            (".jsonl", false),
        ] {
            assert_eq!(is_wanted(Path::new(name)), wanted, "{name}");
        }
    }
}
