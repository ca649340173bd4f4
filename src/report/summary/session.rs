//! A session: the parts of it that several processes printed.

use std::sync::Arc;

use super::part::{Context, Identity, InputFile, Part};
use super::recap::{Ending, Plan, Recap, Task, Usage};
use super::spending::{Run, Spending, Spent};
use super::tally::Tally;
use super::window;
use crate::format::tokens::both;
use crate::limits::{MAX_HELD_RUNS, MAX_SESSION_FILES};
use crate::read::verdict::{Form, Verdict};

#[derive(Debug, Clone, Default)]
pub(super) struct Session {
    who: Identity,
    runs: u64,
    spending: Spending,
    /// The runs that came last, which are not in `spending` yet.
    held: Vec<Run>,
    /// What its total carries on from the session that it was forked from.
    pub(super) inherited: Option<Spent>,
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
    files: Vec<Arc<InputFile>>,
    words: Option<String>,
}

impl Session {
    /// Adds a part; `new_run` when it is the first of its process. `form`: what was read, where that is
    /// known of more than its events.
    pub(super) fn absorb(&mut self, part: Part, new_run: bool, form: Option<Form>) {
        self.hold(part.run());
        let verdict = part.verdict(form);
        let complete = part.is_complete(form.map(|form| form.has_end));
        self.complete = match (self.runs, self.complete, complete) {
            (0, _, now) => now,
            (_, Some(false), _) | (_, _, Some(false)) => Some(false),
            (_, None, _) | (_, _, None) => None,
            (_, Some(true), Some(true)) => Some(true),
        };
        self.runs += u64::from(new_run || self.runs == 0);
        self.tally.add(&part.tally);
        // What was the case last stands, in whatever order the files came.
        let is_older = self.to.as_ref().zip(part.to.as_ref()).is_some_and(|(to, its)| its < to);
        if is_older {
            let newer = std::mem::replace(&mut self.who, part.who);
            self.who.renew(newer);
            self.context = self.context.take().or(part.context);
            self.title = self.title.take().or(part.title);
            self.plan = self.plan.or(part.plan);
            self.background = self.background.take().or(part.background);
            self.ending = self.ending.take().or(part.ending);
        } else {
            self.verdict = verdict;
            self.who.renew(part.who);
            self.context = part.context.or(self.context.take());
            self.title = part.title.or(self.title.take());
            self.plan = part.plan.or(self.plan);
            self.background = part.background.or(self.background.take());
            self.ending = part.ending.or(self.ending.take());
        }
        self.words = if is_older {
            part.words.or(self.words.take())
        } else {
            self.words.take().or(part.words)
        };
        if let Some(file) = part.file
            && self.files.len() < MAX_SESSION_FILES
            && self.files.iter().all(|known| known.name != file.name)
        {
            self.files.push(file);
        }
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
        let names = tally.messages.keys().chain(tally.notices.keys()).chain(tally.tools.keys());
        let names = names.chain(tally.files.keys()).chain(tally.files.values());
        size_of::<Self>() + texts + names.map(|name| name.len() + ENTRY).sum::<usize>()
    }

    /// Whether a part whose calls were all told before says nothing else either: it is a copy.
    pub(super) fn contains(&self, part: &Part) -> bool {
        let spent = self.spent().spent().stated;
        let total = part.run().total.map(|total| total.figures);
        let is_known = total.is_none_or(|total| spent.larger(&total) == spent);
        self.runs > 0 && is_known && (part.ending.is_none() || self.ending.is_some())
    }

    fn hold(&mut self, run: Run) {
        if self.held.len() >= MAX_HELD_RUNS {
            let run = self.held.remove(0);
            self.spending.add(&run);
        }
        self.held.push(run);
    }

    /// Its runs in the order of their times, or as they came where one has none.
    fn in_order(&self) -> Vec<Run> {
        let mut runs = self.held.clone();
        if runs.iter().all(|run| run.from.is_some()) {
            runs.sort_by(|a, b| a.from.cmp(&b.from));
        }
        runs
    }

    fn spent(&self) -> Spending {
        let mut spending = self.spending.clone();
        for run in self.in_order() {
            spending.add(&run);
        }
        spending
    }

    /// What it had spent after each of its runs.
    pub(super) fn points(&self) -> Vec<Spent> {
        let mut spending = self.spending.clone();
        let runs = self.in_order().into_iter();
        runs.map(|run| {
            spending.add(&run);
            spending.spent()
        })
        .collect()
    }

    /// What its first run carried on from before it.
    pub(super) fn carried(&self) -> Option<[u64; 3]> {
        let carried = self.held.iter().map(Run::carried);
        carried.min_by_key(|carried| carried.map(|sent| sent.into_iter().sum::<u64>()))?
    }

    pub(super) fn recap(self) -> Recap {
        let spending = self.spent();
        let mut spent = spending.spent();
        if let Some(inherited) = &self.inherited {
            spent = spent.less(inherited);
        }
        let context_window = window::of(&self.who, self.context.as_ref(), &spent.models);
        // Where no start names the model, the main thread's calls do.
        let called = self.context.as_ref().and_then(|context| context.model.clone());
        Recap {
            usage: Usage {
                figures: spent.figures,
                basis: spent.basis,
                calls: spending.calls,
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
            model: self.who.model.or(called),
            cwd: self.who.cwd,
            runs: self.runs,
            file_time: self.files.iter().filter_map(|file| file.time.clone()).max(),
            files: self.files.iter().map(|file| file.name.clone()).collect(),
            first_words: self.words,
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
