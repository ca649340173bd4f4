//! Events in, recaps out: which session an event belongs to, and what sessions come to.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::figures::{Figures, Models};
use super::forks;
#[cfg(feature = "show")]
use super::part::Part;
use super::recap::{Recap, Summary};
use super::session::Session;
use super::streams::{Ended, Streams};
use crate::format::event::EventType;
use crate::format::outcome::Outcome;
use crate::format::tokens::both;
use crate::limits::{MAX_PARTS, MAX_SESSIONS, MAX_SESSIONS_TEXT};
use crate::read::event_reader::Seen;
use crate::read::verdict::{Form, Verdict};

/// Which session a part belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Id(String),
    /// A run whose harness has no ids is a session of its own.
    Run(u64),
    Others,
}

/// Folds events into recaps. Memory does not grow with the number of events.
#[derive(Debug)]
pub(crate) struct Fold {
    streams: Streams,
    sessions: BTreeMap<Key, (u64, Session)>,
    /// The bytes that they take.
    weight: usize,
    /// The parts that were counted, where what comes a second time is left out.
    seen: Option<BTreeSet<u64>>,
    found: bool,
    /// Of the streams that have ended.
    verdict: Option<Verdict>,
    /// What the stream that is open has said of its end.
    outcome: Outcome,
    /// Whether anything of it was understood; `None` where it said nothing.
    is_known: Option<bool>,
}

impl Fold {
    pub(crate) fn new(dedupe: bool) -> Self {
        Self {
            streams: Streams::new(dedupe),
            sessions: BTreeMap::new(),
            weight: 0,
            seen: dedupe.then(BTreeSet::new),
            found: false,
            verdict: None,
            outcome: Outcome::default(),
            is_known: None,
        }
    }

    /// Whether all of an event must be seen, because what comes a second time is left out.
    pub(crate) fn dedupes(&self) -> bool {
        self.seen.is_some()
    }

    /// Whether it is known whose an event is that does not say so.
    pub(crate) fn is_settled(&self) -> bool {
        self.streams.is_settled()
    }

    /// What comes next is of the file at `path`.
    pub(crate) fn begin_file(&mut self, path: &Path) {
        self.streams.begin_file(path);
    }

    /// Takes an event in.
    pub(crate) fn event(&mut self, seen: Seen<'_>) {
        self.outcome.see_value(seen.kind, seen.payload);
        self.is_known = Some(self.is_known == Some(true) || seen.kind != EventType::Raw);
        self.streams.event(seen);
        self.settle();
    }

    /// The stream ended. `form`: what was read, where that is known of more than its events.
    pub(crate) fn end_stream(&mut self, form: Option<Form>) {
        let is_known = self.is_known.take() == Some(true);
        let supposed = Form { is_known, has_end: self.streams.expects_end() };
        let outcome = std::mem::take(&mut self.outcome);
        let verdict = Verdict::of(form.unwrap_or(supposed), outcome);
        self.verdict = Some(self.verdict.map_or(verdict, |before| before.and(verdict)));
        self.streams.close(form);
        self.settle();
    }

    /// Adds the parts that ended to their sessions.
    fn settle(&mut self) {
        while let Some(ended) = self.streams.ended() {
            self.end_part(ended);
        }
    }

    fn end_part(&mut self, ended: Ended) {
        let Ended { part, new_run, order, form } = ended;
        if part.is_blank() {
            return;
        }
        if let (Some(seen), Some(digest)) = (&mut self.seen, part.digest()) {
            if seen.len() >= MAX_PARTS {
                seen.pop_first();
            }
            if !seen.insert(digest) {
                return;
            }
        }
        self.found |= part.started || part.has_usage();
        let key = part.who.id.clone().map_or(Key::Run(order), Key::Id);
        let known = self.sessions.contains_key(&key);
        let room = self.sessions.len() < MAX_SESSIONS && self.weight < MAX_SESSIONS_TEXT;
        let key = if known || room { key } else { Key::Others };
        let (first, session) =
            self.sessions.entry(key).or_insert_with(|| (order, Session::default()));
        *first = order.min(*first);
        if part.repeats_calls() && session.contains(&part) {
            return;
        }
        let before = session.weight();
        session.absorb(part, new_run, form);
        self.weight += session.weight().saturating_sub(before);
    }

