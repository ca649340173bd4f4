//! A copy of the input.

use std::fs::File;
use std::io::{self, Write};

use anyhow::Context as _;

use super::streams::to_file;

/// Copies the input, byte for byte. Where it fails, nothing else stops; it is told in the end.
pub(super) struct Tee {
    out: Option<Box<dyn Write>>,
    wrong: Option<io::Error>,
}

impl Tee {
    /// Copies to `file`; without one, copies nothing.
    pub(super) fn new(file: Option<File>) -> Self {
        Self { out: file.map(|file| Box::new(to_file(file)) as Box<dyn Write>), wrong: None }
    }

    /// Copies the next of the input.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        if let Some(out) = &mut self.out
            && let Err(error) = out.write_all(bytes)
        {
            self.out = None;
            self.wrong = Some(error);
        }
    }

    /// Returns whether there is a copy, and it is well.
    pub(super) fn is_open(&self) -> bool {
        self.out.is_some()
    }

    /// Tells what went wrong.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.wrong.map_or(Ok(()), Err).context("cannot write the --tee file")
    }
}
