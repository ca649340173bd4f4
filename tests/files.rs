//! Files that the commands read and write.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};

const STREAM: &str = concat!(
    r#"{"type":"session.started","harness":"demo","model":null,"sessionId":"s"}"#,
    "\n",
    r#"{"type":"message","role":"assistant","text":"Done."}"#,
    "\n",
    r#"{"type":"session.ended","status":"succeeded","stopReason":null,"summary":null}"#,
    "\n",
);

fn file(name: &str, content: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn run(args: &[&str]) -> Assert {
    cargo_bin_cmd!("agentnorm").env("AGENTNORM_PROTOCOL", "jsonl").args(args).assert()
}

fn one_line() -> impl Predicate<str> {
    predicate::function(|text: &str| text.lines().count() == 1)
}

#[test]
fn one_of_several_files_that_cannot_be_read_costs_that_file() {
    let stream = file("files-read.jsonl", STREAM);
    // A file that no one can open, whoever runs the tests.
    let below_a_file = format!("{stream}/below");
    for wrong in ["/nowhere/at/all", &below_a_file] {
        for command in ["normalize", "summarize", "check", "show"] {
            let words = format!("agentnorm: cannot open {wrong}: ");
            let whole = run(&[command, &stream, &stream]).success().stderr("");
            let whole = String::from_utf8(whole.get_output().stdout.clone()).unwrap();
            run(&[command, &stream, wrong, &stream])
                .code(2)
                .stderr(starts_with(words.as_str()).and(one_line()))
                .stdout(whole);
            run(&[command, wrong]).code(2).stderr(starts_with(words.as_str())).stdout(is_empty());
        }
        run(&["normalize", "-e", &stream, wrong]).code(2);
    }
}

#[test]
fn a_directory_means_the_files_in_it_in_order_of_their_names() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files-directory");
    fs::remove_dir_all(&root).ok();
    fs::create_dir_all(root.join("b")).unwrap();
    for (name, text) in [("c.jsonl", "3"), ("a.json", "1"), ("b/x.ndjson", "2"), ("b/y.txt", "no")]
    {
        let line = format!("{{\"type\":\"message\",\"text\":\"{text}\"}}\n");
        fs::write(root.join(name), line).unwrap();
    }
    let root = root.to_str().unwrap();
    let out = run(&["normalize", "--no-source", "-H", root]).success().stderr("");
    let out = String::from_utf8(out.get_output().stdout.clone()).unwrap();
    let told = |text: &str, file: &str| {
        format!(
            "{{\"type\":\"message\",\"payload\":{{\"text\":\"{text}\"}},\"line\":1,\"file\":\"{root}/{file}\"}}\n"
        )
    };
    assert_eq!(out, [told("1", "a.json"), told("2", "b/x.ndjson"), told("3", "c.jsonl")].concat());
    // What is written there meanwhile is not read.
    let output = format!("{root}/c.jsonl");
    run(&["normalize", root, "-o", &output]).code(2).stderr(contains("is the same file"));
    run(&["normalize", &format!("{root}/none")]).code(2);
    let empty = Path::new(root).join("empty");
    fs::create_dir_all(&empty).unwrap();
    let said = format!("agentnorm: no .jsonl, .json or .ndjson file is in {}\n", empty.display());
    run(&["normalize", empty.to_str().unwrap()]).success().stdout("").stderr(said);
}

#[test]
fn what_is_read_is_not_written_over() {
    let stream = file("files-spared.jsonl", STREAM);
    let link = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files-link.jsonl");
    fs::remove_file(&link).ok();
    fs::hard_link(&stream, &link).unwrap();
    for option in ["-o", "--tee"] {
        for target in [stream.as_str(), link.to_str().unwrap()] {
            run(&["normalize", "/dev/null", &stream, option, target])
                .code(2)
                .stdout("")
                .stderr(contains("is the same file").and(one_line()));
            assert_eq!(fs::read_to_string(&stream).unwrap(), STREAM);
        }
    }
}

#[test]
fn standard_input_is_not_written_over() {
    let stream = file("files-stdin.jsonl", STREAM);
    let status = |stdin: &str, args: &[&str]| {
        let mut run = Command::new(env!("CARGO_BIN_EXE_agentnorm"));
        let stdin = fs::File::open(stdin).unwrap();
        run.args(args).stdin(stdin).output().unwrap().status.code().unwrap()
    };
    assert_eq!(status(&stream, &["-o", &stream]), 2);
    assert_eq!(status(&stream, &["--tee", &stream]), 2);
    assert_eq!(status(&stream, &["wrap", "-o", &stream, "cat"]), 125);
    assert_eq!(fs::read_to_string(&stream).unwrap(), STREAM);
    for args in [&["normalize", &stream][..], &["show", &stream], &[]] {
        let behind = fs::OpenOptions::new().append(true).open(&stream).unwrap();
        let mut run = Command::new(env!("CARGO_BIN_EXE_agentnorm"));
        run.args(args).stdin(fs::File::open(&stream).unwrap()).stdout(behind);
        assert_eq!(run.output().unwrap().status.code(), Some(2));
    }
    assert_eq!(fs::read_to_string(&stream).unwrap(), STREAM);
    assert_eq!(status("/dev/null", &["-o", "/dev/null", "--tee", "/dev/null"]), 0);
}

/// Nobody reads: every command ends quietly. The disk is full: every command says so.
#[cfg(target_os = "linux")]
#[test]
fn output_that_nobody_takes() {
    let stream = file("files-output.jsonl", STREAM);
    let commands: &[&[&str]] = &[
        &["normalize", &stream],
        &["wrap", "cat", &stream],
        &["wrap", "--dry-run", "cat", &stream],
        &["summarize", &stream],
        &["title-probe", "-p", "claude-json", "abc"],
        &["show", &stream],
        &["show", "--format", "html", &stream],
        &["check", &stream],
        &["schema"],
        &["--help"],
        &["--version"],
    ];
    for args in commands {
        let run = |stdout: Stdio| {
            let mut run = Command::new(env!("CARGO_BIN_EXE_agentnorm"));
            let run = run.args(*args).stdin(Stdio::null()).stdout(stdout).output().unwrap();
            (run.status.code(), String::from_utf8(run.stderr).unwrap())
        };
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run(writer.into()), (Some(0), String::new()), "{args:?}");
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (status, words) = run(full.into());
        assert_eq!(status, Some(if args.first() == Some(&"wrap") { 125 } else { 2 }), "{args:?}");
        assert!(words.starts_with("agentnorm: cannot write "), "{args:?}: {words}");
        assert_eq!(words.lines().count(), 1, "{args:?}: {words}");
    }
}

#[test]
fn who_types_nothing_in_is_told_what_is_waited_for() {
    for args in [&[][..], &["normalize"], &["summarize"], &["show"], &["title-probe", "--parse"]] {
        let (mut terminal, pts) = pty_process::blocking::open().unwrap();
        let child = pty_process::blocking::Command::new(env!("CARGO_BIN_EXE_agentnorm"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn(pts)
            .unwrap();
        // End of file, as a terminal says it.
        terminal.write_all(b"\x04").unwrap();
        let words = child.wait_with_output().unwrap().stderr;
        let words = String::from_utf8(words).unwrap();
        assert!(words.starts_with("agentnorm: reading from the terminal; "), "{args:?}: {words}");
    }
}
