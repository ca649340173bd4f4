//! The dialects: one file each, and one row of the table below. They use `format`, `json` and
//! `input::text`, and nothing else: an adapter cannot fail, print or see bytes.

mod acp;
pub(crate) mod agentnorm;
mod amp;
mod chat;
mod claude;
mod cline;
mod codex;
mod content;
mod copilot;
mod cursor;
mod droid;
mod embedded;
mod ending;
mod gemini;
mod goose;
mod grok;
mod jsonl;
mod kimi;
mod model;
mod none;
mod opencode;
mod openhands;
mod outcome;
mod pi;
mod pieces;
mod qwen;
mod recent;
mod room;
mod running;
#[cfg(test)]
mod testing;
mod title_file;
pub(crate) mod tool;
mod vibe;
mod written;

use crate::format::batch::Batch;
use crate::json::Value;
use crate::json::place::{NO_PLACES, Places};

pub(crate) use model::context_window;
pub(crate) use title_file::{Named, Pointing, TitleFile};
use tool::Tools;

/// What is known of a dialect apart from how it is read.
#[derive(Debug)]
pub struct Dialect {
    /// The protocol's name: the value of `--protocol` and the fixture folder.
    pub name: &'static str,
    /// What is read, in a line.
    pub summary: &'static str,
    /// The harness and the versions whose recordings it was built on.
    pub recorded: &'static str,
    /// Whether it was built without any recording, so that its fixtures are made up.
    pub made_up: bool,
    /// What a stream of the dialect states.
    pub carries: Carries,
    /// Reads of a record's structure whether it belongs to the dialect.
    pub(crate) detect: fn(Value<'_>) -> Match,
    /// The keys under which each of its lines names its session.
    pub(crate) session: &'static [&'static str],
    /// The harness's own tools: what each does, and which argument says to what.
    pub(crate) tools: Tools,
    /// Whether an array of records on one line is read element by element.
    pub(crate) arrays: bool,
    /// Whether a call is told only when its result is there, so that nobody sees it running.
    pub(crate) late_calls: bool,
    /// The names of the commands that speak the dialect, and of packages that are not named like
    /// their command. Where dialects share one, the first of the table is meant.
    pub(crate) commands: &'static [&'static str],
    /// What `wrap` adds to such a command so that it does; each rule on its own.
    pub(crate) flags: &'static [Flags],
    /// Makes of the name of a session's file the name of the file beside it that says what the file
    /// itself does not. Its text is handed to [`Adapt::beside`].
    pub(crate) beside: fn(&str) -> Option<String>,
    /// Where the names of its sessions are, when the stream does not state them.
    pub(crate) title: Option<TitleFile>,
    /// Reads the context window in tokens off the name of a model of the harness's own maker.
    pub(crate) window: fn(&str) -> Option<u64>,
    /// The keys in which its records say what they are, the most telling first.
    pub(crate) named_by: &'static [&'static str],
    /// What it is known to print that carries nothing for the vocabulary: types, or `type/subtype`.
    pub(crate) left_raw: &'static [&'static str],
    /// Where its records hold pieces of texts.
    pub(crate) places: &'static Places,
}

/// Flags that `wrap` adds to a command.
#[derive(Debug)]
pub(crate) struct Flags {
    /// They go right behind this word of the command (`exec`); where none is named, behind the
    /// command's name. A command without the word is left alone.
    pub(crate) behind: Option<&'static str>,
    /// Whoever wrote one of these (alone or as `--flag=value`) has decided.
    pub(crate) unless: &'static [&'static str],
    /// The flags.
    pub(crate) add: &'static [&'static str],
}

/// Which facts a stream of a dialect states.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own")]
pub struct Carries {
    /// The session's id.
    pub session_id: bool,
    /// The model's name.
    pub model: bool,
    /// Token counts.
    pub tokens: bool,
    /// The cost.
    pub cost: bool,
    /// How the session ended.
    pub end: bool,
}

impl Dialect {
    /// What a row need not say.
    const BASE: Dialect = Dialect {
        name: "",
        summary: "",
        recorded: "",
        made_up: false,
        carries: Carries {
            session_id: false,
            model: false,
            tokens: false,
            cost: false,
            end: false,
        },
        detect: |_| Match::No,
        session: &[],
        tools: Tools::NONE,
        arrays: false,
        late_calls: false,
        commands: &[],
        flags: &[],
        beside: |_| None,
        title: None,
        window: |_| None,
        named_by: &["type"],
        left_raw: &[],
        places: &NO_PLACES,
    };
}

