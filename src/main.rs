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
        Err(error) if error.use_stderr() => {
            return fail(Cli::usage_status(args_os()), &one_line(&error));
        }
        // Help and version.
        Err(text) => {
            return text.print().map_or(ExitCode::from(exit::ERROR), |()| ExitCode::SUCCESS);
        }
    };
    let failed = cli.error_status();
    match command::run(cli) {
        Ok(exit) => exit.into(),
        Err(error) if is_closed_pipe(&error) => ExitCode::from(exit::DONE),
        Err(error) => fail(failed, &format!("{error:#}")),
    }
}

fn fail(status: u8, words: &str) -> ExitCode {
    // Where standard error is closed too, the status still tells.
    let _ = writeln!(io::stderr(), "agentnorm: {words}");
    ExitCode::from(status)
}

/// What is wrong with the command line, in one line.
fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let (text, _) = text.split_once("\nUsage:").unwrap_or((&text, ""));
    let text = text.split("\nFor more information").next().unwrap_or(text);
    let text = text.replace("\n\n  tip:", "; tip:");
    let words: Vec<&str> = text.split_whitespace().skip_while(|word| *word == "error:").collect();
    format!("{}; see --help", words.join(" "))
}

/// Whoever read our output has had enough: that is no error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().map(io::Error::kind)
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}
