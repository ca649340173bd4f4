//! Mistral Vibe, `--output streaming`: 3.x (recorded 3.0.2) prints finished history entries, 2.x
//! (recorded 2.9.0) chat messages with every field present. 2.26 already prints entries, without
//! `outcome`.
//!
//! ```json
//! {"id":"assistant-…","sessionId":"…","turnId":"…","createdAt":1796039838573,"updatedAt":1796039838573,"generationStatus":"completed","type":"message","role":"assistant","content":[{"type":"text","text":"…"}],"outcome":{"type":"committed"}}
//! {"role": "assistant", "content": null, "injected": false, "reasoning_content": null, …, "tool_calls": [{"id": "c1", "function": {"name": "bash", "arguments": "{…}"}}], "message_id": "…"}
//! ```
//!
//! Version 3's files are a store below `.vibe/logs/session/unified/<id>` whose `chunks/*.json` are arrays
//! of these entries, with the tools' own arguments and results in them, and of the same conversation as
//! the model gets it, which stays `raw`.
//!
//! Usage: neither form prints any. Neither has an end record; errors and the turn limit are on
//! standard error.

mod chat;
mod entry;
mod tools;

use super::written::Writing;
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::Batch;
use crate::format::event::{SessionStarted, SessionTitle};
use crate::format::write::Name;
use crate::json::Value;

pub(super) const DIALECT: Dialect = Dialect {
    name: "vibe",
    summary: "Mistral Vibe, streaming output",
    recorded: "3.0, 2.9",
    carries: Carries { session_id: true, ..Dialect::BASE.carries },
    detect,
    session: &["sessionId"],
    tools: tools::TOOLS,
    beside,
    commands: &["vibe", "mistral-vibe"],
    flags: &[Flags { behind: None, unless: &["--output"], add: &["--output", "streaming"] }],
    // The chunks of its files are arrays.
    arrays: true,
    // `{message,source,turn_index}` is the conversation as the model gets it.
    left_raw: &["(text)", "{message,source,turn_index}"],
    named_by: &["type", "role"],
    ..Dialect::BASE
};

fn detect(record: Value<'_>) -> Match {
    let [session, status, role, injected, reasoning] =
        record.pick(["sessionId", "generationStatus", "role", "injected", "reasoning_content"]);
    let entry = session.is_string() && status.is_string();
    let chat = role.is_string() && injected.exists() && reasoning.exists();
    if entry || chat { Match::Own } else { Match::No }
}

/// The file that says more of the session whose chunk has that name.
fn beside(name: &str) -> Option<String> {
    let hash = name.strip_suffix(".json")?;
    let chunk = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    chunk.then(|| "../meta.json".to_owned())
}

/// What the file beside a chunk says.
#[derive(Debug, Default)]
struct Known {
    model: Option<String>,
    cwd: Option<String>,
    title: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    started: bool,
    known: Known,
    session: String,
    writing: Writing,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [session, role, kind] = record.pick(["sessionId", "role", "type"]);
        if session.is_string() && kind.is_string() {
            self.start(session, out);
            entry::read(kind, record, out);
        } else if role.is_string() && !kind.exists() {
            out.message_id(Name::of(record.get("message_id")));
            self.start(Value::MISSING, out);
            chat::read(role, record, &mut self.writing, out);
        }
    }

    fn beside(&mut self, _name: &str, beside: Value<'_>) {
        let [config, environment, title] = beside.pick(["config", "environment", "title"]);
        self.known = Known {
            model: config.get("model_name").owned(),
            cwd: environment.get("working_directory").owned(),
            title: title.owned(),
        };
    }

    fn has_end(&self) -> bool {
        false
    }
}

impl Adapter {
    /// Says that a session began, once for each id.
    fn start(&mut self, session: Value<'_>, out: &mut Batch) {
        let known = session.is(&self.session) || !session.is_string();
        if self.started && known {
            return;
        }
        self.started = true;
        self.session = session.owned().unwrap_or_default();
        out.before(windowed(SessionStarted {
            harness: Some("vibe".into()),
            model: self.known.model.as_ref().map(Name::from),
            cwd: self.known.cwd.as_ref().map(Name::from),
            session_id: Name::of(session),
            ..SessionStarted::default()
        }));
        if let Some(title) = &self.known.title {
            out.before(SessionTitle { title: Some(Name::from(title)) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    #[test]
    fn entries_and_full_chat_lines_are_taken() {
        let cases = [
            (r#"{"sessionId":"s","generationStatus":"completed","type":"callback"}"#, Match::Own),
            (
                r#"{"role":"user","content":"x","injected":true,"reasoning_content":null}"#,
                Match::Own,
            ),
            (r#"{"sessionId":"s","type":"message","role":"user"}"#, Match::No),
            (r#"{"role":"user","content":"x"}"#, Match::No),
        ];
        let mut doc = Doc::default();
        for (line, want) in cases {
            assert_eq!(detect(doc.parse(line).unwrap()), want, "{line}");
        }
    }
}
