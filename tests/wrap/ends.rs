//! Exit statuses, and the end that is made up.

use rustix::process::Signal;

use crate::support::{Folder, Wrap, is_ignored};

const ENDED: &str = r#"echo '{"type":"session.ended","status":"succeeded"}';"#;
const FAILED: &str = r#"echo '{"type":"session.ended","status":"failed"}';"#;
const MESSAGE: &str = r#"echo '{"type":"message","role":"assistant","text":"hi"}';"#;
const ERROR: &str = r#"echo '{"type":"notice","level":"error","code":"error","message":"no"}';"#;

#[test]
fn the_exit_status_is_the_childs() {
    for status in [0, 1, 3, 125, 255] {
        let ended = Wrap::sh(&[], &format!("{ENDED} exit {status}")).run();
        assert_eq!(ended.status, status);
        assert_eq!(ended.stderr, "");
        // The stream's word and the status are two facts; neither changes the other.
        assert_eq!(ended.events.len(), 1);
        assert_eq!(ended.events[0]["payload"]["status"], "succeeded");
    }
}

#[test]
fn a_signal_that_ends_the_child_gives_128_and_its_number() {
    let signals = [
        (Signal::HUP, "HUP"),
        (Signal::INT, "INT"),
        (Signal::QUIT, "QUIT"),
        (Signal::ABORT, "ABRT"),
        (Signal::KILL, "KILL"),
        (Signal::SEGV, "SEGV"),
        (Signal::PIPE, "PIPE"),
        (Signal::TERM, "TERM"),
    ];
    for (signal, name) in signals.into_iter().filter(|(signal, _)| !is_ignored(*signal)) {
        let ended = Wrap::sh(&[], &format!("ulimit -c 0; {MESSAGE} kill -{name} $$")).run();
        assert_eq!(ended.status, 128 + signal.as_raw(), "{name}");
        let end = ended.made_up();
        assert_eq!(end["status"], "failed");
        assert_eq!(end["signal"], format!("SIG{name}"));
        assert!(end.get("exitCode").is_none());
        assert_eq!(ended.stderr, "");
    }
}

#[test]
fn what_cannot_be_started_gives_126_or_127_and_no_event() {
    let folder = Folder::new();
    let file = folder.path("plain");
    std::fs::write(&file, "echo hi\n").unwrap();
    for (command, status) in [
        ("no-such-command", 127),
        ("/no/such/path", 127),
        (file.to_str().unwrap(), 126),
        ("/", 126),
    ] {
        let ended = Wrap::command(&[], &[command]).run();
        assert_eq!(ended.status, status, "{command}");
        assert!(ended.events.is_empty());
        assert!(ended.stderr.starts_with(&format!("agentnorm: cannot run {command}: ")));
        assert_eq!(ended.stderr.lines().count(), 1);
    }
}

#[test]
fn our_own_failure_is_125_and_runs_nothing() {
    let folder = Folder::new();
    let mark = folder.path("mark");
    let mark = mark.to_str().unwrap();
    for options in
        [["--linger", "soon"], ["-p", "nonsense"], ["-o", "/no/such/file"], ["--tee", "/"]]
    {
        let ended = Wrap::command(&options, &["touch", mark]).run();
        assert_eq!(ended.status, 125, "{options:?}");
        assert!(!ended.stderr.is_empty());
        assert!(!std::fs::exists(mark).unwrap());
    }
    for args in [&["wrap"][..], &["wrap", "--no-such-option", "true"]] {
        let mut wrap = std::process::Command::new(crate::support::AGENTNORM);
        wrap.args(args);
        assert_eq!(Wrap::of(wrap).run().status, 125);
    }
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "ulimit -n 4; exec \"$@\"", "sh", crate::support::AGENTNORM, "wrap", "true"]);
    let ended = Wrap::of(shell).run();
    assert_eq!(ended.status, 125, "{ended:?}");
    let mut help = std::process::Command::new(crate::support::AGENTNORM);
    let help = help.args(["wrap", "--help"]).output().unwrap();
    assert_eq!(help.status.code(), Some(0));
    let text = String::from_utf8(help.stdout).unwrap();
    for rule in ["</dev/null", "100 ms", "500 ms", "125", "128+n", "SIGNALS", "synthetic"] {
        assert!(text.contains(rule), "{rule}");
    }
}

