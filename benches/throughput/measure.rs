//! CPU time of whole commands.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4 as _;

/// A command to time: what it is called, and its words.
pub struct Timed {
    pub name: String,
    pub words: Vec<String>,
}

/// The median CPU time (user and system) of each command over `rounds` rounds, in which they take
/// turns, and the largest memory in bytes.
pub fn times(commands: &[Timed], input: &Path, rounds: usize) -> Vec<(Duration, u64)> {
    let mut all = vec![Vec::new(); commands.len()];
    for round in 0..rounds {
        for at in 0..commands.len() {
            let at = (at + round) % commands.len();
            all[at].push(once(&commands[at].words, input));
        }
    }
    all.into_iter()
        .map(|mut runs| {
            runs.sort();
            (runs[runs.len() / 2].0, runs.iter().map(|run| run.1).max().unwrap_or_default())
        })
        .collect()
}

fn once(words: &[String], input: &Path) -> (Duration, u64) {
    let child = Command::new(&words[0])
        .args(&words[1..])
        .stdin(std::fs::File::open(input).expect("the input"))
        .stdout(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("cannot run {}: {error}", words[0]));
    let used = child.wait4().expect("the child's figures");
    assert!(used.status.success(), "{} failed", words.join(" "));
    (used.rusage.utime + used.rusage.stime, used.rusage.maxrss)
}

/// Whether a command can be run at all.
pub fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok()
}

/// Bytes as MiB.
#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
pub fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
