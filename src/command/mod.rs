//! The commands: thin.

mod filter;
mod schema;
mod wrap;

use crate::cli::{Cli, Command};
use crate::exit::Exit;

/// Does what was asked for.
pub fn run(cli: Cli) -> anyhow::Result<Exit> {
    match cli.command {
        None => filter::run(&cli.filter, &[]),
        Some(Command::Normalize(args)) => filter::run(&args.filter, &args.files),
        Some(Command::Schema(args)) => schema::run(&args),
        Some(Command::Wrap(args)) => wrap::run(&args),
    }
}
