//! The recap of a session, or of all of them.

use std::collections::BTreeMap;

use super::figures::{Figures, ModelFigures};
use super::tally::Tally;
use crate::format::event::Status;
use crate::input::text::clip;
use crate::json::Value;
use crate::limits::{DEFAULT_CLIP, MAX_ID, MAX_NAME, MAX_PATH};
use crate::read::verdict::Verdict;
use crate::report::kept::filled;

/// What a figure is based on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Basis {
    /// Nobody said anything.
    #[default]
    None,
    /// The harness's running total.
    Session,
    /// The sum of the model calls: it is larger than the total, or there is no total.
    Calls,
}

impl Basis {
    /// Returns the word of the format.
    pub fn word(self) -> &'static str {
        match self {
            Basis::None => "none",
            Basis::Session => "session",
            Basis::Calls => "calls",
        }
    }

    /// Joins the two of a sum: it is a total only where every part that is known is one.
    fn join(self, other: Basis) -> Basis {
        match (self, other) {
            (Basis::None, other) => other,
            (Basis::Calls, _) | (_, Basis::Calls) => Basis::Calls,
            (Basis::Session, _) => Basis::Session,
        }
    }
}

/// What each of the [`Figures`] is based on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bases {
    /// Of the token counters, in the order of [`Figures`].
    pub tokens: [Basis; 5],
    /// Of the cost.
    pub cost: Basis,
}

impl Bases {
    /// Returns where the larger of the two comes from.
    pub(super) fn of(total: &Figures, calls: &Figures) -> Self {
        let mut tokens = [Basis::None; 5];
        let counts = total.counts().into_iter().zip(calls.counts());
        for (basis, (total, calls)) in tokens.iter_mut().zip(counts) {
            *basis = basis_of(total, calls);
        }
        Self { tokens, cost: basis_of(total.cost_usd, calls.cost_usd) }
    }

    pub(super) fn join(self, other: Self) -> Self {
        let mut tokens = self.tokens;
        for (mine, other) in tokens.iter_mut().zip(other.tokens) {
            *mine = mine.join(other);
        }
        Self { tokens, cost: self.cost.join(other.cost) }
    }
}

fn basis_of<T: PartialOrd>(total: Option<T>, calls: Option<T>) -> Basis {
    match (total, calls) {
        (None, None) => Basis::None,
        (Some(total), Some(calls)) if calls > total => Basis::Calls,
        (Some(_), _) => Basis::Session,
        (None, Some(_)) => Basis::Calls,
    }
}

/// What was spent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Usage {
    /// Tokens and cost: for each counter the larger of the harness's total and the sum of the calls.
    pub figures: Figures,
    /// What each figure is based on.
    pub basis: Bases,
    /// The sum of the calls.
    pub calls: Figures,
    /// The harness's totals.
    pub stated: Figures,
    /// Turns as the harness counts them.
    pub turns: Option<u64>,
    /// The harness's own duration in milliseconds.
    pub duration_ms: Option<u64>,
    /// The prompt that the main thread sent last.
    pub context_tokens: Option<u64>,
    /// The context window of the model that got it.
    pub context_window: Option<u64>,
    /// The same figures by model, as far as they are known.
    pub models: BTreeMap<String, ModelFigures>,
    /// Whether the streams were whole: each one's last word is an end. `None` where the dialect has
    /// no end record and nothing says it.
    pub complete: Option<bool>,
}

/// How a session ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ending {
    /// Whether the last end is a success.
    pub succeeded: bool,
    /// The harness's word for the kind of end.
    pub reason: Option<String>,
    /// Why the model stopped.
    pub stop_reason: Option<String>,
    /// The error's message.
    pub error: Option<String>,
    /// The exit status.
    pub exit_code: Option<i64>,
    /// The signal that ended the process.
    pub signal: Option<String>,
    /// Made up from how the process ended: the stream had no end.
    pub synthetic: bool,
}

impl Ending {
    pub(super) fn read(payload: Value<'_>) -> Self {
        let [status, reason, stop, error, code, signal, synthetic] = payload.pick([
            "status",
            "reason",
            "stopReason",
            "error",
            "exitCode",
            "signal",
            "synthetic",
        ]);
        Self {
            succeeded: status.is(Status::Succeeded.word()),
            reason: filled(reason, MAX_NAME),
            stop_reason: filled(stop, MAX_NAME),
            error: error.filled().map(|error| match clip(&error, DEFAULT_CLIP) {
                (start, true) => start.to_owned(),
                (_, false) => error,
            }),
            exit_code: code.i64(),
            signal: filled(signal, MAX_NAME),
            synthetic: synthetic.is_true(),
        }
    }

    /// Returns the word of the format.
    pub fn status(&self) -> &'static str {
        if self.succeeded { Status::Succeeded.word() } else { Status::Failed.word() }
    }
}

/// How far the last plan got.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Plan {
    /// Steps.
    pub steps: u64,
    /// Steps that are completed.
    pub completed: u64,
    /// Steps that were begun.
    pub in_progress: u64,
}

impl Plan {
    pub(super) fn read(steps: Value<'_>) -> Self {
        let mut plan = Self::default();
        for step in steps.elements() {
            let status = step.get("status");
            plan.steps += 1;
            plan.completed += u64::from(status.is("completed"));
            plan.in_progress += u64::from(status.is("in_progress"));
        }
        plan
    }
}

/// A background task that was still running.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Task {
    /// Its id.
    pub id: Option<String>,
    /// The harness's word for its kind.
    pub kind: Option<String>,
    /// What it does.
    pub description: Option<String>,
}

impl Task {
    pub(super) fn read(task: Value<'_>) -> Self {
        let [id, kind, description] = task.pick(["taskId", "kind", "description"]);
        Self {
            id: filled(id, MAX_ID),
            kind: filled(kind, MAX_NAME),
            description: filled(description, MAX_PATH),
        }
    }
}

/// The recap of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recap {
    /// The session's id; `None` where its harness has none, and in the total.
    pub session_id: Option<String>,
    /// The session's name.
    pub title: Option<String>,
    /// The program.
    pub harness: Option<String>,
    /// The program's version.
    pub version: Option<String>,
    /// The model that the session was last started with.
    pub model: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// How many processes worked on the session.
    pub runs: u64,
    /// The first time that the streams state.
    pub from: Option<String>,
    /// The last time that the streams state.
    pub to: Option<String>,
    /// The files that it was read from.
    pub files: Vec<String>,
    /// When the last of them was changed.
    pub file_time: Option<String>,
    /// The start of what the user said first.
    pub first_words: Option<String>,
    /// What was spent.
    pub usage: Usage,
    /// What happened.
    pub tally: Tally,
    /// How far the last plan got.
    pub plan: Option<Plan>,
    /// What was still running when the stream ended; `None` when the harness never says.
    pub background: Option<Vec<Task>>,
    /// The last end.
    pub outcome: Option<Ending>,
    /// Whether it went well.
    pub verdict: Verdict,
}

impl Summary {
    /// Returns the total as it is shown: several sessions have no context in common.
    pub(super) fn sum(&self) -> Recap {
        let mut sum = self.total.clone();
        if self.sessions.len() > 1 {
            sum.usage.context_tokens = None;
            sum.usage.context_window = None;
        }
        sum
    }
}

/// The recap of all sessions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// The sessions in the order of their first line.
    pub sessions: Vec<Recap>,
    /// All of them together.
    pub total: Recap,
    /// Whether any usage, or the start of any session, was found.
    pub found: bool,
    /// Whether all streams went well: the verdict of the first that did not.
    pub verdict: Verdict,
}
