//! Which events belong to a session, and what it did.

use std::fs;

use agentnorm::Protocol;
use agentnorm::Verdict;
use agentnorm::summary::Summary;
use serde_json::{Value, json};

use super::support::{
    call, end, fixtures, folders, recap, recap_of, runs, since, start, stored, tokens, total,
};

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
                if recap.outcome.is_none() {
                    recap.verdict = Verdict::default();
                }
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
fn a_fork_spent_what_its_total_has_beyond_its_parent_s() {
    for case in ["file-0.129-fork", "file-0.150-fork", "fork-whose-turns-have-no-start-time"] {
        let file = fixtures().join("codex").join(case);
        let stream = fs::read(file.join("input.jsonl")).unwrap();
        let recap = recap_of(&[&stream], Protocol::Auto, false).to_json();
        let (usage, calls) = (&recap["total"]["usage"], &recap["total"]["calls"]);
        for counter in ["inputTokens", "outputTokens", "cacheReadTokens"] {
            assert!(calls[counter].as_u64().unwrap() > 0, "{case}");
            assert_eq!(usage[counter], calls[counter], "{case}, {counter}");
        }
    }
}
