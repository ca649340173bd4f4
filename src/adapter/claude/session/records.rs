//! The records of a session file.

use super::super::Adapter;
use super::super::calls::Tally;
use super::super::messages::{Heard, Spoken};
use super::super::stated;
use super::super::words;
use crate::adapter::content;
use crate::format::batch::Batch;
use crate::format::event::{Code, Level, Message, Notice, Retry};
use crate::format::write::{Name, Text};
use crate::json::Value;

impl Adapter {
    pub(super) fn kept_user(&mut self, record: Value<'_>, aside: bool, out: &mut Batch) {
        let [message, detail, denial, meta, agent] = record.pick([
            "message",
            "toolUseResult",
            "toolDenialKind",
            "tool_result_meta",
            "agentId",
        ]);
        let agent = if aside { agent } else { Value::MISSING };
        let synthetic = is_the_harness_s(record);
        let line = Heard { agent, synthetic, replay: false, detail, meta, denial, kept: true };
        self.heard(&line, message, out);
    }

    pub(super) fn kept_assistant(&mut self, record: Value<'_>, aside: bool, out: &mut Batch) {
        let [message, error, failed, agent] =
            record.pick(["message", "error", "isApiErrorMessage", "agentId"]);
        let agent = if aside { agent } else { Value::MISSING };
        let tally = if aside { Tally::Aside } else { Tally::Kept };
        // `error` may stand beside a message that is none (2.1.332: an API that was asked again).
        let line = Spoken { agent, error, failed: failed.is_true(), tally };
        self.spoken(&line, message, out);
    }

    pub(super) fn kept_system(record: Value<'_>, out: &mut Batch) {
        let [subtype, content, level] = record.pick(["subtype", "content", "level"]);
        match &*subtype.decode().unwrap_or_default() {
            "compact_boundary" => compacted(record.get("compactMetadata"), out),
            "api_error" => retry(record, out),
            "informational" => {
                let level = if level.is("warning") { Level::Warning } else { Level::Info };
                let message = Text::filled(content);
                out.push(Notice { level, message, ..Notice::default() });
            }
            "api_refusal" => {
                let (level, code) = (Level::Error, Code::Error);
                let message = Text::filled(content);
                out.push(Notice { level, code, message, ..Notice::default() });
            }
            "model_refusal_fallback" | "model_fallback" => {
                let [from, to] = record.pick(["originalModel", "fallbackModel"]);
                out.push(Notice {
                    level: Level::Warning,
                    code: Code::ModelChanged,
                    message: Text::filled(content),
                    from: Name::filled(from),
                    to: Name::filled(to),
                    ..Notice::default()
                });
            }
            _ => {}
        }
    }

    pub(super) fn kept_attachment(&mut self, record: Value<'_>, out: &mut Batch) {
        self.kept.attaches = true;
        let attachment = record.get("attachment");
        let [kind, prompt, mode, origin, error, call] = attachment.pick([
            "type",
            "prompt",
            "commandMode",
            "origin",
            "blockingError",
            "toolUseID",
        ]);
        if kind.is("queued_command") {
            let said = content::content(prompt);
            let synthetic = mode.is("task-notification")
                || is_no_human(origin)
                || words::are_the_harness_s(prompt);
            if !prompt.is("") && said.text.is_some() {
                out.push(Message {
                    role: Some("user".into()),
                    text: said.text,
                    synthetic,
                    attachments: said.attachments,
                    ..Message::default()
                });
            }
        } else if kind.is("hook_blocking_error") {
            out.push(Notice {
                level: Level::Warning,
                message: Text::filled(error.get("blockingError")).or_else(|| Text::filled(error)),
                call_id: Name::filled(call),
                ..Notice::default()
            });
        }
    }

    /// A subagent's record, told in the main file (2.1.12 to 2.1.80).
    pub(super) fn kept_progress(&mut self, record: Value<'_>, out: &mut Batch) {
        let [data, call] = record.pick(["data", "parentToolUseID"]);
        let [kind, inner] = data.pick(["type", "message"]);
        if !kind.is("agent_progress") {
            return;
        }
        let [kind, message, detail, error, failed] =
            inner.pick(["type", "message", "toolUseResult", "error", "isApiErrorMessage"]);
        out.parent(Name::filled(call));
        if kind.is("assistant") {
            let tally = Tally::Kept;
            let line = Spoken { agent: call, error, failed: failed.is_true(), tally };
            self.spoken(&line, message, out);
        } else if kind.is("user") {
            let synthetic = is_the_harness_s(inner);
            let line = Heard { agent: call, synthetic, detail, kept: true, ..Heard::default() };
            self.heard(&line, message, out);
        }
    }

    /// The running total, which a process writes at its end.
    pub(super) fn kept_total(&mut self, record: Value<'_>, out: &mut Batch) {
        let usage = self.kept.spent.state(stated::kept(record));
        out.push(usage);
    }

    pub(super) fn kept_queue(&mut self, record: Value<'_>, out: &mut Batch) {
        out.time(record.get("timestamp"));
        let taken = self.kept.queue.operation(record);
        if let Some(text) = taken.filter(|_| !self.kept.attaches) {
            let text = Some(Text::from(text));
            out.push(Message { role: Some("user".into()), text, ..Message::default() });
        }
    }
}

/// Whether the record is marked as the harness's words.
fn is_the_harness_s(record: Value<'_>) -> bool {
    let [meta, summary, source, origin, plan, transcript] = record.pick([
        "isMeta",
        "isCompactSummary",
        "rowSource",
        "origin",
        "planContent",
        "isVisibleInTranscriptOnly",
    ]);
    [meta, summary, transcript].into_iter().any(Value::is_true)
        || source.is("harness")
        || source.is("hook")
        || is_no_human(origin)
        || plan.is_some()
}

fn is_no_human(origin: Value<'_>) -> bool {
    let kind = origin.get("kind");
    kind.is_string() && !kind.is("human")
}

fn compacted(metadata: Value<'_>, out: &mut Batch) {
    let [trigger, before, after] = metadata.pick(["trigger", "preTokens", "postTokens"]);
    super::super::notices::compaction(trigger, before, after, out);
}

/// A call that failed and is tried again.
fn retry(record: Value<'_>, out: &mut Batch) {
    let [error, attempt, max, delay] =
        record.pick(["error", "retryAttempt", "maxRetries", "retryInMs"]);
    let [formatted, message] = error.pick(["formatted", "message"]);
    out.push(Notice {
        level: Level::Warning,
        code: Code::Retry,
        message: [formatted, message].into_iter().find_map(Text::filled),
        retry: Some(Retry { attempt: attempt.count(), max: max.count(), delay_ms: delay.number() }),
        ..Notice::default()
    });
}
