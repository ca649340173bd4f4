//! What a record that was not mapped is called: its type, and the type of what it wraps.

use crate::adapter::type_keys;
use crate::json::Value;

/// Where records of no dialect say what they are.
const OTHERS: [&str; 2] = ["event", "name"];
/// Where a record says it more closely.
const SUBTYPE: [&str; 3] = ["subtype", "say", "ask"];
/// The objects that a record wraps, which say what they are in turn.
const INSIDE: [&str; 10] =
    ["item", "msg", "event", "part", "params", "update", "request", "payload", "message", "data"];

/// Returns the record's type and subtype. One without a type is named after its keys.
pub(super) fn of(record: Value<'_>) -> (String, Option<String>) {
    let close = SUBTYPE.iter().map(|key| record.get(key)).find(|value| value.is_string()).map(text);
    let inside = || {
        let inner = INSIDE.iter().map(|key| record.get(key)).find(|inner| inner.is_object())?;
        word(inner).or_else(|| word(inner.get("update")))
    };
    let inside = close.or_else(inside);
    match word(record) {
        Some(kind) => (kind, inside),
        None => (inside.unwrap_or_else(|| keys(record)), None),
    }
}

fn word(record: Value<'_>) -> Option<String> {
    let keys = type_keys().chain(OTHERS);
    keys.map(|key| record.get(key)).find(|value| value.is_string()).map(text)
}

fn text(value: Value<'_>) -> String {
    let text = value.decode().unwrap_or_default();
    crate::input::text::clip(&text, 100).0.to_owned()
}

fn keys(record: Value<'_>) -> String {
    let mut keys: Vec<String> =
        record.members().take(6).map(|(key, _)| key.decode().into_owned()).collect();
    keys.sort();
    format!("{{{}}}", crate::input::text::clip(&keys.join(","), 100).0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    #[test]
    fn a_record_is_named_after_what_it_says_it_is() {
        for (json, kind, sub) in [
            (r#"{"type":"system","subtype":"hook_started"}"#, "system", Some("hook_started")),
            (
                r#"{"type":"item.completed","item":{"type":"hologram"}}"#,
                "item.completed",
                Some("hologram"),
            ),
            (r#"{"id":"0","msg":{"type":"turn_diff"}}"#, "turn_diff", None),
            (r#"{"type":"stream_event","event":{"type":"ping"}}"#, "stream_event", Some("ping")),
            (
                r#"{"method":"session/update","params":{"update":{"sessionUpdate":"x"}}}"#,
                "session/update",
                Some("x"),
            ),
            (r#"{"b":1,"a":2}"#, "{a,b}", None),
            (r#"{"type":7}"#, "{type}", None),
        ] {
            let mut doc = Doc::default();
            let (got, got_sub) = of(doc.parse(json).unwrap());
            assert_eq!((got.as_str(), got_sub.as_deref()), (kind, sub), "{json}");
        }
    }
}
