//! Kimi: Kimi Code (node, recorded 2.1.0) and the older Kimi CLI (python, recorded 1.43.0), both
//! `--output-format stream-json`.
//!
//! Chat messages without an envelope, a `type` or a time. Kimi Code adds `meta` lines around them:
//!
//! ```json
//! {"role":"meta","type":"system.version","version":"2.1.0"}
//! {"role":"assistant","content":"Running.","tool_calls":[{"type":"function","id":"c1","function":{"name":"Bash","arguments":"{…}"}}]}
//! {"role":"tool","tool_call_id":"c1","content":"hello demo\n"}
//! {"role":"meta","type":"turn.step.retrying","failed_attempt":1,"max_attempts":10,"delay_ms":1000,"error_message":"429 …"}
//! {"role":"meta","type":"session.resume_hint","session_id":"session_…","command":"kimi -r …","content":"To resume …"}
//! ```
//!
//! The resume hint is the only place of the session id and comes last, after a success only. Kimi
//! CLI has no meta lines; it prints reasoning and marks failures:
//!
//! ```json
//! {"role":"assistant","content":[{"type":"think","think":"…","encrypted":null},{"type":"text","text":"…"}]}
//! {"role":"tool","content":[{"type":"text","text":"<system>ERROR: Command failed with exit code: 3.</system>"},…],"tool_call_id":"c1"}
//! ```
//!
//! Kimi Code's failures are words behind the tool's own output (2.1.0 failing: `oops\nCommand failed
//! with exit code: 3.`), which the output could end with as well: no error is read from them. Errors
//! of the API are on standard error (Kimi Code) or plain text lines (Kimi CLI).
//!
//! Usage: neither prints any. Neither has an end record.
//!
//! Their session files ([`session`]) say more than they print: usage, errors, the user's prompts, and
//! Kimi Code's the end of each turn.

mod session;
mod tools;

use self::session::{Form, form};
use self::tools::TOOLS;
use super::chat::{self, PlanTool};
use super::content;
use super::written::Writing;
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::{Batch, Place};
use crate::format::event::{
    Code, Level, Message, Notice, Retry, SessionStarted, Thinking, ToolResult,
};
use crate::format::write::{Name, Text};
use crate::json::{Str, Value};

pub(super) const DIALECT: Dialect = Dialect {
    name: "kimi",
    summary: "Kimi Code and Kimi CLI, stream-json output",
    recorded: "Kimi Code 2.1, Kimi CLI 1.43 (ended: 1.52 prints prose)",
    carries: Carries { session_id: true, ..Dialect::BASE.carries },
    detect,
    commands: &["kimi", "kimi-cli", "@moonshot-ai/kimi-code"],
    flags: &[Flags {
        behind: None,
        unless: &["--output-format"],
        add: &["--output-format", "stream-json"],
    }],
    tools: TOOLS,
    beside: session::beside,
    left_raw: &[
        "(text)",
        // Of Kimi CLI's files.
        "StatusUpdate",
        "StepBegin",
        "TurnEnd",
        "_checkpoint",
        "_system_prompt",
        "_usage",
        // Of Kimi Code's files: told by other records, or the harness's own.
        "agent.message.appended",
        "agent.turn.ended",
        "agent.turn.started",
        "config.update",
        "context.append_loop_event",
        "context.apply_compaction",
        "context.append_message",
        "file_history.checkpoint",
        "file_history.tracked",
        "full_compaction.begin",
        "full_compaction.cancel",
        "full_compaction.complete",
        "llm.request",
        "llm.tools_snapshot",
        "metadata",
        "permission.record_approval_result",
        "permission.set_mode",
        "plan_mode.enter",
        "plan_mode.exit",
        "plugin.session_start",
        "profile.bind",
        "prompt.aborted",
        "prompt.completed",
        "runtime.set_binding",
        "subagent.completed",
        "subagent.spawned",
        "subagent.started",
        "token_counting.measured",
        "token_counting.turn_recorded",
        "tools.update_store",
        "turn.cancel",
        "turn.step.interrupted",
        "usage.record",
    ],
    named_by: &["type", "role"],
    ..Dialect::BASE
};

const SPEAKERS: [&str; 4] = ["assistant", "tool", "user", "system"];

const PLAN_TOOLS: &[PlanTool] = &[
    PlanTool { name: "TodoList", text: "title" },
    PlanTool { name: "SetTodoList", text: "title" },
];

