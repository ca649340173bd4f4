//! `summarize` and the recaps of the library.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "this is a test")]

use std::fs;
use std::path::{Path, PathBuf};

use agentnorm::{
    Event, Options, Protocol, Recap, Summarizer, Summary, parse_lines, summarize_usage,
};
use assert_cmd::cargo::cargo_bin_cmd;
use predicates::str::contains;
use serde_json::{Value, json};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

fn folders(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// The recap of several streams, one behind the other.
fn recap_of(streams: &[&[u8]], protocol: Protocol, dedupe: bool) -> Summary {
    let mut summarizer = Summarizer::new(Options::new(protocol), dedupe);
    for stream in streams {
        summarizer.push(stream);
        summarizer.end_stream();
    }
    summarizer.finish()
}

fn recap(stream: &str) -> Summary {
    recap_of(&[stream.as_bytes()], Protocol::Auto, false)
}

/// A stored stream: a type and a payload an event, one event a line.
fn stored(events: &[(&str, Value)]) -> String {
    let record = |(at, (kind, payload)): (usize, &(&str, Value))| {
        let source = "x".repeat(50);
        json!({"type": kind, "payload": payload, "line": at + 1, "source": source}).to_string()
    };
    events.iter().enumerate().map(record).map(|line| line + "\n").collect()
}

fn start(id: &str) -> (&'static str, Value) {
    ("session.started", json!({"harness": "demo", "model": null, "sessionId": id}))
}

fn total(input: u64, output: u64) -> (&'static str, Value) {
    let usage = json!({"scope": "session", "inputTokens": input, "outputTokens": output, "costUsd": 0.1, "turns": 2, "durationMs": 700});
    ("usage", usage)
}

fn since(cumulative: &str, (kind, mut usage): (&'static str, Value)) -> (&'static str, Value) {
    usage["cumulative"] = json!(cumulative);
    (kind, usage)
}

fn call(input: u64, output: u64) -> (&'static str, Value) {
    ("usage", json!({"scope": "call", "model": "m", "inputTokens": input, "outputTokens": output}))
}

fn end(status: &str) -> (&'static str, Value) {
    ("session.ended", json!({"status": status, "stopReason": null, "summary": null}))
}

fn tokens(recap: &Recap) -> (u64, u64) {
    let figures = &recap.usage.figures;
    (figures.input_tokens.unwrap(), figures.output_tokens.unwrap())
}

fn runs(streams: &[String]) -> Summary {
    let streams: Vec<&[u8]> = streams.iter().map(String::as_bytes).collect();
    recap_of(&streams, Protocol::Auto, false)
}

#[test]
fn the_larger_of_total_and_calls_stands_counter_by_counter() {
    let summary = recap(&stored(&[start("s"), call(100, 1), total(90, 40), end("succeeded")]));
    let json = &summary.to_json()["sessions"][0];
    assert_eq!(json["usage"]["inputTokens"], 100);
    assert_eq!(json["basis"]["inputTokens"], "calls");
    assert_eq!(json["usage"]["outputTokens"], 40);
    assert_eq!(json["basis"]["outputTokens"], "session");
    assert_eq!(json["basis"]["cacheReadTokens"], "none");
    assert_eq!(json["complete"], true);

    // The stream stopped in the middle of its second turn.
    let summary = recap(&stored(&[start("s"), total(90, 40), end("succeeded"), call(95, 1)]));
    assert_eq!(tokens(&summary.total), (95, 40));
    let (kind, text) = ("message", json!({"role": "assistant", "text": "and", "truncated": false}));
    let cut = stored(&[start("s"), total(90, 40), end("succeeded"), (kind, text)]);
    assert_eq!(recap(&cut).total.usage.complete, Some(false));
    assert_eq!(recap(&stored(&[start("s"), call(1, 1)])).total.usage.complete, Some(false));
}

#[test]
fn a_running_total_is_never_added_up() {
    let summary = recap(&stored(&[
        start("s"),
        total(10, 1),
        end("succeeded"),
        total(25, 3),
        end("succeeded"),
    ]));
    assert_eq!(tokens(&summary.total), (25, 3));
    assert_eq!(summary.total.usage.turns, Some(2));
    assert_eq!(summary.total.usage.figures.cost_usd, Some(0.1));
}

#[test]
fn totals_over_the_process_add_up_and_totals_over_the_session_do_not() {
    let run = |total| stored(&[start("s"), total, end("succeeded")]);
    let process = |i, o| run(since("process", total(i, o)));
    let session = |i, o| run(since("session", total(i, o)));

    let summary = runs(&[process(10, 1), process(20, 5)]);
    assert_eq!(tokens(&summary.total), (30, 6));
    assert_eq!(summary.total.usage.figures.cost_usd, Some(0.2));
    assert_eq!(summary.total.usage.turns, Some(4));
    assert_eq!(summary.sessions.len(), 1);
    assert_eq!(summary.sessions[0].runs, 2);

    let summary = runs(&[session(10, 1), session(30, 6)]);
    assert_eq!(tokens(&summary.total), (30, 6));
    assert_eq!(summary.total.usage.turns, Some(2));
    // In whatever order the files were given.
    assert_eq!(tokens(&runs(&[session(30, 6), session(10, 1)]).total), (30, 6));
    // The first run counts over the process, and the resumed one goes on with it.
    assert_eq!(tokens(&runs(&[process(10, 1), session(30, 6)]).total), (30, 6));
    // Other sessions are not touched.
    let other = stored(&[start("t"), since("session", total(7, 7)), end("failed")]);
    let summary = runs(&[session(10, 1), other, session(30, 6)]);
    assert_eq!(tokens(&summary.total), (37, 13));
    assert_eq!(summary.sessions.iter().map(|s| s.runs).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn where_nobody_says_so_a_total_that_starts_at_or_above_the_last_goes_on() {
    let run = |i, o| stored(&[start("s"), total(i, o), end("succeeded")]);
    assert_eq!(tokens(&runs(&[run(10, 1), run(25, 3)]).total), (25, 3));
    assert_eq!(tokens(&runs(&[run(10, 1), run(10, 1)]).total), (10, 1));
    assert_eq!(tokens(&runs(&[run(10, 3), run(25, 1)]).total), (35, 4));
    assert_eq!(tokens(&runs(&[run(10, 1), run(4, 1), run(5, 2)]).total), (15, 3));
}

#[test]
fn a_run_without_a_total_still_counts() {
    let cut = stored(&[start("s"), call(500, 5)]);
    let process =
        stored(&[start("s"), call(90, 1), since("process", total(100, 40)), end("succeeded")]);
    let summary = runs(&[process.clone(), cut.clone(), process]);
    assert_eq!(tokens(&summary.total), (700, 85));
    assert_eq!(summary.total.usage.complete, Some(false));
    // A total over the session covers the run that was cut off.
    let session =
        stored(&[start("s"), call(90, 1), since("session", total(900, 40)), end("succeeded")]);
    assert_eq!(tokens(&runs(&[cut, session]).total), (900, 40));
}

#[test]
fn a_concatenation_reads_like_its_files() {
    let one = stored(&[start("s"), call(5, 1), since("process", total(10, 1)), end("succeeded")]);
    let two = stored(&[start("t"), total(20, 5), end("failed")]);
    let three = stored(&[start("s"), since("process", total(1, 1)), end("succeeded")]);
    let apart = runs(&[one.clone(), two.clone(), three.clone()]);
    let joined = recap(&format!("{one}{two}{three}"));
    assert_eq!(apart.to_json(), joined.to_json());
    assert_eq!(joined.sessions.len(), 2);
    assert_eq!(tokens(&joined.total), (31, 7));
}

#[test]
fn runs_behind_one_another_in_one_stream_read_like_their_files() {
    for names in [
        ["codex/0.171-tour", "codex/0.171-plain-text"],
        ["gemini/0.61-text", "gemini/0.61-shell"],
        ["droid/0.225-text", "droid/0.225-shell"],
        ["copilot/1.0.102-text", "copilot/1.0.102-shell"],
        ["cline/3.0-text", "cline/3.0-parallel"],
        ["acp/opencode-1.18.33-shell", "acp/opencode-1.18.33-edit"],
        ["qwen/0.24.4-text", "qwen/0.24.4-shell"],
        ["claude-stream/2.1.332-bash", "claude-stream/2.1.332-edit"],
    ] {
        let [one, two] =
            names.map(|name| fs::read(fixtures().join(name).join("input.jsonl")).unwrap());
        for [first, second] in [[&one, &two], [&two, &one]] {
            let usage = |summary: Summary| {
                let sessions = summary.sessions.iter().chain([&summary.total]);
                let usage = sessions.map(|recap| {
                    let mut usage = recap.usage.clone();
                    let cost = usage.figures.cost_usd.take().map(|cost| (cost * 1e9).round());
                    (usage.figures, cost, usage.turns, usage.duration_ms)
                });
                usage.collect::<Vec<_>>()
            };
            let apart = recap_of(&[first, second], Protocol::Auto, false);
            let together = recap_of(&[&[&first[..], second].concat()], Protocol::Auto, false);
            assert_eq!(usage(together), usage(apart), "{names:?}");
        }
    }
}

#[test]
fn dedupe_leaves_out_what_comes_again() {
    let one = stored(&[start("s"), call(5, 1), since("process", total(10, 1)), end("succeeded")]);
    let two = stored(&[start("s"), call(6, 1), since("process", total(12, 1)), end("succeeded")]);
    let joined = format!("{one}{two}");
    let streams = [one.as_bytes(), two.as_bytes(), one.as_bytes(), joined.as_bytes()];
    let summary = recap_of(&streams, Protocol::Auto, true);
    assert_eq!(tokens(&summary.total), (22, 2));
    assert_eq!(summary.total.tally.events, 8);
    let summary = recap_of(&streams, Protocol::Auto, false);
    assert_eq!(tokens(&summary.total), (54, 5));
}

#[test]
fn a_session_that_starts_within_a_process_gets_what_came_since() {
    let turn = ("session.started", json!({"harness": "demo", "sessionId": "b", "turn": 2}));
    for cumulative in ["process", "session"] {
        let summary = recap(&stored(&[
            start("a"),
            since(cumulative, total(10, 1)),
            end("succeeded"),
            turn.clone(),
            since(cumulative, total(25, 3)),
            end("succeeded"),
        ]));
        assert_eq!(tokens(&summary.sessions[0]), (10, 1));
        assert_eq!(tokens(&summary.sessions[1]), (15, 2));
        assert_eq!(tokens(&summary.total), (25, 3));
    }
}

#[test]
fn an_id_that_comes_late_names_the_session_that_is_going_on() {
    let nameless = ("session.started", json!({"harness": "demo", "sessionId": null}));
    let again = nameless.clone();
    let text = ("message", json!({"role": "user", "text": "demo", "truncated": false}));
    let stream = [nameless, text, again, call(5, 1), start("s"), end("succeeded")];
    let summary = recap(&stored(&stream));
    assert_eq!(summary.sessions.len(), 1);
    assert_eq!(summary.sessions[0].session_id.as_deref(), Some("s"));
    assert_eq!(tokens(&summary.total), (5, 1));
}

#[test]
fn the_context_is_the_latest_call_of_the_main_thread() {
    let events = [
        (
            "session.started",
            json!({"harness": "claude-code", "model": "claude-sonnet-4-5", "contextWindow": 200_000, "sessionId": "s"}),
        ),
        (
            "usage",
            json!({"scope": "call", "model": "claude-sonnet-4-5", "inputTokens": 4, "cacheReadTokens": 300, "contextTokens": 304}),
        ),
        (
            "usage",
            json!({"scope": "call", "model": "claude-haiku-4-5", "inputTokens": 9, "contextTokens": 9, "parentCallId": "c"}),
        ),
    ];
    let usage = recap(&stored(&events)).total.usage;
    assert_eq!((usage.context_tokens, usage.context_window), (Some(304), Some(200_000)));

    // Stored before the keys existed: the sum of the prompt, and the model's name.
    let events = [
        (
            "session.started",
            json!({"harness": "claude-code", "model": "claude-sonnet-5", "sessionId": "s"}),
        ),
        (
            "usage",
            json!({"scope": "call", "inputTokens": 4, "cacheReadTokens": 41207, "cacheCreationTokens": 1183}),
        ),
    ];
    let usage = recap(&stored(&events)).total.usage;
    assert_eq!((usage.context_tokens, usage.context_window), (Some(42_394), Some(1_000_000)));
}

#[test]
fn cost_of_calls_adds_up_where_there_is_no_other() {
    let step = |cost| ("usage", json!({"scope": "call", "inputTokens": 1, "costUsd": cost}));
    let summary = recap(&stored(&[start("s"), step(0.0142), step(0.0021)]));
    assert_eq!(summary.total.usage.figures.cost_usd, Some(0.0163));
    assert_eq!(summary.to_json()["total"]["basis"]["costUsd"], "calls");
}

#[test]
fn what_happened_is_counted() {
    let tool = |id: &str, name| ("tool.call", json!({"callId": id, "name": name, "input": null}));
    let result = |id: &str, error: bool, more: Value| {
        let mut payload = json!({"callId": id, "isError": error, "output": ""});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ("tool.result", payload)
    };
    let changed = |path, change| json!({"files": [{"path": path, "change": change}]});
    let stream = stored(&[
        start("s"),
        tool("1", "Bash"),
        tool("2", "Edit"),
        result("2", false, changed("a.rs", "add")),
        result("1", true, json!({"status": "denied"})),
        tool("3", "Edit"),
        result("3", false, changed("a.rs", "update")),
        result("9", true, json!({})),
        ("notice", json!({"level": "info", "code": "retry", "message": null})),
        ("notice", json!({"level": "info", "code": "retry", "message": null})),
        (
            "plan",
            json!({"steps": [{"text": "a", "status": "completed"}, {"text": "b", "status": "pending"}]}),
        ),
        (
            "session.background",
            json!({"tasks": [{"taskId": "t", "kind": "shell", "description": "sleep", "callId": null}]}),
        ),
        ("session.title", json!({"title": "old"})),
        ("session.title", json!({"title": "new"})),
        ("raw", json!({"json": {"type": "news"}})),
        (
            "session.ended",
            json!({"status": "failed", "stopReason": null, "summary": null, "reason": "max_turns"}),
        ),
    ]);
    let json = recap(&stream).to_json();
    let session = &json["sessions"][0];
    let tools = json!([
        {"name": "(unknown)", "calls": 0, "errors": 1},
        {"name": "Bash", "calls": 1, "errors": 1},
        {"name": "Edit", "calls": 2, "errors": 0},
    ]);
    assert_eq!(session["tools"], tools);
    assert_eq!(session["files"], json!([{"path": "a.rs", "change": "add"}]));
    assert_eq!((&session["retries"], &session["denials"]), (&json!(2), &json!(1)));
    assert_eq!(session["plan"], json!({"steps": 2, "completed": 1, "inProgress": 0}));
    assert_eq!(session["background"][0]["taskId"], "t");
    assert_eq!(session["title"], "new");
    assert_eq!(session["outcome"]["reason"], "max_turns");
    assert_eq!((&session["events"], &session["raw"]), (&json!(16), &json!(1)));
}

#[test]
fn owned_events_give_the_same_usage() {
    let input = fs::read(fixtures().join("claude-stream/2.1.332-bash/input.jsonl")).unwrap();
    let events = parse_lines(Protocol::ClaudeStream, input.split(|b| *b == b'\n'), usize::MAX);
    let usage = summarize_usage(&events);
    assert!(usage.figures.input_tokens.is_some());
    assert_eq!(usage, recap_of(&[&input], Protocol::Auto, false).total.usage);
    assert_eq!(usage, summarize_usage(events.into_iter().map(|e| e.event).collect::<Vec<Event>>()));
}

/// A stored stream and the stream itself are read alike, in whatever pieces they come.
#[test]
fn every_fixture_has_the_recap_of_its_events() {
    let mut compared = 0;
    for protocol in folders(&fixtures()) {
        let name = protocol.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(protocol_name) =
            Protocol::from_name(&name).filter(|_| name != "none" && name != "agentnorm")
        else {
            continue;
        };
        for case in folders(&protocol) {
            if case.join("args").exists() || case.join("not-auto").exists() {
                continue;
            }
            let input = fs::read(case.join("input.jsonl")).unwrap();
            let events = fs::read(case.join("expected.jsonl")).unwrap();
            if events.is_empty() {
                continue;
            }
            let mut raw = recap_of(&[&input], protocol_name, false);
            let mut stored = recap_of(&[&events], protocol_name, false);
            for recap in raw.sessions.iter_mut().chain(&mut stored.sessions) {
                // Only the stream tells whether its form of the dialect has an end record.
                recap.usage.complete = None;
            }
            raw.total.usage.complete = None;
            stored.total.usage.complete = None;
            assert_eq!(raw.to_json(), stored.to_json(), "{}", case.display());
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} fixtures");
}

#[test]
fn every_format_prints_what_is_expected() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    for case in folders(&fixtures().join("summarize")) {
        let listed = fs::read_to_string(case.join("files")).ok();
        let files: Vec<PathBuf> = match &listed {
            Some(files) => files.lines().map(|file| fixtures().join(file)).collect(),
            None => vec![case.join("input.jsonl")],
        };
        for (format, name) in
            [("text", "expected.txt"), ("json", "expected.json"), ("markdown", "expected.md")]
        {
            let run = cargo_bin_cmd!("agentnorm")
                .args(["summarize", "--format", format])
                .args(&files)
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
