//! The legacy form, `{"id":"0","msg":{"type":…}}`, and its header.
//!
//! The id is the turn's and says nothing. Calls have their own ids. `exec` prints no end; `proto`
//! prints deltas and `task_complete`.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::items::{mcp_name, mcp_result};
use super::usage::Totals;
use super::{HARNESS, notices, unsaid, words};
use crate::adapter::content::{arguments, plan};
use crate::adapter::pieces::Pieces;
use crate::batch::Batch;
use crate::event::{
    Delta, FileChange, Message, Of, SessionEnded, SessionStarted, Status, Thinking, ToolCall,
    ToolResult,
};
use crate::json::Value;
use crate::write::{Name, Text};

/// Calls that are remembered at a time, and how much of an output that is shown in pieces.
const MOST_CALLS: usize = 32;
const LONGEST_OUTPUT: usize = 1 << 20;

#[derive(Debug, Default)]
pub(super) struct Legacy {
    session_id: Option<String>,
    model: Option<String>,
    cwd: Option<String>,
    window: Option<u64>,
    message: Streamed,
    thinking: Streamed,
    calls: Vec<Call>,
    /// The error behind which no work came.
    error: Option<String>,
}

/// A call that runs.
#[derive(Debug, Default)]
struct Call {
    id: String,
    /// What a patch changes; its end does not say it again.
    files: Vec<(String, &'static str)>,
    /// The output that was shown, while it is not too long to be remembered.
    said: String,
    too_long: bool,
    /// The first bytes of a character whose rest comes with the next piece, for each stream.
    rest: [Vec<u8>; 2],
}

impl Legacy {
    /// The line that opens the stream of `exec`.
    pub(super) fn header(&mut self, header: Value<'_>, totals: &mut Totals, out: &mut Batch) {
        self.restart(totals);
        let [model, cwd] = header.pick(["model", "workdir"]).map(owned);
        (self.model, self.cwd) = (model, cwd);
        self.started(out);
    }

    pub(super) fn read(
        &mut self,
        kind: &str,
        msg: Value<'_>,
        totals: &mut Totals,
        out: &mut Batch,
    ) {
        match kind {
            "session_configured" => {
                self.restart(totals);
                let [id, model] = msg.pick(["session_id", "model"]).map(owned);
                (self.session_id, self.model) = (id, model);
                self.started(out);
            }
            "task_started" => {
                self.error = None;
                let window = msg.get("model_context_window").count();
                if window.is_some() && window != self.window {
                    self.window = window;
                    self.started(out);
                }
            }
            "agent_message" => {
                self.error = None;
                let text = msg.get("message");
                self.message.whole(Of::Message, text, out);
                if let Some(text) = Text::of(text) {
                    let role = Some(Name::from("assistant"));
                    out.push(Message { role, text: Some(text), ..Message::default() });
                }
            }
            "agent_reasoning" => {
                let text = msg.get("text");
                self.thinking.whole(Of::Thinking, text, out);
                if let Some(text) = Text::filled(text) {
                    out.push(Thinking { text: Some(text), ..Thinking::default() });
                }
            }
            "agent_message_delta" => self.message.piece(Of::Message, msg.get("delta"), out),
            "agent_reasoning_delta" => self.thinking.piece(Of::Thinking, msg.get("delta"), out),
            "exec_command_begin" => {
                self.error = None;
                let [id, command] = msg.pick(["call_id", "command"]);
                self.call(id, Name::from("shell"), arguments(command), Vec::new(), out);
            }
            "exec_command_output_delta" => self.output(msg, out),
            "exec_command_end" => self.command_end(msg, out),
            "patch_apply_begin" => {
                let [id, changes] = msg.pick(["call_id", "changes"]);
                let files = files(changes);
                self.call(id, Name::from("apply_patch"), arguments(changes), files, out);
            }
            "patch_apply_end" => self.patch_end(msg, out),
            "mcp_tool_call_begin" => self.mcp_call(msg, out),
            "mcp_tool_call_end" => self.mcp_end(msg, out),
            "web_search_begin" => {
                let [id, query] = msg.pick(["call_id", "query"]);
                let input = Text::filled(query);
                self.call(id, Name::from("web_search"), input, Vec::new(), out);
            }
            "web_search_end" => {
                let [id, query] = msg.pick(["call_id", "query"]);
                if self.end(id).is_none() {
                    out.push(called(id, Name::from("web_search"), Text::filled(query)));
                }
                let output = Text::filled(query);
                out.push(ToolResult { call_id: Name::of(id), output, ..ToolResult::default() });
            }
            "plan_update" => plan(msg.get("plan"), "step", out),
            "token_count" => {
                let (call, total) = totals.token_count(msg, self.model.as_deref());
                if let Some(call) = call {
                    out.push(call);
                }
                if let Some(total) = total {
                    out.push(total);
                }
            }
            "stream_error" => {
                self.message.restart();
                self.thinking.restart();
                out.push(notices::stream_error(msg.get("message")));
            }
            "error" => {
                let message = msg.get("message");
                self.error = Some(message.decode().unwrap_or_default().into_owned());
                out.push(notices::failure(message));
            }
            "task_complete" => self.complete(msg, out),
            _ => {}
        }
    }

