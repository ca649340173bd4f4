//! What the format's values look like, and the macros that make a table of keys a type that can be
//! written, its schema, and its owned twin.
//!
//! A row is `core` (a key that is always there), `tag` (such a key, which also tells the object from
//! others of its event type) or `ext` (there only with a value); `as` names the twin's type where that
//! is another.

/// What a value of the format looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    String,
    Integer,
    /// A number of things: 0 and up.
    Count,
    Number,
    Boolean,
    /// A boolean that is there only when it is true.
    True,
    Json,
    Words(&'static [&'static str]),
    Nullable(&'static Shape),
    List(&'static Shape),
    /// An object whose keys are the harness's own.
    Keyed(&'static Shape),
    Object(&'static ObjectShape),
}

/// What an object of the format looks like.
#[derive(Debug)]
pub(crate) struct ObjectShape {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static [&'static str],
    pub(crate) keys: &'static [KeyShape],
}

/// A key of the format.
#[derive(Debug)]
pub(crate) struct KeyShape {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static [&'static str],
    /// Always there; otherwise there only with a value.
    pub(crate) core: bool,
    pub(crate) shape: Shape,
}

macro_rules! objects {
    (@write ext, $w:ident, $self:ident, $field:ident, $key:literal) => {
        if !$self.$field.absent($w) {
            $w.key(concat!("\"", $key, "\":"));
            $self.$field.write($w);
        }
    };
    (@write $class:ident, $w:ident, $self:ident, $field:ident, $key:literal) => {
        $w.key(concat!("\"", $key, "\":"));
        $self.$field.write($w);
    };
    (@kind $kind:ident) => { Some(EventType::$kind) };
    (@kind) => { None };
    (@core ext) => { false };
    // A start is the one event that names a session.
    (@payload SessionStarted<$life:lifetime> = SessionStarted) => {
        impl Payload for SessionStarted<'_> {
            const TYPE: EventType = EventType::SessionStarted;

            fn names_session(&self) -> Option<&Name<'_>> {
                self.session_id.as_ref()
            }
        }
    };
    (@core $class:ident) => { true };
    (@own $ty:ty) => { $ty };
    (@own $ty:ty, $own:ty) => { $own };
    (@payload $name:ident<$life:lifetime> = $kind:ident) => {
        impl Payload for $name<'_> {
            const TYPE: EventType = EventType::$kind;
        }
    };
    (@payload $name:ident = $kind:ident) => {
        impl Payload for $name {
            const TYPE: EventType = EventType::$kind;
        }
    };
    (@payload $name:ident $(<$life:lifetime>)?) => {};
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(<$life:lifetime>)? $(= $kind:ident)? {
            $($(#[doc = $field_doc:literal])+ $class:ident $field:ident: $ty:ty $(as $own:ty)? = $key:literal;)+
        }
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug, Default)]
        #[allow(clippy::struct_field_names, reason = "fields are named like their keys")]
        pub(crate) struct $name $(<$life>)? {
            $($(#[doc = $field_doc])+ pub(crate) $field: $ty,)+
        }

        impl $(<$life>)? Object for $name $(<$life>)? {
            const SHAPE: $crate::format::shape::ObjectShape = $crate::format::shape::ObjectShape {
                name: stringify!($name),
                doc: &[$($doc,)+],
                keys: &[$($crate::format::shape::KeyShape {
                    name: $key,
                    doc: &[$($field_doc,)+],
                    core: $crate::format::shape::objects!(@core $class),
                    shape: <$ty as Field>::SHAPE,
                },)+],
            };

            fn fields(&self, w: &mut $crate::format::write::Writer) {
                $($crate::format::shape::objects!(@write $class, w, self, $field, $key);)+
            }
        }

        $crate::format::shape::objects!(@payload $name $(<$life>)? $(= $kind)?);
    )+

        /// The owned twins.
        pub(crate) mod owned {
            use super::typed::*;

            $($crate::format::owned::owned! {
                $(#[doc = $doc])+
                $name $(= $kind)? {
                    $(
                        $(#[doc = $field_doc])+
                        $class $field: ($crate::format::shape::objects!(@own $ty $(, $own)?)) = $key;
                    )+
                }
            })+

            $crate::format::owned::owned!(@event [] $(($name $(= $kind)? [$($doc)+]))+);
        }

        /// Every object of the format, and the event type whose payload it is.
        pub(crate) static OBJECTS: &[(Option<EventType>, ObjectShape)] =
            &[$(($crate::format::shape::objects!(@kind $($kind)?), <$name as Object>::SHAPE),)+];
    };
}

macro_rules! words {
    ($(#[doc = $doc:literal] $name:ident { $($(#[$attr:meta])? $variant:ident = $word:literal),+ $(,)? })+) => {$(
        #[doc = $doc]
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$attr])? #[doc = concat!("`", $word, "`")] $variant,)+
        }

        impl $name {
            /// The word in the format.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        impl $crate::format::owned::Held for $name {
            fn read(value: &serde_json::Value) -> Option<Self> {
                match value.as_str()? {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }

            fn write<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl Field for $name {
            const SHAPE: $crate::format::shape::Shape = $crate::format::shape::Shape::Words(&[$($word,)+]);

            fn write(&self, w: &mut $crate::format::write::Writer) {
                w.str(self.word());
            }
        }
    )+};
}

pub(crate) use {objects, words};
