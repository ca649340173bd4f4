//! What may be typed. No logic, no I/O.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use jiff::SignedDuration;

use crate::adapter::Protocol;
use crate::limits::{DEFAULT_CLIP, DEFAULT_MAX_LINE};
use crate::run::exit;

mod reports;

pub use reports::{
    CheckArgs, Color, RecapFormat, ReportFormat, ShowArgs, StreamArgs, SummarizeArgs,
    TitleProbeArgs, ViewArgs, ViewFormat,
};

/// Turn what coding agents print into one small event vocabulary.
///
/// Reads the JSON lines that a coding agent (Claude Code, Codex, …) prints on standard output and
/// writes one small, stable vocabulary instead, one JSON object a line, each with the line it came
/// from. Nothing is dropped: what has no place in the vocabulary becomes a `raw` event. No line is
/// fatal: garbage costs that line.
#[derive(Debug, Parser)]
#[command(
    name = "agentnorm",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    override_usage = "agentnorm [OPTIONS]\n       agentnorm <COMMAND>",
    after_long_help = FILTER_HELP
)]
pub struct Cli {
    /// What to do; without it, filter standard input.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// The filter's options.
    #[command(flatten)]
    pub filter: FilterArgs,
}

impl Cli {
    /// The exit status for an error of agentnorm's own in this command.
    pub fn error_status(&self) -> u8 {
        match self.command {
            Some(Command::Wrap(_)) => exit::WRAP,
            _ => exit::ERROR,
        }
    }

    /// The exit status for arguments (the program's name first) that cannot be understood.
    pub fn usage_status(mut args: impl Iterator<Item = OsString>) -> u8 {
        if args.nth(1).is_some_and(|command| command == "wrap") { exit::WRAP } else { exit::ERROR }
    }
}

const FILTER_HELP: &str = "\
EXAMPLES:
  claude -p \"fix the build\" --output-format stream-json --verbose | agentnorm > events.jsonl
  codex exec --json \"fix the build\" </dev/null | agentnorm -p codex -o events.jsonl
  agentnorm -e --no-deltas < stream.jsonl | jq -r 'select(.type == \"message\").payload.text'

EXIT STATUS:
  0  done, malformed lines included
  1  with -e: the last session.ended is no success, or there is none although the dialect has one
  2  usage or I/O error

A closed output pipe is no error.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Normalize files, each as a stream of its own.
    ///
    /// Like the filter, but over files. Line numbers start again with each file.
    #[command(override_usage = "agentnorm normalize [OPTIONS] [FILE]...")]
    Normalize(NormalizeArgs),

    /// Run an agent and normalize what it prints.
    ///
    /// Runs COMMAND, writes the events of what it prints on standard output while it runs, and
    /// exits as it does. Unless -p says otherwise, the protocol is that of the command's name
    /// (claude means claude-json), else it is found out. The flags that make the agent print its
    /// JSON are added where they belong, unless the command names its output's form itself.
    #[command(
        override_usage = "agentnorm wrap [OPTIONS] [--] COMMAND [ARG]...",
        after_long_help = WRAP_HELP
    )]
    Wrap(WrapArgs),

    /// Say what sessions spent and did.
    ///
    /// One recap per session, and a total where there are several. Reads events that agentnorm wrote,
    /// or raw streams, which are normalized on the way.
    Summarize(SummarizeArgs),

    /// Find a session's name where its stream does not state it.
    TitleProbe(TitleProbeArgs),

    /// Say how well streams are understood.
    Check(CheckArgs),

    /// Show sessions as a person reads them, live.
    ///
    /// Reads events that agentnorm wrote, or any raw stream, which is normalized on the way.
    Show(ShowArgs),

    /// Print the schema of the records.
    ///
    /// The schema is generated from the vocabulary's own tables, so it says what this version writes.
    Schema(SchemaArgs),
}

const WRAP_HELP: &str = "\
EXAMPLES:
  agentnorm wrap -- claude -p \"fix the build\" </dev/null >events.jsonl
  agentnorm wrap -- codex exec \"fix the build\" </dev/null >events.jsonl
  agentnorm wrap -e --kill-after 10s -- timeout 30m npx @openai/codex \\
      exec - <prompt.txt >events.jsonl
  agentnorm wrap --show -o events.jsonl -- claude -p \"fix the build\" </dev/null
  agentnorm wrap --dry-run -- claude -p hi

COMMAND:
  Flags are added behind the agent's name or subcommand, never behind a
  `--` and never into the prompt. env, nice, nohup, timeout, npx, bunx,
  and the like in front of the agent are looked through. Any other
  command (sh -c ..., a script) is run as it is, and read all the same.
  With -p auto, none or jsonl nothing is added.

STREAMS:
  Standard input and standard error are the command's own; only its
  standard output is read. There is no terminal between. An agent may
  wait for the end of its standard input: Codex does, and so does
  claude -p. Where there is nothing to say, write </dev/null.
  When nobody reads our output any more, writing stops; the command is
  still read and waited for, so that it can finish, and --tee goes on
  being written. That is no error.

