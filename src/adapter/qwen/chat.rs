//! Session files, `.qwen/projects/<folder>/chats/<session>.jsonl`, and those of subagents beside them, recorded
//! with 0.24.4. They do not have Claude's shape, as the stream has.
//!
//! ```json
//! {"uuid":"…","parentUuid":null,"sessionId":"…","timestamp":"…","type":"user","provenance":"real_user","message":{"role":"user","parts":[{"text":"Say hello."}]},…}
//! {"uuid":"…",…,"type":"assistant","model":"…","message":{"role":"model","parts":[{"text":"…","thought":true},{"text":"I look."},{"functionCall":{…}}]},"usageMetadata":{"promptTokenCount":1200,…},"contextWindowSize":1000000}
//! {"uuid":"…",…,"type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{…}}]},"toolCallResult":{"callId":"…","status":"error","resultDisplay":{"exitCode":3,…},…}}
//! {"uuid":"…",…,"type":"system","subtype":"ui_telemetry","systemPayload":{"uiEvent":{"event.name":"qwen-code.api_response",…}}}
//! ```
//!
//! The prompt contains what was read from the cache, the output its thoughts. Telemetry tells the calls of the
//! conversation again, and besides those of subagents and of side questions (memory, compression), which no
//! other record of the file has: from the first of these on its running sum is the session's total.

use super::tools::TOOLS;
use crate::adapter::content::{self, arguments, plan};
use crate::adapter::embedded::{self, Part};
use crate::adapter::model::windowed;
use crate::adapter::recent::{Id, Recent};
use crate::adapter::written::written;
use crate::adapter::{Match, tool};
use crate::format::batch::Batch;
use crate::format::event::{
    Attachment, CallUsage, Code, FileChange, Level, Message, ModelUsage, Notice, SessionStarted,
    SessionTitle, SessionUsage, Since, Thinking, ToolCall, ToolResult,
};
use crate::format::tokens::Tokens;
use crate::format::write::{Keyed, Name, Text};
use crate::json::{self, Number, Value};

/// Whether a record is a line of a session file.
pub(super) fn detect(record: Value<'_>) -> Match {
    let [id, parent, session, message, payload] =
        record.pick(["uuid", "parentUuid", "sessionId", "message", "systemPayload"]);
    let enveloped = id.is_string() && parent.exists() && session.is_string();
    let own = payload.exists() || message.get("parts").is_array();
    if enveloped && own { Match::Own } else { Match::No }
}

/// The file beside a subagent's, which names the call that started it.
pub(super) fn beside(name: &str) -> Option<String> {
    let agent = name.strip_suffix(".jsonl").filter(|name| name.starts_with("agent-"))?;
    Some(format!("{agent}.meta.json"))
}

/// The reading of a session file.
#[derive(Debug, Default)]
pub(super) struct Chat {
    session: Option<String>,
    /// The record at hand is a subagent's, of which the call is not known.
    aside: bool,
    model: Option<String>,
    window: Option<u64>,
    title: Option<Id>,
    /// What the calls whose results have not come will have written.
    open: Recent<Vec<FileChange<'static>>>,
    /// The plan that was written last, by its call; it holds once its result is good.
    plan: Option<(Id, String)>,
    /// How long a call took, by telemetry, which comes before its result.
    took: Recent<Number>,
    /// What telemetry tells, and whether it told of more than the conversation.
    spent: Tokens,
    beside: bool,
}

impl Chat {
    /// Reads a record. `call`: the call that started the subagent whose file this is, where that is known.
    pub(super) fn read(&mut self, record: Value<'_>, call: Option<&str>, out: &mut Batch) {
        let [kind, time, id, subtype, message, payload] =
            record.pick(["type", "timestamp", "uuid", "subtype", "message", "systemPayload"]);
        out.time(time);
        self.start(record, out);
        let side = record.get("isSidechain").is_true();
        out.parent(call.filter(|_| side).map(Name::from));
        // A subagent's is not the context of the main thread, which only the call tells.
        self.aside = side && call.is_none();
        let parts = message.get("parts");
        match kind.decode().unwrap_or_default().as_ref() {
            "user" => {
                let synthetic = subtype.is("notification") || record.get("provenance").is("system");
                user(parts, payload.get("displayText"), synthetic, out);
            }
            "assistant" => {
                out.message_id(Name::filled(id));
                self.assistant(record, parts, out);
            }
            "tool_result" => self.results(record, parts, out),
            "system" => self.system(subtype, payload, out),
            _ => {}
        }
    }

