//! Files and the standard streams, as every command opens them.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write};
use std::path::Path;

use anyhow::Context as _;

use crate::input::plain::plain;
use crate::read::feed::Feed;

/// Opens a file, compressed or not; `-` is standard input.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            say("reading from the terminal; pipe an agent's output in, or see --help");
        }
        return Ok(Box::new(plain(stdin.lock())));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    Ok(Box::new(plain(file)))
}

/// Makes the file, or empties it.
pub(super) fn create(path: &Path) -> anyhow::Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns standard output without std's line buffer, which would write at each line feed.
#[cfg(unix)]
pub(super) fn stdout() -> io::Result<impl Write> {
    use std::os::fd::AsFd as _;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
pub(super) fn stdout() -> io::Result<impl Write> {
    Ok(io::stdout())
}

pub(super) const NOT_WRITTEN: &str = "cannot write to standard output";

/// What writes to standard output, with errors that say so.
pub(super) struct OnStdout<F>(pub(super) F);

impl<F: Feed<Error = io::Error>> Feed for OnStdout<F> {
    type Error = anyhow::Error;

    fn begin_file(&mut self, path: &Path) {
        self.0.begin_file(path);
    }

    fn space(&mut self) -> &mut [u8] {
        self.0.space()
    }

    fn filled(&mut self, count: usize) {
        self.0.filled(count);
    }

    fn end_stream(&mut self) {
        self.0.end_stream();
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        self.0.flush().context(NOT_WRITTEN)
    }
}

/// Writes a word for people to standard error. Where that is closed, the status still tells.
pub(super) fn say(words: &str) {
    let _ = writeln!(io::stderr(), "agentnorm: {words}");
}

/// Writes `text` to standard output.
pub(super) fn print(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut out = stdout()?;
    out.write_all(text.as_ref()).context(NOT_WRITTEN)?;
    out.flush().context(NOT_WRITTEN)
}

/// Writes `json` to standard output, for people to read.
pub(super) fn print_json(json: &serde_json::Value) -> anyhow::Result<()> {
    print(format!("{}\n", serde_json::to_string_pretty(json)?))
}
