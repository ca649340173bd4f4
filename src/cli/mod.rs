//! The command line: what may be typed, and thin commands. It may use every room.

pub mod args;
pub mod command;

#[cfg(target_os = "linux")]
pub use crate::run::child::launcher::become_command;
pub use crate::run::exit;
pub use args::Cli;
