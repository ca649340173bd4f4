//! Nothing of a secret is in anything that is written.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test fails by panicking"
)]

mod command;
#[path = "../../src/redact/corpus.rs"]
mod corpus;
mod pieces;
mod streams;
mod support;

use std::fs;
use std::path::Path;

use agentnorm::check::SecretFinder;
use agentnorm::{Feed as _, Options, Protocol};
use support::redaction;

/// No fixture holds anything that is taken for a secret: what is found in one must be looked at, and
/// named here.
#[test]
fn the_fixtures_are_left_alone() {
    let known: &[(&str, u64, &str)] = &[];
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut found = Vec::new();
    for dialect in fs::read_dir(&fixtures).unwrap() {
        let dialect = dialect.unwrap().path();
        let name = dialect.file_name().unwrap().to_str().unwrap().to_owned();
        let protocol = Protocol::from_name(&name).unwrap_or(Protocol::Auto);
        for case in fs::read_dir(&dialect).unwrap() {
            let case = case.unwrap().path();
            let Ok(input) = fs::read(case.join("input.jsonl")) else { continue };
            let mut options = Options::new(protocol);
            options.redaction = Some(redaction());
            let mut finder = SecretFinder::new(options);
            finder.begin_stream(case.strip_prefix(&fixtures).unwrap().to_str().unwrap());
            finder.push(&input);
            finder.end_stream();
            found.extend(finder.found().iter().map(|f| (f.file.clone(), f.line, f.kind.clone())));
        }
    }
    found.sort();
    let found: Vec<_> =
        found.iter().map(|(file, line, kind)| (file.as_str(), *line, kind.as_str())).collect();
    assert_eq!(found, known);
}

/// Writes the corpus as a stream, for `tests/redact/judges`.
#[test]
#[ignore = "it tests nothing: it writes what other programs judge"]
fn write_the_corpus() {
    let Some(path) = std::env::var_os("REDACT_CORPUS") else { return };
    let mut lines = Vec::new();
    for seed in 100..103 {
        for made in corpus::Corpus::new(seed).every_kind() {
            let text = support::json(&format!("it says {} there", made.text));
            lines.push(format!(r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c","content":{text}}}]}}}}"#));
            lines.push(format!(r#"{{"type":"assistant","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"c","name":"Bash","input":{{"command":{text}}}}}]}}}}"#));
            lines.push(format!(
                r#"{{"type":"of the future","arguments":{}}}"#,
                support::json(&format!("{{\"a\":{text}}}"))
            ));
            lines.extend(
                made.text
                    .lines()
                    .map(|line| format!("log: {line}"))
                    .filter(|_| made.kind != "private-key"),
            );
        }
    }
    fs::write(path, lines.join("\n") + "\n").unwrap();
}
