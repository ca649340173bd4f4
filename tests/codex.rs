//! What holds for every Codex stream: deltas make the whole text, calls pair with results inside one
//! run, and no end is made up.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test whose input is not as it says fails"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use agentnorm::{EventType, Normalizer, Options, Protocol};
use proptest::prelude::*;
use serde_json::Value;

type Event = (EventType, Value);

fn read(input: &[u8]) -> Vec<Event> {
    let mut options = Options::new(Protocol::Codex);
    options.clip = 0;
    let mut events = Vec::new();
    let mut normalizer = Normalizer::new(options);
    let mut sink = |line: agentnorm::Sourced<'_>| {
        let event = |(kind, payload)| (kind, serde_json::from_slice(payload).unwrap());
        events.extend(line.events().map(event));
    };
    normalizer.push(input, &mut sink);
    normalizer.finish(&mut sink);
    events
}

/// The recordings and cases, by folder.
fn fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/codex");
    let mut found: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|dir| (dir.clone(), fs::read(dir.join("input.jsonl")).unwrap()))
        .collect();
    found.sort();
    assert!(found.len() > 100, "the fixtures are gone");
    found
}

fn name(dir: &Path) -> &str {
    dir.file_name().unwrap().to_str().unwrap()
}

fn records(input: &[u8]) -> Vec<Value> {
    let lines = input.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).filter(Value::is_object).collect()
}

/// Whether the line is of the exec form: neither app server nor session file.
fn is_exec(record: &Value) -> bool {
    let kind = record["type"].as_str().unwrap_or_default();
    record["msg"].is_object() || kind == "error" || kind.contains('.')
}

/// Checks that each result follows its call and that no id is open twice in a run; returns the calls
/// that stay open.
fn pair(events: &[Event]) -> BTreeSet<String> {
    let mut open = BTreeSet::new();
    for (kind, payload) in events {
        let id = || payload["callId"].as_str().unwrap().to_owned();
        match kind {
            EventType::SessionStarted => open.clear(),
            EventType::ToolCall => assert!(open.insert(id()), "{payload}"),
            EventType::ToolResult => assert!(open.remove(&id()), "{payload}"),
            _ => {}
        }
    }
    open
}

#[test]
fn calls_pair_with_results_inside_one_run() {
    for (dir, input) in fixtures() {
        let stops = ["sig", "running", "half-second", "B087", "B089"];
        let may_stay = stops.iter().any(|word| name(&dir).contains(word));
        let open = pair(&read(&input));
        assert!(open.is_empty() || may_stay, "{}: {open:?}", name(&dir));
    }
}

#[test]
fn runs_behind_one_another_are_read_like_each_alone() {
    let mut together = Vec::new();
    let mut alone = Vec::new();
    for (_, mut input) in fixtures() {
        if !input.ends_with(b"\n") {
            input.push(b'\n');
        }
        alone.extend(read(&input));
        together.extend(input);
    }
    let together = read(&together);
    pair(&together);
    // Only the running total knows what came before.
    let kept = |events: Vec<Event>| -> Vec<Event> {
        let total = |(_, payload): &Event| payload["scope"] == "session";
        events.into_iter().filter(|event| !total(event)).collect()
    };
    assert_eq!(kept(together), kept(alone));
}

#[test]
fn ends_are_those_that_the_stream_states() {
    for (dir, input) in fixtures() {
        let events = read(&input);
        let ended = |record: &Value| match (record["type"].as_str(), record["msg"]["type"].as_str())
        {
            (Some("turn.completed"), _) | (_, Some("task_complete")) => Some("succeeded"),
            (Some("turn.failed"), _) => Some("failed"),
            _ => None,
        };
        let want: Vec<&str> = records(&input).iter().filter_map(ended).collect();
        let ends = events.iter().filter(|(kind, _)| *kind == EventType::SessionEnded);
        let got: Vec<&str> = ends.map(|(_, end)| end["status"].as_str().unwrap()).collect();
        assert_eq!(got, want, "{}", name(&dir));
        let stopped = ["sig", "legacy-json", "0.42-experimental"];
        if stopped.iter().any(|word| name(&dir).contains(word)) {
            assert!(got.is_empty(), "{}", name(&dir));
        }
    }
}

