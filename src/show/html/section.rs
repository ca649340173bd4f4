//! What a session's head says, gathered while its entries are written. It is bounded.

use std::collections::{BTreeMap, VecDeque};

use jiff::Timestamp;

use super::timeline::{Kind, Timeline};
use crate::format::event::Level;
use crate::limits::{MAX_KNOWN_CALLS, MAX_PAGE_ERRORS, MAX_PAGE_FILES};
use crate::report::summary::Recap;
use crate::show::edit::LineCounts;
use crate::show::item::{Item, Speaker, Start, What};
use crate::show::words;

/// A failure, and where it is.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) anchor: String,
    pub(super) time: Option<String>,
    pub(super) text: String,
}

/// One session of the page, or one stream of it.
#[derive(Debug, Default)]
pub(super) struct Section {
    /// Its place on the page, from 1.
    pub(super) number: usize,
    pub(super) session: Option<String>,
    pub(super) start: Option<Start>,
    pub(super) title: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) recap: Option<Box<Recap>>,
    pub(super) failures: Vec<Failure>,
    pub(super) more_failures: u64,
    pub(super) subagents: u64,
    /// How many lines came and went, by file, and where it was edited first.
    pub(super) edits: BTreeMap<String, (LineCounts, String)>,
    pub(super) timeline: Timeline,
    calls: VecDeque<(String, String)>,
    last_call: String,
    line: u64,
    /// How many entries have that line, or none.
    entries: u64,
}

impl Section {
    pub(super) fn new(number: usize, session: Option<&str>) -> Self {
        Self { number, session: session.map(str::to_owned), ..Self::default() }
    }

    /// Returns whether the line is one of an earlier part of a stream, so that another has begun.
    pub(super) fn is_past(&self, line: Option<u64>) -> bool {
        line.is_some_and(|line| line < self.line)
    }

    /// Returns the name of the next entry's place.
    pub(super) fn anchor(&mut self, line: Option<u64>) -> String {
        if let Some(line) = line.filter(|line| *line != self.line) {
            (self.line, self.entries) = (line, 0);
        }
        self.entries += 1;
        let session = if self.number > 1 { format!("s{}-", self.number) } else { String::new() };
        match self.entries {
            1 => format!("{session}L{}", self.line),
            entry => format!("{session}L{}-{entry}", self.line),
        }
    }

    /// Names the call that a result belongs to.
    pub(super) fn call_of(&self, what: &What<'_>) -> String {
        let What::Result(answer) = what else { return String::new() };
        let known = |id: &String| self.calls.iter().rev().find(|(call, _)| call == id);
        match answer.id.as_ref().and_then(known) {
            Some((_, label)) => label.clone(),
            None => self.last_call.clone(),
        }
    }

