//! A limit that was broken, and the words for it.

use std::fmt;
use std::time::Duration;

use super::words::duration;

/// A limit that was broken: what was allowed, and what it came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Limit {
    Timeout(Duration),
    Idle(Duration),
    Tool { time: Duration, call: String },
    Turns { most: u64, turns: u64 },
    Tokens { most: u64, tokens: u64 },
    Cost { most: f64, cost: f64 },
    Repeats { times: u64, name: String },
}

impl Limit {
    /// Returns the word of the format: the end's `reason`.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Limit::Timeout(_) => "timeout",
            Limit::Idle(_) => "idle",
            Limit::Tool { .. } => "tool_timeout",
            Limit::Turns { .. } => "max_turns",
            Limit::Tokens { .. } => "max_tokens",
            Limit::Cost { .. } => "max_cost",
            Limit::Repeats { .. } => "max_repeats",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Timeout(time) => write!(f, "--timeout {}: the time is up", duration(*time)),
            Limit::Idle(time) => {
                write!(f, "--idle-timeout {}: no progress for as long", duration(*time))
            }
            Limit::Tool { time, call } => {
                write!(f, "--tool-timeout {}: still open: {call}", duration(*time))
            }
            Limit::Turns { most, turns } => write!(f, "--max-turns {most}: {turns} model calls"),
            Limit::Tokens { most, tokens } => write!(f, "--max-tokens {most}: {tokens} tokens"),
            Limit::Cost { most, cost } => write!(f, "--max-cost {most}: {cost} US dollars"),
            Limit::Repeats { times, name } => {
                write!(f, "--max-repeats {times}: the same call of {name} as often in a row")
            }
        }
    }
}
