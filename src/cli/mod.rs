//! The command line: what may be typed, and thin commands. It may use every room.

pub mod args;
pub mod command;

pub use crate::run::exit;
pub use args::Cli;
