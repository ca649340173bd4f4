//! The processes that the child started, by `/proc`.
//!
//! A process whose parent dies would become init's child and be lost to sight. As a child subreaper
//! we get it instead: whatever descends from us then descends from the child.

use std::fs;

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, pidfd_open,
    pidfd_send_signal, set_child_subreaper, wait, waitid, waitpid,
};

/// How often is looked for what was started while the others were killed.
const ROUNDS: usize = 100;

/// Makes the orphans among our descendants our children. Not where we have children already (the
/// jobs of a shell that became us by `exec`): theirs could not be told from the child's.
pub(super) fn adopt() -> bool {
    let all = processes();
    let own = getpid();
    let alone = !all.is_empty() && !all.iter().any(|process| process.parent == own);
    alone && set_child_subreaper(Some(own)).is_ok()
}

/// Kills the child and its descendants.
pub(super) fn kill(child: Pid, adopts: bool) {
    if adopts {
        return kill_descendants(getpid());
    }
    for process in descendants(child, &processes()) {
        process.kill();
    }
}

/// Kills whatever descends from `root`, until nothing is left.
pub(super) fn kill_descendants(root: Pid) {
    for _ in 0..ROUNDS {
        let living = descendants(root, &processes());
        if living.is_empty() {
            return;
        }
        for process in living {
            process.kill();
        }
        std::thread::yield_now();
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
        let orphans = orphans.iter().filter(|p| p.parent == own && p.ended && p.pid != child);
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
    parent: Pid,
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
        let parent = Pid::from_raw(fields.next()?.parse().ok()?)?;
        Some(Process { pid, parent, ended })
    }

    /// Kills the process, and no other that has got its pid meanwhile.
    fn kill(self) {
        let Ok(handle) = pidfd_open(self.pid, PidfdFlags::empty()) else { return };
        if Process::read(self.pid) == Some(self) {
            // It may have ended this moment.
            let _ = pidfd_send_signal(handle, Signal::KILL);
        }
    }
}

fn processes() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let pid = |name: std::ffi::OsString| Pid::from_raw(name.to_str()?.parse().ok()?);
    entries.flatten().filter_map(|entry| Process::read(pid(entry.file_name())?)).collect()
}

/// What lives of `root`'s descendants; `root` itself where it is not us.
fn descendants(root: Pid, all: &[Process]) -> Vec<Process> {
    let mut found: Vec<Process> = all.iter().filter(|p| p.pid == root).copied().collect();
    let mut next = 0;
    while let Some(parent) = found.get(next).map(|process| process.pid) {
        let children = all.iter().filter(|process| process.parent == parent);
        let new: Vec<Process> = children.filter(|child| !found.contains(child)).copied().collect();
        found.extend(new);
        next += 1;
    }
    let own = getpid();
    found.retain(|process| !process.ended && process.pid != own);
    found
}
