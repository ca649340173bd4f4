//! Signals that a process sends to agentnorm, and what is left of the child after them.

use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::support::{AGENTNORM, STAY, Wrap, assert_gone, is_ignored};

const ALL: [(Signal, &str); 4] =
    [(Signal::INT, "INT"), (Signal::TERM, "TERM"), (Signal::HUP, "HUP"), (Signal::QUIT, "QUIT")];

#[test]
fn each_signal_is_passed_on_and_its_end_is_told() {
    for (signal, name) in ALL.into_iter().filter(|(signal, _)| !is_ignored(*signal)) {
        let mut run = Wrap::sh(&[], &format!("ulimit -c 0; echo $$; {STAY}")).start();
        let child = run.pid();
        let sent = Instant::now();
        run.signal(signal);
        let ended = run.finish();
        // Not at once: a signal to the whole group would have reached the child already.
        assert!(sent.elapsed() >= Duration::from_millis(100), "{:?}", sent.elapsed());
        assert_eq!(ended.status, 128 + signal.as_raw(), "{name}");
        assert_eq!(ended.made_up()["signal"], format!("SIG{name}"));
        assert_eq!(ended.stderr, "");
        assert_gone(child);
    }
}

#[test]
fn what_the_child_says_after_a_signal_is_read_and_its_status_kept() {
    for (signal, name) in ALL.into_iter().filter(|(signal, _)| !is_ignored(*signal)) {
        let script = format!("trap 'echo got {name}; exit 7' {name}; echo ready; {STAY}");
        let mut run = Wrap::sh(&[], &script).start();
        assert_eq!(run.event(), "ready");
        run.signal(signal);
        let ended = run.finish();
        assert_eq!(ended.texts(), [format!("got {name}")]);
        assert_eq!(ended.status, 7);
    }
}

#[test]
fn a_child_that_goes_on_after_a_signal_is_waited_for() {
    let script = format!("trap 'echo one' INT; trap 'echo two; exit 5' TERM; echo ready; {STAY}");
    if is_ignored(Signal::INT) {
        return;
    }
    let mut run = Wrap::sh(&[], &script).start();
    assert_eq!(run.event(), "ready");
    run.signal(Signal::INT);
    assert_eq!(run.event(), "one");
    run.signal(Signal::TERM);
    assert_eq!(run.event(), "two");
    assert_eq!(run.finish().status, 5);
}

#[test]
fn a_signal_to_the_whole_group_is_not_doubled() {
    let script = format!("trap 'echo got; exit 6' TERM; echo ready; {STAY}");
    let mut run = Wrap::sh(&[], &script).in_own_group().start();
    assert_eq!(run.event(), "ready");
    run.signal_group(Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.texts(), ["got"]);
    assert_eq!(ended.status, 6);
}

#[test]
fn a_signal_is_passed_on_while_nobody_reads_us() {
    // Our write is blocked, and so is the child's; the signal must arrive all the same.
    let mut run = Wrap::sh(&[], "echo $$; while :; do echo 0123456789; done").start();
    let child = run.pid();
    run.signal(Signal::TERM);
    assert_gone(child);
    assert_eq!(run.finish().status, 143);
}

#[test]
fn the_childs_end_is_seen_where_sigchld_was_ignored() {
    // Not every sh takes this trap.
    let mut shell = Command::new("bash");
    shell.args([
        "-c",
        "trap '' CHLD; exec \"$@\"",
        "sh",
        AGENTNORM,
        "wrap",
        "--",
        "sh",
        "-c",
        "exit 3",
    ]);
    let ended = Wrap::of(shell).run();
    assert_eq!((ended.status, ended.stderr.as_str()), (3, ""));
}

#[test]
fn a_child_that_ignores_the_signal_is_killed_after_its_time() {
    let script = format!("trap '' TERM; echo $$; {STAY}; exit 0");
    let mut run = Wrap::sh(&["--kill-after", "200ms"], &script).start();
    let child = run.pid();
    run.signal(Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.status, 137);
    assert_eq!(ended.made_up()["signal"], "SIGKILL");
    assert_gone(child);
}

#[test]
fn nothing_is_killed_without_a_signal() {
    let ended = Wrap::sh(&["--kill-after", "0"], "sleep 0.3; echo done; exit 3").run();
    assert_eq!((ended.status, ended.texts()), (3, vec!["done"]));
}
