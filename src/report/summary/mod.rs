//! Recaps: what a session spent and did.
//!
//! A recap is a fold over events. It holds what was counted and nothing of the events themselves, so
//! its size does not depend on how many there are.

mod coverage;
#[cfg(feature = "cli")]
mod delimited;
mod figures;
#[cfg(feature = "cli")]
mod fitted;
mod fold;
mod forks;
#[cfg(feature = "cli")]
mod groups;
mod json;
#[cfg(feature = "cli")]
mod listing;
mod markdown;
#[cfg(feature = "cli")]
mod overview;
mod part;
mod read;
mod recap;
mod repeats;
mod rows;
mod session;
mod spending;
mod streams;
mod table;
mod tally;
mod units;
#[cfg(feature = "cli")]
mod when;
mod window;

#[cfg(feature = "cli")]
pub(crate) use delimited::Delimiter;
pub(crate) use figures::COUNTERS;
pub use figures::{Figures, ModelFigures};
pub(crate) use fold::Fold;
#[cfg(feature = "cli")]
pub(crate) use groups::By;
#[cfg(feature = "cli")]
pub(crate) use listing::{Listing, Sort};
pub use read::Summarizer;
pub use recap::{Bases, Basis, Ending, Plan, Recap, Summary, Task, Usage};
pub use tally::{Tally, Tool};
#[cfg(feature = "show")]
pub(crate) use units::{dollars, duration};
pub(crate) use units::{grouped, percent, several};
#[cfg(feature = "cli")]
pub(crate) use when::Bound;

use crate::adapter::Protocol;
use crate::format::event::owned::Event;
use crate::read::normalize::Options;

/// What the events of a stream say was spent.
///
/// Tokens are summed from the calls; where the harness's running total says more, or is all there is,
/// the total stands. Cost, turns and duration are the harness's own. Events that were stored before
/// a key existed still give an answer.
///
/// ```
/// use agentnorm::{Protocol, parse_lines, summarize_usage};
///
/// let lines: [&[u8]; 2] = [
///     br#"{"type":"usage","scope":"call","inputTokens":4,"outputTokens":126,"contextTokens":42394}"#,
///     br#"{"type":"usage","scope":"session","inputTokens":8,"outputTokens":456,"costUsd":0.0667396}"#,
/// ];
/// let usage = summarize_usage(parse_lines(Protocol::Jsonl, lines, 100));
/// assert_eq!(usage.figures.output_tokens, Some(456));
/// assert_eq!(usage.figures.cost_usd, Some(0.0667396));
/// assert_eq!(usage.context_tokens, Some(42394));
/// ```
pub fn summarize_usage<E: AsRef<Event>>(events: impl IntoIterator<Item = E>) -> Usage {
    let mut summarizer = Summarizer::new(Options::new(Protocol::Auto), false);
    for event in events {
        summarizer.event(event.as_ref());
    }
    summarizer.finish().total.usage
}
