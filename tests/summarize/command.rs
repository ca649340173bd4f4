//! What the command prints, and its exit status.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use assert_cmd::cargo::cargo_bin_cmd;
use predicates::str::contains;
use serde_json::json;

use super::support::{call, end, fixtures, folders, start, stored};

#[test]
fn every_format_prints_what_is_expected() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    for case in folders(&fixtures().join("summarize")) {
        let listed = fs::read_to_string(case.join("files")).ok();
        let files: Vec<PathBuf> = match &listed {
            Some(files) => files.lines().map(|file| fixtures().join(file)).collect(),
            None => vec![case.join("input.jsonl")],
        };
        // A session without times is dated by its file.
        let dir = tempdir(case.file_name().unwrap().to_str().unwrap());
        let copy = |(at, file): (usize, PathBuf)| {
            let name = format!("{at}.jsonl");
            fs::copy(file, dir.join(&name)).unwrap();
            let copied = fs::File::options().write(true).open(dir.join(&name)).unwrap();
            let time = UNIX_EPOCH + Duration::from_secs(1_796_000_000);
            copied.set_modified(time).unwrap();
            name
        };
        let files: Vec<String> = files.into_iter().enumerate().map(copy).collect();
        for (format, name) in
            [("text", "expected.txt"), ("json", "expected.json"), ("markdown", "expected.md")]
        {
            let run = cargo_bin_cmd!("agentnorm")
                .args(["summarize", "--utc", "--format", format])
                .args(&files)
                .current_dir(&dir)
                .assert()
                .success()
                .stderr("");
            let out = String::from_utf8(run.get_output().stdout.clone()).unwrap();
            let path = case.join(name);
            if update {
                fs::write(&path, &out).unwrap();
            }
            assert_eq!(out, fs::read_to_string(&path).unwrap(), "{}", path.display());
            let harmful = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
            assert!(format == "json" || !out.contains(harmful), "{}", path.display());
        }
    }
}

fn tempdir(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("summarize-{name}"));
    fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn the_exit_status_tells() {
    let summarize = |args: &[&str], input: &str| {
        cargo_bin_cmd!("agentnorm").arg("summarize").args(args).write_stdin(input).assert()
    };
    let good = stored(&[start("s"), end("succeeded")]);
    let bad = stored(&[start("s"), end("succeeded"), end("failed")]);
    let open = stored(&[start("s"), call(1, 1)]);
    let no_end = stored(&[("session.started", json!({"harness": "opencode", "sessionId": "s"}))]);
    summarize(&[], &bad).code(0);
    summarize(&["-e"], &good).code(0);
    summarize(&["-e"], &bad).code(1);
    summarize(&["-e"], &open).code(1);
    summarize(&["-e"], &no_end).code(0);
    summarize(&[], "").code(1).stderr(contains("no session"));
    summarize(&[], "plain text\n").code(1);
    summarize(&["--format", "json"], "").code(1).stdout(contains("\"sessions\": []"));
    summarize(&["/nonexistent"], "").code(2).stdout("").stderr(contains("/nonexistent"));
    summarize(&["--format", "xml"], "").code(2);
    summarize(&["-", "-p", "jsonl"], r#"{"type":"usage","scope":"call","inputTokens":12345}"#)
        .code(0)
        .stdout(contains("12,345  tokens, sum of calls"));
}
