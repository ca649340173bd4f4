//! `wrap`: runs a harness and normalizes what it prints.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Context as _;

use super::redact::say_redacted;
use super::say_why;
use super::streams::{print, say, tell_all};
use super::tee::Tee;
use super::watching::Watching;
use crate::adapter::Protocol;
use crate::cli::args::WrapArgs;
use crate::format::sourced::Sourced;
use crate::read::normalize::{Normalizer, Options};
use crate::run::apply::{apply_protocol, unflagged};
use crate::run::child::{Child, Read, not_started};
use crate::run::exit::{DONE, Exit, NO};
use crate::run::watch::Limit;

/// Runs the command, and ends as it does.
pub(super) fn run(args: &WrapArgs) -> anyhow::Result<Exit> {
    let (mut options, command) = prepared(args);
    if args.dry_run {
        return dry_run(&command);
    }
    let patience = args.patience(options.protocol)?;
    options.redaction = args.filter.read.redact.redaction_of_child()?;
    let redaction = options.redaction.clone();
    let write = &args.filter.write;
    // The command reads our standard input.
    let outputs = write.outputs(&[Path::new("-")])?;
    let mut watching = Watching::new(args, &options);
    let mut child = match Child::start(&command, patience) {
        Ok(child) => child,
        Err(error) => return Ok(cannot_run(&command, &error)),
    };
    let opened = outputs
        .empty()
        .and_then(|(events, tee)| Ok((write.outlet(events, options.clone())?, Tee::new(tee))));
    let (mut outlet, mut tee) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            child.stop();
            child.wait().context("cannot wait for the command")?;
            return Err(error);
        }
    };
    // Whatever goes wrong with the events from here on, the child is read and waited for.
    let mut read = Ok(());
    let (mut asked_to_end, mut limited) = (false, false);
    let mut normalizer = Normalizer::new(options);
    if tee.is_open() {
        normalizer.keep_copy();
    }
    loop {
        let outcome = normalizer.outcome();
        let at_end = outcome.ended && !outcome.background && !asked_to_end;
        let wake = watching.wait();
        let space = normalizer.space();
        let got = child.read(space, args.linger.filter(|_| at_end), wake);
        watching.waited();
        let count = match got {
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
            Ok(Read::Tick) => 0,
            Ok(Read::End) => break,
            Err(error) => {
                read = Err(anyhow::Error::new(error).context("cannot read the command's output"));
                break;
            }
        };
        if redaction.is_none() {
            tee.write(space.get(..count).unwrap_or_default());
        }
        normalizer.filled(count, &mut |line: Sourced<'_>| {
            outlet.write(line);
            watching.line(line, &mut outlet);
        });
        if let Some(lines) = normalizer.take_copy() {
            tee.write(&lines);
        }
        if !child.has_ended() {
            watching.tick(child.was_continued(), &mut outlet);
        }
        if watching.broken().is_some() && !limited {
            child.end_by_limit();
            (limited, asked_to_end) = (true, true);
        }
        outlet.flush();
    }
    normalizer.finish(&mut |line: Sourced<'_>| {
        outlet.write(line);
        watching.line(line, &mut outlet);
    });
    if let Some(lines) = normalizer.take_copy() {
        tee.write(&lines);
    }
    say_redacted(redaction.as_ref());
    let end = child.wait().context("cannot wait for the command")?;
    let reason = watching.broken().map(Limit::reason);
    let verdict = normalizer.conclude_by(end, reason, &mut |line: Sourced<'_>| outlet.write(line));
    outlet.end_stream(&normalizer);
    tell_all([outlet.finish(), tee.finish(), read])?;
    if let Some(exit) = watching.exit(args, verdict.is_success()) {
        return Ok(exit);
    }
    let status = end.status();
    if write.exit_status && status == DONE && !verdict.is_success() {
        say_why(verdict, None);
        return Ok(Exit(NO));
    }
    Ok(Exit(status))
}

fn cannot_run(command: &[OsString], error: &std::io::Error) -> Exit {
    let name = command.first().cloned().unwrap_or_default();
    say(&format!("cannot run {}: {error}", name.display()));
    Exit(not_started(error))
}

/// Returns how the output is read, and the command with the flags that make it print that.
fn prepared(args: &WrapArgs) -> (Options, Vec<OsString>) {
    let mut options = args.filter.read.options();
    let named = args.filter.read.protocol.or_else(|| Protocol::of_command(&args.command));
    options.protocol = named.unwrap_or(options.protocol);
    let command = apply_protocol(options.protocol, &args.command);
    if args.filter.read.protocol.is_some()
        && let Some(why) = unflagged(options.protocol, &args.command)
    {
        let name = options.protocol;
        say(&format!("no flags for {name} were added to the command: {why}"));
    }
    (options, command)
}

/// Prints the command as a shell reads it.
fn dry_run(command: &[OsString]) -> anyhow::Result<Exit> {
    let words = command.iter().map(|word| word.as_encoded_bytes());
    let mut line = shlex::bytes::try_join(words)?;
    line.push(b'\n');
    print(line)?;
    Ok(Exit(DONE))
}
