//! Owned events as JSON, and what the twins are made of.

pub(crate) use std::collections::BTreeMap;

pub(crate) use serde_core::de::{Deserialize, Deserializer, Error as _};
pub(crate) use serde_core::ser::{Serialize, SerializeMap as _, Serializer};
pub(crate) use serde_json::{Map, Value};

pub(crate) use super::owned::Event;
pub(crate) use super::{Act, CallScope, Code, EventType, Level, Of, SessionScope, Since, Status};
pub(crate) use crate::format::owned::{Held, Shown, take};

/// An event that this version does not know.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Other {
    /// The type.
    pub kind: String,
    /// What the event holds.
    pub payload: Value,
}

impl Event {
    /// The type's name in the format.
    pub fn name(&self) -> &str {
        match self {
            Event::Other(other) => &other.kind,
            known => known.kind().map_or("", EventType::name),
        }
    }

    /// The payload as JSON, for what is easier to look up by name.
    pub fn payload(&self) -> Value {
        self.write(serde_json::value::Serializer).unwrap_or_default()
    }
}

impl AsRef<Event> for Event {
    fn as_ref(&self) -> &Event {
        self
    }
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("type", self.name())?;
        map.serialize_entry("payload", &Shown(self))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut record = Map::deserialize(deserializer)?;
        Event::remove_from(&mut record).ok_or_else(|| D::Error::missing_field("type"))
    }
}

impl Event {
    /// Takes the event out of a record.
    pub(crate) fn remove_from(record: &mut Map<String, Value>) -> Option<Event> {
        let Some(Value::String(kind)) = record.shift_remove("type") else { return None };
        let payload = record.shift_remove("payload").unwrap_or_default();
        Some(Event::of(&kind, payload))
    }
}
