//! Signals that a process sends to agentnorm, and what is left of the child after them.

use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};

use crate::support::{AGENTNORM, STAY, Wrap, assert_gone, is_alive};

const ALL: [(Signal, &str); 4] =
    [(Signal::INT, "INT"), (Signal::TERM, "TERM"), (Signal::HUP, "HUP"), (Signal::QUIT, "QUIT")];

/// Whether whoever started the tests ignores the signal (`nohup`, a background job): then children do.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    u64::from_str_radix(mask.trim(), 16).unwrap() & (1 << (signal.as_raw() - 1)) != 0
}

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

#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let inner = format!("grep SigIgn /proc/$$/status; echo $$; {STAY}");
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "trap '' HUP; exec \"$@\"",
        "sh",
        AGENTNORM,
        "wrap",
        "--",
        "sh",
        "-c",
        &inner,
    ]);
    let mut run = Wrap::of(shell).start();
    let ignored = run.event();
    let mask = ignored.as_str().unwrap().trim_start_matches("SigIgn:").trim();
    assert_eq!(u64::from_str_radix(mask, 16).unwrap() & 1, 1, "{ignored}");
    let child = run.pid();
    run.signal(Signal::HUP);
    run.signal(Signal::TERM);
    assert_eq!(run.finish().status, 143);
    assert_gone(child);
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

/// A child with a child, and a process whose parent has gone; none of them ends at TERM.
#[cfg(target_os = "linux")]
fn family(own_end: &str) -> String {
    format!(
        "trap '' TERM; echo $$; \
         sh -c 'echo $$; {STAY}' 2>/dev/null & \
         (sh -c 'echo $$; {STAY}' 2>/dev/null &) ; \
         trap {own_end} TERM; {STAY}"
    )
}

#[cfg(target_os = "linux")]
#[test]
fn descendants_are_killed_with_the_child() {
    let mut bystander = Command::new("sleep").arg("30").spawn().unwrap();
    let mut run = Wrap::sh(&["--kill-after", "300ms"], &family("''")).start();
    let family = [run.pid(), run.pid(), run.pid()];
    run.signal(Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.status, 137);
    family.into_iter().for_each(assert_gone);
    assert!(is_alive(rustix::process::Pid::from_child(&bystander)), "it is none of the child's");
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn descendants_are_killed_behind_a_child_that_went() {
    let mut run = Wrap::sh(&["--kill-after", "300ms"], &family("'exit 9'")).start();
    let family = [run.pid(), run.pid(), run.pid()];
    run.signal(Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.status, 9);
    family.into_iter().for_each(assert_gone);
}

#[cfg(target_os = "linux")]
#[test]
fn what_was_our_child_before_is_not_touched() {
    let script = format!("trap '' TERM; echo $$; sh -c 'echo $$; {STAY}' 2>/dev/null & {STAY}");
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "sleep 30 >/dev/null 2>&1 & echo \"\\\"$!\\\"\"; exec \"$@\"",
        "sh",
        AGENTNORM,
    ]);
    shell.args(["wrap", "--kill-after", "200ms", "--", "sh", "-c", &script]);
    let mut run = Wrap::of(shell).start();
    let job = run.pid();
    let family = [run.pid(), run.pid()];
    run.signal(Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.status, 137);
    family.into_iter().for_each(assert_gone);
    assert!(is_alive(job));
    kill_process(job, Signal::KILL).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn adopted_orphans_are_not_left_as_zombies() {
    // The orphan ends while the child lives; the child sees it disappear.
    let script = "pid=$(sh -c 'sleep 0.05 >/dev/null & echo $!'); \
                  while kill -0 $pid 2>/dev/null; do :; done; echo gone";
    let ended = Wrap::sh(&["--kill-after", "9s"], script).run();
    assert_eq!(ended.texts(), ["gone"]);
}
