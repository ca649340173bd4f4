//! Session files, `.codex/sessions/Y/M/D/rollout-<time>-<id>.jsonl`: three generations.
//!
//! ```text
//! 0.20            {"id":"01a2…","timestamp":"…","instructions":null,"git":{…}}
//!                 {"record_type":"state"}
//!                 {"type":"function_call","name":"shell","arguments":"{\"command\":[…]}","call_id":"call_2"}
//! 0.42 to 0.146   {"timestamp":"…","type":"session_meta","payload":{"id":"01a2…","cwd":"/srv/app","cli_version":"0.80.0",…}}
//!                 {"timestamp":"…","type":"event_msg","payload":{"type":"agent_message","message":"Done."}}
//!                 {"timestamp":"…","type":"response_item","payload":{"type":"message","role":"assistant","content":[…]}}
//! 0.150, 0.171    {"timestamp":"…","ordinal":8,"type":"event_msg","payload":{"type":"item_completed","item":{"type":"AgentMessage",…}}}
//! ```
//!
//! - Most is told twice, and told here once: messages and reasoning by the events, calls and results by the
//!   response items ([`calls`]), tokens by [`usage`]. What the harness wrote for the model in the user's name
//!   (`<environment_context>`, AGENTS.md, instructions) stands in response items only, and is left `raw`.
//! - A message from one agent to another is a response item `agent_message`; the event of that name is the
//!   answer. A compaction's summary is no message.
//! - A fork's file may begin with copies ([`copied`]), which are left `raw`.
//! - A turn ends with `task_complete` or `turn_aborted` (0.129 and later); before, only an aborted turn is
//!   told. Titles stand in a file of their own, `session_index.jsonl`, a line each time one is given.

mod calls;
mod copied;
mod detect;
mod output;
mod usage;

use super::notices;
use super::words::{HARNESS, words};
use crate::adapter::model::windowed;
use crate::format::batch::Batch;
use crate::format::event::{
    Attachment, Code, Message, ModelUsage, Notice, SessionEnded, SessionStarted, SessionTitle,
    Status, Thinking,
};
use crate::format::write::{Keyed, Name, Text};
use crate::json::Value;
pub(super) use detect::{detect, is_untyped};

use calls::{Calls, joined};
use copied::Copied;
use usage::Spent;

/// The reading of a session file.
#[derive(Debug, Default)]
pub(super) struct Rollout {
    id: Option<String>,
    version: Option<String>,
    cwd: Option<String>,
    /// The session whose agent started this one.
    parent: Option<String>,
    forked_from: Option<String>,
    model: Option<String>,
    window: Option<u64>,
    /// The version counts tokens by processes.
    processes: bool,
    /// What the file may begin with, or begins with.
    copied: Option<Copied>,
    /// The record at hand is a copy.
    copying: bool,
    /// Which telling of the turn's messages is the one that counts.
    telling: Option<Telling>,
    calls: Calls,
    spent: Spent,
    /// The version writes how turns end.
    ends: bool,
}

/// The two kinds of record that tell what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Telling {
    Event,
    Item,
}

impl Rollout {
    pub(super) fn has_end(&self) -> bool {
        self.ends
    }

