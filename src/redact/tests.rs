//! What the redactor promises of a line and of a text in pieces.

use super::corpus::{Corpus, HARMLESS, Made as Secret, base64 as base64_of};
use std::time::Instant;

use super::*;
use crate::json::place::{Holds, NO_PLACES, PieceAt};

fn redactor() -> Redactor {
    Redaction::builder().build().unwrap().stream()
}

/// The line as it leaves.
fn through(redactor: &mut Redactor, line: &str) -> String {
    let redacted = redactor.line(line.as_bytes(), &NO_PLACES);
    assert!(redacted.before.is_empty());
    redacted
        .line
        .map_or_else(|| line.to_owned(), |made| String::from_utf8(made.line.clone()).unwrap())
}

/// A run of nine characters of `secret` in `text`.
fn leak<'s>(text: &str, secret: &'s str) -> Option<&'s str> {
    (0..secret.len().saturating_sub(8))
        .filter_map(|at| secret.get(at..at + 9))
        .find(|run| !run.contains('\n') && text.contains(run))
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// The ways to write a text in a line.
fn hosts(text: &str) -> Vec<(&'static str, String)> {
    let once = json(text);
    let hidden: String = once
        .chars()
        .map(|c| if "pkAse".contains(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() })
        .collect();
    let hidden = if once.contains('\\') { once.clone() } else { hidden };
    vec![
        (
            "result",
            format!(r#"{{"type":"user","content":[{{"type":"tool_result","content":{once}}}]}}"#),
        ),
        ("input", format!(r#"{{"type":"tool_use","input":{{"command":{once},"n":1}}}}"#)),
        ("nested", format!(r#"{{"arguments":{}}}"#, json(&format!(r#"{{"a":{once}}}"#)))),
        (
            "nested twice",
            format!(
                r#"{{"a":{}}}"#,
                json(&format!(r#"{{"b":{}}}"#, json(&format!("{{\"c\": {once}}}"))))
            ),
        ),
        ("solidus", format!(r#"{{"t":{}}}"#, once.replace('/', "\\/"))),
        ("by number", format!(r#"{{"t":{hidden}}}"#)),
        ("between", format!(r#"{{"t":{}}}"#, json(&format!("so it is\n{text}\nand on")))),
        ("coloured", format!(r#"{{"t":{}}}"#, json(&format!("\u{1b}[32m{text}\u{1b}[0m")))),
        ("key", format!(r#"{{"m":{{{once}:1}}}}"#)),
        ("array", format!(r#"[{{"x":1}},{{"error":{once}}}]"#)),
        ("prose", format!("error: it said {}.", text.replace('\n', "\\n"))),
        ("torn", format!(r#"{{"path":"x","text":{once},"#)),
    ]
}

#[test]
fn no_secret_of_any_kind_leaves_in_any_place() {
    let mut redactor = redactor();
    let mut failed = Vec::new();
    for seed in 0..3 {
        for Secret { kind, text, secret } in Corpus::new(seed).every_kind() {
            for (place, line) in hosts(&text) {
                let out = through(&mut redactor, &line);
                let plain = out.replace("\\/", "/").replace("\\n", "\n");
                if let Some(run) = leak(&plain, &secret).or_else(|| leak(&out, &secret)) {
                    failed.push(format!("{kind} in {place}: {run} of {line}\n   {out}"));
                }
                if place != "prose" && place != "torn" {
                    let value: serde_json::Value = serde_json::from_str(&out).expect(&out);
                    if place.starts_with("nested") {
                        let inner = value.as_object().unwrap().values().next().unwrap();
                        serde_json::from_str::<serde_json::Value>(inner.as_str().unwrap())
                            .expect(&out);
                    }
                }
                assert_eq!(through(&mut redactor, &out), out, "twice is once");
            }
        }
    }
    failed.sort();
    assert!(
        failed.is_empty(),
        "{} leaks:\n{}",
        failed.len(),
        failed.iter().take(12).cloned().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn the_kind_is_named_and_nothing_else_is_touched() {
    let mut redactor = redactor();
    let mut wrong = Vec::new();
    for Secret { kind, text, secret } in Corpus::new(99).every_kind() {
        let line = format!(r#"{{"a":1.50,"t":{},"b" : [ ]}}"#, json(&format!("x {text} y")));
        let out = through(&mut redactor, &line);
        let start = out.find("[redacted:").unwrap_or_else(|| panic!("{kind}: {line}"));
        let name = out[start + 10..].split(':').next().unwrap();
        if name != kind && !(kind == "token" && matches!(name, "key" | "secret")) {
            wrong.push(format!("{kind} is called {name}: {text}"));
        }
        assert_eq!(out.matches("[redacted:").count(), 1, "{out}");
        assert!(
            out.starts_with(&line[..line.find("x ").unwrap()])
                && out.ends_with(r#" y","b" : [ ]}"#),
            "{out}"
        );
        let _ = secret;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_no_secret_is_left_alone() {
    let mut redactor = redactor();
    let mut wrong = Vec::new();
    for text in HARMLESS {
        for (place, line) in hosts(text) {
            let out = through(&mut redactor, &line);
            if out != line {
                wrong.push(format!("{place}: {out}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

static PIECES: Places = Places {
    rows: &[
        PieceAt {
            mark: "delta",
            when: &[("type", "delta")],
            text: "text",
            whose: &["index"],
            holds: Holds::Piece,
        },
        PieceAt {
            mark: "chunk",
            when: &[("type", "chunk")],
            text: "data",
            whose: &[],
            holds: Holds::Encoded,
        },
        PieceAt {
            mark: "sofar",
            when: &[("type", "sofar")],
            text: "parts.*.text",
            whose: &[],
            holds: Holds::SoFar,
        },
    ],
    amid: &[&[("type", "ping")]],
    ..Places::NONE
};

/// The pieces of `text`, cut at `cuts`, joined as they leave.
fn joined(
    redactor: &mut Redactor,
    text: &str,
    cuts: &[usize],
    record: &dyn Fn(&str) -> String,
    read: &dyn Fn(&[u8]) -> String,
) -> String {
    let mut out = String::new();
    let mut from = 0;
    for to in cuts.iter().copied().chain([text.len()]) {
        let line = record(&text[from..to]);
        let redacted = redactor.line(line.as_bytes(), &PIECES);
        for made in redacted.before {
            out.push_str(&read(&made.line));
        }
        if !redacted.withheld {
            out.push_str(&read(redacted.line.map_or(line.as_bytes(), |made| &made.line)));
        }
        let ping = br#"{"type":"ping"}"#;
        // What stands between pieces brings at most a line that was withheld, without its piece.
        for made in redactor.line(ping, &PIECES).before {
            assert_eq!(read(&made.line), "");
        }
        from = to;
    }
    let end = redactor.line(br#"{"type":"stop"}"#, &PIECES);
    assert!(end.line.is_none());
    for made in end.before {
        out.push_str(&read(&made.line));
    }
    out
}

fn delta(piece: &str) -> String {
    format!(r#"{{"type":"delta","index":0,"text":{}}}"#, json(piece))
}

fn delta_text(line: &[u8]) -> String {
    let value: serde_json::Value = serde_json::from_slice(line).unwrap();
    value["text"].as_str().unwrap().to_owned()
}

#[test]
fn pieces_joined_are_the_redacted_whole_wherever_they_are_cut() {
    let redaction = Redaction::builder().build().unwrap();
    for (seed, wrap) in [(1, false), (2, true)] {
        for Secret { kind, text, secret } in Corpus::new(seed).every_kind() {
            let text = format!("so: {text} and then");
            let text = if wrap { json(&text) } else { text };
            let line = format!(r#"{{"t":{}}}"#, json(&text));
            let whole = through(&mut redaction.stream(), &line);
            let whole: serde_json::Value = serde_json::from_str(&whole).unwrap();
            let whole = whole["t"].as_str().unwrap();
            let mut redactor = redaction.stream();
            for cut in (0..=text.len()).step_by(if wrap { 7 } else { 1 }) {
                let again = joined(&mut redactor, &text, &[cut], &delta, &delta_text);
                assert_eq!(again, whole, "{kind}: {:?}", text.split_at(cut));
                assert_eq!(leak(&again, &secret), None);
            }
            let mut rng = Corpus::new(seed);
            for _ in 0..20 {
                let mut cuts: Vec<_> = (0..3).map(|_| rng.range(0..text.len())).collect();
                cuts.sort_unstable();
                let again = joined(&mut redactor, &text, &cuts, &delta, &delta_text);
                assert_eq!(again, whole, "{kind} at {cuts:?}: {text}");
            }
            let each: Vec<_> = (1..text.len()).collect();
            assert_eq!(
                joined(&mut redactor, &text, &each, &delta, &delta_text),
                whole,
                "{kind}: {text}"
            );
        }
    }
}

#[test]
fn other_texts_are_not_held_back_for_long() {
    let mut redactor = redactor();
    for text in HARMLESS {
        for cut in 0..=text.len() {
            if text.is_char_boundary(cut) {
                assert_eq!(joined(&mut redactor, text, &[cut], &delta, &delta_text), *text);
            }
        }
    }
    // Of prose in pieces of a few letters, hardly anything waits.
    let prose = include_str!("../../README.md");
    let prose: String = prose.chars().filter(char::is_ascii).collect();
    let (mut held, mut cuts, mut from) = (0, 0, 0);
    let mut rng = Corpus::new(5);
    let mut out = String::new();
    while from < prose.len() {
        let to = (from + rng.range(1..20)).min(prose.len());
        let line = delta(&prose[from..to]);
        let redacted = redactor.line(line.as_bytes(), &PIECES);
        for made in redacted.before {
            out.push_str(&delta_text(&made.line));
        }
        if !redacted.withheld {
            out.push_str(&delta_text(redacted.line.map_or(line.as_bytes(), |made| &made.line)));
        }
        held += to - out.len();
        cuts += 1;
        from = to;
    }
    assert!(held < cuts * 2, "{held} characters held at {cuts} cuts");
}

#[test]
fn pieces_in_base64_and_texts_so_far_are_redacted_too() {
    let redaction = Redaction::builder().build().unwrap();
    for Secret { kind, text, secret } in Corpus::new(3).every_kind() {
        let text = format!("{text}\ndone");
        let mut redactor = redaction.stream();
        let chunk =
            |piece: &str| format!(r#"{{"type":"chunk","data":"{}"}}"#, base64_of(piece.as_bytes()));
        let read = |line: &[u8]| {
            use base64::Engine as _;
            let value: serde_json::Value = serde_json::from_slice(line).unwrap();
            String::from_utf8(
                base64::prelude::BASE64_STANDARD.decode(value["data"].as_str().unwrap()).unwrap(),
            )
            .unwrap()
        };
        for cut in (0..=text.len()).step_by(3) {
            let again = joined(&mut redactor, &text, &[cut], &chunk, &read);
            assert_eq!(leak(&again, &secret), None, "{kind}");
            assert!(again.ends_with("\ndone") || kind == "private-key", "{again}");
            // The next says the whole of what the last said a part of.
            let mut before = String::new();
            for to in [cut, text.len()] {
                let line =
                    format!(r#"{{"type":"sofar","parts":[{{"text":{}}}]}}"#, json(&text[..to]));
                let redacted = redactor.line(line.as_bytes(), &PIECES);
                let line = redacted.line.map_or(line.as_bytes(), |made| &made.line);
                let value: serde_json::Value = serde_json::from_slice(line).unwrap();
                let now = value["parts"][0]["text"].as_str().unwrap().to_owned();
                assert!(now.starts_with(&before), "{before:?} {now:?}");
                assert_eq!(leak(&now, &secret), None, "{kind}");
                before = now;
            }
        }
    }
}

#[test]
fn signatures_and_sealed_content_stay_as_they_are() {
    let mut redactor = redactor();
    let token = Corpus::new(1).every_kind().swap_remove(0).secret;
    for key in ["signature", "thinkingSignature", "encrypted_content"] {
        let line = format!(r#"{{"{key}":"x {token} y","n":1}}"#);
        assert_eq!(through(&mut redactor, &line), line);
    }
}

#[test]
fn hostile_lines_take_linear_time() {
    let mut redactor = redactor();
    let token = Corpus::new(1).every_kind().swap_remove(0).secret;
    let units = [
        "a.a.a.",
        "\"\\\\\\\\",
        "token=",
        "token='",
        "eyJ-",
        "-----BEGIN PRIVATE KEY-----\\n",
        "://a:",
        "cookie: a=",
        "authorization:",
        "\\u005cu005c",
        "sk-ant-",
        "password=a1",
        "ghp_",
        "Bearer ",
        "[redacted:",
        "://:@",
        "api_key=\"",
    ];
    for unit in units {
        let mut took = |length: usize| {
            let line = format!("{token} {}", unit.repeat(length / unit.len()));
            let start = Instant::now();
            through(&mut redactor, &line);
            through(&mut redactor, &format!("{{\"t\":{}}}", json(&line)));
            start.elapsed().as_secs_f64()
        };
        took(1 << 10);
        let (short, long) = (took(32 << 10).max(0.01), took(256 << 10));
        assert!(long / short < 24.0, "{unit}: {short} s, and {long} s for eight times as much");
    }
}

#[test]
fn values_are_found_and_short_ones_are_refused() {
    let mut builder = Redaction::builder();
    assert!(builder.value("PIN", "1234567").unwrap_err().to_string().contains("PIN"));
    builder.value("A_SECRET", "it's \"quoted\"\\ & <so>\nsecond line").unwrap();
    builder.value("JSON", r#"{"deep":["inner value"]}"#).unwrap();
    let redaction = builder.build().unwrap();
    let mut redactor = redaction.stream();
    let out = through(
        &mut redactor,
        &format!("{{\"t\":{}}}", json("x it's \"quoted\"\\ & <so>\nsecond line y")),
    );
    assert!(
        out.starts_with(r#"{"t":"x [redacted:env-a-secret:"#) && out.ends_with(r#"] y"}"#),
        "{out}"
    );
    let nested = json(&json("x it's \"quoted\"\\ & <so>\nsecond line y"));
    assert!(!through(&mut redactor, &format!("{{\"t\":{nested}}}")).contains("quoted"));
    assert!(through(&mut redactor, "say: inner value!").contains("env-json"));
    assert!(through(&mut redactor, r#"{"t":"a second line"}"#).contains("env-a-secret"));
    for cut in 1..11 {
        let text = "say inner value!";
        let out = joined(&mut redactor, text, &[cut + 3], &delta, &delta_text);
        assert!(out.starts_with("say [redacted:env-json:") && out.ends_with("]!"), "{out}");
    }
}

#[test]
fn the_users_rules_are_obeyed() {
    let mut builder = Redaction::builder();
    builder.rules("# ours\nticket\tTICKET-([0-9]{4})\n!aws-key-id\nok\tghp_.*\n").unwrap();
    let redaction = builder.build().unwrap();
    let mut redactor = redaction.stream();
    let out = through(&mut redactor, r#"{"t":"see TICKET-1234."}"#);
    assert!(out.starts_with(r#"{"t":"see TICKET-[redacted:ticket:"#), "{out}");
    for made in Corpus::new(4).every_kind() {
        if made.kind == "aws-key-id" || made.text.starts_with(&["gh", "p_"].concat()) {
            assert_eq!(through(&mut redactor, &made.text), made.text);
        }
    }
    for (rules, word) in [
        ("x\t(", "line 1"),
        ("\nno tab", "line 2"),
        ("!nothing", "nothing"),
        ("x\ta*", "empty"),
        ("X\ta", "a-z"),
    ] {
        let error = Redaction::builder().rules(rules).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn equal_secrets_stay_equal_and_the_key_decides() {
    let token = Corpus::new(1).every_kind().swap_remove(0).secret;
    let with_key = |key: &[u8]| {
        let mut builder = Redaction::builder();
        builder.key(key);
        through(&mut builder.build().unwrap().stream(), &token)
    };
    assert_eq!(with_key(b"one"), with_key(b"one"));
    assert_ne!(with_key(b"one"), with_key(b"two"));
    let redaction = Redaction::builder().build().unwrap();
    let out = through(&mut redaction.stream(), &format!("{token} {token}"));
    let (a, b) = out.split_once(' ').unwrap();
    assert_eq!(a, b);
    assert_eq!(redaction.report().unwrap(), "redacted 1 secret in 2 places: github-token 1");
}
