//! The filter: streams in, events out.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;

use super::exit;
use super::input::{each_stream, or_stdin};
use super::outlet::Outlet;
use super::redact::say_redacted;
use super::streams::create;
use crate::adapter::Protocol;
use crate::cli::args::{FilterArgs, ReadArgs, WriteArgs};
use crate::format::sourced::Sourced;
use crate::read::feed::Feed;
use crate::read::normalize::{Normalizer, Options};
use crate::run::exit::Exit;

impl ReadArgs {
    /// How a stream is read.
    pub fn options(&self) -> Options {
        let options = Options::new(self.protocol.unwrap_or(Protocol::Auto));
        Options {
            clip: self.clip,
            max_line: self.max_line,
            deltas: !self.no_deltas,
            stamp: self.stamp,
            ..options
        }
    }
}

impl WriteArgs {
    /// The file that gets the input.
    pub(super) fn tee(&self) -> anyhow::Result<Option<File>> {
        self.tee.as_deref().map(create).transpose()
    }
}

struct Filter {
    options: Options,
    normalizer: Normalizer,
    tee: Option<File>,
    /// Why the tee could not be written.
    wrong: Option<anyhow::Error>,
    outlet: Outlet,
    succeeded: bool,
}

/// Reads `files`, or standard input where there are none.
pub(super) fn run(args: &FilterArgs, files: &[PathBuf]) -> anyhow::Result<Exit> {
    let FilterArgs { read, write } = args;
    write.refuse_clashes(&or_stdin(files))?;
    let mut options = read.options();
    options.redaction = read.redact.redaction()?;
    let mut filter = Filter {
        normalizer: Normalizer::new(options.clone()),
        tee: write.tee()?,
        wrong: None,
        outlet: write.outlet(options.clone())?,
        options,
        succeeded: true,
    };
    filter.keep_copy();
    let all = each_stream(files, &mut filter);
    say_redacted(filter.options.redaction.as_ref());
    let finished = filter.outlet.finish().context("cannot write the events");
    let all = all?;
    finished?;
    Ok(exit(all, filter.succeeded || !write.exit_status))
}

impl Feed for Filter {
    type Error = anyhow::Error;

    fn space(&mut self) -> &mut [u8] {
        self.normalizer.space()
    }

    fn filled(&mut self, count: usize) {
        if self.options.redaction.is_none() {
            let read = self.normalizer.space().get(..count).unwrap_or_default();
            if let Some(Err(error)) = self.tee.as_mut().map(|tee| tee.write_all(read)) {
                self.wrong = Some(anyhow::Error::new(error).context(NO_TEE));
                return;
            }
        }
        self.normalizer.filled(count, &mut |line: Sourced<'_>| self.outlet.write(line));
        self.write_copy();
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        if let Some(error) = self.wrong.take() {
            return Err(error);
        }
        match self.outlet.flush() {
            Err(error) if self.tee.is_none() => Err(error).context("cannot write the events"),
            _ => Ok(()),
        }
    }

    fn end_stream(&mut self) {
        self.normalizer.finish(&mut |line: Sourced<'_>| self.outlet.write(line));
        self.write_copy();
        self.outlet.end_stream(&self.normalizer);
        let outcome = self.normalizer.outcome();
        self.succeeded &= outcome.succeeded.unwrap_or(!self.normalizer.has_end());
        self.normalizer = Normalizer::new(self.options.clone());
        self.keep_copy();
    }
}

impl Filter {
    fn keep_copy(&mut self) {
        if self.tee.is_some() {
            self.normalizer.keep_copy();
        }
    }

    /// The copy of a redacted input is made of the lines as they leave.
    fn write_copy(&mut self) {
        if let Some(copy) = self.normalizer.take_copy() {
            self.write_tee(&copy);
        }
    }

    fn write_tee(&mut self, bytes: &[u8]) {
        if let Some(Err(error)) = self.tee.as_mut().map(|tee| tee.write_all(bytes)) {
            self.wrong = Some(anyhow::Error::new(error).context(NO_TEE));
        }
    }
}

const NO_TEE: &str = "cannot write the --tee file";
