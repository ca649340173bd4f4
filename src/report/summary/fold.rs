//! Events in, recaps out: which session and which process an event belongs to.

use std::collections::{BTreeMap, BTreeSet};

use super::figures::{Figures, Models};
use super::part::{Base, Part};
use super::recap::{Recap, Summary};
use super::session::Session;
use crate::format::event::EventType;
use crate::format::tokens::both;
use crate::json::Value;
use crate::limits::{MAX_PARTS, MAX_SESSIONS};

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
    part: Part,
    /// Whether the part is the first of its process.
    new_run: bool,
    runs: u64,
    line: u64,
    sessions: BTreeMap<Key, (usize, Session)>,
    /// The parts that were counted, where what comes a second time is left out.
    seen: Option<BTreeSet<u64>>,
    found: bool,
    succeeded: bool,
    /// Whether the last end in this stream is a success.
    stream_outcome: Option<bool>,
}

impl Fold {
    pub(crate) fn new(dedupe: bool) -> Self {
        Self {
            part: Part::new(dedupe),
            new_run: true,
            runs: 0,
            line: 0,
            sessions: BTreeMap::new(),
            seen: dedupe.then(BTreeSet::new),
            found: false,
            succeeded: true,
            stream_outcome: None,
        }
    }

    /// Whether what comes a second time is left out, for which all of it must be seen.
    pub(crate) fn dedupes(&self) -> bool {
        self.seen.is_some()
    }

    /// Takes an event in.
    pub(crate) fn event(
        &mut self,
        kind: EventType,
        payload: Value<'_>,
        line: Option<u64>,
        time: Option<&str>,
    ) {
        let mut goes_on = false;
        if let Some(line) = line {
            // Line numbers that start again: another stream was appended.
            if line < self.line {
                self.end_run(None);
            }
            goes_on = line > self.line;
            self.line = line;
        }
        if kind == EventType::SessionStarted {
            self.start(payload, goes_on);
        }
        self.part.event(kind, payload, time);
        if kind == EventType::SessionEnded {
            self.stream_outcome = self.part.ending.as_ref().map(|end| end.succeeded);
        }
    }

    /// `goes_on`: on a later line of the same stream, whose totals run on.
    fn start(&mut self, payload: Value<'_>, goes_on: bool) {
        let [id, turn] = payload.pick(["sessionId", "turn"]);
        let id = id.filled();
        let other = id.is_some() && id != self.part.who.id;
        let same_process = turn.count().is_some_and(|turn| turn > 1);
        if self.part.is_blank() || self.part.is_nameless() {
            return;
        }
        // The start is told again because the model is known only now.
        if !other && self.part.lacks_model() && payload.get("model").filled().is_some() {
            return;
        }
        let part = &self.part;
        let total = part.total.as_ref().unwrap_or(&part.base.total).clone();
        if same_process {
            if other {
                self.end_part(None);
                self.part.base = Base { total, is_apart: false };
                self.new_run = false;
            }
        } else if other || !part.is_fresh() {
            self.end_run(None);
            if goes_on {
                self.part.base = Base { total, is_apart: other };
            }
        }
    }

    /// The stream ended. `has_end`: whether its dialect has an end record, where that is known.
    pub(crate) fn end_stream(&mut self, has_end: Option<bool>) {
        let expected = self.part.has_end(has_end);
        self.succeeded &= self.stream_outcome.take().unwrap_or(!expected);
        self.end_run(has_end);
    }

    fn end_run(&mut self, has_end: Option<bool>) {
        self.end_part(has_end);
        self.new_run = true;
        self.line = 0;
    }

    fn end_part(&mut self, has_end: Option<bool>) {
        let next = Part::new(self.dedupes());
        let part = std::mem::replace(&mut self.part, next);
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
        self.runs += 1;
        let key = part.who.id.clone().map_or(Key::Run(self.runs), Key::Id);
        let known = self.sessions.contains_key(&key);
        let key = if known || self.sessions.len() < MAX_SESSIONS { key } else { Key::Others };
        let order = self.sessions.len();
        let (_, session) = self.sessions.entry(key).or_insert_with(|| (order, Session::default()));
        let complete = part.is_complete(has_end);
        session.absorb(part, self.new_run, complete);
    }

    /// Whether the session that is going on has an id, and another one.
    #[cfg(feature = "show")]
    pub(crate) fn is_of_another(&self, id: &str) -> bool {
        self.part.who.id.as_deref().is_some_and(|known| known != id)
    }

    /// The recap so far of the session that is going on. `has_end`: as in [`Fold::end_stream`].
    #[cfg(feature = "show")]
    pub(crate) fn so_far(&self, has_end: Option<bool>) -> Recap {
        let key = self.part.who.id.clone().map(Key::Id);
        let earlier = key.and_then(|key| self.sessions.get(&key)).map(|(_, session)| session);
        let mut session = earlier.cloned().unwrap_or_default();
        session.absorb(self.part.clone(), self.new_run, self.part.is_complete(has_end));
        session.recap()
    }

    /// The recaps. Streams that are open are ended.
    pub(crate) fn finish(mut self) -> Summary {
        self.end_run(None);
        let mut sessions: Vec<_> = self.sessions.into_iter().collect();
        sessions.sort_by_key(|(_, (order, _))| *order);
        let sessions: Vec<Recap> = sessions
            .into_iter()
            .map(|(key, (_, session))| {
                let mut recap = session.recap();
                if key == Key::Others {
                    recap.session_id = None;
                    recap.title = Some(format!("(sessions after the first {MAX_SESSIONS})"));
                }
                recap
            })
            .collect();
        let total = total(&sessions);
        Summary { sessions, total, found: self.found, succeeded: self.succeeded }
    }
}

/// All sessions together. What only one session can have is that of the last one.
fn total(sessions: &[Recap]) -> Recap {
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
