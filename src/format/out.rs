//! Where bytes go, up to the first error.

use std::io::{self, Write};

/// Writes until something goes wrong. Whoever writes need not look; [`Out::flush`] reports it.
#[derive(Debug)]
pub(crate) struct Out<W> {
    /// `None` when it was given back.
    to: Option<W>,
    error: Option<io::Error>,
}

impl<W: Write> Out<W> {
    pub(crate) fn new(to: W) -> Self {
        Self { to: Some(to), error: None }
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.error.is_some()
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        if let (Some(to), None) = (&mut self.to, &self.error) {
            self.error = to.write_all(bytes).err();
        }
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        if let (Some(to), None) = (&mut self.to, &self.error) {
            self.error = to.flush().err();
        }
        match &self.error {
            None => Ok(()),
            Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }

    /// Flushes, and gives the output back.
    pub(crate) fn finish(&mut self) -> io::Result<W> {
        self.flush()?;
        self.to.take().ok_or_else(|| io::Error::other("the output was given back before"))
    }
}
