//! cline 3.x: the events of the agent.
//!
//! ```json
//! {"ts":"…","type":"hook_event","hookEventName":"agent_start","agentId":"agent_…","taskId":"conv_…","parentAgentId":null}
//! {"ts":"…","type":"agent_event","event":{"type":"content_start","contentType":"text","text":" src.","accumulated":"README.md and src."}}
//! {"ts":"…","type":"agent_event","event":{"type":"content_end","contentType":"tool","toolName":"run_commands","toolCallId":"call_1_1","output":[{"query":"ls","result":"src\n","success":true}]}}
//! {"ts":"…","type":"run_result","finishReason":"completed","iterations":2,"usage":{…},"text":"…","model":{"id":"mock-1"}}
//! ```
//!
//! Despite their name, the `content_start` lines of a text are its pieces; what is `accumulated` is
//! not read. What a tool prints while it runs does not equal its result (`fail` puts `[stderr]`
//! between the streams) and stays `raw`.
//!
//! A subagent's events are mixed in without an id: they stand between the hook events `agent_start`
//! and `agent_end` of an agent that has a parent (`subagent`). The call that started it is the last
//! one that is open. Its `done` ends nothing; only `run_result` is the end.
//!
//! **Usage** is stated once an iteration. `inputTokens` contains what was read from the cache
//! (`shell`: 1200 with 1000, as the provider said) and, by the same rule, what was written to it. The
//! end record leaves the subagents out (`subagent`: 2400 where the calls sum up to 4800).

use std::collections::VecDeque;

use super::tools::TOOLS;
use super::{notice, results};
use crate::adapter::content;
use crate::adapter::ending::{self, says_failed};
use crate::adapter::model::windowed;
use crate::adapter::pieces::Relay;
use crate::adapter::recent::remember;
use crate::adapter::running::Running;
use crate::adapter::tool;
use crate::format::batch::Batch;
use crate::format::event::{
    CallUsage, Code, Delta, Level, Message, ModelUsage, Notice, Of, Retry, SessionEnded,
    SessionStarted, SessionUsage, Status, Thinking, ToolCall,
};
use crate::format::tokens::Tokens;
use crate::format::write::{Keyed, Name, Text};
use crate::json::Value;
use crate::limits::MAX_CLINE_AGENTS;

#[derive(Debug, Default)]
pub(super) struct Events {
    started: bool,
    /// The session's id was told.
    named: bool,
    /// The model that `-v` names at the start.
    model: Option<String>,
    relay: Relay,
    /// A piece of the text came since the last whole one.
    said: bool,
    /// The calls that are open.
    open: VecDeque<Open>,
    /// The subagents at work, the innermost last: the agent's id and the call that started it.
    agents: Vec<(String, Option<String>)>,
    spent: Running,
}

#[derive(Debug)]
struct Open {
    id: String,
    spawns: bool,
}

/// The items whose pieces are told apart.
const TEXT: u64 = 0;
const REASONING: u64 = 1;

impl Events {
    pub(super) fn record(&mut self, kind: &str, record: Value<'_>, out: &mut Batch) {
        match kind {
            "agent_event" => self.event(record, record.get("event"), out),
            "hook_event" => self.hook(record, out),
            "run_start" => {
                let [model, id] = record.pick(["modelId", "sessionId"]);
                self.model = model.owned();
                self.start(model, id, out);
            }
            "run_result" => {
                // Some versions name the session here, and only here.
                let id = record.get("sessionId");
                if Name::filled(id).is_some() && !self.named {
                    self.start(record.get("model").get("id"), id, out);
                }
                result(record, &mut self.spent, out);
                // What comes behind it is another process's.
                *self = Self { spent: std::mem::take(&mut self.spent), ..Self::default() };
            }
            "run_aborted" => {
                let message = Text::of(record.get("message"));
                out.push(notice(Level::Warning, Code::Info, message));
            }
            _ => {}
        }
    }

