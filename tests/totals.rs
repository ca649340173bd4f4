//! The totals of recaps against the recordings themselves, read with nothing but `serde_json`.

#![expect(clippy::unwrap_used, clippy::cast_precision_loss, reason = "this is a test")]

use std::fs;
use std::path::{Path, PathBuf};

use agentnorm::summary::{Summarizer, Summary};
use agentnorm::{Feed as _, Options, Protocol};
use serde_json::Value;

/// A recording: its name, its records, and its recap.
struct Recording {
    name: String,
    records: Vec<Value>,
    summary: Summary,
}

/// Every fixture of a protocol that was recorded (those made up after bug reports are named `B…`).
fn recordings(protocol: &str) -> Vec<Recording> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(protocol);
    let mut cases: Vec<PathBuf> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let recorded = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.starts_with(|c: char| c.is_ascii_digit()) && !path.join("args").exists()
    };
    cases.into_iter().filter(recorded).map(|path| read(&path, protocol)).collect()
}

fn read(path: &Path, protocol: &str) -> Recording {
    let input = fs::read(path.join("input.jsonl")).unwrap();
    let lines = input.split(|byte| *byte == b'\n');
    let values = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let records = values
        .flat_map(|value| match value {
            Value::Array(records) => records,
            record => vec![record],
        })
        .collect();
    let mut summarizer =
        Summarizer::new(Options::new(Protocol::from_name(protocol).unwrap()), false);
    summarizer.push(&input);
    summarizer.end_stream();
    Recording { name: path.display().to_string(), records, summary: summarizer.finish() }
}

fn number(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or_default()
}

/// What a running total came to that starts again at 0 when it falls.
fn last_of_each_rise(totals: impl Iterator<Item = f64>) -> f64 {
    let (mut settled, mut last) = (0.0, 0.0);
    for total in totals {
        if total < last {
            settled += last;
        }
        last = total;
    }
    settled + last
}

#[test]
fn claude_totals_are_the_last_model_usage() {
    let mut compared = 0;
    for protocol in ["claude-stream", "claude-json"] {
        for recording in recordings(protocol) {
            // A `modelUsage` without models is no statement, unless nothing was spent: then the count
            // started again (`/clear`).
            let results: Vec<&Value> = recording
                .records
                .iter()
                .filter(|r| r["type"] == "result")
                .filter(|r| {
                    let models = r["modelUsage"].as_object().map(serde_json::Map::len);
                    models.is_some_and(|models| models > 0 || r["total_cost_usd"] == 0)
                })
                .collect();
            let spent = |r: &&Value| r["modelUsage"].as_object().is_some_and(|m| !m.is_empty());
            if !results.iter().any(spent) {
                continue;
            }
            let sum = |key: &str| {
                last_of_each_rise(results.iter().map(|result| {
                    let models = result["modelUsage"].as_object().unwrap().values();
                    models.map(|model| model[key].as_f64().unwrap_or_default()).sum()
                }))
            };
            let usage = &recording.summary.total.usage;
            let stated = &usage.stated;
            let name = &recording.name;
            for (got, key) in [
                (stated.input_tokens, "inputTokens"),
                (stated.output_tokens, "outputTokens"),
                (stated.cache_read_tokens, "cacheReadInputTokens"),
                (stated.cache_creation_tokens, "cacheCreationInputTokens"),
            ] {
                assert!((got.unwrap() as f64 - sum(key)).abs() < 0.5, "{name}: {key}: {got:?}");
            }
            assert!((stated.cost_usd.unwrap() - sum("costUSD")).abs() < 1e-6, "{name}: cost");
            // What stands in the recap is that, or the calls where they say more.
            let figures = &usage.figures;
            assert_eq!(
                figures.input_tokens,
                stated.input_tokens.max(usage.calls.input_tokens),
                "{name}"
            );
            assert_eq!(
                figures.output_tokens,
                stated.output_tokens.max(usage.calls.output_tokens),
                "{name}"
            );
            compared += 1;
        }
    }
    assert!(compared >= 60, "only {compared} recordings");
}

#[test]
fn codex_totals_are_those_of_the_last_turn() {
    let mut compared = 0;
    for recording in recordings("codex") {
        let last = recording.records.iter().rfind(|r| r["type"] == "turn.completed");
        let Some(usage) = last.map(|turn| &turn["usage"]).filter(|u| u.is_object()) else {
            continue;
        };
        let cached = number(usage, "cached_input_tokens");
        let written = number(usage, "cache_write_input_tokens");
        let input = number(usage, "input_tokens").saturating_sub(cached + written);
        let figures = &recording.summary.total.usage.figures;
        let name = &recording.name;
        assert_eq!(figures.input_tokens, Some(input), "{name}");
        assert_eq!(figures.output_tokens, Some(number(usage, "output_tokens")), "{name}");
        assert_eq!(figures.cache_read_tokens.unwrap_or_default(), cached, "{name}");
        assert_eq!(figures.cache_creation_tokens.unwrap_or_default(), written, "{name}");
        compared += 1;
    }
    assert!(compared >= 60, "only {compared} recordings");
}
