//! A session: the parts of it that several processes printed.
//!
//! Running totals are where recaps go wrong, so the rules stand here and nowhere else. A *chain* is
//! the runs that one running total covers. A total over the process is a chain of its own; a total
//! over the session covers all that came before; where nobody says which it is, a run whose first
//! total starts at or above where the chain ended goes on with it. Each chain's figure is, counter by
//! counter, the larger of its latest total and the sum of its calls; chains add up.

use super::figures::{Figures, Models, Total};
use super::part::{Context, Identity, Part};
use super::recap::{Bases, Ending, Plan, Recap, Task, Usage};
use super::tally::Tally;
use super::window;
use crate::format::tokens::both;
use crate::read::verdict::{Form, Verdict};

#[derive(Debug, Clone, Default)]
pub(super) struct Session {
    who: Identity,
    runs: u64,
    settled: Settled,
    chain: Chain,
    /// Of all runs.
    calls: Figures,
    context: Option<Context>,
    tally: Tally,
    title: Option<String>,
    plan: Option<Plan>,
    background: Option<Vec<Task>>,
    ending: Option<Ending>,
    complete: Option<bool>,
    /// Of the last part.
    verdict: Verdict,
    from: Option<String>,
    to: Option<String>,
}

/// What chains came to.
#[derive(Debug, Clone, Default)]
struct Settled {
    figures: Figures,
    stated: Figures,
    basis: Bases,
    turns: Option<u64>,
    duration_ms: Option<u64>,
    models: Models,
}

impl Settled {
    fn plus(self, other: &Settled) -> Settled {
        Settled {
            figures: self.figures.plus(&other.figures),
            stated: self.stated.plus(&other.stated),
            basis: self.basis.join(other.basis),
            turns: both(self.turns, other.turns, u64::saturating_add),
            duration_ms: both(self.duration_ms, other.duration_ms, u64::saturating_add),
            models: self.models.plus(&other.models),
        }
    }
}

/// The runs that one running total covers.
#[derive(Debug, Clone, Default)]
struct Chain {
    total: Option<Total>,
    calls: Figures,
    call_models: Models,
}

impl Chain {
    fn value(&self) -> Settled {
        let none = Total::default();
        let total = self.total.as_ref().unwrap_or(&none);
        let models = if total.models.0.is_empty() { &self.call_models } else { &total.models };
        Settled {
            figures: total.figures.larger(&self.calls),
            stated: total.figures,
            basis: Bases::of(&total.figures, &self.calls),
            turns: total.turns,
            duration_ms: total.duration_ms,
            models: models.clone(),
        }
    }

    fn add_calls(&mut self, part: &Part) {
        self.calls = self.calls.plus(&part.calls);
        self.call_models = std::mem::take(&mut self.call_models).plus(&part.call_models);
    }
}

impl Session {
    /// Adds a part; `new_run` when it is the first of its process. `form`: what was read, where that is
    /// known of more than its events.
    pub(super) fn absorb(&mut self, part: Part, new_run: bool, form: Option<Form>) {
        self.spend(&part);
        self.verdict = part.verdict(form);
        let complete = part.is_complete(form.map(|form| form.has_end));
        self.complete = match (self.runs, self.complete, complete) {
            (0, _, now) => now,
            (_, Some(false), _) | (_, _, Some(false)) => Some(false),
            (_, None, _) | (_, _, None) => None,
            (_, Some(true), Some(true)) => Some(true),
        };
        self.runs += u64::from(new_run || self.runs == 0);
        self.who.renew(part.who);
        self.context = part.context.or(self.context.take());
        self.tally.add(&part.tally);
        self.title = part.title.or(self.title.take());
        self.plan = part.plan.or(self.plan);
        self.background = part.background.or(self.background.take());
        self.ending = part.ending.or(self.ending.take());
        self.from = earlier(self.from.take(), part.from);
        self.to = later(self.to.take(), part.to);
    }

