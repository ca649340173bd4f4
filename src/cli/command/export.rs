//! `export`: sessions for other programs.

use std::fs;

use anyhow::Context as _;

use super::exit;
use super::input::Inputs;
use super::outputs::refuse_own_output;
use super::redact::say_redacted;
use super::streams::{Closed, OnStdout, on_stdout, say, stdout};
use crate::cli::args::{ExportArgs, ExportFormat};
use crate::export::{ExportOptions, Exported, Exporter, Target, TraceParent};
use crate::read::options::Options;
use crate::run::exit::Exit;

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let inputs = Inputs::of(&args.read.files)?;
    refuse_own_output(&inputs.paths())?;
    let redaction = args.redact.redaction()?;
    let options = Options { redaction: redaction.clone(), ..args.read.options() };
    let mut written = OnStdout(Exporter::new(options, args.options()?, stdout()?));
    let all = inputs.feed(&mut written);
    say_redacted(redaction.as_ref());
    let all = all?;
    let mut exported = Exported::default();
    on_stdout(written.0.finish().map(|(_, what)| exported = what))
        .or_else(|error| if error.is::<Closed>() { Ok(()) } else { Err(error) })?;
    let good = report(&exported);
    Ok(exit(all, good))
}

/// Says what was not written; returns whether that is nothing.
fn report(exported: &Exported) -> bool {
    let whose = match exported.first_refused.as_deref() {
        Some(name) if !name.is_empty() => format!(" (first in {name})"),
        _ => String::new(),
    };
    if exported.without_time > 0 {
        say(&format!(
            "sessions without a time, which were not written: {}{whose}; store events with --stamp, or \
             give --no-time",
            exported.without_time
        ));
    }
    if exported.empty > 0 {
        say(&format!("sessions with nothing to write: {}{whose}", exported.empty));
    }
    let refused = exported.without_time + exported.empty;
    if exported.sessions + refused == 0 {
        say("no session was found");
    }
    refused == 0 && exported.sessions > 0
}

impl ExportArgs {
    fn options(&self) -> anyhow::Result<ExportOptions> {
        let prompt = match self.prompt.as_deref().map(|prompt| (prompt, prompt.strip_prefix('@'))) {
            Some((_, Some(path))) => {
                let text = fs::read(path).with_context(|| format!("cannot read {path}"))?;
                Some(String::from_utf8_lossy(&text).into_owned())
            }
            Some((prompt, None)) => Some(prompt.to_owned()),
            None => None,
        };
        let target = match self.to {
            ExportFormat::Otlp => Target::Otlp,
            ExportFormat::Atif => Target::Atif,
        };
        // The recommendation has a header that cannot be read ignored.
        let inherited = || TraceParent::read(&std::env::var("TRACEPARENT").ok()?);
        Ok(ExportOptions {
            target,
            content: self.content,
            parent: self.trace_parent.or_else(inherited),
            service: self.service.clone(),
            no_time: self.no_time,
            prompt,
        })
    }
}
