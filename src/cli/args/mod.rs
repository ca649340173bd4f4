//! What may be typed. No logic, no I/O.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::adapter::Protocol;
use crate::limits::{DEFAULT_CLIP, DEFAULT_MAX_LINE};
use crate::run::exit;

mod export;
mod redact;
mod reports;
mod summarize;
mod wrap;

pub use export::{ExportArgs, ExportFormat};
pub use redact::{RedactArgs, SecretArgs};
pub use reports::{
    CheckArgs, Color, FailuresArgs, ReportFormat, ShowArgs, StreamArgs, TitleProbeArgs, ViewArgs,
    ViewFormat,
};
pub use summarize::{RecapFormat, SummarizeArgs};
pub use wrap::{LimitArgs, WrapArgs};

/// Turn what coding agents print into one small event vocabulary.
///
/// Reads the JSON lines that a coding agent (Claude Code, Codex, …) prints, and writes events in one
/// small, stable vocabulary: one JSON object per line, each with the line it came from. Nothing is
/// dropped: what has no place in the vocabulary becomes a `raw` event. No line is fatal: garbage
/// costs that line and no other.
#[derive(Debug, Parser)]
#[command(
    name = "agentnorm",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
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
    /// Returns the exit status for an error of agentnorm's own in this command.
    pub fn error_status(&self) -> u8 {
        match self.command {
            Some(Command::Wrap(_)) => exit::WRAP,
            _ => exit::ERROR,
        }
    }

    /// Returns the exit status for arguments (the program's name first) that cannot be understood.
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
  0  done, even if lines were malformed
  1  with -e: the session did not succeed; one line says why
  2  usage or I/O error

A session succeeded if its last session.ended says so and neither an error nor more work came after
it; or, where this form of the dialect has no end record, if one of its records was read and no error
came last. A stream that no agent wrote did not succeed. With -e the input is read to its end, even
if nobody reads the events any more.

A closed output pipe is not an error. If the --tee file, or what --show shows beside -o, cannot be
written, the events go on; agentnorm says so at the end and exits with 2.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Normalize files, each as a stream of its own.
    ///
    /// Works like the filter, on files. Line numbers start again at 1 in each file.
    #[command(override_usage = "agentnorm normalize [OPTIONS] [FILE]...")]
    Normalize(NormalizeArgs),

    /// Run an agent and normalize what it prints.
    ///
    /// Runs COMMAND, turns what it prints on standard output into events while it runs, and exits
    /// with its exit status. Unless -p says otherwise, the command's name decides the protocol
    /// (claude means claude-json); for any other name the protocol is detected. The flags that make
    /// the agent print JSON are added, unless the command already chooses an output format.
    #[command(
        override_usage = "agentnorm wrap [OPTIONS] [--] COMMAND [ARG]...",
        after_long_help = WRAP_HELP
    )]
    Wrap(WrapArgs),

    /// Report what sessions spent and did.
    ///
    /// Prints one recap per session, and a total if there are several. Reads events that agentnorm
    /// wrote, or raw streams, which it normalizes first.
    Summarize(SummarizeArgs),

    /// Find a session's name when its stream does not state it.
    TitleProbe(TitleProbeArgs),

    /// Report how well agentnorm understands streams.
    Check(CheckArgs),

    /// List the tool calls that failed.
    Failures(FailuresArgs),

    /// Show sessions for people to read, live.
    ///
    /// Reads events that agentnorm wrote, or raw streams, which it normalizes first.
    Show(ShowArgs),

    /// Export sessions to what other programs read: traces, trajectories.
    ///
    /// Reads events that agentnorm wrote, raw streams, or session files.
    Export(ExportArgs),

    /// Print the schema of the events.
    ///
    /// The schema comes from the tables that agentnorm writes by, so it describes exactly what this
    /// version writes.
    Schema(SchemaArgs),
}

const WRAP_HELP: &str = "\
EXAMPLES:
  agentnorm wrap -- claude -p \"fix the build\" </dev/null >events.jsonl
  agentnorm wrap -- codex exec \"fix the build\" </dev/null >events.jsonl
  agentnorm wrap -e --kill-after 10s -- timeout 30m npx @openai/codex \\
      exec - <prompt.txt >events.jsonl
  agentnorm wrap --show -o events.jsonl -- claude -p \"fix the build\" </dev/null
  agentnorm wrap --timeout 30m --idle-timeout 5m --max-cost 2 --heartbeat 1m \\
      -o events.jsonl -- claude -p \"fix the build\" </dev/null
  agentnorm wrap --dry-run -- claude -p hi

COMMAND:
  agentnorm adds flags directly after the agent's name or subcommand,
  never after a `--` and never inside the prompt. It looks past env,
  nice, nohup, timeout, npx, bunx and the like to find the agent. It runs
  any other command (sh -c ..., a script) unchanged, and still reads its
  output. With -p auto, none or jsonl it adds nothing. Where -p names an
  agent that it does not find in the command, it says so.

STREAMS:
  The command inherits standard input and standard error; agentnorm reads
  its standard output only, through a pipe and not a terminal. Some agents
  wait until standard input ends: Codex does, and so does claude -p. If
  you have no input for them, write </dev/null.

  If the reader of agentnorm's output goes away, agentnorm stops writing
  to it, but goes on reading the command's output so that the command can
  finish, and goes on writing the --tee file. This is not an error. If
  the --tee file, or what --show shows beside -o, cannot be written, the
  events go on; agentnorm says so at the end and exits with 125.

