//! The Grok CLI of xAI, `grok -p … --output-format streaming-json`.
//!
//! ```json
//! {"type":"thought","data":"Look first."}
//! {"type":"text","data":"Hel"}
//! {"type":"tool_call","toolCallId":"c1","title":"…","toolName":"read_file","kind":"read","rawInput":{"path":"a.txt"},"status":"in_progress"}
//! {"type":"tool_call_update","toolCallId":"c1","status":"completed","content":[…]}
//! {"type":"usage","usage":{"input_tokens":100,"output_tokens":12}}
//! {"type":"end","stopReason":"EndTurn","sessionId":"…","requestId":"…","usage":{"input_tokens":13373,"cache_read_input_tokens":5248,"output_tokens":192,"reasoning_tokens":151,"total_tokens":18813},"num_turns":1,"total_cost_usd":0.03,"modelUsage":{"grok-x":{"inputTokens":13373,"outputTokens":192,"cacheReadInputTokens":5248,"costUSD":0.03}}}
//! ```
//!
//! Nothing was recorded: this follows streams of 0.2 to 1.0.41 that others published. Texts come only as
//! pieces; a line of another kind ends one. Tool calls are the Agent Client Protocol's; versions before 1.0
//! print none. Its other form, `streaming-messages-json`, is Claude's.
//!
//! Usage: `end` has the total of the process. Its `total_tokens` is input, cache and output together (a
//! published line: 13373 + 5248 + 192 = 18813), so the input does not contain what was cached, and the output
//! contains the reasoning. The `usage` lines of newer versions are calls.

mod tools;

use self::tools::TOOLS;
use super::acp::calls::Calls;
use super::ending::{self, says_failed};
use super::pieces::Pieces;
use super::running::Running;
use super::{Adapt, Carries, Dialect, Flags, Match};
use crate::adapter::model::windowed;
use crate::format::batch::{Batch, Place};
use crate::format::event::{
    CallUsage, Code, Delta, Level, ModelUsage, Notice, Of, SessionEnded, SessionStarted,
    SessionUsage, Status,
};
use crate::format::tokens::Tokens;
use crate::format::write::{Keyed, Name, Text};
use crate::json::Value;

pub(super) const DIALECT: Dialect = Dialect {
    name: "grok",
    summary: "Grok CLI, streaming-json output",
    recorded: "grok 0.2 to 1.0, public shapes only",
    made_up: true,
    carries: Carries { session_id: true, model: true, tokens: true, cost: true, end: true },
    detect,
    tools: TOOLS,
    commands: &["grok", "@xai-official/grok"],
    flags: &[Flags {
        behind: None,
        unless: &["--output-format"],
        add: &["--output-format", "streaming-json"],
    }],
    ..Dialect::BASE
};

fn detect(record: Value<'_>) -> Match {
    let [kind, data, stop, session, call, name] =
        record.pick(["type", "data", "stopReason", "sessionId", "toolCallId", "toolName"]);
    let own = match kind.decode().unwrap_or_default().as_ref() {
        "text" | "thought" => {
            let known = ["type", "data", "time", "timestamp", "ts"];
            let bare = |(key, _): (crate::json::Str<'_>, Value<'_>)| {
                known.iter().any(|known| key.is(known))
            };
            data.is_string() && record.members().all(bare)
        }
        "end" => stop.is_string() && session.is_string(),
        "tool_call" | "tool_call_update" => call.is_string() && name.is_string(),
        "usage" if record.get("usage").is_object() => return Match::Weak,
        "error" if record.get("message").is_string() => return Match::Weak,
        _ => return Match::No,
    };
    if own { Match::Own } else { Match::Weak }
}

#[derive(Debug)]
pub(crate) struct Adapter {
    started: bool,
    /// The text that is being put together, and what it is.
    text: Pieces,
    of: Of,
    calls: Calls,
    model: Option<String>,
    /// An error came since the last end.
    failed: bool,
    spent: Running,
}

