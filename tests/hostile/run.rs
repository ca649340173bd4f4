//! A command that reads an input, and what that cost.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead as _, BufReader, BufWriter, Write};
use std::process::{ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde::de::IgnoredAny;
use serde_json::Value;
use wait4::Wait4 as _;

use crate::inputs;

/// What writes an input.
pub(crate) type Input = fn(&mut dyn Write) -> io::Result<()>;

/// What a command may take, and what it may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bound {
    /// 2 s of CPU; where a plain input of that size takes long itself (the binary is not optimized),
    /// [`TIMES_PLAIN`] times as much.
    Time,
    /// [`MEMORY`].
    Memory,
    /// [`TIMES_INPUT`] times the input, [`FREE_OUTPUT`] and [`FREE_OUTPUT_OF_LINE`] for each line.
    Output,
    /// Each event is JSON that a reader with the usual limits takes.
    Record,
    /// A text that says `truncated: false` is what its deltas say.
    Whole,
    /// The process ends by itself, with a status that says so.
    End,
}

const TIME: Duration = Duration::from_secs(2);
const TIMES_PLAIN: u32 = 4;
const MEMORY: u64 = 150 << 20;
const TIMES_INPUT: usize = 25;
const FREE_OUTPUT: usize = 64 << 10;
/// What stands around a text of one character.
const FREE_OUTPUT_OF_LINE: usize = 128;

/// The kernel's limits, in seconds and KiB: far enough behind the bounds, near enough for the machine.
const MOST_SECONDS: u64 = 20;
const MOST_KIB: u64 = 1_500_000;
/// Lines of output longer than this are counted and not read.
const MOST_LINE: usize = 40 << 20;

/// What a run cost.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) broken: Vec<Bound>,
    cpu: Duration,
    most_cpu: Duration,
    memory: u64,
    input: usize,
    output: usize,
    status: String,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "breaks {:?}: {:.2} s (of {:.1}), {} MiB, {} bytes in, {} out, {}",
            self.broken,
            self.cpu.as_secs_f64(),
            self.most_cpu.as_secs_f64(),
            self.memory >> 20,
            self.input,
            self.output,
            self.status,
        )
    }
}

/// What plain input costs each command, in seconds for a byte.
pub(crate) struct Yardstick(BTreeMap<String, f64>);

impl Yardstick {
    pub(crate) fn new() -> Yardstick {
        let mut rates = BTreeMap::new();
        for command in ["normalize", "check", "summarize", "show"] {
            let found = run(command, inputs::plain, &Yardstick(BTreeMap::new()));
            assert!(found.broken.is_empty(), "a plain input: {command}: {found}");
            #[expect(clippy::cast_precision_loss, reason = "a rate")]
            rates.insert(command.to_owned(), found.cpu.as_secs_f64() / found.input as f64);
        }
        Yardstick(rates)
    }

    fn most(&self, command: &str, input: usize) -> Duration {
        let name = command.split(' ').next().unwrap_or_default();
        let rate = self.0.get(name).copied().unwrap_or_default();
        #[expect(clippy::cast_precision_loss, reason = "a rate")]
        let plain = Duration::from_secs_f64(rate * input as f64);
        TIME.max(plain * TIMES_PLAIN)
    }
}

