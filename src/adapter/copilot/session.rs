//! What only session files hold (`~/.copilot/session-state/<id>/events.jsonl`): the printed events, less
//! the pieces and what passes, and these.
//!
//! ```json
//! {"type":"session.start","data":{"sessionId":"s1","copilotVersion":"1.0.102","selectedModel":"m","context":{"cwd":"/w"}},"id":"e1",…}
//! {"type":"session.usage_record","data":{"usage":{"model":"m","inputTokens":1200,"outputTokens":50,"cacheReadTokens":1000,…}},…}
//! {"type":"permission.completed","data":{"toolCallId":"c1","result":{"kind":"denied-…"}},…}
//! {"type":"session.shutdown","data":{"shutdownType":"routine","modelMetrics":{"m":{"usage":{…}}}},…}
//! ```
//!
//! Nothing in a file is `ephemeral`: the first such event tells that the stream was printed, where only
//! `result` is an end. SIGINT and SIGKILL leave a file without an end (the files 1.0.102 interrupted
//! and killed). The shutdown's total counts over resumes, and it contains the subagents.

use super::{Adapter, Start, usage};
use crate::adapter::model::windowed;
use crate::adapter::outcome::says_failed;
use crate::format::batch::Batch;
use crate::format::event::{Code, Level, Notice, SessionEnded, SessionStarted, Status};
use crate::format::write::{Name, Text};
use crate::json::Value;

impl Adapter {
    /// Another process goes on with the session.
    pub(super) fn resume(&mut self, data: Value<'_>, out: &mut Batch) {
        let [id, model, context] = data.pick(["sessionId", "selectedModel", "context"]);
        if let Some(model) = model.filled() {
            self.model = Some(model);
        }
        if let Some(id) = id.filled() {
            self.session = Some(id);
        }
        let named = self.session.is_some();
        self.start = if named { Start::Identified } else { Start::Announced };
        self.counted = false;
        out.push(windowed(SessionStarted {
            harness: Some("copilot".into()),
            model: self.model.as_ref().map(Name::from),
            cwd: Name::filled(context.get("cwd")),
            session_id: self.session.as_ref().map(Name::from),
            ..SessionStarted::default()
        }));
    }

    /// Takes what a model call consumed.
    pub(super) fn consumed(&mut self, agent: Value<'_>, usage: Value<'_>, out: &mut Batch) {
        if let Some((call, message)) = self.usage.record(agent, usage) {
            self.announce(out);
            if let Some(id) = message {
                out.message_id(Some(id.into()));
            }
            out.push(call);
        }
    }

    /// A call was allowed or not.
    pub(super) fn permission(&mut self, data: Value<'_>, out: &mut Batch) {
        let [call, result] = data.pick(["toolCallId", "result"]);
        let kind = result.get("kind");
        if kind.str().is_some_and(|kind| kind.raw().starts_with("denied")) {
            self.announce(out);
            out.push(Notice {
                level: Level::Warning,
                code: Code::PermissionDenied,
                message: Text::of(kind),
                call_id: Name::of(call),
                ..Notice::default()
            });
        }
    }

    /// The process ends.
    pub(super) fn shutdown(&mut self, data: Value<'_>, out: &mut Batch) {
        self.announce(out);
        if let Some(total) = usage::total(data) {
            self.counted = true;
            out.push(self.spent.state(total));
        }
        if self.printed {
            return;
        }
        let failure = self.failure.take();
        let aborted = self.aborted.take();
        let failed = failure.is_some() || aborted.is_some() || says_failed(data);
        let (kind, message) = failure.map_or((None, None), |f| (f.kind, f.message));
        out.push(SessionEnded {
            status: if failed { Status::Failed } else { Status::Succeeded },
            reason: aborted.filter(|reason| !reason.is_empty()).or(kind).map(Name::from),
            error: message.map(Text::from),
            ..SessionEnded::default()
        });
    }
}