    /// Reads a record without a type.
    pub(super) fn untyped(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, instructions, time, title, updated] =
            record.pick(["id", "instructions", "timestamp", "thread_name", "updated_at"]);
        if instructions.exists() {
            out.time(time);
            self.start(record, record, out);
        } else if let Some(title) = Name::filled(title) {
            out.time(updated);
            out.session(Name::filled(id).as_ref());
            out.push(SessionTitle { title: Some(title) });
        }
    }

    /// Reads a record.
    pub(super) fn read(&mut self, kind: &str, record: Value<'_>, out: &mut Batch) {
        let [time, payload] = record.pick(["timestamp", "payload"]);
        out.time(time);
        if kind == "session_meta" {
            return self.meta(record, payload, out);
        }
        if self.copying {
            if !self.copied.as_mut().is_none_or(|copied| copied.is_over(record, payload)) {
                self.spent.copied(payload.get("info"));
                return;
            }
            self.copying = false;
        }
        self.copied = None;
        match kind {
            "event_msg" => self.event(payload, out),
            "response_item" => self.item(payload, out),
            "turn_context" => self.context(payload, out),
            "token_usage_record" => {
                let [usage, response] = payload.pick(["usage", "response_id"]);
                if let Some(call) = self.spent.record(usage, self.model.as_deref()) {
                    out.message_id(Name::filled(response));
                    out.push(call);
                    out.message_id(None);
                }
            }
            "compacted" => {
                out.push(Notice { code: Code::Compacted, ..Notice::default() });
            }
            _ if payload.exists() => {}
            _ => self.bare(kind, record, out),
        }
    }

    /// Which session the file is of. It is told again where a session was resumed (0.142 to 0.144), by a further
    /// file of the same session, and the parent's is copied into a fork.
    fn meta(&mut self, record: Value<'_>, meta: Value<'_>, out: &mut Batch) {
        let [id, base] = meta.pick(["id", "history_base"]);
        let same = self.id.as_ref().is_some_and(|own| id.is(own));
        // The parent's comes right behind the file's own.
        self.copying |= !same && self.copied.is_some();
        if same && base.is_some() {
            self.spent = Spent::new(true);
        } else if !same && !self.copying {
            self.start(record, meta, out);
        }
    }

    fn start(&mut self, record: Value<'_>, meta: Value<'_>, out: &mut Batch) {
        let [id, cwd, version, parent, forked, base, source] = meta.pick([
            "id",
            "cwd",
            "cli_version",
            "parent_thread_id",
            "forked_from_id",
            "history_base",
            "source",
        ]);
        let spawn = source.get("subagent").get("thread_spawn").get("parent_thread_id");
        let filled = |value: Value<'_>| value.owned().filter(|text| !text.is_empty());
        let copied = Copied::of(record, meta);
        *self = Self {
            processes: version.decode().as_deref().and_then(minor).is_some_and(|minor| minor < 80),
            id: filled(id),
            cwd: filled(cwd),
            version: filled(version),
            parent: filled(parent).or_else(|| filled(spawn)),
            forked_from: filled(forked),
            spent: Spent::new(base.is_some() || copied.is_some()),
            copied,
            ..Self::default()
        };
        self.started(out);
    }

    /// Says what is known of the session.
    fn started(&self, out: &mut Batch) {
        out.push(windowed(SessionStarted {
            harness: Some(Name::from(HARNESS)),
            model: self.model.as_ref().map(Name::from),
            context_window: self.window,
            cwd: self.cwd.as_ref().map(Name::from),
            session_id: self.id.as_ref().map(Name::from),
            version: self.version.as_ref().map(Name::from),
            parent_session_id: self.parent.as_ref().map(Name::from),
            forked_from: self.forked_from.as_ref().map(Name::from),
            ..SessionStarted::default()
        }));
    }

    /// A turn's context names the model, and is written again for each turn. The session is told again with the
    /// first: a run that fails at its first call is a model's, too.
    fn context(&mut self, context: Value<'_>, out: &mut Batch) {
        self.telling = None;
        let model = context.get("model").owned().filter(|model| !model.is_empty());
        if model.is_none() || model == self.model {
            return;
        }
        let from = std::mem::replace(&mut self.model, model);
        match from {
            None => self.started(out),
            Some(from) => out.push(Notice {
                code: Code::ModelChanged,
                from: Some(Name::from(from)),
                to: self.model.as_ref().map(Name::from),
                ..Notice::default()
            }),
        }
    }

    fn event(&mut self, event: Value<'_>, out: &mut Batch) {
        let kind = event.get("type").decode().unwrap_or_default();
        if kind != "web_search_end" {
            self.calls.between();
        }
        match &*kind {
            "user_message" if self.tells(Telling::Event) => {
                let attachments = event.get("images").elements().map(output::image);
                user(Text::filled(event.get("message")), attachments.collect(), out);
            }
            "agent_message" if self.tells(Telling::Event) => {
                assistant(Text::filled(event.get("message")), out);
            }
            "agent_reasoning" if self.tells(Telling::Event) => {
                thought(Text::filled(event.get("text")), out);
            }
            "item_completed" => self.completed(event.get("item"), out),
            "token_count" => {
                let info = event.get("info");
                let model = self.model.as_deref();
                let (call, total) = self.spent.count(info, self.processes, model);
                if let Some(call) = call {
                    out.push(call);
                }
                if let Some(mut total) = total {
                    let context_window = info.get("model_context_window").count();
                    // Before 0.129 no turn says it when it starts.
                    let untold = self.window.is_none() && context_window.is_some();
                    if let Some(model) = model.filter(|_| untold) {
                        let usage = ModelUsage { context_window, ..ModelUsage::default() };
                        total.models = Keyed(vec![(Name::from(model), usage)]);
                    }
                    out.push(total);
                }
            }
            "task_started" => {
                self.telling = None;
                self.ends = true;
                self.window = event.get("model_context_window").count().or(self.window);
            }
            "task_complete" => self.complete(event, out),
            "turn_aborted" => out.push(SessionEnded {
                status: Status::Failed,
                reason: Name::filled(event.get("reason")),
                ..SessionEnded::default()
            }),
            "error" => out.push(notices::failure(event.get("message"))),
            "warning" => out.push(notices::warning(event.get("message"))),
            "stream_error" => out.push(notices::stream_error(event.get("message"))),
            "thread_name_updated" => {
                let title = Name::filled(event.get("thread_name"));
                if title.is_some() {
                    out.push(SessionTitle { title });
                }
            }
            "web_search_end" => self.calls.search(true, event, out),
            "exec_command_end" | "patch_apply_end" | "mcp_tool_call_end" => {
                self.calls.told_again(&kind, event, out);
            }
            _ => {}
        }
    }

    /// Whether a telling is the one that counts in this turn: a version writes one of the two.
    fn tells(&mut self, telling: Telling) -> bool {
        *self.telling.get_or_insert(telling) == telling
    }

    /// Reads an item, which from 0.150 on tells what events told before.
    fn completed(&mut self, item: Value<'_>, out: &mut Batch) {
        let [kind, id, content, text, summary] =
            item.pick(["type", "id", "content", "text", "summary_text"]);
        let kind = kind.decode().unwrap_or_default();
        let texts = content.elements().map(|block| block.get("text"));
        match &*kind {
            "UserMessage" if self.tells(Telling::Item) => {
                let images = content.elements().map(|block| block.get("image_url"));
                let images = images.filter(|url| url.is_string()).map(output::image);
                out.message_id(Name::filled(id));
                user(joined(texts, "\n"), images.collect(), out);
            }
            "AgentMessage" if self.tells(Telling::Item) => {
                out.message_id(Name::filled(id));
                assistant(joined(texts, ""), out);
            }
            "Reasoning" if self.tells(Telling::Item) => {
                out.message_id(Name::filled(id));
                thought(joined(summary.elements(), "\n"), out);
            }
            // The only telling of an answer in plan mode (0.145), in all versions.
            "Plan" => assistant(Text::filled(text), out),
            _ => self.calls.told_again(&kind, item, out),
        }
        out.message_id(None);
    }

    fn item(&mut self, item: Value<'_>, out: &mut Batch) {
        let kind = item.get("type").decode().unwrap_or_default();
        if kind != "web_search_call" {
            self.calls.between();
        }
        match &*kind {
            "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call" => {
                self.calls.call(&kind, item, out);
            }
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                self.calls.output(item, out);
            }
            "web_search_call" => self.calls.search(false, item, out),
            _ => {}
        }
    }

    /// Reads a record of 0.20, which is a response item without an envelope: nothing else tells of it.
    fn bare(&mut self, kind: &str, item: Value<'_>, out: &mut Batch) {
        let [role, content, summary] = item.pick(["role", "content", "summary"]);
        match kind {
            "message" => {
                let (text, attachments) = output::blocks(content);
                if role.is("assistant") {
                    assistant(text, out);
                } else if role.is("user") && !is_context(content) {
                    user(text, attachments, out);
                }
            }
            "reasoning" => {
                for part in summary.elements() {
                    thought(Text::filled(part.get("text")), out);
                }
            }
            _ => self.item(item, out),
        }
    }

    fn complete(&mut self, event: Value<'_>, out: &mut Batch) {
        self.ends = true;
        let [said, error] = event.pick(["last_agent_message", "error"]);
        let [message, info] = error.pick(["message", "codex_error_info"]);
        // `"other"`, or `{"http_connection_failed":{"http_status_code":401}}`.
        let reason = Name::filled(info);
        let reason = reason.or_else(|| info.members().next().map(|(word, _)| Name::from(word)));
        let failed = error.is_some();
        out.push(SessionEnded {
            status: if failed { Status::Failed } else { Status::Succeeded },
            summary: Text::filled(said),
            reason: reason.filter(|_| failed),
            error: if message.exists() { words(message) } else { words(error) },
            ..SessionEnded::default()
        });
    }
}

/// Whether a user's message of 0.20 is what the harness wrote for the model.
fn is_context(content: Value<'_>) -> bool {
    let first = content.elements().next().unwrap_or(Value::MISSING).get("text");
    let starts = ["<user_instructions>", "<environment_context>"];
    first.decode().is_some_and(|text| starts.iter().any(|start| text.starts_with(start)))
}

/// The second number of a version.
fn minor(version: &str) -> Option<u32> {
    version.strip_prefix("0.")?.split('.').next()?.parse().ok()
}

fn user<'a>(text: Option<Text<'a>>, attachments: Vec<Attachment<'a>>, out: &mut Batch) {
    if text.is_some() || !attachments.is_empty() {
        let role = Some(Name::from("user"));
        out.push(Message { role, text, attachments, ..Message::default() });
    }
}

fn assistant(text: Option<Text<'_>>, out: &mut Batch) {
    if text.is_some() {
        out.push(Message { role: Some(Name::from("assistant")), text, ..Message::default() });
    }
}

fn thought(text: Option<Text<'_>>, out: &mut Batch) {
    if text.is_some() {
        out.push(Thinking { text, ..Thinking::default() });
    }
}

#[cfg(test)]
mod tests;
