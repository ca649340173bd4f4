//! Session files beside the streams of the same runs: `fixtures/<protocol>/<case>/input.jsonl` is a
//! session's file, `stream.jsonl` beside it what the run printed. Both must tell the same messages,
//! reasoning, calls, results and spending, but for what [`DIFFERENCES`] names.
//!
//! A new pair needs no row, only the two files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use agentnorm::{Normalizer, Options, Protocol};
use serde_json::Value;

/// What of a run is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// What the assistant said.
    Messages,
    Thinking,
    Calls,
    Results,
    /// By the larger of the calls' sum and the total, each counter for itself.
    Input,
    Output,
}

/// Where file and stream of a run are not alike, and why. A row of a whole protocol says that they may
/// differ: its streams state less.
const DIFFERENCES: &[(&str, Part, &str)] = &[
    (
        "claude-json/file-1.0.128-compact",
        Part::Output,
        "the stream counts helper calls that no file has",
    ),
    (
        "claude-json/file-1.0.128-compact",
        Part::Input,
        "the stream counts helper calls that no file has",
    ),
    (
        "claude-json/file-1.0.128-plan",
        Part::Output,
        "the file has the count when the line was written",
    ),
    (
        "claude-json/file-1.0.128-plan",
        Part::Input,
        "the stream counts helper calls that no file has",
    ),
    (
        "claude-json/file-1.0.128-subagent",
        Part::Output,
        "the stream counts helper calls that no file has",
    ),
    (
        "claude-json/file-1.0.128-subagent",
        Part::Input,
        "the stream counts helper calls that no file has",
    ),
    ("claude-json/file-1.0.128-subagent", Part::Messages, "a subagent's text is not printed"),
    (
        "claude-json/file-2.0.76-edit",
        Part::Input,
        "the stream counts helper calls that no file has",
    ),
    (
        "claude-json/file-2.0.76-edit",
        Part::Output,
        "the stream counts helper calls that no file has",
    ),
    (
        "claude-json/file-2.0.76-refused",
        Part::Input,
        "the stream counts helper calls that no file has",
    ),
    (
        "claude-json/file-2.0.76-refused",
        Part::Output,
        "the stream counts helper calls that no file has",
    ),
    ("claude-json/file-2.1.197-clear", Part::Messages, "the second session has a file of its own"),
    ("claude-json/file-2.1.197-clear", Part::Input, "the second session has a file of its own"),
    ("claude-json/file-2.1.197-clear", Part::Output, "the second session has a file of its own"),
    ("claude-json/file-2.1.332-subagent", Part::Calls, "the subagent has a file of its own"),
    ("claude-json/file-2.1.332-subagent", Part::Results, "the subagent has a file of its own"),
    (
        "codex/file-0.150-interrupted-tool",
        Part::Results,
        "the end of an interrupted call is not printed",
    ),
    ("codex/file-0.150-interrupted-tool", Part::Input, "an interrupted run prints no total"),
    ("codex/file-0.150-interrupted-tool", Part::Output, "an interrupted run prints no total"),
    ("codex/file-0.20-fail", Part::Input, "the oldest files hold no tokens"),
    ("codex/file-0.20-fail", Part::Output, "the oldest files hold no tokens"),
    (
        "codex/file-0.80-interrupted-tool",
        Part::Results,
        "the end of an interrupted call is not printed",
    ),
    ("codex/file-0.80-interrupted-tool", Part::Input, "an interrupted run prints no total"),
    ("codex/file-0.80-interrupted-tool", Part::Output, "an interrupted run prints no total"),
    ("gemini/file-0.30-edit", Part::Calls, "the file has the whole path of an edited file"),
    ("gemini/file-0.30-edit", Part::Input, "the tokens of joined replies are lost"),
    ("gemini/file-0.30-edit", Part::Output, "the tokens of joined replies are lost"),
    ("gemini/file-0.30-thinking", Part::Thinking, "thoughts are not printed"),
    ("gemini/file-0.61-thinking", Part::Thinking, "thoughts are not printed"),
    (
        "gemini/file-0.61-killed",
        Part::Calls,
        "a call that runs when the process ends is not in the file",
    ),
    ("gemini/file-0.61-killed", Part::Input, "a killed run prints no total"),
    ("gemini/file-0.61-killed", Part::Output, "a killed run prints no total"),
    ("qwen/file-0.24.4-late", Part::Messages, "the stream prints the error as a text"),
    ("copilot/file-1.0.102-denied", Part::Input, "the stream states no tokens"),
    ("copilot/file-1.0.102-denied", Part::Output, "the stream states no tokens"),
    ("copilot/file-1.0.102-edit", Part::Input, "the stream states no tokens"),
    ("copilot/file-1.0.102-edit", Part::Output, "the stream states no tokens"),
    ("copilot/file-1.0.102-o-subagent", Part::Input, "the stream states no tokens"),
    ("copilot/file-1.0.102-o-subagent", Part::Output, "the stream states no tokens"),
    ("copilot/file-1.0.102-terminated", Part::Input, "the stream states no tokens"),
    ("copilot/file-1.0.102-terminated", Part::Output, "the stream states no tokens"),
    ("droid/file-0.225.2-d-subagent", Part::Input, "a file beside it states the usage"),
    ("droid/file-0.225.2-d-subagent", Part::Output, "a file beside it states the usage"),
    ("droid/file-0.225.2-edit", Part::Input, "a file beside it states the usage"),
    ("droid/file-0.225.2-edit", Part::Output, "a file beside it states the usage"),
    ("droid/file-0.225.2-fail", Part::Input, "a file beside it states the usage"),
    ("droid/file-0.225.2-fail", Part::Output, "a file beside it states the usage"),
    ("droid/file-0.225.2-parallel", Part::Input, "a file beside it states the usage"),
    ("droid/file-0.225.2-parallel", Part::Output, "a file beside it states the usage"),
    ("droid/file-0.225.2-plan", Part::Input, "a file beside it states the usage"),
    ("droid/file-0.225.2-plan", Part::Output, "a file beside it states the usage"),
    ("opencode/file-1.0.185-parallel", Part::Calls, "calls are printed as they end"),
    ("opencode/file-1.18.33-edit", Part::Calls, "calls are printed as they end"),
    ("opencode/file-1.0.185-plan", Part::Calls, "calls whose arguments were wrong are not printed"),
    (
        "opencode/file-1.0.185-plan",
        Part::Results,
        "calls whose arguments were wrong are not printed",
    ),
    ("opencode/file-1.18.33-killed", Part::Calls, "a running call is not printed"),
    ("cline/file-3.0-auth", Part::Messages, "the stream states the error in its end alone"),
    ("kimi/", Part::Input, "the stream states no usage"),
    ("kimi/", Part::Output, "the stream states no usage"),
    ("kimi/file-2.1-fail", Part::Results, "the stream does not say that a call failed"),
    ("kimi/file-2.1-thinking", Part::Thinking, "the stream leaves reasoning out"),
    ("openhands/", Part::Input, "the stream states no usage"),
    ("openhands/", Part::Output, "the stream states no usage"),
    ("vibe/file-3.0-edit", Part::Calls, "the file has the arguments of the tool itself"),
];

