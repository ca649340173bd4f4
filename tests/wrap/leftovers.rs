//! Processes that outlive the child, and children that outlive their work.

use std::io::Read as _;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};

use crate::support::{STAY, Wrap, assert_gone, is_alive};

const HELD: &str =
    "agentnorm: the command has ended, but a process that it started still holds its output\n";

#[test]
fn a_grandchild_that_holds_the_pipe_is_left_alone() {
    let start = Instant::now();
    let mut run = Wrap::sh(&[], "sleep 20 2>/dev/null & echo $!; exit 3").start();
    let grandchild = run.pid();
    let ended = run.finish();
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    assert_eq!(ended.status, 3);
    assert_eq!(ended.made_up()["exitCode"], 3);
    assert_eq!(ended.stderr, HELD);
    assert!(is_alive(grandchild));
    kill_process(grandchild, Signal::KILL).unwrap();
}

#[test]
fn half_a_second_of_silence_is_waited_for_and_no_more() {
    // The quickest of some: a busy machine makes any of them slow.
    let mut quickest = Duration::MAX;
    for _ in 0..8 {
        let start = Instant::now();
        let mut run = Wrap::sh(&[], "sleep 20 2>/dev/null & echo $!; exit 3").start();
        let grandchild = run.pid();
        assert_eq!(run.finish().stderr, HELD);
        quickest = quickest.min(start.elapsed());
        kill_process(grandchild, Signal::KILL).unwrap();
        if quickest < Duration::from_secs(1) {
            break;
        }
    }
    let bounds = Duration::from_millis(500)..Duration::from_millis(1_300);
    assert!(bounds.contains(&quickest), "{quickest:?}");
}

#[test]
fn what_a_grandchild_still_writes_is_read() {
    let ended = Wrap::sh(&[], "(sleep 0.1; echo late) & exit 0").run();
    assert_eq!(ended.texts(), ["late"]);
    assert_eq!(ended.stderr, "");
}

#[test]
fn a_grandchild_that_never_stops_writing_is_cut_off() {
    let start = Instant::now();
    let limit = Duration::from_secs(25);
    // One with pauses, and one behind which there is always something to read, because we take our
    // time.
    let script = "(while sleep 0.1; do echo more || exit; done) & echo $!; exit 0";
    let mut pauses = Wrap::sh(&[], script).start();
    let script = "yes \"$(printf %01000d 0)\" 2>/dev/null & exit 0";
    let mut flood = Wrap::sh(&["-p", "none", "--no-source"], script).start();
    let mut out = flood.out.take().unwrap();
    let mut piece = vec![0; 64 << 10];
    while out.read(&mut piece).unwrap() > 0 {
        assert!(start.elapsed() < limit, "no end");
        thread::sleep(Duration::from_millis(20));
    }
    let ended = flood.finish();
    assert_eq!((ended.status, ended.stderr.as_str()), (0, HELD));

    let grandchild = pauses.pid();
    let ended = pauses.finish();
    let took = start.elapsed();
    assert!(Duration::from_secs(4) < took && took < limit, "{took:?}");
    assert!(ended.texts().len() > 10);
    assert_eq!(ended.stderr, HELD);
    // Its next write has no reader.
    assert_gone(grandchild);
}

#[test]
fn a_child_that_lingers_behind_its_end_is_told_to_go() {
    let end = r#"echo '{"type":"session.ended","status":"succeeded"}'"#;
    let mut run = Wrap::sh(&["--linger", "100ms"], &format!("echo $$; {end}; {STAY}")).start();
    let child = run.pid();
    let ended = run.finish();
    assert_eq!(ended.status, 143);
    assert_eq!(ended.events.len(), 1, "the stream's end is the end");
    assert!(ended.stderr.starts_with("agentnorm: the command is silent"));
    assert_gone(child);
}

#[test]
fn a_child_that_closed_its_output_and_lingers_is_told_to_go() {
    let end = r#"echo '{"type":"session.ended","status":"succeeded"}'"#;
    let script = format!("trap 'exit 0' TERM; {end}; exec >&-; {STAY}");
    let ended = Wrap::sh(&["--linger", "0.1"], &script).run();
    assert_eq!(ended.status, 0);
}

#[test]
fn a_child_that_lingers_and_does_not_go_is_killed() {
    let end = r#"echo '{"type":"session.ended","status":"succeeded"}'"#;
    let script = format!("trap '' TERM; {end}; {STAY}");
    let ended = Wrap::sh(&["--linger", "0.1", "--kill-after", "0.1"], &script).run();
    assert_eq!(ended.status, 137);
}

#[test]
fn nothing_lingers_while_work_is_to_come() {
    // Background work keeps it; so does work behind an end. Without the option nothing ends it.
    let background =
        |tasks: &str| format!(r#"echo '{{"type":"session.background","tasks":[{tasks}]}}';"#);
    let end = r#"echo '{"type":"session.ended","status":"succeeded"}';"#;
    let work = r#"echo '{"type":"message","role":"assistant","text":"hi"}';"#;
    let task = background(r#"{"taskId":"t"}"#);
    let none = background("");
    let busy = format!("{task} {end} sleep 0.5; {none} exec >&-; {STAY}");
    let ended = Wrap::sh(&["--linger", "0.1"], &busy).run();
    assert_eq!((ended.events.len(), ended.status), (3, 143), "{ended:?}");
    // In one write, so that no pause comes between.
    let again = format!("lines=$({end} {work}); echo \"$lines\"; sleep 0.5; exit 0");
    let ended = Wrap::sh(&["--linger", "0.1"], &again).run();
    assert_eq!(ended.events.len(), 3, "and an end is made up");
    assert_eq!(ended.status, 0);
    for kind in ["thinking", "tool.call", "plan", "delta"] {
        let event = format!(r#"echo '{{"type":"{kind}"}}';"#);
        let again = format!("lines=$({end} {event}); echo \"$lines\"; sleep 0.4; exit 0");
        let ended = Wrap::sh(&["--linger", "0.1"], &again).run();
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{kind}");
    }
    let ended = Wrap::sh(&[], &format!("{end} sleep 0.5; exit 0")).run();
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
}
