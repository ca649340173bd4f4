//! The filter: streams in, events out.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::adapter::Protocol;
use crate::cli::{FilterArgs, ReadArgs, WriteArgs};
use crate::exit::{DONE, Exit, NO};
use crate::normalize::{Normalizer, Options, Sourced};

impl ReadArgs {
    /// How a stream is read.
    pub fn options(&self) -> Options {
        Options {
            protocol: self.protocol.unwrap_or(Protocol::Auto),
            clip: self.clip,
            max_line: self.max_line,
            deltas: !self.no_deltas,
            stamp: self.stamp,
        }
    }
}

impl WriteArgs {
    /// The file that gets the input.
    pub(super) fn tee(&self) -> anyhow::Result<Option<File>> {
        self.tee.as_deref().map(create).transpose()
    }
}

/// Reads `files`, or standard input where there are none.
pub(super) fn run(args: &FilterArgs, files: &[PathBuf]) -> anyhow::Result<Exit> {
    let stdin = [PathBuf::from("-")];
    let files = if files.is_empty() { &stdin } else { files };
    args.write.refuse_clashes(files)?;
    let mut tee = args.write.tee()?;
    let mut outlet = args.write.outlet(args.read.options())?;
    let mut succeeded = true;
    for path in files {
        let mut normalizer = Normalizer::new(args.read.options());
        let name = path.display();
        let mut input = open(path).with_context(|| format!("cannot open {name}"))?;
        loop {
            let space = normalizer.space();
            let count = match input.read(space) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    outlet.flush()?;
                    return Err(error).with_context(|| format!("cannot read {name}"));
                }
            };
            if let Some(tee) = &mut tee {
                let read = space.get(..count).unwrap_or_default();
                tee.write_all(read).context("cannot write the --tee file")?;
            }
            normalizer.filled(count, &mut |line: Sourced<'_>| outlet.write(line));
            if let Err(error) = outlet.flush()
                && tee.is_none()
            {
                return Err(error).context("cannot write the events");
            }
        }
        normalizer.finish(&mut |line: Sourced<'_>| outlet.write(line));
        outlet.end_stream(&normalizer);
        let outcome = normalizer.outcome();
        succeeded &= outcome.succeeded.unwrap_or(!normalizer.has_end());
    }
    outlet.finish().context("cannot write the events")?;
    Ok(Exit(if args.write.exit_status && !succeeded { NO } else { DONE }))
}

pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            let hint =
                "agentnorm: reading from the terminal; pipe an agent's output in, or see --help";
            // A hint that cannot be shown is none.
            let _ = writeln!(io::stderr(), "{hint}");
        }
        return Ok(Box::new(stdin.lock()));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    Ok(Box::new(file))
}

pub(super) fn create(path: &Path) -> anyhow::Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Standard output without std's line buffer, which would write at each line feed.
#[cfg(unix)]
pub(super) fn stdout() -> io::Result<impl Write> {
    use std::os::fd::AsFd as _;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
pub(super) fn stdout() -> io::Result<impl Write> {
    Ok(io::stdout())
}
