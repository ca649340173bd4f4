//! What `export` writes: invariants over every fixture, and what single shapes become.

#![cfg(feature = "export")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "what cannot be read is a failed test"
)]

mod atif;
mod otlp;

use std::fs;
use std::path::PathBuf;

use agentnorm::export::{ExportOptions, Exported, Exporter};
use agentnorm::{Feed as _, Options, Protocol};
use serde_json::Value;

/// Lists the inputs of all fixtures.
fn fixtures() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let folders = |path: PathBuf| fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = folders(root)
        .filter(|path| path.is_dir())
        .flat_map(folders)
        .filter(|path| path.is_dir())
        .flat_map(folders)
        .filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("input."))
        .collect();
    found.sort();
    assert!(found.len() > 800, "{}", found.len());
    found
}

/// Exports a stream.
fn export(stream: &[u8], options: &ExportOptions) -> (Vec<Value>, Exported) {
    let mut feed = Exporter::new(Options::new(Protocol::Auto), options.clone(), Vec::new());
    feed.push(stream);
    feed.end_stream();
    let (text, exported) = feed.finish().unwrap();
    let text = String::from_utf8(text).unwrap();
    (
        text.split_terminator('\n').map(|line| serde_json::from_str(line).unwrap()).collect(),
        exported,
    )
}

/// Joins lines to a stream.
fn stream(lines: &[&str]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()
}
