//! The exit statuses.

use std::process::ExitCode;

/// Done; malformed lines included.
pub const DONE: u8 = 0;
/// With `-e`: the session did not succeed. Or: nothing was found.
pub const NO: u8 = 1;
/// A usage or I/O error.
pub const ERROR: u8 = 2;
/// Of `wrap`: a limit ended the command.
pub const LIMIT: u8 = 124;
/// Of `wrap`: agentnorm itself failed, or was called wrongly.
pub const WRAP: u8 = 125;
/// Of `wrap`: the command cannot be run.
pub const NOT_RUNNABLE: u8 = 126;
/// Of `wrap`: the command was not found.
pub const NOT_FOUND: u8 = 127;
/// Of `wrap`: this and the signal's number, when a signal ended the command.
pub const SIGNAL: u8 = 128;

/// How a command went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit(pub u8);

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.0)
    }
}