#[derive(Debug, Default)]
struct Run {
    messages: Vec<String>,
    thinking: Vec<String>,
    calls: Vec<(String, String, String)>,
    results: BTreeSet<(String, bool)>,
    spent: [u64; 4],
}

const COUNTERS: [&str; 4] =
    ["inputTokens", "cacheReadTokens", "cacheCreationTokens", "outputTokens"];

/// How the calls of file and stream are known again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// By id, name and arguments.
    Whole,
    /// By what they do: the stream has names and ids of its own, and does not print every call.
    Act,
}

impl Known {
    fn of(id: &str) -> Self {
        if id.starts_with("codex/") { Known::Act } else { Known::Whole }
    }
}

fn read(path: &Path, known: Known) -> Run {
    let mut acts = BTreeMap::new();
    let mut run = Run::default();
    let (mut sum, mut total) = ([0; 4], [0; 4]);
    let text = |payload: &Value, key: &str| payload[key].as_str().unwrap_or_default().to_owned();
    let mut normalizer = Normalizer::new(Options::new(Protocol::Auto));
    let mut sink = |line: agentnorm::Sourced<'_>| {
        for (kind, payload) in line.events() {
            let payload: Value = serde_json::from_slice(payload).unwrap();
            match kind.name() {
                "message" if payload["role"] == "assistant" => {
                    run.messages.push(text(&payload, "text"));
                }
                "thinking" => run.thinking.push(text(&payload, "text")),
                "tool.call" if known == Known::Act => {
                    // A patch is told by names in the one, by paths in the other.
                    let act = text(&payload, "kind");
                    let target =
                        if act == "execute" { text(&payload, "target") } else { act.clone() };
                    if matches!(&*act, "execute" | "edit" | "fetch" | "agent") {
                        acts.insert(text(&payload, "callId"), target.clone());
                        run.calls.push((String::new(), act, target));
                    }
                }
                "tool.result" if known == Known::Act => {
                    let failed = payload["isError"].as_bool().unwrap();
                    if let Some(target) = acts.remove(&text(&payload, "callId")) {
                        run.results.insert((target, failed));
                    }
                }
                "tool.call" => run.calls.push((
                    text(&payload, "callId"),
                    text(&payload, "name"),
                    text(&payload, "input"),
                )),
                "tool.result" => {
                    let failed = payload["isError"].as_bool().unwrap();
                    run.results.insert((text(&payload, "callId"), failed));
                }
                "usage" => {
                    let counts = COUNTERS.map(|key| payload[key].as_u64().unwrap_or_default());
                    if payload["scope"] == "call" {
                        sum = std::array::from_fn(|at| sum[at] + counts[at]);
                    } else {
                        total = counts;
                    }
                }
                _ => {}
            }
        }
    };
    normalizer.push(&fs::read(path).unwrap(), &mut sink);
    normalizer.finish(&mut sink);
    run.spent = std::array::from_fn(|at| sum[at].max(total[at]));
    run
}

