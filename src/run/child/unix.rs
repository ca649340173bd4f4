//! The child where there are signals.
//!
//! One thread reads, with [`rustix::event::poll`] over the output and a pipe that closes when the
//! child has ended; so nothing is copied between threads, and a pipe that is read slowly slows the
//! child down. A second thread waits for the child's end, a third for signals: both must work while
//! the first is blocked in a write.

use std::ffi::OsString;
use std::io::{self, PipeReader, PipeWriter, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, waitid};
use signal_hook::consts::SIGCONT;

use super::signals::Signals;
use super::target::{LastWord, Target};
use super::{Patience, Read, launcher, tree};
use crate::format::tokens::both;
use crate::run::end::ChildEnd;
use crate::run::exit;

/// When the child has ended, its output may be silent this long.
const SILENCE: Duration = Duration::from_millis(500);
/// When the child has ended, its output may go on this long.
const DRAIN: Duration = Duration::from_secs(5);
/// How often is looked whether the last descendant has ended.
const TICK: Duration = Duration::from_millis(10);
/// Whoever reads and writes has so long to see by itself that the time is up.
const LEEWAY: Duration = Duration::from_secs(2);

/// A running child.
#[derive(Debug)]
pub(crate) struct Child {
    process: std::process::Child,
    /// What the child writes; `None` at its end.
    output: Option<PipeReader>,
    /// Closes when the child has ended; `None` once that was seen.
    ended: Option<PipeReader>,
    /// When the end was seen. From then on everything that the child itself wrote stands in the
    /// pipe, and the next read takes it.
    end: Option<Instant>,
    /// When something was read last.
    heard: Instant,
    target: Arc<Target>,
    patience: Patience,
    /// Whether a limit of ours ended it.
    limited: bool,
    continued: Arc<AtomicBool>,
}

