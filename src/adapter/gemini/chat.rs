//! Session files, `.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, recorded with 0.61; 0.30 writes one
//! JSON document, `….json`.
//!
//! ```json
//! {"sessionId":"015144db-…","projectHash":"926574b4…","startTime":"…","lastUpdated":"…","kind":"main"}
//! {"id":"1","timestamp":"…","type":"user","content":[{"text":"Say hello."}]}
//! {"id":"2","timestamp":"…","type":"gemini","content":"I look.","thoughts":[…],"tokens":{"input":1200,"output":50,"cached":1000,"thoughts":20,"tool":0,"total":1270},"model":"gemini-2.5-pro"}
//! {"$set":{"lastUpdated":"…"}}
//! {"id":"2","timestamp":"…","type":"gemini","content":"I look.",…,"toolCalls":[{"id":"…","name":"read_file","args":{…},"status":"success","result":[{"functionResponse":{…}}],"resultDisplay":"…"}]}
//! ```
//!
//! A file is a list of patches. A reply comes again, under its id, when its tools have ended: then its calls
//! and their results are new, and nothing else. `$set.messages` tells the model's context again, at the start,
//! at a resume and when it was compressed. In the older document each reply stands once; replies that are only
//! calls are joined with the one before, and their tokens are lost.
//!
//! `input` contains `cached`; `thoughts` lie beside `output`. Calls whose tools ran when the process ended are
//! not in the file.

use super::tools::TOOLS;
use crate::adapter::content::{self, arguments, plan};
use crate::adapter::embedded::{self, Part};
use crate::adapter::model::windowed;
use crate::adapter::recent::{Id, Recent};
use crate::adapter::written::written;
use crate::adapter::{Match, tool};
use crate::format::batch::Batch;
use crate::format::event::{
    Attachment, CallUsage, Code, FileChange, Level, Message, Notice, SessionStarted, Thinking,
    ToolCall, ToolResult,
};
use crate::format::tokens::Tokens;
use crate::format::write::{Name, Text};
use crate::json::{self, Value};

/// Whether a record is a line of a session file, or the document.
pub(super) fn detect(record: Value<'_>) -> Match {
    let [session, project, kind, set, rewind] =
        record.pick(["sessionId", "projectHash", "type", "$set", "$rewindTo"]);
    if !kind.exists() {
        let header = session.is_string() && project.is_string();
        let patch = set.is_object() || rewind.is_string();
        return if header || patch { Match::Own } else { Match::No };
    }
    let [id, time, content, role] = record.pick(["id", "timestamp", "content", "role"]);
    if !id.is_string() || !time.is_string() || !content.exists() || role.exists() {
        return Match::No;
    }
    if kind.is("gemini") {
        Match::Own
    } else if ["user", "info", "error", "warning"].iter().any(|word| kind.is(word)) {
        Match::Weak
    } else {
        Match::No
    }
}

/// The reading of a session file.
#[derive(Debug, Default)]
pub(super) struct Chat {
    session: Option<String>,
    /// The replies and the prompts that were told.
    told: Recent<()>,
    /// The calls that were told, and whether their results were.
    calls: Recent<bool>,
}

impl Chat {
    /// Reads a record.
    pub(super) fn read(&mut self, record: Value<'_>, out: &mut Batch) {
        let [session, time, start, messages, kind] =
            record.pick(["sessionId", "timestamp", "startTime", "messages", "type"]);
        out.time(if kind.exists() { time } else { start });
        if kind.exists() {
            self.message(record, out);
        } else if session.is_string() {
            self.start(session, out);
            for message in messages.elements() {
                self.message(message, out);
                out.message_id(None);
            }
        }
    }

    /// The header, which stands again where the session was resumed.
    fn start(&mut self, session: Value<'_>, out: &mut Batch) {
        if self.session.as_ref().is_some_and(|known| session.is(known)) {
            return;
        }
        *self = Self { session: session.owned(), ..Self::default() };
        out.push(windowed(SessionStarted {
            harness: Some("gemini-cli".into()),
            session_id: Name::filled(session),
            ..SessionStarted::default()
        }));
    }

