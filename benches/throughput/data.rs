//! Streams to measure on: recorded fixtures, repeated with other ids and longer texts, from a fixed
//! seed. Made once, in `target/bench-data`.

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A stream to make.
#[derive(Clone, Copy)]
pub struct Recipe {
    /// The file's name.
    pub name: &'static str,
    /// The protocol, and the folder of the fixtures.
    pub protocol: &'static str,
    /// Fixtures whose name contains one of these words.
    pub cases: &'static [&'static str],
    /// Only lines that contain this.
    pub lines: &'static str,
    /// Texts under these keys become longer.
    pub texts: &'static [&'static str],
    /// Their usual length in characters; one in 1,000 is 200 KB. 0 leaves them alone.
    pub length: usize,
}

/// Where the file that `recipe` gives stands.
pub fn path(recipe: Recipe, bytes: u64) -> PathBuf {
    folder().join(format!("{}-{bytes}.jsonl", recipe.name))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench-data")
}

/// Makes the file that `recipe` gives, of at least `bytes` bytes, unless it is there.
pub fn make(recipe: Recipe, bytes: u64) -> PathBuf {
    let path = path(recipe, bytes);
    if fs::metadata(&path).is_ok_and(|m| m.len() >= bytes) {
        return path;
    }
    fs::create_dir_all(folder()).expect("cannot make the folder of the data");
    let mut random = fastrand::Rng::with_seed(0x5eed);
    let pool = pool(&mut random);
    let streams = fixtures(recipe);
    let mut out = BufWriter::new(File::create(&path).expect("cannot write the data"));
    let (mut written, mut round) = (0, 0);
    while written < bytes {
        round += 1;
        // Each stream once with its texts at their longest, so that a short file holds what a long
        // one does.
        let first = round <= streams.len();
        let stream = &streams[if first { round - 1 } else { random.usize(..streams.len()) }];
        for line in stream {
            let mut line = line.clone();
            if recipe.length > 0 {
                // One text a line, as a result's two copies of the same output are.
                let length = if first { LONGEST } else { length(&mut random, recipe.length) };
                let at = random.usize(..pool.len() - 300_000);
                let text: String = pool[at..at + length].iter().collect();
                lengthen(&mut line, recipe.texts, &text);
            }
            let text = line.to_string();
            let text = text.replace("toolu_", &format!("toolu_{round:06x}"));
            let text = text.replace("msg_", &format!("msg_{round:06x}"));
            writeln!(out, "{text}").expect("cannot write the data");
            written += text.len() as u64 + 1;
        }
    }
    out.flush().expect("cannot write the data");
    path
}

/// A file of messages that are each about `length` bytes long.
pub fn one_length(length: usize, bytes: u64) -> PathBuf {
    let path = folder().join(format!("lines-{length}.jsonl"));
    if fs::metadata(&path).is_ok_and(|m| m.len() >= bytes) {
        return path;
    }
    let text = pool(&mut fastrand::Rng::with_seed(0x5eed)).iter().collect::<String>();
    let text = text.repeat(length / text.len() + 1);
    let text: String = text.chars().take(length * 9 / 10).collect();
    let content = serde_json::json!([{"type": "text", "text": text}]);
    let line = serde_json::json!({"type": "assistant", "message": {"content": content}});
    let line = line.to_string();
    let mut out = BufWriter::new(File::create(&path).expect("cannot write the data"));
    for _ in 0..=bytes / line.len() as u64 {
        writeln!(out, "{line}").expect("cannot write the data");
    }
    out.flush().expect("cannot write the data");
    path
}

fn fixtures(recipe: Recipe) -> Vec<Vec<Value>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(recipe.protocol);
    let mut cases: Vec<PathBuf> =
        fs::read_dir(dir).expect("no fixtures").map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let wanted = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        recipe.cases.iter().any(|word| name.ends_with(word))
    };
    let streams: Vec<Vec<Value>> = cases
        .into_iter()
        .filter(wanted)
        .map(|path| fs::read_to_string(path.join("input.jsonl")).expect("a fixture"))
        .map(|text| {
            text.lines()
                .filter(|line| line.contains(recipe.lines))
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect()
        })
        .filter(|lines: &Vec<Value>| !lines.is_empty())
        .collect();
    assert!(!streams.is_empty(), "no fixture for {}", recipe.name);
    streams
}

/// The longest text in characters.
const LONGEST: usize = 200_000;

/// Few texts are long: most are near the usual length, some eight times as long.
fn length(random: &mut fastrand::Rng, usual: usize) -> usize {
    match random.u32(..1000) {
        0 => LONGEST,
        1..50 => usual * 8,
        _ => usual / 4 + random.usize(..usual * 3 / 2),
    }
}

fn lengthen(value: &mut Value, keys: &[&str], text: &str) {
    match value {
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                match value {
                    Value::String(old) if keys.contains(&key.as_str()) && !old.is_empty() => {
                        text.clone_into(old);
                    }
                    _ => lengthen(value, keys, text),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| lengthen(item, keys, text)),
        _ => {}
    }
}

/// A text like source code: short lines, indentation, quotes, some backslashes and accents.
fn pool(random: &mut fastrand::Rng) -> Vec<char> {
    const WORDS: [&str; 24] = [
        "let",
        "value",
        "return",
        "self.state",
        "fn",
        "read_line(",
        ")",
        "{",
        "}",
        "if",
        "==",
        "\"quoted\"",
        "'c'",
        "// why",
        "0x1f",
        "->",
        "=>",
        ";",
        "match",
        "Some(x)",
        "::new()",
        "a\\n",
        "été",
        "while",
    ];
    let mut text = String::new();
    while text.len() < 4 << 20 {
        text.push_str(&"    ".repeat(random.usize(..4)));
        for _ in 0..random.usize(2..9) {
            text.push_str(WORDS[random.usize(..WORDS.len())]);
            text.push(' ');
        }
        text.push('\n');
    }
    text.chars().collect()
}
