//! `failures`: which calls failed, with what.

#![expect(clippy::unwrap_used, reason = "this is a test")]

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::{Value, json};

fn failures(args: &[&str], input: &str) -> String {
    let run = cargo_bin_cmd!("agentnorm")
        .arg("failures")
        .args(args)
        .write_stdin(input)
        .assert()
        .success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

#[test]
fn a_recorded_failure_has_its_command_and_its_last_lines() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/claude-stream/2.1.332-bash-fail/input.jsonl"
    );
    let report: Value = serde_json::from_str(&failures(&["--format", "json", file], "")).unwrap();
    let failure = &report["failures"][0];
    assert_eq!((failure["tool"].as_str(), failure["file"].as_str()), (Some("Bash"), Some(file)));
    assert!(failure["line"].as_u64().unwrap() > 1 && failure["exitCode"].is_i64(), "{failure}");
    assert!(!failure["command"].as_str().unwrap().is_empty());
    assert_eq!(
        report["failed"].as_u64().unwrap(),
        report["failures"].as_array().unwrap().len() as u64
    );
    let text = failures(&[file], "");
    let place = format!("{file}:{}  Bash  exit status {}", failure["line"], failure["exitCode"]);
    assert!(text.starts_with(&place), "{place}: {text}");
}

#[test]
fn calls_of_mixed_sessions_keep_their_own_results() {
    let event = |kind: &str, session: &str, payload: Value| {
        json!({"type": kind, "payload": payload, "line": 1, "sessionId": session}).to_string()
            + "\n"
    };
    let call = |session: &str, command: &str| {
        event(
            "tool.call",
            session,
            json!({"callId": "1", "name": "sh", "input": null, "target": command}),
        )
    };
    let result = |session: &str, error: bool, output: &str| {
        event(
            "tool.result",
            session,
            json!({"callId": "1", "isError": error, "output": output, "exitCode": 2}),
        )
    };
    let input = call("a", "make a")
        + &call("b", "make b")
        + &result("a", true, "1\n2\n\n3\n\u{1b}[31m4\n")
        + &result("b", false, "");
    let report: Value =
        serde_json::from_str(&failures(&["--format", "json", "--lines", "2"], &input)).unwrap();
    assert_eq!((&report["calls"], &report["failed"]), (&json!(2), &json!(1)));
    assert_eq!(report["failures"][0]["command"], "make a");
    assert_eq!(report["failures"][0]["output"], "3\n\u{1b}[31m4");
    let text = failures(&[], &input);
    assert!(text.contains("$ make a") && text.contains("1 of 2 tool calls failed"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}
