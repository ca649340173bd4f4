//! The commands: thin.

mod check;
mod clash;
mod filter;
mod outlet;
mod schema;
mod show;
mod summarize;
mod title_probe;
mod wrap;

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;

use crate::cli::{Cli, Command, StreamArgs};
use crate::exit::Exit;
use crate::normalize::Options;

/// Does what was asked for.
pub fn run(cli: Cli) -> anyhow::Result<Exit> {
    match cli.command {
        None => filter::run(&cli.filter, &[]),
        Some(Command::Normalize(args)) => filter::run(&args.filter, &args.files),
        Some(Command::Schema(args)) => schema::run(&args),
        Some(Command::Wrap(args)) => wrap::run(&args),
        Some(Command::Summarize(args)) => summarize::run(&args),
        Some(Command::TitleProbe(args)) => title_probe::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Show(args)) => show::run(&args),
    }
}

/// Reads each file, or standard input where there are none: `space` and `filled` as in
/// [`crate::Normalizer`], `end` behind each.
fn each_stream<R>(
    args: &StreamArgs,
    reader: &mut R,
    space: impl Fn(&mut R) -> &mut [u8],
    filled: impl Fn(&mut R, usize) -> anyhow::Result<()>,
    end: impl Fn(&mut R, &str),
) -> anyhow::Result<()> {
    let stdin = [PathBuf::from("-")];
    for path in if args.files.is_empty() { &stdin } else { args.files.as_slice() } {
        let name = path.display().to_string();
        let mut input = filter::open(path).with_context(|| format!("cannot open {name}"))?;
        loop {
            match input.read(space(reader)) {
                Ok(0) => break,
                Ok(count) => filled(reader, count)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error).with_context(|| format!("cannot read {name}")),
            }
        }
        end(reader, &name);
    }
    Ok(())
}

impl StreamArgs {
    fn options(&self) -> Options {
        Options { max_line: self.max_line, deltas: true, ..Options::new(self.protocol) }
    }
}

/// A word for people. Where standard error is closed, the status still tells.
fn say(words: &str) {
    let _ = writeln!(io::stderr(), "agentnorm: {words}");
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = filter::stdout()?;
    out.write_all(text.as_bytes()).context("cannot write to standard output")?;
    out.flush().context("cannot write to standard output")
}

fn print_json(json: &serde_json::Value) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string_pretty(json)?))
}
