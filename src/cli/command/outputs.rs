//! The files that are written: made before anything is read, emptied when it is known that they will be
//! written.
//!
//! A file that is read, or written otherwise, is not written: it would be lost, or grow for ever. Each is
//! made first and compared then, so that it is one file however it is spelled.

use std::fs::{File, OpenOptions, remove_file};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::cli::args::WriteArgs;

/// The files that were asked for, as they were found.
#[derive(Debug)]
pub(super) struct Outputs {
    events: Option<Output>,
    tee: Option<Output>,
}

/// A file that may be written. Unless it is, it stays as it was.
#[derive(Debug)]
struct Output {
    path: PathBuf,
    file: Option<File>,
    /// Whether there was none before.
    is_new: bool,
}

impl WriteArgs {
    /// The file that gets the events; `-` is none.
    fn events_file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// Makes the files that are not there, and refuses those that `inputs` or another output hold.
    pub(super) fn outputs(&self, inputs: &[&Path]) -> anyhow::Result<Outputs> {
        let events = self.events_file().map(Output::open).transpose()?;
        let tee = self.tee.as_deref().map(Output::open).transpose()?;
        let is_printed = events.is_none() || self.show.is_some();
        let stdout = if is_printed { standard(false) } else { None };
        let mut taken: Vec<Taken> = vec![(stdout, "standard output")];
        for (output, option) in [(&events, "-o"), (&tee, "--tee")] {
            let Some(output) = output else { continue };
            let file = identity(&output.path);
            if let Some((_, at)) = taken.iter().find(|(other, _)| file.is_some() && *other == file)
            {
                let path = output.path.display();
                bail!("cannot write {path}: {option} and {at} are the same file");
            }
            taken.push((file, option));
        }
        refuse(inputs, &taken)?;
        Ok(Outputs { events, tee })
    }
}

impl Outputs {
    /// Empties the files; returns that for the events and that for the copy of the input.
    pub(super) fn empty(self) -> anyhow::Result<(Option<File>, Option<File>)> {
        let empty = |output: Option<Output>| output.map(Output::empty).transpose();
        Ok((empty(self.events)?, empty(self.tee)?))
    }
}

impl Output {
    fn open(path: &Path) -> anyhow::Result<Output> {
        let new = OpenOptions::new().write(true).create_new(true).open(path);
        let is_new = new.is_ok();
        let file = match new {
            // A link to nothing is in the way of a new file, but leads to one.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                OpenOptions::new().write(true).create(true).truncate(false).open(path)
            }
            new => new,
        };
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Output { path: path.to_owned(), file: Some(file), is_new })
    }

    fn empty(mut self) -> anyhow::Result<File> {
        let emptied = self.file.take().map_or_else(
            || Err(io::Error::from(io::ErrorKind::NotFound)),
            |file| {
                // What is no regular file has nothing to empty.
                if file.metadata()?.is_file() {
                    file.set_len(0)?;
                }
                Ok(file)
            },
        );
        emptied.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.file.is_some() && self.is_new {
            // Where it cannot be removed, an empty file is left over.
            let _ = remove_file(&self.path);
        }
    }
}

/// Refuses to read what is written to standard output meanwhile.
pub(super) fn refuse_own_output(inputs: &[&Path]) -> anyhow::Result<()> {
    refuse(inputs, &[(standard(false), "standard output")])
}

fn refuse(inputs: &[&Path], taken: &[Taken]) -> anyhow::Result<()> {
    for &input in inputs {
        let file = if input == Path::new("-") { standard(true) } else { identity(input) };
        if let Some((_, at)) = taken.iter().find(|(other, _)| file.is_some() && *other == file) {
            bail!("cannot read {}: {at} is the same file", input.display());
        }
    }
    Ok(())
}

/// A file that is written, and what names it.
type Taken = (Identity, &'static str);

/// The identity of a regular file; `None` for devices and pipes, which may be shared.
#[cfg(unix)]
type Identity = Option<(u64, u64)>;
#[cfg(not(unix))]
type Identity = Option<PathBuf>;

#[cfg(unix)]
fn identity(path: &Path) -> Identity {
    identity_of(&path.metadata().ok()?)
}

#[cfg(unix)]
fn standard(input: bool) -> Identity {
    use std::os::fd::AsFd as _;
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let stream = if input { stdin.as_fd() } else { stdout.as_fd() };
    let file = File::from(stream.try_clone_to_owned().ok()?);
    identity_of(&file.metadata().ok()?)
}

#[cfg(unix)]
fn identity_of(metadata: &std::fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Identity {
    path.canonicalize().ok().filter(|path| path.is_file())
}

#[cfg(not(unix))]
fn standard(_input: bool) -> Identity {
    None
}
