//! `wrap`: the command's flags, its process and its end. Uses `read` and what `read` uses.

pub(crate) mod apply;
pub(crate) mod child;
pub(crate) mod end;
pub mod exit;
