//! The session's running total.
//!
//! `modelUsage` and `total_cost_usd` run over the process and start again after `/clear`; beside
//! them `usage`, `num_turns` and `duration_ms` are of one turn (the recording 2.1.332 multi-turn),
//! but the `num_turns` of 1.x run on (1.0.128 multi-turn). A slash command's result has an empty
//! `modelUsage` beside a risen cost (1.0.128 compact). Where no result named a model, each is taken
//! as it stands.

use super::Flavor;
use super::calls::tokens;
use crate::adapter::running::{Running, sum};
use crate::format::batch::Batch;
use crate::format::event::{ModelUsage, SessionUsage, Since};
use crate::format::tokens::Tokens;
use crate::format::write::{Keyed, Name};
use crate::json::{Number, Value};
use crate::limits::MAX_CLAUDE_MODELS;

/// What the results of the stream add up to.
#[derive(Debug, Default)]
pub(super) struct Totals {
    models: Vec<Model>,
    cost: Cost,
    turns: u64,
    /// The `num_turns` that the last result stated.
    last_turns: u64,
    duration: Option<Number>,
    results: u64,
    /// Since when the harness counts, as the first result that named a model tells.
    since: Option<Since>,
    /// Where no result names a model and each states the running total.
    spent: Running,
}

#[derive(Debug, Default)]
struct Model {
    name: String,
    /// Up to the last restart.
    before: Tokens,
    /// Since then, as last stated.
    now: Tokens,
    cost: Cost,
    window: Option<u64>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Cost {
    before: f64,
    now: Option<f64>,
}

impl Cost {
    fn state(&mut self, value: Value<'_>) {
        if let Some(cost) = value.f64() {
            self.now = Some(cost);
        }
    }

    fn restart(&mut self) {
        self.before += self.now.take().unwrap_or_default();
    }

    fn total(self) -> Option<f64> {
        match self.now {
            Some(now) => Some(self.before + now),
            None => (self.before > 0.0).then_some(self.before),
        }
    }
}

impl Totals {
    /// The harness counts from zero again.
    pub(super) fn restart(&mut self) {
        self.cost.restart();
        for model in &mut self.models {
            model.before = model.before.plus(model.now);
            model.now = Tokens::default();
            model.cost.restart();
        }
    }

    /// The window that the harness reported for a model.
    pub(super) fn window(&self, name: &str) -> Option<u64> {
        self.models.iter().find(|model| model.name == name)?.window
    }

    /// Takes a result into account. `runs_on` says that its `num_turns` is a running total.
    pub(super) fn result(
        &mut self,
        record: Value<'_>,
        flavor: Flavor,
        runs_on: bool,
        out: &mut Batch,
    ) {
        let [models, since_last, usage, cost, turns, duration, index] = record.pick([
            "modelUsage",
            "model_usage_since_last_result",
            "usage",
            "total_cost_usd",
            "num_turns",
            "duration_ms",
            "result_index",
        ]);
        self.count_turns(turns, runs_on);
        self.duration = sum(self.duration, duration.number());
        let stated: Vec<Stated<'_>> =
            models.members().map(Stated::of).take(MAX_CLAUDE_MODELS).collect();
        let all_seen = index.count().unwrap_or(self.results) == self.results;
        if self.models.is_empty() && !stated.is_empty() && all_seen {
            self.since = since(&stated, since_last);
        }
        if self.restarted(&stated, since_last, cost) {
            self.restart();
        }
        self.cost.state(cost);
        for model in &stated {
            self.state(model);
        }
        self.results += 1;
        let counts = tokens(usage, flavor.gross_input());
        let figures = [cost, turns, duration].iter().any(|value| value.number().is_some());
        if !self.models.is_empty() {
            self.push(out);
        } else if figures || usage.is_object() {
            let stated = SessionUsage { cost_usd: cost.f64(), ..counts.into() };
            out.push(if flavor.adds_turns() {
                SessionUsage {
                    turns: Some(self.turns),
                    duration_ms: self.duration,
                    cumulative: Some(Since::Session),
                    ..self.spent.state(stated)
                }
            } else {
                SessionUsage { turns: turns.count(), duration_ms: duration.number(), ..stated }
            });
        }
    }