    /// The first record of a session names it; which model it is and how large its window, the replies say.
    fn start(&mut self, record: Value<'_>, out: &mut Batch) {
        let [session, cwd, version] = record.pick(["sessionId", "cwd", "version"]);
        if self.session.as_ref().is_some_and(|known| session.is(known)) {
            return;
        }
        *self = Self { session: session.owned(), ..Self::default() };
        out.before(windowed(SessionStarted {
            harness: Some("qwen-code".into()),
            cwd: Name::filled(cwd),
            session_id: Name::filled(session),
            version: Name::filled(version),
            ..SessionStarted::default()
        }));
    }

    fn assistant(&mut self, record: Value<'_>, parts: Value<'_>, out: &mut Batch) {
        let [usage, model, window] = record.pick(["usageMetadata", "model", "contextWindowSize"]);
        if model.is_string() && !self.model.as_ref().is_some_and(|known| model.is(known)) {
            self.model = model.owned();
        }
        self.window = window.count().or(self.window);
        let role = || Some(Name::from("assistant"));
        for part in parts.elements() {
            let [text, thought, call] = part.pick(["text", "thought", "functionCall"]);
            if call.is_object() {
                self.call(call, out);
            } else if thought.is_true() {
                if let Some(text) = Text::filled(text) {
                    out.push(Thinking { text: Some(text), ..Thinking::default() });
                }
            } else if let Some(text) = Text::filled(text) {
                out.push(Message { role: role(), text: Some(text), ..Message::default() });
            } else if let Part::Attached(attachment, _) = embedded::part(part) {
                let attachments = vec![attachment];
                out.push(Message { role: role(), attachments, ..Message::default() });
            }
        }
        let spent = tokens(usage.pick([
            "promptTokenCount",
            "candidatesTokenCount",
            "cachedContentTokenCount",
            "thoughtsTokenCount",
        ]));
        if !spent.is_zero() {
            out.push(CallUsage {
                model: Name::filled(model),
                context_tokens: spent.context().filter(|_| !self.aside),
                ..spent.into()
            });
        }
    }

    fn call(&mut self, call: Value<'_>, out: &mut Batch) {
        let [id, name, args] = call.pick(["id", "name", "args"]);
        let tool = name.decode().unwrap_or_default();
        if let Some(id) = Id::of(id) {
            let files = written(TOOLS, &tool, args);
            if !files.is_empty() {
                self.open.add(id, files);
            }
            if tool == "todo_write" {
                self.plan = Some((id, args.text().to_owned()));
            }
        }
        out.push(ToolCall {
            call_id: Name::of(id),
            name: Name::of(name),
            input: arguments(args),
            ..tool::does(TOOLS, &tool, args)
        });
    }

    fn results(&mut self, record: Value<'_>, parts: Value<'_>, out: &mut Batch) {
        let [status, display, reason, took] = record.get("toolCallResult").pick([
            "status",
            "resultDisplay",
            "errorType",
            "durationMs",
        ]);
        for part in parts.elements() {
            let response = part.get("functionResponse");
            if !response.is_object() {
                continue;
            }
            let [id, said] = response.pick(["id", "response"]);
            let [output, error] = said.pick(["output", "error"]);
            let is_error = error.is_some() || status.is("error") || status.is("cancelled");
            let word = match () {
                () if status.is("cancelled") => Some("cancelled"),
                () if reason.is("execution_denied") => Some("denied"),
                () => None,
            };
            let output = if output.exists() { output } else { error };
            let key = Id::of(id);
            let files = key.and_then(|key| self.open.take(key)).unwrap_or_default();
            let measured = key.and_then(|key| self.took.take(key));
            let stated = display.get("exitCode").i64();
            out.push(ToolResult {
                call_id: Name::of(id),
                is_error,
                output: Text::of(output),
                exit_code: content::exit_code(stated.or_else(|| exit_code(output))),
                status: word.map(Name::from),
                duration_ms: took.number().or(measured),
                files: if is_error { Vec::new() } else { files },
                attachments: attached(response),
                ..ToolResult::default()
            });
            if let Some((_, args)) = self.plan.take_if(|(call, _)| key == Some(*call))
                && !is_error
            {
                let mut doc = json::Doc::default();
                let todos = doc.parse(&args).unwrap_or(Value::MISSING).get("todos");
                plan(todos, "content", out);
            }
        }
    }

