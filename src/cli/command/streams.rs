//! Files and the standard streams, as every command opens them.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write};
use std::path::Path;

use anyhow::Context as _;

use crate::input::plain::plain;

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

/// Writes a word for people to standard error. Where that is closed, the status still tells.
pub(super) fn say(words: &str) {
    let _ = writeln!(io::stderr(), "agentnorm: {words}");
}

/// Writes `text` to standard output.
pub(super) fn print(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut out = stdout()?;
    out.write_all(text.as_ref()).context("cannot write to standard output")?;
    out.flush().context("cannot write to standard output")
}

/// Writes `json` to standard output, for people to read.
pub(super) fn print_json(json: &serde_json::Value) -> anyhow::Result<()> {
    print(format!("{}\n", serde_json::to_string_pretty(json)?))
}