impl Child {
    /// Starts `command`.
    pub(crate) fn start(command: &[OsString], patience: Patience) -> io::Result<Child> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::NotFound)?;
        let signals = Signals::new()?;
        let continued = Arc::new(AtomicBool::new(false));
        if patience.limit_after.is_some() {
            signal_hook::flag::register(SIGCONT, Arc::clone(&continued))?;
        }
        let (ended, ending) = io::pipe()?;
        let adopts = tree::adopt(patience.kill_after.or(patience.limit_after).is_some());
        let (output, writer) = io::pipe()?;
        let mut process = launcher::start(program, arguments, writer)?;
        let target = Arc::new(Target::new(Pid::from_child(&process), adopts));
        let watched = watch(&target, ending)
            .and_then(|()| signals.pass_on(&target, patience))
            .and_then(|()| end_in_time(&target, patience));
        if let Err(error) = watched {
            // Without its threads the child would outlive us.
            process.kill()?;
            process.wait()?;
            return Err(error);
        }
        let (output, ended) = (Some(output), Some(ended));
        let (end, heard, limited) = (None, Instant::now(), false);
        Ok(Child { process, output, ended, end, heard, target, patience, limited, continued })
    }

    /// Waits for output and reads it. `silence` is how long a living child may say nothing; after
    /// `wake` the caller wants to look at it, unless there is something to read.
    pub(crate) fn read(
        &mut self,
        space: &mut [u8],
        silence: Option<Duration>,
        wake: Option<Duration>,
    ) -> io::Result<Read> {
        let wake = wake.and_then(|wake| Instant::now().checked_add(wake));
        loop {
            self.target.beat();
            let now = Instant::now();
            let until = match self.end {
                None => {
                    let silence = silence.and_then(|silence| self.heard.checked_add(silence));
                    both(silence, wake, Ord::min)
                }
                Some(end) => {
                    if end + DRAIN <= now {
                        return Ok(Read::Held);
                    }
                    Some((self.heard.max(end) + SILENCE).min(end + DRAIN))
                }
            };
            let (readable, ended) = self.poll(until.map(|at| at.saturating_duration_since(now)))?;
            if ended {
                self.ended = None;
                self.end = Some(Instant::now());
            } else if readable && let Some(output) = &mut self.output {
                match output.read(space) {
                    Ok(0) => self.output = None,
                    Ok(count) => {
                        self.heard = Instant::now();
                        return Ok(Read::Bytes(count));
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            } else if until.is_some_and(|at| at <= Instant::now()) {
                return Ok(match (self.end, wake) {
                    (Some(_), _) => Read::Held,
                    (None, Some(wake)) if Some(wake) == until => Read::Tick,
                    (None, _) => Read::Silence,
                });
            }
            if self.output.is_none() && self.end.is_some() {
                return Ok(Read::End);
            }
        }
    }

    /// Waits for output or its end, and for the end of the child; returns whether each has come.
    fn poll(&self, timeout: Option<Duration>) -> io::Result<(bool, bool)> {
        let timeout = timeout.and_then(|timeout| Timespec::try_from(timeout).ok());
        let mut sources = Vec::with_capacity(2);
        sources.extend(self.output.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)));
        sources.extend(self.ended.as_ref().map(|fd| PollFd::new(fd, PollFlags::IN)));
        match poll(&mut sources, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut ready = sources.iter().map(|source| !source.revents().is_empty());
        let readable = self.output.is_some() && ready.next() == Some(true);
        Ok((readable, self.ended.is_some() && ready.next() == Some(true)))
    }

    /// Asks the child to end.
    pub(crate) fn stop(&self) {
        self.target.start_clock(self.patience.kill_after);
        self.target.send(Signal::TERM);
    }

    /// Returns whether the child's end was seen.
    pub(crate) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Returns whether our process was stopped and goes on, since this was asked last.
    pub(crate) fn was_continued(&self) -> bool {
        self.continued.swap(false, Ordering::Relaxed)
    }

    /// Asks the child to end because of a limit, and whatever it started with it.
    pub(crate) fn end_by_limit(&mut self) {
        self.limited = true;
        end_by_limit(&self.target, self.patience);
    }

    /// Waits for the child; returns how it ended.
    pub(crate) fn wait(mut self) -> io::Result<ChildEnd> {
        // Whoever still writes learns that nobody reads.
        self.output = None;
        let status = self.process.wait()?;
        self.wait_for_descendants();
        // A status that is neither is of a child that was stopped, which ends nothing.
        let end = status.code().map(ChildEnd::Exited);
        Ok(end.or(status.signal().map(ChildEnd::Killed)).unwrap_or(ChildEnd::Exited(i32::MAX)))
    }

    /// Gives the descendants of a child that was asked to end the time that it had itself.
    fn wait_for_descendants(&self) {
        let Some(deadline) = self.target.deadline().filter(|_| self.target.adopts) else {
            return;
        };
        if self.limited {
            tree::end_descendants(rustix::process::getpid());
        }
        while tree::reap() {
            self.target.beat();
            if deadline <= Instant::now() {
                tree::kill_descendants(rustix::process::getpid());
                return;
            }
            thread::sleep(TICK);
        }
    }
}

fn end_by_limit(target: &Arc<Target>, patience: Patience) {
    target.start_clock(patience.limit_after);
    target.send(Signal::TERM);
    target.give_up_when_stuck(LastWord::Status(exit::LIMIT));
}

/// Ends the child when its time is up and whoever reads and writes does not see it: its output is
/// blocked, and the child's with it.
fn end_in_time(target: &Arc<Target>, patience: Patience) -> io::Result<()> {
    let Some(time) = patience.timeout else { return Ok(()) };
    let target = Arc::clone(target);
    let wait = move || {
        thread::sleep(time.saturating_add(LEEWAY));
        if target.deadline().is_none() {
            end_by_limit(&target, patience);
        }
        target.give_up_when_stuck(LastWord::Status(exit::LIMIT));
    };
    thread::Builder::new().name("timeout".to_owned()).spawn(wait).map(drop)
}

/// Waits for the child's end, without taking it: its pid stays its own until [`Child::wait`].
fn watch(target: &Arc<Target>, ending: PipeWriter) -> io::Result<()> {
    let target = Arc::clone(target);
    let wait = move || {
        if target.adopts {
            tree::reap_until_end(target.pid);
        }
        let end = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(Errno::INTR) = waitid(WaitId::Pid(target.pid), end) {}
        target.seal();
        drop(ending);
    };
    thread::Builder::new().name("wait".to_owned()).spawn(wait).map(drop)
}