#[test]
fn an_end_is_made_up_only_where_the_last_word_is_none() {
    // (protocol, script, status of the made-up end, if there is one)
    let cases = [
        ("jsonl", format!("{ENDED} exit 0"), None),
        ("jsonl", format!("{ENDED} exit 3"), None),
        ("jsonl", format!("{FAILED} exit 0"), None),
        // Work behind an end: another turn began, and was cut off.
        ("jsonl", format!("{ENDED} {MESSAGE} exit 0"), Some("failed")),
        ("jsonl", format!("{MESSAGE} exit 0"), Some("succeeded")),
        ("jsonl", format!("{MESSAGE} exit 1"), Some("failed")),
        ("claude-json", "echo hi; exit 0".to_owned(), Some("failed")),
        ("claude-json", "exit 0".to_owned(), Some("failed")),
        // No end record: the exit status is the only end there is.
        ("none", "echo hi; exit 0".to_owned(), Some("succeeded")),
        ("none", "echo hi; exit 1".to_owned(), Some("failed")),
        ("auto", "echo hi; exit 0".to_owned(), Some("succeeded")),
        ("auto", "exit 2".to_owned(), Some("failed")),
    ];
    for (protocol, script, made_up) in cases {
        let ended = Wrap::sh(&["-p", protocol], &script).run();
        match made_up {
            Some(status) => {
                let end = ended.made_up();
                assert_eq!(end["status"], status, "{protocol} {script}");
                assert_eq!(end["exitCode"], ended.status);
                assert_eq!(end["summary"], serde_json::Value::Null);
            }
            None => assert_eq!(ended.events.len(), 1, "{protocol} {script}"),
        }
    }
}

/// The line of an event whose other members do not matter.
fn event(kind: &str) -> String {
    format!(r#"echo '{{"type":"{kind}"}}';"#)
}

#[test]
fn whatever_is_work_behind_an_end_opens_another_turn() {
    for kind in
        ["session.started", "message", "thinking", "tool.call", "tool.result", "plan", "delta"]
    {
        let ended = Wrap::sh(&[], &format!("{ENDED} {} exit 0", event(kind))).run();
        assert_eq!(ended.events.len(), 3, "{kind}");
        assert_eq!(ended.made_up()["status"], "failed", "{kind}");
    }
    for kind in ["session.title", "usage", "notice", "nonsense"] {
        let ended = Wrap::sh(&[], &format!("{ENDED} {} exit 0", event(kind))).run();
        let last = ended.events.last().unwrap();
        assert_ne!(last["type"], "session.ended", "{kind} {ended:?}");
        assert_eq!(ended.events.len(), 2, "{kind}");
    }
}

#[test]
fn the_exit_status_option_tells_the_outcome() {
    // (protocol, script, with -e, without)
    let cases = [
        ("jsonl", format!("{ENDED} exit 0"), 0, 0),
        ("jsonl", format!("{FAILED} exit 0"), 1, 0),
        ("jsonl", format!("{FAILED} {ENDED} exit 0"), 0, 0),
        ("jsonl", format!("{FAILED} exit 3"), 3, 3),
        ("jsonl", format!("{ENDED} exit 3"), 3, 3),
        ("jsonl", format!("{MESSAGE} exit 0"), 0, 0),
        ("jsonl", format!("{ENDED} {MESSAGE} exit 0"), 1, 0),
        ("none", "exit 0".to_owned(), 0, 0),
        ("claude-json", "exit 0".to_owned(), 1, 0),
    ];
    for (protocol, script, with, without) in cases {
        let status = |options: &[&str]| Wrap::sh(options, &script).run().status;
        assert_eq!(status(&["-p", protocol, "-e"]), with, "{protocol} {script}");
        assert_eq!(status(&["-p", protocol]), without, "{protocol} {script}");
    }
}

#[test]
fn a_budget_and_a_stamp_do_not_lose_the_end() {
    let ended = Wrap::sh(&["--budget", "1"], &format!("{MESSAGE} {MESSAGE} {ERROR} exit 4")).run();
    let types: Vec<_> = ended.events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["message", "session.ended", "notice"]);
    assert_eq!(ended.events[2]["payload"]["message"], "2 lines were not normalized");
    let ended = Wrap::sh(&["--stamp"], "exit 4").run();
    ended.made_up();
    assert!(ended.events[0]["time"].as_str().unwrap().ends_with('Z'));
}

#[test]
fn a_last_error_makes_the_made_up_end_a_failure() {
    let script = format!("{MESSAGE} {ERROR} exit 0");
    let ended = Wrap::sh(&[], &script).run();
    assert_eq!(ended.made_up()["status"], "failed");
}