SIGNALS:
  The command runs in agentnorm's process group, so a signal from the
  terminal (Ctrl-C) reaches it directly. When another process sends INT,
  TERM, HUP, QUIT, USR1, USR2 or ALRM to agentnorm, agentnorm passes the
  signal on if the command is still running 100 ms later. It then waits
  for the command, reads what it still writes, and exits. In a CI script,
  write `exec agentnorm wrap ...`, so that the runner's signals reach
  agentnorm and not a shell. A signal that was ignored when agentnorm
  started stays ignored: under nohup, or in the background of a script
  (&), where the shell ignores INT.

  --kill-after sets a limit: agentnorm kills a command that has not ended
  that long after INT (Ctrl-C, too), TERM, HUP or QUIT. On Linux it also
  kills every process that the command started, even if the command
  itself has ended, and no other.

  Once the command has ended, a second signal ends agentnorm at once. If
  a process sent the first and nobody reads the events, agentnorm gives
  up after 5 s. If agentnorm itself is killed (KILL), Linux kills the
  command, too.

ENDS:
  If the command has ended but a process that it started still holds the
  output open, agentnorm reads on until the output ends, is silent for
  500 ms, or 5 s have passed. It then leaves that process alone.

  If session.ended is not the last thing that the stream says, agentnorm
  adds one, made from how the command ended. It is marked synthetic, has
  an exitCode or a signal, and is written even when --budget is used up.
  It says succeeded only if the exit status is 0, this form of the
  dialect has no end record of its own, and the last thing said was not
  an error. A command that is no known agent is judged by its exit
  status alone. A known one that printed no record of its dialect did
  not succeed: the reason is nothing_read.

  With --linger, agentnorm ends a command that stays silent for that long
  after its session.ended while nothing runs in the background: it sends
  TERM, then applies --kill-after. The exit status is the command's own.

LIMITS:
  A command that breaks a limit gets TERM, and --kill-after (10s unless
  it is given) later KILL; on Linux so does everything that it started. A
  notice with the code limit says which limit it was. Unless the agent
  still prints an end of its own, a session.ended follows: failed, with
  the limit as its reason (timeout, idle, tool_timeout, max_turns,
  max_tokens, max_cost or max_repeats). The exit status is 124.

  Progress is what the agent says and does: messages, thinking, deltas,
  calls, results, a plan. Retries, other notices and what agentnorm does
  not understand are none. While a tool call is open or background work
  runs, --idle-timeout waits; --tool-timeout is for those.

  Figures are counted as `agentnorm summarize` counts them, while the
  command runs. Turns are the model calls that the stream shows, or the
  agent's own count where that is larger. Some agents state a figure only
  at the end of a turn: a limit on it acts then. A limit on a figure that
  the agent never states is refused.

  With --rate-limit-status, a session that failed and whose last error
  was a rate limit gives that exit status; a line on standard error says
  when the limit is lifted, if the agent said so.

EXIT STATUS:
  The command's own, except:
  1      with -e: the command exited with 0, but its session did not
         succeed; one line says why
  124    a limit ended the command
  125    agentnorm itself failed, or its arguments were wrong
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
    /// The dialect of the input; detected (auto) unless it is given.
    #[arg(short, long, env = "AGENTNORM_PROTOCOL", value_name = "PROTOCOL")]
    pub protocol: Option<Protocol>,

    /// Clip each text field to N characters; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CLIP)]
    pub clip: usize,

    /// The longest line to read, in bytes; a longer one becomes one clipped `raw` event.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_MAX_LINE, value_parser = max_line)]
    pub max_line: usize,

    /// Leave out partial text, and the lines that only a stream of partial text has.
    #[arg(long)]
    pub no_deltas: bool,

    /// Give events whose line states no time the time when it was read.
    #[arg(long)]
    pub stamp: bool,

    /// What is redacted before that.
    #[command(flatten)]
    pub redact: RedactArgs,
}

/// Where events go.
#[derive(Debug, Args)]
pub struct WriteArgs {
    /// Write at most N events, and one more that says how many lines were not normalized.
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,

    /// Leave out `source`, the line that each event came from.
    #[arg(long)]
    pub no_source: bool,

    /// Write events to FILE instead of standard output; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write the input to FILE, byte for byte (redacted with --redact), even after standard
    /// output is closed.
    #[arg(long, value_name = "FILE")]
    pub tee: Option<PathBuf>,

    /// Show the session on standard output, as `agentnorm show` does; events go to -o only.
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

    /// Name the file in each record, as `file`.
    #[arg(short = 'H', long)]
    pub with_filename: bool,

    /// The files to read; `-`, the default, is standard input.
    ///
    /// A directory means the files in it, at any depth, that end in .jsonl, .json or .ndjson, also with
    /// .gz or .zst behind. Compressed files, UTF-16 and JSON that was indented are read like the plain
    /// form.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Options of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// The language to print it in.
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

/// Refuses what the index of a line, which holds 32-bit offsets, could not reach.
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
