//! The standard streams as they are in the wild: not ready, full, closed, left by whoever read them.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "this is a test")]

#[path = "deadline/mod.rs"]
mod deadline;

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use deadline::Running;

const AGENTNORM: &str = env!("CARGO_BIN_EXE_agentnorm");

/// How long nobody reads: long enough for a pipe to be full.
const LATE: Duration = Duration::from_millis(300);

/// Far more than a pipe or a socket holds.
const MESSAGES: usize = 3_000;

fn stream() -> String {
    let text = "hello ".repeat(40);
    let mut stream = r#"{"type":"thread.started","thread_id":"t"}"#.to_owned() + "\n";
    for id in 0..MESSAGES {
        let message = format!(r#"{{"id":"i{id}","type":"agent_message","text":"{text}{id}"}}"#);
        stream = stream + r#"{"type":"item.completed","item":"# + &message + "}\n";
    }
    stream += r#"{"type":"turn.failed","error":{"message":"boom"}}"#;
    stream + "\n"
}

/// A folder of its own, made anew.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("streams").join(name);
    fs::remove_dir_all(&path).ok();
    fs::create_dir_all(&path).unwrap();
    path
}

fn file(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(AGENTNORM);
    command.args(args).env("AGENTNORM_PROTOCOL", "codex").env_remove("COLUMNS");
    command.stdin(Stdio::null());
    command
}

struct Ended {
    status: i32,
    stdout: String,
    stderr: String,
}

