//! The types of events.

macro_rules! event_types {
    ($($(#[doc = $doc:literal])+ $kind:ident = $name:literal;)+) => {
        /// The type of an event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum EventType {
            $($(#[doc = $doc])+ $kind,)+
        }

        impl EventType {
            /// What the type stands for.
            pub(crate) const fn doc(self) -> &'static [&'static str] {
                match self {
                    $(EventType::$kind => &[$($doc,)+],)+
                }
            }

            /// Every type of the vocabulary.
            pub const ALL: &'static [EventType] = &[$(EventType::$kind,)+];

            /// The type's name in the format.
            pub const fn name(self) -> &'static str {
                match self {
                    $(EventType::$kind => $name,)+
                }
            }

            /// The type of that name.
            pub fn from_name(name: &str) -> Option<EventType> {
                match name {
                    $($name => Some(EventType::$kind),)+
                    _ => None,
                }
            }
        }
    };
}

event_types! {
    /// A session, or another turn of it, began.
    SessionStarted = "session.started";
    /// The session has a name.
    SessionTitle = "session.title";
    /// A whole text of the user, the model or the system.
    Message = "message";
    /// A whole reasoning text.
    Thinking = "thinking";
    /// The model calls a tool.
    ToolCall = "tool.call";
    /// A tool call's result.
    ToolResult = "tool.result";
    /// The plan as it is now, whole.
    Plan = "plan";
    /// Tokens: of one model call, or the session's running total.
    Usage = "usage";
    /// A turn of work ended. The last one of a stream is the outcome.
    SessionEnded = "session.ended";
    /// What runs in the background now.
    SessionBackground = "session.background";
    /// What has no place in the vocabulary.
    Raw = "raw";
    /// A piece of a text whose whole follows.
    Delta = "delta";
    /// Something a person should know: a retry, a refusal, an error that is not the end.
    Notice = "notice";
}

impl std::fmt::Display for EventType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
