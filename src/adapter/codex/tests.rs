//! Corner cases.
