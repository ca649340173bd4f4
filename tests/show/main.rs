//! `show`: what people see of recordings, that it is harmless, and how the command behaves.

mod command;
mod golden;
mod harmless;
mod support;
