//! `summarize`: what sessions spent and did.

use super::input::Inputs;
use super::streams::{print, print_json, say};
use super::{exit, say_why};
use crate::cli::args::{RecapFormat, SummarizeArgs};
use crate::report::summary::Summarizer;
use crate::run::exit::Exit;

pub(super) fn run(args: &SummarizeArgs) -> anyhow::Result<Exit> {
    let mut summarizer = Summarizer::new(args.read.options(), args.dedupe);
    let all = Inputs::of(&args.read.files)?.feed(&mut summarizer)?;
    let summary = summarizer.finish();
    match args.format {
        RecapFormat::Text => print(summary.to_text())?,
        RecapFormat::Json => print_json(&summary.to_json())?,
        RecapFormat::Markdown => print(summary.to_markdown())?,
    }
    if !summary.found {
        say("no session and no usage was found");
    }
    let good = summary.verdict.is_success() || !args.exit_status;
    if all && summary.found && !good {
        say_why(summary.verdict, None);
    }
    Ok(exit(all, summary.found && good))
}
