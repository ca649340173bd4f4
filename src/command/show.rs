//! `show`: sessions as a person reads them.

use std::io::{self, IsTerminal as _, Read as _, Write};
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use anyhow::Context as _;

use super::filter;
use crate::cli::{Color, ShowArgs, ViewArgs, ViewFormat};
use crate::exit::{DONE, Exit};
use crate::normalize::Options;
use crate::show::{ShowFormat, ShowOptions, Viewer};

pub(super) fn run(args: &ShowArgs) -> anyhow::Result<Exit> {
    // A person reads on where stored texts end.
    let options = Options { clip: 0, ..args.read.options() };
    let mut viewer = args.view.viewer(options)?;
    let stdin = [PathBuf::from("-")];
    for path in if args.read.files.is_empty() { &stdin } else { args.read.files.as_slice() } {
        let name = path.display();
        let mut input = filter::open(path).with_context(|| format!("cannot open {name}"))?;
        loop {
            match input.read(viewer.space()) {
                Ok(0) => break,
                Ok(count) => viewer.filled(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error).with_context(|| format!("cannot read {name}")),
            }
            viewer.flush().context("cannot write to standard output")?;
        }
        viewer.end_stream();
    }
    viewer.finish().context("cannot write to standard output")?;
    Ok(Exit(DONE))
}

impl ViewArgs {
    /// What shows a session on standard output.
    pub(super) fn viewer(&self, options: Options) -> anyhow::Result<Viewer<Box<dyn Write>>> {
        let stdout = io::stdout();
        let choice = match self.color {
            Color::Auto => AutoStream::choice(&stdout),
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        let colored = choice != ColorChoice::Never;
        let terminal = stdout.is_terminal();
        let format = match self.format {
            Some(ViewFormat::Terminal) => ShowFormat::Terminal,
            Some(ViewFormat::Plain) => ShowFormat::Plain,
            Some(ViewFormat::Markdown) => ShowFormat::Markdown,
            Some(ViewFormat::Html) => ShowFormat::Html,
            None if terminal || colored => ShowFormat::Terminal,
            None => ShowFormat::Plain,
        };
        let show = ShowOptions {
            format,
            thinking: self.thinking,
            full: self.full,
            raw: self.raw,
            max_bytes: self.max_bytes,
            width: columns(),
            screen: if terminal { Some(size) } else { None },
            redraw: colored,
        };
        let mut out: Box<dyn Write> = Box::new(filter::stdout()?);
        if format == ShowFormat::Terminal && !colored {
            out = Box::new(AutoStream::never(out));
        }
        Ok(Viewer::new(options, show, out))
    }
}

/// What `COLUMNS` says.
fn columns() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|columns| *columns > 0)
}

/// The columns and rows of the terminal.
fn size() -> Option<(usize, usize)> {
    let (width, height) = terminal_size::terminal_size_of(io::stdout())?;
    Some((width.0.into(), height.0.into()))
}
