//! What must hold for every recording of Claude Code, computed a second time with `serde_json`.

#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use agentnorm::{Normalizer, Options, Protocol, SourcedEvent, parse_lines};
use serde_json::{Value, json};

struct Recording {
    name: String,
    lines: Vec<Value>,
    events: Vec<SourcedEvent>,
}

/// The recordings among the fixtures, read by the library.
fn recordings() -> Vec<Recording> {
    let mut found = Vec::new();
    for protocol in [Protocol::ClaudeJson, Protocol::ClaudeStream] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(protocol.name());
        for case in fs::read_dir(folder).unwrap() {
            let case = case.unwrap();
            let name = case.file_name().into_string().unwrap();
            // serde_json refuses half a surrogate pair.
            let readable = !name.ends_with("-surrogate");
            if readable && name.starts_with(|first: char| first.is_ascii_digit()) {
                let input = fs::read(case.path().join("input.jsonl")).unwrap();
                let bytes: Vec<&[u8]> = input.split(|b| *b == b'\n').collect();
                let read = |line: &&[u8]| serde_json::from_slice::<Value>(line).ok();
                let lines = bytes.iter().filter_map(read).flat_map(|line| match line {
                    Value::Array(records) => records,
                    record => vec![record],
                });
                let lines = lines.collect();
                let events = parse_lines(protocol, bytes, usize::MAX);
                found.push(Recording { name, lines, events });
            }
        }
    }
    assert!(found.len() > 150, "the recordings are gone");
    found
}

impl Recording {
    fn lines(&self, kind: &str) -> impl DoubleEndedIterator<Item = &Value> {
        self.lines.iter().filter(move |line| line["type"] == kind)
    }

    fn payloads(&self, kind: &str) -> impl DoubleEndedIterator<Item = Value> {
        let events = self.events.iter().filter(move |e| e.event.name() == kind);
        events.map(|e| e.event.payload())
    }

    fn usage(&self, scope: &str) -> Vec<Value> {
        self.payloads("usage").filter(|usage| usage["scope"] == scope).collect()
    }
}

const COUNTS: [&str; 4] = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens"];

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

#[test]
fn the_session_total_is_the_last_of_each_segment() {
    for recording in recordings() {
        let mut segments = vec![Vec::new()];
        for line in &recording.lines {
            if line["type"] == "conversation_reset" {
                segments.push(Vec::new());
            } else if line["type"] == "result" {
                segments.last_mut().unwrap().push(line);
            }
        }
        let mut sums = [0; 4];
        let mut cost = 0.0;
        let mut named = false;
        for results in &segments {
            let models = results.iter().rev().find_map(|result| {
                result["modelUsage"].as_object().filter(|models| !models.is_empty())
            });
            for model in models.into_iter().flat_map(|models| models.values()) {
                named = true;
                let keys = [
                    "inputTokens",
                    "outputTokens",
                    "cacheReadInputTokens",
                    "cacheCreationInputTokens",
                ];
                for (sum, key) in sums.iter_mut().zip(keys) {
                    *sum += count(&model[key]);
                }
            }
            let costs = results.iter().filter_map(|result| result["total_cost_usd"].as_f64());
            cost += costs.fold(0.0, f64::max);
        }
        let stated = recording.usage("session");
        let Some(last) = stated.last() else {
            assert_eq!(recording.lines("result").count(), 0, "{}", recording.name);
            continue;
        };
        if !named {
            sums = [0; 4];
        }
        let got = COUNTS.map(|key| count(&last[key]));
        assert_eq!(got, sums, "{}", recording.name);
        let got = last["costUsd"].as_f64().unwrap();
        assert!((got - cost).abs() < 1e-9, "{}: {got} for {cost}", recording.name);
    }
}

#[test]
fn a_session_total_never_falls() {
    for recording in recordings() {
        for pair in recording.usage("session").windows(2) {
            let [before, after] = pair else { unreachable!() };
            for key in COUNTS.iter().chain(&["turns", "durationMs"]) {
                assert!(count(&after[key]) >= count(&before[key]), "{}: {key}", recording.name);
            }
        }
    }
}

