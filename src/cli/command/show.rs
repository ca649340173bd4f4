//! `show`: sessions as a person reads them.

use std::io::{self, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};

use super::exit;
use super::input::Inputs;
use super::outputs::refuse_own_output;
use super::redact::say_redacted;
use super::streams::{Closed, OnStdout, on_stdout, stdout};
use crate::cli::args::{Color, ShowArgs, ViewArgs, ViewFormat};
use crate::limits::DEFAULT_MAX_BYTES;
use crate::read::normalize::Options;
use crate::run::exit::Exit;
use crate::show::{ScreenSize, ShowFormat, ShowOptions, Viewer};

pub(super) fn run(args: &ShowArgs) -> anyhow::Result<Exit> {
    let inputs = Inputs::of(&args.read.files)?;
    refuse_own_output(&inputs.paths())?;
    // A person reads on where stored texts end.
    let redaction = args.redact.redaction()?;
    let options =
        Options { clip: 0, stamp: args.stamp, redaction: redaction.clone(), ..args.read.options() };
    let mut shown = OnStdout(args.view.viewer(options)?);
    let all = inputs.feed(&mut shown);
    say_redacted(redaction.as_ref());
    let all = all?;
    on_stdout(shown.0.finish().map(drop))
        .or_else(|error| if error.is::<Closed>() { Ok(()) } else { Err(error) })?;
    Ok(exit(all, true))
}

/// Returns what shows a session on standard output beside something else.
pub(super) fn viewer(
    format: Option<ViewFormat>,
    options: Options,
) -> anyhow::Result<Viewer<Box<dyn Write>>> {
    let view = ViewArgs {
        format,
        color: Color::Auto,
        thinking: false,
        full: false,
        raw: false,
        max_bytes: DEFAULT_MAX_BYTES,
    };
    view.viewer(options)
}

impl ViewArgs {
    /// Returns what shows a session on standard output.
    fn viewer(&self, options: Options) -> anyhow::Result<Viewer<Box<dyn Write>>> {
        let screen = io::stdout();
        let choice = match self.color {
            Color::Auto => AutoStream::choice(&screen),
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        let colored = choice != ColorChoice::Never;
        let terminal = screen.is_terminal();
        let format = match self.format {
            Some(ViewFormat::Markdown) => ShowFormat::Markdown,
            Some(ViewFormat::Html) => ShowFormat::Html,
            Some(ViewFormat::Terminal) => ShowFormat::Terminal,
            None if terminal || colored => ShowFormat::Terminal,
            Some(ViewFormat::Plain) | None => ShowFormat::Plain,
        };
        let show = ShowOptions {
            format,
            thinking: self.thinking,
            full: self.full,
            raw: self.raw,
            max_bytes: self.max_bytes,
            width: columns(),
            screen: terminal.then_some(size as ScreenSize),
            redraw: colored,
        };
        let mut out: Box<dyn Write> = Box::new(stdout()?);
        if format == ShowFormat::Terminal && !colored {
            out = Box::new(AutoStream::never(out));
        }
        Ok(Viewer::new(options, show, out))
    }
}

/// Reads what `COLUMNS` says.
fn columns() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|columns| *columns > 0)
}

/// Asks the terminal for its columns and rows.
fn size() -> Option<(usize, usize)> {
    let (width, height) = terminal_size::terminal_size_of(io::stdout())?;
    Some((width.0.into(), height.0.into()))
}
