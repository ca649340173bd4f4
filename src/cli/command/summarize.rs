//! `summarize`: what sessions spent and did.

use std::io;

use jiff::tz::TimeZone;

use super::input::Inputs;
use super::streams::{print, print_json, say};
use super::{exit, say_why};
use crate::cli::args::{RecapFormat, SummarizeArgs};
use crate::report::summary::{Delimiter, Listing, Summarizer, several};
use crate::run::exit::Exit;

pub(super) fn run(args: &SummarizeArgs) -> anyhow::Result<Exit> {
    let mut summarizer = Summarizer::new(args.read.options(), args.dedupe);
    let all = Inputs::of(&args.read.files)?.feed(&mut summarizer)?;
    let mut summary = summarizer.finish();
    let listing = Listing {
        by: args.by,
        sort: args.sort,
        top: args.top,
        zone: if args.utc { TimeZone::UTC } else { TimeZone::system() },
        width: terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into()),
    };
    let undated = summary.keep(args.since.as_ref(), args.until.as_ref(), &listing.zone);
    if undated > 0 {
        say(&format!("{} without any time left out", several(undated, "session")));
    }
    let in_lines = args.by.is_some() || (summary.sessions.len() > 1 && !args.details);
    match args.format {
        RecapFormat::Text if in_lines => print(summary.to_overview(&listing))?,
        RecapFormat::Text => print(summary.to_text())?,
        RecapFormat::Json => print_json(&summary.to_json_listing(&listing))?,
        RecapFormat::Markdown if in_lines => print(summary.to_markdown_overview(&listing))?,
        RecapFormat::Markdown => print(summary.to_markdown())?,
        RecapFormat::Csv => print(summary.to_delimited(Delimiter::Comma, &listing)?)?,
        RecapFormat::Tsv => print(summary.to_delimited(Delimiter::Tab, &listing)?)?,
        RecapFormat::Env => print(summary.to_env())?,
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
