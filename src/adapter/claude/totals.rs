//! The session's running total.
//!
//! `modelUsage` and `total_cost_usd` run over the process and start again after `/clear`; beside
//! them `usage`, `num_turns` and `duration_ms` are of one turn (the recording 2.1.332 multi-turn),
//! but the `num_turns` of 1.x run on (1.0.128 multi-turn). A slash command's result has an empty
//! `modelUsage` beside a risen cost (1.0.128 compact). Where no result named a model, each is taken
//! as it stands.
//!
//! A stream may hold several processes: runs that were appended, or that print at the same time. Which
//! of them a result is of, its session says. The total of a new session begins anew, unless a command of
//! the same process began it (2.1.197 after `/clear`: a result of no turns, and the total as it was). Where
//! another process went on with a session the calls in between tell: their input and cache counts are exact.

use std::collections::VecDeque;

use super::Flavor;
use super::calls::tokens;
use super::stated::{Stated, since};
use crate::adapter::recent::Id;
use crate::adapter::running::{Running, sum};
use crate::format::batch::Batch;
use crate::format::event::{ModelUsage, SessionUsage, Since};
use crate::format::tokens::Tokens;
use crate::format::write::{Keyed, Name};
use crate::json::{Number, Value};
use crate::limits::{MAX_CLAUDE_MODEL, MAX_CLAUDE_MODELS, MAX_RECENT};

/// What the results of the stream add up to.
#[derive(Debug, Default)]
pub(super) struct Totals {
    models: Vec<Model>,
    cost: Cost,
    /// The session whose total runs.
    session: Option<Id>,
    /// What other sessions had spent when they were last heard of; they may go on.
    parked: VecDeque<(Id, Spent)>,
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

/// What the stream says around a result.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around {
    /// What the calls since the last result consumed.
    pub(super) calls: Tokens,
    /// Its `num_turns` is a running total.
    pub(super) turns_run_on: bool,
    /// Nothing announced its session: it is all that its process printed.
    pub(super) lone: bool,
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

/// The running figures of a session: of all models in the order of [`Totals::models`], and together.
#[derive(Debug, Default)]
struct Spent {
    models: Vec<(Tokens, Option<f64>)>,
    cost: Option<f64>,
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

    fn total(self, parked: impl Iterator<Item = f64>) -> Option<f64> {
        let before = parked.fold(self.before, |sum, cost| sum + cost);
        match self.now {
            Some(now) => Some(before + now),
            None => (before > 0.0).then_some(before),
        }
    }
}

/// The name of what is over the limit.
const OTHER: &str = "(other)";

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

