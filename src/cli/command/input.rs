//! The streams that a command reads: files, or standard input.

use std::io;
use std::path::{Path, PathBuf};

use super::streams::{open, say};

/// Reads each of `files`, or standard input where there are none: `space` and `filled` as in
/// [`crate::Normalizer`], `end` behind each.
///
/// One of several that cannot be read is reported and passed over, as `cat` does. Returns whether all
/// could be read.
pub(super) fn each_stream<R>(
    files: &[PathBuf],
    reader: &mut R,
    space: impl Fn(&mut R) -> &mut [u8],
    filled: impl Fn(&mut R, usize) -> anyhow::Result<()>,
    end: impl Fn(&mut R, &str),
) -> anyhow::Result<bool> {
    let files = or_stdin(files);
    let mut all = true;
    let mut wrong = |error: io::Error, what: String| {
        all = false;
        let error = anyhow::Error::new(error).context(what);
        if files.len() == 1 {
            return Err(error);
        }
        say(&format!("{error:#}"));
        Ok(())
    };
    for &path in &files {
        let name = path.display().to_string();
        let mut input = match open(path) {
            Ok(input) => input,
            Err(error) => {
                wrong(error, format!("cannot open {name}"))?;
                continue;
            }
        };
        let read = loop {
            match input.read(space(reader)) {
                Ok(0) => break Ok(()),
                Ok(count) => filled(reader, count)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        end(reader, &name);
        if let Err(error) = read {
            wrong(error, format!("cannot read {name}"))?;
        }
    }
    Ok(all)
}

/// Returns what is read: standard input where no file is named.
pub(super) fn or_stdin(files: &[PathBuf]) -> Vec<&Path> {
    if files.is_empty() { vec![Path::new("-")] } else { files.iter().map(AsRef::as_ref).collect() }
}