    fn message(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, kind, content, thoughts, tokens, model, calls] =
            record.pick(["id", "type", "content", "thoughts", "tokens", "model", "toolCalls"]);
        let key = Id::of(id);
        let again = key.is_some_and(|key| self.told.get(key).is_some());
        if let Some(key) = key.filter(|_| !again) {
            self.told.add(key, ());
        }
        out.message_id(Name::filled(id));
        let kind = kind.decode().unwrap_or_default();
        match &*kind {
            "user" if !again => said("user", content, out),
            "gemini" => {
                if !again {
                    for thought in thoughts.elements() {
                        out.push(Thinking { text: Some(thinking(thought)), ..Thinking::default() });
                    }
                    said("assistant", content, out);
                    if let Some(usage) = spent(tokens, model) {
                        out.push(usage);
                    }
                }
                for call in calls.elements() {
                    self.call(call, out);
                }
            }
            "info" | "error" | "warning" if !again => {
                let level = match &*kind {
                    "info" => Level::Info,
                    "error" => Level::Error,
                    _ => Level::Warning,
                };
                let code = if level == Level::Info { Code::Info } else { Code::Error };
                let message = texts(content).text;
                if message.is_some() {
                    out.push(Notice { level, code, message, ..Notice::default() });
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, call: Value<'_>, out: &mut Batch) {
        let [id, name, args, status, result, display] =
            call.pick(["id", "name", "args", "status", "result", "resultDisplay"]);
        let key = Id::of(id);
        let known = key.and_then(|key| self.calls.get(key).copied());
        let ended = ["success", "error", "cancelled"].iter().any(|word| status.is(word));
        let tool = name.decode().unwrap_or_default();
        if known.is_none() {
            out.push(ToolCall {
                call_id: Name::of(id),
                name: Name::of(name),
                input: arguments(args),
                ..tool::does(TOOLS, &tool, args)
            });
        }
        if known == Some(true) || !ended {
            if let (Some(key), None) = (key, known) {
                self.calls.add(key, false);
            }
            return;
        }
        let good = status.is("success");
        let (text, attachments) = outcome(result, display);
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error: !good,
            exit_code: exit_code(result),
            status: status.is("cancelled").then(|| "cancelled".into()),
            output: text,
            files: if good { changed(&tool, args, display) } else { Vec::new() },
            attachments,
            ..ToolResult::default()
        });
        if good && tool == "write_todos" {
            plan(args.get("todos"), "description", out);
        }
        if let Some(key) = key {
            match self.calls.get(key) {
                Some(told) => *told = true,
                None => self.calls.add(key, true),
            }
        }
    }
}

/// A message. What only hands the results of calls back to the model was told with them.
fn said(role: &'static str, content: Value<'_>, out: &mut Batch) {
    let content::Content { text, attachments } = texts(content);
    if text.is_some() || !attachments.is_empty() {
        out.push(Message { role: Some(role.into()), text, attachments, ..Message::default() });
    }
}

