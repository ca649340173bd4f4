//! `show`: what people see of recordings, that it is harmless, and how the command behaves.

#![expect(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::disallowed_methods,
    reason = "these are tests"
)]

mod command;
#[path = "../deadline/mod.rs"]
mod deadline;
mod golden;
#[path = "../harm/mod.rs"]
mod harm;
mod harmless;
mod page;
mod support;
