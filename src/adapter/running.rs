//! Session totals where the output of several processes stands in one stream: a total never falls.

use crate::format::event::{ModelUsage, SessionUsage};
use crate::format::tokens::{Tokens, both};
use crate::json::Number;

/// What the processes of a stream have spent.
#[derive(Debug, Default)]
pub(super) struct Running {
    /// By the counters that no longer run.
    before: Total,
    /// By the one that runs, as last stated.
    last: Total,
}

#[derive(Debug, Default, Clone, Copy)]
struct Total {
    tokens: Tokens,
    turns: Option<u64>,
    cost: Option<f64>,
    duration: Option<Number>,
}

impl Running {
    /// The counter starts again.
    pub(super) fn restart(&mut self) {
        self.before = self.before.plus(self.last);
        self.last = Total::default();
    }

    /// Takes the total of a counter that runs on; one that fell has started again.
    pub(super) fn state<'a>(&mut self, mut usage: SessionUsage<'a>) -> SessionUsage<'a> {
        let now = Total::of(&usage);
        if now.fell(self.last) {
            self.restart();
        }
        // A figure that is missing is what it was.
        let now = now.or(self.last);
        self.last = now;
        let first = self.before.is_nothing();
        let total = self.before.plus(now);
        let mut models = std::mem::take(&mut usage.models);
        if !first {
            // What each model spent before is not known.
            models.0.retain_mut(|(_, model)| {
                let context_window = model.context_window;
                *model = ModelUsage { context_window, ..ModelUsage::default() };
                context_window.is_some()
            });
        }
        usage.set_tokens(total.tokens);
        SessionUsage {
            cost_usd: total.cost,
            turns: total.turns,
            duration_ms: total.duration,
            models,
            ..usage
        }
    }

    /// Takes the total of a process that states it once.
    pub(super) fn process<'a>(&mut self, usage: SessionUsage<'a>) -> SessionUsage<'a> {
        self.restart();
        self.state(usage)
    }
}

impl Total {
    fn of(usage: &SessionUsage<'_>) -> Self {
        Self {
            tokens: usage.tokens(),
            turns: usage.turns,
            cost: usage.cost_usd,
            duration: usage.duration_ms,
        }
    }

    fn is_nothing(self) -> bool {
        self.tokens.is_zero()
            && self.turns.is_none_or(|turns| turns == 0)
            && self.cost.is_none_or(|cost| cost == 0.0)
    }

    fn fell(self, before: Self) -> bool {
        self.tokens.fell(before.tokens)
            || self.turns.zip(before.turns).is_some_and(|(now, before)| now < before)
            || self.cost.zip(before.cost).is_some_and(|(now, before)| now < before - 1e-9)
    }

    fn or(self, last: Self) -> Self {
        Self {
            tokens: self.tokens.or(last.tokens),
            turns: self.turns.or(last.turns),
            cost: self.cost.or(last.cost),
            duration: self.duration.or(last.duration),
        }
    }

    fn plus(self, more: Self) -> Self {
        Self {
            tokens: self.tokens.plus(more.tokens),
            turns: both(self.turns, more.turns, u64::saturating_add),
            cost: both(self.cost, more.cost, |a, b| a + b),
            duration: sum(self.duration, more.duration),
        }
    }
}

/// The sum of two numbers that may be missing.
pub(super) fn sum(a: Option<Number>, b: Option<Number>) -> Option<Number> {
    #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
    let float = |number| match number {
        Number::Int(int) => int as f64,
        Number::Float(float) => float,
    };
    match (a, b) {
        (Some(Number::Int(a)), Some(Number::Int(b))) => Some(Number::Int(a.saturating_add(b))),
        (Some(a), Some(b)) => Some(Number::Float(float(a) + float(b))),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, cost: f64) -> SessionUsage<'static> {
        SessionUsage {
            input_tokens: Some(input),
            cost_usd: Some(cost),
            duration_ms: Some(Number::Int(5)),
            ..SessionUsage::default()
        }
    }

    fn read(usage: &SessionUsage<'_>) -> (Option<u64>, Option<f64>, Option<Number>) {
        (usage.input_tokens, usage.cost_usd, usage.duration_ms)
    }

    #[test]
    fn a_total_never_falls() {
        let mut running = Running::default();
        let mut state = |input, cost| read(&running.state(usage(input, cost)));
        assert_eq!(state(10, 0.5), (Some(10), Some(0.5), Some(Number::Int(5))));
        assert_eq!(state(12, 0.5), (Some(12), Some(0.5), Some(Number::Int(5))));
        assert_eq!(state(4, 0.25), (Some(16), Some(0.75), Some(Number::Int(10))));
        assert_eq!(state(6, 0.0), (Some(22), Some(0.75), Some(Number::Int(15))));
    }

    #[test]
    fn processes_add_up() {
        let mut running = Running::default();
        assert_eq!(read(&running.process(usage(10, 1.0))).0, Some(10));
        assert_eq!(read(&running.process(usage(12, 1.0))).0, Some(22));
        let none = running.process(SessionUsage::default());
        assert_eq!((none.input_tokens, none.turns), (Some(22), None));
    }
}
