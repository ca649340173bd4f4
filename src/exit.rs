//! The exit statuses.

use std::process::ExitCode;

/// Done; malformed lines included.
pub const DONE: u8 = 0;
/// With `-e`: the session did not succeed. Or: nothing was found.
pub const NO: u8 = 1;
/// A usage or I/O error.
pub const ERROR: u8 = 2;

/// How a command went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit(pub u8);

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.0)
    }
}
