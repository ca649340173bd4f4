//! What may be typed. No logic, no I/O.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::adapter::Protocol;
use crate::lines::DEFAULT_MAX_LINE;
use crate::text::DEFAULT_CLIP;

mod reports;

pub use reports::{
    CheckArgs, RecapFormat, ReportFormat, StreamArgs, SummarizeArgs, TitleProbeArgs,
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
    Normalize(NormalizeArgs),

    /// Say what sessions spent and did.
    ///
    /// One recap per session, and a total where there are several. Reads events that agentnorm wrote,
    /// or raw streams, which are normalized on the way.
    Summarize(SummarizeArgs),

    /// Find a session's name where its stream does not state it.
    TitleProbe(TitleProbeArgs),

    /// Say how well streams are understood.
    Check(CheckArgs),

    /// Print the schema of the records.
    ///
    /// The schema is generated from the vocabulary's own tables, so it says what this version writes.
    Schema(SchemaArgs),
}

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
    /// The dialect of the input.
    #[arg(
        short,
        long,
        env = "AGENTNORM_PROTOCOL",
        default_value = "auto",
        value_name = "PROTOCOL"
    )]
    pub protocol: Protocol,

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

    /// Write there instead of to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also write the input, byte for byte, to FILE; goes on when standard output is closed.
    #[arg(long, value_name = "FILE")]
    pub tee: Option<PathBuf>,

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
