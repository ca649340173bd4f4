//! `wrap`: runs a harness and normalizes what it prints.

use std::ffi::OsString;
use std::io::{self, Write as _};

use anyhow::Context as _;

use super::say;
use crate::adapter::Protocol;
use crate::apply::apply_protocol;
use crate::child::{Child, Patience, Read, not_started};
use crate::cli::WrapArgs;
use crate::exit::{DONE, Exit, NO};
use crate::normalize::{Normalizer, Sourced};

/// Runs the command, and ends as it does.
pub(super) fn run(args: &WrapArgs) -> anyhow::Result<Exit> {
    let mut options = args.filter.read.options();
    let named = args.filter.read.protocol.or_else(|| Protocol::of_command(&args.command));
    options.protocol = named.unwrap_or(options.protocol);
    let command = apply_protocol(options.protocol, &args.command);
    if args.dry_run {
        return print(&command);
    }
    args.filter.write.refuse_clashes(&[])?;
    let mut tee = args.filter.write.tee()?;
    let mut outlet = args.filter.write.outlet(options.clone())?;
    let mut child = match Child::start(&command, Patience { kill_after: args.kill_after }) {
        Ok(child) => child,
        Err(error) => {
            let name = command.first().cloned().unwrap_or_default();
            say(&format!("cannot run {}: {error}", name.display()));
            return Ok(Exit(not_started(&error)));
        }
    };
    // Whatever goes wrong with the events from here on, the child is read and waited for.
    let mut wrong = None;
    let mut told = false;
    let mut normalizer = Normalizer::new(options);
    loop {
        let outcome = normalizer.outcome();
        let at_end = outcome.ended && !outcome.background && !told;
        let space = normalizer.space();
        let count = match child.read(space, args.linger.filter(|_| at_end)) {
            Ok(Read::Bytes(count)) => count,
            Ok(Read::Silence) => {
                say("the command stays silent behind its end; telling it to go");
                child.stop();
                told = true;
                continue;
            }
            Ok(Read::Held) => {
                say("the command has ended, but something that it started holds its output");
                break;
            }
            Ok(Read::End) => break,
            Err(error) => {
                wrong = Some(anyhow::Error::new(error).context("cannot read the command's output"));
                break;
            }
        };
        if let Some(file) = &mut tee
            && let Err(error) = file.write_all(space.get(..count).unwrap_or_default())
        {
            tee = None;
            if error.kind() != io::ErrorKind::BrokenPipe {
                wrong = Some(anyhow::Error::new(error).context("cannot write the --tee file"));
            }
        }
        normalizer.filled(count, &mut |line: Sourced<'_>| outlet.write(line));
        // An error is reported in the end.
        let _ = outlet.flush();
    }
    normalizer.finish(&mut |line: Sourced<'_>| outlet.write(line));
    let end = child.wait().context("cannot wait for the command")?;
    let succeeded = normalizer.conclude(end, &mut |line: Sourced<'_>| outlet.write(line));
    outlet.end_stream(&normalizer);
    match outlet.finish() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(error).context("cannot write the events");
        }
        _ => {}
    }
    if let Some(error) = wrong {
        return Err(error);
    }
    let status = end.status();
    let failed = args.filter.write.exit_status && !succeeded;
    Ok(Exit(if failed && status == DONE { NO } else { status }))
}

/// Prints the command as a shell reads it.
fn print(command: &[OsString]) -> anyhow::Result<Exit> {
    let words = command.iter().map(|word| word.as_encoded_bytes());
    let mut line = shlex::bytes::try_join(words)?;
    line.push(b'\n');
    io::stdout().write_all(&line)?;
    Ok(Exit(DONE))
}