impl Default for Adapter {
    fn default() -> Self {
        Self {
            started: false,
            text: Pieces::default(),
            of: Of::Message,
            calls: Calls::of(TOOLS),
            model: None,
            failed: false,
            spent: Running::default(),
        }
    }
}

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        let [kind, time, timestamp] = record.pick(["type", "time", "timestamp"]);
        out.time(time);
        out.time(timestamp);
        let kind = kind.decode().unwrap_or_default();
        if !self.started && detect(record) != Match::No {
            self.start(Value::MISSING, Place::Before, out);
        }
        match kind.as_ref() {
            "text" => return self.piece(Of::Message, record, out),
            "thought" => return self.piece(Of::Thinking, record, out),
            _ => self.flush(out),
        }
        match kind.as_ref() {
            "tool_call" => self.calls.see(record, true, out),
            "tool_call_update" => self.calls.see(record, false, out),
            "usage" => self.usage(record, out),
            "error" => {
                self.failed = true;
                let message = Text::filled(record.get("message"));
                out.push(Notice {
                    level: Level::Error,
                    code: Code::Error,
                    message: message.or_else(|| ending::error(record)),
                    ..Notice::default()
                });
            }
            "end" => self.end(record, out),
            _ => {}
        }
    }

    fn interrupt(&mut self, out: &mut Batch) {
        self.flush(out);
    }

    fn pending(&self) -> bool {
        !self.text.is_empty() || self.calls.waiting()
    }

    fn finish(&mut self, out: &mut Batch) {
        self.flush(out);
        self.calls.tell(out);
    }
}

impl Adapter {
    /// Says what is known of the session; its id is stated at the end.
    fn start(&mut self, session: Value<'_>, place: Place, out: &mut Batch) {
        self.started = true;
        out.add(
            place,
            windowed(SessionStarted {
                harness: Some("grok".into()),
                model: self.model.as_ref().map(Name::from),
                session_id: Name::filled(session),
                ..SessionStarted::default()
            }),
        );
    }

    fn piece(&mut self, of: Of, record: Value<'_>, out: &mut Batch) {
        let Some(data) = record.get("data").str() else { return self.flush(out) };
        if self.of != of {
            self.flush(out);
            self.of = of;
        }
        match self.text.push(data) {
            Some(text) => out.push(Delta { of, text: Some(text), ..Delta::default() }),
            None => out.framing(record),
        }
    }

    /// Another line ends the text that was put together.
    fn flush(&mut self, out: &mut Batch) {
        if !self.text.is_empty() {
            self.text.tell(self.of, "assistant", Place::Before, out);
        }
    }

    fn usage(&self, record: Value<'_>, out: &mut Batch) {
        let [usage, model] = record.pick(["usage", "model"]);
        let spent = tokens(usage);
        if !spent.is_zero() {
            let known = self.model.as_ref().map(Name::from);
            out.push(CallUsage {
                model: Name::filled(model).or(known),
                context_tokens: spent.context(),
                ..spent.into()
            });
        }
    }

    fn end(&mut self, record: Value<'_>, out: &mut Batch) {
        self.calls.tell(out);
        let [stop, session, usage, models, cost, turns] = record.pick([
            "stopReason",
            "sessionId",
            "usage",
            "modelUsage",
            "total_cost_usd",
            "num_turns",
        ]);
        let mut names = models.members().map(|(name, _)| name.decode().into_owned());
        self.model = names.next().filter(|_| names.next().is_none());
        self.start(session, Place::Here, out);
        if usage.is_object() {
            out.push(self.spent.process(SessionUsage {
                cost_usd: cost.f64(),
                turns: turns.count(),
                models: Keyed(
                    models.members().map(|(name, of)| (name.into(), share(of))).collect(),
                ),
                ..tokens(usage).into()
            }));
        }
        let good = ["EndTurn", "end_turn", "MaxTokens", "max_tokens"];
        let good = !stop.is_some() || good.iter().any(|word| stop.is(word));
        let failed = std::mem::take(&mut self.failed) || !good || says_failed(record);
        out.push(SessionEnded {
            status: if failed { Status::Failed } else { Status::Succeeded },
            stop_reason: Name::of(stop),
            reason: Name::filled(stop).filter(|_| !good),
            error: ending::error(record).filter(|_| failed),
            ..SessionEnded::default()
        });
    }
}

fn tokens(usage: Value<'_>) -> Tokens {
    let keys = [
        "input_tokens",
        "output_tokens",
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
        "reasoning_tokens",
    ];
    let [input, output, cache_read, cache_creation, reasoning] = usage.pick(keys).map(Value::count);
    Tokens { input, output, cache_read, cache_creation, reasoning }
}

fn share(of: Value<'_>) -> ModelUsage {
    let keys = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"];
    let [input, output, cache_read, cache_creation] = of.pick(keys).map(Value::count);
    let spent = Tokens { input, output, cache_read, cache_creation, reasoning: None };
    ModelUsage { cost_usd: of.get("costUSD").f64(), ..spent.into() }
}
