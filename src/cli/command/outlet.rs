//! Where events go: to a file or standard output, and with `--show` to a person.

use std::fs::File;
use std::io::{self, ErrorKind, Write};

use anyhow::Context as _;

use super::streams::{NOT_WRITTEN, stdout, tell_all, to_file};
use crate::cli::args::WriteArgs;
use crate::format::emit::Emitter;
use crate::format::sourced::Sourced;
use crate::read::feed::Feed as _;
use crate::read::normalize::{Normalizer, Options};
use crate::show::Viewer;

/// Writes events. What goes wrong with one place is told in the end and does not stop the other.
pub(super) struct Outlet {
    emitter: Option<Emitter<Box<dyn Write>>>,
    viewer: Option<Viewer<Box<dyn Write>>>,
    /// Whether what a person sees is a copy of events that are kept.
    shows_a_copy: bool,
    not_written: Option<io::Error>,
    not_shown: Option<io::Error>,
}

impl WriteArgs {
    /// Returns what takes the events, which were read as `options` say: `file`, where one was asked for.
    pub(super) fn outlet(&self, file: Option<File>, options: Options) -> anyhow::Result<Outlet> {
        let out: Option<Box<dyn Write>> = match (file, self.show) {
            (Some(file), _) => Some(Box::new(to_file(file))),
            (None, None) => Some(Box::new(stdout()?)),
            (None, Some(_)) => None,
        };
        let emitter = out.map(|out| Emitter::new(out).source(!self.no_source).budget(self.budget));
        let viewer = self.show.map(|format| super::show::viewer(format, options)).transpose()?;
        let shows_a_copy = emitter.is_some();
        Ok(Outlet { emitter, viewer, shows_a_copy, not_written: None, not_shown: None })
    }
}

impl Outlet {
    /// Names the file that the events from here on come from.
    pub(super) fn name_file(&mut self, name: &str) {
        if let Some(emitter) = &mut self.emitter {
            emitter.file(name);
        }
    }

    pub(super) fn write(&mut self, line: Sourced<'_>) {
        if let Some(emitter) = &mut self.emitter {
            emitter.write(line);
        }
        if let Some(viewer) = &mut self.viewer {
            viewer.events(line);
        }
    }

    /// The stream that `normalizer` read ended.
    pub(super) fn end_stream(&mut self, normalizer: &Normalizer) {
        if let Some(viewer) = &mut self.viewer {
            viewer.end_events(normalizer.form());
        }
    }

    /// Hands everything on. Call it before waiting for input.
    pub(super) fn flush(&mut self) {
        if let Some(Err(error)) = self.emitter.as_mut().map(Emitter::flush) {
            self.emitter = None;
            self.not_written = Some(error);
        }
        if let Some(Err(error)) = self.viewer.as_mut().map(Viewer::flush) {
            self.viewer = None;
            self.not_shown = Some(error);
        }
    }

    /// Returns whether anything takes the events still.
    pub(super) fn is_open(&self) -> bool {
        self.emitter.is_some() || self.viewer.is_some()
    }

    /// Returns whether all that went wrong is that readers left.
    pub(super) fn is_only_left(&self) -> bool {
        let mut wrong = [&self.not_written, &self.not_shown].into_iter().flatten();
        wrong.all(|error| error.kind() == ErrorKind::BrokenPipe)
    }

    /// Everything ended. Tells what went wrong.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        let written = self.emitter.take().map_or(Ok(()), |emitter| emitter.finish().map(drop));
        let shown = self.viewer.take().map_or(Ok(()), |viewer| viewer.finish().map(drop));
        let written = self.not_written.map_or(written, Err);
        let shown = self.not_shown.map_or(shown, Err);
        // That nobody reads any more is an error of a copy only.
        let written = match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.context("cannot write the events"),
        };
        let shown = match shown {
            shown if self.shows_a_copy => shown.context("cannot show the session"),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            shown => shown.context(NOT_WRITTEN),
        };
        tell_all([written, shown])
    }
}
