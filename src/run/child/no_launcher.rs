//! Where a process cannot ask to be killed when its parent dies: the command is started as it is.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeWriter};
use std::process::{Child, Command};

pub(super) fn start(
    program: &OsStr,
    arguments: &[OsString],
    output: PipeWriter,
) -> io::Result<Child> {
    Command::new(program).args(arguments).stdout(output).spawn()
}