    /// Takes in what is written at the place.
    pub(super) fn see(&mut self, item: &Item<'_>, anchor: &str, of: &str) {
        if let Some(time) = item.time {
            self.from.get_or_insert_with(|| time.to_owned());
            self.to = Some(time.to_owned());
        }
        self.timeline.advance(milliseconds(item.time));
        let deep = item.depth > 0;
        let place = anchor.to_owned();
        match &item.what {
            What::Start(start) => match &mut self.start {
                Some(known) if known.model.is_empty() => known.model.clone_from(&start.model),
                Some(_) => {}
                None => self.start = Some(start.clone()),
            },
            What::Title(title) => self.title = Some(title.clone()),
            What::Message(message) if !item.hidden => {
                if message.speaker == Speaker::User && !deep {
                    let text = message.text.trim().lines().next().unwrap_or_default();
                    self.prompt.get_or_insert_with(|| text.to_owned());
                }
                let words = message.text.trim().lines().next().unwrap_or_default();
                let label = format!("{}: {}", message.speaker.word(), words::brief(words));
                self.timeline.mark(Kind::Message, false, deep, label, place, None);
            }
            What::Call(call) => {
                let label = format!("{} {}", call.name, words::brief(&call.argument));
                let label = label.trim_end().to_owned();
                self.last_call.clone_from(&label);
                let kind = match call.kind.as_str() {
                    "agent" => Kind::Agent,
                    _ if call.edit.is_some() => Kind::Edit,
                    _ => Kind::Call,
                };
                self.subagents += u64::from(kind == Kind::Agent);
                if let Some(id) = &call.id {
                    if self.calls.len() >= MAX_KNOWN_CALLS {
                        self.calls.pop_front();
                    }
                    self.calls.push_back((id.clone(), label.clone()));
                }
                if let Some(edit) = call.edit
                    && (self.edits.len() < MAX_PAGE_FILES
                        || self.edits.contains_key(&call.argument))
                {
                    let entry = self.edits.entry(call.argument.clone());
                    let (counts, _) =
                        entry.or_insert_with(|| (LineCounts::default(), place.clone()));
                    *counts = counts.plus(edit);
                }
                self.timeline.mark(kind, false, deep, label, place, call.id.clone());
            }
            What::Result(answer) => {
                let drawn = self.timeline.end(answer.id.as_deref(), answer.failed);
                if answer.failed && !drawn {
                    // Its call's bar was one of those that went.
                    let label = format!("{of}, failed");
                    self.timeline.mark(Kind::Call, true, deep, label, place, None);
                }
                if answer.failed {
                    self.fail(item, anchor, format!("{of}: {}", answer.facts.join(", ")));
                }
            }
            What::Notice { level, code, message } => {
                let label = format!("{} {}", code.replace('_', " "), words::brief(message));
                let error = *level == Level::Error;
                if error {
                    self.fail(item, anchor, label.clone());
                }
                if *level != Level::Info || code == "retry" {
                    self.timeline.mark(Kind::Notice, error, deep, label, place, None);
                }
            }
            What::End(end) => {
                if let Some(error) = &end.error {
                    self.fail(item, anchor, words::brief(error));
                }
            }
            _ => {}
        }
    }

    fn fail(&mut self, item: &Item<'_>, anchor: &str, text: String) {
        if self.failures.len() >= MAX_PAGE_ERRORS {
            self.more_failures += 1;
            return;
        }
        let time = words::clock(item.time).map(str::to_owned);
        self.failures.push(Failure { anchor: anchor.to_owned(), time, text });
    }

    /// Returns what the session is called.
    pub(super) fn name(&self) -> String {
        let title = self.recap.as_ref().and_then(|recap| recap.title.as_deref());
        let title = title.map(|title| crate::format::tame::line(title).into_owned());
        let named = self.title.clone().or(title).or_else(|| self.prompt.clone());
        match named.filter(|name| !name.trim().is_empty()) {
            Some(name) => {
                let (start, cut) = crate::input::text::clip(&name, 160);
                format!("{start}{}", if cut { "…" } else { "" })
            }
            None => match &self.start {
                Some(start) if !start.agent.is_empty() => format!("{} session", start.agent),
                _ => "Session".to_owned(),
            },
        }
    }

    /// Returns how long it was, as the harness says it or else by its times.
    pub(super) fn duration(&self) -> Option<u64> {
        let stated = self.recap.as_ref().and_then(|recap| recap.usage.duration_ms);
        stated.filter(|ms| *ms > 0).or_else(|| {
            let (from, to) =
                (milliseconds(self.from.as_deref())?, milliseconds(self.to.as_deref())?);
            u64::try_from(to.saturating_sub(from)).ok().filter(|ms| *ms > 0)
        })
    }
}

pub(super) fn milliseconds(time: Option<&str>) -> Option<i64> {
    time?.parse::<Timestamp>().ok().map(Timestamp::as_millisecond)
}

/// Writes a moment with its date and zone.
pub(super) fn date(time: &str) -> Option<String> {
    let time = time.parse::<Timestamp>().ok()?;
    Some(time.strftime("%-d %b %Y, %H:%M UTC").to_string())
}
