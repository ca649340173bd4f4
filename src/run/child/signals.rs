//! Signals that are passed on to the child.
//!
//! What the terminal sends (Ctrl-C) has reached the child already: a second one would make some
//! harnesses quit without cleaning up. What a process sends, as a CI runner does that cancels a job,
//! may have been for our process alone, or for the whole group. So the child gets it only when it
//! is still there a moment later.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;

use super::Patience;
use super::target::Target;

/// A child that a signal reached with its whole group ends, as a rule, within this time.
const MOMENT: Duration = Duration::from_millis(100);

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
                target.start_clock(patience);
                if !target.wait(MOMENT) {
                    target.send(signal);
                }
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
    }
}

/// Reads which signals were ignored when the process started, a bit each.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
