//! The vocabulary: the table of events, how they are written, and the schema. Uses `input` (text) and
//! `json`; knows no dialect.

pub(crate) mod batch;
pub(crate) mod emit;
pub(crate) mod event;
pub(crate) mod out;
pub(crate) mod outcome;
pub(crate) mod owned;
pub(crate) mod record;
pub mod schema;
pub(crate) mod shape;
pub(crate) mod sourced;
pub(crate) mod tame;
pub(crate) mod time;
pub(crate) mod tokens;
pub(crate) mod write;
