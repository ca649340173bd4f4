//! The commands that report on streams instead of rewriting them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::adapter::Protocol;
use crate::limits::{DEFAULT_MAX_BYTES, DEFAULT_MAX_LINE};

/// How the streams are read.
#[derive(Debug, Args)]
pub struct StreamArgs {
    /// The dialect of raw streams; events that agentnorm wrote are known by their shape.
    #[arg(
        short,
        long,
        env = "AGENTNORM_PROTOCOL",
        default_value = "auto",
        value_name = "PROTOCOL"
    )]
    pub protocol: Protocol,

    /// The longest line in bytes; nothing is read off a longer one.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = DEFAULT_MAX_LINE,
        value_parser = super::max_line
    )]
    pub max_line: usize,

    /// The files, each its own stream; `-` is standard input, which is also the default.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// How a recap is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecapFormat {
    /// An aligned table.
    Text,
    /// One object; its keys are stable.
    Json,
    /// A table for the summary of a CI job.
    Markdown,
}

/// How a report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people.
    Text,
    /// For programs; the keys are stable.
    Json,
}

/// Options of `summarize`.
#[derive(Debug, Args)]
#[command(
    override_usage = "agentnorm summarize [OPTIONS] [FILE]...",
    after_long_help = SUMMARIZE_HELP
)]
pub struct SummarizeArgs {
    /// How the streams are read.
    #[command(flatten)]
    pub read: StreamArgs,

    /// How the recap is printed.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub format: RecapFormat,

    /// Exit with 1 unless each stream's session succeeded.
    #[arg(short, long)]
    pub exit_status: bool,

    /// Leave out what comes a second time, such as the same file.
    #[arg(long)]
    pub dedupe: bool,
}

const SUMMARIZE_HELP: &str = "\
For each counter the larger of two figures stands: the agent's own running total, or the sum of its
model calls. Cost, turns and duration are the agent's own. Runs of one session are added up, unless
its totals go on from one run to the next.

EXAMPLES:
  agentnorm summarize events.jsonl
  agentnorm summarize --format json runs/*.jsonl | jq .total.usage.costUsd
  agentnorm summarize --format markdown -e events.jsonl >> \"$GITHUB_STEP_SUMMARY\"

EXIT STATUS:
  0  done
  1  no session and no usage was found; with -e also: a stream's last session.ended is no success,
     or there is none although the dialect has one
  2  usage or I/O error";

/// Options of `title-probe`.
#[derive(Debug, Args)]
#[command(after_long_help = TITLE_HELP)]
pub struct TitleProbeArgs {
    /// The dialect; `auto` looks in every place that is known.
    #[arg(
        short,
        long,
        env = "AGENTNORM_PROTOCOL",
        default_value = "auto",
        value_name = "PROTOCOL"
    )]
    pub protocol: Protocol,

    /// Read the snippet's output from standard input and print the name.
    #[arg(long, conflicts_with = "run")]
    pub parse: bool,

    /// Run the snippet here and print the name.
    #[arg(long)]
    pub run: bool,

    /// How the name is printed: alone, or as the `session.title` event with its source.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub format: ReportFormat,

    /// The session's id: at most 128 of `A-Z a-z 0-9 . _ -`.
    #[arg(value_name = "SESSION_ID", required_unless_present = "parse")]
    pub session_id: Option<String>,
}

const TITLE_HELP: &str = "\
Claude Code and Codex keep the names of sessions in files and do not print them. Without an option,
the shell snippet that finds the name is printed, to be run where the agent ran. It needs a POSIX
shell, grep and tail. A name that a person chose comes before one that was generated.

EXAMPLES:
  agentnorm title-probe --run 8f8c309b-9584-53a6-b7d9-c25d2ac679d5
  agentnorm title-probe -p claude-json \"$id\" | ssh worker sh | agentnorm title-probe --parse

EXIT STATUS:
  0  done
  1  no name was found, or none is known to be kept for this dialect
  2  usage or I/O error; what is no session id is one";

/// Options of `check`.
#[derive(Debug, Args)]
#[command(
    override_usage = "agentnorm check [OPTIONS] [FILE]...",
    after_long_help = CHECK_HELP
)]
pub struct CheckArgs {
    /// How the streams are read.
    #[command(flatten)]
    pub read: StreamArgs,

    /// Exit with 1 when anything was not mapped or malformed.
    #[arg(long)]
    pub strict: bool,

    /// How the report is printed.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub format: ReportFormat,
}

const CHECK_HELP: &str = "\
Says, dialect by dialect, what this version of agentnorm makes of the streams: what it did not map,
which lines are no records, and what does not fit together. Stored events are read afresh from their
sources. Types that are known to carry nothing for the vocabulary are listed as left raw.

EXAMPLES:
  agentnorm check stream.jsonl
  claude -p hello --output-format stream-json --verbose | agentnorm check --strict
  agentnorm check --format json runs/*.jsonl | jq '.dialects[].unmapped'

EXIT STATUS:
  0  done
  1  with --strict: a line or block was not mapped or is malformed, or the dialect is not known;
     a stream without a line has nothing of that and passes
  2  usage or I/O error";

/// Options of `show`.
#[derive(Debug, Args)]
#[command(
    override_usage = "agentnorm show [OPTIONS] [FILE]...",
    after_long_help = SHOW_HELP
)]
pub struct ShowArgs {
    /// How the streams are read.
    #[command(flatten)]
    pub read: StreamArgs,

    /// How they are shown.
    #[command(flatten)]
    pub view: ViewArgs,
}

/// How a session is shown.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// The form; `terminal` on a terminal or where colour is forced, else `plain`.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ViewFormat>,

    /// Whether colours are used.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: Color,

    /// Thinking in full, not its first line only.
    #[arg(long)]
    pub thinking: bool,

    /// Results and arguments in full, not folded.
    #[arg(long)]
    pub full: bool,

    /// Also what agentnorm did not map, and what was printed again.
    #[arg(long)]
    pub raw: bool,

    /// The most that `markdown` prints, in bytes; the end is kept.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_MAX_BYTES)]
    pub max_bytes: usize,
}

/// A form of `show`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ViewFormat {
    /// Colours, Markdown, folded results; on a terminal, text appears as it comes.
    Terminal,
    /// One line an event, for logs and for grep.
    Plain,
    /// For the summary of a CI job.
    Markdown,
    /// One self-contained page for a browser.
    Html,
}

/// When colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set; anywhere if `CLICOLOR_FORCE` is.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

const SHOW_HELP: &str = "\
Shows a session as it goes on: messages, each tool call with its most telling argument and its folded
result, edits as counts of lines, the plan, notices, and a recap at the end. What agents and tools
wrote cannot do harm: control characters are shown as symbols, nothing that a CI system takes for a
command is left whole, and HTML is escaped.

EXAMPLES:
  claude -p \"fix the build\" --output-format stream-json --verbose | agentnorm show
  agentnorm show --full --thinking events.jsonl | less -R
  agentnorm show --format markdown events.jsonl >> \"$GITHUB_STEP_SUMMARY\"
  agentnorm show --format html events.jsonl > session.html

ENVIRONMENT:
  NO_COLOR, CLICOLOR_FORCE  no colours; colours anywhere
  COLUMNS                   the width of `terminal`

EXIT STATUS:
  0  done
  2  usage or I/O error

A closed output pipe is no error.";
