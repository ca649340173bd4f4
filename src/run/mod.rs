//! `wrap`: the command's flags, its process and its end. Uses `read` and what `read` uses.

pub(crate) mod apply;
#[cfg(feature = "cli")]
pub(crate) mod child;
#[cfg(feature = "cli")]
pub(crate) mod end;
#[cfg(feature = "cli")]
pub mod exit;
mod launcher;
#[cfg(feature = "cli")]
pub(crate) mod watch;