/// Runs `agentnorm <command>` on the input.
pub(crate) fn run(command: &str, input: Input, yardstick: &Yardstick) -> Found {
    let (length, lines) = length(input);
    let most_cpu = yardstick.most(command, length);
    let most_output = length * TIMES_INPUT + lines * FREE_OUTPUT_OF_LINE + FREE_OUTPUT;
    let seconds = (most_cpu.as_secs() + 2).min(MOST_SECONDS);
    let mut shell = Command::new("sh");
    let limits = format!("ulimit -c 0; ulimit -t {seconds}; ulimit -v {MOST_KIB}; exec \"$@\"");
    shell.args(["-c", &limits, "sh", env!("CARGO_BIN_EXE_agentnorm")]).args(command.split(' '));
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "AGENTNORM_PROTOCOL"] {
        shell.env_remove(name);
    }
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = shell.spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    let stdout = child.stdout.take().unwrap();
    let writer = thread::spawn(move || {
        let mut stdin = BufWriter::with_capacity(1 << 16, stdin);
        // Where it ended early the pipe is broken.
        let _ = input(&mut stdin).and_then(|()| stdin.flush());
    });
    let events = command.starts_with("normalize");
    let read = Read::all(stdout, most_output, events);
    let used = child.wait4().unwrap();
    writer.join().unwrap();
    let cpu = used.rusage.utime + used.rusage.stime;
    let memory = used.rusage.maxrss;
    let ended = matches!(used.status.code(), Some(0 | 1));
    let broken = [
        (cpu > most_cpu, Bound::Time),
        (memory > MEMORY, Bound::Memory),
        (read.length > most_output, Bound::Output),
        (!read.are_records, Bound::Record),
        (!read.is_whole, Bound::Whole),
        (!ended, Bound::End),
    ];
    Found {
        broken: broken.into_iter().filter(|(is, _)| *is).map(|(_, bound)| bound).collect(),
        cpu,
        most_cpu,
        memory,
        input: length,
        output: read.length,
        status: used.status.to_string(),
    }
}

/// How long an input is, and how many line feeds it has.
fn length(input: Input) -> (usize, usize) {
    struct Count(usize, usize);
    impl Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            self.1 += memchr::memchr_iter(b'\n', bytes).count();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = BufWriter::with_capacity(1 << 16, Count(0, 0));
    input(&mut count).and_then(|()| count.flush()).unwrap();
    let Count(length, lines) = count.get_ref();
    (*length, *lines)
}

/// What was printed.
struct Read {
    length: usize,
    are_records: bool,
    is_whole: bool,
}

impl Read {
    /// Reads up to `most` bytes and a little more, and lets go of the pipe then.
    fn all(stdout: ChildStdout, most: usize, events: bool) -> Read {
        let mut out = BufReader::with_capacity(1 << 16, stdout);
        let mut read = Read { length: 0, are_records: true, is_whole: true };
        let mut texts = Texts::default();
        let mut line = Vec::new();
        while read.length <= most {
            let piece = out.fill_buf().unwrap_or_default();
            if piece.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', piece).map_or(piece.len(), |at| at + 1);
            if events && line.len() < MOST_LINE {
                line.extend_from_slice(&piece[..end]);
            }
            let ended = piece[end - 1] == b'\n';
            out.consume(end);
            read.length += end;
            if events && ended {
                read.are_records &= is_record(&line);
                if texts.concern(&line)
                    && let Ok(record) = serde_json::from_slice(&line)
                {
                    read.is_whole &= texts.agree(&record);
                }
                line.clear();
            }
        }
        read
    }
}

/// Whether a reader with the usual limits takes the line.
fn is_record(line: &[u8]) -> bool {
    // What is ignored may be of any depth: only what could be too deep is read whole.
    match memchr::memchr2_iter(b'[', b'{', line).nth(100) {
        Some(_) => serde_json::from_slice::<Value>(line).is_ok(),
        None => serde_json::from_slice::<IgnoredAny>(line).is_ok(),
    }
}

/// The text of each open message, as its deltas say it.
#[derive(Default)]
struct Texts {
    said: String,
    deltas: usize,
}

impl Texts {
    /// Whether the event may be a piece of a text, or the whole behind its pieces.
    fn concern(&self, line: &[u8]) -> bool {
        line.starts_with(b"{\"type\":\"delta\"")
            || self.deltas > 0 && line.starts_with(b"{\"type\":\"message\"")
    }

    /// Whether a whole message is what its deltas say. Only streams of one text at a time are compared.
    fn agree(&mut self, record: &Value) -> bool {
        let payload = &record["payload"];
        let text = payload["text"].as_str().unwrap_or_default();
        match record["type"].as_str() {
            Some("delta") if payload["of"] == "message" && payload.get("index").is_none() => {
                if payload["reset"] == true {
                    self.said.clear();
                }
                self.said.push_str(text);
                self.deltas += 1;
                true
            }
            Some("message") if self.deltas > 0 => {
                let said = std::mem::take(&mut self.said);
                self.deltas = 0;
                payload["truncated"] == true || said == text
            }
            _ => true,
        }
    }
}
