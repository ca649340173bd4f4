//! `cargo bench`: how much CPU time the filter takes, as a ratio to the floor of the same run.
//!
//! `benches/README.md` says how to read the table.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    unreachable_pub,
    reason = "a program that measures, for developers"
)]

mod data;
mod measure;
mod yardstick;

use data::Recipe;
use measure::{Timed, is_there, times};

const BINARY: &str = env!("CARGO_BIN_EXE_agentnorm");
const ROUNDS: usize = 5;
const MB: u64 = 1_000_000;

const CLAUDE: Recipe = Recipe {
    name: "claude",
    protocol: "claude-stream",
    cases: &["-bash", "-edit", "-parallel", "-subagent", "-text", "-thinking", "-read", "-tasks"],
    lines: "",
    texts: &["text", "thinking", "content", "stdout", "originalFile"],
    length: 2600,
};

const PARTIAL: Recipe = Recipe {
    name: "partial",
    protocol: "claude-stream",
    cases: &["-partial"],
    lines: "content_block_delta",
    texts: &[],
    length: 0,
};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let yard = match words.get(1).map(String::as_str) {
        Some("floor") => yardstick::floor,
        Some("value") => yardstick::value,
        _ => return table(),
    };
    yard("/dev/stdin").expect("the yardstick failed");
}

fn table() {
    println!("| work | command | CPU, median | ÷ floor | peak memory |");
    println!("| --- | --- | --- | --- | --- |");
    row(CLAUDE, 200 * MB, &["--no-source"]);
    row(PARTIAL, 100 * MB, &[]);
}

/// Measures one stream: the floor, the filter, the filter with `more` options, the plain readings.
fn row(recipe: Recipe, bytes: u64, more: &[&str]) {
    let path = data::make(recipe, bytes);
    let own = std::env::current_exe().expect("the path of this program");
    let own = own.to_string_lossy().into_owned();
    let timed = |name: &str, words: &[&str]| Timed {
        name: name.to_owned(),
        words: words.iter().map(|w| (*w).to_owned()).collect(),
    };
    let filter = [BINARY, "--protocol", recipe.protocol];
    let mut commands = vec![timed("floor", &[&own, "floor"]), timed("agentnorm", &filter)];
    for option in more {
        commands.push(timed(&format!("agentnorm {option}"), &[&filter[..], &[option]].concat()));
    }
    commands.push(timed("serde_json::Value", &[&own, "value"]));
    if is_there("jq") {
        commands.push(timed("jq -c .", &["jq", "-c", "."]));
    }
    let node = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/plain.mjs");
    if is_there("node") && recipe.protocol.starts_with("claude") {
        commands.push(timed("node, JSON.parse", &["node", node]));
    }
    let measured = times(&commands, &path, ROUNDS);
    let floor = measured[0].0.as_secs_f64();
    for (command, (cpu, memory)) in commands.iter().zip(measured) {
        println!(
            "| {} {} MB | {} | {:.3} s | {:.2} | {:.1} MiB |",
            recipe.name,
            bytes / MB,
            command.name,
            cpu.as_secs_f64(),
            cpu.as_secs_f64() / floor,
            measure::mib(memory),
        );
    }
}
