//! The child whose output is read: started, asked to end, waited for.
//!
//! Its standard input and standard error are ours; there is no terminal between. It stays in our
//! process group, so what the terminal sends reaches it without us.

#[cfg(target_os = "linux")]
pub(crate) mod launcher;
#[cfg(all(unix, not(target_os = "linux")))]
#[path = "no_launcher.rs"]
mod launcher;
#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod target;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(all(unix, not(target_os = "linux")))]
#[path = "no_tree.rs"]
mod tree;
#[cfg(unix)]
mod unix;

use std::io;
use std::time::Duration;

#[cfg(not(unix))]
pub(crate) use other::Child;
#[cfg(unix)]
pub(crate) use unix::Child;

#[cfg(unix)]
use rustix::io::Errno;

use crate::run::exit;

/// How long a child may take over its end.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(not(unix), expect(dead_code, reason = "nothing is asked to end there"))]
pub(crate) struct Patience {
    /// From the signal that asks it to end to the one that ends it.
    pub(crate) kill_after: Option<Duration>,
    /// The same where a limit of ours asks; `None` where there is no limit.
    pub(crate) limit_after: Option<Duration>,
    /// When a limit asks, even if the thread that would say so is blocked in a write.
    pub(crate) timeout: Option<Duration>,
}

/// What came of waiting for output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), expect(dead_code, reason = "nothing but bytes and their end is seen there"))]
pub(crate) enum Read {
    /// So many bytes were read.
    Bytes(usize),
    /// Nothing came for as long as was asked.
    Silence,
    /// The time to look again has come.
    Tick,
    /// The child has ended and so has its output.
    End,
    /// The child has ended, and something that it started still holds its output.
    Held,
}

/// Returns the exit status for a command that could not be started, as `env` and `timeout` have it.
pub(crate) fn not_started(error: &io::Error) -> u8 {
    if error.kind() == io::ErrorKind::NotFound {
        return exit::NOT_FOUND;
    }
    // Too many files or processes, too little memory: the command may be as good as any.
    #[cfg(unix)]
    if let Some(Errno::MFILE | Errno::NFILE | Errno::AGAIN | Errno::NOMEM) =
        Errno::from_io_error(error)
    {
        return exit::WRAP;
    }
    exit::NOT_RUNNABLE
}
