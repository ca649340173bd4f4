//! The owned twins of the vocabulary's objects: what a reader of events matches on.
//!
//! A twin holds what its fields can hold exactly. Whatever else a payload has (a key that is not
//! known here, a value of another kind) stays as it is in `other`, so that reading and writing an
//! event changes nothing.

use std::collections::BTreeMap;

use serde_core::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};
use serde_json::{Map, Value};

/// A value that a twin's field holds.
pub(crate) trait Held: Sized {
    /// Reads the value, if the field can hold exactly that.
    fn read(value: &Value) -> Option<Self>;

    /// Whether there is nothing to say: an extension key is then left out.
    fn is_vacant(&self) -> bool {
        false
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Writes a held value.
pub(crate) struct Shown<'a, T>(pub(crate) &'a T);

impl<T: Held> Serialize for Shown<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl Held for String {
    fn read(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl Held for bool {
    fn read(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    fn is_vacant(&self) -> bool {
        !self
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(*self)
    }
}

impl Held for u64 {
    fn read(value: &Value) -> Option<Self> {
        value.as_u64()
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(*self)
    }
}

impl Held for i64 {
    fn read(value: &Value) -> Option<Self> {
        value.as_i64()
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(*self)
    }
}

/// Up to here a float holds every whole number.
const WHOLE: i64 = 1 << 53;

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "only whole numbers up to `WHOLE` are cast"
)]
impl Held for f64 {
    fn read(value: &Value) -> Option<Self> {
        match value.as_i64() {
            Some(whole) => (-WHOLE..=WHOLE).contains(&whole).then_some(whole as f64),
            None => value.as_f64().filter(|_| value.is_f64()),
        }
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A whole number has no fraction in the format, either.
        if self.fract() == 0.0 && self.abs() <= WHOLE as f64 {
            serializer.serialize_i64(*self as i64)
        } else {
            serializer.serialize_f64(*self)
        }
    }
}

impl Held for Value {
    fn read(value: &Value) -> Option<Self> {
        Some(value.clone())
    }

    fn is_vacant(&self) -> bool {
        self.is_null()
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
}

impl<T: Held> Held for Option<T> {
    fn read(value: &Value) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::read(value).map(Some) }
    }

    fn is_vacant(&self) -> bool {
        self.is_none()
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => value.write(serializer),
            None => serializer.serialize_none(),
        }
    }
}

impl<T: Held> Held for Vec<T> {
    fn read(value: &Value) -> Option<Self> {
        value.as_array()?.iter().map(T::read).collect()
    }

    fn is_vacant(&self) -> bool {
        self.is_empty()
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for item in self {
            list.serialize_element(&Shown(item))?;
        }
        list.end()
    }
}

impl<T: Held> Held for BTreeMap<String, T> {
    fn read(value: &Value) -> Option<Self> {
        let members = value.as_object()?.iter();
        members.map(|(key, value)| Some((key.clone(), T::read(value)?))).collect()
    }

    fn is_vacant(&self) -> bool {
        self.is_empty()
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (key, value) in self {
            map.serialize_entry(key, &Shown(value))?;
        }
        map.end()
    }
}

/// Takes a key's value out of a payload, if the field can hold exactly that.
pub(crate) fn take<T: Held>(payload: &mut Map<String, Value>, key: &str, core: bool) -> Option<T> {
    // An extension key with nothing to say would not be written again.
    let held = T::read(payload.get(key)?).filter(|held| core || !held.is_vacant())?;
    payload.shift_remove(key);
    Some(held)
}

