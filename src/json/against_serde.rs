//! The scanner against another reader: what strict JSON is, what it says, and in which order.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use serde_json::Value as Json;

use super::{Doc, Kind, Number, Value, is_strict, respelled};

/// Pieces of strings, among them all that strict JSON refuses.
const PIECES: [&str; 22] = [
    "a",
    " ",
    "é",
    "한",
    "🚀",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\u0041",
    "\\u00e9",
    "\\ud83d\\ude80",
    "\\ud83d",
    "\\ude80",
    "\\ud83d\\u0041",
    "\\x",
    "\\u12",
    "\t",
    "\u{1}",
    "\u{7f}",
    "\u{2028}",
    "{}[]:,",
];

const SCALARS: [&str; 26] = [
    "null",
    "true",
    "false",
    "0",
    "-0",
    "17",
    "-1",
    "0.5",
    "1.50",
    "1e3",
    "1E-3",
    "-0.0e+0",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "1e308",
    "1e400",
    "01",
    "1.",
    ".5",
    "+1",
    "NaN",
    "-Infinity",
    "tru",
    "nul l",
];

/// What takes the place of something, or comes between.
const ODD: [&str; 24] = [
    "\"", "\\", "{", "}", "[", "]", ":", ",", " ", "\n", "\u{c}", "\u{feff}", "\u{a0}", "0", "-",
    ".", "e", "n", "é", "🚀", "\\u", "\u{0}", "[[[[[[[[", "]]]]]]]]",
];

fn string() -> impl Strategy<Value = String> {
    // Long enough for every way through the blocks that are looked at together.
    let filling = (0..70_usize).prop_map(|count| "x".repeat(count));
    let pieces = vec(prop::sample::select(&PIECES[..13]), 0..6);
    let any = vec(prop::sample::select(&PIECES[..]), 0..4);
    (filling, pieces, any, prop::bool::weighted(0.3)).prop_map(|(filling, pieces, any, odd)| {
        let any = if odd { any.concat() } else { String::new() };
        format!("\"{filling}{}{any}\"", pieces.concat())
    })
}

fn json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        4 => prop::sample::select(&SCALARS[..17]),
        1 => prop::sample::select(&SCALARS[17..]),
    ];
    let leaf = prop_oneof![
        string(),
        scalar.prop_map(str::to_owned),
        any::<u64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_filter("finite", |n| n.is_finite()).prop_map(|n| format!("{n:e}")),
    ];
    leaf.prop_recursive(6, 48, 6, |inner| {
        let blank = || prop::sample::select(vec!["", "", "", " ", "\t\r\n"]);
        let key = prop_oneof![
            Just("\"a\"".to_owned()),
            Just("\"\\u0061\"".to_owned()),
            Just("\"b\"".to_owned()),
            string()
        ];
        prop_oneof![
            (vec(inner.clone(), 0..6), blank())
                .prop_map(|(items, blank)| format!("[{blank}{}{blank}]", items.join(","))),
            (vec((key, inner), 0..6), blank()).prop_map(|(members, blank)| {
                let members: Vec<_> =
                    members.iter().map(|(k, v)| format!("{k}{blank}:{blank}{v}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// A line, and what was done to it: at a place so much was taken out and something put in.
fn line() -> impl Strategy<Value = String> {
    let change = (
        any::<prop::sample::Index>(),
        0..3_usize,
        prop::option::of(prop::sample::select(&ODD[..])),
    );
    (json(), vec(change, 0..3)).prop_map(|(mut text, changes)| {
        for (at, out, odd) in changes {
            let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let from = at.index(starts.len().max(1));
            let start = starts.get(from).copied().unwrap_or(0);
            let end = starts.get(from + out).copied().unwrap_or(text.len());
            text.replace_range(start..end.max(start), odd.unwrap_or_default());
        }
        text
    })
}

/// Whether both say the same; serde's floats may be off by a bit.
fn same(ours: Value<'_>, theirs: &Json) -> bool {
    match (ours.kind(), theirs) {
        (Kind::Null, Json::Null) => true,
        (Kind::Bool, Json::Bool(theirs)) => ours.bool() == Some(*theirs),
        (Kind::String, Json::String(theirs)) => {
            ours.decode().as_deref() == Some(theirs) && ours.is(theirs)
        }
        (Kind::Number, Json::Number(theirs)) => match ours.number() {
            Some(Number::Int(int)) if theirs.is_u64() => theirs.as_u64() == Some(int),
            _ => ours
                .f64()
                .zip(theirs.as_f64())
                .is_some_and(|(a, b)| (a - b).abs() <= a.abs() * 1e-15 + f64::MIN_POSITIVE),
        },
        (Kind::Array, Json::Array(theirs)) => {
            ours.elements().count() == theirs.len()
                && ours.elements().zip(theirs).all(|(a, b)| same(a, b))
        }
        (Kind::Object, Json::Object(theirs)) => {
            // Where a key is repeated, the first place and the last value count.
            let mut keys = Vec::new();
            for (key, _) in ours.members() {
                let key = key.decode().into_owned();
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            keys.iter().eq(theirs.keys())
                && theirs.iter().all(|(key, value)| same(ours.get(key), value))
        }
        _ => false,
    }
}

/// What is checked of a line: whether it was read at all, whether strictly.
fn compare(text: &str) -> (bool, bool) {
    let mut doc = Doc::default();
    let theirs: Option<Json> = serde_json::from_str(text).ok();
    let Some(ours) = doc.parse(text) else {
        assert!(theirs.is_none(), "only serde reads {text:?}");
        return (false, false);
    };
    let strict = is_strict(ours);
    if let Some(theirs) = &theirs {
        assert!(strict, "only serde takes {text:?} for strict");
        assert!(same(ours, theirs), "{text:?} is not {theirs}");
    } else if strict {
        // A form feed behind the value is white space to us; the value is what is passed on.
        let value: Result<Json, _> = serde_json::from_str(ours.text());
        assert!(value.is_ok_and(|value| same(ours, &value)), "only we take {text:?} for strict");
    }
    let mended = respelled(ours).unwrap();
    let again: Json = serde_json::from_str(&mended)
        .unwrap_or_else(|error| panic!("{error}: {mended:?} of {text:?}"));
    let mut doc = Doc::default();
    assert!(same(doc.parse(&mended).unwrap(), &again), "{mended:?} of {text:?}");
    (true, strict)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_scanner_reads_what_serde_json_reads(text in line()) {
        compare(&text);
    }
}

#[test]
fn the_property_sees_lines_of_every_sort() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut read, mut strict) = (0, 0);
    for _ in 0..500 {
        let text = line().new_tree(&mut runner).unwrap().current();
        let (is_read, is_strict) = compare(&text);
        read += u32::from(is_read);
        strict += u32::from(is_strict);
    }
    assert!((150..450).contains(&read), "{read} of 500 were read");
    assert!(strict > 80 && read - strict > 40, "{read} were read, {strict} strictly");
}
