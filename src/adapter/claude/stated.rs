//! What one record states of a running total.

use crate::format::event::{ModelUsage, SessionUsage, Since};
use crate::format::tokens::Tokens;
use crate::format::write::{Keyed, Name};
use crate::json::{Str, Value};
use crate::limits::MAX_CLAUDE_MODELS;

/// A model's figures in one result.
pub(super) struct Stated<'a> {
    pub(super) name: Str<'a>,
    pub(super) counts: Tokens,
    pub(super) cost: Value<'a>,
    pub(super) window: Option<u64>,
}

impl<'a> Stated<'a> {
    pub(super) fn of((name, usage): (Str<'a>, Value<'a>)) -> Self {
        let [input, output, cache_read, cache_creation, thinking, cost, window] = usage.pick([
            "inputTokens",
            "outputTokens",
            "cacheReadInputTokens",
            "cacheCreationInputTokens",
            "thinkingTokens",
            "costUSD",
            "contextWindow",
        ]);
        let counts = Tokens {
            input: input.count(),
            output: output.count(),
            cache_read: cache_read.count(),
            cache_creation: cache_creation.count(),
            reasoning: thinking.count(),
        };
        Self { name, counts, cost, window: window.count() }
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.name.is(name)
    }

    /// The model's counts in `model_usage_since_last_result`.
    pub(super) fn since(&self, since_last: Value<'_>) -> Option<Tokens> {
        let own = since_last.members().map(Stated::of).find(|own| own.is(&self.name.decode()))?;
        Some(own.counts)
    }
}

/// The running total in a session file, which counts since the session began.
pub(super) fn kept(record: Value<'_>) -> SessionUsage<'_> {
    let [models, cost, duration] = record.pick(["modelUsage", "totalCostUSD", "totalDuration"]);
    let stated = || models.members().map(Stated::of).take(MAX_CLAUDE_MODELS);
    let sum = stated().fold(Tokens::default(), |sum, model| sum.plus(model.counts));
    let of_model = |model: Stated<'_>| ModelUsage {
        cost_usd: model.cost.f64(),
        context_window: model.window,
        ..model.counts.into()
    };
    let models = stated().map(|model| (Name::from(model.name), of_model(model)));
    SessionUsage {
        cost_usd: cost.f64(),
        duration_ms: duration.number(),
        models: Keyed(models.collect()),
        cumulative: Some(Since::Session),
        ..sum.into()
    }
}

/// Since when the first result counts. A resumed session starts from what earlier processes spent
/// (the recording 2.1.332 resume-2); versions without `model_usage_since_last_result` do not tell.
pub(super) fn since(stated: &[Stated<'_>], since_last: Value<'_>) -> Option<Since> {
    if !since_last.is_object() {
        return None;
    }
    let resumed =
        stated.iter().any(|model| model.counts != model.since(since_last).unwrap_or_default());
    Some(if resumed { Since::Session } else { Since::Process })
}
