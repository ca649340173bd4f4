//! The tables of `docs/vocabulary.md`: the keys from the published schema, and who fills them from
//! what the fixtures print.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use agentnorm::Protocol;
use serde_json::{Map, Value};

/// Who does something: names of dialects.
type Names = BTreeSet<&'static str>;

/// What the fixtures print.
#[derive(Default)]
struct Printed {
    /// By the name of the object and the key (`""`: the object itself).
    keys: BTreeMap<(String, String), Names>,
    types: BTreeMap<String, Names>,
    /// Keys that stand beside the payload.
    beside: BTreeMap<String, Names>,
    all: Names,
}

pub(crate) fn tables(fixtures: &Path) -> String {
    let schema: Value = serde_json::from_str(&agentnorm::schema::json_schema()).unwrap();
    let printed = read(fixtures, &schema);
    let mut out = String::new();
    matrix(&mut out, &schema, &printed);
    writeln!(out, "\n### Beside the payload\n").unwrap();
    beside(&mut out, &schema, &printed);
    writeln!(out, "\n### In every payload that has them\n").unwrap();
    context(&mut out, &schema, &printed);
    for branch in branches(&schema) {
        let (kind, name) = names(branch);
        let heading = match name {
            "CallUsage" => "`usage`, scope `call`".to_owned(),
            "SessionUsage" => "`usage`, scope `session`".to_owned(),
            "RawJson" => "`raw` with `json`".to_owned(),
            "RawText" => "`raw` with `text`".to_owned(),
            _ => format!("`{kind}`"),
        };
        object(&mut out, &heading, &schema, &printed, name);
    }
    writeln!(out, "\n## Objects inside payloads").unwrap();
    for name in schema["$defs"].as_object().unwrap().keys() {
        let is_record = name == "PassedOn" || name.ends_with("Event");
        if !is_record && branches(&schema).all(|branch| names(branch).1 != name) {
            object(&mut out, name, &schema, &printed, name);
        }
    }
    out
}

/// The records, one for each payload.
fn branches(schema: &Value) -> impl Iterator<Item = &Value> {
    let branches = schema["oneOf"].as_array().unwrap().iter();
    branches.map(|branch| &schema["$defs"][referred(branch["$ref"].as_str().unwrap())])
}

fn names(branch: &Value) -> (&str, &str) {
    let properties = &branch["properties"];
    let of = properties["payload"]["$ref"].as_str().unwrap();
    (properties["type"]["const"].as_str().unwrap(), referred(of))
}

fn referred(reference: &str) -> &str {
    reference.strip_prefix("#/$defs/").unwrap()
}

