//! The tools that are running.

use std::collections::VecDeque;

use crate::adapter::content;
use crate::adapter::pieces::{Snapshot, whole_pairs};
use crate::adapter::recent::remember;
use crate::adapter::tool::{self, Arg};
use crate::adapter::written::Writing;
use crate::format::batch::Batch;
use crate::format::event::{Act, Delta, Of, ToolCall, ToolResult};
use crate::format::write::Name;
use crate::json::{Str, Value};

/// pi's own tools, 0.73.1 and 1.6.0: four by default, three more by option. Extensions add any name.
pub(super) const TOOLS: tool::Tools = tool::Tools {
    acts: &[
        ("bash", Act::Execute, &[Arg::Str("command")]),
        ("powershell", Act::Execute, &[]),
        ("read", Act::Read, &[Arg::Str("path")]),
        ("write", Act::Edit, &[Arg::Str("path")]),
        ("edit", Act::Edit, &[Arg::Str("path")]),
        ("grep", Act::Search, &[Arg::Str("pattern")]),
        ("find", Act::Search, &[Arg::Str("pattern")]),
        ("ls", Act::Search, &[Arg::Str("path")]),
    ],
    others: &[],
};

#[derive(Debug, Default)]
pub(super) struct Tools {
    running: VecDeque<Running>,
    writing: Writing,
}

/// A result, wherever its parts stand.
#[derive(Clone, Copy)]
struct Returned<'a> {
    id: Value<'a>,
    name: Value<'a>,
    body: Value<'a>,
    structured: Value<'a>,
    details: Value<'a>,
    failed: Value<'a>,
    duration: Value<'a>,
}

#[derive(Debug)]
struct Running {
    id: String,
    /// The file that it edits.
    path: Option<String>,
    shown: Snapshot,
}

impl Tools {
    pub(super) fn start(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, name, args] = record.pick(["toolCallId", "toolName", "args"]);
        self.begin(id, name, args, out);
    }

    /// A call in a message of a session file.
    pub(super) fn call(&mut self, block: Value<'_>, out: &mut Batch) {
        let [id, name, args] = block.pick(["id", "name", "arguments"]);
        self.begin(id, name, args, out);
    }

    fn begin(&mut self, id: Value<'_>, name: Value<'_>, args: Value<'_>, out: &mut Batch) {
        let tool = name.decode().unwrap_or_default();
        self.writing.call(TOOLS, id, &tool, args);
        out.push(ToolCall {
            call_id: Name::of(id),
            name: Name::of(name),
            input: content::arguments(args),
            ..tool::does(TOOLS, &tool, args)
        });
        if let Some(id) = id.decode() {
            let path = args.get("path").owned().filter(|_| name.is("edit"));
            let running = Running { id: id.into_owned(), path, shown: Snapshot::default() };
            remember(&mut self.running, running);
        }
    }

    /// What the tool has printed so far, whole (0.73 `fail`: "out-line", then "out-line, err-line").
    pub(super) fn update(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, partial] = record.pick(["toolCallId", "partialResult"]);
        let running = self.running.iter_mut().find(|running| id.is(&running.id));
        let text = only_text(partial.get("content")).map(whole_pairs);
        if let Some((running, text)) = running.zip(text)
            && let Some(news) = running.shown.update(&text)
        {
            out.push(delta(id, news));
        } else {
            out.framing(record);
        }
    }

    pub(super) fn end(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, name, result, failed, duration] =
            record.pick(["toolCallId", "toolName", "result", "isError", "durationMs"]);
        let [body, structured, details] = result.pick(["content", "structuredContent", "details"]);
        let body = if body.exists() { body } else { result };
        self.result(&Returned { id, name, body, structured, details, failed, duration }, out);
    }

    /// The result in a session file.
    pub(super) fn returned(&mut self, message: Value<'_>, out: &mut Batch) {
        let [id, name, body, structured, details, failed, duration] = message.pick([
            "toolCallId",
            "toolName",
            "content",
            "structuredContent",
            "details",
            "isError",
            "durationMs",
        ]);
        self.result(&Returned { id, name, body, structured, details, failed, duration }, out);
    }

    fn result(&mut self, returned: &Returned<'_>, out: &mut Batch) {
        let Returned { id, name, body, structured, details, failed, duration } = *returned;
        let at = self.running.iter().position(|running| id.is(&running.id));
        let mut running = at.and_then(|at| self.running.remove(at));
        let text = only_text(body);
        if let Some(running) = running.as_mut().filter(|running| !running.shown.is_empty())
            && let Some(whole) = text.map(Str::decode)
            && let Some(news) = running.shown.update(&whole)
        {
            out.push(delta(id, news));
        }
        let is_error = failed.is_true();
        let words = text.filter(|_| is_error && name.is("bash")).map(Str::decode);
        // The shell tool's own last line, behind the output (0.73 `fail`, both `rpc_abort`).
        let verdict = words.as_deref().and_then(|words| words.rsplit('\n').next());
        let exit_code = structured.get("exit_code").i64().or_else(|| {
            verdict.and_then(|line| line.strip_prefix("Command exited with code ")?.parse().ok())
        });
        let written = self.writing.result(id, !is_error);
        let path = running.and_then(|running| running.path);
        let edited = path.filter(|_| !is_error && details.get("diff").is_string());
        let content = content::content(body);
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error,
            output: content.text,
            exit_code: content::exit_code(exit_code),
            status: verdict.filter(|line| *line == "Command aborted").map(|_| "cancelled".into()),
            duration_ms: duration.number(),
            files: match edited {
                Some(path) => content::changed(Some(path.into()), "update"),
                None => written,
            },
            attachments: content.attachments,
            ..ToolResult::default()
        });
    }
}

fn delta<'a>(id: Value<'a>, (text, reset): (&'a str, bool)) -> Delta<'a> {
    let (text, call_id) = (Some(text.into()), Name::of(id));
    Delta { of: Of::ToolResult, text, call_id, reset, ..Delta::default() }
}

/// The text of a list that holds one text and nothing else.
fn only_text(body: Value<'_>) -> Option<Str<'_>> {
    let mut blocks = body.elements();
    let block = blocks.next().filter(|_| blocks.next().is_none())?;
    let [kind, text] = block.pick(["type", "text"]);
    text.str().filter(|_| kind.is("text"))
}