    /// Takes a result into account.
    pub(super) fn result(
        &mut self,
        record: Value<'_>,
        flavor: Flavor,
        around: Around,
        out: &mut Batch,
    ) {
        let [session, models, since_last, usage, cost, turns, duration, index] = record.pick([
            "session_id",
            "modelUsage",
            "model_usage_since_last_result",
            "usage",
            "total_cost_usd",
            "num_turns",
            "duration_ms",
            "result_index",
        ]);
        let stated: Vec<Stated<'_>> = models.members().map(Stated::of).collect();
        self.enter(session, &stated, since_last, turns, around);
        self.count_turns(turns, around.turns_run_on);
        self.duration = sum(self.duration, duration.number());
        let all_seen = index.count().unwrap_or(self.results) == self.results;
        if self.models.is_empty() && !stated.is_empty() && all_seen {
            self.since = since(&stated, since_last);
        }
        if self.restarted(&stated, since_last, cost) {
            self.restart();
        }
        self.cost.state(cost);
        self.state(&stated);
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

    /// Goes to the running figures of the result's session.
    fn enter(
        &mut self,
        session: Value<'_>,
        stated: &[Stated<'_>],
        since_last: Value<'_>,
        turns: Value<'_>,
        around: Around,
    ) {
        let Some(id) = Id::of(session) else { return };
        let Some(last) = self.session else {
            self.session = Some(id);
            return;
        };
        let readings = self.readings(stated, around.calls);
        if last == id || self.unpark(id) {
            // Another process went on with the session, of a version whose total then begins anew.
            let exactly_anew = readings.anew == Some(0) && readings.runs_on != Some(0);
            if !since_last.is_object() && exactly_anew && !around.calls.is_zero() {
                self.restart();
            }
            return;
        }
        let runs_on = if around.lone && around.calls.is_zero() {
            false
        } else if since_last.is_object() && !stated.is_empty() {
            let own = since_last.members().map(Stated::of);
            let own = own.fold(Tokens::default(), |sum, model| sum.plus(model.counts));
            self.readings(stated, own).runs_on == Some(0)
        } else {
            // Where a command began another session in the same process, its own result says first that
            // nothing was spent.
            let unchanged = stated.is_empty() || readings.runs_on == Some(0);
            unchanged && around.calls.is_zero() && turns.count() == Some(0)
        };
        if !runs_on {
            self.park();
        }
        self.session = Some(id);
    }

    /// Two readings of what a result states: that its total runs on, and that it began anew.
    fn readings(&self, stated: &[Stated<'_>], calls: Tokens) -> Readings {
        let total = stated.iter().fold(Tokens::default(), |sum, model| sum.plus(model.counts));
        let was = self.models.iter().fold(Tokens::default(), |sum, model| sum.plus(model.now));
        let growth = (!total.fell(was)).then(|| total.less(was));
        Readings {
            runs_on: growth.and_then(|growth| surplus(growth, calls)),
            anew: surplus(total, calls),
        }
    }

    /// Puts the running figures aside: their session may go on.
    fn park(&mut self) {
        let Some(id) = self.session else { return self.restart() };
        let models = self
            .models
            .iter_mut()
            .map(|model| (std::mem::take(&mut model.now), std::mem::take(&mut model.cost.now)));
        let spent = Spent { models: models.collect(), cost: self.cost.now.take() };
        if self.parked.len() >= MAX_RECENT
            && let Some((_, oldest)) = self.parked.pop_front()
        {
            for (model, (tokens, cost)) in self.models.iter_mut().zip(oldest.models) {
                model.before = model.before.plus(tokens);
                model.cost.before += cost.unwrap_or_default();
            }
            self.cost.before += oldest.cost.unwrap_or_default();
        }
        self.parked.push_back((id, spent));
        self.last_turns = 0;
    }

    /// Goes on with the figures of a session that were put aside.
    fn unpark(&mut self, id: Id) -> bool {
        let at = self.parked.iter().position(|(parked, _)| *parked == id);
        let Some((_, spent)) = at.and_then(|at| self.parked.remove(at)) else { return false };
        self.park();
        for (model, (tokens, cost)) in self.models.iter_mut().zip(spent.models) {
            model.now = tokens;
            model.cost.now = cost;
        }
        self.cost.now = spent.cost;
        self.session = Some(id);
        true
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

    fn state(&mut self, stated: &[Stated<'_>]) {
        let mut over = None;
        for model in stated {
            let name = model.name.decode();
            let known = self.models.iter().position(|known| known.name == name);
            let at = known.or_else(|| {
                let room = self.models.len() + 1 < MAX_CLAUDE_MODELS;
                (room && name.len() <= MAX_CLAUDE_MODEL).then(|| self.add(&name))
            });
            let (counts, cost) = (model.counts, model.cost.f64());
            if let Some(known) = at.and_then(|at| self.models.get_mut(at)) {
                // A figure that is missing is what it was.
                known.now = counts.or(known.now);
                known.cost.state(model.cost);
                known.window = model.window.or(known.window);
            } else {
                let (sum, usd) = over.unwrap_or((Tokens::default(), 0.0));
                over = Some((counts.plus(sum), usd + cost.unwrap_or_default()));
            }
        }
        if let Some((counts, cost)) = over {
            let known = self.models.iter().position(|known| known.name == OTHER);
            let at = known.unwrap_or_else(|| self.add(OTHER));
            if let Some(other) = self.models.get_mut(at) {
                other.now = counts.or(other.now);
                other.cost.now = Some(cost);
            }
        }
    }

    fn add(&mut self, name: &str) -> usize {
        self.models.push(Model { name: name.to_owned(), ..Model::default() });
        self.models.len() - 1
    }

    fn push(&self, out: &mut Batch) {
        let mut sum = Tokens::default();
        let models = self.models.iter().enumerate().map(|(at, model)| {
            let parked = || self.parked.iter().filter_map(move |(_, spent)| spent.models.get(at));
            let before = parked().fold(model.before, |sum, (tokens, _)| sum.plus(*tokens));
            let counts = before.plus(model.now);
            sum = sum.plus(counts);
            let usage = ModelUsage {
                cost_usd: model.cost.total(parked().filter_map(|(_, cost)| *cost)),
                context_window: model.window,
                ..counts.into()
            };
            (Name::from(&model.name), usage)
        });
        let models = Keyed(models.collect());
        out.push(SessionUsage {
            cost_usd: self.cost.total(self.parked.iter().filter_map(|(_, spent)| spent.cost)),
            turns: Some(self.turns),
            duration_ms: self.duration,
            models,
            cumulative: self.since,
            ..sum.into()
        });
    }
}

/// By how much a reading of a total exceeds what the calls sent: helper calls that print nothing make a
/// total larger, never smaller. Nothing for a reading that does not fit.
#[derive(Debug, Clone, Copy)]
struct Readings {
    runs_on: Option<u64>,
    anew: Option<u64>,
}

fn surplus(growth: Tokens, calls: Tokens) -> Option<u64> {
    let pairs = growth.sent().into_iter().zip(calls.sent());
    pairs.map(|(sum, calls)| sum.unwrap_or_default().checked_sub(calls.unwrap_or_default())).sum()
}
