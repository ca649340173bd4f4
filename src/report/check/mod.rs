//! How well streams are understood.

mod count;
mod label;
mod pairs;
mod report;
mod tools;
mod view;

pub use count::{Count, UnknownTool};
pub use report::{Checker, DialectReport, Disagreement, Report, Unmapped};