/// A record of a session file, a meta line, or a chat message with nothing but a chat message's keys.
fn detect(record: Value<'_>) -> Match {
    if let Some((_, sure)) = form(record) {
        return sure;
    }
    let [role, kind, content, calls] = record.pick(["role", "type", "content", "tool_calls"]);
    if role.is("meta") {
        return if kind.is_string() { Match::Own } else { Match::No };
    }
    let speaks = SPEAKERS.iter().any(|who| role.is(who));
    let says = content.is_string() || content.is_array() || calls.is_array();
    let keys = ["role", "content", "tool_calls", "tool_call_id", "name"];
    let bare = || record.members().all(|(key, _)| keys.iter().any(|known| key.is(known)));
    if speaks && says && bare() { Match::Own } else { Match::No }
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    started: bool,
    /// A meta line came: this is Kimi Code.
    code: bool,
    version: Option<String>,
    writing: Writing,
    file: Option<File>,
    /// The session of the file, where a file beside it says so.
    session: Option<String>,
}

/// What is read is a session file.
#[derive(Debug)]
enum File {
    Code(session::Code),
    Older(session::Older),
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [role, kind] = record.pick(["role", "type"]);
        if !role.exists()
            && let Some((form, _)) = form(record)
        {
            self.file(form, record, out);
        } else if role.is("meta") {
            self.meta(kind, record, out);
        } else if !kind.exists() && SPEAKERS.iter().any(|who| role.is(who)) {
            self.start(Place::Before, out);
            self.message(role, record, out);
        }
    }

    fn beside(&mut self, _name: &str, beside: Value<'_>) {
        self.session = beside.get("id").owned();
    }

    fn has_end(&self) -> bool {
        matches!(self.file, Some(File::Code(_)))
    }
}

impl Adapter {
    fn file(&mut self, form: Form, record: Value<'_>, out: &mut Batch) {
        let same = matches!(
            (form, &self.file),
            (Form::Code, Some(File::Code(_))) | (Form::Older, Some(File::Older(_)))
        );
        // The head of a file behind another one begins a session.
        if !same || record.get("type").is("metadata") {
            self.file = Some(match form {
                Form::Code => File::Code(session::Code::of(self.session.clone())),
                Form::Older => File::Older(session::Older::default()),
            });
        }
        match &mut self.file {
            Some(File::Code(code)) => code.record(record, out),
            Some(File::Older(older)) => older.record(record, out),
            None => {}
        }
    }

    fn start(&mut self, place: Place, out: &mut Batch) {
        if !self.started {
            self.state(Value::MISSING, place, out);
        }
    }

    /// Says what is known of the session.
    fn state(&mut self, session: Value<'_>, place: Place, out: &mut Batch) {
        self.started = true;
        // The older program has the same name and says nothing of itself.
        let harness = if self.code { "kimi-code" } else { "kimi" };
        out.add(
            place,
            windowed(SessionStarted {
                harness: Some(harness.into()),
                session_id: Name::of(session),
                version: self.version.as_ref().map(Name::from),
                ..SessionStarted::default()
            }),
        );
    }

    fn meta(&mut self, kind: Value<'_>, record: Value<'_>, out: &mut Batch) {
        self.code = true;
        if kind.is("system.version") {
            self.version = record.get("version").owned();
            self.state(Value::MISSING, Place::Here, out);
        } else if kind.is("session.resume_hint") {
            let session = record.get("session_id");
            if session.is_string() {
                self.state(session, Place::Here, out);
            }
        } else if kind.is("turn.step.retrying") {
            let keys = ["failed_attempt", "max_attempts", "delay_ms", "error_message"];
            self.start(Place::Here, out);
            retry(record.pick(keys), out);
        }
    }

    fn message(&mut self, role: Value<'_>, record: Value<'_>, out: &mut Batch) {
        let [content, calls, call_id] = record.pick(["content", "tool_calls", "tool_call_id"]);
        if role.is("tool") {
            self.result(call_id, content, out);
        } else if role.is("assistant") && content.is_array() {
            parts(content, out);
        } else if let Some(said) = chat::said(content) {
            out.push(Message {
                role: Name::of(role),
                text: said.text,
                attachments: said.attachments,
                ..Message::default()
            });
        }
        chat::calls(calls, TOOLS, PLAN_TOOLS, &mut self.writing, out);
    }

    fn result(&mut self, call_id: Value<'_>, value: Value<'_>, out: &mut Batch) {
        let failure = if self.code { None } else { failure(value) };
        let output = content::content(value);
        out.push(ToolResult {
            call_id: Name::of(call_id),
            is_error: failure.is_some(),
            exit_code: failure.and_then(exit_code),
            output: output.text,
            attachments: output.attachments,
            // Kimi Code does not say whether a call succeeded.
            files: self.writing.result(call_id, !self.code && failure.is_none()),
            ..ToolResult::default()
        });
    }
}

