//! The options of `summarize`.

use clap::{Args, ValueEnum};

use super::reports::StreamArgs;
use crate::report::summary::{Bound, By, Sort};

/// How recaps are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecapFormat {
    /// A table for people: of one session what it did, of several a line each.
    Text,
    /// One JSON object with stable keys, for programs.
    Json,
    /// A table for the summary of a CI job.
    Markdown,
    /// A line a session or group with comma-separated values.
    Csv,
    /// The same with tabs.
    Tsv,
    /// `key=value` lines of the total, for `$GITHUB_OUTPUT` or a shell.
    Env,
}

/// Options of `summarize`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(
    override_usage = "agentnorm summarize [OPTIONS] [FILE]...",
    after_long_help = SUMMARIZE_HELP
)]
pub struct SummarizeArgs {
    /// How the streams are read.
    #[command(flatten)]
    pub read: StreamArgs,

    /// The format of the recaps.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub format: RecapFormat,

    /// Print all of each session, also where there are several.
    #[arg(long, conflicts_with = "by")]
    pub details: bool,

    /// Group the sessions.
    #[arg(long, value_enum, value_name = "WHAT")]
    pub by: Option<By>,

    /// Only sessions that began then or later: a date, a time, or how long ago (`7d`, `12h`, `2w`).
    #[arg(long, value_name = "WHEN")]
    pub since: Option<Bound>,

    /// Only sessions that began before: a date (that day included), a time, or how long ago.
    #[arg(long, value_name = "WHEN")]
    pub until: Option<Bound>,

    /// The order of the lines; without it, as the sessions came, and groups by their key.
    #[arg(long, value_enum, value_name = "KEY")]
    pub sort: Option<Sort>,

    /// Print no more than N lines. The total is of all.
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,

    /// Days and times in UTC instead of the local time zone.
    #[arg(long)]
    pub utc: bool,

    /// Exit with 1 unless each stream's session succeeded.
    #[arg(short, long)]
    pub exit_status: bool,

    /// Count only once what occurs twice, such as the same file.
    #[arg(long)]
    pub dedupe: bool,
}

const SUMMARIZE_HELP: &str = "\
Each token count is the larger of two figures: the agent's own running total, and the sum of its
model calls. Cost, turns and duration are the agent's own figures. Several runs of one session are
added up, unless the session's totals already continue from one run to the next. A session counts
on the day on which it began; one that states no time, on the day its file was changed (~).

EXAMPLES:
  agentnorm summarize events.jsonl
  agentnorm summarize ~/.claude/projects --by day --since 7d
  agentnorm summarize runs --sort cost --top 10
  agentnorm summarize --format json runs/*.jsonl | jq .total.usage.costUsd
  agentnorm summarize --format env events.jsonl >> \"$GITHUB_OUTPUT\"
  agentnorm summarize --format markdown -e events.jsonl >> \"$GITHUB_STEP_SUMMARY\"

EXIT STATUS:
  0  done
  1  no session and no usage was found; with -e also: a stream's last session.ended is not a
     success, or it is missing from a dialect that has one
  2  usage or I/O error";
