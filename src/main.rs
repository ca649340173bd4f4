//! The `agentnorm` command.

use std::env::args_os;
use std::io::{self, Write as _};
use std::process::ExitCode;

use agentnorm::cli::Cli;
use agentnorm::{command, exit};
use clap::Parser as _;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Where it cannot be shown, the status still tells.
            let _ = error.print();
            let status = if error.use_stderr() { Cli::usage_status(args_os()) } else { exit::DONE };
            return ExitCode::from(status);
        }
    };
    let failed = cli.error_status();
    match command::run(cli) {
        Ok(exit) => exit.into(),
        Err(error) if is_closed_pipe(&error) => ExitCode::from(exit::DONE),
        Err(error) => {
            // Where standard error is closed too, the status still tells.
            let _ = writeln!(io::stderr(), "agentnorm: {error:#}");
            ExitCode::from(failed)
        }
    }
}

/// Whoever read our output has had enough: that is no error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().map(io::Error::kind)
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}
