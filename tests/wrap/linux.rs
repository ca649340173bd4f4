//! What is promised on Linux alone: descendants, and signals that were ignored before.

use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{AGENTNORM, STAY, Wrap, assert_gone, is_alive};

/// A child with a child, and a process whose parent has gone; none of them ends at TERM.
fn family(own_end: &str) -> String {
    format!(
        "trap '' TERM; echo $$; \
         sh -c 'echo $$; {STAY}' 2>/dev/null & \
         (sh -c 'echo $$; {STAY}' 2>/dev/null &) ; \
         trap {own_end} TERM; {STAY}"
    )
}

#[test]
fn descendants_are_killed_with_the_child() {
    let mut bystander = Command::new("sleep").arg("30").spawn().unwrap();
    let mut run = Wrap::sh(&["--kill-after", "300ms"], &family("''")).start();
    let family = [run.pid(), run.pid(), run.pid()];
    run.signal(Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.status, 137);
    family.into_iter().for_each(assert_gone);
    assert!(is_alive(Pid::from_child(&bystander)), "it is none of the child's");
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

#[test]
fn descendants_are_killed_behind_a_child_that_went() {
    let mut run = Wrap::sh(&["--kill-after", "300ms"], &family("'exit 9'")).start();
    let family = [run.pid(), run.pid(), run.pid()];
    run.signal(Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.status, 9);
    family.into_iter().for_each(assert_gone);
}

#[test]
fn what_was_our_child_before_is_not_touched() {
    // A child, its child, and the child of that: nothing is adopted here, so the order matters.
    let leaf = format!("echo $$; {STAY}");
    let middle = format!("sh -c \"$LEAF\" & echo $$; {STAY}");
    let script = format!("trap '' TERM; sh -c \"$MIDDLE\" 2>/dev/null & echo $$; {STAY}");
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "sleep 30 >/dev/null 2>&1 & echo \"\\\"$!\\\"\"; exec \"$@\"",
        "sh",
        AGENTNORM,
    ]);
    shell.args(["wrap", "--kill-after", "200ms", "--", "sh", "-c", &script]);
    shell.env("AGENTNORM_PROTOCOL", "jsonl").env("LEAF", leaf).env("MIDDLE", middle);
    let mut run = Wrap::of(shell).start();
    let job = run.pid();
    let family = [run.pid(), run.pid(), run.pid()];
    run.signal(Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.status, 137);
    family.into_iter().for_each(assert_gone);
    assert!(is_alive(job));
    kill_process(job, Signal::KILL).unwrap();
}

#[test]
fn children_are_killed_before_their_parents() {
    // Nothing is adopted here: whose parent was killed first would be lost to sight. There are so many
    // that the parent has time to die before the last of them is looked at.
    const LEAVES: usize = 200;
    let middle = format!(
        "n=0; while [ $n -lt {LEAVES} ]; do n=$((n+1)); sleep 60 >/dev/null 2>&1 & echo $!; done; wait"
    );
    let script = format!("trap '' TERM; sh -c \"$MIDDLE\" 2>/dev/null & {STAY}");
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "sleep 30 >/dev/null 2>&1 & echo \"\\\"$!\\\"\"; exec \"$@\"",
        "sh",
        AGENTNORM,
    ]);
    shell.args(["wrap", "--kill-after", "100ms", "--", "sh", "-c", &script]);
    shell.env("AGENTNORM_PROTOCOL", "jsonl").env("MIDDLE", middle);
    let mut run = Wrap::of(shell).start();
    let job = run.pid();
    let leaves: Vec<Pid> = (0..LEAVES).map(|_| run.pid()).collect();
    run.signal(Signal::TERM);
    let ended = run.finish();
    kill_process(job, Signal::KILL).unwrap();
    let left: Vec<Pid> = leaves.into_iter().filter(|leaf| is_alive(*leaf)).collect();
    for leaf in &left {
        let _ = kill_process(*leaf, Signal::KILL);
    }
    assert!(left.is_empty(), "{} of {LEAVES} are left over", left.len());
    assert_eq!(ended.status, 137);
}

#[test]
fn adopted_orphans_are_not_left_as_zombies() {
    // The orphan ends while the child lives; the child sees it disappear.
    let script = "pid=$(sh -c 'sleep 0.05 >/dev/null & echo $!'); \
                  while kill -0 $pid 2>/dev/null; do :; done; echo gone";
    let ended = Wrap::sh(&["--kill-after", "9s"], script).run();
    assert_eq!(ended.texts(), ["gone"]);
}

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
