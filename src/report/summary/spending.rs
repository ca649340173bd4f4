//! What the runs of a session come to.
//!
//! Running totals are where recaps go wrong, so the rules stand here and nowhere else. A *chain* is
//! the runs that one running total covers. A total over the process is a chain of its own; a total
//! over the session covers all that came before; where nobody says which it is, a run whose first
//! total starts at or above where the chain ended goes on with it. So does the rest of a log that was
//! rotated, whose first total exceeds the chain's by just what its calls sent. Each chain's figure is,
//! counter by counter, the larger of its latest total and the sum of its calls; chains add up.

use super::figures::{Figures, Models, Total};
use super::recap::Bases;
use crate::format::tokens::both;

/// What one run of a session says was spent.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    pub(super) from: Option<String>,
    pub(super) harness: Option<String>,
    /// No start says where it ran.
    pub(super) is_headless: bool,
    /// Some of its calls were told by an earlier run: it begins with a copy.
    pub(super) repeats: bool,
    /// Its total as it was stated first.
    pub(super) first: Option<Figures>,
    pub(super) total: Option<Total>,
    /// What was called up to the first total.
    pub(super) before_first: Figures,
    pub(super) calls: Figures,
    pub(super) call_models: Models,
}

impl Run {
    /// What the process had carried on from before it began, as far as the calls tell: the input side of
    /// its first total without theirs. Only a total over the session carries anything on.
    pub(super) fn carried(&self) -> Option<[u64; 3]> {
        let over_session = self.total.as_ref()?.over_session;
        // Others say themselves what a fork inherited, or do not print their calls.
        if self.harness.as_deref() != Some("claude-code") {
            return None;
        }
        let (first, calls) = (self.first?.sent(), self.before_first.sent());
        let mut carried = [0; 3];
        for ((carried, first), calls) in carried.iter_mut().zip(first).zip(calls) {
            *carried = first.checked_sub(calls)?;
        }
        (over_session == Some(true) && carried != [0; 3]).then_some(carried)
    }

    /// Whether its first total runs on over what `chain` covers, so that it is the rest of a log that was
    /// cut. The first total of a new process is about what its own calls sent.
    fn runs_on(&self, first: &Figures, chain: &Chain) -> bool {
        let before = chain.value().figures.sent();
        let (first, calls) = (first.sent(), self.before_first.sent());
        let mut with = first.iter().zip(before).zip(calls).map(|((f, b), c)| (*f, b + c));
        let is_exact = with.clone().all(|(first, sum)| first == sum);
        // Calls that print nothing make a total larger, never smaller.
        let covers = with.all(|(first, sum)| first >= sum);
        if before == [0; 3] {
            return false;
        }
        let has_total = chain.total.is_some();
        if calls == [0; 3] {
            // The end alone: of a process whose calls have come, or all that another one printed.
            let stated = chain.total.as_ref().map(|total| total.figures.sent());
            return self.is_headless
                && covers
                && (!has_total || (is_exact && stated != Some(before)));
        }
        (is_exact && first != calls) || (self.is_headless && covers)
    }
}

/// What runs came to.
#[derive(Debug, Clone, Default)]
pub(super) struct Spent {
    pub(super) figures: Figures,
    pub(super) stated: Figures,
    pub(super) basis: Bases,
    pub(super) turns: Option<u64>,
    pub(super) duration_ms: Option<u64>,
    pub(super) models: Models,
}

impl Spent {
    fn plus(self, other: &Spent) -> Spent {
        Spent {
            figures: self.figures.plus(&other.figures),
            stated: self.stated.plus(&other.stated),
            basis: self.basis.join(other.basis),
            turns: both(self.turns, other.turns, u64::saturating_add),
            duration_ms: both(self.duration_ms, other.duration_ms, u64::saturating_add),
            models: self.models.plus(&other.models),
        }
    }

    /// Leaves out what another session spent.
    pub(super) fn less(self, other: &Spent) -> Spent {
        Spent {
            figures: self.figures.less(&other.figures),
            stated: self.stated.less(&other.stated),
            models: self.models.less(&other.models),
            ..self
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
    fn value(&self) -> Spent {
        let none = Total::default();
        let total = self.total.as_ref().unwrap_or(&none);
        let models = if total.models.0.is_empty() { &self.call_models } else { &total.models };
        Spent {
            figures: total.figures.larger(&self.calls),
            stated: total.figures,
            basis: Bases::of(&total.figures, &self.calls),
            turns: total.turns,
            duration_ms: total.duration_ms,
            models: models.clone(),
        }
    }

    fn add_calls(&mut self, run: &Run) {
        self.calls = self.calls.plus(&run.calls);
        self.call_models = std::mem::take(&mut self.call_models).plus(&run.call_models);
    }
}

/// What a session spent, run by run.
#[derive(Debug, Clone, Default)]
pub(super) struct Spending {
    settled: Spent,
    chain: Chain,
    /// Of all runs.
    pub(super) calls: Figures,
    harness: Option<String>,
}

impl Spending {
    /// Adds a run.
    pub(super) fn add(&mut self, run: &Run) {
        self.calls = self.calls.plus(&run.calls);
        if run.harness.is_some() {
            self.harness.clone_from(&run.harness);
        }
        let chain_since = self.chain.total.as_ref().map(|total| total.over_session);
        let (Some(first), Some(total)) = (run.first, run.total.clone()) else {
            // Cut off before it said a total. A later one may cover it, unless totals are known to
            // count over the process.
            if chain_since == Some(Some(false)) && !run.repeats {
                self.settle();
            }
            self.chain.add_calls(run);
            return;
        };
        let earlier = self.chain.total.as_ref().map_or(self.chain.calls, |total| total.figures);
        let runs_on = run.repeats || run.runs_on(&first, &self.chain);
        match total.over_session {
            Some(true) => {
                self.settle();
                let before = std::mem::take(&mut self.settled);
                self.chain.calls = self.calls;
                self.chain.total = Some(self.covering(before, total));
            }
            Some(false) if runs_on => self.go_on(run, total),
            Some(false) => {
                self.settle();
                self.chain.add_calls(run);
                self.chain.total = Some(total);
            }
            None => {
                // A process of this version says since when it counts, unless its start is missing.
                if !first.continues(&earlier) && !runs_on {
                    self.settle();
                }
                self.go_on(run, total);
            }
        }
    }

    fn go_on(&mut self, run: &Run, total: Total) {
        self.chain.add_calls(run);
        let before = self.chain.total.take().unwrap_or_default();
        self.chain.total = Some(before.renewed(total));
    }

    /// Returns a total over the session: it contains what came before, in whatever order the files
    /// came.
    fn covering(&self, before: Spent, total: Total) -> Total {
        // Claude's tokens and cost go on when a session is resumed; its turns and its duration do not.
        let claude = self.harness.as_deref() == Some("claude-code");
        let join = if claude { u64::saturating_add } else { <u64 as Ord>::max };
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

    pub(super) fn spent(&self) -> Spent {
        self.settled.clone().plus(&self.chain.value())
    }
}