fn pairs() -> Vec<(String, PathBuf)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let folders = |dir: &Path| -> Vec<PathBuf> {
        let mut all: Vec<_> =
            fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        all.retain(|path| path.is_dir());
        all.sort();
        all
    };
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let mut found = Vec::new();
    for protocol in folders(&fixtures) {
        for case in folders(&protocol) {
            if case.join("stream.jsonl").is_file() {
                found.push((format!("{}/{}", name(&protocol), name(&case)), case));
            }
        }
    }
    found
}

#[test]
fn file_and_stream_of_a_run_tell_the_same() {
    let mut wrong = Vec::new();
    let pairs = pairs();
    assert!(pairs.len() >= 10, "the pairs are gone");
    for (id, dir) in &pairs {
        let file = read(&dir.join("input.jsonl"), Known::of(id));
        let stream = read(&dir.join("stream.jsonl"), Known::of(id));
        let mut compare = |part: Part, same: bool, what: String| {
            let known = DIFFERENCES.iter().any(|row| row.0 == id && row.1 == part);
            let may = |row: &&(&str, Part, &str)| row.0.ends_with('/') && id.starts_with(row.0);
            let may = DIFFERENCES.iter().filter(may).any(|row| row.1 == part);
            let as_said = same != known || (may && !same);
            if !as_said {
                let word =
                    if known { "is alike, and the table says that it is not" } else { &what };
                wrong.push(format!("{id}, {part:?}: {word}"));
            }
        };
        let both = |a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| format!("{a:?}, not {b:?}");
        let (a, b) = (&file, &stream);
        compare(Part::Messages, a.messages == b.messages, both(&a.messages, &b.messages));
        compare(Part::Thinking, a.thinking == b.thinking, both(&a.thinking, &b.thinking));
        compare(Part::Calls, a.calls == b.calls, both(&a.calls, &b.calls));
        compare(Part::Results, a.results == b.results, both(&a.results, &b.results));
        compare(Part::Input, a.spent[..3] == b.spent[..3], both(&a.spent, &b.spent));
        compare(Part::Output, a.spent[3] == b.spent[3], both(&a.spent, &b.spent));
    }
    for (id, part, _) in DIFFERENCES {
        let of = |(pair, _): &(String, PathBuf)| {
            pair == id || (id.ends_with('/') && pair.starts_with(id))
        };
        assert!(pairs.iter().any(of), "{id}, {part:?}: there is no such pair");
    }
    assert!(wrong.is_empty(), "file, not stream:\n{}", wrong.join("\n"));
}

