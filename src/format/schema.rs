//! The format as a schema, generated from the vocabulary's own tables.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::format::event::{EventType, OBJECTS};
use crate::format::shape::{KeyShape, ObjectShape, Shape};

/// What stands beside `type` and `payload` in a record.
const ENVELOPE: [(&str, Shape, &str); 7] = [
    (
        "line",
        Shape::Count,
        "The number of the input line, from 1; all events of a line share it. Absent where no line \
         caused the event.",
    ),
    (
        "sessionId",
        Shape::String,
        "The session that the event belongs to: the one that its line names, else the one that the stream \
         named last. Absent until a session has been named.",
    ),
    (
        "redacted",
        Shape::Count,
        "In how many places of the line a secret was replaced; the placeholders stand in source, too.",
    ),
    (
        "time",
        Shape::String,
        "RFC 3339, UTC, milliseconds: the harness's own time; where it states none, with --stamp the \
         time of reading.",
    ),
    (
        "source",
        Shape::String,
        "The input line without white space at its edges; invalid UTF-8 is replaced by U+FFFD.",
    ),
    (
        "sourceBytes",
        Shape::String,
        "The line's exact bytes in base64, where it was not valid UTF-8.",
    ),
    (
        "sourceTruncated",
        Shape::True,
        "The line was over the line limit: source holds its first 8,000 characters.",
    ),
];

/// What every payload may hold besides its own keys.
const CONTEXT: [(&str, Shape, &str); 2] = [
    ("parentCallId", Shape::String, "The tool call whose subagent produced this."),
    (
        "messageId",
        Shape::String,
        "The harness's id of the message that this belongs to: usage events with one id are of one \
         model call.",
    ),
];

const ABOUT: &str = "A record that agentnorm writes. Core keys are required, and null where the harness \
     did not say; the other keys are there only with a value, never null. New types and new keys may \
     come; none is ever renamed or removed. So accept keys that are not named here, and treat a type \
     that is not named here like raw.";

const PASSED_ON: &str = "A record of a harness that speaks the vocabulary itself (protocol jsonl). Its \
     keys are passed on unchanged, so only the type is known.";

/// JSON Schema 2020-12 of a record.
pub fn json_schema() -> String {
    let mut defs = Map::new();
    for (kind, object) in OBJECTS {
        defs.insert(object.name.to_owned(), object_schema(object, kind.is_some()));
    }
    // Each record is an object of its own with a name of its own: generators of code make a type of it.
    let mut each = Vec::new();
    for (kind, object) in OBJECTS {
        if let Some(kind) = kind {
            let name = format!("{}Event", object.name);
            let kind_schema = json!({"const": kind.name(), "description": text(kind.doc())});
            let payload = json!({"$ref": format!("#/$defs/{}", object.name)});
            each.push(json!({"$ref": format!("#/$defs/{name}")}));
            defs.insert(name.clone(), envelope(&name, &kind_schema, &payload));
        }
    }
    let names: Vec<&str> = EventType::ALL.iter().map(|kind| kind.name()).collect();
    let passed_on = envelope("PassedOn", &json!({"enum": names}), &json!({"type": "object"}));
    defs.insert("PassedOn".to_owned(), described(passed_on, PASSED_ON));
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "AgentnormEvent",
        "description": ABOUT,
        "oneOf": each,
        "$defs": defs,
    });
    format!("{schema:#}\n")
}

/// A record with these schemas of its type and its payload.
fn envelope(title: &str, kind: &Value, payload: &Value) -> Value {
    let mut properties = Map::new();
    properties.insert("type".to_owned(), kind.clone());
    properties.insert("payload".to_owned(), payload.clone());
    for (name, shape, doc) in ENVELOPE {
        let mut schema = shape_schema(shape);
        match name {
            "line" | "redacted" => merge(&mut schema, json!({"minimum": 1})),
            "time" => merge(&mut schema, json!({"format": "date-time"})),
            "sourceBytes" => merge(&mut schema, json!({"contentEncoding": "base64"})),
            _ => {}
        }
        properties.insert(name.to_owned(), described(schema, doc));
    }
    json!({
        "title": title,
        "type": "object",
        "required": ["type", "payload"],
        "properties": properties,
    })
}

fn object_schema(object: &ObjectShape, is_payload: bool) -> Value {
    let mut properties = Map::new();
    for key in object.keys {
        let shape = if key.core { key.shape } else { given(key.shape) };
        properties.insert(key.name.to_owned(), described(shape_schema(shape), &text(key.doc)));
    }
    for (name, shape, doc) in CONTEXT.iter().filter(|_| is_payload) {
        properties.insert((*name).to_owned(), described(shape_schema(*shape), doc));
    }
    let required: Vec<&str> =
        object.keys.iter().filter(|key| key.core).map(|key| key.name).collect();
    json!({
        "title": object.name,
        "type": "object",
        "description": text(object.doc),
        "required": required,
        "properties": properties,
    })
}

