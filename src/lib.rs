//! Reads the JSON lines that coding agents print and turns them into one small, stable vocabulary.
//!
//! Two rules hold for everything. Nothing is dropped: what is not mapped becomes `raw`. And a line is
//! never fatal: garbage costs that line, not the stream.
//!
//! ```
//! use std::fs::File;
//!
//! use agentnorm::event::{Event, Status};
//! use agentnorm::{Options, Protocol};
//!
//! let file = File::open("fixtures/claude-stream/2.1.332-bash/input.jsonl")?;
//! let (mut calls, mut succeeded) = (0, false);
//! for event in agentnorm::read(file, Options::new(Protocol::Auto).deltas(false)) {
//!     let event = event?;
//!     match &event.event {
//!         Event::Message(message) => println!("{}", message.text.as_deref().unwrap_or_default()),
//!         Event::ToolCall(call) => {
//!             calls += 1;
//!             println!("{} {}", call.name.as_deref().unwrap_or("?"), call.input.as_deref().unwrap_or(""));
//!         }
//!         Event::SessionEnded(end) => succeeded = end.status == Some(Status::Succeeded),
//!         // What the command prints: one JSON object a line.
//!         _ => println!("{}", serde_json::to_string(&event)?),
//!     }
//! }
//! assert!(calls > 0 && succeeded);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`read()`] and [`parse_lines`] give events as values, which are `serde`'s to read and write;
//! [`mod@event`] has their types. [`Normalizer`] reads a stream as it comes and [`Emitter`] writes what it
//! reads as JSON lines, without a value between: that is what the command does. What reads whole streams
//! is a [`Feed`]: [`summary`] says what sessions spent and did, [`check`] how well they were understood,
//! `show` is for people. Texts are clipped to [`DEFAULT_CLIP`] characters and lines to
//! [`DEFAULT_MAX_LINE`] bytes unless [`Options`] say otherwise.
//!
//! # Features
//!
//! With `default-features = false` this is the reader, with few crates behind it. `redact` adds
//! [`Redaction`], `show` the views for people; `cli` the command, `show`, and the end that is made up for an agent which left it out.

// Without a feature, what only that feature uses of the rooms below it is not used.
#![cfg_attr(
    not(all(feature = "cli", feature = "redact", feature = "show")),
    allow(dead_code, reason = "a feature that is left out would use it")
)]
#![cfg_attr(docsrs, feature(doc_cfg))]

// What is hidden from the documentation is the binary's.
mod adapter;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "export")]
pub mod export;
mod format;
mod input;
mod json;
#[doc(hidden)]
pub mod limits;
mod read;
#[cfg(feature = "redact")]
mod redact;
mod report;
mod run;
#[cfg(feature = "show")]
pub mod show;

pub use adapter::{Carries, Dialect, Protocol, UnknownProtocol};
pub use event::Event;
pub use format::emit::Emitter;
pub use format::event::EventType;
pub use format::outcome::Outcome;
pub use format::record::SourcedEvent;
pub use format::schema;
pub use format::sourced::{Sink, Source, Sourced};
pub use input::lines::{Line, Lines, split_complete_lines};
pub use limits::{DEFAULT_CLIP, DEFAULT_MAX_LINE};
pub use read::events::{Events, read};
pub use read::feed::Feed;
pub use read::normalize::{Normalizer, Options};
pub use read::parse::{parse_lines, parse_stream_line};
pub use read::verdict::{Failure, Form, Unknown, Verdict};
#[cfg(feature = "redact")]
#[cfg_attr(docsrs, doc(cfg(feature = "redact")))]
pub use redact::{Redaction, RedactionBuilder, RedactionError, RuleError};
pub use report::summary::summarize_usage;
pub use report::title::{parse_session_title, session_title_probe};
pub use run::apply::apply_protocol;
#[cfg(feature = "cli")]
pub use run::end::ChildEnd;

pub mod event {
    //! The vocabulary as types: an [`Event`] is one of the payloads, which are structs of their own.
    //!
    //! Reading is lenient and loses nothing. A core key that is null or missing is `None` (`false`, no
    //! elements); what a field cannot hold stays in `other`; a type that is not known is
    //! [`Event::Other`].

    pub use crate::format::event::owned::{
        Attachment, CallUsage, Delta, Event, FileChange, Message, ModelUsage, Notice, Plan,
        RawJson, RawText, Retry, SessionBackground, SessionEnded, SessionStarted, SessionTitle,
        SessionUsage, Step, Task, TaskChange, Thinking, ToolCall, ToolResult,
    };
    pub use crate::format::event::typed::Other;
    pub use crate::format::event::{
        Act, CallScope, Code, EventType, Level, Of, SessionScope, Since, Status,
    };
}

pub mod summary {
    //! What sessions spent and did.

    pub use crate::report::summary::{
        Bases, Basis, Ending, Figures, ModelFigures, Plan, Recap, Summarizer, Summary, Tally, Task,
        Tool, Usage,
    };
}

pub mod check {
    //! How well streams are understood, and whether they may be passed on.

    pub use crate::report::check::{
        Checker, Count, DialectReport, Disagreement, Report, UnknownTool, Unmapped,
    };
    #[cfg(feature = "redact")]
    #[cfg_attr(docsrs, doc(cfg(feature = "redact")))]
    pub use crate::report::secrets::{Found, SecretFinder};
}

pub mod title {
    //! A session's name, where its stream does not state it.

    pub use crate::report::title::{ProbeError, SessionTitle, Titles, reads_title_out_of_band};
}