/// Makes an empty folder.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("session-files").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Reads a file as a command does that is given its path: what its name and the file beside it say counts.
fn payloads(path: &Path) -> Vec<Value> {
    let mut payloads = Vec::new();
    let mut normalizer = Normalizer::new(Options::new(Protocol::Auto));
    normalizer.begin_file(path);
    let mut sink = |line: agentnorm::Sourced<'_>| {
        payloads.extend(line.events().map(|(kind, payload)| {
            let mut payload: Value = serde_json::from_slice(payload).unwrap();
            payload["type"] = kind.name().into();
            payload
        }));
    };
    normalizer.push(&fs::read(path).unwrap(), &mut sink);
    normalizer.finish(&mut sink);
    payloads
}

#[test]
fn the_file_beside_a_subagent_s_names_its_call() {
    for (case, call) in [
        ("claude-json/file-2.1.332-subagent-own", "toolu_01MOCK000000000000000003"),
        ("qwen/file-0.24.4-subagent", "call_01_00"),
    ] {
        let dir = scratch("beside");
        let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(case);
        let file = dir.join("agent-a1.jsonl");
        fs::copy(case.join("input.jsonl"), &file).unwrap();
        let spoken = |payloads: &[Value]| -> Vec<(Value, Value)> {
            let of = |payload: &&Value| payload["type"] == "usage" || payload["type"] == "message";
            let ids = |p: &Value| (p["parentCallId"].clone(), p["contextTokens"].clone());
            payloads.iter().filter(of).map(ids).collect()
        };
        let alone = spoken(&payloads(&file));
        assert!(alone.len() > 3);
        assert!(
            alone.iter().all(|(call, context)| call.is_null() && context.is_null()),
            "{alone:?}"
        );
        fs::copy(case.join("beside.json"), dir.join("agent-a1.meta.json")).unwrap();
        let beside = spoken(&payloads(&file));
        assert_eq!(beside.len(), alone.len());
        assert!(beside.iter().all(|(named, _)| named == call), "{beside:?}");
        assert!(beside.iter().any(|(_, context)| context.is_u64()), "{beside:?}");
    }
}

#[test]
fn a_file_s_name_says_which_session_goes_on_under_two_ids() {
    let dir = scratch("named");
    let case = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/claude-json/plan-carried-into-a-new-session/input.jsonl");
    let starts = |name: &str| -> Vec<Value> {
        let file = dir.join(name);
        fs::copy(&case, &file).unwrap();
        let payloads = payloads(&file);
        let starts = payloads.iter().filter(|payload| payload["type"] == "session.started");
        starts.map(|payload| payload["sessionId"].clone()).collect()
    };
    let named = "5f0c1a52-0000-4000-8000-000000000001";
    assert_eq!(starts(&format!("{named}.jsonl")), [named]);
    assert_eq!(starts("copy.jsonl"), ["5f0c1a52-0000-4000-8000-0000000000aa"]);
}