    /// A process starts: alone, or behind another one's output.
    fn restart(&mut self, totals: &mut Totals) {
        totals.restart();
        self.message.restart();
        self.thinking.restart();
        self.calls.clear();
        self.error = None;
        self.window = None;
        self.session_id = None;
        self.model = None;
        self.cwd = None;
    }

    /// Says what is known of the session: at its start, and again when the window is stated.
    fn started(&self, out: &mut Batch) {
        out.started(SessionStarted {
            harness: Some(Name::from(HARNESS)),
            model: self.model.as_ref().map(Name::from),
            context_window: self.window,
            cwd: self.cwd.as_ref().map(Name::from),
            session_id: self.session_id.as_ref().map(Name::from),
            ..SessionStarted::default()
        });
    }

    /// A turn that an error ended is reported as complete as well.
    fn complete(&mut self, msg: Value<'_>, out: &mut Batch) {
        let error = self.error.take();
        out.push(SessionEnded {
            status: if error.is_some() { Status::Failed } else { Status::Succeeded },
            summary: Text::of(msg.get("last_agent_message")),
            error: error.map(Text::from),
            ..SessionEnded::default()
        });
    }

    fn call<'a>(
        &mut self,
        id: Value<'a>,
        name: Name<'a>,
        input: Option<Text<'a>>,
        files: Vec<(String, &'static str)>,
        out: &mut Batch,
    ) {
        if self.calls.len() == MOST_CALLS {
            self.calls.remove(0);
        }
        let key = id.decode().unwrap_or_default().into_owned();
        self.calls.push(Call { id: key, files, ..Call::default() });
        out.push(called(id, name, input));
    }

    fn running(&mut self, id: Value<'_>) -> Option<&mut Call> {
        let id = id.str()?;
        self.calls.iter_mut().rfind(|call| id.is(&call.id))
    }

    fn end(&mut self, id: Value<'_>) -> Option<Call> {
        let id = id.str()?;
        let at = self.calls.iter().rposition(|call| id.is(&call.id))?;
        Some(self.calls.remove(at))
    }

    /// A piece of a command's output: base64, or in 0.20 a list of bytes.
    fn output(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, stream, chunk] = msg.pick(["call_id", "stream", "chunk"]);
        let bytes = match chunk.str() {
            Some(chunk) => BASE64_STANDARD.decode(chunk.raw()).ok(),
            None => chunk.elements().map(|byte| byte.text().parse().ok()).collect(),
        };
        let Some(bytes) = bytes.filter(|_| chunk.is_string() || chunk.is_array()) else { return };
        let mut unknown = Call::default();
        let call = self.running(id).unwrap_or(&mut unknown);
        let [stdout, stderr] = &mut call.rest;
        let text = decode(if stream.is("stderr") { stderr } else { stdout }, bytes);
        call.said.push_str(&text);
        if call.said.len() > LONGEST_OUTPUT {
            call.said = String::new();
            call.too_long = true;
        }
        if !text.is_empty() {
            let (text, call_id) = (Some(Text::from(text)), Name::of(id));
            out.push(Delta { of: Of::ToolResult, text, call_id, ..Delta::default() });
        }
    }

    fn command_end(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, stdout, stderr, all, exit_code] =
            msg.pick(["call_id", "stdout", "stderr", "aggregated_output", "exit_code"]);
        let whole = if all.is_string() { Text::of(all) } else { both(stdout, stderr) };
        if let Some(call) = self.end(id).filter(|call| call.too_long || !call.said.is_empty())
            && let Some(whole) = plain(all, stdout, stderr)
            && let Some((text, reset)) = unsaid(&call.said, &whole)
        {
            let (text, call_id, reset) =
                (Some(Text::from(text)), Name::of(id), reset || call.too_long);
            out.push(Delta { of: Of::ToolResult, text, call_id, reset, ..Delta::default() });
        }
        let exit_code = exit_code.i64();
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error: exit_code.is_some_and(|code| code != 0),
            output: whole,
            exit_code: exit_code.filter(|code| *code >= 0),
            ..ToolResult::default()
        });
    }

    fn patch_end(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, stdout, stderr, success] = msg.pick(["call_id", "stdout", "stderr", "success"]);
        let is_error = success.bool() == Some(false);
        let files = self.end(id).map(|call| call.files).filter(|_| !is_error).unwrap_or_default();
        let file = |(path, change): (String, &'static str)| FileChange {
            path: Name::from(path),
            change: Name::from(change),
        };
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error,
            output: both(stdout, stderr),
            files: files.into_iter().map(file).collect(),
            ..ToolResult::default()
        });
    }

    fn mcp_call(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, invocation] = msg.pick(["call_id", "invocation"]);
        let [server, tool, input] = invocation.pick(["server", "tool", "arguments"]);
        self.call(id, mcp_name(server, tool), arguments(input), Vec::new(), out);
    }

    fn mcp_end(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, result] = msg.pick(["call_id", "result"]);
        if self.end(id).is_none() {
            self.mcp_call(msg, out);
            self.end(id);
        }
        let [good, bad] = result.pick(["Ok", "Err"]);
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error: bad.is_some() || good.get("isError").is_true(),
            ..mcp_result(good, bad)
        });
    }
}

