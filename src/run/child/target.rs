//! The child as the threads share it: its pid, what has become of it, and the time it has left.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpid, kill_process};
use signal_hook::low_level;

use super::tree;
use crate::run::exit;

/// Who was asked to end and does nothing for so long is stuck: nobody reads what it writes.
const STUCK: Duration = Duration::from_secs(5);
/// A child that goes on for so long after it was asked to end has not ended because of it.
const WISH: Duration = Duration::from_secs(60);

/// The child that signals are sent to.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) pid: Pid,
    /// Whether its orphans become our children.
    pub(super) adopts: bool,
    fate: Fate,
    /// How often the thread that reads and writes has come by.
    beats: AtomicU64,
    /// Whether somebody looks for it to be stuck.
    watched: AtomicBool,
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
    /// When whatever has not ended by then is killed.
    deadline: Option<Instant>,
}

/// How our process ends where it cannot come to its own end.
#[derive(Debug, Clone, Copy)]
pub(super) enum LastWord {
    /// By the signal that asked for it.
    Signal(i32),
    /// With this exit status.
    Status(u8),
}

impl Target {
    pub(super) fn new(pid: Pid, adopts: bool) -> Self {
        let (beats, watched) = (AtomicU64::default(), AtomicBool::default());
        Self { pid, adopts, fate: Fate::default(), beats, watched }
    }

    /// Records that the child has ended. From now on nothing is sent to its pid.
    pub(super) fn seal(&self) {
        self.fate.lock().ended = true;
        self.fate.sealed.notify_all();
    }

    pub(super) fn has_ended(&self) -> bool {
        self.fate.lock().ended
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

    /// Says that the thread that reads and writes goes on.
    pub(super) fn beat(&self) {
        self.beats.fetch_add(1, Ordering::Relaxed);
    }

    /// Starts the clock of a child that is asked to end: what it started and itself are killed `time`
    /// from now. Whoever asks again changes nothing.
    pub(super) fn start_clock(self: &Arc<Self>, time: Option<Duration>) {
        let Some(time) = time else { return };
        // A time beyond all clocks never comes.
        let Some(deadline) = Instant::now().checked_add(time) else { return };
        if self.fate.lock().deadline.get_or_insert(deadline) != &deadline {
            return;
        }
        let target = Arc::clone(self);
        let kill = move || {
            // What the child started has the same time where it can be found without the child.
            if target.wait(time) && !target.adopts {
                return;
            }
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
            target.kill_all();
        };
        // Without the thread nobody is killed.
        let _ = thread::Builder::new().name("kill".to_owned()).spawn(kill);
    }

    /// Ends our process with `word` once the child has ended and nothing moves any more: what is
    /// left to write has no reader.
    pub(super) fn give_up_when_stuck(self: &Arc<Self>, word: LastWord) {
        if self.watched.swap(true, Ordering::Relaxed) {
            return;
        }
        let target = Arc::clone(self);
        let left = self.deadline().map(|at| at.saturating_duration_since(Instant::now()));
        let time = WISH.saturating_add(left.unwrap_or_default());
        let watch = move || {
            if !target.wait(time) {
                target.watched.store(false, Ordering::Relaxed);
                return;
            }
            loop {
                let before = target.beats.load(Ordering::Relaxed);
                thread::sleep(STUCK);
                if target.beats.load(Ordering::Relaxed) == before {
                    target.die(word);
                }
            }
        };
        // Without the thread a second signal does it.
        let _ = thread::Builder::new().name("stuck".to_owned()).spawn(watch);
    }

    /// Ends our process now, and with it what has no more time.
    pub(super) fn die(&self, word: LastWord) -> ! {
        if self.adopts && self.deadline().is_some() {
            tree::kill_descendants(getpid());
        }
        match word {
            LastWord::Signal(signal) => {
                // The first process of a container does not die of it.
                let _ = low_level::emulate_default_handler(signal);
                low_level::exit(i32::from(exit::SIGNAL) + signal)
            }
            LastWord::Status(status) => low_level::exit(status.into()),
        }
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