    /// Returns about how many bytes it takes.
    pub(super) fn weight(&self) -> usize {
        /// What an entry of a map takes beside its name.
        const ENTRY: usize = 100;
        let who = &self.who;
        let ending = self.ending.iter().flat_map(|end| {
            [&end.reason, &end.stop_reason, &end.error, &end.signal].into_iter().flatten()
        });
        let tasks = self
            .background
            .iter()
            .flatten()
            .flat_map(|task| [&task.id, &task.kind, &task.description].into_iter().flatten());
        let texts = [&who.id, &who.harness, &who.version, &who.model, &who.cwd, &self.title];
        let texts: usize = texts
            .into_iter()
            .flatten()
            .chain(ending)
            .chain(tasks)
            .map(|text| text.len() + 24)
            .sum();
        let tally = &self.tally;
        let models = [&self.settled.models, &self.chain.call_models];
        let total = self.chain.total.iter().map(|total| &total.models);
        let models = models.into_iter().chain(total).flat_map(|models| models.0.keys());
        let names = tally.messages.keys().chain(tally.notices.keys()).chain(tally.tools.keys());
        let names = names.chain(tally.files.keys()).chain(tally.files.values()).chain(models);
        size_of::<Self>() + texts + names.map(|name| name.len() + ENTRY).sum::<usize>()
    }

    fn spend(&mut self, part: &Part) {
        self.calls = self.calls.plus(&part.calls);
        let chain_since = self.chain.total.as_ref().map(|total| total.over_session);
        let Some((first, total)) = part.own_total() else {
            // Cut off before it said a total. A later one may cover it, unless totals are known to
            // count over the process.
            if chain_since == Some(Some(false)) {
                self.settle();
            }
            self.chain.add_calls(part);
            return;
        };
        match total.over_session {
            Some(true) => {
                self.settle();
                let before = std::mem::take(&mut self.settled);
                self.chain.calls = self.calls;
                self.chain.total = Some(self.covering(before, total, part));
            }
            Some(false) => {
                self.settle();
                self.chain.add_calls(part);
                self.chain.total = Some(total);
            }
            None => {
                let earlier = self.chain.total.as_ref().map_or(self.chain.calls, |t| t.figures);
                if chain_since == Some(Some(false)) || !first.continues(&earlier) {
                    self.settle();
                }
                self.chain.add_calls(part);
                let before = self.chain.total.take().unwrap_or_default();
                self.chain.total = Some(before.renewed(total));
            }
        }
    }

    /// Returns a total over the session: it contains what came before, in whatever order the files
    /// came.
    fn covering(&self, before: Settled, total: Total, part: &Part) -> Total {
        // Claude's tokens and cost go on when a session is resumed; its turns and its duration do not.
        let harness = part.who.harness.as_deref().or(self.who.harness.as_deref());
        let join =
            if harness == Some("claude-code") { u64::saturating_add } else { <u64 as Ord>::max };
        Total {
            figures: total.figures.larger(&before.stated),
            turns: both(before.turns, total.turns, join),
            duration_ms: both(before.duration_ms, total.duration_ms, join),
            models: if total.models.0.is_empty() { before.models } else { total.models },
            over_session: total.over_session,
        }
    }

    fn settle(&mut self) {
        let chain = std::mem::take(&mut self.chain);
        self.settled = std::mem::take(&mut self.settled).plus(&chain.value());
    }

    /// Returns what was spent: the figures and the turns.
    #[cfg(feature = "cli")]
    pub(super) fn spent(&self) -> (Figures, Option<u64>) {
        let spent = self.settled.clone().plus(&self.chain.value());
        (spent.figures, spent.turns)
    }

    pub(super) fn recap(self) -> Recap {
        let spent = self.settled.plus(&self.chain.value());
        let context_window = window::of(&self.who, self.context.as_ref(), &spent.models);
        Recap {
            usage: Usage {
                figures: spent.figures,
                basis: spent.basis,
                calls: self.calls,
                stated: spent.stated,
                turns: spent.turns,
                duration_ms: spent.duration_ms,
                context_tokens: self.context.map(|context| context.tokens),
                context_window,
                models: spent.models.0,
                complete: self.complete,
            },
            session_id: self.who.id,
            title: self.title,
            harness: self.who.harness,
            version: self.who.version,
            model: self.who.model,
            cwd: self.who.cwd,
            runs: self.runs,
            from: self.from,
            to: self.to,
            tally: self.tally,
            plan: self.plan,
            background: self.background,
            outcome: self.ending,
            verdict: self.verdict,
        }
    }
}

/// Times of the format sort as text.
fn earlier(a: Option<String>, b: Option<String>) -> Option<String> {
    both(a, b, <String as Ord>::min)
}

fn later(a: Option<String>, b: Option<String>) -> Option<String> {
    both(a, b, <String as Ord>::max)
}
