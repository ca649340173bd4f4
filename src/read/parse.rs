//! The library's operations on single lines, with owned events.

use serde_json::{Map, Value};

use crate::adapter::Protocol;
use crate::format::event::EventType;
use crate::format::sourced::Sourced;
use crate::input::lines::Line;
use crate::read::options::Options;
use crate::read::reader::Reader;

/// An event: a type of the vocabulary and what it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The type.
    pub kind: EventType,
    /// The payload.
    pub payload: Map<String, Value>,
}

/// An event and the line it came from.
#[derive(Debug, Clone, PartialEq)]
pub struct SourcedEvent {
    /// The event.
    pub event: Event,
    /// The line's number, from 1; 0 when no line caused the event.
    pub line: u64,
    /// The line's own time: RFC 3339, UTC, milliseconds.
    pub time: Option<String>,
    /// The trimmed line, which makes the reading reversible; invalid UTF-8 is replaced.
    pub source: String,
}

impl AsRef<Event> for Event {
    fn as_ref(&self) -> &Event {
        self
    }
}

impl AsRef<Event> for SourcedEvent {
    fn as_ref(&self) -> &Event {
        &self.event
    }
}

/// The events of one line, read on its own.
///
/// Zero is a normal answer: a blank line, a JSON array, or `null`. Lines of a stream depend on each
/// other (one model call is counted once, pieces make a whole): to read a stream, use
/// [`parse_lines`] or [`crate::Normalizer`].
///
/// ```
/// use agentnorm::{Protocol, parse_stream_line};
///
/// assert!(parse_stream_line(Protocol::ClaudeJson, b"  ").is_empty());
/// assert_eq!(parse_stream_line(Protocol::ClaudeJson, b"oops")[0].payload["text"], "oops");
/// ```
pub fn parse_stream_line(protocol: Protocol, line: &[u8]) -> Vec<Event> {
    parse_lines(protocol, [line], usize::MAX).into_iter().map(|sourced| sourced.event).collect()
}

/// The events of the lines of a stream, at most `budget` of them.
///
/// The lines come without their line feeds, of any length; texts are clipped to
/// [`crate::DEFAULT_CLIP`] characters.
///
/// ```
/// use agentnorm::{Protocol, parse_lines, split_complete_lines};
///
/// let bytes = b"{\"type\":\"message\",\"text\":\"one\"}\n{\"type\":\"message\",\"text\":\"two\"}\n{\"ty";
/// let (lines, consumed) = split_complete_lines(bytes);
/// let events = parse_lines(Protocol::Jsonl, lines, 100);
/// assert_eq!(events[1].line, 2);
/// assert_eq!(events[1].source, r#"{"type":"message","text":"two"}"#);
/// assert_eq!(consumed, bytes.len() - 4);
/// ```
pub fn parse_lines<'a>(
    protocol: Protocol,
    lines: impl IntoIterator<Item = &'a [u8]>,
    budget: usize,
) -> Vec<SourcedEvent> {
    let mut events = Vec::new();
    let mut reader = Reader::new(Options::new(protocol));
    let mut sink = |sourced: Sourced<'_>| {
        events.extend(sourced.stored.and_then(stored).filter(|_| events.len() < budget));
        for (kind, payload) in sourced.events() {
            if events.len() < budget {
                events.push(SourcedEvent {
                    event: Event { kind, payload: object(payload) },
                    line: sourced.line.unwrap_or_default(),
                    time: sourced.time.map(str::to_owned),
                    source: sourced.source.map(|s| s.text.to_owned()).unwrap_or_default(),
                });
            }
        }
    };
    for (number, bytes) in (1..).zip(lines) {
        reader.line(Line { number, bytes, oversized: None, terminated: true }, None, &mut sink);
    }
    reader.finish(&mut sink);
    events
}

/// A stored record that is passed on as it is.
fn stored(record: &str) -> Option<SourcedEvent> {
    let mut record = object(record.as_bytes());
    let mut text = |key| match record.remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let (kind, time, source) = (text("type")?, text("time"), text("source"));
    let Some(Value::Object(payload)) = record.remove("payload") else { return None };
    Some(SourcedEvent {
        event: Event { kind: EventType::from_name(&kind)?, payload },
        line: record.get("line").and_then(Value::as_u64).unwrap_or_default(),
        time,
        source: source.unwrap_or_default(),
    })
}

/// The object that the vocabulary wrote: strict JSON, at most two levels deeper than what it quotes.
fn object(json: &[u8]) -> Map<String, Value> {
    let mut json = serde_json::Deserializer::from_slice(json);
    json.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut json).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_records_without_a_source_are_events() {
        let lines: [&[u8]; 3] = [
            br#"{"type":"message","payload":{"role":"user","text":"Hi"},"line":4,"time":"2026-11-30T11:31:37.357Z"}"#,
            br#"{"type":"session.ended","payload":{"status":"failed"}}"#,
            br#"{"type":"raw","payload":{"text":"x","truncated":false},"line":5,"source":"x"}"#,
        ];
        for protocol in [Protocol::Auto, Protocol::Agentnorm] {
            let events = parse_lines(protocol, lines, usize::MAX);
            assert_eq!(events.len(), 3);
            assert_eq!(events[0].event.payload["text"], "Hi");
            assert_eq!((events[0].line, events[1].line, events[2].line), (4, 0, 5));
            assert_eq!(events[0].time.as_deref(), Some("2026-11-30T11:31:37.357Z"));
            assert_eq!(events[1].event.kind, EventType::SessionEnded);
            assert_eq!(parse_lines(protocol, lines, 1).len(), 1);
        }
    }
}