/// Where a harness keeps apart what names a session: the file, the path that it has in the harness's home,
/// the file beside it, and what comes of it.
#[test]
fn a_file_beside_the_session_s_names_it() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let chunk = format!("vibe/chunks/{}.json", "3c262af2".repeat(8));
    let openhands = r#"{"id":"s3","execution_status":"finished","workspace":{"working_dir":"/w"},"stats":{"usage_to_metrics":{"agent":{"model_name":"m"}}}}"#;
    let vibe = r#"{"session_id":"s2","title":"A name","environment":{"working_directory":"/w"},"config":{"model_name":"m"}}"#;
    let own = "00000000-0000-4000-8000-000000000001";
    for (case, path, beside, text, id, model) in [
        (
            "kimi/file-2.1-edit",
            "kimi/agents/main/wire.jsonl",
            "kimi/state.json",
            r#"{"id":"s1"}"#,
            "s1",
            None,
        ),
        ("vibe/file-3.0-edit", chunk.as_str(), "vibe/meta.json", vibe, own, Some("m")),
        (
            "openhands/1.16-text",
            "openhands/events/event-00001-a.json",
            "openhands/base_state.json",
            openhands,
            "s3",
            Some("m"),
        ),
    ] {
        let dir = scratch("named-beside");
        let file = dir.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::copy(fixtures.join(case).join("input.jsonl"), &file).unwrap();
        let start = |at: &Path| {
            let all = payloads(at);
            all.into_iter().find(|payload| payload["type"] == "session.started").unwrap()
        };
        assert_ne!(start(&file)["cwd"], "/w", "{case}");
        fs::write(dir.join(beside), text).unwrap();
        let start = start(&file);
        assert_eq!(start["sessionId"], id, "{case}");
        assert_eq!(start["model"].as_str(), model, "{case}");
    }
}

#[test]
fn the_file_beside_droid_s_states_what_was_spent() {
    let dir = scratch("droid");
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/droid/file-0.225.2-edit");
    let file = dir.join("00000000-0000-4000-8000-000000000001.jsonl");
    fs::copy(case.join("input.jsonl"), &file).unwrap();
    let of = |payloads: &[Value], key: &str| -> Vec<Value> {
        let keyed = payloads.iter().filter(|payload| payload.get(key).is_some());
        keyed.map(|payload| payload[key].clone()).collect()
    };
    let alone = payloads(&file);
    // Who reads no file beside it learns of the model from the first answer.
    assert_eq!(of(&alone, "harness").len(), 2);
    assert!(of(&alone, "scope").is_empty());
    let events = agentnorm::read(fs::File::open(&file).unwrap(), Options::new(Protocol::Auto));
    let events: Vec<_> = events.map(|event| event.unwrap().event).collect();
    let usage = agentnorm::summarize_usage(&events);
    assert_eq!(usage.complete, Some(true), "the second start is of the same run");
    fs::copy(case.join("beside.json"), file.with_extension("settings.json")).unwrap();
    let beside = payloads(&file);
    assert_eq!(of(&beside, "harness").len(), 1);
    assert_eq!(of(&beside, "scope"), ["session"]);
    let total = beside.iter().find(|payload| payload["scope"] == "session").unwrap();
    let counters = COUNTERS.map(|key| total[key].as_u64().unwrap());
    assert_eq!(counters, [700, 4800, 0, 121]);
}

/// Whether what was read is a form of its dialect that has an end record.
fn has_end(path: &Path) -> bool {
    let mut normalizer = Normalizer::new(Options::new(Protocol::Auto));
    normalizer.push(&fs::read(path).unwrap(), &mut |_| {});
    normalizer.has_end()
}

#[test]
fn a_stream_is_no_file_and_a_file_no_stream() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let (mut files, mut streams) = (0, 0);
    for protocol in ["claude-json", "claude-stream", "pi"] {
        for case in fs::read_dir(fixtures.join(protocol)).unwrap().map(|case| case.unwrap().path())
        {
            let name = case.file_name().unwrap().to_str().unwrap();
            if name.starts_with("file-") {
                files += 1;
                assert!(!has_end(&case.join("input.jsonl")), "{name}");
            } else if name.starts_with(|c: char| c.is_ascii_digit()) {
                streams += 1;
                assert!(has_end(&case.join("input.jsonl")), "{name}");
            }
        }
    }
    assert!(files > 20 && streams > 100, "{files} files, {streams} streams");
}
