//! Signals that are passed on to the child.
//!
//! What the terminal sends (Ctrl-C) has reached the child already: a second one would make some
//! harnesses quit without cleaning up. What a process sends, as a CI runner does that cancels a job,
//! may have been for our process alone, or for the whole group. So the child gets it only when it
//! is still there a moment later.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;

use super::unix::Target;
use super::{Patience, tree};

/// A child that a signal reached with its whole group ends, as a rule, within this time.
const MOMENT: Duration = Duration::from_millis(100);

/// What has become of the child.
#[derive(Debug, Default)]
pub(super) struct Fate {
    state: Mutex<State>,
    sealed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    ended: bool,
    /// Whether it was told to end.
    told: bool,
    /// When whatever has not ended by then is killed.
    deadline: Option<Instant>,
}

impl Fate {
    /// The child has ended. Its pid is no more sent to.
    pub(super) fn seal(&self) {
        self.state().ended = true;
        self.sealed.notify_all();
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.state().deadline
    }

    /// Waits for the end, but not longer than `time`; returns whether it came.
    fn wait(&self, time: Duration) -> bool {
        let wait = self.sealed.wait_timeout_while(self.state(), time, |state| !state.ended);
        wait.unwrap_or_else(PoisonError::into_inner).0.ended
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Target {
    /// Sends the child a signal if it has not ended.
    pub(super) fn tell(&self, signal: Signal) {
        // The lock keeps the pid from being given to another process meanwhile.
        let state = self.fate.state();
        if !state.ended {
            // It may have ended this moment, or have changed its user: both leave nothing to do.
            let _ = kill_process(self.pid, signal);
        }
    }

    /// The child is being told to end: from the first time on, its time runs.
    pub(super) fn told(self: &Arc<Self>, patience: Patience) {
        let mut state = self.fate.state();
        if std::mem::replace(&mut state.told, true) {
            return;
        }
        let Some(time) = patience.kill_after else { return };
        // A time beyond all clocks never comes.
        let Some(deadline) = Instant::now().checked_add(time) else { return };
        state.deadline = Some(deadline);
        let target = Arc::clone(self);
        let kill = move || {
            if !target.fate.wait(time) {
                target.kill_descendants();
                target.tell(Signal::KILL);
            }
        };
        // Without the thread nobody is killed.
        let _ = thread::Builder::new().name("kill".to_owned()).spawn(kill);
    }

    fn kill_descendants(&self) {
        if self.adopts {
            return tree::kill_descendants(rustix::process::getpid());
        }
        // Stopped, it cannot start others meanwhile; gone, it would be no parent any more.
        self.tell(Signal::STOP);
        tree::kill_descendants(self.pid);
    }
}

/// The signals that reach us. From the first value on they no longer end the process.
pub(super) struct Signals(SignalsInfo<WithOrigin>);

impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        // What was ignored when we started (`nohup`, a shell's background job) stays ignored, for
        // the child too.
        let ignored = ignored();
        let watched = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];
        let watched = watched.iter().filter(|signal| ignored & (1 << (**signal - 1)) == 0);
        // Where SIGCHLD was ignored, a child's end would be lost; any handler keeps it.
        signal_hook::flag::register(SIGCHLD, Arc::default())?;
        SignalsInfo::new(watched).map(Signals)
    }

    /// Passes on to the child what a process sends from now on.
    pub(super) fn pass_on(mut self, target: &Arc<Target>, patience: Patience) -> io::Result<()> {
        let target = Arc::clone(target);
        let listen = move || {
            for origin in &mut self.0 {
                // Where the system does not name the sender, a SIGTERM is never the terminal's.
                if origin.process.is_none() && origin.signal != SIGTERM {
                    continue;
                }
                let Some(signal) = Signal::from_named_raw(origin.signal) else { continue };
                target.told(patience);
                if !target.fate.wait(MOMENT) {
                    target.tell(signal);
                }
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
    }
}

/// The signals that were ignored when the process started, a bit each.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