fn shape_schema(shape: Shape) -> Value {
    match shape {
        Shape::String => json!({"type": "string"}),
        Shape::Integer => json!({"type": "integer"}),
        Shape::Count => json!({"type": "integer", "minimum": 0}),
        Shape::Number => json!({"type": "number"}),
        Shape::Boolean => json!({"type": "boolean"}),
        Shape::True => json!({"const": true}),
        Shape::Json => json!({}),
        Shape::Words(words) => json!({"enum": words}),
        Shape::Nullable(inner) => match shape_schema(*inner) {
            Value::Object(mut plain) if plain.get("type").is_some_and(Value::is_string) => {
                let kind = plain.get("type").cloned();
                plain.insert("type".to_owned(), json!([kind, "null"]));
                Value::Object(plain)
            }
            other => json!({"anyOf": [other, {"type": "null"}]}),
        },
        Shape::List(inner) => json!({"type": "array", "items": shape_schema(*inner)}),
        Shape::Keyed(inner) => {
            json!({"type": "object", "additionalProperties": shape_schema(*inner)})
        }
        Shape::Object(object) => json!({"$ref": format!("#/$defs/{}", object.name)}),
    }
}

/// TypeScript declarations of a record.
pub fn typescript() -> String {
    let mut out = String::from("// Generated by `agentnorm schema typescript`.\n\n");
    doc(&mut out, "", ABOUT);
    out.push_str("export type AgentnormEvent =\n");
    for (kind, object) in OBJECTS {
        if let Some(kind) = kind {
            line(&mut out, &format!("  | Envelope<\"{}\", {}>", kind.name(), object.name));
        }
    }
    out.truncate(out.trim_end().len());
    out.push_str(";\n\n");
    doc(&mut out, "", "The event, and the line it came from.");
    out.push_str("export interface Envelope<Type extends string, Payload> {\n");
    line(&mut out, "  type: Type;");
    line(&mut out, "  payload: Payload;");
    for (name, shape, about) in ENVELOPE {
        doc(&mut out, "  ", about);
        line(&mut out, &format!("  {name}?: {};", typescript_shape(shape)));
    }
    out.push_str("}\n\n");
    doc(&mut out, "", "What every payload may hold besides its own keys.");
    out.push_str("export interface Context {\n");
    for (name, shape, about) in CONTEXT {
        doc(&mut out, "  ", about);
        line(&mut out, &format!("  {name}?: {};", typescript_shape(shape)));
    }
    out.push_str("}\n");
    for (kind, object) in OBJECTS {
        out.push('\n');
        doc(&mut out, "", &text(object.doc));
        let extends = if kind.is_some() { " extends Context" } else { "" };
        line(&mut out, &format!("export interface {}{extends} {{", object.name));
        for key in object.keys {
            typescript_key(&mut out, key);
        }
        out.push_str("}\n");
    }
    out
}

fn typescript_key(out: &mut String, key: &KeyShape) {
    doc(out, "  ", &text(key.doc));
    let (mark, shape) = if key.core { ("", key.shape) } else { ("?", given(key.shape)) };
    line(out, &format!("  {}{mark}: {};", key.name, typescript_shape(shape)));
}

fn typescript_shape(shape: Shape) -> String {
    match shape {
        Shape::String => "string".to_owned(),
        Shape::Integer | Shape::Count | Shape::Number => "number".to_owned(),
        Shape::Boolean => "boolean".to_owned(),
        Shape::True => "true".to_owned(),
        Shape::Json => "unknown".to_owned(),
        Shape::Words(words) => {
            words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | ")
        }
        Shape::Nullable(inner) => format!("{} | null", typescript_shape(*inner)),
        Shape::List(inner) => format!("Array<{}>", typescript_shape(*inner)),
        Shape::Keyed(inner) => format!("Record<string, {}>", typescript_shape(*inner)),
        Shape::Object(object) => object.name.to_owned(),
    }
}

/// The shape of an extension key, which is neither null nor false.
fn given(shape: Shape) -> Shape {
    match shape {
        Shape::Nullable(inner) => *inner,
        Shape::Boolean => Shape::True,
        other => other,
    }
}

fn merge(schema: &mut Value, more: Value) {
    if let (Value::Object(schema), Value::Object(more)) = (schema, more) {
        schema.extend(more);
    }
}

fn described(mut schema: Value, doc: &str) -> Value {
    merge(&mut schema, json!({"description": doc}));
    schema
}

fn text(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

fn doc(out: &mut String, indent: &str, text: &str) {
    line(out, &format!("{indent}/** {text} */"));
}

fn line(out: &mut String, text: &str) {
    // Writing to memory cannot fail.
    let _ = writeln!(out, "{text}");
}
