//! The filter as a pipe sees it: standard input, standard output, standard error and status together.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a test fails by panicking"
)]

mod deadline;

use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin_cmd;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use deadline::{LIMIT, Running};

const MESSAGE: &str = r#"{"type":"message","role":"assistant","text":"Done."}"#;
const ENDED: &str =
    r#"{"type":"session.ended","status":"succeeded","stopReason":null,"summary":null}"#;
const FAILED: &str =
    r#"{"type":"session.ended","status":"failed","stopReason":null,"summary":null}"#;

fn agentnorm(args: &[&str], input: impl Into<Vec<u8>>) -> assert_cmd::assert::Assert {
    cargo_bin_cmd!("agentnorm").args(args).write_stdin(input).timeout(LIMIT).assert()
}

fn events(stdout: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn read(args: &[&str], input: impl Into<Vec<u8>>) -> Vec<Value> {
    let run = agentnorm(args, input).success().stderr("");
    events(&run.get_output().stdout)
}

/// A path of this test's own, without a file.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_file(&path).ok();
    path
}

fn spawn(args: &[&str]) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agentnorm"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Running::start(&mut command)
}

#[test]
fn empty_input_gives_nothing() {
    agentnorm(&[], "").success().stdout("").stderr("");
    agentnorm(&["-p", "none"], "\n \r\n\u{feff}\n").success().stdout("").stderr("");
}

#[test]
fn what_is_read_or_written_otherwise_is_not_overwritten() {
    let (file, new) = (scratch("clash.jsonl"), scratch("clash-new.jsonl"));
    fs::write(&file, MESSAGE).unwrap();
    let name = file.to_str().unwrap();
    let other = file.with_file_name(".").join("clash.jsonl");
    let other = other.to_str().unwrap();
    for option in ["-o", "--tee"] {
        agentnorm(&["normalize", option, other, name], "").code(2).stderr(contains("same file"));
        let run = Command::new(env!("CARGO_BIN_EXE_agentnorm"))
            .args([option, name])
            .stdin(fs::File::open(&file).unwrap())
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(2));
    }
    agentnorm(&["-o", name, "--tee", other], "").code(2).stderr(contains("are the same file"));
    let both = new.to_str().unwrap();
    agentnorm(&["-o", both, "--tee", both], "").code(2).stderr(contains("are the same file"));
    agentnorm(&["wrap", "-o", both, "--tee", both, "--", "true"], "").code(125);
    assert_eq!(fs::read_to_string(&file).unwrap(), MESSAGE);
    assert!(!new.exists());
    agentnorm(&["-o", "/dev/null", "--tee", "/dev/null"], "").success();
}

#[test]
fn a_dash_is_standard_output() {
    agentnorm(&["-o", "-"], MESSAGE).success().stdout(contains("Done."));
    assert!(!Path::new("-").exists());
}

#[test]
fn a_record_carries_its_line_and_source() {
    // All that is trimmed, at both edges.
    let edge = " \t\r\u{b}\u{c}\u{feff}";
    for (before, behind) in
        [("", ""), (edge, edge), ("\u{feff}  ", "\t\r"), ("", "\u{b}"), ("\u{c}", "\u{c}")]
    {
        let got = read(&["-p", "jsonl"], format!("\n{before}{MESSAGE}{behind}\n"));
        assert_eq!(got[0]["source"], MESSAGE, "{before:?} {behind:?}");
    }
    let got = read(&["-p", "jsonl"], format!("\n\u{feff}  {MESSAGE}\t\r\n"));
    assert_eq!(got.len(), 1);
    assert_eq!(got[0]["line"], 2);
    assert_eq!(got[0]["source"], MESSAGE);
    assert_eq!(got[0].get("time"), None);
    let keys: Vec<_> = got[0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["type", "payload", "line", "source"]);
}

