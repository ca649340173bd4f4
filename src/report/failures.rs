//! The calls of tools that failed: what was called, how it ended, and the last lines that it printed.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::format::event::EventType;
use crate::format::tame::line as harmless;
use crate::input::text::clip;
use crate::json::Value;
use crate::limits::{MAX_FAILURE_TEXT, MAX_FAILURES, MAX_OPEN_CALLS};
use crate::read::event_reader::{EventReader, Seen, Visit};
use crate::read::feed::Feed;
use crate::read::options::Options;
use crate::read::verdict::Form;
use crate::report::summary::{grouped, several};

/// Reads streams, and keeps what failed in them.
#[derive(Debug)]
pub(crate) struct Failures {
    streams: EventReader<Found>,
}

#[derive(Debug, Default)]
struct Found {
    file: Option<String>,
    open: VecDeque<Call>,
    failures: Vec<Failure>,
    more: u64,
    calls: u64,
    /// How many of the last lines are kept.
    lines: usize,
}

/// A call whose result has not come yet.
#[derive(Debug)]
struct Call {
    id: String,
    session: Option<String>,
    tool: String,
    kind: Option<String>,
    /// What it was about, or else its arguments.
    command: Option<String>,
}

#[derive(Debug)]
struct Failure {
    file: Option<String>,
    line: Option<u64>,
    time: Option<String>,
    session: Option<String>,
    call: Option<Call>,
    exit_code: Option<i64>,
    status: Option<String>,
    /// The last lines of the result.
    output: Vec<String>,
}

impl Failures {
    /// Reads streams as `options` say; of each result the last `lines` lines are kept.
    pub(crate) fn new(options: Options, lines: usize) -> Self {
        let options = options.deltas(false);
        Self { streams: EventReader::new(options, Found { lines, ..Found::default() }) }
    }

    /// Makes a block a failure, for people: nothing in it acts on a terminal.
    pub(crate) fn text(&mut self) -> String {
        let found = self.streams.visitor();
        let mut text = String::new();
        for failure in &found.failures {
            failure.write(&mut text);
        }
        if found.more > 0 {
            let _ = writeln!(text, "{} not shown", several(found.more, "more failure"));
        }
        let failed = found.failures.len() as u64 + found.more;
        let _ =
            writeln!(text, "{} of {} failed", grouped(failed), several(found.calls, "tool call"));
        text
    }

    /// Makes one object: `failures`, and how many calls there were.
    pub(crate) fn json(&mut self) -> Json {
        let found = self.streams.visitor();
        let failures: Vec<Json> = found.failures.iter().map(Failure::to_json).collect();
        let failed = failures.len() as u64 + found.more;
        json!({"failures": failures, "more": found.more, "calls": found.calls, "failed": failed})
    }
}

impl Feed for Failures {
    type Error = Infallible;

    fn begin_file(&mut self, path: &Path) {
        self.streams.begin_file(path);
        let is_file = path != Path::new("-");
        self.streams.visitor().file = is_file.then(|| path.display().to_string());
    }

    fn space(&mut self) -> &mut [u8] {
        self.streams.space()
    }

    fn filled(&mut self, count: usize) {
        self.streams.filled(count);
    }

    fn end_stream(&mut self) {
        self.streams.end_stream();
    }
}

impl Visit for Found {
    fn event(&mut self, seen: Seen<'_>) {
        match seen.kind {
            EventType::ToolCall => self.call(&seen),
            EventType::ToolResult => self.result(&seen),
            _ => {}
        }
    }

    fn skips(&self, kind: EventType, _start: &str) -> bool {
        !matches!(kind, EventType::ToolCall | EventType::ToolResult)
    }

    fn end_stream(&mut self, _form: Option<Form>) {
        self.open.clear();
    }
}

impl Found {
    fn call(&mut self, seen: &Seen<'_>) {
        self.calls += 1;
        let [id, name, kind, target, input] =
            seen.payload.pick(["callId", "name", "kind", "target", "input"]);
        if self.open.len() >= MAX_OPEN_CALLS {
            self.open.pop_front();
        }
        self.open.push_back(Call {
            id: id.filled().unwrap_or_default(),
            session: seen.session.map(str::to_owned),
            tool: name.filled().unwrap_or_else(|| "(unnamed)".to_owned()),
            kind: kind.filled(),
            command: short(target).or_else(|| short(input)),
        });
    }

    fn result(&mut self, seen: &Seen<'_>) {
        let [id, error, status, code, output] =
            seen.payload.pick(["callId", "isError", "status", "exitCode", "output"]);
        let id = id.decode().unwrap_or_default();
        let is_same = |call: &Call| {
            call.id == id && (call.session.is_none() || call.session.as_deref() == seen.session)
        };
        let at = self.open.iter().rposition(is_same);
        let call = at.and_then(|at| self.open.remove(at));
        if !error.is_true() {
            return;
        }
        if self.failures.len() >= MAX_FAILURES {
            self.more += 1;
            return;
        }
        let text = output.decode().unwrap_or_default();
        let mut last: Vec<String> = text
            .lines()
            .rev()
            .filter(|line| !line.trim().is_empty())
            .take(self.lines)
            .map(|line| clip(line, MAX_FAILURE_TEXT).0.to_owned())
            .collect();
        last.reverse();
        self.failures.push(Failure {
            file: self.file.clone(),
            line: seen.line,
            time: seen.time.map(str::to_owned),
            session: seen.session.map(str::to_owned),
            call,
            exit_code: code.i64(),
            status: status.filled(),
            output: last,
        });
    }
}

fn short(text: Value<'_>) -> Option<String> {
    text.filled().map(|text| clip(&text, MAX_FAILURE_TEXT).0.to_owned())
}

impl Failure {
    fn write(&self, text: &mut String) {
        let file = self.file.as_deref().map_or("-".into(), harmless);
        let _ = write!(text, "{file}");
        if let Some(line) = self.line {
            let _ = write!(text, ":{line}");
        }
        let tool = self.call.as_ref().map_or("(unknown)", |call| &call.tool);
        let _ = write!(text, "  {}", harmless(tool));
        if let Some(code) = self.exit_code {
            let _ = write!(text, "  exit status {code}");
        }
        if let Some(status) = &self.status {
            let _ = write!(text, "  {}", harmless(status));
        }
        text.push('\n');
        if let Some(command) = self.call.as_ref().and_then(|call| call.command.as_ref()) {
            let _ = writeln!(text, "  $ {}", harmless(command));
        }
        for line in &self.output {
            let _ = writeln!(text, "    {}", harmless(line));
        }
    }

    fn to_json(&self) -> Json {
        let call = self.call.as_ref();
        json!({
            "file": self.file,
            "line": self.line,
            "time": self.time,
            "sessionId": self.session,
            "callId": call.map(|call| &call.id),
            "tool": call.map(|call| &call.tool),
            "kind": call.and_then(|call| call.kind.as_ref()),
            "command": call.and_then(|call| call.command.as_ref()),
            "exitCode": self.exit_code,
            "status": self.status,
            "output": self.output.join("\n"),
        })
    }
}
