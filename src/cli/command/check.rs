//! `check`: how well streams are understood.

use super::exit;
use super::input::Inputs;
use super::streams::{print, print_json};
use crate::cli::args::{CheckArgs, ReportFormat};
use crate::report::check::Checker;
use crate::report::secrets::SecretFinder;
use crate::run::exit::Exit;

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    if args.secrets {
        return secrets(args);
    }
    let mut checker = Checker::new(args.read.options());
    let all = Inputs::of(&args.read.files)?.feed(&mut checker)?;
    let report = checker.finish();
    match args.format {
        ReportFormat::Text => print(report.to_text())?,
        ReportFormat::Json => print_json(&report.to_json())?,
    }
    Ok(exit(all, report.is_understood() || !args.strict))
}

/// The gate before a stream is passed on.
fn secrets(args: &CheckArgs) -> anyhow::Result<Exit> {
    let mut options = args.read.options();
    options.redaction = Some(args.secret.redaction(false)?);
    let mut finder = SecretFinder::new(options);
    let all = Inputs::of(&args.read.files)?.feed(&mut finder)?;
    match args.format {
        ReportFormat::Text => print(finder.to_text())?,
        ReportFormat::Json => print_json(&finder.to_json())?,
    }
    Ok(exit(all, finder.found().is_empty()))
}
