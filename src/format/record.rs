//! A record of the format as a value of its own.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_core::de::{Deserialize, Deserializer, Error as _};
use serde_core::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value};

use crate::format::event::EventType;
use crate::format::event::owned::Event;
use crate::format::owned::{Shown, take};

/// An event and the line it came from.
///
/// As JSON it is the record that the `agentnorm` command prints.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SourcedEvent {
    /// The event.
    pub event: Event,
    /// The line's number, from 1; `None` when no line caused the event.
    pub line: Option<u64>,
    /// The session that the event belongs to, as soon as the stream has named one.
    pub session_id: Option<String>,
    /// In how many places of the line something was redacted.
    pub redacted: u64,
    /// RFC 3339, UTC, milliseconds.
    pub time: Option<String>,
    /// The trimmed line, which makes the reading reversible; invalid UTF-8 is replaced.
    pub source: Option<Arc<str>>,
    /// The exact bytes, where the line was not valid UTF-8.
    pub source_bytes: Option<Arc<[u8]>>,
    /// Whether the line was over the line limit; `source` is then its first 8,000 characters.
    pub source_truncated: bool,
    /// The keys of a stored record that this version does not know.
    pub other: Map<String, Value>,
}

#[derive(Debug, Clone)]
pub(crate) struct OwnedSource {
    pub(crate) text: Arc<str>,
    pub(crate) bytes: Option<Arc<[u8]>>,
    pub(crate) truncated: bool,
    pub(crate) redacted: u64,
}

impl SourcedEvent {
    pub(crate) fn of_line(
        kind: EventType,
        payload: &[u8],
        line: Option<u64>,
        session_id: Option<String>,
        time: Option<String>,
        source: Option<OwnedSource>,
    ) -> Self {
        let event = Event::of(kind.name(), Value::Object(object(payload)));
        let redacted = source.as_ref().map_or(0, |source| source.redacted);
        let (source, source_bytes, source_truncated) =
            source.map_or((None, None, false), |s| (Some(s.text), s.bytes, s.truncated));
        Self {
            event,
            line,
            session_id,
            redacted,
            time,
            source,
            source_bytes,
            source_truncated,
            other: Map::new(),
        }
    }

    /// A stored record.
    pub(crate) fn of_record(record: &str) -> Option<Self> {
        Self::of_object(object(record.as_bytes()))
    }

    fn of_object(mut record: Map<String, Value>) -> Option<Self> {
        let event = Event::remove_from(&mut record)?;
        let source: Option<String> = take(&mut record, "source", false);
        let base64 = record.get("sourceBytes").and_then(Value::as_str);
        let source_bytes = base64.and_then(|text| BASE64_STANDARD.decode(text).ok());
        if source_bytes.is_some() {
            record.shift_remove("sourceBytes");
        }
        Some(Self {
            event,
            line: take(&mut record, "line", false),
            session_id: take(&mut record, "sessionId", false),
            redacted: take(&mut record, "redacted", false).unwrap_or_default(),
            time: take(&mut record, "time", false),
            source: source.map(Into::into),
            source_bytes: source_bytes.map(Into::into),
            source_truncated: take(&mut record, "sourceTruncated", false).unwrap_or_default(),
            other: record,
        })
    }
}

impl AsRef<Event> for SourcedEvent {
    fn as_ref(&self) -> &Event {
        &self.event
    }
}

impl Serialize for SourcedEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.event.name())?;
        map.serialize_entry("payload", &Shown(&self.event))?;
        if let Some(line) = self.line {
            map.serialize_entry("line", &line)?;
        }
        if let Some(session) = &self.session_id {
            map.serialize_entry("sessionId", session)?;
        }
        for (key, value) in &self.other {
            map.serialize_entry(key, value)?;
        }
        if self.redacted > 0 {
            map.serialize_entry("redacted", &self.redacted)?;
        }
        if let Some(time) = &self.time {
            map.serialize_entry("time", time)?;
        }
        if let Some(source) = &self.source {
            map.serialize_entry("source", &**source)?;
        }
        if let Some(bytes) = &self.source_bytes {
            map.serialize_entry("sourceBytes", &BASE64_STANDARD.encode(bytes))?;
        }
        if self.source_truncated {
            map.serialize_entry("sourceTruncated", &true)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for SourcedEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let record = Map::deserialize(deserializer)?;
        Self::of_object(record).ok_or_else(|| D::Error::missing_field("type"))
    }
}

/// The object that the vocabulary wrote: strict JSON, at most two levels deeper than what it quotes.
fn object(json: &[u8]) -> Map<String, Value> {
    let mut json = serde_json::Deserializer::from_slice(json);
    json.disable_recursion_limit();
    Deserialize::deserialize(&mut json).unwrap_or_default()
}
