//! The session files of cline 3 (recorded 3.0.65), both one document that is written anew each time:
//! `<id>.messages.json`, the conversation, and `<id>.json` beside it, how it stands.
//!
//! ```json
//! {"version":1,"agent":"lead","sessionId":"…","messages":[{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"editor","input":{…}}],"ts":1767225602644,"modelInfo":{"id":"mock-1"},"metrics":{"inputTokens":1200,"outputTokens":34,"cacheReadTokens":1000,"cacheWriteTokens":0}}]}
//! {"version":1,"session_id":"…","status":"completed","exit_code":0,"model":"mock-1","cwd":"/srv/demo","metadata":{"title":"…","usage":{…},"aggregateUsage":{…}},…}
//! ```
//!
//! A prompt stands in `<user_input mode="act">…</user_input>`, which is taken off. A result is what the
//! stream prints, as an object, a list or as JSON in a string. An error of the API is a text of the
//! assistant's that is marked as an error.
//!
//! Usage: `metrics` of each message, whose input contains what was cached as in the stream.

use super::events::tokens;
use super::notice;
use super::results::{self, Answer};
use super::tools::TOOLS;
use crate::adapter::content;
use crate::adapter::ending::{self, says_failed};
use crate::adapter::model::windowed;
use crate::adapter::tool;
use crate::format::batch::Batch;
use crate::format::event::{
    CallUsage, Code, Level, Message, ModelUsage, SessionEnded, SessionStarted, SessionTitle,
    SessionUsage, Since, Status, Thinking, ToolCall,
};
use crate::format::write::{Keyed, Name, Text};
use crate::json::{Doc, Value};

/// Which of the two documents a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Document {
    Messages,
    State,
}

pub(super) fn document(record: Value<'_>) -> Option<Document> {
    let [agent, session, messages] = record.pick(["agent", "sessionId", "messages"]);
    if agent.is_string() && session.is_string() && messages.is_array() {
        return Some(Document::Messages);
    }
    let [session, path, status] = record.pick(["session_id", "messages_path", "status"]);
    let state = session.is_string() && path.is_string() && status.is_string();
    state.then_some(Document::State)
}

/// The conversation.
pub(super) fn messages(record: Value<'_>, out: &mut Batch) {
    let [session, origin, updated, list] =
        record.pick(["sessionId", "origin", "updated_at", "messages"]);
    out.time(updated);
    let model = list.elements().map(|message| message.get("modelInfo").get("id"));
    out.push(windowed(SessionStarted {
        harness: Some("cline".into()),
        model: model.into_iter().find_map(Name::filled),
        session_id: Name::filled(session),
        version: Name::filled(origin.get("version")),
        ..SessionStarted::default()
    }));
    for message in list.elements() {
        if message.is_object() {
            spoken(message, out);
        } else {
            out.raw(message);
        }
    }
}

fn spoken(message: Value<'_>, out: &mut Batch) {
    let [id, role, blocks, time, model, metrics] =
        message.pick(["id", "role", "content", "ts", "modelInfo", "metrics"]);
    let error = message.get("metadata").get("displayRole").is("error");
    out.time(time);
    out.message_id(Name::filled(id));
    if blocks.is_string() {
        said(role, blocks, error, out);
    }
    for block in blocks.elements() {
        let [kind, text, thinking] = block.pick(["type", "text", "thinking"]);
        match kind.decode().unwrap_or_default().as_ref() {
            "text" => said(role, text, error, out),
            "thinking" => {
                if let Some(text) = Text::filled(thinking) {
                    out.push(Thinking { text: Some(text), ..Thinking::default() });
                }
            }
            "redacted_thinking" => {
                out.push(Thinking { text: Some("".into()), redacted: true, ..Thinking::default() });
            }
            "tool_use" => {
                let [id, name, input] = block.pick(["id", "name", "input"]);
                let named = name.decode().unwrap_or_default();
                out.push(ToolCall {
                    call_id: Name::of(id),
                    name: Name::of(name),
                    input: content::arguments(input),
                    ..tool::does(TOOLS, &named, input)
                });
            }
            "tool_result" => result(block, out),
            _ => match content::attachment(block) {
                Some((attachment, line)) => out.push(Message {
                    role: Name::of(role),
                    text: Some(line.into()),
                    attachments: vec![attachment],
                    ..Message::default()
                }),
                None => out.raw(block),
            },
        }
    }
    let spent = tokens(metrics);
    if !spent.is_zero() {
        out.push(CallUsage {
            model: Name::filled(model.get("id")),
            context_tokens: Some(spent.context().unwrap_or_default()),
            cost_usd: metrics.get("cost").f64(),
            ..spent.into()
        });
    }
}

