//! Tool calls: a line at the start, one at the end, and those between that show a command's output.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::adapter::codex::files::{self, Files};
use crate::adapter::codex::items::{mcp_name, mcp_result};
use crate::adapter::codex::tools::{CHANGES, TOOLS};
use crate::adapter::codex::words::{unsaid, words};
use crate::adapter::content::{self, arguments};
use crate::adapter::tool;
use crate::format::batch::Batch;
use crate::format::event::{Delta, Of, ToolCall, ToolResult};
use crate::format::write::{Name, Text};
use crate::json::Value;
use crate::limits::{MAX_CODEX_CALLS, MAX_CODEX_OUTPUT};

#[derive(Debug, Default)]
pub(super) struct Calls {
    running: Vec<Call>,
}

/// A call that runs.
#[derive(Debug, Default)]
struct Call {
    id: String,
    /// What a patch changes; its end does not say it again.
    files: Files,
    /// The output that was shown, while it is not too long to be remembered.
    said: String,
    too_long: bool,
    /// The first bytes of a character whose rest comes with the next piece, for each stream.
    rest: [Vec<u8>; 2],
}

impl Calls {
    fn begin(&mut self, id: Value<'_>, call: ToolCall<'_>, files: Files, out: &mut Batch) {
        if self.running.len() == MAX_CODEX_CALLS {
            self.running.remove(0);
        }
        let key = id.owned().unwrap_or_default();
        self.running.push(Call { id: key, files, ..Call::default() });
        out.push(call);
    }

    fn get(&mut self, id: Value<'_>) -> Option<&mut Call> {
        let id = id.str()?;
        self.running.iter_mut().rfind(|call| id.is(&call.id))
    }

    fn end(&mut self, id: Value<'_>) -> Option<Call> {
        let id = id.str()?;
        let at = self.running.iter().rposition(|call| id.is(&call.id))?;
        Some(self.running.remove(at))
    }

    pub(super) fn command(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, command] = msg.pick(["call_id", "command"]);
        let does = tool::does(TOOLS, "shell", command);
        let call = called(id, Name::from("shell"), arguments(command), does);
        self.begin(id, call, Files::new(), out);
    }

    /// A piece of a command's output: base64, or in 0.20 a list of bytes.
    pub(super) fn output(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, stream, chunk] = msg.pick(["call_id", "stream", "chunk"]);
        let bytes = match chunk.str() {
            Some(chunk) => BASE64_STANDARD.decode(chunk.raw()).ok(),
            None => chunk.elements().map(|byte| byte.text().parse().ok()).collect(),
        };
        let Some(bytes) = bytes.filter(|_| chunk.is_string() || chunk.is_array()) else { return };
        let mut unknown = Call::default();
        let call = self.get(id).unwrap_or(&mut unknown);
        let [stdout, stderr] = &mut call.rest;
        let text = decode(if stream.is("stderr") { stderr } else { stdout }, bytes);
        call.said.push_str(&text);
        if call.said.len() > MAX_CODEX_OUTPUT {
            call.said = String::new();
            call.too_long = true;
        }
        if !text.is_empty() {
            let (text, call_id) = (Some(Text::from(text)), Name::of(id));
            out.push(Delta { of: Of::ToolResult, text, call_id, ..Delta::default() });
        }
    }

    pub(super) fn command_end(&mut self, msg: Value<'_>, out: &mut Batch) {
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
            exit_code: content::exit_code(exit_code),
            ..ToolResult::default()
        });
    }

    pub(super) fn patch(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, changes] = msg.pick(["call_id", "changes"]);
        let does = tool::does(CHANGES, "apply_patch", changes);
        let call = called(id, Name::from("apply_patch"), arguments(changes), does);
        self.begin(id, call, files::changes(changes), out);
    }

    pub(super) fn patch_end(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, stdout, stderr, success] = msg.pick(["call_id", "stdout", "stderr", "success"]);
        let is_error = success.bool() == Some(false);
        let files = self.end(id).map(|call| call.files).filter(|_| !is_error).unwrap_or_default();
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error,
            output: both(stdout, stderr),
            files: files::changed(files),
            ..ToolResult::default()
        });
    }

    pub(super) fn mcp(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, invocation] = msg.pick(["call_id", "invocation"]);
        let [server, tool, input] = invocation.pick(["server", "tool", "arguments"]);
        let call = called(id, mcp_name(server, tool), arguments(input), ToolCall::default());
        self.begin(id, call, Files::new(), out);
    }

    pub(super) fn mcp_end(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, result] = msg.pick(["call_id", "result"]);
        if self.end(id).is_none() {
            self.mcp(msg, out);
            self.end(id);
        }
        let [good, bad] = result.pick(["Ok", "Err"]);
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error: bad.is_some() || good.get("isError").is_true(),
            ..mcp_result(good, bad)
        });
    }

    pub(super) fn web_search(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, query] = msg.pick(["call_id", "query"]);
        self.begin(id, searched(id, query), Files::new(), out);
    }

    pub(super) fn web_search_end(&mut self, msg: Value<'_>, out: &mut Batch) {
        let [id, query] = msg.pick(["call_id", "query"]);
        if self.end(id).is_none() {
            out.push(searched(id, query));
        }
        let output = Text::filled(query);
        out.push(ToolResult { call_id: Name::of(id), output, ..ToolResult::default() });
    }
}

fn called<'a>(
    id: Value<'a>,
    name: Name<'a>,
    input: Option<Text<'a>>,
    does: ToolCall<'a>,
) -> ToolCall<'a> {
    ToolCall { call_id: Name::of(id), name: Some(name), input, ..does }
}

fn searched<'a>(id: Value<'a>, query: Value<'a>) -> ToolCall<'a> {
    let does = tool::does(TOOLS, "web_search", query);
    called(id, Name::from("web_search"), Text::filled(query), does)
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
