//! Signals that are passed on to the child.
//!
//! What the terminal sends (Ctrl-C) has reached the child already: a second one would make some
//! harnesses quit without cleaning up. What a process sends, as a CI runner does that cancels a job,
//! may have been for our process alone, or for the whole group. So the child gets it only when it
//! is still there a moment later.
//!
//! A signal that asks for the end starts the time that the child has left, whoever sent it. When the
//! child has ended, such a signal is for us.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustix::process::Signal;
use signal_hook::consts::{SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;

use super::Patience;
use super::target::{LastWord, Target};

/// A child that a signal reached with its whole group ends, as a rule, within this time.
const MOMENT: Duration = Duration::from_millis(100);

/// The signals that ask for the end.
const ENDING: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];
/// Signals that mean what the command makes of them; they would end us and leave it running.
const OTHERS: [i32; 3] = [SIGALRM, SIGUSR1, SIGUSR2];

/// The signals that reach us. From the first value on they no longer end the process.
pub(super) struct Signals(SignalsInfo<WithOrigin>);

impl Signals {
    pub(super) fn new() -> io::Result<Self> {
        // What was ignored when we started (`nohup`, a shell's background job) stays ignored, for
        // the child too.
        let ignored = ignored();
        let watched = ENDING.iter().chain(&OTHERS);
        let watched = watched.filter(|signal| ignored & (1 << (**signal - 1)) == 0);
        // Where SIGCHLD was ignored, a child's end would be lost; any handler keeps it.
        signal_hook::flag::register(SIGCHLD, Arc::default())?;
        SignalsInfo::new(watched).map(Signals)
    }

    /// Passes on to the child what a process sends from now on.
    pub(super) fn pass_on(mut self, target: &Arc<Target>, patience: Patience) -> io::Result<()> {
        let target = Arc::clone(target);
        let listen = move || {
            let mut asked_behind_the_end = false;
            for origin in &mut self.0 {
                // Where the system does not name the sender, a SIGTERM is never the terminal's.
                let from_terminal = origin.process.is_none() && origin.signal != SIGTERM;
                if ENDING.contains(&origin.signal) {
                    let word = LastWord::Signal(origin.signal);
                    // The first one may be what ended the child.
                    if target.has_ended() && std::mem::replace(&mut asked_behind_the_end, true) {
                        target.die(word);
                    }
                    target.start_clock(patience.kill_after);
                    // Whoever reads at the terminal may take their time, unless there is a limit to it.
                    if !from_terminal || patience.kill_after.is_some() {
                        target.give_up_when_stuck(word);
                    }
                }
                let Some(signal) = Signal::from_named_raw(origin.signal) else { continue };
                if from_terminal {
                    continue;
                }
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
