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
