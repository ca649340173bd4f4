//! A running `agentnorm wrap` and what is asked of it. Every wait has a limit, so that a broken rule
//! fails the test instead of hanging it.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

pub(crate) const AGENTNORM: &str = env!("CARGO_BIN_EXE_agentnorm");

/// No step of any test takes this long on a machine that is alive.
const LIMIT: Duration = Duration::from_secs(30);

/// How long a process that must end has for it; much less than [`STAY`].
const SOON: Duration = Duration::from_secs(10);

/// A shell that stays for a minute and can be trapped all the time.
pub(crate) const STAY: &str =
    "stay=60; while [ $stay -gt 0 ]; do stay=$((stay-1)); sleep 1 >/dev/null 2>&1 & wait $!; done";

/// A `wrap` to be started.
pub(crate) struct Wrap(Command);

impl Wrap {
    /// `agentnorm wrap <options> -- sh -c <script>`; the protocol is `jsonl` unless the options say
    /// otherwise.
    pub(crate) fn sh(options: &[&str], script: &str) -> Wrap {
        Wrap::command(options, &["sh", "-c", script])
    }

    pub(crate) fn command(options: &[&str], command: &[&str]) -> Wrap {
        let mut wrap = Command::new(AGENTNORM);
        wrap.arg("wrap").args(options).arg("--").args(command);
        Wrap::of(wrap)
    }

    /// Any command that becomes one.
    pub(crate) fn of(mut command: Command) -> Wrap {
        if command.get_envs().next().is_none() {
            command.env("AGENTNORM_PROTOCOL", "jsonl");
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Wrap(command)
    }

    pub(crate) fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Wrap {
        self.0.env(key, value);
        self
    }

    /// Gives the child standard input that [`Running::say`] writes.
    pub(crate) fn with_stdin(mut self) -> Wrap {
        self.0.stdin(Stdio::piped());
        self
    }

    /// Puts it into a process group of its own.
    pub(crate) fn in_own_group(mut self) -> Wrap {
        use std::os::unix::process::CommandExt as _;
        self.0.process_group(0);
        self
    }

    pub(crate) fn start(mut self) -> Running {
        let mut child = self.0.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let mut err = child.stderr.take().unwrap();
        let stderr = thread::spawn(move || {
            let mut text = String::new();
            err.read_to_string(&mut text).unwrap();
            text
        });
        let pid = Pid::from_child(&child);
        let (done, watched) = mpsc::channel::<()>();
        thread::spawn(move || {
            // Dropping the sender ends the wait, too: then all is well.
            if watched.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
                let _ = kill_process(pid, Signal::KILL);
            }
        });
        Running { stdin: child.stdin.take(), child, out: Some(out), stderr, _done: done }
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Ended {
        self.start().finish()
    }
}

pub(crate) struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    pub(crate) out: Option<BufReader<ChildStdout>>,
    stderr: JoinHandle<String>,
    _done: mpsc::Sender<()>,
}

impl Running {
    /// The next event; a `raw` text, as a script's `echo` makes it, is given as that text.
    pub(crate) fn event(&mut self) -> Value {
        let mut line = Vec::new();
        self.out.as_mut().unwrap().read_until(b'\n', &mut line).unwrap();
        event(&line)
    }

    /// The next event, which is a number: a process id.
    pub(crate) fn pid(&mut self) -> Pid {
        let event = self.event();
        Pid::from_raw(event.as_str().unwrap().trim().parse().unwrap()).unwrap()
    }

    pub(crate) fn say(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    pub(crate) fn close_stdout(&mut self) {
        self.out = None;
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    pub(crate) fn signal_group(&self, signal: Signal) {
        rustix::process::kill_process_group(Pid::from_child(&self.child), signal).unwrap();
    }

    pub(crate) fn id(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Waits for the end without reading anything; returns the exit status and the signal.
    pub(crate) fn end_unread(mut self) -> (Option<i32>, Option<i32>) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if start.elapsed() > LIMIT {
                let _ = self.child.kill();
                panic!("it does not end");
            }
            thread::sleep(Duration::from_millis(2));
        };
        (status.code(), status.signal())
    }

    /// Reads what is left and waits for the end.
    pub(crate) fn finish(mut self) -> Ended {
        self.stdin = None;
        let mut events = Vec::new();
        if let Some(out) = &mut self.out {
            let mut rest = Vec::new();
            out.read_to_end(&mut rest).unwrap();
            events.extend(rest.split_inclusive(|byte| *byte == b'\n').map(event));
        }
        let status = self.child.wait().unwrap();
        assert_eq!(status.signal(), None, "agentnorm was killed; it hung");
        let stderr = self.stderr.join().unwrap();
        Ended { events, status: status.code().unwrap(), stderr }
    }
}

fn event(line: &[u8]) -> Value {
    let mut record: Value = serde_json::from_slice(line)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(line)));
    if record["type"] == "raw" && record["payload"]["text"].is_string() {
        return record["payload"]["text"].take();
    }
    record
}

#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) events: Vec<Value>,
    pub(crate) status: i32,
    pub(crate) stderr: String,
}

impl Ended {
    /// The payload of the last event, which is a made-up end.
    pub(crate) fn made_up(&self) -> &Value {
        let last = self.events.last().expect("no event");
        assert_eq!(last["type"], "session.ended", "{self:?}");
        assert_eq!(last["payload"]["synthetic"], true, "{self:?}");
        assert!(last.get("line").is_none() && last.get("source").is_none(), "{self:?}");
        &last["payload"]
    }

    /// The texts before the last event.
    pub(crate) fn texts(&self) -> Vec<&str> {
        self.events.iter().filter_map(Value::as_str).collect()
    }
}

/// Waits until there is no such process.
#[track_caller]
pub(crate) fn assert_gone(pid: Pid) {
    let start = Instant::now();
    while is_alive(pid) {
        assert!(start.elapsed() < SOON, "process {pid:?} is left over");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Whether the process runs. One that has ended and waits for its parent does not.
pub(crate) fn is_alive(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    match stat {
        Ok(stat) => !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'),
        Err(_) => rustix::process::test_kill_process(pid).is_ok(),
    }
}

/// Whether whoever started the tests ignores the signal (`nohup`, a background job): then children do,
/// and no shell can take it back.
pub(crate) fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    u64::from_str_radix(mask.trim(), 16).unwrap() & (1 << (signal.as_raw() - 1)) != 0
}

/// A folder of its own, removed in the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("wrap-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a script that can be run.
    pub(crate) fn script(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