/// Makes an object's owned twin, or the event that is any of the payloads.
macro_rules! owned {
    // A payload says whose it is, whatever its type.
    (
        $(#[doc = $doc:literal])+
        $name:ident = $kind:ident { $($fields:tt)+ }
    ) => {
        $crate::format::owned::owned! {
            $(#[doc = $doc])+
            $name {
                $($fields)+
                /// The tool call whose subagent produced this.
                ext parent_call_id: (Option<String>) = "parentCallId";
                /// The harness's id of the message that this belongs to: usage events with one id are
                /// of one model call.
                ext message_id: (Option<String>) = "messageId";
            }
        }
    };
    (
        $(#[doc = $doc:literal])+
        $name:ident { $(
            $(#[doc = $field_doc:literal])+
            $class:ident $field:ident: ($($ty:tt)+) = $key:literal;
        )+ }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[doc = $field_doc])+ pub $field: $($ty)+,)+
            /// The keys that no field of this version holds.
            pub other: Map<String, Value>,
            /// The core keys that the harness, which speaks the vocabulary itself, left out.
            unsaid: Vec<&'static str>,
        }

        impl $name {
            pub(crate) fn of(mut payload: Map<String, Value>) -> Self {
                #[allow(unused_mut, reason = "some objects have no core key")]
                let mut unsaid = Vec::new();
                $($crate::format::owned::owned!(@read $class $field payload unsaid $key);)+
                Self { $($field,)+ other: payload, unsaid }
            }

            /// Whether the payload is this one of its type's payloads.
            #[allow(dead_code, unused_variables, reason = "most types have one payload")]
            pub(crate) fn fits(payload: &Map<String, Value>) -> bool {
                $($crate::format::owned::owned!(@fits $class payload $key ($($ty)+)) &&)+ true
            }
        }

        impl Held for $name {
            fn read(value: &Value) -> Option<Self> {
                value.as_object().cloned().map(Self::of)
            }

            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                $(if $crate::format::owned::owned!(@said $class self $field $key) {
                    map.serialize_entry($key, &Shown(&self.$field))?;
                })+
                for (key, value) in &self.other {
                    let said = match key.as_str() {
                        $($key => !self.$field.is_vacant(),)+
                        _ => false,
                    };
                    if !said {
                        map.serialize_entry(key, value)?;
                    }
                }
                map.end()
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.write(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Map::deserialize(deserializer).map(Self::of)
            }
        }
    };

    (@read ext $field:ident $payload:ident $unsaid:ident $key:literal) => {
        let $field = take(&mut $payload, $key, false).unwrap_or_default();
    };
    (@read $class:ident $field:ident $payload:ident $unsaid:ident $key:literal) => {
        if !$payload.contains_key($key) {
            $unsaid.push($key);
        }
        let $field = take(&mut $payload, $key, true).unwrap_or_default();
    };
    (@fits tag $payload:ident $key:literal ($($ty:tt)+)) => {
        $payload.get($key).is_some_and(|value| <$($ty)+ as Held>::read(value).is_some())
    };
    (@fits $class:ident $payload:ident $key:literal ($($ty:tt)+)) => { true };
    (@said ext $self:ident $field:ident $key:literal) => { !$self.$field.is_vacant() };
    (@said $class:ident $self:ident $field:ident $key:literal) => {
        !($self.$field.is_vacant()
            && ($self.unsaid.contains(&$key) || $self.other.contains_key($key)))
    };

    // The parts of payloads are no events.
    (@event [$($done:tt)*] ($name:ident = $kind:ident $docs:tt) $($rest:tt)*) => {
        $crate::format::owned::owned!(@event [$($done)* ($name $kind $docs)] $($rest)*);
    };
    (@event [$($done:tt)*] ($name:ident $docs:tt) $($rest:tt)*) => {
        $crate::format::owned::owned!(@event [$($done)*] $($rest)*);
    };
    (@event [$(($name:ident $kind:ident [$($doc:literal)+]))+]) => {
        /// An event: one of the vocabulary's payloads.
        ///
        /// As JSON it is `{"type": …, "payload": {…}}`. What is read and written again is the same
        /// JSON, whichever version of the vocabulary it is of.
        #[derive(Debug, Clone, PartialEq)]
        #[non_exhaustive]
        pub enum Event {
            $($(#[doc = $doc])+ $name($name),)+
            /// An event that this version does not know. Treat it like `raw`.
            Other(Other),
        }

        impl Event {
            /// The event's type; `None` for one that this version does not know.
            pub fn kind(&self) -> Option<EventType> {
                match self {
                    $(Event::$name(_) => Some(EventType::$kind),)+
                    Event::Other(other) => EventType::from_name(&other.kind),
                }
            }

            /// The event of this type with this payload.
            pub(crate) fn of(kind: &str, payload: Value) -> Self {
                let payload = match (EventType::from_name(kind), payload) {
                    $((Some(EventType::$kind), Value::Object(payload)) if $name::fits(&payload) => {
                        return Event::$name($name::of(payload));
                    })+
                    (_, payload) => payload,
                };
                Event::Other(Other { kind: kind.to_owned(), payload })
            }
        }

        impl Held for Event {
            fn read(value: &Value) -> Option<Self> {
                Some(Event::of(value.get("type")?.as_str()?, value.get("payload")?.clone()))
            }

            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Event::$name(payload) => payload.write(serializer),)+
                    Event::Other(other) => other.payload.write(serializer),
                }
            }
        }

        $(impl From<$name> for Event {
            fn from(payload: $name) -> Self {
                Event::$name(payload)
            }
        })+
    };
}

pub(crate) use owned;