/// A text that `proto` shows in pieces before it is whole.
#[derive(Debug, Default)]
struct Streamed {
    pieces: Pieces,
    /// Whether what was said does not count any more.
    again: bool,
}

impl Streamed {
    /// The try failed, or the process ended.
    fn restart(&mut self) {
        if !self.pieces.is_empty() {
            self.pieces.take();
            self.again = true;
        }
    }

    fn piece(&mut self, of: Of, piece: Value<'_>, out: &mut Batch) {
        if let Some(text) = piece.str().and_then(|piece| self.pieces.push(piece)) {
            let reset = std::mem::take(&mut self.again);
            out.push(Delta { of, text: Some(text), reset, ..Delta::default() });
        }
    }

    /// Says what the pieces left unsaid.
    fn whole(&mut self, of: Of, whole: Value<'_>, out: &mut Batch) {
        if self.pieces.is_empty() && !self.again {
            return;
        }
        let said = self.pieces.said();
        self.pieces.take();
        let whole = whole.decode().unwrap_or_default();
        let again = std::mem::take(&mut self.again);
        if let Some((text, reset)) = unsaid(&said, &whole) {
            let reset = reset || again;
            out.push(Delta { of, text: Some(text.into()), reset, ..Delta::default() });
        }
    }
}

fn owned(value: Value<'_>) -> Option<String> {
    value.decode().filter(|text| !text.is_empty()).map(std::borrow::Cow::into_owned)
}

fn called<'a>(id: Value<'a>, name: Name<'a>, input: Option<Text<'a>>) -> ToolCall<'a> {
    ToolCall { call_id: Name::of(id), name: Some(name), input, ..ToolCall::default() }
}

/// Both output streams, where they are not printed as one.
fn both<'a>(stdout: Value<'a>, stderr: Value<'a>) -> Option<Text<'a>> {
    match (Text::filled(stdout), Text::filled(stderr)) {
        (Some(_), Some(_)) => plain(Value::MISSING, stdout, stderr).map(Text::from),
        (None, None) => words(stdout),
        (one, other) => one.or(other),
    }
}

fn plain(all: Value<'_>, stdout: Value<'_>, stderr: Value<'_>) -> Option<String> {
    if let Some(all) = all.decode() {
        return Some(all.into_owned());
    }
    let texts = [stdout, stderr].map(|text| text.decode().unwrap_or_default());
    stdout.is_string().then(|| texts.concat())
}

/// Bytes as text. The first bytes of a character wait in `rest` for the next piece.
fn decode(rest: &mut Vec<u8>, mut bytes: Vec<u8>) -> String {
    if !rest.is_empty() {
        rest.append(&mut bytes);
        std::mem::swap(rest, &mut bytes);
        rest.clear();
    }
    let cut = (1..=bytes.len().min(3)).map(|back| bytes.len() - back).find(|cut| {
        let tail = bytes.get(*cut..).map(std::str::from_utf8);
        matches!(tail, Some(Err(e)) if e.valid_up_to() == 0 && e.error_len().is_none())
    });
    if let Some(cut) = cut {
        *rest = bytes.split_off(cut);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// `{"/srv/app/a.py":{"update":{"unified_diff":…,"move_path":null}}}`.
fn files(changes: Value<'_>) -> Vec<(String, &'static str)> {
    let change = |change: Value<'_>| {
        let [add, update, delete] = change.pick(["add", "update", "delete"]);
        match (add.exists(), delete.exists(), update.get("move_path").is_some()) {
            (true, ..) => "add",
            (_, true, _) => "delete",
            (.., true) => "rename",
            _ => "update",
        }
    };
    changes.members().map(|(path, how)| (path.decode().into_owned(), change(how))).collect()
}
