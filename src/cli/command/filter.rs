//! The filter: streams in, events out.

use std::path::{Path, PathBuf};

use super::input::Inputs;
use super::outlet::Outlet;
use super::redact::say_redacted;
use super::streams::{Closed, tell_all};
use super::tee::Tee;
use super::{exit, say_why};
use crate::adapter::Protocol;
use crate::cli::args::{FilterArgs, ReadArgs};
use crate::format::sourced::Sourced;
use crate::read::feed::Feed;
use crate::read::normalize::{Normalizer, Options};
use crate::read::verdict::Verdict;
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

struct Filter {
    options: Options,
    normalizer: Normalizer,
    tee: Tee,
    outlet: Outlet,
    /// Whether each record names its file.
    with_filename: bool,
    /// Whether the exit status depends on all of the input.
    judges: bool,
    name: String,
    /// Of the streams that have ended, and which is the first that did not go well.
    verdict: Option<Verdict>,
    wrong: Option<String>,
}

/// Reads `files`, or standard input where there are none.
pub(super) fn run(
    args: &FilterArgs,
    files: &[PathBuf],
    with_filename: bool,
) -> anyhow::Result<Exit> {
    let FilterArgs { read, write } = args;
    let inputs = Inputs::of(files)?;
    inputs.some_can_be_read()?;
    let several = inputs.paths().len() > 1;
    let (events, tee) = write.outputs(&inputs.paths())?.empty()?;
    let mut options = read.options();
    options.redaction = read.redact.redaction()?;
    let mut filter = Filter {
        normalizer: Normalizer::new(options.clone()),
        tee: Tee::new(tee),
        outlet: write.outlet(events, options.clone())?,
        options,
        judges: write.exit_status,
        name: String::new(),
        verdict: None,
        wrong: None,
        with_filename,
    };
    filter.keep_copy();
    let all = inputs.feed(&mut filter);
    say_redacted(filter.options.redaction.as_ref());
    let Filter { outlet, tee, verdict, wrong, .. } = filter;
    tell_all([outlet.finish(), tee.finish()])?;
    let (all, verdict) = (all?, verdict.unwrap_or_default());
    let good = verdict.is_success() || !write.exit_status;
    if all && !good {
        say_why(verdict, wrong.as_deref().filter(|_| several));
    }
    Ok(exit(all, good))
}

impl Feed for Filter {
    type Error = Closed;

    fn begin_stream(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    fn begin_file(&mut self, path: &Path) {
        self.begin_stream(&path.display().to_string());
        self.normalizer.begin_file(path);
        if self.with_filename {
            self.outlet.name_file(&path.display().to_string());
        }
    }

    fn space(&mut self) -> &mut [u8] {
        self.normalizer.space()
    }

    fn filled(&mut self, count: usize) {
        if self.options.redaction.is_none() {
            self.tee.write(self.normalizer.space().get(..count).unwrap_or_default());
        }
        self.normalizer.filled(count, &mut |line: Sourced<'_>| self.outlet.write(line));
        self.write_copy();
    }

    fn flush(&mut self) -> Result<(), Closed> {
        self.outlet.flush();
        let judges = self.judges && self.outlet.is_only_left();
        if self.outlet.is_open() || self.tee.is_open() || judges { Ok(()) } else { Err(Closed) }
    }

    fn end_stream(&mut self) {
        self.normalizer.finish(&mut |line: Sourced<'_>| self.outlet.write(line));
        self.write_copy();
        self.outlet.end_stream(&self.normalizer);
        let verdict = self.normalizer.verdict();
        if !verdict.is_success() && self.wrong.is_none() {
            self.wrong = Some(std::mem::take(&mut self.name));
        }
        self.verdict = Some(self.verdict.map_or(verdict, |before| before.and(verdict)));
        self.normalizer = Normalizer::new(self.options.clone());
        self.keep_copy();
    }
}

impl Filter {
    fn keep_copy(&mut self) {
        if self.tee.is_open() {
            self.normalizer.keep_copy();
        }
    }

    /// The copy of a redacted input is made of the lines as they leave.
    fn write_copy(&mut self) {
        if let Some(copy) = self.normalizer.take_copy() {
            self.tee.write(&copy);
        }
    }
}
