//! Session files: `~/.factory/sessions/<folder>/<id>.jsonl`.
//!
//! ```json
//! {"type":"session_start","id":"s1","title":"Run hello.py.","owner":"dev","version":2,"cwd":"/w","hostId":"h1"}
//! {"type":"message","id":"context-1","timestamp":"…","message":{"role":"user","content":[…],"visibility":"llm_only"}}
//! {"type":"message","id":"m3","parentId":"m2","timestamp":"…","message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Execute","input":{…}}],"modelId":"custom:Demo-0"}}
//! {"type":"agent_turn_outcome","turnId":"m2","reason":"completed","resultKind":"text"}
//! ```
//!
//! The contents are Anthropic's. What only the model sees (`context-…`) is nobody's word; what only the
//! user sees is the harness's own: an error (the file 0.225 late). The model is named by the first
//! answer. `<id>.settings.json` beside the file states what the session consumed, and the model:
//!
//! ```json
//! {"model":"custom:Demo-0","tokenUsage":{"inputTokens":700,…},"inclusiveTokenUsage":{"inputTokens":700,…}}
//! ```
//!
//! Its input is net of the cache; the inclusive counts contain the subagents. 0.81 writes the session's name as `sessionTitle` beside
//! the `title`, which is the first prompt.

use super::tools::TOOLS;
use super::{Adapter, Returned};
use crate::adapter::chat::said;
use crate::adapter::model::windowed;
use crate::adapter::outcome::says_failed;
use crate::adapter::recent::Id;
use crate::format::batch::Batch;
use crate::format::event::{
    Code, Level, Message, Notice, SessionEnded, SessionStarted, SessionTitle, SessionUsage, Since,
    Status, Thinking,
};
use crate::format::tokens::Tokens;
use crate::format::write::{Name, Text};
use crate::json::Value;

/// Tells whether the record opens a file.
pub(super) fn is_start(record: Value<'_>) -> bool {
    let [id, cwd, host, owner, version] = record.pick(["id", "cwd", "hostId", "owner", "version"]);
    id.is_string()
        && cwd.is_string()
        && (host.is_string() || owner.is_string() && version.number().is_some())
}

/// Tells whether the record has the form of a file's messages, which is pi's, too.
pub(super) fn is_message(record: Value<'_>) -> bool {
    let [id, time, message] = record.pick(["id", "timestamp", "message"]);
    let [role, content, own_time] = message.pick(["role", "content", "timestamp"]);
    id.is_string()
        && time.is_string()
        && role.is_string()
        && content.exists()
        && own_time.number().is_none()
}

/// Makes of a file's name that of the file beside it.
pub(super) fn beside(name: &str) -> Option<String> {
    name.strip_suffix(".jsonl").map(|id| format!("{id}.settings.json"))
}

/// What the file beside a session's file says.
#[derive(Debug, Default)]
pub(super) struct Settings {
    model: Option<String>,
    total: Option<Tokens>,
    /// The stream is a session's file.
    kept: bool,
}

impl Settings {
    pub(super) fn read(file: Value<'_>) -> Self {
        let [model, own, inclusive] = file.pick(["model", "tokenUsage", "inclusiveTokenUsage"]);
        let counts = if inclusive.is_object() { inclusive } else { own };
        let [input, output, cache_read, cache_creation, reasoning] = counts
            .pick([
                "inputTokens",
                "outputTokens",
                "cacheReadTokens",
                "cacheCreationTokens",
                "thinkingTokens",
            ])
            .map(Value::count);
        let reasoning = reasoning.filter(|count| *count > 0);
        let tokens = Tokens { input, output, cache_read, cache_creation, reasoning };
        Self { model: model.filled(), total: counts.is_object().then_some(tokens), kept: false }
    }

    /// Whether the total is still to be told, for which the stream must end.
    pub(super) fn is_due(&self) -> bool {
        self.kept && self.total.is_some()
    }

    pub(super) fn total(&mut self) -> Option<SessionUsage<'static>> {
        let tokens = self.total.take().filter(|_| self.kept)?;
        Some(SessionUsage { cumulative: Some(Since::Session), ..tokens.into() })
    }
}