/// Claude Code has two protocols and one reading.
fn family(name: &'static str) -> &'static str {
    name.strip_suffix("-json").or(name.strip_suffix("-stream")).unwrap_or(name)
}

fn read(fixtures: &Path, schema: &Value) -> Printed {
    let mut printed = Printed::default();
    for protocol in Protocol::ALL {
        let name = protocol.name();
        if matches!(name, "auto" | "agentnorm" | "none" | "jsonl") {
            continue;
        }
        printed.all.insert(family(name));
        for case in fs::read_dir(fixtures.join(name)).unwrap() {
            let path = case.unwrap().path().join("expected.jsonl");
            for line in fs::read_to_string(path).unwrap().lines() {
                let record: Map<String, Value> = serde_json::from_str(line).unwrap();
                record_of(family(name), &record, schema, &mut printed);
            }
        }
    }
    printed
}

fn record_of(
    who: &'static str,
    record: &Map<String, Value>,
    schema: &Value,
    printed: &mut Printed,
) {
    for key in record.keys() {
        printed.beside.entry(key.clone()).or_default().insert(who);
    }
    let kind = record["type"].as_str().unwrap();
    let payload = record["payload"].as_object().unwrap();
    printed.types.entry(kind.to_owned()).or_default().insert(who);
    let name = match kind {
        "usage" if payload["scope"] == "call" => "CallUsage",
        "usage" => "SessionUsage",
        "raw" if payload.contains_key("json") => "RawJson",
        "raw" => "RawText",
        _ => names(branches(schema).find(|branch| names(branch).0 == kind).unwrap()).1,
    };
    fill(who, name, payload, schema, printed);
}

/// Notes which keys of `object` have a value.
fn fill(
    who: &'static str,
    name: &str,
    object: &Map<String, Value>,
    schema: &Value,
    printed: &mut Printed,
) {
    let mut note = |key: &str| {
        printed.keys.entry((name.to_owned(), key.to_owned())).or_default().insert(who);
    };
    note("");
    for (key, value) in object {
        if !matches!(value, Value::Null | Value::Bool(false)) {
            note(key);
        }
    }
    for (key, value) in object {
        let shape = &schema["$defs"][name]["properties"][key];
        let inner =
            [&shape["$ref"], &shape["items"]["$ref"], &shape["additionalProperties"]["$ref"]];
        let Some(of) = inner.into_iter().find_map(Value::as_str).map(referred) else { continue };
        let inside: Vec<&Value> = match value {
            Value::Array(items) => items.iter().collect(),
            Value::Object(keyed) if shape["$ref"].is_null() => keyed.values().collect(),
            one => vec![one],
        };
        for value in inside.into_iter().filter_map(Value::as_object) {
            fill(who, of, value, schema, printed);
        }
    }
}

fn matrix(out: &mut String, schema: &Value, printed: &Printed) {
    let kinds: Vec<&str> = schema["$defs"]["PassedOn"]["properties"]["type"]["enum"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| kind.as_str().unwrap())
        .collect();
    writeln!(out, "| type | what it stands for | printed by |\n| --- | --- | --- |").unwrap();
    for kind in kinds {
        let branch = branches(schema).find(|branch| names(branch).0 == kind).unwrap();
        let doc = branch["properties"]["type"]["description"].as_str().unwrap();
        let who = &printed.types[kind];
        writeln!(out, "| `{kind}` | {doc} | {} |", list(who, &printed.all)).unwrap();
    }
}

/// The keys that every payload may hold.
const CONTEXT: [&str; 2] = ["parentCallId", "messageId"];

fn context(out: &mut String, schema: &Value, printed: &Printed) {
    writeln!(out, "| key | value | meaning | filled by |\n| --- | --- | --- | --- |").unwrap();
    for key in CONTEXT {
        let shape = &schema["$defs"]["Message"]["properties"][key];
        let of_key = printed.keys.iter().filter(|((_, of), _)| of == key);
        let who: Names = of_key.flat_map(|(_, names)| names).copied().collect();
        let doc = shape["description"].as_str().unwrap();
        writeln!(out, "| `{key}` | {} | {doc} | {} |", value(shape), list(&who, &printed.all))
            .unwrap();
    }
}

fn beside(out: &mut String, schema: &Value, printed: &Printed) {
    writeln!(out, "| key | value | meaning | filled by |\n| --- | --- | --- | --- |").unwrap();
    let properties = schema["$defs"]["PassedOn"]["properties"].as_object().unwrap();
    for (key, shape) in properties.iter().filter(|(key, _)| *key != "type" && *key != "payload") {
        let who = printed.beside.get(key).cloned().unwrap_or_default();
        let doc = shape["description"].as_str().unwrap();
        writeln!(out, "| `{key}` | {} | {doc} | {} |", value(shape), list(&who, &printed.all))
            .unwrap();
    }
}

fn object(out: &mut String, heading: &str, schema: &Value, printed: &Printed, name: &str) {
    let def = &schema["$defs"][name];
    let filled = |key: &str| {
        printed.keys.get(&(name.to_owned(), key.to_owned())).cloned().unwrap_or_default()
    };
    let all = filled("");
    writeln!(out, "\n### {heading}\n\n{}", def["description"].as_str().unwrap()).unwrap();
    writeln!(out, "Printed by {}.\n", list(&all, &printed.all)).unwrap();
    writeln!(out, "| key | | value | meaning | filled by |\n| --- | --- | --- | --- | --- |")
        .unwrap();
    let core: Vec<&str> =
        def["required"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
    let properties = def["properties"].as_object().unwrap();
    for (key, shape) in properties.iter().filter(|(key, _)| !CONTEXT.contains(&key.as_str())) {
        let class = if core.contains(&key.as_str()) { "core" } else { "" };
        let doc = shape["description"].as_str().unwrap();
        let who = list(&filled(key), &all);
        writeln!(out, "| `{key}` | {class} | {} | {doc} | {who} |", value(shape)).unwrap();
    }
}

fn list(who: &Names, all: &Names) -> String {
    let missing: Vec<&str> = all.difference(who).copied().collect();
    match (who.len(), missing.len()) {
        (0, _) => "none so far".to_owned(),
        (_, 0) => "all".to_owned(),
        (some, few) if few <= 3 && some > 5 => format!("all but {}", missing.join(", ")),
        _ => who.iter().copied().collect::<Vec<_>>().join(", "),
    }
}

/// What a value looks like, in a word.
fn value(shape: &Value) -> String {
    if let Some(reference) = shape["$ref"].as_str() {
        return link(referred(reference));
    }
    if let Some(words) = shape["enum"].as_array() {
        let words: Vec<String> =
            words.iter().map(|word| format!("`{}`", word.as_str().unwrap())).collect();
        return words.join(", ");
    }
    if shape["const"] == true {
        return "`true`".to_owned();
    }
    if let Some(any) = shape["anyOf"].as_array() {
        return value(&any[0]);
    }
    let plain = shape["type"].as_str().or(shape["type"][0].as_str());
    match plain {
        Some("array") => format!("list of {}", value(&shape["items"])),
        Some("object") => format!("{} by name", value(&shape["additionalProperties"])),
        Some(plain) => plain.to_owned(),
        None => "any JSON".to_owned(),
    }
}

fn link(name: &str) -> String {
    format!("[{name}](#{})", name.to_ascii_lowercase())
}
