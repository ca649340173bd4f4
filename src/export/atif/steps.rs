//! The steps of an agent.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value as Json, json};

use super::{arguments, prompt_tokens, put, put_extra};
use crate::export::session::Item;
use crate::format::event::EventType;
use crate::format::event::owned::{CallUsage, Event, Message, ToolCall, ToolResult};
use crate::report::summary::Figures;

/// Who a step is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    System,
    User,
    Agent,
}

/// A step.
#[derive(Debug)]
struct Step {
    source: Source,
    time: Option<i64>,
    texts: Vec<String>,
    reasoning: Vec<String>,
    calls: Vec<Map<String, Json>>,
    results: Vec<Map<String, Json>>,
    model: Option<String>,
    figures: Option<Figures>,
    extra: Map<String, Json>,
}

/// The steps of an agent, and what of it has no place.
#[derive(Debug, Default)]
pub(super) struct Steps {
    list: Vec<Step>,
    /// The agent's step that goes on: no result and no other's step came since.
    open: Option<usize>,
    /// The steps of the messages that have an id.
    messages: BTreeMap<String, usize>,
    /// Whether the first step is what the agent was asked, and the session did not say it yet.
    asked: bool,
    pub(super) replayed: u64,
    pub(super) discarded: u64,
    pub(super) orphans: u64,
}

impl Steps {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Takes an item in; `place` is where a result's call stands. Returns where a call stands.
    pub(super) fn add(
        &mut self,
        item: &Item,
        place: Option<(usize, usize)>,
    ) -> Option<(usize, usize)> {
        match &item.event {
            Event::Message(message) => self.message(item, message),
            Event::Thinking(thinking) => {
                let at = self.agent(item);
                let step = self.list.get_mut(at)?;
                step.reasoning.extend(thinking.text.clone().filter(|text| !text.is_empty()));
                if thinking.redacted {
                    step.extra.insert("redactedThinking".into(), true.into());
                }
            }
            Event::ToolCall(call) => return Some(self.call(item, call)),
            Event::ToolResult(result) => self.result(item, result, place),
            Event::CallUsage(usage) => self.usage(item, usage),
            Event::SessionEnded(end) if self.list.is_empty() => {
                // Nothing else was said: what the end says is all there is.
                let said = end.error.as_ref().or(end.summary.as_ref()).cloned();
                self.say(Source::System, item.time, said.unwrap_or_default());
            }
            Event::SessionStarted(_)
            | Event::SessionTitle(_)
            | Event::SessionUsage(_)
            | Event::SessionEnded(_) => {}
            other => self.beside(item, other.payload()),
        }
        None
    }

    /// Puts what the agent was asked first.
    pub(super) fn prompt(&mut self, prompt: &str) {
        self.say(Source::User, None, prompt.to_owned());
        self.asked = true;
    }

    /// Adds a step of nobody's.
    pub(super) fn system(&mut self, text: &str) {
        self.say(Source::System, None, text.to_owned());
    }

    fn push(&mut self, source: Source, time: Option<i64>) -> usize {
        let at = self.list.len();
        self.open = (source == Source::Agent).then_some(at);
        self.list.push(Step {
            source,
            time,
            texts: Vec::new(),
            reasoning: Vec::new(),
            calls: Vec::new(),
            results: Vec::new(),
            model: None,
            figures: None,
            extra: Map::new(),
        });
        at
    }

    /// Adds a step that says `text`.
    fn say(&mut self, source: Source, time: Option<i64>, text: String) -> Option<&mut Step> {
        let at = self.push(source, time);
        let step = self.list.get_mut(at)?;
        step.texts.push(text);
        Some(step)
    }

    /// Finds the agent's step that an item is a part of, or begins it.
    fn agent(&mut self, item: &Item) -> usize {
        let known = match &item.message {
            Some(id) => self.messages.get(id).copied(),
            None => self.open,
        };
        known.unwrap_or_else(|| self.begin(item))
    }

