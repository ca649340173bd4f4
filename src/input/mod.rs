//! Bytes in: files and directories, compressed or not, lines, indented documents, and the text of a line.
//! Knows no JSON beyond brackets and uses no other room but the limits.

pub(crate) mod beside;
pub(crate) mod document;
#[cfg(feature = "cli")]
pub(crate) mod files;
pub(crate) mod lines;
#[cfg(feature = "cli")]
pub(crate) mod plain;
pub(crate) mod text;