#[test]
fn the_calls_add_up_to_each_message_once() {
    for recording in recordings() {
        let mut calls = BTreeSet::new();
        let stream = |line: &Value| line["event"]["message"].clone();
        let messages = recording
            .lines("assistant")
            .filter(|line| line["error"].is_null())
            .map(|line| line["message"].clone())
            .chain(recording.lines("stream_event").map(stream));
        for message in messages.filter(|message| message["usage"].is_object()) {
            let keys = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
            let counts = keys.map(|key| count(&message["usage"][key]));
            calls.insert((message["id"].as_str().unwrap().to_owned(), counts));
        }
        let sum = |at: usize| calls.iter().map(|(_, counts)| counts[at]).sum::<u64>();
        let got =
            |key: &str| recording.usage("call").iter().map(|usage| count(&usage[key])).sum::<u64>();
        for (at, key) in
            ["inputTokens", "cacheReadTokens", "cacheCreationTokens"].iter().enumerate()
        {
            assert_eq!(got(key), sum(at), "{}: {key}", recording.name);
        }
    }
}

#[test]
fn the_last_end_says_what_the_last_result_says() {
    for recording in recordings() {
        let ends: Vec<Value> = recording.payloads("session.ended").collect();
        assert_eq!(ends.len(), recording.lines("result").count(), "{}", recording.name);
        let Some(result) = recording.lines("result").next_back() else { continue };
        let failed = result["is_error"] == true || result["subtype"] != "success";
        let status = if failed { "failed" } else { "succeeded" };
        assert_eq!(ends.last().unwrap()["status"], status, "{}", recording.name);
    }
}

#[test]
fn no_line_of_the_core_is_raw() {
    for recording in recordings() {
        for raw in recording.payloads("raw") {
            let [kind, subtype] = [&raw["json"]["type"], &raw["json"]["subtype"]];
            let core = ["assistant", "user", "result"].iter().any(|core| kind == core);
            assert!(!core && subtype != "init", "{}: {raw}", recording.name);
        }
    }
}

#[test]
fn the_pieces_of_a_text_make_the_whole() {
    let mut compared = 0;
    for recording in recordings() {
        // The pieces of each message and kind, by block.
        let mut open: BTreeMap<(String, String), BTreeMap<u64, String>> = BTreeMap::new();
        for event in &recording.events {
            let (kind, payload) = (event.event.name(), event.event.payload());
            let text = |key: &str| payload.get(key).and_then(Value::as_str).unwrap_or_default();
            let of = if kind == "delta" { text("of") } else { kind };
            let pieces = open.entry((text("messageId").to_owned(), of.to_owned())).or_default();
            match kind {
                "delta" => {
                    let block = pieces.entry(payload["index"].as_u64().unwrap()).or_default();
                    if payload.get("reset").is_some() {
                        block.clear();
                    }
                    block.push_str(text("text"));
                }
                "message" | "thinking" => {
                    if let Some((_, pieces)) = pieces.pop_first() {
                        assert_eq!(pieces, text("text"), "{}", recording.name);
                        compared += 1;
                    }
                }
                "tool.call" => {
                    if let Some((_, pieces)) = pieces.pop_first() {
                        let [pieces, whole] =
                            [&*pieces, text("input")].map(serde_json::from_str::<Value>);
                        assert_eq!(pieces.unwrap(), whole.unwrap(), "{}", recording.name);
                        compared += 1;
                    }
                }
                _ => {}
            }
        }
    }
    assert!(compared > 15, "{compared}");
}

/// An attempt that was given up starts its kinds of text again; a message behind the one that took its
/// place has nothing to do with it.
#[test]
fn what_was_given_up_is_started_again_once() {
    let event = |event: Value| json!({"type": "stream_event", "event": event, "session_id": "s"});
    let start = |id: &str| {
        event(json!({"type": "message_start", "message": {"id": id, "model": "m", "usage": {}}}))
    };
    let piece = |index: u64, of: &str, text: &str| {
        let delta = json!({"type": format!("{of}_delta"), of: text});
        event(json!({"type": "content_block_delta", "index": index, "delta": delta}))
    };
    let whole = |id: &str, block: Value| {
        let message = json!({"id": id, "role": "assistant", "model": "m", "content": [block]});
        json!({"type": "assistant", "message": message, "session_id": "s"})
    };
    let stop = event(json!({"type": "message_stop"}));
    let mut abandoned = stop.clone();
    abandoned["abandoned_blocks"] = json!([0]);
    let lines = [
        start("one"),
        piece(0, "text", "It is"),
        abandoned,
        start("two"),
        piece(0, "text", "It was"),
        whole("two", json!({"type": "text", "text": "It was"})),
        stop.clone(),
        start("three"),
        piece(0, "thinking", "Hm"),
        whole("three", json!({"type": "thinking", "thinking": "Hm"})),
        piece(1, "text", "So"),
        whole("three", json!({"type": "text", "text": "So"})),
        stop,
    ];
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let events =
        parse_lines(Protocol::ClaudeStream, lines.iter().map(String::as_bytes), usize::MAX);
    let deltas = events.iter().filter(|event| event.event.name() == "delta");
    let deltas: Vec<(Value, bool)> = deltas
        .map(|delta| {
            let payload = &delta.event.payload();
            (payload["text"].clone(), payload.get("reset").is_some())
        })
        .collect();
    let expected = [("It is", false), ("It was", true), ("Hm", false), ("So", false)];
    assert_eq!(deltas, expected.map(|(text, reset)| (json!(text), reset)));
}

