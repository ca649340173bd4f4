//! What stands beside a file: harnesses keep some of what a session's file does not say in a file next
//! to it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use crate::limits::MAX_BESIDE;

/// A file that is read.
#[derive(Debug)]
pub(crate) struct OfFile {
    /// Its name without the folder.
    pub(crate) name: String,
    /// The names and the texts of files in its folder.
    pub(crate) beside: Vec<(String, String)>,
}

impl OfFile {
    /// Looks at the file's name, and reads of the files that `names` makes of it those that are there.
    /// Standard input, which is `-`, has none.
    pub(crate) fn new(path: &Path, names: impl FnOnce(&str) -> Vec<String>) -> Option<Self> {
        let name = path.file_name()?.to_str().filter(|_| path != Path::new("-"))?.to_owned();
        let read = |beside: String| {
            let text = text(&path.with_file_name(&beside))?;
            Some((beside, text))
        };
        let beside = names(&name).into_iter().filter_map(read).collect();
        Some(Self { name, beside })
    }
}

/// The text of a file; nothing where it cannot be had, which is as if it were not there.
fn text(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    // What is no plain file may never end.
    let length = file.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
    let mut text = String::new();
    let fits = usize::try_from(length).is_ok_and(|length| length <= MAX_BESIDE);
    file.take(MAX_BESIDE as u64).read_to_string(&mut text).ok().filter(|_| fits)?;
    Some(text)
}
