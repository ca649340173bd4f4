//! `failures`: the calls of tools that failed.

use super::exit;
use super::input::Inputs;
use super::streams::{print, print_json};
use crate::cli::args::{FailuresArgs, ReportFormat};
use crate::report::failures::Failures;
use crate::run::exit::Exit;

pub(super) fn run(args: &FailuresArgs) -> anyhow::Result<Exit> {
    let mut failures = Failures::new(args.read.options(), args.lines);
    let all = Inputs::of(&args.read.files)?.feed(&mut failures)?;
    match args.format {
        ReportFormat::Text => print(failures.text())?,
        ReportFormat::Json => print_json(&failures.json())?,
    }
    Ok(exit(all, true))
}
