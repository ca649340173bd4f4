//! How long it takes from the child's line feed to our event: `cargo bench --bench latency`.
//!
//! The child is this program: it prints the time in front of each line, then waits a little, as an
//! agent does. The difference to the time of reading the event is what `wrap` adds, with both pipes.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a program for a terminal"
)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const LINES: usize = 1000;
const PAUSE: Duration = Duration::from_millis(1);

fn main() {
    if std::env::args().nth(1).as_deref() == Some("child") {
        child();
    } else {
        measure();
    }
}

fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos()
}

fn child() {
    let filler = "x".repeat(1000);
    for _ in 0..LINES {
        thread::sleep(PAUSE);
        let mut out = std::io::stdout().lock();
        writeln!(out, r#"{{"type":"message","role":"{}","text":"{filler}"}}"#, now()).unwrap();
        out.flush().unwrap();
    }
}

fn measure() {
    let mut wrap = Command::new(env!("CARGO_BIN_EXE_agentnorm"))
        .args(["wrap", "-p", "jsonl", "--no-source", "--"])
        .arg(std::env::current_exe().unwrap())
        .arg("child")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut took = Vec::with_capacity(LINES);
    for line in BufReader::new(wrap.stdout.take().unwrap()).split(b'\n') {
        let read = now();
        let event: serde_json::Value = serde_json::from_slice(&line.unwrap()).unwrap();
        if event["type"] == "message" {
            let written: u128 = event["payload"]["role"].as_str().unwrap().parse().unwrap();
            took.push(read.saturating_sub(written));
        }
    }
    assert!(wrap.wait().unwrap().success());
    took.sort_unstable();
    let at = |percent: usize| took.get((took.len() - 1) * percent / 100).copied().unwrap_or(0);
    println!("child's line feed to our event, {} lines, microseconds:", took.len());
    for percent in [50, 90, 99, 100] {
        println!("  {percent:>3} % within {:>6}", at(percent) / 1000);
    }
}