#[test]
fn each_kind_of_text_that_was_given_up_is_started_again() {
    for (block, delta) in [
        (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": "x"})),
        (
            json!({"type": "thinking", "thinking": ""}),
            json!({"type": "thinking_delta", "thinking": "x"}),
        ),
        (
            json!({"type": "tool_use", "id": "t", "name": "n"}),
            json!({"type": "input_json_delta", "partial_json": "{"}),
        ),
    ] {
        let mut lines = Vec::new();
        for id in ["one", "two"] {
            let message = json!({"id": id, "model": "m", "usage": {}});
            for event in [
                json!({"type": "message_start", "message": message}),
                json!({"type": "content_block_start", "index": 0, "content_block": block}),
                json!({"type": "content_block_delta", "index": 0, "delta": delta}),
            ] {
                let line = json!({"type": "stream_event", "event": event, "session_id": "s"});
                lines.push(line.to_string());
            }
        }
        let events =
            parse_lines(Protocol::ClaudeStream, lines.iter().map(String::as_bytes), usize::MAX);
        let deltas = events.iter().filter(|event| event.event.name() == "delta");
        let resets: Vec<bool> =
            deltas.map(|delta| delta.event.payload().get("reset").is_some()).collect();
        assert_eq!(resets, [false, true], "{delta}");
    }
}

#[test]
fn without_deltas_the_framing_is_gone_and_the_usage_is_kept() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude-stream");
    let input = fs::read(folder.join("2.1.332-partial/input.jsonl")).unwrap();
    let mut options = Options::new(Protocol::ClaudeStream);
    options.deltas = false;
    let (mut kinds, mut output) = (BTreeSet::new(), 0);
    let mut normalizer = Normalizer::new(options);
    normalizer.push(&input, &mut |line| {
        for (kind, payload) in line.events() {
            let payload: Value = serde_json::from_slice(payload).unwrap();
            assert!(payload["json"]["type"] != "stream_event", "{payload}");
            kinds.insert(kind.name());
            if payload["scope"] == "call" {
                output += count(&payload["outputTokens"]);
            }
        }
    });
    assert!(!kinds.contains("delta"), "{kinds:?}");
    assert_eq!(output, 84);
}

/// A screenshot stands twice on its line, which is longer than a mebibyte.
#[test]
fn a_large_image_costs_its_size_and_nothing_else() {
    let data = "QUJD".repeat(150_000);
    let source = json!({"type": "base64", "media_type": "image/png", "data": data});
    let image = json!([{"type": "image", "source": source}]);
    let user = json!({
        "type": "user",
        "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": image}
        ]},
        "tool_use_result": {"type": "image", "file": {"base64": data}},
    });
    let text = json!([{"type": "text", "text": "A screenshot."}]);
    let assistant = json!({"type": "assistant", "message": {"content": text}});
    let lines = [user.to_string(), assistant.to_string()];
    assert!(lines[0].len() > 1 << 20);
    let events = parse_lines(Protocol::ClaudeStream, lines.iter().map(String::as_bytes), 10);
    let payload = |at: usize| events[at].event.payload();
    assert_eq!(payload(0)["output"], "[image image/png, 450000 bytes]");
    assert_eq!(payload(0)["attachments"], json!([{"mediaType": "image/png", "bytes": 450_000}]));
    assert_eq!(payload(1)["text"], "A screenshot.");
}
