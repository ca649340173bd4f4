//! What a person waits for: the start, and one event at a time.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 200;
const LINE: &[u8] = b"{\"type\":\"message\",\"role\":\"assistant\",\"text\":\"Done.\"}\n";

/// Prints the start-up time against that of `cat`, and the time from line feed in to event out.
pub fn print() {
    let (ours, cat) = (start(super::BINARY), start("cat"));
    println!(
        "| empty input, wall time, median: agentnorm, cat | {:.2} ms, {:.2} ms |",
        millis(ours),
        millis(cat)
    );
    println!("| line feed in to event out, median of {RUNS} | {:.3} ms |", millis(latency()));
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn start(program: &str) -> Duration {
    let once = |_| {
        let start = Instant::now();
        let status = Command::new(program).stdin(Stdio::null()).stdout(Stdio::null()).status();
        assert!(status.expect("the program").success());
        start.elapsed()
    };
    median((0..RUNS).map(once).collect())
}

fn latency() -> Duration {
    let mut child = Command::new(super::BINARY)
        .args(["--protocol", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the filter");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut event = Vec::new();
    let times = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            stdin.write_all(LINE).expect("the line");
            stdout.read_until(b'\n', &mut event).expect("the event");
            start.elapsed()
        })
        .collect();
    drop(stdin);
    child.wait().expect("the filter's end");
    median(times)
}