#[test]
fn no_source_and_stamp() {
    let got = read(&["-p", "jsonl", "--no-source", "--stamp"], MESSAGE);
    assert_eq!(got[0].get("source"), None);
    let time = got[0]["time"].as_str().unwrap();
    assert!(
        predicate::str::is_match(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$").unwrap().eval(time)
    );
}

#[test]
fn invalid_utf8_is_replaced_and_kept_exactly() {
    let got = read(&["-p", "none"], b"caf\xe9 \xff\n".to_vec());
    assert_eq!(got[0]["source"], "caf\u{fffd} \u{fffd}");
    assert_eq!(got[0]["sourceBytes"], "Y2Fm6SD/");
    let valid = read(&["-p", "none"], "caf\u{fffd}");
    assert_eq!(valid[0].get("sourceBytes"), None);
}

#[test]
fn scalars_are_text_and_arrays_and_null_are_silent() {
    let got =
        read(&["-p", "claude-stream"], "null\n[]\n[1,{\"a\":2}]\n\"words\"\n17\ntrue\n[not JSON\n");
    let texts: Vec<_> = got.iter().map(|e| e["payload"]["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["\"words\"", "17", "true", "[not JSON"]);
}

#[test]
fn the_last_line_needs_no_line_feed() {
    assert_eq!(read(&["-p", "jsonl"], MESSAGE)[0]["type"], "message");
    let cut = read(&["-p", "jsonl"], &MESSAGE[..30]);
    assert_eq!(cut[0]["type"], "raw");
    assert_eq!(cut[0]["payload"]["unterminated"], true);
    let whole = read(&["-p", "jsonl"], format!("{}\n", &MESSAGE[..30]));
    assert_eq!(whole[0]["payload"].get("unterminated"), None);
}

#[test]
fn a_line_over_the_limit_is_one_raw_event() {
    let long = "é".repeat(50_000);
    let input = format!("{{\"type\":\"message\",\"text\":\"{long}\"}}\n{MESSAGE}\n");
    for clip in ["8000", "0"] {
        let got = read(&["-p", "jsonl", "--max-line", "1000", "--clip", clip], input.clone());
        assert_eq!(got.len(), 2);
        let raw = &got[0];
        assert_eq!(raw["type"], "raw");
        assert_eq!(raw["sourceTruncated"], true);
        assert_eq!(raw["source"].as_str().unwrap().chars().count(), 8000);
        assert_eq!(raw["payload"]["bytes"], 100_028);
        assert_eq!(raw["payload"]["truncated"], true);
        assert_eq!(raw["payload"]["text"].as_str().unwrap().chars().count(), 8000);
        assert_eq!(got[1]["type"], "message");
        assert_eq!(got[1]["line"], 2);
    }
}

#[test]
fn a_line_of_exactly_the_limit_is_a_line() {
    let limit = MESSAGE.len();
    for (length, is_over) in [(limit - 1, false), (limit, false), (limit + 1, true)] {
        let line = format!("{MESSAGE:length$}");
        let line = if length < limit { MESSAGE.replace('.', "") } else { line };
        assert_eq!(line.len(), length);
        for end in ["", "\n", "\n{}\n"] {
            let limit = limit.to_string();
            let got = read(&["-p", "jsonl", "--max-line", &limit], format!("{line}{end}"));
            let kind = if is_over { "raw" } else { "message" };
            assert_eq!(got[0]["type"], kind, "{length} {end:?}");
            assert_eq!(got[0].get("sourceTruncated").is_some(), is_over, "{length} {end:?}");
        }
    }
}

#[test]
fn texts_are_clipped_by_characters() {
    let text = "é".repeat(20);
    let line = format!("{text}\n");
    let got = read(&["-p", "none", "--clip", "7"], line.clone());
    assert_eq!(got[0]["payload"]["text"], "é".repeat(7));
    assert_eq!(got[0]["payload"]["truncated"], true);
    assert_eq!(got[0]["source"], text);
    let got = read(&["-p", "none", "--clip", "20"], line.clone());
    assert_eq!(got[0]["payload"]["truncated"], false);
    let got = read(&["-p", "none", "--clip", "0"], line);
    assert_eq!(got[0]["payload"]["text"], text);
}

#[test]
fn a_budget_stops_the_events_and_not_the_reading() {
    let input = format!("{MESSAGE}\n{MESSAGE}\n{MESSAGE}\n{FAILED}\n");
    let run = agentnorm(&["-p", "jsonl", "--budget", "2", "-e"], input.clone()).code(1);
    let run = run.stderr("agentnorm: exit status 1: the last session.ended is not a success\n");
    let got = events(&run.get_output().stdout);
    assert_eq!(got.len(), 3);
    assert_eq!(got[2]["payload"]["code"], "budget_exhausted");
    assert_eq!(got[2]["payload"]["message"], "2 lines were not normalized");
    assert_eq!(got[2].get("line"), None);
    assert_eq!(read(&["-p", "jsonl", "--budget", "4"], input).len(), 4);
}

#[test]
fn the_exit_status_tells_the_outcome_only_when_asked() {
    let run =
        |args: &[&str], input: &str| agentnorm(args, input).get_output().status.code().unwrap();
    assert_eq!(run(&["-p", "jsonl"], FAILED), 0);
    assert_eq!(run(&["-p", "jsonl", "-e"], FAILED), 1);
    assert_eq!(run(&["-p", "jsonl", "-e"], ENDED), 0);
    assert_eq!(run(&["-p", "jsonl", "-e"], &format!("{FAILED}\n{ENDED}")), 0);
    assert_eq!(run(&["-p", "jsonl", "-e"], MESSAGE), 1, "no end although there could be one");
    assert_eq!(run(&["-p", "none", "-e"], "text"), 1, "no agent wrote that");
}

#[test]
fn wrong_words_cost_one_line_and_status_2() {
    let wrong = |args: &[&str], words: &str| {
        let run = agentnorm(args, "").code(2).stdout("").stderr(contains(words));
        run.stderr(predicate::str::starts_with("agentnorm: "))
            .stderr(predicate::function(|text: &str| text.lines().count() == 1));
    };
    wrong(&["-p", "nonsense"], "'nonsense'");
    wrong(&["--max-line", "0"], "number of bytes");
    wrong(&["--budget", "many"], "'many'");
    wrong(&["--nonsense"], "'--nonsense'");
    wrong(&["normalize", "/nowhere/at/all"], "cannot open /nowhere/at/all");
    wrong(&["normalize", "/nowhere"], "cannot open /");
    wrong(&["-o", "/nowhere/at/all"], "cannot write /nowhere/at/all");
    wrong(&["--tee", "/nowhere/at/all"], "cannot write /nowhere/at/all");
}

#[test]
fn files_are_streams_of_their_own() {
    let (one, two, out) = (scratch("one.jsonl"), scratch("two.jsonl"), scratch("out.jsonl"));
    fs::write(&one, format!("\n{MESSAGE}")).unwrap();
    fs::write(&two, format!("{MESSAGE}\n")).unwrap();
    let paths = [&one, &two, &out].map(|path| path.to_str().unwrap());
    let args = ["normalize", "-p", "jsonl", "-o", paths[2], paths[0], "-", paths[1]];
    agentnorm(&args, MESSAGE).success().stdout("").stderr("");
    let lines: Vec<_> =
        events(&fs::read(&out).unwrap()).iter().map(|e| e["line"].clone()).collect();
    assert_eq!(lines, [2, 1, 1]);
}

#[test]
fn tee_keeps_the_input_byte_for_byte() {
    let tee = scratch("tee.bin");
    let input = b"\xef\xbb\xbf{\"type\":\"message\"}\r\n\xff\n\nlast".to_vec();
    agentnorm(&["--tee", tee.to_str().unwrap()], input.clone()).success();
    assert_eq!(fs::read(&tee).unwrap(), input);
}

#[test]
fn an_event_is_out_before_the_next_line_comes() {
    let child = spawn(&["-p", "jsonl"]);
    let mut stdin = child.stdin();
    let mut stdout = BufReader::new(child.stdout());
    for number in 1..=50 {
        writeln!(stdin, "{MESSAGE}").unwrap();
        // Nothing more is written until the event has come: a buffered event would never come.
        let mut line = Vec::new();
        stdout.read_until(b'\n', &mut line).unwrap();
        assert_eq!(events(&line)[0]["line"], number);
    }
    drop(stdin);
    assert!(child.wait().success());
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let child = spawn(&["-p", "none"]);
    drop(child.stdout());
    let mut stdin = child.stdin();
    // More than any buffer between the two; the filter may leave at any point.
    for _ in 0..200_000 {
        if writeln!(stdin, "a line of text that nobody reads").is_err() {
            break;
        }
    }
    drop(stdin);
    let mut words = String::new();
    child.stderr().read_to_string(&mut words).unwrap();
    assert_eq!(words, "");
    assert_eq!(child.wait().code(), Some(0));
}

#[test]
fn tee_goes_on_when_nobody_reads_the_events() {
    let tee = scratch("tee-closed.txt");
    let child = spawn(&["-p", "none", "--tee", tee.to_str().unwrap()]);
    drop(child.stdout());
    let input = "a line of text that nobody reads\n".repeat(100_000);
    child.stdin().write_all(input.as_bytes()).unwrap();
    assert_eq!(child.wait().code(), Some(0));
    assert!(fs::read(&tee).unwrap() == input.as_bytes());
}

#[test]
fn stored_events_are_read_again_from_their_sources() {
    let input = format!("noise\n{MESSAGE}\n{{\"type\":\"odd\"}}\n{ENDED}\n\u{1b}{MESSAGE}");
    let first = agentnorm(&["-p", "jsonl"], input).success();
    let stored = first.get_output().stdout.clone();
    // Noise before the first record that settles the dialect is what `auto` may read otherwise.
    let again = agentnorm(&["-p", "agentnorm"], stored.clone()).success().stderr("");
    assert_eq!(events(&again.get_output().stdout).len(), events(&stored).len());
    let auto = agentnorm(&[], stored).success();
    assert_eq!(auto.get_output().stdout, again.get_output().stdout);
}

#[test]
fn streams_of_one_line_stored_behind_one_another_are_read_apart() {
    // Both have a first line; the second is of another dialect.
    let streams = [
        ("codex", r#"{"type":"thread.started","thread_id":"t"}"#, "session.started"),
        (
            "claude-stream",
            r#"{"type":"system","subtype":"init","session_id":"s","model":"m","tools":[]}"#,
            "session.started",
        ),
        ("jsonl", ENDED, "session.ended"),
    ];
    let stored = |protocol: &str, line: &str| {
        agentnorm(&["-p", protocol], line).success().get_output().stdout.clone()
    };
    let all: Vec<u8> =
        streams.iter().flat_map(|(protocol, line, _)| stored(protocol, line)).collect();
    let got = read(&[], all.clone());
    let kinds: Vec<_> = got.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, streams.map(|(_, _, kind)| kind));
    assert_eq!(agentnorm(&[], all.clone()).get_output().stdout, all);
}

#[test]
fn noise_that_looks_like_another_dialect_does_not_settle_the_line() {
    let noise = r#"{"type":"thread.started","thread_id":"t"} is what it printed: "#;
    let record = r#"{"type":"system","subtype":"init","session_id":"s","model":"m","tools":[]}"#;
    let got = read(&[], format!("{noise}{record}\n"));
    let kinds: Vec<_> = got.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["raw", "session.started"], "{got:?}");
    assert_eq!(got[0]["payload"]["text"], noise.trim_end());
    assert_eq!(got[1]["payload"]["sessionId"], "s");
}

