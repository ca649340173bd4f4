//! Where there are no Unix signals: start, read to the end, wait. Nothing is asked to end.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::process::{ChildStdout, Command, Stdio};
use std::time::Duration;

use super::{Patience, Read};
use crate::run::end::ChildEnd;

/// A running child.
#[derive(Debug)]
pub(crate) struct Child {
    child: std::process::Child,
    output: ChildStdout,
}

impl Child {
    /// Starts `command`.
    pub(crate) fn start(command: &[OsString], _patience: Patience) -> io::Result<Child> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut child = Command::new(program).args(arguments).stdout(Stdio::piped()).spawn()?;
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Child { child, output })
    }

    /// Reads what the child writes.
    pub(crate) fn read(
        &mut self,
        space: &mut [u8],
        _silence: Option<Duration>,
        _wake: Option<Duration>,
    ) -> io::Result<Read> {
        loop {
            match self.output.read(space) {
                Ok(0) => return Ok(Read::End),
                Ok(count) => return Ok(Read::Bytes(count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Does nothing: there is no signal to send.
    #[expect(clippy::unused_self, reason = "on Unix it has a process")]
    pub(crate) fn stop(&self) {}

    /// Returns whether the child's end was seen: nothing looks for it while there is output.
    #[expect(clippy::unused_self, reason = "on Unix it is seen")]
    pub(crate) fn has_ended(&self) -> bool {
        false
    }

    /// Returns whether our process was stopped and goes on: it cannot be.
    #[expect(clippy::unused_self, reason = "on Unix there is a signal for it")]
    pub(crate) fn was_continued(&self) -> bool {
        false
    }

    /// Ends the child because of a limit. What it started is left alone.
    pub(crate) fn end_by_limit(&mut self) {
        // It may have ended this moment.
        let _ = self.child.kill();
    }

    /// Waits for the child; returns how it ended.
    pub(crate) fn wait(mut self) -> io::Result<ChildEnd> {
        Ok(ChildEnd::Exited(self.child.wait()?.code().unwrap_or(i32::MAX)))
    }
}
