//! What a session has spent, as far as its agent says.
//!
//! The protocol's schema makes `totalTokens` the sum of all the others, so the input does not contain what
//! was cached (opencode 1.18.33: 200 + 21 + 1100 cached = 1321). Where an agent's total says that it does, the
//! cached part is taken off.

use super::Adapter;
use crate::format::batch::Batch;
use crate::format::event::{ModelUsage, SessionUsage, Since};
use crate::format::tokens::Tokens;
use crate::format::write::{Keyed, Name};
use crate::json::Value;

impl Adapter {
    /// A running total: cost, the size of the context, and in some agents tokens.
    pub(super) fn usage(&mut self, update: Value<'_>, out: &mut Batch) {
        let [size, cost, usage, meta] = update.pick(["size", "cost", "usage", "_meta"]);
        let [amount, currency] = cost.pick(["amount", "currency"]);
        let cost_usd = amount.f64().filter(|_| currency.is("USD"));
        let window = size.count().filter(|size| *size > 0);
        let spent = if usage.is_object() { tokens(usage) } else { theirs(meta) };
        if cost_usd.is_none() && window.is_none() && spent.is_zero() {
            return;
        }
        let spends = !spent.is_zero();
        let share = ModelUsage { context_window: window, ..spent.into() };
        let model = named(meta).owned().or_else(|| self.model.clone());
        let model = model.filter(|_| window.is_some() || spends);
        out.push(self.spent.state(SessionUsage {
            cost_usd,
            cumulative: (cost_usd.is_some() || spends).then_some(Since::Session),
            models: Keyed(model.map(|model| (Name::from(model), share)).into_iter().collect()),
            ..spent.into()
        }));
    }

    /// What a turn has spent.
    pub(super) fn turn(&mut self, update: Value<'_>, out: &mut Batch) {
        let spent = tokens(update.get("usage"));
        if !spent.is_zero() {
            out.push(self.spent.process(spent.into()));
        }
    }
}

/// The counters of the protocol's `usage`.
fn tokens(usage: Value<'_>) -> Tokens {
    let keys = ["inputTokens", "outputTokens", "cachedReadTokens", "cachedWriteTokens"];
    let [input, output, cache_read, cache_creation] = usage.pick(keys).map(Value::count);
    let keys = ["thoughtTokens", "reasoningTokens", "totalTokens"];
    let [thought, reasoning, total] = usage.pick(keys).map(Value::count);
    let spent =
        Tokens { input, output, cache_read, cache_creation, reasoning: thought.or(reasoning) };
    let cached = [cache_read, cache_creation].into_iter().flatten().any(|count| count > 0);
    let gross = input.unwrap_or_default().saturating_add(output.unwrap_or_default());
    if cached && total == Some(gross) { spent.without_cached() } else { spent }
}

/// Counters that an agent puts below a name of its own, `cognition.ai/inputTokens`.
fn theirs(meta: Value<'_>) -> Tokens {
    let of = |key: &str| own(meta, key).count();
    Tokens {
        input: of("inputTokens"),
        output: of("outputTokens"),
        cache_read: of("cachedReadTokens"),
        cache_creation: of("cachedWriteTokens"),
        reasoning: of("thoughtTokens"),
    }
}

/// The model that an agent names below a name of its own, `_claude/model`.
fn named(meta: Value<'_>) -> Value<'_> {
    own(meta, "model")
}

fn own<'a>(meta: Value<'a>, key: &str) -> Value<'a> {
    let mut members = meta.members();
    let found = members
        .find(|(name, _)| name.decode().split_once('/').is_some_and(|(_, known)| known == key));
    found.map_or(Value::MISSING, |(_, value)| value)
}
