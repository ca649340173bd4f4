//! Lenient JSON reading; knows no dialect and uses `input::text`.
//!
//! [`Doc::parse`] indexes a line in one pass: a flat list of nodes, each a span of the line. No tree
//! is built, no string is decoded and no number is converted before it is asked for, and nothing is
//! recursive, so depth costs memory and never the stack. Reading is lenient where strict JSON would
//! lose a line: lone surrogate escapes become U+FFFD, the last of duplicate keys wins, control
//! characters in strings and odd numbers are taken as they are.

#[cfg(test)]
mod against_serde;
mod doc;
pub(crate) mod place;
mod scan;
mod strict;
mod string;
mod value;

pub(crate) use doc::{Doc, Stop};
#[cfg(feature = "redact")]
pub(crate) use scan::string_end;
pub(crate) use strict::{compact, is_strict, repaired, respelled};
pub(crate) use string::{Escapes, Piece, Str, push_escaped};
pub(crate) use value::{Kind, Number, Value};
