//! A line a session, or a line a group of sessions: what is listed, and in which order.

use std::cmp::Ordering;

use jiff::tz::TimeZone;
use serde_json::Value;

use super::coverage::Coverage;
use super::groups::{By, Group};
use super::recap::{Recap, Summary, Usage};

/// The order of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Sort {
    /// By start, or by the groups' key.
    Start,
    /// What cost most first.
    Cost,
    /// What took most tokens first.
    Tokens,
    /// What took most turns first.
    Turns,
    /// What took longest first.
    Duration,
}

/// How sessions are listed.
#[derive(Debug, Clone)]
pub(crate) struct Listing {
    /// Groups instead of sessions.
    pub by: Option<By>,
    /// The order; else as they came.
    pub sort: Option<Sort>,
    /// No more lines than that.
    pub top: Option<usize>,
    /// The time zone of days and times.
    pub zone: TimeZone,
    /// The width in columns that the text must fit into.
    pub width: Option<usize>,
}

/// A line of a listing.
#[derive(Debug)]
pub(super) enum Line<'s> {
    Session(&'s Recap),
    Group(Box<Group>),
}

impl Line<'_> {
    pub(super) fn recap(&self) -> &Recap {
        match self {
            Line::Session(recap) => recap,
            Line::Group(group) => &group.total,
        }
    }
}

/// The lines, how many were left out behind them, and what the total covers.
#[derive(Debug)]
pub(super) struct Lines<'s> {
    pub(super) listed: Vec<Line<'s>>,
    pub(super) more: usize,
    pub(super) coverage: Coverage,
}

impl Listing {
    pub(super) fn lines<'s>(&self, summary: &'s Summary) -> Lines<'s> {
        let mut lines: Vec<Line<'s>> = match self.by {
            Some(by) => summary
                .groups(by, &self.zone)
                .into_iter()
                .map(|group| Line::Group(Box::new(group)))
                .collect(),
            None => summary.sessions.iter().map(Line::Session).collect(),
        };
        if let Some(sort) = self.sort {
            lines.sort_by(|a, b| sort.compare(a, b));
        }
        let more = lines.len() - self.top.unwrap_or(lines.len()).min(lines.len());
        lines.truncate(lines.len() - more);
        Lines { listed: lines, more, coverage: Coverage::of(summary.sessions.iter()) }
    }
}

impl Summary {
    /// Adds to the recaps as JSON what is listed, and only that: sessions, or `groups`.
    pub(crate) fn to_json_listing(&self, listing: &Listing) -> Value {
        let mut json = self.to_json();
        let lines = listing.lines(self).listed;
        let listed: Vec<Value> = lines.iter().map(Line::to_json).collect();
        let key = if listing.by.is_some() { "groups" } else { "sessions" };
        if let Some(json) = json.as_object_mut() {
            json.insert(key.to_owned(), Value::Array(listed));
        }
        json
    }
}

impl Line<'_> {
    fn to_json(&self) -> Value {
        match self {
            Line::Session(recap) => recap.to_json(),
            Line::Group(group) => group.to_json(),
        }
    }
}

impl Sort {
    fn compare(self, a: &Line<'_>, b: &Line<'_>) -> Ordering {
        let usage = |line: &Line<'_>| line.recap().usage.clone();
        match self {
            Sort::Start => match (a, b) {
                (Line::Group(a), Line::Group(b)) => a.key.cmp(&b.key),
                _ => a.recap().start().cmp(&b.recap().start()),
            },
            Sort::Cost => {
                let [a, b] = [usage(a), usage(b)].map(|usage| usage.figures.cost_usd);
                b.unwrap_or(-1.0).total_cmp(&a.unwrap_or(-1.0))
            }
            Sort::Tokens => tokens(&usage(b)).cmp(&tokens(&usage(a))),
            Sort::Turns => usage(b).turns.cmp(&usage(a).turns),
            Sort::Duration => usage(b).duration_ms.cmp(&usage(a).duration_ms),
        }
    }
}

/// All tokens together; reasoning is a part of the output, or the harness counts it so.
fn tokens(usage: &Usage) -> Option<u64> {
    let counts = usage.figures.counts().into_iter().take(4);
    counts.flatten().reduce(u64::saturating_add)
}