/// A string, or the texts of the parts that have one: `[{"text":…},{"inlineData":…},{"functionResponse":…}]`.
fn texts(content: Value<'_>) -> content::Content<'_> {
    if content.is_string() {
        return content::Content { text: Text::filled(content), attachments: Vec::new() };
    }
    let mut written = String::new();
    let mut attachments = Vec::new();
    for part in content.elements() {
        if !written.is_empty() {
            written.push_str("\\n");
        }
        if let Some(text) = part.get("text").str() {
            written.push_str(text.raw());
        } else if let Part::Attached(attachment, line) = embedded::part(part) {
            json::push_escaped(&mut written, &line);
            attachments.push(attachment);
        } else if written.ends_with("\\n") {
            written.truncate(written.len() - 2);
        }
    }
    let text = (!written.is_empty()).then(|| Text::written(written));
    content::Content { text, attachments }
}

/// `{"subject":"Weighing options","description":"The user wants a run."}`
fn thinking(thought: Value<'_>) -> Text<'_> {
    let [subject, description] = thought.pick(["subject", "description"]);
    match (Text::filled(subject), Text::filled(description)) {
        (Some(_), Some(_)) => {
            let [subject, description] =
                [subject, description].map(|text| text.decode().unwrap_or_default());
            Text::from(format!("{subject}: {description}"))
        }
        (one, other) => one.or(other).unwrap_or_default(),
    }
}

fn spent<'a>(stated: Value<'a>, model: Value<'a>) -> Option<CallUsage<'a>> {
    let [input, output, cache_read, thoughts] =
        stated.pick(["input", "output", "cached", "thoughts"]).map(Value::count);
    let reasoning = thoughts.filter(|count| *count > 0);
    let gross = Tokens { input, output, cache_read, reasoning, ..Tokens::default() };
    (!gross.is_zero()).then(|| CallUsage {
        model: Name::filled(model),
        context_tokens: input,
        ..gross.without_cached().into()
    })
}

/// What the model was given: `[{"functionResponse":{"response":{"output":…}}}]`, or `error`; where it is
/// neither, what a person was shown.
fn outcome<'a>(result: Value<'a>, display: Value<'a>) -> (Option<Text<'a>>, Vec<Attachment<'a>>) {
    let mut attachments = Vec::new();
    let mut text = None;
    for part in result.elements() {
        let response = part.get("functionResponse").get("response");
        let [output, error] = response.pick(["output", "error"]);
        let given = Text::filled(output).or_else(|| Text::filled(error));
        text = text.or(given);
        if let Part::Attached(attachment, _) = embedded::part(part) {
            attachments.push(attachment);
        }
    }
    (text.or_else(|| Text::filled(display)), attachments)
}

/// The exit status in the block that the shell tool hands back, whose last lines are these, within an
/// `<untrusted_context>` or not: `Exit Code: 3`, `Process Group PGID: 24`.
fn exit_code(result: Value<'_>) -> Option<i64> {
    let response = result.elements().next()?.get("functionResponse");
    if !response.get("name").is("run_shell_command") {
        return None;
    }
    let raw = response.get("response").get("output").str()?.raw();
    let raw = raw.strip_suffix("\\n</untrusted_context>").unwrap_or(raw);
    let (rest, group) = raw.rsplit_once("\\nProcess Group PGID: ")?;
    group.parse::<u64>().ok()?;
    let (_, code) = rest.rsplit_once("\\nExit Code: ")?;
    code.parse().ok().filter(|code| (0..=255).contains(code))
}

/// The file that a tool wrote. What a person is shown says its path, and whether it is new.
fn changed(tool: &str, args: Value<'_>, display: Value<'_>) -> Vec<FileChange<'static>> {
    let mut files = written(TOOLS, tool, args);
    let [path, new] = display.pick(["filePath", "isNewFile"]);
    if let ([file], Some(new)) = (&mut files[..], new.bool()) {
        file.change = if new { "add" } else { "update" }.into();
        if let Some(path) = path.owned() {
            file.path = Name::from(path);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::adapter::{Protocol, testing};
    use crate::format::event::EventType as E;

    const HEADER: &str =
        r#"{"sessionId":"s","projectHash":"p","startTime":"2026-01-01T00:00:00.000Z"}"#;

    fn read(records: &[&str]) -> Vec<testing::Told> {
        let stamped =
            |record: &&str| record.replacen('{', r#"{"timestamp":"2026-01-01T00:00:01.000Z","#, 1);
        let records: Vec<String> = records.iter().map(stamped).collect();
        let lines: Vec<&str> =
            std::iter::once(HEADER).chain(records.iter().map(String::as_str)).collect();
        testing::mapped(Protocol::Gemini, &lines).into_iter().skip(1).collect()
    }

    #[test]
    fn a_reply_that_comes_again_adds_only_what_is_new() {
        let call = |status: &str| {
            format!(
                r#"{{"id":"1","type":"gemini","content":"c","toolCalls":[{{"id":"t","name":"run_shell_command","args":{{"command":"ls"}},"status":"{status}"}}]}}"#
            )
        };
        let told = read(&[&call("executing"), &call("cancelled"), &call("cancelled")]);
        let kinds: Vec<_> = told.iter().map(|told| (told.line, told.kind)).collect();
        assert_eq!(kinds, [(2, E::Message), (2, E::ToolCall), (3, E::ToolResult)]);
        assert_eq!(told[1].payload["target"], "ls");
        let result = &told[2].payload;
        assert_eq!((&result["isError"], &result["status"]), (&json!(true), &json!("cancelled")));
    }

    #[test]
    fn only_the_shell_s_whole_block_states_an_exit() {
        for (name, output, code) in [
            ("run_shell_command", "Output: x\\nExit Code: 3\\nProcess Group PGID: 32", json!(3)),
            (
                "run_shell_command",
                "<untrusted_context>\\nOutput: x\\nExit Code: 3\\nProcess Group PGID: 3\\n</untrusted_context>",
                json!(3),
            ),
            ("run_shell_command", "Output: x\\nExit Code: 3", json!(null)),
            ("read_file", "Output: x\\nExit Code: 3\\nProcess Group PGID: 32", json!(null)),
        ] {
            let call = format!(
                r#"{{"id":"1","type":"gemini","content":"","toolCalls":[{{"id":"t","name":"{name}","args":{{}},"status":"success","result":[{{"functionResponse":{{"name":"{name}","response":{{"output":"{output}"}}}}}}]}}]}}"#
            );
            let told = read(&[&call]);
            assert_eq!(told[1].payload["exitCode"], code, "{name} {output}");
        }
    }

    #[test]
    fn parts_that_are_no_text_are_attachments_or_nothing() {
        let told = read(&[
            r#"{"id":"1","type":"user","content":[{"text":"see"},{"functionResponse":{}},{"inlineData":{"mimeType":"image/png","data":"QUJD"}}]}"#,
            r#"{"id":"2","type":"user","content":[{"functionResponse":{"response":{"output":"o"}}}]}"#,
            r#"{"id":"3","type":"info","content":""}"#,
            r#"{"id":"4","type":"user","content":7}"#,
            r#"{"id":"5","type":"gemini","content":[],"thoughts":7,"tokens":[],"toolCalls":{}}"#,
        ]);
        let [message] = &told[..] else { panic!("{told:?}") };
        assert_eq!(message.payload["text"], "see\n[image image/png, 3 bytes]");
        assert_eq!(message.payload["attachments"], json!([{"mediaType": "image/png", "bytes": 3}]));
    }
}
