//! Archives: recordings that are appended, in any order, split, or mixed line by line. The total is the
//! sum of the single files, and each session's figures are those of its own file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use agentnorm::Protocol;
use agentnorm::summary::{Figures, Recap, Summary};

use super::support::{fixtures, folders, recap_of};

struct Recording {
    name: String,
    lines: Vec<String>,
    sessions: BTreeMap<String, Spent>,
}

/// What a session spent, and how it ended.
#[derive(Debug, Clone, PartialEq)]
struct Spent {
    tokens: Figures,
    cost: f64,
    turns: u64,
    duration: u64,
    tools: u64,
    outcome: Option<bool>,
}

impl Spent {
    fn of(recap: &Recap) -> Self {
        let mut tokens = recap.usage.figures;
        // In one stream a counter that one version does not state is carried on from another one.
        tokens.cache_creation_tokens.get_or_insert_default();
        tokens.reasoning_tokens.get_or_insert_default();
        let cost = (tokens.cost_usd.take().unwrap_or_default() * 1e8).round();
        Self {
            tokens,
            cost,
            turns: recap.usage.turns.unwrap_or_default(),
            duration: recap.usage.duration_ms.unwrap_or_default(),
            tools: recap.tally.tools.values().map(|tool| tool.calls).sum(),
            outcome: recap.outcome.as_ref().map(|end| end.succeeded),
        }
    }
}

fn by_session(summary: &Summary) -> BTreeMap<String, Spent> {
    let session = |recap: &Recap| Some((recap.session_id.clone()?, Spent::of(recap)));
    summary.sessions.iter().filter_map(session).collect()
}

fn summary(streams: &[String]) -> Summary {
    let streams: Vec<&[u8]> = streams.iter().map(String::as_bytes).collect();
    recap_of(&streams, Protocol::Auto, false)
}

/// The recordings of a dialect that name their sessions and can be detected.
fn recordings(protocol: &str, version: &str) -> Vec<Recording> {
    let mut found = Vec::new();
    for case in folders(&fixtures().join(protocol)) {
        let name = case.file_name().unwrap().to_str().unwrap().to_owned();
        let skip = ["args", "not-auto"].iter().any(|file| case.join(file).exists());
        if skip || !name.starts_with(version) {
            continue;
        }
        let Ok(text) = fs::read_to_string(case.join("input.jsonl")) else { continue };
        // The recorded server numbered its messages anew for each run; real ids are unique.
        let text = text.replace("msg_01MOCK", &format!("msg_{:04}", found.len()));
        let whole = summary(std::slice::from_ref(&text));
        let sessions = by_session(&whole);
        if !sessions.is_empty() && sessions.len() == whole.sessions.len() {
            let lines = text.lines().map(|line| format!("{line}\n")).collect();
            found.push(Recording { name, lines, sessions });
        }
    }
    found
}

/// Picks some of the recordings, no session twice.
fn pick<'r>(random: &mut fastrand::Rng, from: &'r [Recording]) -> Vec<&'r Recording> {
    let mut seen = BTreeSet::new();
    let mut picked = random.choose_multiple(from, 4);
    picked.retain(|one| one.sessions.keys().all(|id| seen.insert(id)));
    picked
}

fn check(streams: &[String], picked: &[&Recording], how: &str) {
    let summary = summary(streams);
    let names: Vec<_> = picked.iter().map(|one| one.name.as_str()).collect();
    let mut want = BTreeMap::new();
    for one in picked {
        want.extend(one.sessions.clone());
    }
    assert_eq!(by_session(&summary), want, "{how}: {names:?}");
    let sum = |read: fn(&Figures) -> Option<u64>| -> u64 {
        want.values().filter_map(|spent| read(&spent.tokens)).sum()
    };
    let total = &summary.total.usage.figures;
    assert_eq!(total.input_tokens.unwrap_or_default(), sum(|f| f.input_tokens), "{how}: {names:?}");
    assert_eq!(
        total.output_tokens.unwrap_or_default(),
        sum(|f| f.output_tokens),
        "{how}: {names:?}"
    );
}

/// Mixes streams line by line; each one's own lines stay in order.
fn mixed(random: &mut fastrand::Rng, streams: &[Vec<String>]) -> String {
    let mut queues: Vec<_> = streams.iter().map(|lines| lines.iter()).collect();
    let mut text = String::new();
    while !queues.is_empty() {
        let at = random.usize(..queues.len());
        match queues[at].next() {
            Some(line) => text.push_str(line),
            None => drop(queues.swap_remove(at)),
        }
    }
    text
}

fn stored(stream: &str) -> Vec<String> {
    let mut events = Vec::new();
    let options = agentnorm::Options::new(Protocol::Auto);
    let mut filter = agentnorm::Normalizer::new(options);
    let mut sink = |line: agentnorm::Sourced<'_>| {
        for event in line.to_events() {
            events.push(format!("{}\n", serde_json::to_string(&event).unwrap()));
        }
    };
    filter.push(stream.as_bytes(), &mut sink);
    filter.finish(&mut sink);
    events
}

/// Every line of these names its session, or a session lasts to the next one's start.
const DIALECTS: &[(&str, &str, bool)] = &[
    ("claude-stream", "2.1.332", true),
    ("claude-stream", "2.1.197", true),
    ("codex", "0.", false),
    ("gemini", "0.", false),
    ("qwen", "0.", true),
    ("droid", "0.", true),
    ("opencode", "1.", true),
];

