//! `check`: how well streams are understood.

use super::{each_stream, print, print_json};
use crate::check::Checker;
use crate::cli::{CheckArgs, ReportFormat};
use crate::exit::{DONE, Exit, NO};

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let mut checker = Checker::new(args.read.options());
    each_stream(
        &args.read,
        &mut checker,
        Checker::space,
        |checker, count| {
            checker.filled(count);
            Ok(())
        },
        Checker::end_stream,
    )?;
    let report = checker.finish();
    match args.format {
        ReportFormat::Text => print(&report.to_text())?,
        ReportFormat::Json => print_json(&report.to_json())?,
    }
    Ok(Exit(if args.strict && !report.is_understood() { NO } else { DONE }))
}
