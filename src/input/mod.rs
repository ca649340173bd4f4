//! Bytes in: lines, and the text of a line. Knows no JSON and uses no other room but the limits.

pub(crate) mod beside;
pub(crate) mod lines;
pub(crate) mod text;