    fn begin(&mut self, item: &Item) -> usize {
        let at = self.push(Source::Agent, item.time);
        if let (Some(id), Some(step)) = (&item.message, self.list.get_mut(at)) {
            step.extra.insert("messageId".into(), id.clone().into());
            self.messages.insert(id.clone(), at);
        }
        at
    }

    fn message(&mut self, item: &Item, message: &Message) {
        if message.replay || message.discarded {
            self.replayed += u64::from(message.replay);
            self.discarded += u64::from(!message.replay);
            return;
        }
        let at = match message.role.as_deref() {
            Some("assistant") => self.agent(item),
            Some("system") => self.push(Source::System, item.time),
            _ => self.user(item, message),
        };
        let Some(step) = self.list.get_mut(at) else { return };
        step.texts.extend(message.text.clone());
        if message.synthetic {
            step.extra.insert("synthetic".into(), true.into());
        }
        let payload = item.event.payload();
        for key in ["attachments", "truncated"] {
            if let Some(value) = payload.get(key).filter(|value| **value != Json::Bool(false)) {
                step.extra.insert(key.into(), value.clone());
            }
        }
    }

    /// Begins a step of the user's, or finds the one that was put first and is told here.
    fn user(&mut self, item: &Item, message: &Message) -> usize {
        if std::mem::take(&mut self.asked)
            && let Some(first) = self.list.first_mut()
            && first.texts.iter().map(|text| text.trim()).eq(message.text.as_deref().map(str::trim))
        {
            first.time = item.time;
            first.texts.clear();
            return 0;
        }
        self.push(Source::User, item.time)
    }

    fn call(&mut self, item: &Item, call: &ToolCall) -> (usize, usize) {
        let at = self.agent(item);
        let mut made = Map::new();
        // Without an id of its own it has one that no other call of the agent has.
        let number = self.list.iter().map(|step| step.calls.len()).sum::<usize>() + 1;
        let id = call.call_id.clone().unwrap_or_else(|| format!("call-{number}"));
        made.insert("tool_call_id".into(), id.into());
        made.insert("function_name".into(), call.name.as_deref().unwrap_or("unknown").into());
        made.insert("arguments".into(), arguments::read(call.input.as_deref()).into());
        put_extra(&mut made, some_of(&item.event.payload(), &["kind", "target", "truncated"]));
        let Some(step) = self.list.get_mut(at) else { return (at, 0) };
        step.calls.push(made);
        (at, step.calls.len() - 1)
    }

    fn result(&mut self, item: &Item, result: &ToolResult, place: Option<(usize, usize)>) {
        let payload = item.event.payload();
        let mut made = Map::new();
        let mut extra = some_of(
            &payload,
            &["isError", "exitCode", "status", "durationMs", "files", "attachments", "truncated"],
        );
        self.open = None;
        let call = place
            .and_then(|(step, call)| self.list.get(step)?.calls.get(call)?.get("tool_call_id"));
        if let Some(id) = call {
            made.insert("source_call_id".into(), id.clone());
        } else {
            put(&mut extra, "callId", result.call_id.clone());
        }
        let is_known = call.is_some();
        put(&mut made, "content", result.output.clone());
        put_extra(&mut made, extra);
        if let Some(step) = place.filter(|_| is_known).and_then(|(at, _)| self.list.get_mut(at)) {
            step.results.push(made);
        } else {
            self.orphans += 1;
            if let Some(step) = self.say(Source::System, item.time, String::new()) {
                step.results.push(made);
            }
        }
    }

    /// Says that the call's result is an agent's work.
    pub(super) fn refer(&mut self, step: usize, call: usize, trajectory: &str) {
        let Some(step) = self.list.get_mut(step) else { return };
        let Some(id) = step.calls.get(call).and_then(|call| call.get("tool_call_id")).cloned()
        else {
            return;
        };
        let known =
            step.results.iter().position(|result| result.get("source_call_id") == Some(&id));
        let at = known.unwrap_or_else(|| {
            step.results.push(Map::from_iter([("source_call_id".to_owned(), id)]));
            step.results.len() - 1
        });
        if let Some(result) = step.results.get_mut(at) {
            result.insert("subagent_trajectory_ref".into(), json!([{"trajectory_id": trajectory}]));
        }
    }

