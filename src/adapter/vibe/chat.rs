//! Vibe 2: chat messages, the system prompt first. A resumed session prints its old lines again and
//! nothing tells them apart.
//!
//! Results are text. Two forms around it are the program's own: `<tool_error>…</tool_error>`, and
//! `<user_cancellation>…</user_cancellation>` (2.9.0 interrupted-tool); `bash` frames what the
//! command printed (2.9.0 shell):
//!
//! ```text
//! command: python3 hello.py
//! stdout: hello demo
//!
//! stderr:
//! returncode: 0
//! ```

use crate::adapter::chat::{PlanTool, calls, said};
use crate::adapter::content;
use crate::adapter::vibe::tools::TOOLS;
use crate::adapter::written::Writing;
use crate::format::batch::Batch;
use crate::format::event::{Message, Thinking, ToolResult};
use crate::format::write::{Name, Text};
use crate::json::{Str, Value};

const PLAN_TOOLS: &[PlanTool] = &[PlanTool { name: "todo", text: "content" }];

pub(super) fn read(role: Value<'_>, line: Value<'_>, writing: &mut Writing, out: &mut Batch) {
    let [text, injected, message_id] = line.pick(["content", "injected", "message_id"]);
    let [reasoning, reasoning_id] = line.pick(["reasoning_content", "reasoning_message_id"]);
    if role.is("tool") {
        return result(line, text, writing, out);
    }
    if let Some(text) = Text::filled(reasoning) {
        out.message_id(Name::of(reasoning_id));
        out.push(Thinking { text: Some(text), ..Thinking::default() });
    }
    out.message_id(Name::of(message_id));
    if let Some(said) = said(text) {
        out.push(Message {
            role: Name::of(role),
            text: said.text,
            attachments: said.attachments,
            synthetic: injected.is_true(),
            ..Message::default()
        });
    }
    calls(line.get("tool_calls"), TOOLS, PLAN_TOOLS, writing, out);
}

fn result(line: Value<'_>, text: Value<'_>, writing: &mut Writing, out: &mut Batch) {
    let [call_id, name] = line.pick(["tool_call_id", "name"]);
    let words = text.str().unwrap_or_default();
    let cancelled = wrapped(words, "<user_cancellation>", "</user_cancellation>");
    let output = content::content(text);
    let is_error = cancelled || wrapped(words, "<tool_error>", "</tool_error>");
    out.push(ToolResult {
        call_id: Name::of(call_id),
        is_error,
        files: writing.result(call_id, !is_error),
        exit_code: if name.is("bash") { exit_code(words) } else { None },
        status: cancelled.then(|| "cancelled".into()),
        output: output.text,
        attachments: output.attachments,
        ..ToolResult::default()
    });
}

fn wrapped(text: Str<'_>, open: &str, close: &str) -> bool {
    text.raw().starts_with(open) && text.raw().ends_with(close)
}

/// The last line of the frame; what the command printed stands before it.
fn exit_code(text: Str<'_>) -> Option<i64> {
    let framed = text.raw().strip_prefix("command: ")?;
    let (_, code) = framed.rsplit_once("\\nreturncode: ")?;
    content::exit_code(code.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    #[test]
    fn the_exit_code_is_the_frame_s_last_line() {
        let cases = [
            (r#""command: x\nstdout: \nstderr: \nreturncode: 2""#, Some(2)),
            (r#""command: x\nstdout: a\nreturncode: 7\nstderr: \nreturncode: 0""#, Some(0)),
            (r#""command: x\nstdout: returncode: 7""#, None),
            (r#""stdout: \nreturncode: 0""#, None),
            (r#""command: x\nstdout: \nstderr: \nreturncode: -15""#, None),
        ];
        let mut doc = Doc::default();
        for (json, want) in cases {
            let text = doc.parse(json).unwrap().str().unwrap();
            assert_eq!(exit_code(text), want, "{json}");
        }
    }
}