#[test]
fn stored_events_without_a_source_pass_unchanged() {
    let stored = concat!(
        r#"{"type":"message","payload":{"role":"assistant",  "text":"x"},"line":4}"#,
        "\n",
        r#"{"type":"session.ended","payload":{"status":"failed"}}"#,
        "\n",
    );
    agentnorm(&["-p", "agentnorm"], stored).success().stdout(stored);
    agentnorm(&["-p", "agentnorm", "-e"], stored).code(1);
}

#[test]
fn help_and_version_are_there() {
    agentnorm(&["--help"], "").success().stdout(contains("EXIT STATUS").and(contains("EXAMPLES")));
    agentnorm(&["-h"], "").success().stdout(contains("--protocol"));
    agentnorm(&["--version"], "").success().stdout(contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_protocol_may_come_from_the_environment() {
    cargo_bin_cmd!("agentnorm")
        .env("AGENTNORM_PROTOCOL", "none")
        .write_stdin(MESSAGE)
        .assert()
        .success()
        .stdout(contains("\"type\":\"raw\""));
    let set = |value: &str, args: &[&str]| {
        let mut run = cargo_bin_cmd!("agentnorm");
        run.env("AGENTNORM_PROTOCOL", value).args(args).write_stdin(MESSAGE).assert()
    };
    set("", &[]).success().stdout(contains("\"type\":\"raw\""));
    set("", &["check"]).success();
    set("nonsense", &[]).code(2).stderr(contains("'nonsense' for AGENTNORM_PROTOCOL ["));
    set("nonsense", &["summarize"]).code(2).stderr(contains("for AGENTNORM_PROTOCOL ["));
    set("nonsense", &["wrap", "true"]).code(125).stderr(contains("for AGENTNORM_PROTOCOL ["));
    set("nonsense", &["-p", "nonsense"]).code(2).stderr(contains("for '--protocol"));
}
