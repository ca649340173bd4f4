//! Streams made up for the tests, and what is read off a recap.

use std::fs;
use std::path::{Path, PathBuf};

use agentnorm::summary::{Recap, Summarizer, Summary};
use agentnorm::{Feed as _, Options, Protocol};
use serde_json::{Value, json};

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

pub(crate) fn folders(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// The recap of several streams, one behind the other.
pub(crate) fn recap_of(streams: &[&[u8]], protocol: Protocol, dedupe: bool) -> Summary {
    let mut summarizer = Summarizer::new(Options::new(protocol), dedupe);
    for stream in streams {
        summarizer.push(stream);
        summarizer.end_stream();
    }
    summarizer.finish()
}

pub(crate) fn recap(stream: &str) -> Summary {
    recap_of(&[stream.as_bytes()], Protocol::Auto, false)
}

/// A stored stream: a type and a payload an event, one event a line.
pub(crate) fn stored(events: &[(&str, Value)]) -> String {
    let record = |(at, (kind, payload)): (usize, &(&str, Value))| {
        let source = "x".repeat(50);
        json!({"type": kind, "payload": payload, "line": at + 1, "source": source}).to_string()
    };
    events.iter().enumerate().map(record).map(|line| line + "\n").collect()
}

pub(crate) fn start(id: &str) -> (&'static str, Value) {
    ("session.started", json!({"harness": "demo", "model": null, "sessionId": id}))
}

pub(crate) fn total(input: u64, output: u64) -> (&'static str, Value) {
    let usage = json!({"scope": "session", "inputTokens": input, "outputTokens": output, "costUsd": 0.1, "turns": 2, "durationMs": 700});
    ("usage", usage)
}

pub(crate) fn since(
    cumulative: &str,
    (kind, mut usage): (&'static str, Value),
) -> (&'static str, Value) {
    usage["cumulative"] = json!(cumulative);
    (kind, usage)
}

pub(crate) fn call(input: u64, output: u64) -> (&'static str, Value) {
    ("usage", json!({"scope": "call", "model": "m", "inputTokens": input, "outputTokens": output}))
}

pub(crate) fn end(status: &str) -> (&'static str, Value) {
    ("session.ended", json!({"status": status, "stopReason": null, "summary": null}))
}

pub(crate) fn tokens(recap: &Recap) -> (u64, u64) {
    let figures = &recap.usage.figures;
    (figures.input_tokens.unwrap(), figures.output_tokens.unwrap())
}

pub(crate) fn runs(streams: &[String]) -> Summary {
    let streams: Vec<&[u8]> = streams.iter().map(String::as_bytes).collect();
    recap_of(&streams, Protocol::Auto, false)
}
