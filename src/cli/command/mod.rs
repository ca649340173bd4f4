//! The commands: thin.

mod check;
mod export;
mod failures;
mod filter;
mod input;
mod outlet;
mod outputs;
mod redact;
mod schema;
mod show;
mod streams;
mod summarize;
mod tee;
mod title_probe;
mod watching;
mod wrap;

pub use streams::{print, say};

use crate::cli::args::{Cli, Command, StreamArgs};
use crate::read::normalize::Options;
use crate::read::verdict::Verdict;
use crate::run::exit::{DONE, ERROR, Exit, NO};

/// Does what was asked for.
///
/// # Errors
///
/// What could not be read, written or run, and what the arguments ask for in vain.
pub fn run(cli: Cli) -> anyhow::Result<Exit> {
    match cli.command {
        None => filter::run(&cli.filter, &[], false),
        Some(Command::Normalize(args)) => {
            filter::run(&args.filter, &args.files, args.with_filename)
        }
        Some(Command::Schema(args)) => schema::run(&args),
        Some(Command::Wrap(args)) => wrap::run(&args),
        Some(Command::Summarize(args)) => summarize::run(&args),
        Some(Command::TitleProbe(args)) => title_probe::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Failures(args)) => failures::run(&args),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Export(args)) => export::run(&args),
    }
}

impl StreamArgs {
    fn options(&self) -> Options {
        Options { max_line: self.max_line, deltas: true, ..Options::new(self.protocol) }
    }
}

/// Says why an exit status of 1 was asked for: `stream`, where there are several, did not go well.
fn say_why(verdict: Verdict, stream: Option<&str>) {
    if let Some(why) = verdict.why() {
        let stream = stream.map(|name| format!("{name}: ")).unwrap_or_default();
        say(&format!("exit status {NO}: {stream}{why}"));
    }
}

/// An input that could not be read weighs more than what was found in the others.
fn exit(all_read: bool, good: bool) -> Exit {
    Exit(match (all_read, good) {
        (false, _) => ERROR,
        (true, false) => NO,
        (true, true) => DONE,
    })
}
