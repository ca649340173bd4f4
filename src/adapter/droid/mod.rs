//! Factory Droid, `exec -o stream-json`, and its session files (`session.rs`).
//!
//! Every line names the session; all but the first carry a `timestamp` in milliseconds:
//!
//! ```json
//! {"type":"system","subtype":"init","cwd":"/workspace","session_id":"…","tools":["Read",…],"model":"custom:Demo-0","reasoning_effort":"none"}
//! {"type":"message","role":"assistant","id":"974d…","text":"Trying.","timestamp":1796040063581,"session_id":"…"}
//! {"type":"reasoning","id":"6355…","text":"…","timestamp":…,"session_id":"…"}
//! {"type":"tool_call","id":"call_01_00","messageId":"974d…","toolId":"Execute","toolName":"Execute","parameters":{"command":"…"},…}
//! {"type":"tool_result","id":"call_01_00","messageId":"3ac0…","toolId":"Execute","isError":false,"value":"hello\n\n\n[Process exited with code 0]",…}
//! {"type":"tool_result","id":"call_02_00","messageId":"82e6…","toolId":"Read","isError":true,"error":{"type":"tool_error","message":"…"},…}
//! {"type":"completion","finalText":"…","numTurns":5,"durationMs":612,"usage":{…},…}
//! {"type":"error","source":"agent_loop","message":"401 …",…}
//! {"type":"error","source":"cli","message":"Exec failed",…}
//! ```
//!
//! Recorded with 0.225.2. A reasoning line comes twice (recording 0.225 thinking). A good run ends
//! with `completion`. A failed one ends with an `error` of the source `cli`, whose words may be those
//! of the last message (recording 0.225 err-after-tool); what went wrong is in the `error` of
//! `agent_loop` before it. After a signal there is neither (recording 0.225 interrupted-tool). `-o
//! json` prints a single `result`, shaped like Claude's but for the `factory_credits` in its usage.
//!
//! The exit status of a command is in fixed words: `[Process exited with code 0]` ends the result of
//! one that went well, `Error: Command failed (exit code: 3)` opens that of one that did not
//! (recording 0.225 failing).
//!
//! Usage: only the run's total, in `completion`. `input_tokens` is net of the cache: recording 0.225
//! text has 1200 prompt tokens, 1000 of them cached, and prints 200. Credits are no dollars.

mod ends;
mod results;
mod session;
mod tools;

use self::ends::{completion, single};
use self::results::{changes, denied, exit, plan_of};
use self::session::Settings;
use self::tools::TOOLS;
use super::content::{self, arguments};
use super::recent::Recent;
use super::running::Running;
use super::tool;
use super::written::Writing;
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::Batch;
use crate::format::event::{
    Code, Level, Message, Notice, SessionEnded, SessionStarted, Status, Thinking, ToolCall,
    ToolResult,
};
use crate::format::write::{Name, Text};
use crate::json::Value;

pub(super) const DIALECT: Dialect = Dialect {
    name: "droid",
    summary: "Factory Droid, stream-json output of exec",
    recorded: "droid 0.225.2",
    carries: Carries { session_id: true, model: true, tokens: true, cost: false, end: true },
    detect,
    session: &["session_id"],
    tools: TOOLS,
    beside: session::beside,
    commands: &["droid", "@factory/cli"],
    flags: &[Flags {
        behind: Some("exec"),
        unless: &["--output-format", "-o"],
        add: &["--output-format", "stream-json"],
    }],
    left_raw: &[
        // What only the model sees of a session file.
        "message/user",
        "reasoning",
    ],
    ..Dialect::BASE
};

