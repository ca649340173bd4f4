//! What holds for every input and every dialect.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::Path;

use agentnorm::{Emitter, Normalizer, Options, Protocol, split_complete_lines};
use proptest::collection::vec;
use proptest::prelude::*;

fn normalize(protocol: Protocol, input: &[u8], step: usize) -> Vec<u8> {
    let mut emitter = Emitter::new(Vec::new());
    let mut normalizer = Normalizer::new(Options::new(protocol));
    for piece in input.chunks(step.max(1)) {
        normalizer.push(piece, &mut |line| emitter.write(line));
    }
    normalizer.finish(&mut |line| emitter.write(line));
    emitter.finish().unwrap()
}

/// Every record is strict JSON; every line that is text or an object has an event with its number.
fn holds(protocol: Protocol, input: &[u8]) {
    let out = normalize(protocol, input, usize::MAX);
    let mut seen = std::collections::BTreeSet::new();
    for record in out.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
        let mut json = serde_json::Deserializer::from_slice(record);
        json.disable_recursion_limit();
        let record: serde_json::Value =
            serde::Deserialize::deserialize(&mut json).unwrap_or_else(|error| {
                panic!("{protocol}: {error}: {}", String::from_utf8_lossy(record))
            });
        assert!(record["payload"].is_object(), "{protocol}: {record}");
        // A part of a document over several lines is a record of all of them.
        let first = record["line"].as_u64().unwrap_or_default();
        let lines = record["source"].as_str().map_or(1, |source| source.split('\n').count() as u64);
        seen.extend(first..first + lines);
    }
    // Stored records keep their own line numbers, and each stored line is read once.
    if matches!(protocol, Protocol::Agentnorm | Protocol::Auto) {
        return;
    }
    let (lines, consumed) = split_complete_lines(input);
    let lines = lines.into_iter().chain(std::iter::once(&input[consumed..]));
    for (number, line) in (1..).zip(lines) {
        let text = String::from_utf8_lossy(line);
        let text = text.trim_matches([' ', '\t', '\r', '\u{b}', '\u{c}', '\u{feff}']);
        let only_brackets = text.chars().all(|c| matches!(c, '[' | ']' | ',' | ' '));
        let silent = protocol != Protocol::None
            && (text == "null" || text.starts_with('[') || only_brackets);
        if !text.is_empty() && !silent {
            assert!(seen.contains(&number), "{protocol}: line {number} is lost: {text}");
        }
    }
    assert!(normalize(protocol, input, 3) == out, "{protocol}: cut in threes");
}

