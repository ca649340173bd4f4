//! How well streams are understood.

mod counts;
mod label;
mod pairs;
mod report;
mod tools;
mod view;

pub use counts::{Count, UnknownTool};
pub use report::{Checker, DialectReport, Disagreement, Report, Unmapped};