fn detect(record: Value<'_>) -> Match {
    let [kind, session] = record.pick(["type", "session_id"]);
    let Some(kind) = kind.decode() else { return Match::No };
    if !session.is_string() {
        return file(&kind, record);
    }
    let strings = |keys: [&str; 2]| record.pick(keys).iter().all(|v| v.is_string());
    let own = match kind.as_ref() {
        "system" => return start(record),
        "message" | "reasoning" => {
            let [message, uuid] = record.pick(["message", "uuid"]);
            strings(["id", "text"]) && !message.exists() && !uuid.exists()
        }
        "tool_call" | "tool_result" => strings(["id", "toolId"]),
        "completion" => record.get("finalText").exists() && record.get("numTurns").exists(),
        "error" => strings(["source", "message"]),
        "result" if record.get("usage").get("factory_credits").exists() => true,
        "result" => return Match::Weak,
        _ => false,
    };
    if own { Match::Own } else { Match::No }
}

/// A record of a session file names no session.
fn file(kind: &str, record: Value<'_>) -> Match {
    match kind {
        "session_start" if session::is_start(record) => Match::Own,
        "agent_turn_outcome" if record.get("turnId").is_string() => Match::Own,
        "message" if session::is_message(record) => Match::Weak,
        _ => Match::No,
    }
}

/// The start has Claude's shape. Only `reasoning_effort` is droid's own.
fn start(record: Value<'_>) -> Match {
    let [subtype, effort, uuid, servers, source] =
        record.pick(["subtype", "reasoning_effort", "uuid", "mcp_servers", "apiKeySource"]);
    let foreign = uuid.exists() || servers.exists() || source.exists();
    match subtype.is("init") && !foreign {
        true if effort.is_string() => Match::Own,
        true => Match::Weak,
        false => Match::No,
    }
}

#[derive(Debug, Default)]
pub(crate) struct Adapter {
    session: Option<String>,
    /// The id and the text of the last reasoning line, as printed.
    reasoning: (String, String),
    /// The id and the list of the last plan that was written; it holds once its result is good.
    plan: Option<(String, String)>,
    /// What `agent_loop` said went wrong.
    error: Option<String>,
    /// The model that the answers of a session file named last.
    model: Option<String>,
    cwd: Option<String>,
    /// What the file beside a session file says.
    settings: Settings,
    /// Which of the own tools an open call of a session file is of: its result names none.
    open: Recent<&'static str>,
    writing: Writing,
    spent: Running,
}

/// A call's result, wherever its parts stand.
struct Returned<'a> {
    id: Value<'a>,
    tool: &'a str,
    is_error: bool,
    said: Value<'a>,
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, time, session] = record.pick(["type", "timestamp", "session_id"]);
        out.time(time);
        let kind = kind.decode().unwrap_or_default();
        if kind == "system" && record.get("subtype").is("init") {
            return self.started(record, session, out);
        }
        if let Some(id) =
            session.str().filter(|id| !self.session.as_deref().is_some_and(|s| id.is(s)))
        {
            self.session = Some(id.decode().into_owned());
            out.before(windowed(SessionStarted {
                harness: Some("droid".into()),
                session_id: Some(id.into()),
                ..SessionStarted::default()
            }));
        }
        match kind.as_ref() {
            "message" if record.get("message").is_object() => self.entry(record, out),
            "session_start" => self.open(record, out),
            "agent_turn_outcome" => self.outcome(record, out),
            "compaction_state" => session::compacted(out),
            "message" => message(record, out),
            "reasoning" => self.reasoning(record, out),
            "tool_call" => self.call(record, out),
            "tool_result" => self.result(record, out),
            "completion" => {
                self.error = None;
                completion(record, &mut self.spent, out);
            }
            "error" => self.error(record, out),
            "result" => single(record, &mut self.spent, out),
            _ => {}
        }
    }

    fn beside(&mut self, _name: &str, beside: Value<'_>) {
        self.settings = Settings::read(beside);
    }

    fn pending(&self) -> bool {
        self.settings.is_due()
    }

    fn finish(&mut self, out: &mut Batch) {
        if let Some(total) = self.settings.total() {
            out.before(total);
        }
    }
}

impl Adapter {
    fn started(&mut self, record: Value<'_>, session: Value<'_>, out: &mut Batch) {
        let [cwd, tools, model] = record.pick(["cwd", "tools", "model"]);
        self.session = session.owned();
        out.push(windowed(SessionStarted {
            harness: Some("droid".into()),
            model: Name::filled(model),
            cwd: Name::filled(cwd),
            session_id: Name::filled(session),
            tools: tools.is_array().then(|| tools.elements().filter_map(Name::of).collect()),
            ..SessionStarted::default()
        }));
    }