    fn start<'a>(&mut self, model: Value<'a>, id: Value<'a>, out: &mut Batch) {
        self.started = true;
        self.named = Name::filled(id).is_some();
        out.push(windowed(SessionStarted {
            harness: Some("cline".into()),
            model: Name::filled(model),
            session_id: Name::filled(id),
            ..SessionStarted::default()
        }));
    }

    /// Only hook events tell which agent is at work.
    fn hook(&mut self, record: Value<'_>, out: &mut Batch) {
        let [name, agent, parent] = record.pick(["hookEventName", "agentId", "parentAgentId"]);
        let working = self.agents.iter().find(|(id, _)| agent.is(id));
        out.parent(working.and_then(|(_, call)| call.as_ref()).map(Name::from));
        if name.is("agent_start") {
            if !parent.is_some() {
                if !self.started {
                    self.start(Value::MISSING, Value::MISSING, out);
                }
            } else if self.agents.len() < MAX_CLINE_AGENTS {
                let call = self.open.iter().rfind(|call| call.spawns).or(self.open.back());
                let call = call.map(|call| call.id.clone());
                self.agents.push((agent.owned().unwrap_or_default(), call));
            }
        } else if name.is("agent_end") {
            self.agents.retain(|(id, _)| !agent.is(id));
        }
    }

    fn event(&mut self, record: Value<'_>, event: Value<'_>, out: &mut Batch) {
        let [kind, of] = event.pick(["type", "contentType"]);
        let Some(kind) = kind.decode() else { return };
        if kind == "content_end" && of.is("tool") {
            self.close(event.get("toolCallId"));
        }
        out.parent(self.parent().map(Name::from));
        match kind.as_ref() {
            "content_start" if of.is("tool") => self.call(event, out),
            "content_start" => self.piece(record, of, event, out),
            "content_update" => out.framing(record),
            "content_end" if of.is("tool") => results::push(results::Answer::of(event), out),
            "content_end" => self.whole(of, event, out),
            "usage" => self.usage(event, out),
            "notice" => retry_or_info(event, out),
            "error" => {
                let [error, recoverable] = event.pick(["error", "recoverable"]);
                let grave = if recoverable.is_true() { Level::Warning } else { Level::Error };
                out.push(notice(grave, Code::Error, Text::of(error.get("message"))));
            }
            _ => {}
        }
    }

    /// The call whose subagent is at work.
    fn parent(&self) -> Option<&str> {
        self.agents.last().and_then(|(_, call)| call.as_deref())
    }

    fn call(&mut self, event: Value<'_>, out: &mut Batch) {
        let [id, name, input] = event.pick(["toolCallId", "toolName", "input"]);
        out.push(ToolCall {
            call_id: Name::of(id),
            name: Name::of(name),
            input: content::arguments(input),
            ..tool::does(TOOLS, &name.decode().unwrap_or_default(), input)
        });
        if let Some(id) = id.decode() {
            let spawns = name.is("spawn_agent");
            remember(&mut self.open, Open { id: id.into_owned(), spawns });
        }
    }

    /// The call has its result; a subagent of it whose end was not told is over as well.
    fn close(&mut self, id: Value<'_>) {
        self.open.retain(|call| !id.is(&call.id));
        self.agents.retain(|(_, call)| !call.as_ref().is_some_and(|call| id.is(call)));
    }

    fn piece(&mut self, record: Value<'_>, of: Value<'_>, event: Value<'_>, out: &mut Batch) {
        let [text, whole, reasoning] = event.pick(["text", "accumulated", "reasoning"]);
        let (of, item, piece) = if of.is("reasoning") {
            (Of::Thinking, REASONING, reasoning)
        } else {
            (Of::Message, TEXT, text)
        };
        let Some(text) = piece.str().and_then(|piece| self.relay.push(item, piece)) else {
            return out.framing(record);
        };
        // Nothing is accumulated before a text's first piece.
        let first = item == TEXT && whole.is_string() && whole.text().len() == piece.text().len();
        let reset = first && self.said;
        self.said |= item == TEXT;
        out.push(Delta { of, text: Some(text), reset, ..Delta::default() });
    }

    fn whole(&mut self, of: Value<'_>, event: Value<'_>, out: &mut Batch) {
        let [text, reasoning, redacted] = event.pick(["text", "reasoning", "redacted"]);
        let (kind, item) =
            if of.is("reasoning") { (Of::Thinking, REASONING) } else { (Of::Message, TEXT) };
        if let Some(rest) = self.relay.rest(item) {
            out.push(Delta { of: kind, text: Some(rest.into()), ..Delta::default() });
        }
        if item == REASONING {
            let redacted = redacted.is_true();
            if let Some(text) = Text::filled(reasoning).or(redacted.then(|| "".into())) {
                out.push(Thinking { text: Some(text), redacted, ..Thinking::default() });
            }
            return;
        }
        self.said = false;
        if let Some(text) = Text::filled(text).filter(|_| of.is("text")) {
            let role = Some("assistant".into());
            out.push(Message { role, text: Some(text), ..Message::default() });
        }
    }

    fn usage(&self, event: Value<'_>, out: &mut Batch) {
        let spent = tokens(event);
        if spent.is_zero() {
            return;
        }
        out.push(CallUsage {
            model: self.model.as_ref().map(Name::from),
            context_tokens: Some(spent.context().unwrap_or_default()),
            cost_usd: event.get("cost").f64(),
            ..spent.into()
        });
    }
}

/// Reads tokens, whose input is printed with what was cached.
pub(super) fn tokens(value: Value<'_>) -> Tokens {
    let [input, output, cache_read, cache_creation, reasoning] = value
        .pick([
            "inputTokens",
            "outputTokens",
            "cacheReadTokens",
            "cacheWriteTokens",
            // Of versions that others published.
            "reasoningTokenCount",
        ])
        .map(Value::count);
    Tokens { input, output, cache_read, cache_creation, reasoning }.without_cached()
}

