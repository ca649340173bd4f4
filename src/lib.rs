//! Reads the JSON lines that coding agents print and turns them into one small, stable vocabulary.
//!
//! Two rules hold for everything. Nothing is dropped: what is not mapped becomes `raw`. And a line is
//! never fatal: garbage costs that line, not the stream.
//!
//! ```
//! use agentnorm::{Protocol, parse_stream_line};
//!
//! let line = r#"{"type":"message","role":"assistant","text":"Done."}"#;
//! let events = parse_stream_line(Protocol::Jsonl, line.as_bytes());
//! assert_eq!(events[0].kind.name(), "message");
//! assert_eq!(events[0].payload["text"], "Done.");
//! ```
//!
//! [`Normalizer`] reads a stream as it comes, [`Emitter`] writes its events as JSON lines; the functions
//! on lines are made of the same. Texts are clipped to [`DEFAULT_CLIP`] characters and lines to
//! [`DEFAULT_MAX_LINE`] bytes unless [`Options`] say otherwise.

// What is hidden from the documentation is the binary's.
mod adapter;
#[doc(hidden)]
pub mod cli;
mod format;
mod input;
mod json;
#[doc(hidden)]
pub mod limits;
mod read;
mod report;
mod run;
mod show;

pub use adapter::{Carries, Dialect, Protocol};
pub use format::batch::Outcome;
pub use format::emit::Emitter;
pub use format::event::EventType;
pub use format::schema;
pub use format::sourced::{Sink, Source, Sourced};
pub use input::lines::{Line, Lines, split_complete_lines};
pub use limits::{DEFAULT_CLIP, DEFAULT_MAX_BYTES, DEFAULT_MAX_LINE};
pub use read::normalize::{Normalizer, Options};
pub use read::parse::{Event, SourcedEvent, parse_lines, parse_stream_line};
pub use report::check::{Checker, Count, DialectReport, Disagreement, Report, Unmapped};
pub use report::summary::{
    Bases, Basis, Ending, Figures, ModelFigures, Plan, Recap, Summarizer, Summary, Tally, Task,
    Tool, Usage, summarize_usage,
};
pub use report::title::{
    ProbeError, SessionTitle, Titles, parse_session_title, reads_title_out_of_band,
    session_title_probe,
};
pub use run::apply::apply_protocol;
pub use run::end::ChildEnd;
pub use show::{ScreenSize, ShowFormat, ShowOptions, Viewer};