    fn usage(&mut self, item: &Item, usage: &CallUsage) {
        // Without an id it is of the last step, unless that has its figures.
        let last = self.list.iter().rposition(|step| step.source == Source::Agent);
        let free = |at: &usize| self.list.get(*at).is_some_and(|step| step.figures.is_none());
        let at = match item.message {
            Some(_) => self.agent(item),
            None => last.filter(free).unwrap_or_else(|| self.begin(item)),
        };
        let Some(step) = self.list.get_mut(at) else { return };
        let spent = Figures {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cache_read_tokens: usage.cache_read_tokens,
            cache_creation_tokens: usage.cache_creation_tokens,
            reasoning_tokens: usage.reasoning_tokens,
            cost_usd: usage.cost_usd,
        };
        step.figures = Some(step.figures.map_or(spent, |figures| figures.plus(&spent)));
        step.model = usage.model.clone().or(step.model.take());
    }

    /// Keeps what is no step beside the last one.
    fn beside(&mut self, item: &Item, payload: Json) {
        let key = match item.kind {
            EventType::Plan => "plans",
            EventType::Notice => "notices",
            EventType::SessionBackground => "background",
            EventType::Raw => "raw",
            _ => "other",
        };
        if self.list.is_empty() {
            self.say(Source::System, item.time, String::new());
        }
        if let Some(step) = self.list.last_mut() {
            let list = step.extra.entry(key).or_insert_with(|| json!([]));
            if let Json::Array(list) = list {
                list.push(payload);
            }
        }
    }

    pub(super) fn into_json(self) -> Option<Vec<Json>> {
        let steps = (1..).zip(self.list).map(|(number, step)| step.into_json(number));
        Some(steps.collect::<Vec<_>>()).filter(|steps| !steps.is_empty())
    }
}

impl Step {
    fn into_json(self, number: usize) -> Json {
        let mut made = Map::new();
        made.insert("step_id".into(), number.into());
        let time = self.time.and_then(|time| Timestamp::from_millisecond(time).ok());
        put(&mut made, "timestamp", time.map(|time| format!("{time:.3}")));
        let source = match self.source {
            Source::System => "system",
            Source::User => "user",
            Source::Agent => "agent",
        };
        made.insert("source".into(), source.into());
        if self.source == Source::Agent {
            put(&mut made, "model_name", self.model);
        }
        made.insert("message".into(), self.texts.join("\n").into());
        if !self.reasoning.is_empty() {
            made.insert("reasoning_content".into(), self.reasoning.join("\n").into());
        }
        if !self.calls.is_empty() {
            made.insert("tool_calls".into(), json!(self.calls));
        }
        if !self.results.is_empty() {
            made.insert("observation".into(), json!({"results": self.results}));
        }
        if let Some(figures) = &self.figures {
            let mut metrics = Map::new();
            put(&mut metrics, "prompt_tokens", prompt_tokens(figures));
            put(&mut metrics, "completion_tokens", figures.output_tokens);
            put(&mut metrics, "cached_tokens", figures.cache_read_tokens);
            put(&mut metrics, "cost_usd", figures.cost_usd);
            let mut extra = Map::new();
            put(&mut extra, "cacheCreationTokens", figures.cache_creation_tokens);
            put(&mut extra, "reasoningTokens", figures.reasoning_tokens);
            put_extra(&mut metrics, extra);
            made.insert("metrics".into(), metrics.into());
            made.insert("llm_call_count".into(), 1.into());
        }
        put_extra(&mut made, self.extra);
        made.into()
    }
}

/// Copies the keys of a payload that say something.
fn some_of(payload: &Json, keys: &[&str]) -> Map<String, Json> {
    let says = |value: &&Json| !matches!(value, Json::Null | Json::Bool(false));
    let value = |key: &&str| Some(((*key).to_owned(), payload.get(key).filter(says)?.clone()));
    keys.iter().filter_map(value).collect()
}
