//! Several recordings of Claude Code in one stream: appended, or interleaved line by line. The last total
//! is the sum of the single ones, and what belongs to one session does not reach into another.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "this is a test"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use agentnorm::{Normalizer, Options, Protocol};
use serde_json::{Value, json};

const COUNTERS: [&str; 4] =
    ["inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens"];

struct Recording {
    name: String,
    lines: Vec<String>,
    sessions: BTreeSet<String>,
    total: [u64; 4],
}

/// The types and payloads of the events, and the session of each.
fn events(lines: &[String]) -> Vec<(String, Value)> {
    let mut events = Vec::new();
    let mut normalizer = Normalizer::new(Options::new(Protocol::ClaudeStream).deltas(false));
    let mut sink = |line: agentnorm::Sourced<'_>| {
        events.extend(line.events().map(|(kind, payload)| {
            (kind.name().to_owned(), serde_json::from_slice::<Value>(payload).unwrap())
        }));
    };
    for line in lines {
        normalizer.push(line.as_bytes(), &mut sink);
        normalizer.push(b"\n", &mut sink);
    }
    normalizer.finish(&mut sink);
    events
}

fn totals(lines: &[String]) -> Vec<[u64; 4]> {
    let events = events(lines);
    let totals = events.iter().filter(|(kind, p)| kind == "usage" && p["scope"] == "session");
    totals.map(|(_, p)| COUNTERS.map(|key| p[key].as_u64().unwrap_or_default())).collect()
}

/// The recordings of a version that state a total.
fn recordings(version: &str) -> Vec<Recording> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude-stream");
    let mut found = Vec::new();
    for case in fs::read_dir(fixtures).unwrap().map(|case| case.unwrap().path()) {
        let name = case.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with(version) || case.join("args").exists() {
            continue;
        }
        let text = fs::read_to_string(case.join("input.jsonl")).unwrap();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let records = lines.iter().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let sessions =
            records.filter_map(|record| Some(record["session_id"].as_str()?.to_owned())).collect();
        if let Some(total) = totals(&lines).last().copied() {
            found.push(Recording { name, lines, sessions, total });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(found.len() > 5, "{version}");
    found
}

#[test]
fn the_total_of_several_runs_in_one_stream_is_their_sum() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut mixed = 0;
    for version in ["2.1.197", "2.1.332"] {
        let recordings = recordings(version);
        for _ in 0..12 {
            let picked = random.choose_multiple(&recordings, 3);
            let ids: usize = picked.iter().map(|r| r.sessions.len()).sum();
            let distinct: BTreeSet<_> = picked.iter().flat_map(|r| &r.sessions).collect();
            if distinct.len() != ids {
                continue;
            }
            let appended: Vec<String> = picked.iter().flat_map(|r| r.lines.clone()).collect();
            let mut queues: Vec<_> = picked.iter().map(|r| r.lines.iter()).collect();
            let mut interleaved = Vec::new();
            while !queues.is_empty() {
                let at = random.usize(..queues.len());
                match queues[at].next() {
                    Some(line) => interleaved.push(line.clone()),
                    None => drop(queues.swap_remove(at)),
                }
            }
            let names: Vec<_> = picked.iter().map(|r| r.name.as_str()).collect();
            let want: [u64; 4] = std::array::from_fn(|at| picked.iter().map(|r| r.total[at]).sum());
            for (how, lines) in [("appended", appended), ("interleaved", interleaved)] {
                let totals = totals(&lines);
                assert_eq!(totals.last(), Some(&want), "{how}: {names:?}");
                let falls = totals.windows(2).any(|two| (0..4).any(|at| two[1][at] < two[0][at]));
                assert!(!falls, "{how}: {names:?}");
            }
            mixed += 1;
        }
    }
    assert!(mixed > 12, "{mixed}");
}

fn lines(records: &[Value]) -> Vec<String> {
    records.iter().map(Value::to_string).collect()
}

fn result(session: &str, models: &Value) -> Value {
    json!({"type": "result", "subtype": "success", "is_error": false, "session_id": session,
        "num_turns": 1, "modelUsage": models})
}

#[test]
fn a_total_neither_falls_nor_becomes_null() {
    let model = |input: u64| json!({"inputTokens": input, "outputTokens": 1});
    let many: serde_json::Map<String, Value> =
        (0..64).map(|n| (format!("model-{n}"), model(1000))).collect();
    let mut more = many.clone();
    more.insert("late".to_owned(), model(5));
    let two = lines(&[result("s", &many.into()), result("s", &more.into())]);
    let totals = totals(&two);
    assert_eq!(totals.iter().map(|total| total[0]).collect::<Vec<_>>(), [64_000, 64_005]);
    // A figure that is missing is what it was.
    let some = json!({"m": {"inputTokens": 3, "outputTokens": 2}});
    let less = json!({"m": {"inputTokens": 4}});
    let events = events(&lines(&[result("s", &some), result("s", &less)]));
    let last = events.iter().rfind(|(kind, _)| kind == "usage").unwrap();
    assert_eq!([&last.1["inputTokens"], &last.1["outputTokens"]], [4, 2]);
}

#[test]
fn what_is_of_one_session_does_not_reach_into_another() {
    let init = |session: &str| {
        json!({"type": "system", "subtype": "init", "session_id": session, "tools": [],
            "claude_code_version": "2.1.332", "model": "claude-opus-5-5"})
    };
    let task = |session: &str, id: &str| json!({"type": "system", "subtype": "task_started", "session_id": session, "task_id": id});
    let events = events(&lines(&[
        init("s1"),
        json!({"type": "rate_limit_event", "session_id": "s1",
            "rate_limit_info": {"status": "rejected", "rateLimitType": "five_hour"}}),
        task("s1", "t1"),
        init("s2"),
        json!({"type": "assistant", "session_id": "s2", "error": "rate_limit",
            "message": {"id": "m", "model": "<synthetic>", "content": []}}),
        task("s2", "t2"),
    ]));
    let limits = events.iter().filter(|(_, p)| p["code"] == "rate_limit").count();
    assert_eq!(limits, 2, "{events:?}");
    let (_, running) = events.last().unwrap();
    assert_eq!(running["tasks"].as_array().unwrap().len(), 1, "{running}");
}

#[test]
fn what_is_told_of_tasks_is_bounded() {
    let long = "x".repeat(100_000);
    let task = |n: usize| {
        json!({"type": "system", "subtype": "task_started", "session_id": "s",
            "task_id": format!("t{n}"), "description": long, "tool_use_id": format!("c{n}")})
    };
    let records: Vec<Value> = (0..300).map(task).collect();
    let (_, last) = events(&lines(&records)).pop().unwrap();
    let told = last.to_string().len();
    assert!(last["tasks"].as_array().unwrap().len() > 10);
    assert!(told < 100_000, "{told}");
    let todos = json!({"todos": (0..1000).map(|n| json!({"content": long[..10_000], "status": "pending", "id": n}))
        .collect::<Vec<_>>()});
    let call = json!({"type": "assistant", "session_id": "s", "message": {"id": "m", "content": [
        {"type": "tool_use", "id": "t", "name": "TodoWrite", "input": todos}]}});
    let events = events(&lines(&[call]));
    let plan = events.iter().find(|(kind, _)| kind == "plan").unwrap();
    assert!(plan.1.to_string().len() < 200_000);
}
