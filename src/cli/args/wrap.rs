//! The options of `wrap`.

use std::ffi::OsString;
use std::time::Duration;

use clap::{Args, ValueHint};
use jiff::SignedDuration;

use super::FilterArgs;

/// Options of `wrap`.
#[derive(Debug, Args)]
pub struct WrapArgs {
    /// How the output is read and where the events go.
    #[command(flatten)]
    pub filter: FilterArgs,

    /// Print the command that would be run, and do not run it.
    #[arg(long)]
    pub dry_run: bool,

    /// Kill what is still running this long after a signal (500ms, 10s, 2m; a bare number is
    /// seconds).
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub kill_after: Option<Duration>,

    /// End a command that is silent this long after its session.ended, with no background work.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub linger: Option<Duration>,

    /// When the command is ended.
    #[command(flatten)]
    pub limits: LimitArgs,

    /// Exit with N if the session failed and its last error was a rate limit (75 is usual).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub rate_limit_status: Option<u8>,

    /// The command and its arguments.
    #[arg(
        help_heading = None,
        required = true,
        trailing_var_arg = true,
        value_name = "COMMAND",
        value_hint = ValueHint::CommandWithArguments
    )]
    pub command: Vec<OsString>,
}

/// Limits: what breaks one is ended, with status 124.
#[derive(Debug, Args)]
#[command(next_help_heading = "Watch options")]
pub struct LimitArgs {
    /// End the command when it has run for so long.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub timeout: Option<Duration>,

    /// End it when the agent makes no progress for so long; calls that are open and background
    /// work stop this clock.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub idle_timeout: Option<Duration>,

    /// End it when a tool call has been open for so long.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub tool_timeout: Option<Duration>,

    /// End it when it makes more than N model calls.
    #[arg(long, value_name = "N")]
    pub max_turns: Option<u64>,

    /// End it when more than N tokens were used: input, cache and output together.
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u64>,

    /// End it when it has cost more than this, by the agent's own figure.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub max_cost: Option<f64>,

    /// End it when it makes the same call, name and input, N times in a row.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    pub max_repeats: Option<u64>,

    /// After so long without output, say on standard error how long it runs and what is open.
    #[arg(long, value_name = "DURATION", value_parser = heartbeat)]
    pub heartbeat: Option<Duration>,
}

/// Reads an amount of money.
fn dollars(text: &str) -> Result<f64, String> {
    let amount = text.strip_prefix('$').unwrap_or(text).parse::<f64>().ok();
    let amount = amount.filter(|amount| amount.is_finite() && *amount >= 0.0);
    amount.ok_or_else(|| "give an amount of US dollars like 2 or 0.50".to_owned())
}

/// Reads a duration that comes again and again.
fn heartbeat(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    let long_enough = time >= Duration::from_millis(100);
    if long_enough { Ok(time) } else { Err("give 100ms or more".to_owned()) }
}

/// Reads `90`, `1.5` (seconds) or `500ms`, `10s`, `1m 30s`.
fn duration(text: &str) -> Result<Duration, String> {
    let words = || text.parse::<SignedDuration>().ok().and_then(|time| time.try_into().ok());
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.or_else(words).ok_or_else(|| "give a time like 500ms, 10s or 2m".to_owned())
}