/// Returns the keys in which the records of any dialect say what they are; some come again.
pub(crate) fn type_keys() -> impl Iterator<Item = &'static str> {
    Protocol::ALL.iter().flat_map(|protocol| protocol.dialect().named_by).copied()
}

/// Whether a record belongs to a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Match {
    /// It does not.
    No,
    /// It may be, but the shape proves nothing: it counts where the protocol is known.
    Weak,
    /// It is one of the shapes that Claude, qwen and amp share.
    Shared,
    /// Only this dialect prints it.
    Own,
}

/// A dialect's reading of a stream; the value holds the stream's state.
pub(crate) trait Adapt: Default {
    /// Reads a record, which is an object. What pushes nothing becomes `raw`.
    fn record(&mut self, record: Value<'_>, out: &mut Batch);

    /// The stream is the file of that name; `beside` is what the file beside it holds, if it is JSON. Said
    /// before the first record.
    fn beside(&mut self, _name: &str, _beside: Value<'_>) {}

    /// A line that is no record stands here; its `raw` comes behind what is pushed now.
    fn interrupt(&mut self, _out: &mut Batch) {}

    /// Whether [`Adapt::finish`] would push something. It then gets the last line's source.
    fn pending(&self) -> bool {
        false
    }

    /// The stream ended.
    fn finish(&mut self, _out: &mut Batch) {}

    /// Whether this form of the dialect has an end record. Asked when the stream has ended.
    fn has_end(&self) -> bool {
        true
    }

    /// Goes on where the common reading of a [`Match::Shared`] shape stands.
    fn inherit(&mut self, _common: claude::Adapter) {}
}

macro_rules! dialects {
    (
        special { $($special:ident => $special_row:expr;)+ }
        rows { $($(#[doc = $doc:literal])? $row:ident => $module:ident, $dialect:ident;)+ }
    ) => {
        /// A protocol: a dialect, or how to find out which it is.
        ///
        /// ```
        /// use agentnorm::Protocol;
        ///
        /// assert_eq!("codex".parse(), Ok(Protocol::Codex));
        /// assert_eq!(Protocol::ClaudeJson.to_string(), "claude-json");
        /// let error = "codx".parse::<Protocol>().unwrap_err();
        /// assert!(error.to_string().starts_with("no protocol is named \"codx\"; there are auto, "));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Protocol {
            $(#[doc = concat!("`", stringify!($special), "`")] $special,)+
            $(#[doc = concat!("`", stringify!($row), "`")] $row,)+
        }

        impl Protocol {
            /// Every protocol.
            pub const ALL: &'static [Protocol] =
                &[$(Protocol::$special,)+ $(Protocol::$row,)+];

            /// What is known of it.
            pub fn dialect(self) -> &'static Dialect {
                match self {
                    $(Protocol::$special => &$special_row,)+
                    $(Protocol::$row => &$module::$dialect,)+
                }
            }
        }

        /// A stream's reading, of whichever dialect.
        #[derive(Debug)]
        pub(crate) enum Adapter {
            $($row($module::Adapter),)+
        }

        impl Adapter {
            /// The reading of `protocol`; of one that is found out, the reading of plain text.
            pub(crate) fn new(protocol: Protocol) -> Self {
                match protocol {
                    $(Protocol::$row => Adapter::$row(Default::default()),)+
                    $(Protocol::$special => Adapter::None(Default::default()),)+
                }
            }

            /// The reading of `protocol`, which goes on from a common reading.
            pub(crate) fn switch(self, protocol: Protocol) -> Self {
                let mut next = Adapter::new(protocol);
                if let Adapter::ClaudeJson(common) = self {
                    match &mut next {
                        $(Adapter::$row(adapter) => adapter.inherit(common),)+
                    }
                }
                next
            }

            pub(crate) fn record(&mut self, record: Value<'_>, out: &mut Batch) {
                match self {
                    $(Adapter::$row(adapter) => adapter.record(record, out),)+
                }
            }

            pub(crate) fn beside(&mut self, name: &str, beside: Value<'_>) {
                match self {
                    $(Adapter::$row(adapter) => adapter.beside(name, beside),)+
                }
            }

            pub(crate) fn interrupt(&mut self, out: &mut Batch) {
                match self {
                    $(Adapter::$row(adapter) => adapter.interrupt(out),)+
                }
            }

            /// The dialect that it reads.
            pub(crate) fn protocol(&self) -> Protocol {
                match self {
                    $(Adapter::$row(_) => Protocol::$row,)+
                }
            }

            pub(crate) fn pending(&self) -> bool {
                match self {
                    $(Adapter::$row(adapter) => adapter.pending(),)+
                }
            }

            pub(crate) fn finish(&mut self, out: &mut Batch) {
                match self {
                    $(Adapter::$row(adapter) => adapter.finish(out),)+
                }
            }

            pub(crate) fn has_end(&self) -> bool {
                match self {
                    $(Adapter::$row(adapter) => adapter.has_end(),)+
                }
            }
        }
    };
}

dialects! {
    special {
        Auto => AUTO;
        Agentnorm => agentnorm::DIALECT;
    }
    rows {
        None => none, DIALECT;
        Jsonl => jsonl, DIALECT;
        ClaudeJson => claude, JSON;
        ClaudeStream => claude, STREAM;
        Qwen => qwen, DIALECT;
        Amp => amp, DIALECT;
        Codex => codex, DIALECT;
        Gemini => gemini, DIALECT;
        Opencode => opencode, DIALECT;
        Droid => droid, DIALECT;
        Copilot => copilot, DIALECT;
        Acp => acp, DIALECT;
        Cursor => cursor, DIALECT;
        Kimi => kimi, DIALECT;
        Openhands => openhands, DIALECT;
        Vibe => vibe, DIALECT;
        Goose => goose, DIALECT;
        Pi => pi, DIALECT;
        Cline => cline, DIALECT;
        Grok => grok, DIALECT;
    }
}

const AUTO: Dialect = Dialect {
    name: "auto",
    summary: "detect it from the first line whose structure only one dialect has",
    ..Dialect::BASE
};

impl Protocol {
    /// The protocol of that name.
    pub fn from_name(name: &str) -> Option<Protocol> {
        Protocol::ALL.iter().copied().find(|p| p.name() == name)
    }

    /// The dialect that a harness is named after: `kimi-code` after `kimi`.
    pub(crate) fn of_harness(harness: &str) -> Option<Protocol> {
        let first = harness.split('-').next().unwrap_or_default();
        Protocol::from_name(harness).or_else(|| Protocol::from_name(first))
    }

    /// The protocol's name.
    pub fn name(self) -> &'static str {
        self.dialect().name
    }

    /// The dialect whose structure `record` has, and how sure that is.
    pub(crate) fn detect(record: Value<'_>) -> (Protocol, Match) {
        let mut shared = (Protocol::Auto, Match::No);
        for protocol in Protocol::ALL {
            match (protocol.dialect().detect)(record) {
                Match::Own => return (*protocol, Match::Own),
                Match::Shared if shared.1 == Match::No => shared = (*protocol, Match::Shared),
                _ => {}
            }
        }
        shared
    }
}

impl Protocol {
    /// The names that a file beside the one of that name can have, in this dialect or any that it may be.
    pub(crate) fn beside(self, name: &str) -> Vec<String> {
        let may_be = |row: &&Protocol| self == Protocol::Auto || self == **row;
        let rows = Protocol::ALL.iter().filter(may_be);
        let mut names: Vec<String> = rows.filter_map(|row| (row.dialect().beside)(name)).collect();
        names.dedup();
        names
    }
}

impl std::fmt::Display for Protocol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Protocol {
    type Err = UnknownProtocol;

    fn from_str(name: &str) -> Result<Self, UnknownProtocol> {
        Protocol::from_name(name).ok_or_else(|| UnknownProtocol(name.to_owned()))
    }
}

/// The error for a name that no protocol has; it says which names there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownProtocol(String);

impl std::fmt::Display for UnknownProtocol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = Protocol::ALL.iter().map(|protocol| protocol.name()).collect();
        write!(f, "no protocol is named {:?}; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownProtocol {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    /// What the table's order could hide.
    #[test]
    fn no_recorded_line_is_two_dialects_own() {
        let mut doc = Doc::default();
        let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
        for protocol in Protocol::ALL {
            let Ok(cases) = std::fs::read_dir(format!("{fixtures}/{protocol}")) else { continue };
            for case in cases {
                let input = std::fs::read(case.unwrap().path().join("input.jsonl"));
                let input = String::from_utf8_lossy(&input.unwrap_or_default()).into_owned();
                for line in input.lines() {
                    let Some(record) = doc.parse(line).filter(|record| record.is_object()) else {
                        continue;
                    };
                    let owns = |p: &&Protocol| (p.dialect().detect)(record) == Match::Own;
                    let owners: Vec<_> = Protocol::ALL.iter().filter(owns).collect();
                    // One adapter reads both of Claude's.
                    let one = matches!(
                        owners[..],
                        [] | [_] | [Protocol::ClaudeJson, Protocol::ClaudeStream]
                    );
                    assert!(one, "{owners:?}: {line}");
                }
            }
        }
    }
}
