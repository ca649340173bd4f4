//! What was spent: counters that may be unknown, and how two of them make one.

use std::collections::BTreeMap;

use crate::format::tokens::{Tokens, both};
use crate::json::Value;
use crate::limits::{MAX_MODELS, MAX_NAME};
use crate::report::kept::kept;

/// Tokens and money. `None` is what nobody said.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Figures {
    /// Input tokens without cached ones.
    pub input_tokens: Option<u64>,
    /// Output tokens as billed.
    pub output_tokens: Option<u64>,
    /// Tokens read from the cache.
    pub cache_read_tokens: Option<u64>,
    /// Tokens written to the cache.
    pub cache_creation_tokens: Option<u64>,
    /// How many of the output tokens were reasoning.
    pub reasoning_tokens: Option<u64>,
    /// The harness's own cost figure in US dollars.
    pub cost_usd: Option<f64>,
}

/// The names of [`Figures::counts`], as the format spells them.
pub(crate) const COUNTERS: [&str; 5] =
    ["inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens", "reasoningTokens"];

impl Figures {
    pub(crate) fn read(value: Value<'_>) -> Self {
        let [input, output, cache_read, cache_creation, reasoning] =
            value.pick(COUNTERS).map(Value::count);
        let cost = value.get("costUsd").f64().filter(|cost| *cost >= 0.0);
        Self::of(Tokens { input, output, cache_read, cache_creation, reasoning }, cost)
    }

    fn of(tokens: Tokens, cost_usd: Option<f64>) -> Self {
        Self {
            input_tokens: tokens.input,
            output_tokens: tokens.output,
            cache_read_tokens: tokens.cache_read,
            cache_creation_tokens: tokens.cache_creation,
            reasoning_tokens: tokens.reasoning,
            cost_usd,
        }
    }

    fn tokens(&self) -> Tokens {
        Tokens {
            input: self.input_tokens,
            output: self.output_tokens,
            cache_read: self.cache_read_tokens,
            cache_creation: self.cache_creation_tokens,
            reasoning: self.reasoning_tokens,
        }
    }

    /// The token counters, in the order of [`COUNTERS`].
    pub(crate) fn counts(&self) -> [Option<u64>; 5] {
        self.tokens().counts()
    }

    /// Whether nothing is known.
    pub(crate) fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    /// Whether nothing was spent.
    pub(crate) fn is_nothing(&self) -> bool {
        let counts = self.counts().into_iter().all(|count| count.unwrap_or_default() == 0);
        counts && self.cost_usd.unwrap_or_default() < 1e-10
    }

    /// What was sent: the counters that tell one call from another.
    pub(crate) fn sent(&self) -> [u64; 3] {
        self.tokens().sent().map(Option::unwrap_or_default)
    }

    /// Both together.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        let cost = both(self.cost_usd, other.cost_usd, money);
        Self::of(self.tokens().plus(other.tokens()), cost)
    }

    /// What came since `base`.
    pub(crate) fn less(&self, base: &Self) -> Self {
        let base_cost = base.cost_usd.unwrap_or_default();
        let cost = self.cost_usd.map(|cost| money(cost, -base_cost).max(0.0));
        Self::of(self.tokens().less(base.tokens()), cost)
    }

    /// The larger of the two, counter by counter.
    pub(crate) fn larger(&self, other: &Self) -> Self {
        let cost = both(self.cost_usd, other.cost_usd, f64::max);
        Self::of(self.tokens().larger(other.tokens()), cost)
    }

    /// The newer statement, where it says something.
    pub(crate) fn renewed(&self, newer: &Self) -> Self {
        Self::of(newer.tokens().or(self.tokens()), newer.cost_usd.or(self.cost_usd))
    }

    /// Whether a total that starts here goes on from `earlier`: nothing that both know is smaller.
    pub(crate) fn continues(&self, earlier: &Self) -> bool {
        let mut pairs = self.counts().into_iter().zip(earlier.counts());
        let money = self.cost_usd.zip(earlier.cost_usd);
        let known = pairs.any(|(a, b)| a.is_some() && b.is_some()) || money.is_some();
        known && !self.tokens().fell(earlier.tokens()) && money.is_none_or(|(a, b)| a >= b)
    }
}

/// Adds amounts of money without the noise of binary fractions (0.1 + 0.2).
fn money(a: f64, b: f64) -> f64 {
    const UNIT: f64 = 1e10;
    let sum = a + b;
    let rounded = (sum * UNIT).round() / UNIT;
    if rounded.is_finite() { rounded } else { sum }
}

/// What one model spent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ModelFigures {
    /// The counters.
    pub figures: Figures,
    /// The model's context window in tokens.
    pub context_window: Option<u64>,
}

/// Figures by model name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Models(pub(crate) BTreeMap<String, ModelFigures>);

impl Models {
    pub(crate) fn read(value: Value<'_>) -> Self {
        let mut models = Self::default();
        for (name, value) in value.members() {
            let context_window = value.get("contextWindow").count();
            let model = ModelFigures { figures: Figures::read(value), context_window };
            *models.entry(&name.decode()) = model;
        }
        models
    }

    pub(crate) fn entry(&mut self, name: &str) -> &mut ModelFigures {
        bounded(&mut self.0, name, MAX_MODELS)
    }