#[test]
fn a_stream_that_is_cut_has_no_end() {
    let (_, input) = fixtures().into_iter().find(|(dir, _)| name(dir) == "0.171-tour").unwrap();
    let whole = input.trim_ascii_end().len();
    for cut in (0..whole).filter(|cut| cut % 16 == 0 || whole - cut < 200) {
        let events = read(&input[..cut]);
        assert!(events.iter().all(|(kind, _)| *kind != EventType::SessionEnded), "cut at {cut}");
    }
    assert_eq!(read(&input[..whole]).last().unwrap().0, EventType::SessionEnded);
}

#[test]
fn nothing_that_matters_stays_raw() {
    let framing = ["turn.started", "task_started", "turn_diff", "agent_reasoning_section_break"];
    for (dir, input) in fixtures() {
        // What that one shows is that lines of unknown types stay raw.
        if name(&dir).starts_with("B087") || !is_exec(records(&input).last().unwrap()) {
            continue;
        }
        let mut total = Value::Null;
        for record in records(&input) {
            let kind = record["msg"]["type"].as_str().or(record["type"].as_str());
            let info = &record["msg"]["info"]["total_token_usage"];
            let repeated = kind == Some("token_count") && (info.is_null() || *info == total);
            if repeated || kind.is_some_and(|kind| framing.contains(&kind)) {
                continue;
            }
            total = if kind == Some("token_count") { info.clone() } else { total };
            // A text's start, which only a stream with snapshots has.
            if record["item"]["text"] == "" && kind != Some("item.completed") {
                continue;
            }
            let line = record.to_string();
            let events = read(line.as_bytes());
            let raw = events.iter().any(|(kind, _)| *kind == EventType::Raw);
            assert!(!raw, "{}: {line}", name(&dir));
        }
    }
}

/// What is shown of an item, in order; the last text is the whole.
#[derive(Debug, Clone)]
struct Shown {
    thinking: bool,
    snapshots: Vec<Vec<u16>>,
    whole: Vec<u16>,
}

fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// A JSON string with every code unit as an escape, so that it can end inside a character.
fn quote(units: &[u16]) -> String {
    let escapes: Vec<String> = units.iter().map(|unit| format!("\\u{unit:04x}")).collect();
    format!("\"{}\"", escapes.concat())
}

fn text() -> impl Strategy<Value = Vec<u16>> {
    "[a-c é😀\u{fffd}\u{2028}\"]{0,12}".prop_map(|text| utf16(&text))
}

/// A whole text, and snapshots of it cut anywhere, some of which are of another text.
fn shown() -> impl Strategy<Value = Shown> {
    let cuts = prop::collection::vec((0.0..1.0, prop::option::weighted(0.2, text())), 0..6);
    (any::<bool>(), text(), cuts).prop_map(|(thinking, whole, cuts)| {
        let mut snapshots = Vec::new();
        for (part, other) in cuts {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "a part of a short length"
            )]
            let cut = (whole.len() as f64 * part) as usize;
            snapshots.push(other.unwrap_or_else(|| whole[..cut].to_vec()));
        }
        Shown { thinking, snapshots, whole }
    })
}

