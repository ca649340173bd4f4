//! `check`: how well streams are understood.

#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use agentnorm::check::{Checker, Report};
use agentnorm::{Feed as _, Normalizer, Options, Protocol};
use assert_cmd::cargo::cargo_bin_cmd;
use predicates::str::contains;
use serde_json::{Value, json};

fn report(stream: &str, protocol: Protocol) -> Report {
    let mut checker = Checker::new(Options::new(protocol));
    checker.begin_stream("stream.jsonl");
    checker.push(stream.as_bytes());
    checker.end_stream();
    checker.finish()
}

const STREAM: &str = r#"{"type":"session.started","sessionId":"s"}
{"type":"tool.call","callId":"a","name":"x","input":null}
{"type":"tool.result","callId":"a","isError":false,"output":""}
{"type":"tool.call","callId":"b","name":"x","input":null}
{"type":"tool.result","callId":"c","isError":false,"output":""}

{"type":"news","subtype":"big"}
{"type":"news","subtype":"big"}
plain text
{"type":"message","role":"us
{"type":"usage","scope":"call","inputTokens":5,"outputTokens":1}
{"type":"usage","scope":"session","inputTokens":5,"outputTokens":9}
"#;

#[test]
fn what_was_not_understood_is_named_with_its_first_line() {
    let report = report(STREAM, Protocol::Auto);
    let json = report.to_json();
    let dialect = &json["dialects"][0];
    assert_eq!(dialect["dialect"], "jsonl");
    assert_eq!(
        (&dialect["files"], &dialect["lines"], &dialect["mappedLines"]),
        (&json!(1), &json!(11), &json!(7))
    );
    let news =
        json!({"type": "news", "subtype": "big", "count": 2, "file": "stream.jsonl", "line": 7});
    let text =
        json!({"type": "(text)", "subtype": null, "count": 1, "file": "stream.jsonl", "line": 9});
    assert_eq!(dialect["unmapped"], json!([text, news]));
    assert_eq!(
        dialect["malformed"],
        json!({"count": 1, "first": {"file": "stream.jsonl", "line": 10}})
    );
    assert_eq!(
        (&dialect["callsWithoutResult"], &dialect["resultsWithoutCall"]),
        (&json!(1), &json!(1))
    );
    let usage = json!({"file": "stream.jsonl", "sessionId": "s", "counter": "outputTokens", "calls": 1, "session": 9});
    assert_eq!(dialect["usage"], json!([usage]));
    assert_eq!(json["understood"], false);
    let text = report.to_text();
    for part in ["2  news/big, first stream.jsonl:7", "outputTokens: calls 1, session total 9"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn a_share_is_never_rounded_up_to_all() {
    let mapped = "{\"type\":\"message\",\"role\":\"user\",\"text\":\"\"}\n";
    let share = |lines: usize, odd: &str| {
        let stream = mapped.repeat(lines) + odd;
        let report = report(&stream, Protocol::Jsonl);
        report.to_json()["dialects"][0]["mapped"].clone()
    };
    assert_eq!(share(20_000, "{\"type\":\"news\"}\n"), json!(0.9999));
    assert_eq!(share(2, "{\"type\":\"news\"}\n"), json!(0.6666));
    assert_eq!(share(20_000, ""), json!(1.0));
}

#[test]
fn strict_fails_for_what_is_new_and_not_for_what_is_known() {
    let check = |args: &[&str], input: &str| {
        cargo_bin_cmd!("agentnorm").arg("check").args(args).write_stdin(input).assert()
    };
    let good = r#"{"type":"thread.started","thread_id":"t"}
{"type":"turn.started"}
{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"Hi"}}
{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}
"#;
    check(&["--strict"], good).code(0).stdout(contains("left raw    1  turn.started"));
    let news = good.replace("agent_message", "hologram\\u001b[2J");
    check(&[], &news).code(0);
    check(&["--strict"], &news)
        .code(1)
        .stdout(contains("not mapped  1  item.completed/hologram␛[2J, first line 3"));
    check(&["--strict"], &good.replace("\"Hi\"}}", "\"Hi")).code(1).stdout(contains("malformed"));
    let cut = good.lines().take(3).collect::<Vec<_>>().join("\n");
    check(&["--strict"], &cut).code(0).stdout(contains("no end      1"));
    check(&["--strict"], "{\"never\":\"seen\"}\n").code(1).stdout(contains("unknown dialect"));
    check(&["--strict"], "").code(0);
    check(&["/nonexistent"], "").code(2).stdout("");
    check(&["--format", "json"], good).code(0).stdout(contains("\"understood\": true"));
}

#[test]
fn stored_events_are_read_afresh_from_their_sources() {
    let run = cargo_bin_cmd!("agentnorm").args(["-p", "jsonl"]).write_stdin(STREAM).assert();
    let events = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let (raw, stored) = (report(STREAM, Protocol::Auto), report(&events, Protocol::Auto));
    let types = |report: &Report| report.to_json()["dialects"][0]["unmapped"].clone();
    assert_eq!(stored.dialects[0].dialect, Some(Protocol::Jsonl));
    let kinds = |list: Value| -> Vec<Value> {
        list.as_array().unwrap().iter().map(|item| item["type"].clone()).collect()
    };
    assert_eq!(kinds(types(&stored)), kinds(types(&raw)));
}

fn folders(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

/// Over all fixtures: the report counts exactly the `raw` events that the filter writes.
#[test]
fn every_raw_event_is_in_the_report() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut compared = 0;
    for dir in folders(&fixtures) {
        let Some(protocol) = Protocol::from_name(dir.file_name().unwrap().to_str().unwrap()) else {
            continue;
        };
        for case in folders(&dir) {
            let input = fs::read(case.join("input.jsonl")).unwrap();
            let mut options = Options::new(protocol);
            options.deltas = false;
            let mut raw: BTreeMap<String, u64> = BTreeMap::new();
            let mut normalizer = Normalizer::new(options.clone());
            let mut sink = |line: agentnorm::Sourced<'_>| {
                for (kind, payload) in line.events() {
                    if kind.name() == "raw" {
                        let payload: Value = serde_json::from_slice(payload).unwrap();
                        // What was kept as text is told apart further on.
                        let kind = payload["json"]["type"].as_str().unwrap_or("(none)");
                        *raw.entry(kind.to_owned()).or_default() += 1;
                    }
                }
            };
            normalizer.push(&input, &mut sink);
            normalizer.finish(&mut sink);
            let mut checker = Checker::new(options);
            checker.push(&input);
            checker.end_stream();
            let report = checker.finish();
            let name = case.display();
            let types =
                || report.dialects.iter().flat_map(|d| d.unmapped.iter().chain(&d.left_raw));
            let malformed: u64 = report.dialects.iter().map(|d| d.malformed.count).sum();
            let all: u64 = types().map(|u| u.met.count).sum::<u64>() + malformed;
            assert_eq!(all, raw.values().sum::<u64>(), "{name}");
            for (kind, count) in raw.iter().filter(|(kind, _)| *kind != "(none)") {
                let told: u64 = types().filter(|u| u.kind == *kind).map(|u| u.met.count).sum();
                assert!(told >= *count, "{name}: {kind}: {told} of {count}");
            }
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} fixtures");
}

#[test]
fn nothing_in_the_recordings_is_unknown_to_their_dialects() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let folders = |dir: &Path| -> Vec<_> {
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let is_recording = |dir: &Path| {
        let name = dir.file_name().unwrap().to_str().unwrap();
        name.starts_with(|c: char| c.is_ascii_digit()) && dir.join("input.jsonl").is_file()
    };
    let protocols = folders(&fixtures);
    let recordings = protocols.iter().filter(|dir| dir.is_dir()).flat_map(|dir| folders(dir));
    let inputs = recordings.filter(|dir| is_recording(dir)).map(|dir| dir.join("input.jsonl"));
    let run = cargo_bin_cmd!("agentnorm").args(["check", "--format", "json"]).args(inputs).assert();
    let report: Value = serde_json::from_slice(&run.success().get_output().stdout).unwrap();
    // What is no dialect is not understood; what is made up shows lines that nobody mapped.
    let recorded = |it: &&Value| {
        let name = it["dialect"].as_str();
        name.and_then(Protocol::from_name).is_some_and(|it| !it.dialect().made_up)
    };
    let dialects = report["dialects"].as_array().unwrap().iter();
    let known = dialects.filter(recorded);
    let known: Vec<_> = known.collect();
    assert!(known.len() > 10);
    for dialect in known {
        assert_eq!(dialect["understood"], true, "{dialect:#}");
    }
}
