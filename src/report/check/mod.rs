//! How well streams are understood.

mod label;
mod pairs;
mod report;
mod tools;
mod view;

pub use report::{Checker, Count, DialectReport, Disagreement, Report, UnknownTool, Unmapped};
