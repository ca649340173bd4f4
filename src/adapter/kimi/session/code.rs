//! Kimi Code's session file, `agents/<agent>/wire.jsonl` (recorded 2.1.0; a subagent has its own).
//!
//! ```json
//! {"type":"metadata","protocol_version":"1.5","created_at":1767225600407}
//! {"type":"profile.bind","agentId":"main","modelAlias":"…","environmentDisclosure":{"cwd":"/srv/demo"},…,"time":1767225600430}
//! {"type":"turn.prompt","agentId":"main","input":[{"type":"text","text":"…"}],"origin":{"kind":"user"},…,"time":1767225600474}
//! {"type":"llm.request","agentId":"main","model":"kimi-k2-demo",…,"time":1767225600527}
//! {"type":"usage.record","agentId":"main","model":"…","usage":{"inputOther":200,"output":50,"inputCacheRead":1000,"inputCacheCreation":0},"time":1767225600748}
//! {"type":"context.append_loop_event","agentId":"main","event":{"type":"tool.call","toolCallId":"c1","name":"Read","args":{…}},"time":1767225600795}
//! {"type":"turn.ended","agentId":"main","turnId":0,"reason":"completed","durationMs":684,"time":1767225601158}
//! ```
//!
//! Most is told twice: a prompt again as a message of the context, an answer as `agent.message.appended`,
//! a turn's end under two other names. Only the records above are read; the rest stays `raw`. A prompt
//! sent while a turn runs is `turn.steer`. What else stands among the user's messages are reminders.
//!
//! Usage: each `usage.record` is a call, and `step.end` states the same figures again. `inputOther` is
//! what no cache held (2.1.0 edit: 200 beside 1000 where the provider said 1200). The model that a call
//! went to is named by the request before it; the record names its alias.

use crate::adapter::chat::said;
use crate::adapter::content::{self, arguments};
use crate::adapter::ending::says_failed;
use crate::adapter::kimi::{retry, tools::TOOLS};
use crate::adapter::model::windowed;
use crate::adapter::tool;
use crate::adapter::written::Writing;
use crate::format::batch::Batch;
use crate::format::event::{
    CallUsage, Code as Word, Message, Notice, SessionEnded, SessionStarted, Status, Thinking,
    ToolCall, ToolResult,
};
use crate::format::tokens::Tokens;
use crate::format::write::{Name, Text};
use crate::json::Value;

#[derive(Debug, Default)]
pub(in crate::adapter::kimi) struct Code {
    started: bool,
    /// The session, as the file two folders up says it.
    session: Option<String>,
    cwd: Option<String>,
    /// The model that the last request went to.
    model: Option<String>,
    /// The last compaction was told.
    compacted: bool,
    writing: Writing,
}

impl Code {
    /// The reading of a file of that session.
    pub(in crate::adapter::kimi) fn of(session: Option<String>) -> Self {
        Self { session, ..Self::default() }
    }

