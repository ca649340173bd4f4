//! Files and the standard streams, as every command opens them.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write};
use std::path::Path;

use anyhow::Context as _;

use crate::format::tame;
use crate::input::plain::plain;
use crate::read::feed::Feed;

/// A stream that is waited for where it is not ready.
///
/// Whoever shares a pipe with us may have made it non-blocking, as every program in Node does with its
/// standard error: then "not now" is no error.
#[derive(Debug)]
pub(super) struct Patient<S>(S);

#[cfg(unix)]
mod wait {
    use std::io::{self, Read, Write};
    use std::os::fd::AsFd;

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;

    use super::Patient;

    /// Does it as soon as the stream is ready.
    fn patiently<S: AsFd, T>(
        stream: &mut S,
        ready: PollFlags,
        mut step: impl FnMut(&mut S) -> io::Result<T>,
    ) -> io::Result<T> {
        loop {
            match step(stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return done,
            }
            match poll(&mut [PollFd::new(stream, ready)], None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    impl<S: Read + AsFd> Read for Patient<S> {
        fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
            patiently(&mut self.0, PollFlags::IN, |stream| stream.read(space))
        }
    }

    impl<S: Write + AsFd> Write for Patient<S> {
        #[expect(clippy::disallowed_methods, reason = "this is one")]
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            patiently(&mut self.0, PollFlags::OUT, |stream| stream.write(bytes))
        }

        fn flush(&mut self) -> io::Result<()> {
            patiently(&mut self.0, PollFlags::OUT, Write::flush)
        }
    }
}

/// Where there is no poll, no stream is made non-blocking behind our back.
#[cfg(not(unix))]
mod wait {
    use std::io::{self, Read, Write};

    use super::Patient;

    impl<S: Read> Read for Patient<S> {
        fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
            self.0.read(space)
        }
    }

    impl<S: Write> Write for Patient<S> {
        #[expect(clippy::disallowed_methods, reason = "this is one")]
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0.flush()
        }
    }
}

/// Opens a file, compressed or not; `-` is standard input.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        let stdin = io::stdin();
        if stdin.is_terminal() {
            say("reading from the terminal; pipe an agent's output in, or see --help");
        }
        return Ok(Box::new(plain(self::stdin()?)));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    Ok(Box::new(plain(Patient(file))))
}

/// Writes to a file.
pub(super) fn to_file(file: File) -> impl Write {
    Patient(file)
}

/// Returns standard input without std's buffer, which takes a stream that was opened for writing only
/// for one that is empty.
#[cfg(unix)]
fn stdin() -> io::Result<impl Read> {
    use std::os::fd::AsFd as _;
    Ok(Patient(File::from(io::stdin().as_fd().try_clone_to_owned()?)))
}

/// Returns standard output without std's line buffer, which would write at each line feed.
#[cfg(unix)]
pub(super) fn stdout() -> io::Result<impl Write> {
    use std::os::fd::AsFd as _;
    Ok(Patient(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
fn stdin() -> io::Result<impl Read> {
    Ok(Patient(io::stdin().lock()))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
pub(super) fn stdout() -> io::Result<impl Write> {
    Ok(Patient(io::stdout()))
}

/// Writes a word for people to standard error, in one line that does no harm. Where that is closed, the
/// status still tells.
pub fn say(words: &str) {
    let words = format!("agentnorm: {}\n", tame::line(words));
    let _ = Patient(io::stderr()).write_all(words.as_bytes());
}

/// Writes `text` to standard output. That nobody reads it is no error.
///
/// # Errors
///
/// Any other error of writing.
pub fn print(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut out = stdout()?;
    match out.write_all(text.as_ref()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context(NOT_WRITTEN),
    }
}

/// What could not be done.
pub(super) const NOT_WRITTEN: &str = "cannot write to standard output";

/// That nobody takes what would come: whoever reads for it may stop.
#[derive(Debug)]
pub(super) struct Closed;

impl std::fmt::Display for Closed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("nobody reads the output")
    }
}

impl std::error::Error for Closed {}

/// Says all that went wrong but the last, which is returned.
pub(super) fn tell_all(ends: impl IntoIterator<Item = anyhow::Result<()>>) -> anyhow::Result<()> {
    let mut last = Ok(());
    for error in ends.into_iter().filter_map(Result::err) {
        if let Err(before) = std::mem::replace(&mut last, Err(error)) {
            say(&format!("{before:#}"));
        }
    }
    last
}

/// Writes `json` to standard output, for people to read.
pub(super) fn print_json(json: &serde_json::Value) -> anyhow::Result<()> {
    print(format!("{}\n", serde_json::to_string_pretty(json)?))
}

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
        on_stdout(self.0.flush())
    }
}

/// Says where it could not be written. That nobody reads any more is no error, but an end.
pub(super) fn on_stdout(written: io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Closed.into()),
        written => written.context(NOT_WRITTEN),
    }
}
