//! The `agentnorm` command.

use std::env::{args_os, var_os};
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use agentnorm::Protocol;
use agentnorm::cli::{Cli, command, exit};
use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory as _, FromArgMatches as _};

/// The environment's word for `--protocol`.
const PROTOCOL: &str = "AGENTNORM_PROTOCOL";

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(status) = agentnorm::cli::become_command(args_os()) {
        return ExitCode::from(status);
    }
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            return fail(Cli::usage_status(args_os()), &one_line(&error));
        }
        Err(help_or_version) => {
            return match help_or_version.print() {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    fail(exit::ERROR, &format!("cannot write to standard output: {error}"))
                }
                _ => ExitCode::SUCCESS,
            };
        }
    };
    let failed = cli.error_status();
    match command::run(cli) {
        Ok(exit) => exit.into(),
        Err(error) if is_closed_pipe(&error) => ExitCode::from(exit::DONE),
        Err(error) => fail(failed, &format!("{error:#}")),
    }
}

fn parse() -> Result<Cli, clap::Error> {
    let mut command = Cli::command();
    // CI systems set a variable to nothing where they have no value for it.
    if var_os(PROTOCOL).is_some_and(|value| value.is_empty()) {
        command = without_environment(command).mut_subcommands(without_environment);
    }
    Cli::from_arg_matches_mut(&mut command.try_get_matches()?)
}

fn without_environment(command: Command) -> Command {
    command.mut_args(|arg| if arg.get_env().is_some() { arg.env(Resettable::Reset) } else { arg })
}

fn fail(status: u8, words: &str) -> ExitCode {
    // Where standard error is closed too, the status still tells.
    let _ = writeln!(io::stderr(), "agentnorm: {words}");
    ExitCode::from(status)
}

/// Says in one line what is wrong with the command line.
fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let (text, _) = text.split_once("\nUsage:").unwrap_or((&text, ""));
    let text = text.split("\nFor more information").next().unwrap_or(text);
    let text = text.replace("\n\n  tip:", "; tip:");
    let words: Vec<&str> = text.split_whitespace().skip_while(|word| *word == "error:").collect();
    let mut words = words.join(" ");
    // The value came from the environment: the message names that, not an option that nobody typed.
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && var_os(PROTOCOL).is_some_and(|set| set == value.as_str())
        && !args_os().any(|arg| arg.to_string_lossy().contains(value.as_str()))
    {
        words = words.replacen("'--protocol <PROTOCOL>'", PROTOCOL, 1);
    }
    if let Some(tip) = tip(error) {
        words = format!("{words}; tip: {tip}");
    }
    format!("{words}; see --help")
}

/// Says what was probably meant by a first word that is no command.
fn tip(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let rest: Vec<String> = args_os().skip(1).map(|arg| arg.to_string_lossy().into()).collect();
    if Path::new(word).exists() {
        return Some(format!(
            "to read a file, agentnorm normalize {word}, or agentnorm show {word}"
        ));
    }
    let agent = Protocol::of_command(&rest).is_some();
    agent.then(|| format!("to run an agent, agentnorm wrap -- {}", rest.join(" ")))
}

/// Returns whether whoever read our output has had enough, which is no error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().map(io::Error::kind)
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}
