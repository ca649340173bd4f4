//! Every fixture, through the binary: `fixtures/<protocol>/<case>/input.jsonl` read with
//! `--protocol <protocol>` must print exactly `expected.jsonl`, nothing on standard error, status 0.
//!
//! A case may hold `args`, one argument a line. `note.md` says where the input comes from. A folder
//! whose name ends in `.bug` holds a known defect: it must still differ.
//! `UPDATE_GOLDEN=1 cargo test --test golden` writes the expected files (never those named `spec-…`,
//! which are the specification); read what it wrote.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agentnorm::{Emitter, Normalizer, Options, Protocol};

struct Case {
    protocol: String,
    name: String,
    dir: PathBuf,
}

impl Case {
    fn input(&self) -> Vec<u8> {
        fs::read(self.dir.join("input.jsonl")).unwrap()
    }

    fn expected(&self) -> Vec<u8> {
        fs::read(self.dir.join("expected.jsonl")).unwrap_or_default()
    }

    fn args(&self) -> Vec<String> {
        let text = fs::read_to_string(self.dir.join("args")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn is_spec(&self) -> bool {
        self.name.starts_with("spec-")
    }

    fn run(&self, protocol: &str) -> (Vec<u8>, String, Option<i32>) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agentnorm"))
            .args(["--protocol", protocol])
            .args(self.args())
            .stdin(fs::File::open(self.dir.join("input.jsonl")).unwrap())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = Vec::new();
        std::io::copy(child.stdout.as_mut().unwrap(), &mut out).unwrap();
        let rest = child.wait_with_output().unwrap();
        (out, String::from_utf8(rest.stderr).unwrap(), rest.status.code())
    }
}

fn folders(dir: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The folders of `fixtures/` that are no protocol's: the tests of that name read them; `record` makes recordings.
const OTHERS: [&str; 5] = ["check", "record", "show", "summarize", "title-probe"];

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for protocol in folders(&fixtures()) {
        if OTHERS.contains(&name(&protocol).as_str()) {
            continue;
        }
        for dir in folders(&protocol) {
            cases.push(Case { protocol: name(&protocol), name: name(&dir), dir });
        }
    }
    assert!(cases.len() > 10, "the fixtures are gone");
    cases
}

/// Whether the expected files are to be written. Then no other test may read them: it would see one
/// that is half written.
fn is_update() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

#[test]
fn every_fixture_prints_what_is_expected() {
    let update = is_update();
    assert!(!(update && std::env::var_os("CI").is_some()), "UPDATE_GOLDEN is not for CI");
    let mut wrong = Vec::new();
    for case in cases() {
        let id = format!("{}/{}", case.protocol, case.name);
        let (out, err, status) = case.run(&case.protocol);
        if !err.is_empty() || status != Some(0) {
            wrong.push(format!("{id}: status {status:?}, {err}"));
        }
        if update && !case.is_spec() {
            fs::write(case.dir.join("expected.jsonl"), &out).unwrap();
            continue;
        }
        let same = if case.is_spec() {
            spec(&out) == spec(&case.expected())
        } else {
            out == case.expected()
        };
        if same == case.name.ends_with(".bug") {
            wrong.push(format!("{id}: {}", first_difference(&case.expected(), &out)));
        }
    }
    let hint = "UPDATE_GOLDEN=1 cargo test --test golden, then read the difference";
    assert!(wrong.is_empty(), "{}\n{hint}", wrong.join("\n"));
}

/// The specification prints type and payload only, and was printed before these extension keys.
const LATER_KEYS: [&str; 2] = ["kind", "target"];

fn spec(jsonl: &[u8]) -> Vec<serde_json::Value> {
    let text = std::str::from_utf8(jsonl).unwrap();
    let event = |line: &str| {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut payload = record["payload"].clone();
        for key in LATER_KEYS {
            payload.as_object_mut().map(|payload| payload.remove(key));
        }
        serde_json::json!({"type": record["type"], "payload": payload})
    };
    text.lines().map(event).collect()
}

fn first_difference(want: &[u8], got: &[u8]) -> String {
    let (want, got) = (String::from_utf8_lossy(want), String::from_utf8_lossy(got));
    let (mut a, mut b) = (want.lines(), got.lines());
    let mut number = 0;
    loop {
        number += 1;
        let (x, y) = (a.next(), b.next());
        if x != y || x.is_none() {
            let show = |line: Option<&str>| line.unwrap_or("(nothing)").to_owned();
            return format!("line {number}\n- {}\n+ {}", show(x), show(y));
        }
    }
}

#[test]
fn any_cut_of_the_input_gives_the_same_bytes() {
    for case in cases() {
        let protocol = Protocol::from_name(&case.protocol).unwrap();
        let input = case.input();
        let normalize = |step: usize| {
            let mut out = Vec::new();
            let mut emitter = Emitter::new(&mut out);
            let mut normalizer = Normalizer::new(Options::new(protocol));
            for piece in input.chunks(step) {
                normalizer.push(piece, &mut |line| emitter.write(line));
            }
            normalizer.finish(&mut |line| emitter.write(line));
            emitter.finish().unwrap();
            out
        };
        let whole = normalize(usize::MAX);
        for step in [1, 2, 3, 7, 4096] {
            // Cutting a long input into single bytes shows nothing that a short one does not.
            if input.len() / step <= 100_000 {
                assert!(normalize(step) == whole, "{}/{} in {step}s", case.protocol, case.name);
            }
        }
    }
}

#[test]
fn auto_reads_every_fixture_like_its_protocol() {
    if is_update() {
        return;
    }
    for case in cases() {
        let found_out = !matches!(case.protocol.as_str(), "none" | "jsonl" | "claude-stream");
        if found_out && !case.dir.join("not-auto").exists() {
            let id = format!("{}/{}", case.protocol, case.name);
            let (out, _, _) = case.run("auto");
            let want = case.expected();
            assert!(out == want, "{id}: {}", first_difference(&want, &out));
        }
    }
}

#[test]
fn every_dialect_has_fixtures_and_every_folder_a_dialect() {
    if is_update() {
        return;
    }
    let rows: BTreeSet<String> = Protocol::ALL.iter().map(|p| p.name().to_owned()).collect();
    let kept: BTreeSet<String> = folders(&fixtures())
        .iter()
        .map(|dir| name(dir))
        .filter(|n| !OTHERS.contains(&n.as_str()))
        .collect();
    assert_eq!(rows, kept, "rows of the table, folders of fixtures");
    let mut inputs = BTreeSet::new();
    for case in cases() {
        let id = format!("{}/{}", case.protocol, case.name);
        assert!(case.dir.join("note.md").exists(), "{id} has no note.md");
        assert!(case.dir.join("expected.jsonl").exists(), "{id} has no expected.jsonl");
        assert!(inputs.insert((case.input(), case.args())), "{id}: same input as another case");
    }
}