    /// Whether the session that is going on has an id, and another one.
    #[cfg(feature = "show")]
    pub(crate) fn is_of_another(&self, id: &str) -> bool {
        let known = self.streams.current().and_then(|(part, _)| part.who.id.as_deref());
        known.is_some_and(|known| known != id)
    }

    /// The recap so far of the session that is going on. `form`: as in [`Fold::end_stream`].
    #[cfg(feature = "show")]
    pub(crate) fn so_far(&self, form: Option<Form>) -> Recap {
        let blank = Part::new(false);
        let (part, new_run) = self.streams.current().unwrap_or((&blank, true));
        let key = part.who.id.clone().map(Key::Id);
        let earlier = key.and_then(|key| self.sessions.get(&key)).map(|(_, session)| session);
        let mut session = earlier.cloned().unwrap_or_default();
        session.absorb(part.clone(), new_run, form);
        session.recap()
    }

    /// Returns what was spent so far in all sessions, that of now included: its figures and the turns.
    #[cfg(feature = "cli")]
    pub(crate) fn spent(&self) -> (Figures, Option<u64>) {
        let (part, _) = self.streams.current().unzip();
        let now = part.and_then(|part| part.who.id.clone()).map(Key::Id);
        let others = self.sessions.iter().filter(|(key, _)| Some(*key) != now.as_ref());
        let others = others.map(|(_, (_, session))| session.clone().recap().usage);
        let usage = self.so_far(None).usage;
        others.fold((usage.figures, usage.turns), |(figures, turns), more| {
            (figures.plus(&more.figures), both(turns, more.turns, u64::saturating_add))
        })
    }

    /// The recaps. Streams that are open are ended.
    pub(crate) fn finish(mut self) -> Summary {
        if self.is_known.is_some() {
            self.end_stream(None);
        }
        self.streams.close(None);
        self.settle();
        let mut sessions: Vec<_> = self.sessions.into_iter().collect();
        sessions.sort_by_key(|(_, (order, _))| *order);
        forks::leave_out(sessions.iter_mut().map(|(_, (_, session))| session));
        let told_apart = sessions.len().saturating_sub(1);
        let sessions: Vec<Recap> = sessions
            .into_iter()
            .map(|(key, (_, session))| {
                let mut recap = session.recap();
                if key == Key::Others {
                    recap.session_id = None;
                    recap.title = Some(format!("(sessions after the first {told_apart})"));
                }
                recap
            })
            .collect();
        let total = total(sessions.iter());
        let verdict = self.verdict.unwrap_or_default();
        Summary { sessions, total, found: self.found, verdict }
    }
}

/// All sessions together. What only one session can have is that of the last one.
pub(super) fn total<'r>(sessions: impl Iterator<Item = &'r Recap>) -> Recap {
    let mut total = Recap::default();
    let mut models = Models::default();
    let mut figures = Figures::default();
    for session in sessions {
        let (sum, usage) = (&mut total.usage, &session.usage);
        figures = figures.plus(&usage.figures);
        sum.calls = sum.calls.plus(&usage.calls);
        sum.stated = sum.stated.plus(&usage.stated);
        sum.basis = sum.basis.join(usage.basis);
        sum.turns = both(sum.turns, usage.turns, u64::saturating_add);
        sum.duration_ms = both(sum.duration_ms, usage.duration_ms, u64::saturating_add);
        sum.context_tokens = usage.context_tokens;
        sum.context_window = usage.context_window;
        sum.complete = match (total.runs, sum.complete, usage.complete) {
            (0, _, now) => now,
            (_, Some(false), _) | (_, _, Some(false)) => Some(false),
            (_, None, _) | (_, _, None) => None,
            (_, Some(true), Some(true)) => Some(true),
        };
        models = models.plus(&Models(usage.models.clone()));
        total.runs += session.runs;
        total.tally.add(&session.tally);
        total.from = both(total.from, session.from.clone(), <String as Ord>::min);
        total.to = both(total.to, session.to.clone(), <String as Ord>::max);
        if let Some(tasks) = &session.background {
            total.background.get_or_insert_default().extend(tasks.iter().cloned());
        }
        if let Some(plan) = session.plan {
            let sum = total.plan.get_or_insert_default();
            sum.steps += plan.steps;
            sum.completed += plan.completed;
            sum.in_progress += plan.in_progress;
        }
    }
    total.usage.figures = figures;
    total.usage.models = models.0;
    total
}
