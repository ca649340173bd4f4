//! `agentnorm wrap` with real child processes: what arrives, in what order, and how it ends.
#![cfg(unix)]

mod command;
mod ends;
mod leftovers;
mod signals;
mod streams;
mod support;
mod terminal;
