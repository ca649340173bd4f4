//! What `export` takes.

use clap::{Args, ValueEnum};

use super::{RedactArgs, StreamArgs};
use crate::export::TraceParent;

/// Options of `export`.
#[derive(Debug, Args)]
#[command(
    override_usage = "agentnorm export --to FORMAT [OPTIONS] [FILE]...",
    after_long_help = EXPORT_HELP
)]
pub struct ExportArgs {
    /// What to write.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub to: ExportFormat,

    /// How the streams are read.
    #[command(flatten)]
    pub read: StreamArgs,

    /// What is redacted.
    #[command(flatten)]
    pub redact: RedactArgs,

    /// otlp: also write what was said, and the arguments and results of tools.
    #[arg(long)]
    pub content: bool,

    /// otlp: the span that the sessions are children of; by default the one that TRACEPARENT names.
    #[arg(long, value_name = "W3C", value_parser = trace_parent)]
    pub trace_parent: Option<TraceParent>,

    /// otlp: the name of the service; by default the agent's.
    #[arg(long, value_name = "NAME")]
    pub service: Option<String>,

    /// otlp: write sessions that state no time, too, with their events 1 ms apart.
    #[arg(long)]
    pub no_time: bool,

    /// atif: what the agent was asked, where its stream does not say it; `@FILE` reads it from FILE.
    #[arg(long, value_name = "TEXT|@FILE")]
    pub prompt: Option<String>,
}

/// What sessions are exported to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// OTLP/JSON traces, one line per session, in the words of OpenTelemetry's `gen_ai` conventions.
    Otlp,
    /// Agent Trajectory documents, one line per session.
    Atif,
}

const EXPORT_HELP: &str = "\
Writes to standard output what other programs read; nothing is sent anywhere. The same input gives
the same bytes, and the same ids. otlp leaves out all that was said unless --content is given, but
not the message of an error; atif is nothing but what was said. What a format has no place for is
counted in what is written.

A trace needs times. Many agents print none: store their events with --stamp while they run, or give
--no-time.

EXAMPLES:
  agentnorm export --to otlp events.jsonl > traces.jsonl
  agentnorm export --to otlp --content --service ci runs/ > traces.jsonl
  agentnorm export --to atif --prompt @task.md events.jsonl > trajectory.json

ENVIRONMENT:
  TRACEPARENT  otlp: the span that the sessions are children of

EXIT STATUS:
  0  done
  1  a session was not written, because no event states a time or nothing in it has a place in the
     format; or no session was found
  2  usage or I/O error

A closed output pipe is not an error.";

fn trace_parent(text: &str) -> Result<TraceParent, String> {
    TraceParent::read(text)
        .ok_or_else(|| "give a W3C trace parent: 00-<32>-<16>-<2> digits".to_owned())
}