/// A line that looks like a record, with the wrong things in the right places.
fn record() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "assistant",
        "user",
        "system",
        "result",
        "message",
        "text",
        "tool_use",
        "tool_result",
        "usage",
        "stream_event",
        "thread.started",
        "item.completed",
        "item.updated",
        "turn.completed",
        "error",
        "init",
        "agent_message",
        "command_execution",
        "tool_call",
        "session.started",
        "tool.call",
        "message_update",
        "agent_event",
        "session/update",
        "completion",
        "content_block_delta",
        "delta",
        "say",
        "assistant.message",
        "step_finish",
        "goal",
        "raw",
        "success",
    ]);
    let key = prop::sample::select(vec![
        "type",
        "subtype",
        "message",
        "content",
        "item",
        "id",
        "usage",
        "text",
        "role",
        "event",
        "params",
        "method",
        "update",
        "payload",
        "line",
        "source",
        "kind",
        "data",
        "part",
        "state",
        "input",
        "output",
        "session_id",
        "model",
        "tool_calls",
        "delta",
        "index",
        "is_error",
        "result",
        "error",
        "msg",
    ]);
    let leaf = prop_oneof![
        word.prop_map(|word| format!("\"{word}\"")),
        Just("null".to_owned()),
        Just("\"\"".to_owned()),
        Just("\"\\ud83d\"".to_owned()),
        Just("true".to_owned()),
        Just("-1".to_owned()),
        Just("1e400".to_owned()),
        any::<u64>().prop_map(|n| n.to_string()),
        "[ -~é]{0,12}".prop_map(|s| serde_json::to_string(&s).unwrap()),
    ];
    let value = leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(","))),
            vec((key.clone(), inner), 0..6).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(k, v)| format!("\"{k}\":{v}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    });
    (value, prop::bool::weighted(0.1)).prop_map(|(value, torn)| {
        if torn { value.chars().take(value.chars().count() / 2).collect() } else { value }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_cost_only_their_lines(input in vec(any::<u8>(), 0..300)) {
        for protocol in Protocol::ALL {
            holds(*protocol, &input);
        }
    }

    #[test]
    fn records_of_the_wrong_shape_cost_only_their_lines(lines in vec(record(), 1..12)) {
        let input = lines.join("\n");
        for protocol in Protocol::ALL {
            holds(*protocol, input.as_bytes());
        }
    }
}

/// How a character may be written in a JSON string, and what it is.
const WRITTEN: [(&str, &str); 12] = [
    ("a", "a"),
    ("é", "é"),
    ("🚀", "🚀"),
    ("\\n", "\n"),
    ("\\u00e9", "é"),
    ("\\ud83d\\ude80", "🚀"),
    // What strict JSON refuses.
    ("\\ud83d", "\u{fffd}"),
    ("\\ude80", "\u{fffd}"),
    ("\t", "\t"),
    ("\u{1}", "\u{1}"),
    ("\\\\", "\\"),
    ("\\\"", "\""),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// However a text is written, it is cut behind the same character.
    #[test]
    fn texts_are_cut_by_characters_however_they_are_written(
        filling in 0..70_usize,
        pieces in vec((prop::sample::select(&WRITTEN[..]), 1..3_usize), 0..20),
        limit in 0..110_usize,
    ) {
        let mut written = "x".repeat(filling);
        let mut characters: Vec<&str> = vec!["x"; filling];
        let mut before = "";
        for ((json, character), times) in pieces {
            for _ in 0..times {
                // Two halves would make a whole.
                if json == "\\ude80" && before.ends_with("\\ud83d") {
                    continue;
                }
                before = json;
                written.push_str(json);
                characters.push(character);
            }
        }
        let mut options = Options::new(Protocol::Jsonl);
        options.clip = limit;
        let line = format!("{{\"type\":\"message\",\"role\":\"user\",\"text\":\"{written}\"}}\n");
        let mut normalizer = Normalizer::new(options.clone());
        let mut whole = Vec::new();
        normalizer.push(line.as_bytes(), &mut |line| whole.extend(line.events().map(|(_, p)| p.to_vec())));
        // A dialect of another harness goes through the same writer, which clips.
        let line = format!("{{\"type\":\"item.completed\",\"item\":{{\"id\":\"i\",\"type\":\"agent_message\",\"text\":\"{written}\"}}}}\n");
        options.protocol = Protocol::Codex;
        let mut normalizer = Normalizer::new(options);
        let mut clipped = Vec::new();
        normalizer.push(line.as_bytes(), &mut |line| clipped.extend(line.events().map(|(_, p)| p.to_vec())));
        let text = |payload: &[u8]| {
            let payload: serde_json::Value = serde_json::from_slice(payload).unwrap();
            (payload["text"].as_str().unwrap().to_owned(), payload.get("truncated").cloned())
        };
        prop_assert_eq!(text(&whole[0]).0, characters.concat(), "jsonl passes all of it on");
        let cut = limit > 0 && characters.len() > limit;
        let kept = if cut { &characters[..limit] } else { &characters[..] };
        prop_assert_eq!(text(&clipped[0]), (kept.concat(), Some(serde_json::Value::Bool(cut))));
    }

    /// A line is over the limit when it is longer than that, wherever the input was cut.
    #[test]
    fn a_line_is_over_the_limit_or_not_wherever_it_is_cut(
        lengths in vec(0..40_usize, 1..6),
        limit in 1..30_usize,
        step in 1..50_usize,
    ) {
        let lines: Vec<String> = lengths.iter().map(|length| "y".repeat(*length)).collect();
        let input = lines.join("\n");
        let mut got = Vec::new();
        let mut splitter = agentnorm::Lines::new(0, limit);
        let mut take = |line: agentnorm::Line<'_>| got.push((line.bytes.len(), line.oversized));
        for piece in input.as_bytes().chunks(step) {
            prop_assert!(splitter.push(piece).is_empty());
            while let Some(line) = splitter.next_line() {
                take(line);
            }
        }
        if let Some(line) = splitter.rest() {
            take(line);
        }
        let mut want: Vec<_> =
            lengths.iter().map(|length| (*length, (*length > limit).then_some(*length as u64))).collect();
        // Nothing behind the last line feed is no line.
        want.pop_if(|(length, _)| *length == 0);
        prop_assert_eq!(got, want);
    }
}

#[test]
fn the_fuzz_corpus_holds() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let mut inputs = 0;
    for folder in fs::read_dir(corpus).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let input = fs::read(file.unwrap().path()).unwrap();
            inputs += 1;
            for protocol in Protocol::ALL {
                holds(*protocol, &input);
            }
        }
    }
    assert!(inputs > 10, "the corpus is gone");
}

#[test]
fn depth_is_no_danger() {
    let deep = format!("{}1{}", "[".repeat(20_000), "]".repeat(20_000));
    for protocol in Protocol::ALL {
        for key in ["message", "input", "item", "x"] {
            let line = format!("{{\"type\":\"assistant\",\"{key}\":{deep}}}\n{{\"type\":\"x\"}}\n");
            holds(*protocol, line.as_bytes());
        }
        holds(*protocol, "{\"a\":".repeat(20_000).as_bytes());
    }
}
