//! `system` lines: starts, titles, background work, and what a person should know.

use super::background::Background;
use super::{Adapter, Flavor, Printed};
use crate::adapter::model::windowed;
use crate::adapter::recent::Id;
use crate::format::batch::Batch;
use crate::format::event::{Code, Level, Notice, RateLimit, Retry, SessionStarted, SessionTitle};
use crate::format::time;
use crate::format::write::{Name, Text};
use crate::json::Value;

impl Adapter {
    pub(super) fn system(&mut self, record: Value<'_>, subtype: Value<'_>, out: &mut Batch) {
        let Some(subtype) = subtype.decode() else { return };
        // qwen puts what is Claude's into an object `data`.
        let data = record.get("data");
        let line = if data.is_object() { data } else { record };
        match &*subtype {
            "init" => self.init(record, out),
            "session_title_changed" => title(record.get("title"), out),
            "background_tasks_changed" => self.background.changed(line.get("tasks"), out),
            "task_started" => self.background.task(line, Some("started"), out),
            "task_progress" => self.background.task(line, Some("progress"), out),
            "task_updated" | "task_notification" => self.background.task(line, None, out),
            "api_retry" | "retry" => {
                if !line.get("preserveText").is_true() {
                    self.streams.void();
                }
                retry(line, out);
            }
            "control_request_progress" if record.get("status").is("api_retry") => retry(line, out),
            "status" => status(record, out),
            "compact_boundary" => compacted(record.get("compact_metadata"), out),
            "permission_denied" => {
                let [call, message, tool] = record.pick(["tool_use_id", "message", "tool_name"]);
                if let Some(id) = Id::of(call) {
                    self.denials.add(id, ());
                }
                out.push(Notice {
                    level: Level::Warning,
                    code: Code::PermissionDenied,
                    message: Text::filled(message).or_else(|| Text::filled(tool)),
                    call_id: Name::filled(call),
                    ..Notice::default()
                });
            }
            "model_fallback" | "model_refusal_fallback" | "model_refusal_no_fallback" => {
                model_changed(record, out);
            }
            "informational" => {
                let [content, level] = record.pick(["content", "level"]);
                info(content, level.is("warning"), out);
            }
            "notification" => info(record.get("text"), false, out),
            "post_turn_summary" => {
                let [detail, summary] = line.pick(["status_detail", "summary"]);
                let said = if detail.is_string() { detail } else { summary };
                if said.is_string() {
                    info(said, false, out);
                }
            }
            "mirror_error" => {
                let error = line.get("error");
                let message = [error, error.get("message"), line.get("message")];
                out.push(Notice {
                    level: Level::Error,
                    code: Code::Error,
                    message: message.into_iter().find_map(Text::filled),
                    ..Notice::default()
                });
            }
            _ => {}
        }
    }

    fn init(&mut self, record: Value<'_>, out: &mut Batch) {
        let [model, cwd, session, tools, version] =
            record.pick(["model", "cwd", "session_id", "tools", self.flavor.version_key()]);
        self.inits += 1;
        self.printed = Printed::Work;
        if let Some(id) = Id::of(session)
            && self.sessions.get(id).is_none()
        {
            self.sessions.add(id, ());
        }
        if let Some(id) = Id::of(session)
            && self.session.replace(id).is_some_and(|before| before != id)
        {
            // What was going on there is of the session before.
            self.limited = false;
            self.background = Background::default();
        }
        // 1.x does not state its version.
        self.runs_on = self.flavor == Flavor::Claude
            && version.decode().is_none_or(|version| version.starts_with("1."));
        let window = model.decode().and_then(|name| self.totals.window(&name));
        out.push(windowed(SessionStarted {
            harness: Some(Name::from(self.flavor.harness())),
            model: Name::of(model),
            context_window: window,
            cwd: Name::of(cwd),
            session_id: Name::of(session),
            tools: tools.is_array().then(|| tools.elements().filter_map(Name::of).collect()),
            version: Name::filled(version),
            turn: Some(self.inits).filter(|turn| *turn > 1),
            ..SessionStarted::default()
        }));
    }

    /// An answer to the host; a generated title is the only one that says something of the session.
    pub(super) fn control_response(record: Value<'_>, out: &mut Batch) {
        title(record.get("response").get("response").get("title"), out);
    }

