//! `agentnorm wrap` with real child processes: what arrives, in what order, and how it ends.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test ends by panicking"
)]

mod always;
mod command;
mod ends;
mod harness;
mod leftovers;
mod limits;
#[cfg(target_os = "linux")]
mod linux;
mod signals;
mod streams;
mod support;
mod terminal;
