//! The child as the threads share it: its pid, what has become of it, and the time it has left.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, kill_process};

use super::{Patience, tree};

/// The child that signals are sent to.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) pid: Pid,
    /// Whether its orphans become our children.
    pub(super) adopts: bool,
    fate: Fate,
}

/// What has become of the child.
#[derive(Debug, Default)]
struct Fate {
    state: Mutex<State>,
    sealed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    ended: bool,
    asked_to_end: bool,
    /// When whatever has not ended by then is killed.
    deadline: Option<Instant>,
}

impl Target {
    pub(super) fn new(pid: Pid, adopts: bool) -> Self {
        Self { pid, adopts, fate: Fate::default() }
    }

    /// Records that the child has ended. From now on nothing is sent to its pid.
    pub(super) fn seal(&self) {
        self.fate.lock().ended = true;
        self.fate.sealed.notify_all();
    }

    /// Returns when whatever has not ended by then is killed.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.fate.lock().deadline
    }

    /// Waits for the end, but not longer than `time`; returns whether it came.
    pub(super) fn wait(&self, time: Duration) -> bool {
        let state = self.fate.lock();
        let wait = self.fate.sealed.wait_timeout_while(state, time, |state| !state.ended);
        wait.unwrap_or_else(PoisonError::into_inner).0.ended
    }

    /// Sends the child a signal if it has not ended.
    pub(super) fn send(&self, signal: Signal) {
        // The lock keeps the pid from being given to another process meanwhile.
        let state = self.fate.lock();
        if !state.ended {
            // It may have ended this moment, or have changed its user: both leave nothing to do.
            let _ = kill_process(self.pid, signal);
        }
    }

    /// Starts the clock of a child that is asked to end. Whoever asks again changes nothing.
    pub(super) fn start_clock(self: &Arc<Self>, patience: Patience) {
        let mut state = self.fate.lock();
        if std::mem::replace(&mut state.asked_to_end, true) {
            return;
        }
        let Some(time) = patience.kill_after else { return };
        // A time beyond all clocks never comes.
        let Some(deadline) = Instant::now().checked_add(time) else { return };
        state.deadline = Some(deadline);
        let target = Arc::clone(self);
        let kill = move || {
            if !target.wait(time) {
                target.kill_all();
            }
        };
        // Without the thread nobody is killed.
        let _ = thread::Builder::new().name("kill".to_owned()).spawn(kill);
    }

    /// Kills the child and whatever it started.
    fn kill_all(&self) {
        if self.adopts {
            tree::kill_descendants(getpid());
        } else {
            // Stopped, it cannot start others meanwhile; gone, it would be no parent any more.
            self.send(Signal::STOP);
            tree::kill_descendants(self.pid);
        }
        self.send(Signal::KILL);
    }
}

impl Fate {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
