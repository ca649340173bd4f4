//! The streams that a command reads: files, or standard input.

use std::io;
use std::path::{Path, PathBuf};

use super::streams::{Closed, open, say, tell_all};
use crate::read::feed::Feed;

/// Refuses to go on where nothing can be read, before anything is written.
pub(super) fn some_can_be_read(files: &[&Path]) -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for &path in files {
        match find(path) {
            Ok(()) => return Ok(()),
            Err(error) => {
                let what = format!("cannot open {}", path.display());
                wrong.push(Err(anyhow::Error::new(error).context(what)));
            }
        }
    }
    tell_all(wrong)
}

/// Looks whether a file can be read. A pipe is not opened: whoever writes to it would lose its reader.
fn find(path: &Path) -> io::Result<()> {
    if path == Path::new("-") {
        return Ok(());
    }
    let found = path.metadata()?;
    if found.is_dir() || found.is_file() { open(path).map(drop) } else { Ok(()) }
}

/// Feeds each of `files`, or standard input where there are none.
///
/// One of several that cannot be read is reported and passed over, as `cat` does. Reading stops where
/// nobody takes what would come of it. Returns whether all could be read.
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
        feed.begin_stream(&name);
        let read = loop {
            match input.read(feed.space()) {
                Ok(0) => break Ok(()),
                Ok(count) => {
                    feed.filled(count);
                    if let Err(error) = feed.flush().map_err(Into::<anyhow::Error>::into) {
                        return if error.is::<Closed>() { Ok(all) } else { Err(error) };
                    }
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