/// The try, how many there are, the wait before the next, and why this one failed.
fn retry([attempt, max, delay, message]: [Value<'_>; 4], out: &mut Batch) {
    out.push(Notice {
        level: Level::Warning,
        code: Code::Retry,
        message: Text::of(message),
        retry: Some(Retry { attempt: attempt.count(), max: max.count(), delay_ms: delay.number() }),
        ..Notice::default()
    });
}

/// The parts of an assistant message: reasoning and text may alternate.
fn parts(list: Value<'_>, out: &mut Batch) {
    for part in list.elements() {
        let [kind, text, think, encrypted] = part.pick(["type", "text", "think", "encrypted"]);
        if kind.is("think") && think.is_string() {
            let redacted = think.is("") && encrypted.is_some();
            if redacted || !think.is("") {
                out.push(Thinking { text: Text::of(think), redacted, ..Thinking::default() });
            }
        } else if kind.is("text") && text.is_string() {
            if let Some(text) = Text::filled(text) {
                let role = Some("assistant".into());
                out.push(Message { role, text: Some(text), ..Message::default() });
            }
        } else {
            out.raw(part);
        }
    }
}

/// Kimi CLI's own word in front of a failed call's output: the whole of the first part.
fn failure(value: Value<'_>) -> Option<Str<'_>> {
    let first =
        if value.is_array() { value.elements().next()?.get("text").str() } else { value.str() }?;
    let raw = first.raw();
    (raw.starts_with("<system>ERROR: ") && raw.ends_with("</system>")).then_some(first)
}

fn exit_code(failure: Str<'_>) -> Option<i64> {
    let words = failure.raw().strip_prefix("<system>ERROR: ")?.strip_suffix("</system>")?;
    exit_code_of(words)
}

/// The exit code in the program's own words on a command that failed.
fn exit_code_of(words: &str) -> Option<i64> {
    let code = words.strip_prefix("Command failed with exit code: ")?.strip_suffix('.')?;
    content::exit_code(code.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    #[test]
    fn only_bare_chat_messages_are_taken() {
        let cases = [
            (r#"{"role":"user","content":"hi"}"#, Match::Own),
            (r#"{"role":"assistant","tool_calls":[]}"#, Match::Own),
            (r#"{"role":"meta","type":"system.version","version":"3.0.0"}"#, Match::Own),
            (r#"{"role":"meta"}"#, Match::No),
            (r#"{"type":"turn.prompt","input":[],"time":1767225600474}"#, Match::Own),
            (r#"{"type":"http.request","time":1767225600474}"#, Match::Weak),
            (r#"{"type":"metadata","protocol_version":"1.5","created_at":1}"#, Match::Own),
            (r#"{"type":"metadata","protocol_version":"1.10"}"#, Match::Weak),
            (r#"{"timestamp":1.5,"message":{"type":"TurnEnd","payload":{}}}"#, Match::Own),
            (r#"{"role":"assistant"}"#, Match::No),
            (r#"{"role":"assistant","content":{}}"#, Match::No),
            (r#"{"role":"assistant","content":"hi","extra":{}}"#, Match::No),
            (r#"{"role":"assistant","content":"hi","type":"message"}"#, Match::No),
        ];
        let mut doc = Doc::default();
        for (line, want) in cases {
            assert_eq!(detect(doc.parse(line).unwrap()), want, "{line}");
        }
    }

    #[test]
    fn a_failure_is_the_whole_first_part() {
        let cases = [
            (r#""<system>ERROR: Command failed with exit code: 3.</system>""#, true, Some(3)),
            (r#""<system>ERROR: Command failed with exit code: -9.</system>""#, true, None),
            (r#"[{"type":"text","text":"<system>ERROR: gone</system>"}]"#, true, None),
            (r#""<system>ERROR: gone</system> said the log""#, false, None),
            (r#""see <system>ERROR: gone</system>""#, false, None),
            (r#"[{"type":"text","text":"<system>Fine.</system>"}]"#, false, None),
            ("[]", false, None),
            ("null", false, None),
        ];
        let mut doc = Doc::default();
        for (json, error, code) in cases {
            let found = failure(doc.parse(json).unwrap());
            assert_eq!((found.is_some(), found.and_then(exit_code)), (error, code), "{json}");
        }
    }
}
