//! The streams that a command reads: files, or standard input.

use std::io;
use std::path::{Path, PathBuf};

use super::streams::{open, say};
use crate::read::feed::Feed;

/// Feeds each of `files`, or standard input where there are none.
///
/// One of several that cannot be read is reported and passed over, as `cat` does. Returns whether all
/// could be read.
pub(super) fn each_stream<F>(files: &[PathBuf], feed: &mut F) -> anyhow::Result<bool>
where
    F: Feed<Error: Into<anyhow::Error>>,
{
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
        feed.begin_file(path);
        let read = loop {
            match input.read(feed.space()) {
                Ok(0) => break Ok(()),
                Ok(count) => {
                    feed.filled(count);
                    feed.flush().map_err(Into::into)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        feed.end_stream();
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
