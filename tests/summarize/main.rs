//! `summarize` and the recaps of the library.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "this is a test")]

mod archives;
mod command;
mod figures;
mod listing;
mod sessions;
mod support;
