//! What a model call consumed, which is said in up to three places: a record of its own
//! (`session.usage_record` of a session file, before the message; `assistant.usage` of older
//! streams, behind it), and `outputTokens` of the message. Each call counts once.
//!
//! The input contains what was read from the cache and what was written to it. `cost` is how many
//! premium requests a call counts for: no dollars.

use std::collections::VecDeque;

use crate::adapter::recent::{Id, remember};
use crate::format::event::{CallUsage, ModelUsage, SessionUsage, Since};
use crate::format::tokens::Tokens;
use crate::format::write::{Keyed, Name};
use crate::json::Value;

#[derive(Debug, Default)]
pub(super) struct Usage {
    calls: VecDeque<Call>,
}

/// A model call of which one of its places was read.
#[derive(Debug)]
struct Call {
    agent: Option<Id>,
    /// The id that the provider gave it, where the line states it.
    api: Option<Id>,
    output: u64,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// The message with that id, whose output was counted.
    Message(Option<String>),
    /// The record of its own.
    Record,
    /// All of them: what comes again is the same again.
    Both,
}

impl Usage {
    /// A message states how long it is; what is news of it.
    pub(super) fn message<'a>(
        &mut self,
        agent: Value<'_>,
        data: Value<'a>,
    ) -> Option<CallUsage<'a>> {
        let [id, api, model, output] =
            data.pick(["messageId", "apiCallId", "model", "outputTokens"]);
        let (agent, api) = (Id::of(agent), Id::of(api));
        let output = output.count().filter(|output| *output > 0);
        let told = |call: &&mut Call| {
            matches!(call.place, Place::Record)
                && call.agent == agent
                && if api.is_some() && call.api.is_some() {
                    call.api == api
                } else {
                    output == Some(call.output)
                }
        };
        if let Some(call) = self.calls.iter_mut().rev().find(told) {
            call.place = Place::Both;
            return None;
        }
        let output = output?;
        let place = Place::Message(id.owned());
        remember(&mut self.calls, Call { agent, api, output, place });
        let tokens = Tokens { output: Some(output), ..Tokens::default() };
        Some(CallUsage { model: Name::filled(model), ..tokens.into() })
    }

    /// A record of its own states what a call consumed; what is news of it, and the message of the
    /// call where that was told before.
    pub(super) fn record<'a>(
        &mut self,
        agent: Value<'_>,
        usage: Value<'a>,
    ) -> Option<(CallUsage<'a>, Option<String>)> {
        let [api, model] = usage.pick(["apiCallId", "model"]);
        let tokens = tokens(usage);
        if tokens.is_zero() {
            return None;
        }
        let (agent, api) = (Id::of(agent), Id::of(api));
        let known = self.calls.iter_mut().rev().find(|call| match call.place {
            Place::Message(_) if api.is_none() || call.api.is_none() => {
                call.agent == agent && tokens.output.is_some_and(|all| all >= call.output)
            }
            _ => api.is_some() && call.api == api,
        });
        let (counted, message) = if let Some(call) = known {
            let Place::Message(id) = &mut call.place else { return None };
            let message = id.take();
            call.place = Place::Both;
            (call.output, message)
        } else {
            let output = tokens.output.unwrap_or_default();
            remember(&mut self.calls, Call { agent, api, output, place: Place::Record });
            (0, None)
        };
        let rest = tokens.output.map(|output| output.saturating_sub(counted));
        let context_tokens = tokens.input.and(tokens.context());
        let tokens = Tokens { output: rest, ..tokens };
        let call = CallUsage { model: Name::filled(model), context_tokens, ..tokens.into() };
        Some((call, message))
    }
}

/// What the session has consumed, by the record that closes it.
pub(super) fn total(data: Value<'_>) -> Option<SessionUsage<'_>> {
    let metrics = data.get("modelMetrics");
    if !metrics.is_object() {
        return None;
    }
    let zero = Some(0);
    let mut sum = Tokens {
        input: zero,
        output: zero,
        cache_read: zero,
        cache_creation: zero,
        reasoning: None,
    };
    let mut models = Vec::new();
    for (model, metric) in metrics.members() {
        let usage = metric.get("usage");
        // A model that answered nothing has none.
        if usage.is_object() {
            let tokens = tokens(usage);
            sum = sum.plus(tokens);
            models.push((Name::from(model), ModelUsage::from(tokens)));
        }
    }
    Some(SessionUsage { models: Keyed(models), cumulative: Some(Since::Session), ..sum.into() })
}

fn tokens(usage: Value<'_>) -> Tokens {
    let [input, output, cache_read, cache_creation, reasoning] = usage
        .pick([
            "inputTokens",
            "outputTokens",
            "cacheReadTokens",
            "cacheWriteTokens",
            "reasoningTokens",
        ])
        .map(Value::count);
    let reasoning = reasoning.filter(|count| *count > 0);
    Tokens { input, output, cache_read, cache_creation, reasoning }.without_cached()
}