fn run(command: &mut Command) -> Ended {
    command.stderr(Stdio::piped());
    let output = command.output().unwrap();
    Ended {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A stream whose other side is non-blocking, and that side.
fn not_ready() -> (UnixStream, OwnedFd) {
    let (mine, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    (mine, theirs.into())
}

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").unwrap()
}

/// A pipe that nobody reads any more.
fn left() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn messages(events: &str) -> usize {
    events.lines().filter(|line| line.starts_with(r#"{"type":"message","#)).count()
}

const COMMANDS: &[&[&str]] = &[
    &["normalize"],
    &["wrap", "cat"],
    &["summarize"],
    &["check"],
    &["show", "--format", "plain"],
    &["show", "--format", "terminal"],
    &["show", "--format", "markdown"],
    &["show", "--format", "html"],
];

#[test]
fn output_that_is_not_ready_is_waited_for() {
    let folder = folder("output");
    let stream = file(&folder, "stream", &stream());
    for args in COMMANDS {
        let args = [args, &[stream.as_str()][..]].concat();
        let whole = run(&mut command(&args)).stdout;
        let (mut mine, theirs) = not_ready();
        let mut late = command(&args);
        let running = Running::start(late.stdout(theirs));
        // Our own copy of their side would keep the stream open.
        drop(late);
        thread::sleep(LATE);
        let mut got = String::new();
        mine.read_to_string(&mut got).unwrap();
        assert!(got == whole, "{args:?}: {} bytes of {}", got.len(), whole.len());
        assert_eq!(running.wait().code(), Some(0), "{args:?}");
    }
    let (mut mine, theirs) = not_ready();
    let mut late = command(&["schema"]);
    let running = Running::start(late.stdout(theirs));
    drop(late);
    let mut got = String::new();
    mine.read_to_string(&mut got).unwrap();
    assert!(running.wait().success() && got.ends_with("}\n"));
}

/// What every agent that is a Node program does to `wrap … 2>&1 | tee log`.
#[test]
fn a_command_that_makes_our_output_non_blocking_costs_no_event() {
    let folder = folder("node");
    let stream = file(&folder, "stream", &stream());
    let events =
        [("\"type\":\"message\"", &["--no-source"][..]), ("message assistant", &["--show=plain"])];
    for (word, options) in events {
        let (mut mine, theirs) = not_ready();
        let args = [&["wrap"], options, &["sh", "-c", "echo warning >&2; cat \"$0\"", &stream]];
        let mut wrap = command(&args.concat());
        wrap.stdout(theirs.try_clone().unwrap()).stderr(theirs);
        let running = Running::start(&mut wrap);
        drop(wrap);
        thread::sleep(LATE);
        let mut got = String::new();
        mine.read_to_string(&mut got).unwrap();
        assert_eq!(got.matches(word).count(), MESSAGES, "{options:?}");
        assert!(got.contains(
            "warning
"
        ));
        assert_eq!(running.wait().code(), Some(0), "{options:?}");
    }
}

#[test]
fn input_that_is_not_ready_is_waited_for() {
    let stream = stream();
    let titles = r#"{"type":"ai-title","aiTitle":"Fix login","sessionId":"s"}"#;
    let title: &[&str] = &["title-probe", "-p", "claude-json", "--parse"];
    let rows = COMMANDS.iter().map(|args| (*args, &*stream)).chain([(title, titles)]);
    for (args, input) in rows.filter(|(args, _)| args[0] != "wrap") {
        let (mut mine, theirs) = not_ready();
        let mut reads = command(args);
        let running = Running::start(reads.stdin(theirs).stdout(Stdio::piped()));
        drop(reads);
        let mut out = running.stdout();
        let written = input.to_owned();
        let writer = thread::spawn(move || {
            for piece in written.as_bytes().chunks(100_000) {
                thread::sleep(Duration::from_millis(50));
                mine.write_all(piece).unwrap();
            }
        });
        let mut got = String::new();
        out.read_to_string(&mut got).unwrap();
        writer.join().unwrap();
        assert_eq!(running.wait().code(), Some(0), "{args:?}");
        assert!(!got.is_empty(), "{args:?}");
        if args == ["normalize"] {
            assert_eq!(messages(&got), MESSAGES);
        }
    }
}

#[test]
fn words_are_waited_for() {
    let missing: Vec<String> = (0..5_000).map(|at| format!("/nowhere/at/all/{at:0100}")).collect();
    let (mut mine, theirs) = not_ready();
    let mut says = command(&["check"]);
    says.args(&missing).stdout(Stdio::null()).stderr(theirs);
    let running = Running::start(&mut says);
    drop(says);
    thread::sleep(LATE);
    let mut got = String::new();
    mine.read_to_string(&mut got).unwrap();
    assert_eq!(got.lines().count(), missing.len());
    assert_eq!(running.wait().code(), Some(2));
}

/// The status of the filter and that of `wrap`, where something of theirs failed.
const FAILED: [(&str, i32); 2] = [("normalize", 2), ("wrap", 125)];

/// Runs the filter or `wrap` over the file.
fn over(which: &str, options: &[&str], stream: &str) -> Command {
    let behind: &[&str] = if which == "wrap" { &["--", "cat", stream] } else { &[stream] };
    command(&[&[which], options, behind].concat())
}

#[test]
#[ignore = "fails since the branches were merged: to be looked at first"]
fn a_copy_that_fails_does_not_stop_the_events() {
    let folder = folder("copies");
    let stream = file(&folder, "stream", &stream());
    let fifo = folder.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let fifo = fifo.to_str().unwrap();
    let out = folder.join("out");
    for (which, status) in FAILED {
        let whole = run(&mut over(which, &[], &stream)).stdout;
        for tee in ["/dev/full", fifo] {
            let reader = (tee == fifo).then(|| {
                let path = fifo.to_owned();
                thread::spawn(move || File::open(path).unwrap().read_exact(&mut [0]))
            });
            let ended = run(&mut over(which, &["--tee", tee], &stream));
            assert!(ended.stdout == whole, "{which} --tee {tee}");
            assert_eq!(ended.status, status, "{which} --tee {tee}");
            let why = if tee == fifo {
                "Broken pipe (os error 32)"
            } else {
                "No space left on device (os error 28)"
            };
            assert_eq!(ended.stderr, format!("agentnorm: cannot write the --tee file: {why}\n"));
            if let Some(reader) = reader {
                reader.join().unwrap().unwrap();
            }
        }
        for (screen, why) in [
            (Stdio::from(full()), "No space left on device (os error 28)"),
            (left(), "Broken pipe (os error 32)"),
        ] {
            let ended =
                run(over(which, &["--show", "-o", out.to_str().unwrap()], &stream).stdout(screen));
            assert!(fs::read_to_string(&out).unwrap() == whole, "{which} --show");
            assert_eq!(ended.stderr, format!("agentnorm: cannot show the session: {why}\n"));
            assert_eq!(ended.status, status, "{which} --show: {why}");
        }
        // The other way round, a person sees it all.
        let ended = run(&mut over(which, &["--show=plain", "-o", "/dev/full"], &stream));
        assert_eq!(ended.stdout.matches("message assistant").count(), MESSAGES, "{which}");
        assert_eq!(ended.status, status);
        let why = "agentnorm: cannot write the events: No space left on device (os error 28)\n";
        assert_eq!(ended.stderr, why);
        // All that went wrong is told.
        let ended = run(over(which, &["--show", "-o", "/dev/full", "--tee", "/dev/full"], &stream)
            .stdout(full()));
        assert_eq!((ended.status, ended.stderr.lines().count()), (status, 3), "{}", ended.stderr);
    }
}

#[test]
fn the_agent_in_front_of_a_pipe_outlives_a_copy_that_fails() {
    let script = "(for i in 1 2 3 4 5 6; do echo line || exit 3; sleep 0.05; done; echo finished >&2) \
                  | \"$0\" -p none --tee /dev/full > /dev/null";
    let ended = run(Command::new("sh").args(["-c", script, AGENTNORM]));
    assert!(ended.stderr.starts_with("finished\n"), "{}", ended.stderr);
    assert_eq!(ended.status, 2);
}

#[test]
#[ignore = "fails since the branches were merged: to be looked at first"]
fn one_file_is_not_two_however_it_is_spelled() {
    let folder = folder("spelled");
    std::os::unix::fs::symlink(folder.join("new"), folder.join("link")).unwrap();
    let whole = folder.join("new").to_str().unwrap().to_owned();
    for [a, b] in
        [["new", "./new"], ["new", &whole], ["link", "new"], ["new", "link"], ["old", "./old"]]
    {
        for (which, status) in FAILED {
            let old = file(&folder, "old", "kept");
            let ended = run(over(which, &["-o", a, "--tee", b], "/dev/null").current_dir(&folder));
            assert_eq!(ended.status, status, "{which} {a} {b}");
            assert_eq!(
                ended.stderr,
                format!("agentnorm: cannot write {b}: --tee and -o are the same file\n")
            );
            assert_eq!(fs::read_to_string(old).unwrap(), "kept");
            assert!(!folder.join("new").exists() || a == "link", "{which} {a} {b} left a file");
            fs::remove_file(folder.join("new")).ok();
        }
    }
}

#[test]
fn a_file_is_emptied_only_when_it_will_be_written() {
    let folder = folder("emptied");
    for option in ["-o", "--tee"] {
        let keep = file(&folder, "keep", "kept");
        let new = folder.join("new");
        for out in [keep.as_str(), new.to_str().unwrap()] {
            for inputs in [&["/nowhere/at/all"][..], &["/nowhere", "/nowhere/too"], &["/"]] {
                let ended = run(command(&["normalize", option, out]).args(inputs));
                assert_eq!(ended.status, 2);
                assert_eq!(ended.stderr.lines().count(), inputs.len(), "{}", ended.stderr);
            }
            assert_eq!(run(&mut command(&["wrap", option, out, "/nowhere/at/all"])).status, 127);
            assert_eq!(run(&mut command(&["wrap", option, out, "/"])).status, 126);
            assert_eq!(fs::read_to_string(&keep).unwrap(), "kept");
            assert!(!new.exists());
        }
        // One of several is enough.
        let input = file(&folder, "input", "text\n");
        assert_eq!(run(&mut command(&["normalize", option, &keep, "/nowhere", &input])).status, 2);
        assert_ne!(fs::read_to_string(&keep).unwrap(), "kept");
    }
}

/// `docs/streams.md` says what is tested here.
#[test]
fn a_stream_that_is_closed_is_an_empty_one() {
    let sh = |script: &str| {
        run(Command::new("sh").args(["-c", script, AGENTNORM]).env("AGENTNORM_PROTOCOL", "none"))
    };
    for (script, status, words) in [
        ("\"$0\" <&-", 0, ""),
        ("echo text | \"$0\" >&-", 0, ""),
        ("\"$0\" normalize /nowhere 2>&-", 2, ""),
        ("echo text | \"$0\" --tee /dev/full 2>&- >&-", 2, ""),
        ("\"$0\" wrap cat <&-", 0, ""),
        ("\"$0\" wrap sh -c 'echo text; exit 3' >&- 2>&-", 3, ""),
        // Open, but the wrong way round.
        ("\"$0\" 0>/dev/null", 2, "agentnorm: cannot read -: Bad file descriptor (os error 9)\n"),
        (
            "echo text | \"$0\" 1</dev/null",
            2,
            "agentnorm: cannot write the events: Bad file descriptor (os error 9)\n",
        ),
        (
            "\"$0\" wrap echo text 1</dev/null",
            125,
            "agentnorm: cannot write the events: Bad file descriptor (os error 9)\n",
        ),
        ("\"$0\" normalize /nowhere 2</dev/null", 2, ""),
    ] {
        let ended = sh(script);
        assert_eq!((ended.status, ended.stderr.as_str()), (status, words), "{script}");
    }
    // A file that is opened by the command must not stand in for what was closed.
    let folder = folder("closed");
    let out = folder.join("out");
    let script = format!("echo text | \"$0\" -o {} --show=plain <&0 >&- 2>&-", out.display());
    assert_eq!(sh(&script).status, 0);
    assert_eq!(fs::read_to_string(out).unwrap().lines().count(), 1);
}
