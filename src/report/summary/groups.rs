//! Sessions by day, by model, by whatever they have in common.

use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::coverage::Coverage;
use super::figures::{Figures, ModelFigures};
use super::fold::total;
use super::json;
use super::recap::{Recap, Summary};
use super::when::zoned;

/// What sessions are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum By {
    /// The day on which the session began.
    Day,
    /// Its week, from Monday: `2026-W49`.
    Week,
    /// Its month.
    Month,
    /// The agent.
    Harness,
    /// The model; a session that called several is in the group of each with its part.
    Model,
    /// The working directory.
    Cwd,
    /// The session's id.
    Session,
    /// The first file that the session was read from.
    File,
}

impl By {
    /// The word on the command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            By::Day => "day",
            By::Week => "week",
            By::Month => "month",
            By::Harness => "harness",
            By::Model => "model",
            By::Cwd => "cwd",
            By::Session => "session",
            By::File => "file",
        }
    }

    fn key(self, recap: &Recap, zone: &TimeZone) -> String {
        let key = match self {
            By::Day => zoned(recap, zone).map(|time| time.date().to_string()),
            By::Week => zoned(recap, zone).map(|time| {
                let week = time.date().iso_week_date();
                format!("{:04}-W{:02}", week.year(), week.week())
            }),
            By::Month => zoned(recap, zone).map(|time| time.strftime("%Y-%m").to_string()),
            By::Harness => recap.harness.clone(),
            By::Model => recap.model.clone(),
            By::Cwd => recap.cwd.clone(),
            By::Session => recap.session_id.clone(),
            By::File => recap.files.first().cloned(),
        };
        key.unwrap_or_else(|| UNKNOWN.to_owned())
    }
}

const UNKNOWN: &str = "(unknown)";

/// Sessions that have something in common.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) key: String,
    pub(super) total: Recap,
    pub(super) coverage: Coverage,
}

impl Summary {
    /// Groups the sessions. What the groups spent adds up to the total.
    pub(super) fn groups(&self, by: By, zone: &TimeZone) -> Vec<Group> {
        let mut groups: BTreeMap<String, Vec<Recap>> = BTreeMap::new();
        for session in &self.sessions {
            let key = by.key(session, zone);
            if by == By::Model {
                for (key, share) in shares(session, &key) {
                    groups.entry(key).or_default().push(share);
                }
            } else {
                groups.entry(key).or_default().push(session.clone());
            }
        }
        let group = |(key, sessions): (String, Vec<Recap>)| Group {
            key,
            total: total(sessions.iter()),
            coverage: Coverage::of(sessions.iter()),
        };
        groups.into_iter().map(group).collect()
    }
}

/// A session's part in each of its models. What no model is named for is the session's own one's.
fn shares(session: &Recap, own: &str) -> Vec<(String, Recap)> {
    let models = &session.usage.models;
    let sum = models.values().fold(Figures::default(), |sum, model| sum.plus(&model.figures));
    let rest = session.usage.figures.less(&sum);
    // Models that add up to more than the session are another count than its own.
    let fits = session.usage.figures.larger(&sum) == session.usage.figures;
    if models.is_empty() || !fits {
        return vec![(own.to_owned(), session.clone())];
    }
    let alike = |name: &str| name.split('[').next() == own.split('[').next();
    let main = models.keys().find(|name| alike(name)).cloned();
    let main = main.unwrap_or_else(|| own.to_owned());
    let mut shares: BTreeMap<String, Figures> = models
        .iter()
        .map(|(name, model): (_, &ModelFigures)| (name.clone(), model.figures))
        .collect();
    if !rest.is_nothing() || shares.contains_key(&main) {
        let share = shares.entry(main.clone()).or_default();
        *share = share.plus(&rest);
    }
    // Turns and time are not stated by model.
    let names: BTreeSet<String> = shares.keys().cloned().collect();
    let holder = if names.contains(&main) { Some(main) } else { names.first().cloned() };
    let share = |(name, figures): (String, Figures)| {
        let mut part = session.clone();
        part.usage.figures = figures;
        if holder.as_ref() != Some(&name) {
            part.usage.turns = None;
            part.usage.duration_ms = None;
        }
        (name, part)
    };
    shares.into_iter().map(share).collect()
}

impl Group {
    pub(super) fn to_json(&self) -> Value {
        json!({
            "key": self.key,
            "sessions": self.coverage.sessions,
            "usage": json::usage(&self.total.usage),
            "outcomes": self.coverage.outcomes(),
            "coverage": self.coverage.covered(),
        })
    }
}
