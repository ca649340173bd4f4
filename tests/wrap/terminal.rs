//! Ctrl-C and Ctrl-Z in a real terminal.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{AGENTNORM, Folder, STAY, assert_gone, is_ignored};

/// Waits until the file holds the text.
#[track_caller]
fn wait_for(path: &Path, text: &str) -> String {
    let start = Instant::now();
    loop {
        let all = std::fs::read_to_string(path).unwrap_or_default();
        if all.contains(text) {
            return all;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{text} is missing in {all}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ctrl_c_reaches_the_child_once() {
    if is_ignored(Signal::INT) {
        return;
    }
    let folder = Folder::new();
    let events = folder.path("events");
    // A TERM that a process sends is handled behind the INT: when the child tells the count, a
    // second INT would have come.
    let script = format!(
        "n=0; trap 'n=$((n+1)); echo int' INT; trap 'echo count $n; exit 5' TERM; \
         echo pid $$; {STAY}"
    );
    let (mut terminal, pts) = pty_process::blocking::open().unwrap();
    let mut child = pty_process::blocking::Command::new(AGENTNORM)
        .args(["wrap", "-p", "none", "--no-source", "-o", events.to_str().unwrap()])
        .args(["--", "sh", "-c", &script])
        .spawn(pts)
        .unwrap();
    let started = wait_for(&events, "pid ");
    let pid = started.split("pid ").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    terminal.write_all(b"\x03").unwrap();
    wait_for(&events, "\"int\"");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    wait_for(&events, "count ");
    let status = child.wait().unwrap();
    let all = std::fs::read_to_string(&events).unwrap();
    assert!(all.contains("count 1"), "{all}");
    assert!(all.contains("\"exitCode\":5"), "{all}");
    assert_eq!(status.code(), Some(5));
    assert_gone(Pid::from_raw(pid).unwrap());
    let mut screen = [0; 1024];
    let shown = terminal.read(&mut screen).unwrap_or(0);
    let shown = String::from_utf8_lossy(&screen[..shown]);
    assert!(!shown.contains("agentnorm"), "{shown}");
}

#[test]
fn ctrl_c_ends_a_child_that_does_not_mind() {
    if is_ignored(Signal::INT) {
        return;
    }
    let folder = Folder::new();
    let events = folder.path("events");
    let (mut terminal, pts) = pty_process::blocking::open().unwrap();
    let mut child = pty_process::blocking::Command::new(AGENTNORM)
        .args(["wrap", "-p", "none", "-o", events.to_str().unwrap()])
        .args(["--", "sh", "-c", &format!("echo ready; {STAY}")])
        .spawn(pts)
        .unwrap();
    wait_for(&events, "ready");
    terminal.write_all(b"\x03").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(std::fs::read_to_string(&events).unwrap().contains("\"signal\":\"SIGINT\""));
}

#[test]
fn ctrl_c_starts_the_time_that_is_left() {
    if is_ignored(Signal::INT) {
        return;
    }
    let folder = Folder::new();
    let events = folder.path("events");
    let (mut terminal, pts) = pty_process::blocking::open().unwrap();
    let mut child = pty_process::blocking::Command::new(AGENTNORM)
        .args(["wrap", "-p", "none", "--kill-after", "500ms", "-o", events.to_str().unwrap()])
        .args(["--", "sh", "-c", &format!("trap '' INT; echo ready; {STAY}")])
        .spawn(pts)
        .unwrap();
    wait_for(&events, "ready");
    let sent = Instant::now();
    terminal.write_all(b"\x03").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(137));
    let took = sent.elapsed();
    assert!(Duration::from_millis(500) <= took && took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn ctrl_z_stops_and_fg_goes_on() {
    let folder = Folder::new();
    let (events, marks) = (folder.path("events"), folder.path("marks"));
    // The shell does the jobs of the terminal: it goes on when the job stops, and takes it up again.
    let script = "set -m; \
        \"$A\" wrap -p none --no-source -o \"$EVENTS\" -- \
            sh -c 'echo one; while ! test -e \"$MARKS.go\"; do sleep 0.05; done; echo two; exit 3'; \
        echo \"stopped $?\" >>\"$MARKS\"; touch \"$MARKS.go\"; sleep 0.5; \
        grep -c two \"$EVENTS\" >>\"$MARKS\"; fg; echo \"ended $?\" >>\"$MARKS\"";
    let (mut terminal, pts) = pty_process::blocking::open().unwrap();
    let mut shell = pty_process::blocking::Command::new("bash")
        .args(["-c", script])
        .env("A", AGENTNORM)
        .env("EVENTS", &events)
        .env("MARKS", &marks)
        .spawn(pts)
        .unwrap();
    wait_for(&events, "one");
    terminal.write_all(b"\x1a").unwrap();
    let all = wait_for(&marks, "ended");
    // 128 and SIGTSTP; nothing more while it was stopped.
    assert_eq!(all, "stopped 148\n0\nended 3\n");
    assert!(std::fs::read_to_string(&events).unwrap().contains("two"));
    shell.wait().unwrap();
}