    pub(in crate::adapter::kimi) fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, time] = record.pick(["type", "time"]);
        out.time(time);
        match kind.decode().unwrap_or_default().as_ref() {
            "profile.bind" if !self.started => {
                self.cwd = record.get("environmentDisclosure").get("cwd").owned();
                self.start(out);
            }
            "turn.prompt" | "turn.steer" => self.prompt(record, out),
            "context.append_loop_event" => self.step(record.get("event"), out),
            "llm.request" => self.request(record.get("model"), out),
            "usage.record" => self.usage(record, out),
            "turn.step.retrying" => {
                let keys = ["failedAttempt", "maxAttempts", "delayMs", "errorMessage"];
                retry(record.pick(keys), out);
            }
            "tools.update_store" => {
                let [key, list] = record.pick(["key", "value"]);
                if key.is("todo") {
                    content::plan(list, "title", out);
                }
            }
            "full_compaction.begin" => self.compacted = false,
            "context.apply_compaction" | "full_compaction.complete" => self.compacted(record, out),
            "turn.ended" => ended(record, out),
            _ => {}
        }
    }

    fn start(&mut self, out: &mut Batch) {
        self.started = true;
        out.before(windowed(SessionStarted {
            harness: Some("kimi-code".into()),
            model: self.model.as_ref().map(Name::from),
            cwd: self.cwd.as_ref().map(Name::from),
            session_id: self.session.as_ref().map(Name::from),
            ..SessionStarted::default()
        }));
    }

    /// A request names the model: first behind the start, which is then told again with it.
    fn request(&mut self, model: Value<'_>, out: &mut Batch) {
        let Some(name) = model.owned().filter(|name| self.model.as_ref() != Some(name)) else {
            return;
        };
        match self.model.replace(name) {
            None => self.start(out),
            Some(before) => out.push(Notice {
                code: Word::ModelChanged,
                from: Some(Name::from(before)),
                to: Name::of(model),
                ..Notice::default()
            }),
        }
    }

    fn prompt(&mut self, record: Value<'_>, out: &mut Batch) {
        if !self.started {
            self.start(out);
        }
        self.compacted = false;
        let [input, origin] = record.pick(["input", "origin"]);
        let origin = origin.get("kind");
        if let Some(said) = said(input) {
            out.push(Message {
                role: Some("user".into()),
                text: said.text,
                attachments: said.attachments,
                synthetic: origin.is_string() && !origin.is("user"),
                ..Message::default()
            });
        }
    }

    fn step(&mut self, event: Value<'_>, out: &mut Batch) {
        let [kind, part] = event.pick(["type", "part"]);
        if kind.is("content.part") {
            part_of_answer(part, out);
        } else if kind.is("tool.call") {
            let [id, name, args] = event.pick(["toolCallId", "name", "args"]);
            let named = name.decode().unwrap_or_default();
            self.writing.call(TOOLS, id, &named, args);
            out.push(ToolCall {
                call_id: Name::of(id),
                name: Name::of(name),
                input: arguments(args),
                ..tool::does(TOOLS, &named, args)
            });
        } else if kind.is("tool.result") {
            let [id, result] = event.pick(["toolCallId", "result"]);
            let [output, is_error, duration] = result.pick(["output", "isError", "durationMs"]);
            let is_error = is_error.is_true();
            let output = content::content(output);
            out.push(ToolResult {
                call_id: Name::of(id),
                is_error,
                output: output.text,
                attachments: output.attachments,
                duration_ms: duration.number(),
                files: self.writing.result(id, !is_error),
                ..ToolResult::default()
            });
        }
    }

    fn usage(&self, record: Value<'_>, out: &mut Batch) {
        let [alias, usage] = record.pick(["model", "usage"]);
        let keys = ["inputOther", "output", "inputCacheRead", "inputCacheCreation"];
        let [input, output, cache_read, cache_creation] = usage.pick(keys).map(Value::count);
        let spent = Tokens { input, output, cache_read, cache_creation, reasoning: None };
        if !spent.is_zero() {
            let model = self.model.as_ref().map(Name::from);
            out.push(CallUsage {
                model: model.or_else(|| Name::filled(alias)),
                context_tokens: spent.context(),
                ..spent.into()
            });
        }
    }

    /// Two records tell of one compaction, in either order; only one of them has the summary.
    fn compacted(&mut self, record: Value<'_>, out: &mut Batch) {
        if !std::mem::replace(&mut self.compacted, true) {
            let message = Text::filled(record.get("summary"));
            out.push(Notice { code: Word::Compacted, message, ..Notice::default() });
        }
    }
}

/// A whole text or thought.
pub(super) fn part_of_answer(part: Value<'_>, out: &mut Batch) {
    let [kind, text, think, encrypted] = part.pick(["type", "text", "think", "encrypted"]);
    if kind.is("text") {
        if let Some(text) = Text::filled(text) {
            let role = Some("assistant".into());
            out.push(Message { role, text: Some(text), ..Message::default() });
        }
    } else if kind.is("think") {
        let redacted = think.is("") && encrypted.is_some();
        if let Some(text) = Text::filled(think).or(redacted.then(|| "".into())) {
            out.push(Thinking { text: Some(text), redacted, ..Thinking::default() });
        }
    }
}

fn ended(record: Value<'_>, out: &mut Batch) {
    let [reason, error] = record.pick(["reason", "error"]);
    let failed = !reason.is("completed") || says_failed(record);
    out.push(SessionEnded {
        status: if failed { Status::Failed } else { Status::Succeeded },
        stop_reason: Name::of(reason),
        reason: Name::filled(error.get("code"))
            .or_else(|| Name::of(reason).filter(|_| !reason.is("completed")))
            .filter(|_| failed),
        error: Text::filled(error.get("message")),
        ..SessionEnded::default()
    });
}