fn said(role: Value<'_>, text: Value<'_>, error: bool, out: &mut Batch) {
    let Some(words) = text.decode().filter(|text| !text.is_empty()) else { return };
    let typed = typed(&words).filter(|_| role.is("user"));
    let said = typed.map_or_else(|| Text::of(text), |typed| Some(typed.to_owned().into()));
    let role = Name::of(role);
    out.push(Message { role, text: said, synthetic: error, ..Message::default() });
    if error {
        out.push(notice(Level::Error, Code::Error, Text::of(text)));
    }
}

/// What the user typed, without what the harness puts around it.
fn typed(text: &str) -> Option<&str> {
    let (mode, rest) = text.strip_prefix("<user_input mode=\"")?.split_once("\">")?;
    let plain = mode.bytes().all(|byte| byte.is_ascii_alphanumeric());
    rest.strip_suffix("</user_input>").filter(|_| plain)
}

fn result(block: Value<'_>, out: &mut Batch) {
    let [id, name, output, is_error] = block.pick(["tool_use_id", "name", "content", "is_error"]);
    let text = output.decode().filter(|_| output.is_string()).unwrap_or_default();
    let mut doc = Doc::default();
    let parsed = doc.parse(&text).filter(|value| value.is_object() || value.is_array());
    let output = parsed.unwrap_or(output);
    let answer = Answer {
        id,
        name,
        output,
        error: Value::MISSING,
        duration: None,
        failed: is_error.is_true(),
    };
    results::push(answer, out);
}

/// How the session stands.
pub(super) fn state(record: Value<'_>, out: &mut Batch) {
    let [session, status_word, model, cwd, ended, started, meta] =
        record.pick(["session_id", "status", "model", "cwd", "ended_at", "started_at", "metadata"]);
    out.time(started);
    out.time(ended);
    out.push(windowed(SessionStarted {
        harness: Some("cline".into()),
        model: Name::filled(model),
        cwd: Name::filled(cwd),
        session_id: Name::filled(session),
        ..SessionStarted::default()
    }));
    let [title, own, all] = meta.pick(["title", "usage", "aggregateUsage"]);
    if let Some(title) = Name::filled(title) {
        out.push(SessionTitle { title: Some(title) });
    }
    let usage = if all.is_object() { all } else { own };
    if usage.is_object() {
        let spent = tokens(usage);
        let cost_usd = usage.get("totalCost").f64();
        let models =
            Name::filled(model).map(|name| (name, ModelUsage { cost_usd, ..spent.into() }));
        out.push(SessionUsage {
            cost_usd,
            models: Keyed(models.into_iter().collect()),
            cumulative: Some(Since::Session),
            ..spent.into()
        });
    }
    if !ended.is_string() {
        return;
    }
    let failed = !status_word.is("completed") || says_failed(record);
    out.push(SessionEnded {
        status: if failed { Status::Failed } else { Status::Succeeded },
        stop_reason: Name::of(status_word),
        reason: Name::of(status_word).filter(|_| failed && !status_word.is("completed")),
        error: ending::error(record).filter(|_| failed),
        exit_code: content::exit_code(record.get("exit_code").i64()),
        ..SessionEnded::default()
    });
}