impl Adapter {
    /// The first line, which is written again when the session gets a name.
    pub(super) fn open(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, cwd, name, title] = record.pick(["id", "cwd", "sessionTitle", "title"]);
        let settings = std::mem::take(&mut self.settings);
        let settings = Settings { kept: true, ..settings };
        let spent = std::mem::take(&mut self.spent);
        *self = Self { spent, model: settings.model.clone(), settings, ..Self::default() };
        self.session = id.owned();
        self.cwd = cwd.owned();
        out.push(windowed(SessionStarted {
            harness: Some("droid".into()),
            model: self.model.as_ref().map(Name::from),
            cwd: Name::filled(cwd),
            session_id: Name::filled(id),
            ..SessionStarted::default()
        }));
        let title = Name::filled(name).or_else(|| Name::filled(title));
        if title.is_some() {
            out.push(SessionTitle { title });
        }
    }

    pub(super) fn entry(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, message] = record.pick(["id", "message"]);
        let [role, content, visibility, model] =
            message.pick(["role", "content", "visibility", "modelId"]);
        if id.str().is_some_and(|id| id.raw().starts_with("context-")) {
            return;
        }
        if role.is("assistant") {
            self.answers(model, out);
        }
        out.message_id(Name::filled(id));
        if visibility.is("user_only") && role.is("user") {
            let Some(text) = said(content).and_then(|content| content.text) else { return };
            self.error = content.elements().find_map(|block| block.get("text").filled());
            out.push(Notice {
                level: Level::Error,
                code: Code::Error,
                message: Some(text),
                ..Notice::default()
            });
            return;
        }
        let synthetic = visibility.is("llm_only");
        let parts = content.elements().any(|block| {
            ["tool_use", "tool_result", "thinking", "redacted_thinking"]
                .iter()
                .any(|kind| block.get("type").is(kind))
        });
        if parts {
            for block in content.elements() {
                self.part(role, block, synthetic, out);
            }
        } else {
            say(role, content, synthetic, out);
        }
    }

    fn part(&mut self, role: Value<'_>, block: Value<'_>, synthetic: bool, out: &mut Batch) {
        let [kind, id, name, input] = block.pick(["type", "id", "name", "input"]);
        match kind.decode().as_deref() {
            Some("tool_use") => {
                let own = TOOLS.acts.iter().find(|(tool, ..)| name.is(tool));
                if let Some((call, (tool, ..))) = Id::of(id).zip(own) {
                    self.open.add(call, tool);
                }
                self.begin(id, name, name, input, out);
            }
            Some("tool_result") => {
                let [call, failed, said] = block.pick(["tool_use_id", "is_error", "content"]);
                let tool = Id::of(call).and_then(|call| self.open.take(call)).unwrap_or_default();
                let is_error = failed.is_true();
                self.returned(&Returned { id: call, tool, is_error, said }, out);
            }
            Some("thinking") => {
                if let Some(text) = Text::filled(block.get("thinking")) {
                    out.push(Thinking { text: Some(text), ..Thinking::default() });
                }
            }
            Some("redacted_thinking") => {
                out.push(Thinking { redacted: true, ..Thinking::default() });
            }
            Some("text") => say(role, block.get("text"), synthetic, out),
            _ => out.raw(block),
        }
    }

    /// The first answer names the model; another one is a change.
    fn answers(&mut self, model: Value<'_>, out: &mut Batch) {
        let Some(name) = model.filled() else { return };
        match self.model.replace(name) {
            None => out.before(windowed(SessionStarted {
                harness: Some("droid".into()),
                model: Name::of(model),
                cwd: self.cwd.as_ref().map(Name::from),
                session_id: self.session.as_ref().map(Name::from),
                ..SessionStarted::default()
            })),
            Some(from) if !model.is(&from) => out.push(Notice {
                code: Code::ModelChanged,
                from: Some(from.into()),
                to: Name::of(model),
                ..Notice::default()
            }),
            Some(_) => {}
        }
    }

    pub(super) fn outcome(&mut self, record: Value<'_>, out: &mut Batch) {
        let reason = record.get("reason");
        let failed = says_failed(record) || !reason.is("completed");
        let error = self.error.take().filter(|_| failed);
        out.push(SessionEnded {
            status: if failed { Status::Failed } else { Status::Succeeded },
            reason: Name::filled(reason).filter(|_| failed),
            error: error.map(Text::from),
            ..SessionEnded::default()
        });
    }
}

fn say(role: Value<'_>, content: Value<'_>, synthetic: bool, out: &mut Batch) {
    if let Some(content) = said(content) {
        out.push(Message {
            role: Name::of(role),
            text: content.text,
            synthetic,
            attachments: content.attachments,
            ..Message::default()
        });
    }
}

pub(super) fn compacted(out: &mut Batch) {
    out.push(Notice { code: Code::Compacted, ..Notice::default() });
}
