//! Where bytes go, up to the first error.

use std::io::{self, Write};

/// Writes until something goes wrong. Whoever writes need not look; [`Out::flush`] reports it.
#[derive(Debug)]
pub(crate) struct Out<W> {
    to: W,
    error: Option<io::Error>,
}

impl<W: Write> Out<W> {
    pub(crate) fn new(to: W) -> Self {
        Self { to, error: None }
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.error.is_some()
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.to.write_all(bytes).err();
        }
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if self.error.is_none() {
            self.error = self.to.flush().err();
        }
        match &self.error {
            None => Ok(()),
            Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }

    pub(crate) fn into_inner(self) -> W {
        self.to
    }
}
