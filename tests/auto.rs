//! Which dialect `auto` finds in every recording, and how many lines it needs for that:
//! `cargo test --test auto -- --nocapture` prints the table.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use agentnorm::{EventType, Normalizer, Options, Protocol};

/// The dialect that `auto` takes `input` for in the end, and the object lines it read until the
/// choice was what it is in the end.
fn choice(input: &[u8]) -> (Protocol, usize) {
    let mut normalizer = Normalizer::new(Options::new(Protocol::Auto));
    let (mut objects, mut found) = (0, (Protocol::Auto, 0));
    for line in input.split_inclusive(|byte| *byte == b'\n') {
        let object = line.trim_ascii_start().starts_with(b"{");
        objects += usize::from(object);
        normalizer.push(line, &mut |_| {});
        let now = normalizer.protocol();
        if now != found.0 {
            found = (now, objects);
        }
    }
    normalizer.finish(&mut |_| {});
    if normalizer.protocol() != found.0 {
        found = (normalizer.protocol(), objects);
    }
    found
}

/// Whether the protocol makes nothing but `raw` of `input`.
fn maps_nothing(protocol: Protocol, input: &[u8]) -> bool {
    let mut only_raw = true;
    let mut sink = |line: agentnorm::Sourced<'_>| {
        only_raw &= line.events().all(|(kind, _)| kind == EventType::Raw);
    };
    let mut normalizer = Normalizer::new(Options::new(protocol));
    normalizer.push(input, &mut sink);
    normalizer.finish(&mut sink);
    only_raw
}

#[test]
fn auto_takes_every_recording_for_what_it_is() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut needed: BTreeMap<String, BTreeMap<usize, usize>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for protocol in Protocol::ALL {
        let known = !matches!(
            protocol,
            Protocol::Auto | Protocol::None | Protocol::Jsonl | Protocol::Agentnorm
        );
        for case in fs::read_dir(fixtures.join(protocol.name())).unwrap() {
            let case = case.unwrap().path();
            let input = fs::read(case.join("input.jsonl")).unwrap();
            if !known || case.join("not-auto").exists() {
                continue;
            }
            let (found, lines) = choice(&input);
            *needed.entry(protocol.to_string()).or_default().entry(lines).or_default() += 1;
            // Both protocols of Claude Code are one dialect, and a stream of which the dialect itself
            // maps nothing belongs to none.
            let same = found == *protocol
                || (found == Protocol::ClaudeJson && *protocol == Protocol::ClaudeStream)
                || (found == Protocol::Auto && maps_nothing(*protocol, &input));
            if !same {
                wrong.push(format!("{} is taken for {found}", case.display()));
            }
        }
    }
    for (protocol, lines) in &needed {
        let lines: Vec<String> =
            lines.iter().map(|(lines, streams)| format!("{lines}: {streams}")).collect();
        println!("{protocol}: streams by object lines needed: {}", lines.join(", "));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(needed.len() > 14, "only {} dialects", needed.len());
}
