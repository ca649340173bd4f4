//! What is counted of streams: summaries, checks, titles. Uses `read` and what `read` uses; keeps no
//! event.

pub(crate) mod check;
#[cfg(feature = "cli")]
pub(crate) mod failures;
pub(crate) mod kept;
pub(crate) mod literal;
#[cfg(feature = "redact")]
pub(crate) mod secrets;
pub(crate) mod summary;
pub(crate) mod title;
