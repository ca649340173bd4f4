//! Whatever happens, `wrap` can be ended, and the command does not outlive it.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::{AGENTNORM, STAY, Wrap, assert_gone, is_alive, is_ignored};

/// Much more than any pipe and any buffer holds, from a process that outlives the shell.
const FLOOD: &str = "yes 0123456789 2>/dev/null | head -c 30000000 & echo $!; ";

#[cfg(target_os = "linux")]
#[test]
fn blocked_output_and_living_descendants_end_with_the_time_they_have() {
    let script = format!("{FLOOD} {STAY}");
    let mut run = Wrap::sh(&["--kill-after", "300ms"], &script).start();
    let flood = run.pid();
    let sent = Instant::now();
    run.signal(Signal::TERM);
    // Nobody reads: the last word cannot be written, and the signal is what is left to say.
    assert_eq!(run.end_unread().1, Some(Signal::TERM.as_raw()));
    let took = sent.elapsed();
    assert!(Duration::from_secs(5) < took && took < Duration::from_secs(15), "{took:?}");
    assert_gone(flood);
}

#[test]
fn a_second_signal_ends_it_when_the_child_has_ended() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        if is_ignored(signal) {
            continue;
        }
        let mut run = Wrap::sh(&["-p", "jsonl"], &format!("{FLOOD} exit 0")).start();
        let flood = run.pid();
        // The pipe is full by then, and the child gone.
        thread::sleep(Duration::from_millis(300));
        run.signal(signal);
        thread::sleep(Duration::from_millis(300));
        let sent = Instant::now();
        run.signal(signal);
        let out = run.out.take();
        assert_eq!(run.end_unread().1, Some(signal.as_raw()));
        assert!(sent.elapsed() < Duration::from_secs(4), "{:?}", sent.elapsed());
        // Without --kill-after what the child started is left alone; its pipe has no reader now.
        drop(out);
        assert_gone(flood);
    }
}

#[test]
fn a_signal_to_a_group_whose_child_ends_by_it_is_no_reason_to_give_up() {
    let mut run = Wrap::sh(&[], &format!("echo ready; {STAY}")).in_own_group().start();
    assert_eq!(run.event(), "ready");
    run.signal_group(Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.status, 143);
    assert_eq!(ended.made_up()["signal"], "SIGTERM");
}

#[test]
fn signals_that_mean_what_the_command_makes_of_them_are_passed_on() {
    for (signal, name) in [(Signal::USR1, "USR1"), (Signal::USR2, "USR2"), (Signal::ALARM, "ALRM")]
    {
        let script = format!("trap 'echo got {name}; exit 6' {name}; echo ready; {STAY}");
        let mut run = Wrap::sh(&["--kill-after", "10ms"], &script).start();
        assert_eq!(run.event(), "ready");
        run.signal(signal);
        let ended = run.finish();
        assert_eq!((ended.texts(), ended.status), (vec![&*format!("got {name}")], 6));

        let mut run = Wrap::sh(&[], &format!("echo $$; {STAY}")).start();
        let child = run.pid();
        run.signal(signal);
        let ended = run.finish();
        assert_eq!(ended.status, 128 + signal.as_raw(), "{name}");
        assert_eq!(ended.made_up()["signal"], format!("SIG{name}"));
        assert_gone(child);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_command_does_not_outlive_a_wrap_that_is_killed() {
    // At any moment: also while the command is being started.
    for wait in [0, 1, 2, 3, 5, 8, 13, 200] {
        let mut run = Wrap::sh(&[], &format!("trap '' TERM INT HUP; echo $$; {STAY}")).start();
        let child = (wait > 100).then(|| run.pid());
        thread::sleep(Duration::from_millis(wait));
        run.signal(Signal::KILL);
        let mut rest = String::new();
        std::io::Read::read_to_string(run.out.as_mut().unwrap(), &mut rest).unwrap();
        assert_eq!(run.end_unread().1, Some(Signal::KILL.as_raw()));
        let named = rest.split("\"text\":\"").nth(1).and_then(|text| text.split('"').next());
        let named = named.and_then(|pid| Pid::from_raw(pid.parse().unwrap()));
        child.into_iter().chain(named).for_each(assert_gone);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_command_finds_what_it_would_find_without_us() {
    // Its descriptors, its signals, its name; the two highest signals are the C library's own.
    let script = "for fd in 0 1 2 3 4 5 6 7 8 9; do test -e /proc/$$/fd/$fd && echo $fd; done; \
                  grep SigIgn /proc/$$/status; tr '\\0' ' ' </proc/$$/cmdline";
    let bare = Command::new("sh").args(["-c", script]).stdin(std::process::Stdio::null()).output();
    let bare = String::from_utf8(bare.unwrap().stdout).unwrap();
    let ended = Wrap::sh(&["-p", "none"], script).run();
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().replace("000000018", "000000000")).collect()
    };
    let texts = ended.texts().iter().flat_map(|text| lines(text)).collect::<Vec<_>>();
    assert_eq!(texts, lines(&bare));
    assert_eq!(texts.len(), 5, "{texts:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_first_process_of_a_container_takes_the_orphans() {
    let inside = ["--pid", "--fork", "--mount-proc"];
    let can = Command::new("unshare").args(inside).arg("true").output();
    if !can.is_ok_and(|out| out.status.success()) {
        eprintln!("not run: there is no unshare here that may make a namespace");
        return;
    }
    let zombies = "for i in 1 2 3 4 5; do sh -c 'sleep 0.1 >/dev/null &'; done; sleep 0.5; \
                   grep -c '^State:.Z' /proc/[0-9]*/status | grep -c ':1$'";
    for options in [&[][..], &["--kill-after", "5s"]] {
        let mut command = Command::new("unshare");
        command.args(inside).args([AGENTNORM, "wrap"]).args(options).args(["--", "sh", "-c"]);
        let ended = Wrap::of({
            command.arg(zombies);
            command
        })
        .run();
        assert_eq!(ended.texts(), ["0"], "{options:?} {ended:?}");
        assert_eq!(ended.status, 1, "the status of the last grep");
    }
    // And with --kill-after they have their time, and no more.
    let script = format!(
        "trap 'exit 9' TERM; (sh -c \"trap '' TERM; {STAY}\" >/dev/null 2>&1 &); echo ready; {STAY}"
    );
    let mut command = Command::new("unshare");
    command.args(inside).arg("--kill-child").args([AGENTNORM, "wrap", "--kill-after", "1s"]);
    let mut run = Wrap::of({
        command.args(["--", "sh", "-c", &script]);
        command
    })
    .start();
    assert_eq!(run.event(), "ready");
    let sent = Instant::now();
    signal_child_of(run.id(), Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.status, 9);
    assert!(sent.elapsed() >= Duration::from_secs(1), "{:?}", sent.elapsed());
}

/// Sends a signal to the one child of a process.
#[cfg(target_os = "linux")]
fn signal_child_of(parent: Pid, signal: Signal) {
    let parent = parent.as_raw_nonzero();
    let children = std::fs::read_to_string(format!("/proc/{parent}/task/{parent}/children"));
    let child = children.unwrap().split_whitespace().next().unwrap().parse().unwrap();
    let child = Pid::from_raw(child).unwrap();
    assert!(is_alive(child));
    kill_process(child, signal).unwrap();
}
