//! The streams that a command reads: files, or standard input.

use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::say;

/// Reads each of `files`, or standard input where there are none: `space` and `filled` as in
/// [`crate::Normalizer`], `end` behind each.
///
/// One of several that cannot be read is told and passed over, as `cat` does. Returns whether all
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

fn or_stdin(files: &[PathBuf]) -> Vec<&Path> {
    if files.is_empty() { vec![Path::new("-")] } else { files.iter().map(AsRef::as_ref).collect() }
}

/// Opens a file; `-` is standard input.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            say("reading from the terminal; pipe an agent's output in, or see --help");
        }
        return Ok(Box::new(stdin.lock()));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    Ok(Box::new(file))
}

/// Refuses to write over what is read (it would be lost before it is read, or be read again for ever),
/// and to write two things into one file. `output` is standard output where there is none.
pub(super) fn spare(
    files: &[PathBuf],
    output: Option<&Path>,
    tee: Option<&Path>,
) -> anyhow::Result<()> {
    let events = output.map_or_else(|| stream_identity(io::stdout()), identity);
    let targets = [events, tee.and_then(identity)];
    for input in or_stdin(files) {
        let id =
            if input == Path::new("-") { stream_identity(io::stdin()) } else { identity(input) };
        if id.is_some() && targets.contains(&id) {
            bail!("{} is read; it cannot be written at the same time", input.display());
        }
    }
    if let (Some(output), Some(tee)) = (output, tee)
        // The same device twice, such as /dev/null, does no harm.
        && match identity(output) {
            Some(id) => identity(tee) == Some(id),
            None => output == tee && !output.exists(),
        }
    {
        bail!("-o and --tee name one file");
    }
    Ok(())
}

/// What is the same for two names of one regular file.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    regular(&fs::metadata(path).ok()?)
}

#[cfg(unix)]
fn stream_identity(stream: impl std::os::fd::AsFd) -> Option<(u64, u64)> {
    let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
    regular(&file.metadata().ok()?)
}

#[cfg(unix)]
fn regular(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok().filter(|path| path.is_file())
}

#[cfg(not(unix))]
fn stream_identity<S>(_stream: S) -> Option<PathBuf> {
    None
}