SIGNALS:
  The command runs in our process group, so what the terminal sends
  (Ctrl-C) reaches it directly. INT, TERM, HUP and QUIT that a process
  sends to agentnorm are passed on to the command if it is still there
  100 ms later. Then agentnorm waits for it, reads what it still
  writes, and exits. In a script, `exec agentnorm wrap ...` lets the
  signals of a CI runner arrive. A signal that was ignored when
  agentnorm started (nohup) stays ignored.
  --kill-after sets a limit: what has not ended by then gets KILL. On
  Linux that holds for whatever the command started, too, even if the
  command itself has ended; nothing else is touched.

ENDS:
  When the command has ended and something that it started still holds
  its output, reading goes on until the end of file, 500 ms of silence,
  or 5 s in all. That process is then left alone.
  When the output's last word is not a session.ended, one is made up
  from how the command ended. It is marked synthetic, has exitCode or
  signal, and no budget leaves it out. It is a success only if the exit
  status is 0, this form of the dialect has no end record of its own,
  and no error came last.
  --linger tells a command to end (TERM, then --kill-after) that stays
  silent that long behind its session.ended while nothing runs in the
  background. The exit status is what the command makes of that.

EXIT STATUS:
  the command's own, and:
  1      with -e: the command said 0, but the session did not succeed
  125    agentnorm itself failed, or was called wrongly
  126    the command cannot be run
  127    the command was not found
  128+n  signal n ended the command";

/// Options of the filter.
#[derive(Debug, Args)]
pub struct FilterArgs {
    /// How the stream is read.
    #[command(flatten)]
    pub read: ReadArgs,

    /// Where the events go.
    #[command(flatten)]
    pub write: WriteArgs,
}

/// How a stream is read.
#[derive(Debug, Args)]
pub struct ReadArgs {
    /// The dialect of the input; it is found out (auto) where nothing says it.
    #[arg(short, long, env = "AGENTNORM_PROTOCOL", value_name = "PROTOCOL")]
    pub protocol: Option<Protocol>,

    /// Characters per text field; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CLIP)]
    pub clip: usize,

    /// The longest line in bytes; a longer one becomes one clipped `raw` event.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_MAX_LINE, value_parser = max_line)]
    pub max_line: usize,

    /// Leave out partial text and the lines that only a partial stream has.
    #[arg(long)]
    pub no_deltas: bool,

    /// Give events whose line states no time the time of reading.
    #[arg(long)]
    pub stamp: bool,
}

/// Where events go.
#[derive(Debug, Args)]
pub struct WriteArgs {
    /// At most N events; one more says how many lines were not normalized.
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,

    /// Leave the lines out of the records.
    #[arg(long)]
    pub no_source: bool,

    /// Write there instead of to standard output, which `-` is.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write the input, byte for byte, to FILE; goes on when standard output is closed.
    #[arg(long, value_name = "FILE")]
    pub tee: Option<PathBuf>,

    /// Show the session on standard output, as `agentnorm show` does, while the events go to -o.
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        num_args = 0..=1,
        require_equals = true
    )]
    pub show: Option<Option<ViewFormat>>,

    /// Exit with 1 unless the session succeeded.
    #[arg(short, long)]
    pub exit_status: bool,
}

/// Options of `normalize`.
#[derive(Debug, Args)]
pub struct NormalizeArgs {
    /// How the streams are read and where the events go.
    #[command(flatten)]
    pub filter: FilterArgs,

    /// The files; `-` is standard input, which is also the default.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Options of `wrap`.
#[derive(Debug, Args)]
pub struct WrapArgs {
    /// How the output is read and where the events go.
    #[command(flatten)]
    pub filter: FilterArgs,

    /// Print the command as it would be run, and run nothing.
    #[arg(long)]
    pub dry_run: bool,

    /// After a signal, kill what has not ended by then (500ms, 10s, 2m; plain: seconds).
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub kill_after: Option<Duration>,

    /// End a command that stays silent that long behind its end and has no background work.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub linger: Option<Duration>,

    /// The command and its arguments.
    #[arg(
        required = true,
        trailing_var_arg = true,
        value_name = "COMMAND",
        value_hint = ValueHint::CommandWithArguments
    )]
    pub command: Vec<OsString>,
}

/// `90`, `1.5` (seconds) or `500ms`, `10s`, `1m 30s`.
fn duration(text: &str) -> Result<Duration, String> {
    let words = || text.parse::<SignedDuration>().ok().and_then(|time| time.try_into().ok());
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.or_else(words).ok_or_else(|| "give a time like 500ms, 10s or 2m".to_owned())
}

/// Options of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// The language of the schema.
    #[arg(default_value = "json")]
    pub language: SchemaLanguage,
}

/// A language that the schema is printed in.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum SchemaLanguage {
    /// JSON Schema 2020-12
    Json,
    /// TypeScript declarations
    Typescript,
}

/// The index of a line holds 32-bit offsets.
fn max_line(text: &str) -> Result<usize, String> {
    let most = usize::try_from(u32::MAX / 2).unwrap_or(usize::MAX);
    match text.parse() {
        Ok(0) | Err(_) => Err("give a number of bytes, 1 or more".to_owned()),
        Ok(bytes) if bytes > most => Err(format!("at most {most} bytes")),
        Ok(bytes) => Ok(bytes),
    }
}

impl ValueEnum for Protocol {
    fn value_variants<'a>() -> &'a [Self] {
        Protocol::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.dialect().summary))
    }
}
