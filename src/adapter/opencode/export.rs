//! What `opencode export` prints of a session (`kilo export` alike), and the files that 1.0 keeps.
//!
//! ```json
//! {"info":{"id":"ses_…","title":"…","directory":"/w","version":"1.18.33","model":{"id":"m"},"cost":0.0023,"tokens":{…}},
//!  "messages":[{"info":{"id":"msg_…","role":"assistant","modelID":"m",…},"parts":[{"type":"text","text":"…"},…]},…]}
//! ```
//!
//! An export is one indented document. 1.0 keeps each `info` and each part in a file of its own, below
//! `storage/session`, `storage/message` and `storage/part`; a part does not say whose it is, but an
//! assistant's text has a `time` and a user's has none (each of the files 1.0.185).
//!
//! The session's `tokens` are the sum of the steps, a message's are those of its steps, and a
//! subagent's session is one of its own. Nothing is an end.

use super::{Adapter, error, message, say, start, thinking, tool, usage};
use crate::adapter::embedded;
use crate::adapter::model::windowed;
use crate::format::batch::Batch;
use crate::format::event::{Message, SessionStarted, SessionTitle, SessionUsage, Since};
use crate::format::write::Name;
use crate::json::Value;

/// Tells whether the record is an exported session.
pub(super) fn is_export(record: Value<'_>) -> bool {
    let [info, messages] = record.pick(["info", "messages"]);
    let first = messages.elements().next();
    is_session(info)
        && messages.is_array()
        && first.is_none_or(|first| first.get("info").is_object() && first.get("parts").is_array())
}

/// Tells whether it is what is known of a session.
pub(super) fn is_session(info: Value<'_>) -> bool {
    let [id, directory, title] = info.pick(["id", "directory", "title"]);
    begins(id, "ses_") && directory.is_string() && title.is_string()
}

/// Tells whether it is what is known of a message.
pub(super) fn is_message(info: Value<'_>) -> bool {
    let [id, session, role] = info.pick(["id", "sessionID", "role"]);
    begins(id, "msg_") && begins(session, "ses_") && role.is_string()
}

/// Tells whether it is a part in a file of its own.
pub(super) fn is_part(part: Value<'_>) -> bool {
    let [id, session, message, kind] = part.pick(["id", "sessionID", "messageID", "type"]);
    begins(id, "prt_") && begins(session, "ses_") && message.is_string() && kind.is_string()
}

fn begins(value: Value<'_>, with: &str) -> bool {
    value.str().is_some_and(|id| id.raw().starts_with(with))
}

impl Adapter {
    pub(super) fn export(&mut self, record: Value<'_>, out: &mut Batch) {
        let [info, messages] = record.pick(["info", "messages"]);
        self.known(info, out);
        let mut apart = false;
        for entry in messages.elements() {
            let [info, parts] = entry.pick(["info", "parts"]);
            if !parts.is_array() {
                out.raw(entry);
                continue;
            }
            let [id, role, model] = info.pick(["id", "role", "modelID"]);
            out.message_id(Name::filled(id));
            for part in parts.elements() {
                let before = out.mark();
                read(part, role, model, out);
                apart |= part.get("tokens").get("total").exists();
                if out.mark() == before {
                    out.raw(part);
                }
            }
            if info.get("error").is_object() {
                error(info.get("error"), out);
            }
        }
        out.message_id(None);
        let [tokens, cost] = info.pick(["tokens", "cost"]);
        if tokens.is_object() {
            let total: SessionUsage<'_> = super::tokens(tokens, apart).into();
            out.push(SessionUsage {
                cost_usd: cost.f64(),
                cumulative: Some(Since::Session),
                ..total
            });
        }
    }

    /// What is known of a session.
    pub(super) fn known(&mut self, info: Value<'_>, out: &mut Batch) {
        let [id, title, cwd, version, model, time] =
            info.pick(["id", "title", "directory", "version", "model", "time"]);
        out.time(time.get("created"));
        self.kept = true;
        self.session = id.owned();
        out.push(windowed(SessionStarted {
            model: Name::filled(model.get("id")),
            cwd: Name::filled(cwd),
            version: Name::filled(version),
            ..start(Name::filled(id))
        }));
        if let Some(title) = Name::filled(title) {
            out.push(SessionTitle { title: Some(title) });
        }
    }

    /// What is known of a message, in a file of its own.
    pub(super) fn message(&mut self, info: Value<'_>, out: &mut Batch) {
        let [id, time, failure] = info.pick(["id", "time", "error"]);
        out.time(time.get("created"));
        out.message_id(Name::filled(id));
        self.kept = true;
        if failure.is_object() {
            error(failure, out);
        }
    }

    /// A part in a file of its own.
    pub(super) fn part(&mut self, part: Value<'_>, out: &mut Batch) {
        let [time, state, kind] = part.pick(["time", "state", "type"]);
        let state = state.get("time");
        out.time(if time.is_object() { time } else { state }.get("start"));
        self.kept = true;
        if kind.is("text") && !time.exists() {
            say("user", part, out);
        } else {
            read(part, Value::MISSING, Value::MISSING, out);
        }
    }
}

/// Reads a part of a message. What pushes nothing is to become `raw`.
fn read<'a>(part: Value<'a>, role: Value<'a>, model: Value<'a>, out: &mut Batch) {
    if part.get("ignored").is_true() {
        return;
    }
    match part.get("type").decode().as_deref() {
        Some("text") if role.is("user") => say("user", part, out),
        Some("text") => message(part, out),
        Some("reasoning") => thinking(part, out),
        Some("tool") => tool(part, true, out),
        Some("file") => file(part, role, out),
        Some("step-finish") => usage(part, Name::filled(model), out),
        _ => {}
    }
}

/// A file that a message carries: where its address holds the data, it is an attachment.
fn file(part: Value<'_>, role: Value<'_>, out: &mut Batch) {
    let Some((attachment, line)) = embedded::attachment(part) else { return };
    let role = Name::filled(role).or_else(|| Some("user".into()));
    let attachments = vec![attachment];
    out.push(Message { role, text: Some(line.into()), attachments, ..Message::default() });
}