fn retry_or_info(event: Value<'_>, out: &mut Batch) {
    let [message, meta] = event.pick(["message", "metadata"]);
    let [attempt, max] = meta.pick(["attempt", "maxRetries"]).map(Value::count);
    let (level, code) =
        if attempt.is_some() { (Level::Warning, Code::Retry) } else { (Level::Info, Code::Info) };
    let retry = attempt.map(|_| Retry { attempt, max, delay_ms: None });
    out.push(Notice { retry, ..notice(level, code, Text::of(message)) });
}

fn result(record: Value<'_>, total: &mut Running, out: &mut Batch) {
    let [reason, turns, own, all, duration, text, model] = record.pick([
        "finishReason",
        "iterations",
        "usage",
        "aggregateUsage",
        "durationMs",
        "text",
        "model",
    ]);
    let usage = if all.is_object() { all } else { own };
    if usage.is_object() {
        let spent = tokens(usage);
        let cost_usd = usage.get("totalCost").f64();
        let of_model = || ModelUsage { cost_usd, ..spent.into() };
        let model = Name::filled(model.get("id"));
        out.push(total.process(SessionUsage {
            cost_usd,
            turns: turns.count(),
            duration_ms: duration.number(),
            models: Keyed(model.map(|model| (model, of_model())).into_iter().collect()),
            ..spent.into()
        }));
    }
    let failed = !reason.is("completed") || says_failed(record);
    out.push(SessionEnded {
        status: if failed { Status::Failed } else { Status::Succeeded },
        stop_reason: Name::of(reason),
        summary: Text::filled(text),
        reason: Name::filled(reason).filter(|_| failed && !reason.is("completed")),
        // The text of a run that failed is the error's message (`err401`).
        error: Text::filled(text)
            .filter(|_| reason.is("error"))
            .or_else(|| ending::error(record).filter(|_| failed)),
        ..SessionEnded::default()
    });
}

#[cfg(test)]
mod tests {
    use crate::adapter::Protocol;
    use crate::adapter::testing::{Told, mapped};

    fn events(lines: &[&str]) -> Vec<Told> {
        mapped(Protocol::Cline, lines)
    }

    fn piece(text: &str, whole: &str) -> String {
        format!(
            r#"{{"ts":"","type":"agent_event","event":{{"type":"content_start","contentType":"text","text":"{text}","accumulated":"{whole}"}}}}"#
        )
    }

    #[test]
    fn a_text_that_is_started_again_says_so() {
        let lines = [piece("a", "a"), piece("b", "ab"), piece("a", "a"), piece("c", "ac")];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let resets: Vec<bool> =
            events(&lines).iter().map(|e| e.payload.get("reset").is_some()).collect();
        assert_eq!(resets, [false, false, true, false]);
    }

    #[test]
    fn a_subagent_is_over_when_its_call_has_a_result() {
        let told = events(&[
            r#"{"type":"agent_event","event":{"type":"content_start","contentType":"tool","toolName":"spawn_agent","toolCallId":"c1","input":{}}}"#,
            r#"{"type":"hook_event","hookEventName":"agent_start","agentId":"a2","parentAgentId":"a1"}"#,
            r#"{"type":"agent_event","event":{"type":"content_end","contentType":"text","text":"in"}}"#,
            r#"{"type":"agent_event","event":{"type":"content_end","contentType":"tool","toolCallId":"c1","error":"lost"}}"#,
            r#"{"type":"agent_event","event":{"type":"content_end","contentType":"text","text":"out"}}"#,
        ]);
        let parents: Vec<_> = told.iter().map(|e| e.payload.get("parentCallId")).collect();
        assert_eq!(parents, [None, Some(&"c1".into()), None, None]);
    }

    #[test]
    fn lines_of_the_wrong_shape_are_raw() {
        for line in [
            r#"{"type":"agent_event","event":"usage"}"#,
            r#"{"type":"agent_event","event":{"type":"content_start","contentType":"text","text":null}}"#,
            r#"{"type":"agent_event","event":{"type":"content_end","contentType":"media","text":"x"}}"#,
            r#"{"type":"agent_event","event":{"type":"usage","inputTokens":"many"}}"#,
            r#"{"type":"hook_event","hookEventName":7}"#,
            r#"{"type":"say","say":{"text":"x"}}"#,
            r#"{"type":"say","say":"tool"}"#,
            r#"{"type":"say","say":"error_retry","text":"[1]"}"#,
            r#"{"type":"say","say":"task_progress","text":"soon"}"#,
        ] {
            assert_eq!(events(&[line]), [], "{line}");
        }
    }
}
