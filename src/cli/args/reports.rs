//! The commands that report on streams instead of rewriting them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{RedactArgs, SecretArgs};
use crate::adapter::Protocol;
use crate::limits::{DEFAULT_MAX_BYTES, DEFAULT_MAX_LINE};

/// How the streams are read.
#[derive(Debug, Args)]
pub struct StreamArgs {
    /// The dialect of raw streams; events that agentnorm wrote are recognized anyway.
    #[arg(
        short,
        long,
        env = "AGENTNORM_PROTOCOL",
        default_value = "auto",
        value_name = "PROTOCOL"
    )]
    pub protocol: Protocol,

    /// The longest line to read, in bytes; a longer one is not interpreted.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = DEFAULT_MAX_LINE,
        value_parser = super::max_line
    )]
    pub max_line: usize,

    /// The files to read, each a stream of its own; `-`, the default, is standard input.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// How a report is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For people.
    Text,
    /// JSON with stable keys, for programs.
    Json,
}

/// Options of `title-probe`.
#[derive(Debug, Args)]
#[command(after_long_help = TITLE_HELP)]
pub struct TitleProbeArgs {
    /// The dialect; `auto` looks in every known place.
    #[arg(
        short,
        long,
        env = "AGENTNORM_PROTOCOL",
        default_value = "auto",
        value_name = "PROTOCOL"
    )]
    pub protocol: Protocol,

    /// Read the snippet's output from standard input, and print the name.
    #[arg(long, conflicts_with = "run")]
    pub parse: bool,

    /// Run the snippet here, and print the name.
    #[arg(long)]
    pub run: bool,

    /// The format: the name alone, or the `session.title` event with its source.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub format: ReportFormat,

    /// The session's id: up to 128 characters of `A-Z a-z 0-9 . _ -`.
    #[arg(value_name = "SESSION_ID", required_unless_present = "parse")]
    pub session_id: Option<String>,
}

const TITLE_HELP: &str = "\
Claude Code and Codex keep the names of sessions in files and do not print them. Without --parse or
--run, this command prints a shell snippet that finds the name; run it where the agent ran. It needs
a POSIX shell, grep and tail. A name that a person chose is preferred to a generated one.

EXAMPLES:
  agentnorm title-probe --run 8f8c309b-9584-53a6-b7d9-c25d2ac679d5
  agentnorm title-probe -p claude-json \"$id\" | ssh worker sh | agentnorm title-probe --parse

EXIT STATUS:
  0  done
  1  no name was found, or no place is known where this dialect keeps names
  2  usage or I/O error, including an argument that is not a session id";

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

    /// Exit with 1 if anything was not mapped, or was malformed.
    #[arg(long)]
    pub strict: bool,

    /// List secrets instead, by file, line and kind, and exit with 1 if there are any.
    #[arg(long, conflicts_with = "strict")]
    pub secrets: bool,

    /// What counts as a secret.
    #[command(flatten)]
    pub secret: SecretArgs,

    /// The format of the report.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub format: ReportFormat,
}

const CHECK_HELP: &str = "\
Reports, for each dialect, what this version of agentnorm makes of the streams: what it did not map,
which lines are malformed, and which figures contradict each other. Stored events are read again from
their sources. A type that is known to carry nothing for the vocabulary is listed as left raw.

EXAMPLES:
  agentnorm check stream.jsonl
  claude -p hello --output-format stream-json --verbose | agentnorm check --strict
  agentnorm check --format json runs/*.jsonl | jq '.dialects[].unmapped'
  agentnorm check --secrets events.jsonl && upload events.jsonl

EXIT STATUS:
  0  done
  1  with --strict: a line or block was not mapped or is malformed, or no dialect was detected;
     an empty stream passes;
     with --secrets: there is something that --redact would redact
  2  usage or I/O error";

/// Options of `failures`.
#[derive(Debug, Args)]
#[command(
    override_usage = "agentnorm failures [OPTIONS] [FILE]...",
    after_long_help = FAILURES_HELP
)]
pub struct FailuresArgs {
    /// How the streams are read.
    #[command(flatten)]
    pub read: StreamArgs,

    /// How many of the last lines of a result are printed.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub lines: usize,

    /// The format of the report.
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub format: ReportFormat,
}

const FAILURES_HELP: &str = "\
Lists each call of a tool whose result is an error: the file and the line of the result, the tool,
the exit status, what was called, and the last lines that are not empty.

EXAMPLES:
  agentnorm failures stream.jsonl
  agentnorm failures --format json runs | jq -r '.failures[].command' | sort | uniq -c

EXIT STATUS:
  0  done
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

    /// Give events whose line states no time the time when it was read.
    #[arg(long)]
    pub stamp: bool,

    /// How the sessions are shown.
    #[command(flatten)]
    pub view: ViewArgs,

    /// What is redacted before.
    #[command(flatten)]
    pub redact: RedactArgs,
}

/// How a session is shown.
#[derive(Debug, Args)]
pub struct ViewArgs {
    /// The format; by default `terminal` on a terminal or with forced colours, otherwise `plain`.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<ViewFormat>,

    /// When to use colours.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    pub color: Color,

    /// Show thinking in full, not only its first line.
    #[arg(long)]
    pub thinking: bool,

    /// Show results and arguments in full, not folded.
    #[arg(long)]
    pub full: bool,

    /// Also show what agentnorm did not map, and what the agent printed again.
    #[arg(long)]
    pub raw: bool,

    /// The most that `markdown` prints, in bytes; what comes last is kept.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_MAX_BYTES)]
    pub max_bytes: usize,
}

/// A form of `show`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ViewFormat {
    /// Colours, Markdown, folded results; on a terminal, text appears as it is written.
    Terminal,
    /// One line per event, for logs and grep.
    Plain,
    /// Markdown for the summary of a CI job.
    Markdown,
    /// One self-contained page for a browser.
    Html,
}

/// When colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set; everywhere if `CLICOLOR_FORCE` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

const SHOW_HELP: &str = "\
Shows a session while it runs: messages, each tool call with its main argument and its folded
result, edits as line counts, the plan, notices, and a recap at the end. What agents and tools wrote
is made harmless: control characters are shown as symbols, text that a CI system would take for a
command is broken up, and HTML is escaped.

EXAMPLES:
  claude -p \"fix the build\" --output-format stream-json --verbose | agentnorm show
  agentnorm show --full --thinking --color always events.jsonl | less -R
  agentnorm show --format markdown events.jsonl >> \"$GITHUB_STEP_SUMMARY\"
  agentnorm show --format html events.jsonl > session.html

ENVIRONMENT:
  NO_COLOR        if set, no colours
  CLICOLOR_FORCE  if set, colours everywhere
  COLUMNS         the width of `terminal`

EXIT STATUS:
  0  done
  2  usage or I/O error

A closed output pipe is not an error.";
