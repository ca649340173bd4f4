//! What stands between `wrap` and its command for a moment: a process of our own that becomes the
//! command.
//!
//! Only a process itself can ask to be killed when its parent dies, and what it asked for it keeps
//! when it becomes another program. So the command's process is started as agentnorm, asks, and then
//! becomes the command. Why it could not is told through a socket, as if the command had been
//! started at once.
//!
//! The socket is the launcher's standard output, and the real one is sent through it: no other
//! number of a descriptor can be handed over and taken up safely.

use std::ffi::{OsStr, OsString};
use std::io::{self, IoSlice, IoSliceMut, PipeWriter, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
use rustix::stdio::{dup2_stdout, stdout};

use crate::run::exit;

/// The program that runs, under whatever name and even if its file is gone.
const OURSELVES: &str = "/proc/self/exe";
/// The first argument of a launcher. Nobody types it, so no help names it.
const WORD: &str = "wrap-launcher";
/// One descriptor.
const SPACE: usize = rustix::cmsg_space!(ScmRights(1));

/// Starts `command` so that it is killed when our main thread ends before it. `output` becomes its
/// standard output. Must be called on the main thread, or the command would not outlive the caller's.
///
/// Where no launcher can be had the command is started without one.
pub(super) fn start(
    program: &OsStr,
    arguments: &[OsString],
    output: PipeWriter,
) -> io::Result<Child> {
    let launched =
        UnixStream::pair().and_then(|(ours, its)| Ok((launch(program, arguments, its)?, ours)));
    let Ok((mut process, mut ours)) = launched else {
        return Command::new(program).args(arguments).stdout(output).spawn();
    };
    let outcome = send(&ours, &output).and_then(|()| {
        drop(output);
        let mut error = Vec::new();
        // It ends when the launcher has become the command, or is gone.
        ours.read_to_end(&mut error)?;
        match <[u8; 4]>::try_from(error) {
            Ok(code) => Err(io::Error::from_raw_os_error(i32::from_ne_bytes(code))),
            Err(_) => Ok(()),
        }
    });
    if let Err(error) = outcome {
        // It may have gone by itself.
        let _ = process.kill();
        process.wait()?;
        return Err(error);
    }
    Ok(process)
}

fn launch(program: &OsStr, arguments: &[OsString], socket: UnixStream) -> io::Result<Child> {
    let mut launcher = Command::new(OURSELVES);
    launcher.arg0("agentnorm").arg(WORD).arg(getpid().as_raw_pid().to_string());
    launcher.arg(program).args(arguments);
    launcher.stdout(Stdio::from(OwnedFd::from(socket))).spawn()
}

fn send(socket: &UnixStream, output: &PipeWriter) -> io::Result<()> {
    let fds = [output.as_fd()];
    let mut space = [MaybeUninit::uninit(); SPACE];
    let mut message = SendAncillaryBuffer::new(&mut space);
    message.push(SendAncillaryMessage::ScmRights(&fds));
    // A launcher that a signal ended meanwhile takes nothing: it counts as a command that ended.
    match sendmsg(socket, &[IoSlice::new(&[0])], &mut message, SendFlags::NOSIGNAL) {
        Ok(_) | Err(Errno::PIPE | Errno::CONNRESET) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Becomes the command, if `args`, those of the process, are a launcher's. Returns the exit status
/// where that failed.
pub fn become_command(mut args: impl Iterator<Item = OsString>) -> Option<u8> {
    if args.nth(1)? != WORD {
        return None;
    }
    let parent = args.next()?.to_str()?.parse().ok()?;
    let program = args.next()?;
    let Ok(socket) = fcntl_dupfd_cloexec(stdout(), 3) else { return Some(exit::WRAP) };
    let error = run(parent, &program, args);
    let code = error.raw_os_error().unwrap_or_else(|| Errno::INVAL.raw_os_error());
    // Where nobody listens there is nobody to tell.
    let _ = UnixStream::from(socket).write_all(&code.to_ne_bytes());
    Some(exit::WRAP)
}

/// Becomes `program`; returns why it could not.
fn run(parent: i32, program: &OsStr, args: impl Iterator<Item = OsString>) -> io::Error {
    let ready = take_output().and_then(|output| {
        dup2_stdout(output)?;
        // Where that cannot be asked for the command runs all the same.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        // It may have died before it was asked for: then we have another by now.
        match getppid() {
            Some(now) if now.as_raw_pid() == parent => Ok(()),
            _ => Err(Errno::SRCH),
        }
    });
    match ready {
        Ok(()) => Command::new(program).args(args).exec(),
        Err(error) => error.into(),
    }
}

/// Receives what is to be the standard output.
fn take_output() -> Result<OwnedFd, Errno> {
    let mut space = [MaybeUninit::uninit(); SPACE];
    let mut message = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(stdout(), &mut [IoSliceMut::new(&mut byte)], &mut message, RecvFlags::CMSG_CLOEXEC)?;
    let mut fds = message.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(fds) => Some(fds),
        _ => None,
    });
    fds.next().and_then(|mut fds| fds.next()).ok_or(Errno::BADF)
}
