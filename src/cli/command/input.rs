//! The streams that a command reads: files, or standard input.

use std::io;
use std::path::{Path, PathBuf};

use super::streams::{Closed, open, say, tell_all};
use crate::input::files::files;
use crate::read::feed::Feed;

/// What a command reads: files, or standard input where no file is named.
#[derive(Debug)]
pub(super) struct Inputs {
    files: Vec<PathBuf>,
    /// Whether all that was named can be read, so far.
    all: bool,
}

impl Inputs {
    /// Finds the files that `named` mean: a directory means those in it.
    ///
    /// # Errors
    ///
    /// Where the only one that is named cannot be read.
    pub(super) fn of(named: &[PathBuf]) -> anyhow::Result<Inputs> {
        let mut inputs = Inputs { files: Vec::new(), all: true };
        if named.is_empty() {
            inputs.files.push(PathBuf::from("-"));
        }
        for path in named {
            let before = inputs.files.len();
            for file in files(path) {
                match file {
                    Ok(file) => inputs.files.push(file),
                    Err(error) => {
                        let what = format!("cannot read {}", path.display());
                        inputs.fails(named.len() == 1, error, what)?;
                    }
                }
            }
            if inputs.files.len() == before {
                let path = path.display();
                say(&format!("no .jsonl, .json or .ndjson file is in {path}"));
            }
        }
        Ok(inputs)
    }

    /// The files; `-` is standard input.
    pub(super) fn paths(&self) -> Vec<&Path> {
        self.files.iter().map(AsRef::as_ref).collect()
    }

    /// Refuses to go on where nothing can be read, before anything is written.
    pub(super) fn some_can_be_read(&self) -> anyhow::Result<()> {
        let mut wrong = Vec::new();
        for path in &self.files {
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

    /// Feeds each of them.
    ///
    /// One of several that cannot be read is reported and passed over, as `cat` does. Reading stops where
    /// nobody takes what would come of it. Returns whether all could be read.
    pub(super) fn feed<F>(mut self, feed: &mut F) -> anyhow::Result<bool>
    where
        F: Feed<Error: Into<anyhow::Error>>,
    {
        let files = std::mem::take(&mut self.files);
        let only = files.len() == 1 && self.all;
        for path in &files {
            let name = path.display().to_string();
            let mut input = match open(path) {
                Ok(input) => input,
                Err(error) => {
                    self.fails(only, error, format!("cannot open {name}"))?;
                    continue;
                }
            };
            feed.begin_file(path);
            let read = loop {
                match input.read(feed.space()) {
                    Ok(0) => break Ok(()),
                    Ok(count) => {
                        feed.filled(count);
                        if let Err(error) = feed.flush().map_err(Into::<anyhow::Error>::into) {
                            return if error.is::<Closed>() { Ok(self.all) } else { Err(error) };
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => break Err(error),
                }
            };
            feed.end_stream();
            if let Err(error) = read {
                self.fails(only, error, format!("cannot read {name}"))?;
            }
        }
        Ok(self.all)
    }

    /// Reports what cannot be read; where it is all that was asked for, that is the end.
    fn fails(&mut self, only: bool, error: io::Error, what: String) -> anyhow::Result<()> {
        self.all = false;
        let error = anyhow::Error::new(error).context(what);
        if only {
            return Err(error);
        }
        say(&format!("{error:#}"));
        Ok(())
    }
}

/// Looks whether a file can be read. A pipe is not opened: whoever writes to it would lose its reader.
fn find(path: &Path) -> io::Result<()> {
    if path == Path::new("-") {
        return Ok(());
    }
    let found = path.metadata()?;
    if found.is_dir() || found.is_file() { open(path).map(drop) } else { Ok(()) }
}