    fn count_turns(&mut self, turns: Value<'_>, runs_on: bool) {
        let stated = turns.count().unwrap_or_default();
        let before = if runs_on && stated >= self.last_turns { self.last_turns } else { 0 };
        self.turns = self.turns.saturating_add(stated - before);
        self.last_turns = stated;
    }

    /// Whether the harness counts from zero again since the last result: a figure fell, or what was
    /// spent since then is all there is.
    fn restarted(&self, stated: &[Stated<'_>], since_last: Value<'_>, cost: Value<'_>) -> bool {
        let cost_fell = cost.f64().zip(self.cost.now).is_some_and(|(is, was)| is < was - 1e-9);
        cost_fell
            || stated.iter().any(|model| {
                let known = self.models.iter().find(|known| model.is(&known.name));
                known.is_some_and(|known| {
                    model.counts.fell(known.now)
                        || (!known.now.is_zero() && model.since(since_last) == Some(model.counts))
                })
            })
    }

    fn state(&mut self, stated: &Stated<'_>) {
        let at = self.models.iter().position(|model| stated.is(&model.name));
        let at = at.unwrap_or_else(|| {
            if self.models.len() < MAX_CLAUDE_MODELS {
                let name = stated.name.decode().into_owned();
                self.models.push(Model { name, ..Model::default() });
            }
            self.models.len() - 1
        });
        if let Some(model) = self.models.get_mut(at) {
            model.now = stated.counts;
            model.cost.state(stated.cost);
            model.window = stated.window.or(model.window);
        }
    }

    fn push(&self, out: &mut Batch) {
        let all = self.models.iter().map(|model| model.before.plus(model.now));
        let sum = all.fold(Tokens::default(), Tokens::plus);
        let models = self.models.iter().map(|model| {
            let counts = model.before.plus(model.now);
            let usage = ModelUsage {
                cost_usd: model.cost.total(),
                context_window: model.window,
                ..counts.into()
            };
            (Name::from(&model.name), usage)
        });
        out.push(SessionUsage {
            cost_usd: self.cost.total(),
            turns: Some(self.turns),
            duration_ms: self.duration,
            models: Keyed(models.collect()),
            cumulative: self.since,
            ..sum.into()
        });
    }
}

/// A model's figures in one result.
struct Stated<'a> {
    name: crate::json::Str<'a>,
    counts: Tokens,
    cost: Value<'a>,
    window: Option<u64>,
}

impl<'a> Stated<'a> {
    fn of((name, usage): (crate::json::Str<'a>, Value<'a>)) -> Self {
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

    fn is(&self, name: &str) -> bool {
        self.name.is(name)
    }

    /// The model's counts in `model_usage_since_last_result`.
    fn since(&self, since_last: Value<'_>) -> Option<Tokens> {
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
        input_tokens: model.counts.input,
        output_tokens: model.counts.output,
        cache_read_tokens: model.counts.cache_read,
        cache_creation_tokens: model.counts.cache_creation,
        reasoning_tokens: model.counts.reasoning,
        cost_usd: model.cost.f64(),
        context_window: model.window,
    };
    let models = stated().map(|model| (Name::from(model.name), of_model(model)));
    SessionUsage {
        input_tokens: sum.input,
        output_tokens: sum.output,
        cache_read_tokens: sum.cache_read,
        cache_creation_tokens: sum.cache_creation,
        cost_usd: cost.f64(),
        duration_ms: duration.number(),
        reasoning_tokens: sum.reasoning,
        models: Keyed(models.collect()),
        cumulative: Some(Since::Session),
        ..SessionUsage::default()
    }
}

/// Since when the first result counts. A resumed session starts from what earlier processes spent
/// (the recording 2.1.332 resume-2); versions without `model_usage_since_last_result` do not tell.
fn since(stated: &[Stated<'_>], since_last: Value<'_>) -> Option<Since> {
    if !since_last.is_object() {
        return None;
    }
    let resumed =
        stated.iter().any(|model| model.counts != model.since(since_last).unwrap_or_default());
    Some(if resumed { Since::Session } else { Since::Process })
}
