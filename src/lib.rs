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
mod apply;
mod batch;
mod check;
mod child;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod command;
mod either;
mod emit;
mod end;
mod event;
#[doc(hidden)]
pub mod exit;
mod glue;
mod json;
mod lines;
mod normalize;
mod out;
mod parse;
mod reader;
pub mod schema;
mod shape;
mod show;
mod stored;
mod summary;
mod text;
mod time;
mod title;
mod write;

pub use adapter::{Carries, Dialect, Protocol};
pub use apply::apply_protocol;
pub use batch::Outcome;
pub use check::{Checker, Count, DialectReport, Disagreement, Report, Unmapped};
pub use emit::Emitter;
pub use end::ChildEnd;
pub use event::EventType;
pub use lines::{DEFAULT_MAX_LINE, Line, Lines, split_complete_lines};
pub use normalize::{Normalizer, Options, Sink, Source, Sourced};
pub use parse::{Event, SourcedEvent, parse_lines, parse_stream_line};
pub use show::{DEFAULT_MAX_BYTES, ScreenSize, ShowFormat, ShowOptions, Viewer};
pub use summary::{
    Bases, Basis, Ending, Figures, ModelFigures, Plan, Recap, Summarizer, Summary, Tally, Task,
    Tool, Usage, summarize_usage,
};
pub use text::DEFAULT_CLIP;
pub use title::{
    ProbeError, SessionTitle, Titles, parse_session_title, reads_title_out_of_band,
    session_title_probe,
};
