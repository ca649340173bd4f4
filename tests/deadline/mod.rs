//! A running program with a deadline: a test that waits for what never comes fails instead of hanging.

#![allow(dead_code, reason = "no test needs all of it")]

use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// No step of any test takes this long on a machine that is alive.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// A program that is killed at its deadline, and when the test lets go of it. What it held open
/// closes then, so that a read of its output or a write to its input ends, too.
pub(crate) struct Running {
    child: Arc<Mutex<Child>>,
    is_late: Arc<AtomicBool>,
    done: mpsc::Sender<()>,
}

impl Running {
    /// Starts `command`.
    pub(crate) fn start(command: &mut Command) -> Running {
        Running::start_within(LIMIT, command)
    }

    /// Starts `command`, which has `limit` for all it does.
    pub(crate) fn start_within(limit: Duration, command: &mut Command) -> Running {
        let child = Arc::new(Mutex::new(command.spawn().unwrap()));
        let is_late = Arc::new(AtomicBool::new(false));
        let (done, watched) = mpsc::channel();
        let (watched_child, late) = (Arc::clone(&child), Arc::clone(&is_late));
        thread::spawn(move || {
            if watched.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                late.store(true, Ordering::SeqCst);
            }
            let _ = watched_child.lock().unwrap().kill();
        });
        Running { child, is_late, done }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.lock().unwrap().id()
    }

    pub(crate) fn stdin(&self) -> ChildStdin {
        self.child.lock().unwrap().stdin.take().unwrap()
    }

    pub(crate) fn stdout(&self) -> ChildStdout {
        self.child.lock().unwrap().stdout.take().unwrap()
    }

    pub(crate) fn stderr(&self) -> ChildStderr {
        self.child.lock().unwrap().stderr.take().unwrap()
    }

    /// Waits for the end. Fails where the deadline ended it.
    #[track_caller]
    pub(crate) fn wait(self) -> ExitStatus {
        drop(self.child.lock().unwrap().stdin.take());
        // The lock is free between two looks, so that the deadline can have it.
        let status = loop {
            if let Some(status) = self.child.lock().unwrap().try_wait().unwrap() {
                break status;
            }
            thread::sleep(Duration::from_millis(2));
        };
        assert!(!self.is_late.load(Ordering::SeqCst), "it hung and was killed");
        let _ = self.done.send(());
        status
    }
}