#[test]
fn archives_add_up() {
    let mut random = fastrand::Rng::with_seed(11);
    for (protocol, version, is_named) in DIALECTS {
        let all = recordings(protocol, version);
        assert!(all.len() > 3, "{protocol} {version}: {}", all.len());
        for _ in 0..10 {
            let picked = pick(&mut random, &all);
            let mut streams: Vec<Vec<String>> = picked.iter().map(|r| r.lines.clone()).collect();
            random.shuffle(&mut streams);
            let apart: Vec<String> = streams.iter().map(|lines| lines.concat()).collect();
            check(&apart, &picked, &format!("{protocol}: files"));
            check(&[apart.concat()], &picked, &format!("{protocol}: appended"));
            let events: Vec<Vec<String>> = apart.iter().map(|stream| stored(stream)).collect();
            check(&[events.concat().concat()], &picked, &format!("{protocol}: stored"));
            if *is_named {
                let text = mixed(&mut random, &streams);
                check(&[text], &picked, &format!("{protocol}: mixed"));
            }
            // Which process went on with another session, stored events that are mixed do not tell.
            if picked.iter().all(|one| one.sessions.len() == 1) {
                let text = mixed(&mut random, &events);
                check(&[text], &picked, &format!("{protocol}: stored, mixed"));
            }
        }
    }
}

#[test]
fn a_log_that_was_cut_in_two_reads_like_one() {
    let mut random = fastrand::Rng::with_seed(12);
    for (protocol, version, is_named) in DIALECTS {
        if !is_named {
            continue;
        }
        for one in recordings(protocol, version) {
            if one.sessions.len() != 1 || one.lines.len() < 2 {
                continue;
            }
            let cut = random.usize(1..one.lines.len());
            let (head, tail) = one.lines.split_at(cut);
            let spent = by_session(&summary(&[head.concat(), tail.concat()]));
            let figures = |spent: &BTreeMap<String, Spent>| {
                spent.iter().map(|(id, s)| (id.clone(), s.tokens, s.cost)).collect::<Vec<_>>()
            };
            assert_eq!(figures(&spent), figures(&one.sessions), "{protocol}/{} at {cut}", one.name);
        }
    }
}

#[test]
fn a_copy_of_a_stream_counts_once() {
    for (protocol, version, _) in DIALECTS {
        for one in recordings(protocol, version) {
            let text = one.lines.concat();
            if !stored(&text)
                .iter()
                .any(|event| event.contains("\"messageId\"") && event.contains("\"call\""))
            {
                continue;
            }
            check(&[text.clone(), text], &[&one], &format!("{protocol}: twice"));
        }
    }
}

fn input(name: &str) -> String {
    fs::read_to_string(fixtures().join(name).join("input.jsonl")).unwrap()
}

/// Three processes of a session and its fork, whose totals go on from one to the next.
#[test]
fn resumed_and_forked_runs_add_up_in_any_order() {
    let names = ["resume-1", "resume-2", "resume-3-continue", "resume-4-fork"];
    let files = names.map(|name| input(&format!("claude-stream/2.1.332-{name}")));
    let mut random = fastrand::Rng::with_seed(13);
    for _ in 0..12 {
        let mut order = files.to_vec();
        random.shuffle(&mut order);
        let apart = summary(&order);
        let total = &apart.total.usage.figures;
        assert_eq!((total.input_tokens, total.output_tokens), (Some(100), Some(25)));
        assert_eq!(total.cost_usd, Some(0.001_616));
        let mut cost: Vec<_> = apart.sessions.iter().map(|s| s.usage.figures.cost_usd).collect();
        cost.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(cost, [Some(0.000_354), Some(0.001_262)]);
        let runs: u64 = apart.sessions.iter().map(|session| session.runs).sum();
        assert_eq!((apart.sessions.len(), runs), (2, 4));
    }
    // In one file the stream carries on, and the fork is what the total rose by.
    let total = summary(&[files.concat()]).total.usage.figures;
    assert_eq!((total.input_tokens, total.output_tokens), (Some(100), Some(25)));
    // Without its parent a fork's total stands as it is stated.
    let fork = summary(&files[3..]).total.usage.figures;
    assert_eq!(fork.input_tokens, Some(100));
}

#[test]
fn the_later_attempt_decides_the_outcome() {
    let run = |time: &str, status: &str, title: &str| {
        let record = |kind: &str, payload: serde_json::Value| {
            serde_json::json!({"type": kind, "payload": payload, "line": 1, "sessionId": "s", "time": time})
                .to_string()
                + "\n"
        };
        record("session.started", serde_json::json!({"harness": "demo", "sessionId": "s"}))
            + &record("session.title", serde_json::json!({"title": title}))
            + &record("session.ended", serde_json::json!({"status": status}))
    };
    let first = run("2026-01-02T00:00:00.000Z", "failed", "first");
    let second = run("2026-01-03T00:00:00.000Z", "succeeded", "second");
    for order in [[&first, &second], [&second, &first]] {
        let recap = summary(&order.map(String::clone)).sessions.remove(0);
        assert!(recap.outcome.unwrap().succeeded);
        assert_eq!((recap.title.as_deref(), recap.runs), (Some("second"), 2));
    }
}

#[test]
fn runs_of_two_harnesses_in_one_file_are_two_sessions() {
    let names = ["claude-stream/2.1.332-bash", "codex/0.171-tour", "gemini/0.61-shell"];
    let files = names.map(input);
    let mut random = fastrand::Rng::with_seed(14);
    for _ in 0..6 {
        let mut order = files.to_vec();
        random.shuffle(&mut order);
        let (apart, together) = (summary(&order), summary(&[order.concat()]));
        assert_eq!(by_session(&together), by_session(&apart));
        assert_eq!(together.sessions.len(), 3);
        let stored: String = order.iter().flat_map(|stream| stored(stream)).collect();
        assert_eq!(by_session(&summary(&[stored])), by_session(&apart));
    }
}