/// The lines of several items, interleaved by `order`.
fn interleave(items: &[Shown], order: &[usize]) -> String {
    let mut at = vec![0; items.len()];
    let mut lines = String::new();
    let turns = order.iter().copied().chain((0..items.len()).cycle().take(items.len() * 8));
    for turn in turns {
        let number = turn % items.len();
        let item = &items[number];
        let phase = match at[number] {
            n if n < item.snapshots.len() => "updated",
            n if n == item.snapshots.len() => "completed",
            _ => continue,
        };
        let text = item.snapshots.get(at[number]).unwrap_or(&item.whole);
        let kind = if item.thinking { "reasoning" } else { "agent_message" };
        let text = quote(text);
        let item = format!(r#""id":"item_{number}","type":"{kind}","text":{text}"#);
        let line = format!(r#"{{"type":"item.{phase}","item":{{{item}}}}}"#);
        lines.push_str(&line);
        lines.push('\n');
        at[number] += 1;
    }
    lines
}

/// Checks that the deltas of each text since its last reset make it, and returns the texts.
fn whole_texts(events: &[Event]) -> Vec<(String, String)> {
    let mut said: BTreeMap<(String, String), String> = BTreeMap::new();
    let mut texts = Vec::new();
    for (kind, payload) in events {
        let of = payload["of"].as_str().unwrap_or(kind.name()).to_owned();
        let id = payload["messageId"].as_str().unwrap_or_default().to_owned();
        match kind {
            EventType::Delta => {
                let text = payload["text"].as_str().unwrap();
                assert!(!text.is_empty());
                let said = said.entry((of, id)).or_default();
                if payload["reset"] == true {
                    said.clear();
                }
                said.push_str(text);
            }
            EventType::Message | EventType::Thinking => {
                let text = payload["text"].as_str().unwrap().to_owned();
                if let Some(said) = said.remove(&(of, id.clone())) {
                    // An answer may turn out to be empty; then there is nothing more to say.
                    assert!(said == text || text.is_empty(), "{said:?} is not {text:?}");
                }
                texts.push((id, text));
            }
            _ => {}
        }
    }
    texts
}

#[test]
fn deltas_make_a_very_long_text() {
    // Beyond some length the text so far is not kept: each snapshot is then the whole again.
    let lengths = [100, (4 << 20) - 1, 4 << 20, (4 << 20) + 9, (4 << 20) + 10, 5 << 20];
    let letters: String = ('a'..='z').cycle().take(5 << 20).collect();
    let mut input = String::from("{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n");
    let last = lengths.len() - 1;
    for (at, length) in lengths.into_iter().enumerate() {
        let phase = if at == last { "completed" } else { "updated" };
        let text = &letters[..length];
        let record = format!(
            "{{\"type\":\"item.{phase}\",\"item\":{{\"id\":\"item_0\",\"type\":\"agent_message\",\"text\":\"{text}\"}}}}\n"
        );
        input.push_str(&record);
    }
    let events = read(input.as_bytes());
    let resets = events.iter().filter(|(_, payload)| payload["reset"] == true).count();
    assert!(resets > 0, "it is long enough");
    let texts = whole_texts(&events);
    assert_eq!(texts.len(), 1);
    assert!(texts[0].1 == letters);
}

proptest! {
    #[test]
    fn deltas_make_the_whole_text(
        items in prop::collection::vec(shown(), 1..24),
        order in prop::collection::vec(any::<usize>(), 0..80),
        killed in prop::option::of(0.0..1.0),
    ) {
        let lines = interleave(&items, &order);
        let mut input = String::from("{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n");
        if let Some(part) = killed {
            // A process that was killed in between printed some of it under the same ids before.
            let rows: Vec<&str> = lines.lines().collect();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "a part of a short length"
            )]
            let cut = (rows.len() as f64 * part) as usize;
            let before = rows[..cut].iter().filter(|row| row.contains("item.updated"));
            for row in before {
                input += row;
                input.push('\n');
            }
            input += "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n";
        }
        let texts = whole_texts(&read((input + &lines).as_bytes()));
        let texts: BTreeMap<String, String> = texts.into_iter().collect();
        for (number, item) in items.iter().enumerate() {
            let whole = String::from_utf16_lossy(&item.whole);
            let got = texts.get(&format!("item_{number}"));
            if item.thinking && whole.is_empty() {
                prop_assert_eq!(got, None);
            } else {
                prop_assert_eq!(got, Some(&whole));
            }
        }
    }
}