    fn system(&mut self, subtype: Value<'_>, payload: Value<'_>, out: &mut Batch) {
        match subtype.decode().unwrap_or_default().as_ref() {
            "chat_compression" => out.push(Notice { code: Code::Compacted, ..Notice::default() }),
            "custom_title" => {
                // It is written again at the end of each process.
                let title = payload.get("customTitle");
                let known = Id::of(title);
                if known.is_some() && known != self.title {
                    self.title = known;
                    out.push(SessionTitle { title: Name::filled(title) });
                }
            }
            "ui_telemetry" => self.telemetry(payload.get("uiEvent"), out),
            _ => {}
        }
    }

    fn telemetry(&mut self, event: Value<'_>, out: &mut Batch) {
        let [name, prompt, agent, message, call, took] = event.pick([
            "event.name",
            "prompt_id",
            "subagent_name",
            "error_message",
            "call_id",
            "duration_ms",
        ]);
        if name.is("qwen-code.api_error") {
            let message = Text::filled(message);
            let (level, code) = (Level::Error, Code::Error);
            out.push(Notice { level, code, message, ..Notice::default() });
        } else if name.is("qwen-code.tool_call") {
            if let Some((id, took)) = Id::of(call).zip(took.number()) {
                self.took.add(id, took);
            }
        } else if name.is("qwen-code.api_response") {
            self.spent = self.spent.plus(tokens(event.pick([
                "input_token_count",
                "output_token_count",
                "cached_content_token_count",
                "thoughts_token_count",
            ])));
            // The conversation's own prompts are numbered behind the session's id.
            let own = prompt.decode().is_some_and(|prompt| prompt.contains("########"));
            self.beside |= agent.is_string() || !own;
            if self.beside {
                let (cumulative, context_window) = (Some(Since::Session), self.window);
                let model = self.model.as_ref().filter(|_| context_window.is_some());
                let window = ModelUsage { context_window, ..ModelUsage::default() };
                let models = model.map(|model| (Name::from(model), window));
                let models = Keyed(models.into_iter().collect());
                out.push(SessionUsage { models, cumulative, ..self.spent.into() });
            }
        }
    }
}

/// A prompt. What was typed is stated where hooks added something to it.
fn user(parts: Value<'_>, typed: Value<'_>, synthetic: bool, out: &mut Batch) {
    let mut attachments = Vec::new();
    let mut written = String::new();
    for part in parts.elements() {
        if let Part::Attached(attachment, _) = embedded::part(part) {
            attachments.push(attachment);
        } else if let Some(text) = part.get("text").str() {
            if !written.is_empty() {
                written.push_str("\\n");
            }
            written.push_str(text.raw());
        }
    }
    let said = (!written.is_empty()).then(|| Text::written(written));
    let text = Text::filled(typed).or(said);
    if text.is_some() || !attachments.is_empty() {
        let role = Some(Name::from("user"));
        out.push(Message { role, text, synthetic, attachments, ..Message::default() });
    }
}