    pub(crate) fn plus(mut self, other: &Self) -> Self {
        for (name, model) in &other.0 {
            let mine = self.entry(name);
            mine.figures = mine.figures.plus(&model.figures);
            mine.context_window = model.context_window.or(mine.context_window);
        }
        self
    }

    pub(crate) fn less(mut self, base: &Self) -> Self {
        // A model that another session called is none of this one's.
        self.0.retain(|name, model| {
            let Some(base) = base.0.get(name) else { return true };
            let before = model.figures;
            model.figures = before.less(&base.figures);
            before.is_unknown() || !model.figures.is_nothing()
        });
        self
    }
}

/// The value under `key`; once there are `most` keys, what is new goes under `(other)`.
pub(crate) fn bounded<'m, T: Default>(
    map: &'m mut BTreeMap<String, T>,
    key: &str,
    most: usize,
) -> &'m mut T {
    let key = kept(key, MAX_NAME);
    let full = map.len() >= most && !map.contains_key(&*key);
    map.entry(if full { "(other)".to_owned() } else { key.into_owned() }).or_default()
}

/// A running total of the harness.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Total {
    pub(crate) figures: Figures,
    pub(crate) turns: Option<u64>,
    pub(crate) duration_ms: Option<u64>,
    pub(crate) models: Models,
    /// Whether it counts since the session began, in whatever process; `None` when nobody said.
    pub(crate) over_session: Option<bool>,
}

impl Total {
    pub(crate) fn read(value: Value<'_>) -> Self {
        let [turns, duration, models, since, inherited] =
            value.pick(["turns", "durationMs", "models", "cumulative", "inherited"]);
        let stated = Figures::read(value);
        Self {
            // What a fork's total holds of its parent's was spent there.
            figures: if inherited.is_object() {
                stated.less(&Figures::read(inherited))
            } else {
                stated
            },
            turns: turns.count(),
            duration_ms: duration.count(),
            models: Models::read(models),
            over_session: since.is_string().then(|| since.is("session")),
        }
    }

    /// Whether a newer one is no restatement of `before`: a counter fell.
    pub(crate) fn fell(&self, before: &Total) -> bool {
        let money = self.figures.cost_usd.zip(before.figures.cost_usd);
        self.figures.tokens().fell(before.figures.tokens())
            || money.is_some_and(|(now, before)| now < before - 1e-9)
    }

    /// Both together.
    pub(crate) fn plus(self, more: &Total) -> Total {
        Total {
            figures: self.figures.plus(&more.figures),
            turns: both(self.turns, more.turns, u64::saturating_add),
            duration_ms: both(self.duration_ms, more.duration_ms, u64::saturating_add),
            models: self.models.plus(&more.models),
            over_session: self.over_session.or(more.over_session),
        }
    }

    /// This total restated by a newer one of the same process.
    pub(crate) fn renewed(self, newer: Total) -> Total {
        Total {
            figures: self.figures.renewed(&newer.figures),
            turns: newer.turns.or(self.turns),
            duration_ms: newer.duration_ms.or(self.duration_ms),
            models: if newer.models.0.is_empty() { self.models } else { newer.models },
            over_session: newer.over_session.or(self.over_session),
        }
    }

    /// What came since `base`; a total that is below it has started again.
    pub(crate) fn less(self, base: &Total) -> Total {
        let has_counts = !self.figures.is_unknown() || !base.figures.is_unknown();
        if has_counts && !self.figures.continues(&base.figures) {
            return self;
        }
        let since = |a: Option<u64>, b: Option<u64>| {
            a.map(|a| a.checked_sub(b.unwrap_or_default()).unwrap_or(a))
        };
        Total {
            figures: self.figures.less(&base.figures),
            turns: since(self.turns, base.turns),
            duration_ms: since(self.duration_ms, base.duration_ms),
            models: self.models.less(&base.models),
            over_session: self.over_session,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(n: u64) -> Figures {
        Figures { input_tokens: Some(n), ..Figures::default() }
    }

    #[test]
    fn unknown_is_not_zero() {
        assert_eq!(input(3).plus(&Figures::default()), input(3));
        assert_eq!(Figures::default().plus(&Figures::default()), Figures::default());
        assert_eq!(input(3).less(&input(5)), input(0));
        assert!(!input(3).continues(&Figures::default()));
        assert!(input(3).continues(&input(3)));
        assert!(!input(3).continues(&input(4)));
    }

    #[test]
    fn money_adds_up_in_decimals() {
        let cost = |usd| Figures { cost_usd: Some(usd), ..Figures::default() };
        assert_eq!(cost(0.1).plus(&cost(0.2)), cost(0.3));
        assert_eq!(cost(0.0142).plus(&cost(0.0021)), cost(0.0163));
        assert_eq!(cost(1e300).plus(&cost(0.1)), cost(1e300));
    }

    #[test]
    fn names_are_bounded() {
        let mut map = BTreeMap::new();
        for n in 0..10 {
            *bounded::<u64>(&mut map, &n.to_string(), 4) += 1;
        }
        assert_eq!(map.len(), 5);
        assert_eq!(map["(other)"], 6);
    }
}