    pub(super) fn rate_limit(&mut self, record: Value<'_>, out: &mut Batch) {
        let [status, kind, used, resets] = record.get("rate_limit_info").pick([
            "status",
            "rateLimitType",
            "utilization",
            "resetsAt",
        ]);
        let Some(word) = status.decode() else { return };
        let level = match &*word {
            "allowed" => Level::Info,
            "rejected" => Level::Error,
            _ => Level::Warning,
        };
        self.limited = level == Level::Error;
        let message = match kind.decode() {
            Some(kind) => Text::from(format!("{kind}: {word}")),
            None => Text::from(word),
        };
        out.push(Notice {
            level,
            code: Code::RateLimit,
            message: Some(message),
            limit: Some(RateLimit {
                window: Name::filled(kind),
                used_share: used.f64().filter(|share| *share >= 0.0),
                resets_at: time::read(resets).map(Name::from),
            }),
            ..Notice::default()
        });
    }

    /// A record `error`, which a stream of bare API events may have.
    pub(super) fn error(record: Value<'_>, out: &mut Batch) {
        let [error, message] = record.pick(["error", "message"]);
        let message = Text::filled(error.get("message"))
            .or_else(|| Text::filled(message))
            .or_else(|| Text::filled(error));
        if message.is_some() {
            out.push(Notice {
                level: Level::Error,
                code: Code::Error,
                message,
                ..Notice::default()
            });
        }
    }
}

fn title(title: Value<'_>, out: &mut Batch) {
    if let Some(title) = Name::filled(title) {
        out.push(SessionTitle { title: Some(title) });
    }
}

fn info(message: Value<'_>, warning: bool, out: &mut Batch) {
    let level = if warning { Level::Warning } else { Level::Info };
    out.push(Notice { level, message: Text::filled(message), ..Notice::default() });
}

/// Claude: `attempt, max_retries, retry_delay_ms, error_status, error`. qwen: `attempt, maxRetries,
/// delayMs, reason`.
fn retry(line: Value<'_>, out: &mut Batch) {
    let [attempt, max, max_camel, delay, delay_camel, status, error, reason] = line.pick([
        "attempt",
        "max_retries",
        "maxRetries",
        "retry_delay_ms",
        "delayMs",
        "error_status",
        "error",
        "reason",
    ]);
    let word = error.decode().or_else(|| reason.decode());
    let message = match (word, status.count()) {
        (Some(word), Some(status)) => Some(Text::from(format!("{word} ({status})"))),
        (Some(word), None) => Some(Text::from(word)),
        (None, status) => status.map(|status| Text::from(status.to_string())),
    };
    let retry = Retry {
        attempt: attempt.count(),
        max: max.count().or_else(|| max_camel.count()),
        delay_ms: delay.number().or_else(|| delay_camel.number()),
    };
    let counted = retry.attempt.is_some() || retry.max.is_some() || retry.delay_ms.is_some();
    out.push(Notice {
        level: Level::Warning,
        code: Code::Retry,
        message,
        retry: counted.then_some(retry),
        ..Notice::default()
    });
}

fn status(record: Value<'_>, out: &mut Batch) {
    let [status, error] = record.pick(["status", "compact_error"]);
    if let Some(message) = Text::filled(error) {
        let (level, code) = (Level::Warning, Code::Error);
        out.push(Notice { level, code, message: Some(message), ..Notice::default() });
    } else if status.is("requesting") {
        // Printed with partial messages only.
        out.framing(record);
    }
}

fn compacted(metadata: Value<'_>, out: &mut Batch) {
    let [trigger, before, after] = metadata.pick(["trigger", "pre_tokens", "post_tokens"]);
    compaction(trigger, before, after, out);
}

/// What came before was made into a summary.
pub(super) fn compaction(trigger: Value<'_>, before: Value<'_>, after: Value<'_>, out: &mut Batch) {
    let mut words = Vec::new();
    words.extend(trigger.owned());
    words.extend(before.count().map(|tokens| format!("{tokens} tokens before")));
    words.extend(after.count().map(|tokens| format!("{tokens} after")));
    out.push(Notice {
        code: Code::Compacted,
        message: (!words.is_empty()).then(|| Text::from(words.join(", "))),
        ..Notice::default()
    });
}

/// A refusal or an overload moved the session to another model, or (without `fallback_model`) could
/// not.
fn model_changed(record: Value<'_>, out: &mut Batch) {
    let [from, to, content, explanation, trigger] = record.pick([
        "original_model",
        "fallback_model",
        "content",
        "api_refusal_explanation",
        "trigger",
    ]);
    let changed = to.is_some();
    out.push(Notice {
        level: Level::Warning,
        code: if changed { Code::ModelChanged } else { Code::Error },
        message: [content, explanation, trigger].into_iter().find_map(Text::filled),
        from: Name::filled(from),
        to: Name::filled(to),
        ..Notice::default()
    });
}
