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
mod live;
mod measure;
mod yardstick;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use data::Recipe;
use measure::{Timed, is_there, times};

const BINARY: &str = env!("CARGO_BIN_EXE_agentnorm");
const ROUNDS: usize = 5;
const MB: u64 = 1_000_000;
/// The bytes of each file of lines of one length.
const LINES: u64 = 120 * MB;

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

const CODEX: Recipe = Recipe {
    name: "codex",
    protocol: "codex",
    cases: &["0.171-shell-ok", "0.171-shell-parallel", "0.171-web-search", "0.171-tour"],
    lines: "",
    texts: &["text", "aggregated_output"],
    length: 1500,
};

const GEMINI: Recipe = Recipe {
    name: "gemini",
    protocol: "gemini",
    cases: &["0.61-text", "0.61-shell", "0.61-parallel", "0.61-todo"],
    lines: "",
    texts: &["content", "output"],
    length: 700,
};

/// Each update repeats the whole message so far, twice.
const PI: Recipe = Recipe {
    name: "pi 0.73",
    protocol: "pi",
    cases: &["0.73-text", "0.73-thinking", "0.73-shell", "0.73-edit"],
    lines: "",
    texts: &["text", "thinking"],
    length: 1500,
};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    match words.get(1).map(String::as_str) {
        Some("floor") => yardstick::floor("/dev/stdin").expect("the floor failed"),
        Some("value") => yardstick::value("/dev/stdin").expect("the baseline failed"),
        Some("make") => drop(data::make(recipe(&words[2]), words[3].parse().unwrap())),
        Some("lines") => drop(data::one_length(words[2].parse().unwrap(), LINES)),
        Some("growth") => growth(),
        _ => table(),
    }
}

fn recipe(name: &str) -> Recipe {
    let all = [CLAUDE, PARTIAL, CODEX, GEMINI, PI];
    all.into_iter().find(|recipe| recipe.name == name).expect("a stream's name")
}

fn own() -> String {
    std::env::current_exe().expect("the path of this program").to_string_lossy().into_owned()
}

fn made(recipe: Recipe, bytes: u64) -> PathBuf {
    make(&["make", recipe.name, &bytes.to_string()]);
    data::path(recipe, bytes)
}

/// Makes data in a process of its own: a child's peak memory starts at that of its parent.
fn make(words: &[&str]) {
    let made = Command::new(own()).args(words).status();
    assert!(made.is_ok_and(|status| status.success()), "the data cannot be made");
}

fn timed(name: &str, words: &[&str]) -> Timed {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    Timed { name: name.to_owned(), words }
}

fn table() {
    println!("| work | command | CPU, median | ÷ floor | peak memory |");
    println!("| --- | --- | --- | --- | --- |");
    row(CLAUDE, 200 * MB, &["--no-source", "--redact"]);
    row(PARTIAL, 100 * MB, &["--redact"]);
    for recipe in [CODEX, GEMINI, PI] {
        row(recipe, 100 * MB, &[]);
    }
    println!("\n| figure | measured |");
    println!("| --- | --- |");
    summarize();
    memory();
    live::print();
}

/// Measures one stream: the floor, the filter, the filter with `more` options, the plain readings.
fn row(recipe: Recipe, bytes: u64, more: &[&str]) {
    let path = made(recipe, bytes);
    let own = own();
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
    print(&format!("{} {} MB", recipe.name, bytes / MB), &commands, &path);
}

fn print(work: &str, commands: &[Timed], path: &Path) {
    let measured = times(commands, path, ROUNDS);
    let floor = measured[0].0.as_secs_f64();
    for (command, (cpu, memory)) in commands.iter().zip(measured) {
        let cpu = cpu.as_secs_f64();
        let (name, ratio, mib) = (&command.name, cpu / floor, measure::mib(memory));
        println!("| {work} | {name} | {cpu:.3} s | {ratio:.2} | {mib:.1} MiB |");
    }
}

/// `summarize` reads the events of the Claude stream; the filter made them.
fn summarize() {
    let path = made(CLAUDE, 200 * MB);
    let events = path.with_extension("events");
    let output = File::create(&events).expect("cannot write the events");
    let input = File::open(&path).expect("the data");
    let filter = ["--protocol", "claude-stream"];
    let made = Command::new(BINARY).args(filter).stdin(input).stdout(output).status();
    assert!(made.is_ok_and(|status| status.success()));
    let filter = times(&[timed("", &[&[BINARY][..], &filter].concat())], &path, ROUNDS);
    let recap = times(&[timed("", &[BINARY, "summarize", "--format", "json"])], &events, ROUNDS);
    let ratio = recap[0].0.as_secs_f64() / filter[0].0.as_secs_f64();
    println!("| summarize on the events of claude 200 MB ÷ filter | {ratio:.2} |");
}

/// Memory must not depend on the stream's length.
fn memory() {
    let peak = |bytes: u64| {
        let path = made(CLAUDE, bytes);
        times(&[timed("", &[BINARY, "--protocol", "claude-stream"])], &path, 3)[0].1
    };
    let (small, large) = (measure::mib(peak(20 * MB)), measure::mib(peak(200 * MB)));
    println!("| peak memory, claude 20 MB and 200 MB | {small:.1} MiB, {large:.1} MiB |");
}

/// Cost over the length of the stream and of its lines.
fn growth() {
    println!("| work | command | CPU, median | ÷ floor | peak memory |");
    println!("| --- | --- | --- | --- | --- |");
    let own = own();
    for bytes in [20, 200, 2000] {
        let path = made(CLAUDE, bytes * MB);
        let filter = timed("agentnorm", &[BINARY, "--protocol", "claude-stream"]);
        let work = format!("claude {bytes} MB");
        print(&work, &[timed("floor", &[&own, "floor"]), filter], &path);
    }
    for kb in [1, 10, 100, 1000, 10_000, 60_000] {
        let length = kb * 1000;
        make(&["lines", &length.to_string()]);
        let path = data::one_length(length, LINES);
        let filter = timed("agentnorm", &[BINARY, "--protocol", "claude-stream"]);
        print(&format!("lines of {kb} KB"), &[timed("floor", &[&own, "floor"]), filter], &path);
    }
}
