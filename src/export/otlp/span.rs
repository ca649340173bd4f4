//! Spans, and their JSON as the protocol has it: ids in hexadecimal, 64-bit numbers as strings.

use serde_json::{Map, Value as Json, json};

use crate::export::ids::hex;

/// A list of attributes.
#[derive(Debug, Clone, Default)]
pub(super) struct Attributes(Vec<Json>);

impl Attributes {
    pub(super) fn text(&mut self, key: &str, text: impl AsRef<str>) {
        self.push(key, json!({"stringValue": text.as_ref()}));
    }

    pub(super) fn text_of(&mut self, key: &str, text: Option<impl AsRef<str>>) {
        if let Some(text) = text {
            self.text(key, text);
        }
    }

    pub(super) fn count(&mut self, key: &str, count: Option<u64>) {
        // The protocol's numbers are signed.
        if let Some(count) = count.and_then(|count| i64::try_from(count).ok()) {
            self.number(key, count);
        }
    }

    pub(super) fn number(&mut self, key: &str, number: i64) {
        self.push(key, json!({"intValue": number.to_string()}));
    }

    pub(super) fn float(&mut self, key: &str, number: f64) {
        self.push(key, json!({"doubleValue": number}));
    }

    pub(super) fn yes(&mut self, key: &str) {
        self.push(key, json!({"boolValue": true}));
    }

    fn push(&mut self, key: &str, value: Json) {
        let (key, value) = (("key".to_owned(), key.into()), ("value".to_owned(), value));
        self.0.push(Json::Object(Map::from_iter([key, value])));
    }

    pub(super) fn into_json(self) -> Json {
        Json::Array(self.0)
    }
}

/// What happened at a moment of a span.
#[derive(Debug)]
pub(super) struct Moment {
    pub(super) time: i64,
    pub(super) name: String,
    pub(super) attributes: Attributes,
}

/// Whether the span is of work done here, or of a request.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Internal = 1,
    Client = 3,
}

/// A span. Times are milliseconds since 1970.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) id: [u8; 8],
    pub(super) parent: Option<[u8; 8]>,
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) attributes: Attributes,
    pub(super) moments: Vec<Moment>,
    /// Why it failed, if it did; empty where nobody says.
    pub(super) failed: Option<String>,
}

impl Span {
    pub(super) fn into_json(self, trace: [u8; 16], flags: u32) -> Json {
        let mut span = json!({
            "traceId": hex(&trace),
            "spanId": hex(&self.id),
            "flags": flags,
            "name": self.name,
            "kind": self.kind as u8,
            "startTimeUnixNano": nanoseconds(self.start),
            "endTimeUnixNano": nanoseconds(self.end.max(self.start)),
            "attributes": self.attributes.into_json(),
        });
        if let Some(parent) = self.parent {
            put(&mut span, "parentSpanId", hex(&parent).into());
        }
        if !self.moments.is_empty() {
            let moment = |moment: Moment| {
                json!({
                    "timeUnixNano": nanoseconds(moment.time),
                    "name": moment.name,
                    "attributes": moment.attributes.into_json(),
                })
            };
            put(&mut span, "events", self.moments.into_iter().map(moment).collect());
        }
        if let Some(why) = self.failed {
            let mut status = json!({"code": 2});
            if !why.is_empty() {
                put(&mut status, "message", why.into());
            }
            put(&mut span, "status", status);
        }
        span
    }
}

fn put(object: &mut Json, key: &str, value: Json) {
    if let Json::Object(object) = object {
        object.insert(key.to_owned(), value);
    }
}

/// No moment is before 1970 there.
fn nanoseconds(milliseconds: i64) -> String {
    let milliseconds = u64::try_from(milliseconds).unwrap_or_default();
    milliseconds.saturating_mul(1_000_000).to_string()
}
