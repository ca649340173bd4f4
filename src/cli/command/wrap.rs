//! `wrap`: runs a harness and normalizes what it prints.

use std::ffi::OsString;
use std::io::{self, Write as _};

use anyhow::Context as _;

use super::input::or_stdin;
use super::redact::say_redacted;
use super::streams::{print, say};
use crate::adapter::Protocol;
use crate::cli::args::WrapArgs;
use crate::format::sourced::Sourced;
use crate::read::normalize::Normalizer;
use crate::run::apply::apply_protocol;
use crate::run::child::{Child, Patience, Read, not_started};
use crate::run::exit::{DONE, Exit, NO};

/// Runs the command, and ends as it does.
pub(super) fn run(args: &WrapArgs) -> anyhow::Result<Exit> {
    let mut options = args.filter.read.options();
    let named = args.filter.read.protocol.or_else(|| Protocol::of_command(&args.command));
    options.protocol = named.unwrap_or(options.protocol);
    let command = apply_protocol(options.protocol, &args.command);
    if args.dry_run {
        return dry_run(&command);
    }
    options.redaction = args.filter.read.redact.redaction_of_child()?;
    let redaction = options.redaction.clone();
    let write = &args.filter.write;
    // The command reads our standard input.
    write.refuse_clashes(&or_stdin(&[]))?;
    let mut tee = write.tee()?;
    let mut outlet = write.outlet(options.clone())?;
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
    let mut asked_to_end = false;
    let mut normalizer = Normalizer::new(options);
    if tee.is_some() {
        normalizer.keep_copy();
    }
    let mut copy = |bytes: &[u8], wrong: &mut Option<anyhow::Error>| {
        if let Some(file) = &mut tee
            && let Err(error) = file.write_all(bytes)
        {
            tee = None;
            if error.kind() != io::ErrorKind::BrokenPipe {
                *wrong = Some(anyhow::Error::new(error).context("cannot write the --tee file"));
            }
        }
    };
    loop {
        let outcome = normalizer.outcome();
        let at_end = outcome.ended && !outcome.background && !asked_to_end;
        let space = normalizer.space();
        let count = match child.read(space, args.linger.filter(|_| at_end)) {
            Ok(Read::Bytes(count)) => count,
            Ok(Read::Silence) => {
                say("the command is silent after its session.ended; telling it to end");
                child.stop();
                asked_to_end = true;
                continue;
            }
            Ok(Read::Held) => {
                say("the command has ended, but a process that it started still holds its output");
                break;
            }
            Ok(Read::End) => break,
            Err(error) => {
                wrong = Some(anyhow::Error::new(error).context("cannot read the command's output"));
                break;
            }
        };
        if redaction.is_none() {
            copy(space.get(..count).unwrap_or_default(), &mut wrong);
        }
        normalizer.filled(count, &mut |line: Sourced<'_>| outlet.write(line));
        if let Some(lines) = normalizer.take_copy() {
            copy(&lines, &mut wrong);
        }
        // An error is reported in the end.
        let _ = outlet.flush();
    }
    normalizer.finish(&mut |line: Sourced<'_>| outlet.write(line));
    if let Some(lines) = normalizer.take_copy() {
        copy(&lines, &mut wrong);
    }
    say_redacted(redaction.as_ref());
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
    let failed = write.exit_status && !succeeded;
    Ok(Exit(if failed && status == DONE { NO } else { status }))
}

/// Prints the command as a shell reads it.
fn dry_run(command: &[OsString]) -> anyhow::Result<Exit> {
    let words = command.iter().map(|word| word.as_encoded_bytes());
    let mut line = shlex::bytes::try_join(words)?;
    line.push(b'\n');
    print(line)?;
    Ok(Exit(DONE))
}
