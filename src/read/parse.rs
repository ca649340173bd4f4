//! The library's operations on single lines, with owned events.

use crate::adapter::Protocol;
use crate::format::event::owned::Event;
use crate::format::record::SourcedEvent;
use crate::format::sourced::Sourced;
use crate::input::lines::Line;
use crate::read::options::Options;
use crate::read::reader::Reader;

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
/// assert_eq!(parse_stream_line(Protocol::ClaudeJson, b"oops")[0].payload()["text"], "oops");
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
/// assert_eq!(events[1].line, Some(2));
/// assert_eq!(events[1].source.as_deref(), Some(r#"{"type":"message","text":"two"}"#));
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
        events.extend(sourced.to_events().take(budget - events.len()));
    };
    for (number, bytes) in (1..).zip(lines) {
        reader.line(Line { number, bytes, oversized: None, terminated: true }, None, &mut sink);
    }
    reader.finish(&mut sink);
    events
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
            assert_eq!(events[0].event.payload()["text"], "Hi");
            let lines_read = [events[0].line, events[1].line, events[2].line];
            assert_eq!(lines_read, [Some(4), None, Some(5)]);
            assert_eq!(events[0].time.as_deref(), Some("2026-11-30T11:31:37.357Z"));
            assert!(matches!(events[1].event, Event::SessionEnded(_)));
            assert_eq!(parse_lines(protocol, lines, 1).len(), 1);
        }
    }
}
