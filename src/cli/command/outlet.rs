//! Where events go: to a file or standard output, and with `--show` to a person.

use std::io::{self, Write};
use std::path::Path;

use super::streams::{create, stdout};
use crate::cli::args::WriteArgs;
use crate::format::emit::Emitter;
use crate::format::sourced::Sourced;
use crate::read::feed::Feed as _;
use crate::read::normalize::{Normalizer, Options};
use crate::show::Viewer;

pub(super) struct Outlet {
    emitter: Option<Emitter<Box<dyn Write>>>,
    viewer: Option<Viewer<Box<dyn Write>>>,
}

impl WriteArgs {
    /// The file that gets the events; `-` is none.
    pub(super) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }

    /// What takes the events, which were read as `options` say.
    pub(super) fn outlet(&self, options: Options) -> anyhow::Result<Outlet> {
        let out: Option<Box<dyn Write>> = match (self.file(), self.show) {
            (Some(path), _) => Some(Box::new(create(path)?)),
            (None, None) => Some(Box::new(stdout()?)),
            (None, Some(_)) => None,
        };
        let emitter = out.map(|out| Emitter::new(out).source(!self.no_source).budget(self.budget));
        let viewer = self.show.map(|format| super::show::viewer(format, options)).transpose()?;
        Ok(Outlet { emitter, viewer })
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
            viewer.end_events(normalizer.has_end());
        }
    }

    /// Hands everything on. Call it before waiting for input.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let written = self.emitter.as_mut().map_or(Ok(()), Emitter::flush);
        let shown = self.viewer.as_mut().map_or(Ok(()), Viewer::flush);
        match (written, shown) {
            // Where the events are kept, it is no matter that nobody looks on any more.
            (Ok(()), Err(error))
                if self.emitter.is_some() && error.kind() == io::ErrorKind::BrokenPipe =>
            {
                self.viewer = None;
                Ok(())
            }
            (written, shown) => written.and(shown),
        }
    }

    /// Everything ended.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        let kept = self.emitter.is_some();
        let written = self.emitter.take().map_or(Ok(()), |emitter| emitter.finish().map(drop));
        let shown = self.viewer.take().map(Viewer::finish);
        written?;
        match shown {
            Some(Err(error)) if !(kept && error.kind() == io::ErrorKind::BrokenPipe) => Err(error),
            _ => Ok(()),
        }
    }
}
