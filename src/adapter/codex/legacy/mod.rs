//! The legacy form, `{"id":"0","msg":{"type":…}}`, and its header.
//!
//! The id is the turn's and says nothing. Calls have their own ids. `exec` prints no end; `proto`
//! prints deltas and `task_complete`.

mod calls;

use self::calls::Calls;
use super::notices;
use super::usage::Totals;
use super::words::{HARNESS, unsaid};
use crate::adapter::content::plan;
use crate::adapter::model::windowed;
use crate::adapter::pieces::Pieces;
use crate::format::batch::Batch;
use crate::format::event::{Delta, Message, Of, SessionEnded, SessionStarted, Status, Thinking};
use crate::format::write::{Name, Text};
use crate::json::Value;

#[derive(Debug, Default)]
pub(super) struct Legacy {
    session_id: Option<String>,
    model: Option<String>,
    cwd: Option<String>,
    window: Option<u64>,
    message: Streamed,
    thinking: Streamed,
    calls: Calls,
    /// The error behind which no work came.
    error: Option<String>,
}

impl Legacy {
    /// The line that opens the stream of `exec`.
    pub(super) fn header(&mut self, header: Value<'_>, totals: &mut Totals, out: &mut Batch) {
        self.restart(totals);
        let [model, cwd] = header.pick(["model", "workdir"]).map(Value::filled);
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
                let [id, model] = msg.pick(["session_id", "model"]).map(Value::filled);
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
                self.calls.command(msg, out);
            }
            "exec_command_output_delta" => self.calls.output(msg, out),
            "exec_command_end" => self.calls.command_end(msg, out),
            "patch_apply_begin" => self.calls.patch(msg, out),
            "patch_apply_end" => self.calls.patch_end(msg, out),
            "mcp_tool_call_begin" => self.calls.mcp(msg, out),
            "mcp_tool_call_end" => self.calls.mcp_end(msg, out),
            "web_search_begin" => self.calls.web_search(msg, out),
            "web_search_end" => self.calls.web_search_end(msg, out),
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
                self.error = Some(message.owned().unwrap_or_default());
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
        self.calls = Calls::default();
        self.error = None;
        self.window = None;
        self.session_id = None;
        self.model = None;
        self.cwd = None;
    }

    /// Says what is known of the session: at its start, and again when the window is stated.
    fn started(&self, out: &mut Batch) {
        out.push(windowed(SessionStarted {
            harness: Some(Name::from(HARNESS)),
            model: self.model.as_ref().map(Name::from),
            context_window: self.window,
            cwd: self.cwd.as_ref().map(Name::from),
            session_id: self.session_id.as_ref().map(Name::from),
            ..SessionStarted::default()
        }));
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
        let (said, full) = (self.pieces.said(), self.pieces.is_full());
        self.pieces.take();
        let whole = whole.decode().unwrap_or_default();
        // What is no longer known to have been said is said again.
        let again = std::mem::take(&mut self.again) || full;
        let said = if full { "" } else { &said };
        if let Some((text, reset)) = unsaid(said, &whole) {
            let reset = reset || again;
            out.push(Delta { of, text: Some(text.into()), reset, ..Delta::default() });
        }
    }
}