/// Images and the like, which stand among the parts of a response.
fn attached(response: Value<'_>) -> Vec<Attachment<'_>> {
    let attached = |part| match embedded::part(part) {
        Part::Attached(attachment, _) => Some(attachment),
        _ => None,
    };
    response.get("parts").elements().filter_map(attached).collect()
}

/// Input, output, what of the input was cached, and what of the output was thought.
fn tokens(counts: [Value<'_>; 4]) -> Tokens {
    let [input, output, cache_read, thoughts] = counts.map(Value::count);
    let reasoning = thoughts.filter(|count| *count > 0);
    Tokens { input, output, cache_read, reasoning, ..Tokens::default() }.without_cached()
}

/// The exit status in the block that the shell tool hands back, whose last lines are these: `Exit Code: 3`,
/// `Signal: (none)`, `Process Group PGID: (none)`.
fn exit_code(output: Value<'_>) -> Option<i64> {
    let raw = output.str()?.raw();
    let (_, end) = raw.strip_prefix("Command: ")?.rsplit_once("\\nExit Code: ")?;
    let (code, rest) = end.split_once("\\nSignal: ")?;
    rest.contains("\\nProcess Group PGID: ").then_some(())?;
    code.parse().ok().filter(|code| (0..=255).contains(code))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::adapter::{Protocol, testing};
    use crate::format::event::EventType as E;

    fn read(records: &[&str]) -> Vec<testing::Told> {
        let enveloped = |record: &&str| {
            record.replacen('{', r#"{"uuid":"u","parentUuid":null,"sessionId":"s","#, 1)
        };
        let lines: Vec<String> = records.iter().map(enveloped).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        testing::mapped(Protocol::Qwen, &lines)
    }

    #[test]
    fn telemetry_is_a_total_once_it_tells_of_more_than_the_conversation() {
        let response = |prompt: &str| {
            format!(
                r#"{{"type":"system","systemPayload":{{"uiEvent":{{"event.name":"qwen-code.api_response","prompt_id":"{prompt}","input_token_count":10,"output_token_count":1,"cached_content_token_count":4}}}},"subtype":"ui_telemetry"}}"#
            )
        };
        let own = response("s########0");
        let told = read(&[&own, &response("compress-1"), &own]);
        let totals: Vec<_> = told
            .iter()
            .filter(|told| told.kind == E::Usage)
            .map(|told| (told.line, &told.payload["inputTokens"], &told.payload["cacheReadTokens"]))
            .collect();
        assert_eq!(totals, [(2, &json!(12), &json!(8)), (3, &json!(18), &json!(12))]);
    }

    #[test]
    fn a_title_is_told_when_it_changes() {
        let title = |text: &str| {
            format!(
                r#"{{"type":"system","subtype":"custom_title","systemPayload":{{"customTitle":"{text}"}}}}"#
            )
        };
        let told = read(&[&title("a"), &title("a"), &title(""), &title("b")]);
        let titles: Vec<_> =
            told.iter().filter_map(|told| told.payload["title"].as_str()).collect();
        assert_eq!(titles, ["a", "b"]);
    }

    #[test]
    fn a_call_that_was_cancelled_wrote_nothing() {
        let told = read(&[
            r#"{"type":"assistant","message":{"parts":[{"functionCall":{"id":"c","name":"write_file","args":{"file_path":"a"}}}]}}"#,
            r#"{"type":"tool_result","message":{"parts":[{"functionResponse":{"id":"c","response":{"output":"x"}}}]},"toolCallResult":{"status":"cancelled"}}"#,
        ]);
        let result = &told.last().unwrap().payload;
        assert_eq!((&result["isError"], &result["status"]), (&json!(true), &json!("cancelled")));
        assert_eq!(result["files"], json!(null));
    }

    #[test]
    fn wrong_shapes_cost_nothing_but_themselves() {
        for record in [
            r#"{"type":7,"systemPayload":{}}"#,
            r#"{"type":"user","message":{"parts":[7,{"text":7}]}}"#,
            r#"{"type":"assistant","message":{"parts":[{"functionCall":7}]},"usageMetadata":[]}"#,
            r#"{"type":"tool_result","message":{"parts":[{}]},"toolCallResult":7}"#,
            r#"{"type":"system","subtype":"custom_title","systemPayload":{"customTitle":[]}}"#,
            r#"{"type":"system","subtype":"ui_telemetry","systemPayload":7}"#,
        ] {
            let told = read(&[record]);
            assert!(told.iter().all(|told| told.kind == E::SessionStarted), "{record} {told:?}");
        }
    }
}
