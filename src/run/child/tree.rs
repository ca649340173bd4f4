//! The processes that the child started, by `/proc`.
//!
//! A process whose parent dies would become init's child and be lost to sight. As a child subreaper
//! we get it instead: whatever descends from us then descends from the child.

use std::fs;
use std::thread;
use std::time::Duration;

use crate::limits::MAX_KILL_ROUNDS;
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, pidfd_open,
    pidfd_send_signal, set_child_subreaper, wait, waitid, waitpid,
};

/// What a killed process has to be gone.
const PAUSE: Duration = Duration::from_millis(5);

/// Makes the orphans among our descendants our children, where that is `wanted`. Not where we have
/// children already (the jobs of a shell that became us by `exec`): theirs could not be told from the
/// child's. The first process of a container gets all orphans, wanted or not.
pub(super) fn adopt(wanted: bool) -> bool {
    let own = getpid();
    if own == Pid::INIT {
        return true;
    }
    let all = if wanted { processes() } else { Vec::new() };
    let alone = !all.is_empty() && !all.iter().any(|process| process.parent == Some(own));
    alone && set_child_subreaper(Some(own)).is_ok()
}

/// Asks whatever descends from `root` to end.
pub(super) fn end_descendants(root: Pid) {
    for process in descendants(root, &processes()) {
        process.send(Signal::TERM);
    }
}

/// Kills whatever descends from `root`, until nothing is left. Children come before their parents, or
/// else they would be no descendants any more.
pub(super) fn kill_descendants(root: Pid) {
    for _ in 0..MAX_KILL_ROUNDS {
        let living = descendants(root, &processes());
        if living.is_empty() {
            return;
        }
        living.into_iter().rev().for_each(|process| process.send(Signal::KILL));
        thread::sleep(PAUSE);
    }
}

/// Takes the end of whatever child has ended; returns whether others live.
pub(super) fn reap() -> bool {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

/// Takes the ends of adopted orphans until `child` ends, so that whoever asks for them finds them
/// gone.
pub(super) fn reap_until_end(child: Pid) {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::All, look) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return,
        }
        if !matches!(waitid(WaitId::Pid(child), look | WaitIdOptions::NOHANG), Ok(None)) {
            return;
        }
        let own = getpid();
        let orphans = processes();
        let orphans = orphans.iter().filter(|p| p.parent == Some(own) && p.ended && p.pid != child);
        let mut taken = 0;
        for orphan in orphans {
            taken += usize::from(waitpid(Some(orphan.pid), WaitOptions::NOHANG).is_ok());
        }
        if taken == 0 {
            // What cannot be seen cannot be taken; looking again would be a busy loop.
            return;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Process {
    pid: Pid,
    /// None where it is the first, or its parent is of another namespace.
    parent: Option<Pid>,
    ended: bool,
}

impl Process {
    fn read(pid: Pid) -> Option<Process> {
        let stat = fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
        // The name in brackets may hold anything.
        let name_end = memchr::memrchr(b')', &stat)?;
        let rest = std::str::from_utf8(stat.get(name_end + 1..)?).ok()?;
        let mut fields = rest.split_ascii_whitespace();
        let ended = matches!(fields.next()?, "Z" | "X");
        let parent = Pid::from_raw(fields.next()?.parse().ok()?);
        Some(Process { pid, parent, ended })
    }

    /// Sends the process a signal, and no other that has got its pid meanwhile.
    fn send(self, signal: Signal) {
        let Ok(handle) = pidfd_open(self.pid, PidfdFlags::empty()) else { return };
        if Process::read(self.pid) == Some(self) {
            // It may have ended this moment.
            let _ = pidfd_send_signal(handle, signal);
        }
    }
}

fn processes() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pid = |name: std::ffi::OsString| Pid::from_raw(name.to_str()?.parse().ok()?);
    entries.flatten().filter_map(|entry| Process::read(pid(entry.file_name())?)).collect()
}

/// Finds what lives of `root`'s descendants, each behind its parent.
fn descendants(root: Pid, all: &[Process]) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut parent = Some(root);
    let mut next = 0;
    while let Some(pid) = parent {
        let children =
            all.iter().filter(|process| process.parent == Some(pid) && process.pid != root);
        let new: Vec<Process> = children.filter(|child| !found.contains(child)).copied().collect();
        found.extend(new);
        parent = found.get(next).map(|process| process.pid);
        next += 1;
    }
    found.retain(|process| !process.ended);
    found
}