    fn reasoning(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, text] = record.pick(["id", "text"]);
        let (last_id, last_text) = &self.reasoning;
        let again = last_id == id.text() && last_text == text.text();
        let words = Text::filled(text).filter(|_| !again);
        if words.is_some() {
            self.reasoning = (id.text().to_owned(), text.text().to_owned());
            out.message_id(Name::filled(id));
            out.push(Thinking { text: words, ..Thinking::default() });
        }
    }

    fn call(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, message, tool, name, parameters] =
            record.pick(["id", "messageId", "toolId", "toolName", "parameters"]);
        let shown = if name.is("") || !name.is_string() { tool } else { name };
        out.message_id(Name::filled(message));
        self.begin(id, tool, shown, parameters, out);
    }

    /// A call begins: of `tool`, which is shown as `name`.
    fn begin(
        &mut self,
        id: Value<'_>,
        tool: Value<'_>,
        name: Value<'_>,
        input: Value<'_>,
        out: &mut Batch,
    ) {
        let todos = input.get("todos");
        if tool.is("TodoWrite") && (todos.is_array() || todos.is_string()) {
            let id = id.owned().unwrap_or_default();
            self.plan = Some((id, todos.text().to_owned()));
        }
        let word = tool.decode().unwrap_or_default();
        self.writing.call(TOOLS, id, &word, input);
        out.push(ToolCall {
            call_id: Name::of(id),
            name: Name::of(name),
            input: arguments(input),
            ..tool::does(TOOLS, &word, input)
        });
    }

    fn result(&mut self, record: Value<'_>, out: &mut Batch) {
        let [id, message, tool, failed, value, error] =
            record.pick(["id", "messageId", "toolId", "isError", "value", "error"]);
        let words = error.get("message");
        let words = if words.is_string() { words } else { error };
        let is_error = failed.is_true() || error.is_some();
        let said = if is_error && error.is_some() { words } else { value };
        out.message_id(Name::filled(message));
        let tool = tool.decode().unwrap_or_default();
        self.returned(&Returned { id, tool: &tool, is_error, said }, out);
    }

    /// A call's result is there.
    fn returned(&mut self, result: &Returned<'_>, out: &mut Batch) {
        let Returned { id, tool, is_error, said } = *result;
        let content = content::content(said);
        let written = self.writing.result(id, !is_error);
        let stated = if is_error { Vec::new() } else { changes(tool, said) };
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error,
            output: content.text,
            exit_code: if tool == "Execute" { exit(said, is_error) } else { None },
            status: (is_error && denied(said)).then(|| "denied".into()),
            // What the result says is more than what the arguments do.
            files: if stated.is_empty() { written } else { stated },
            attachments: content.attachments,
            ..ToolResult::default()
        });
        if let Some((_, todos)) = self.plan.take_if(|(call, _)| id.is(call))
            && !is_error
        {
            plan_of(&todos, out);
        }
    }

    fn error(&mut self, record: Value<'_>, out: &mut Batch) {
        let [source, message] = record.pick(["source", "message"]);
        if source.is("cli") {
            let cause = self.error.take().map(Text::from);
            out.push(SessionEnded {
                status: Status::Failed,
                error: cause.or_else(|| Text::filled(message)),
                ..SessionEnded::default()
            });
            return;
        }
        self.error = message.decode().filter(|text| !text.is_empty()).map(Into::into);
        out.push(Notice {
            level: Level::Error,
            code: Code::Error,
            message: Text::of(message),
            ..Notice::default()
        });
    }
}

fn message(record: Value<'_>, out: &mut Batch) {
    let [role, id, text] = record.pick(["role", "id", "text"]);
    let text = Text::filled(text);
    if text.is_some() {
        out.message_id(Name::filled(id));
        out.push(Message { role: Name::of(role), text, ..Message::default() });
    }
}
