//! The head of a session, and the index of several.

use maud::{Markup, html};

use super::entries::verdict;
use super::section::{Section, date};
use crate::format::tame::line;
use crate::limits::MAX_PAGE_FILES;
use crate::report::summary::{Recap, dollars, duration, grouped, percent, several};
use crate::show::words;

/// What the index says of a session.
#[derive(Debug)]
pub(super) struct Row {
    number: usize,
    name: String,
    agent: String,
    verdict: (&'static str, &'static str, String),
    cost: Option<String>,
    date: Option<(String, String)>,
    duration: Option<String>,
    failures: u64,
}

impl Row {
    pub(super) fn of(section: &Section) -> Self {
        let verdict = section.recap.as_ref().map_or(("recap", "■", "not ended".into()), |recap| {
            let (class, mark) = verdict(recap);
            (class, mark, words::outcome(recap).1)
        });
        Self {
            number: section.number,
            name: section.name(),
            agent: section.start.as_ref().map(|start| start.agent.clone()).unwrap_or_default(),
            verdict,
            cost: section
                .recap
                .as_ref()
                .and_then(|recap| recap.usage.figures.cost_usd)
                .map(dollars),
            date: section.from.as_ref().and_then(|from| Some((from.clone(), date(from)?))),
            duration: section.duration().map(duration),
            failures: section.failures.len() as u64 + section.more_failures,
        }
    }
}

/// Draws the index. `more`: how many sessions have no row.
pub(super) fn index(rows: &[Row], more: usize) -> Markup {
    html! {
        nav aria-label="sessions" {
            h1 { (several((rows.len() + more) as u64, "session")) }
            ol.index {
                @for row in rows {
                    li {
                        a href={ "#s" (row.number) } { (row.name) }
                        div {
                            span class=(row.verdict.0) { b { (row.verdict.1) " " (row.verdict.2) } }
                            @for part in [&row.cost, &row.duration].into_iter().flatten() { span.figure { (part) } }
                            @if row.failures > 0 { span.figure { (several(row.failures, "error")) } }
                            @if !row.agent.is_empty() { span.figure { (row.agent) } }
                            @if let Some((time, shown)) = &row.date { span.figure { time datetime=(time) { (shown) } } }
                        }
                    }
                }
            }
            @if more > 0 { p.note { (several(more as u64, "further session")) " without a row." } }
        }
    }
}

/// Draws the head of a session. `alone`: whether the page has no other.
pub(super) fn head(section: &Section, alone: bool) -> Markup {
    let recap = section.recap.as_deref();
    let name = section.name();
    html! {
        header {
            p.about { (about(section)) }
            @if alone { h1 { (name) } } @else { h2 { a href={ "#s" (section.number) } { (name) } } }
            @match recap {
                Some(recap) => p.verdict { (judged(section, recap)) },
                None => p.note { "Nothing says how it ended." },
            }
            @if let Some(recap) = recap {
                dl.facts { @for (name, value, more) in facts(section, recap) {
                    div { dt { (name) } dd { (value) @if !more.is_empty() { " " small { (more) } } } }
                } }
                (files(section, recap))
                (tools(recap))
            }
            (section.timeline.draw())
            (failures(section))
        }
    }
}

fn about(section: &Section) -> Markup {
    let parts = section.start.as_ref().map(super::super::item::Start::parts).unwrap_or_default();
    let session = section.session.as_deref().map(line);
    html! {
        @for (at, part) in parts.iter().enumerate() { @if at > 0 { " · " } span { (part) } }
        @if let Some(from) = &section.from { @if let Some(shown) = date(from) {
            @if !parts.is_empty() { " · " } time datetime=(from) { (shown) }
        } }
        @if let Some(session) = session.filter(|id| !id.is_empty()) {
            @if !parts.is_empty() || section.from.is_some() { " · " } code { (session) }
        }
    }
}

fn judged(section: &Section, recap: &Recap) -> Markup {
    let (class, mark) = verdict(recap);
    let failed = section.failures.len() as u64 + section.more_failures;
    html! {
        span class=(class) { b { (mark) " " (words::outcome(recap).1) } }
        @if let Some(ms) = section.duration() { " in " (duration(ms)) }
        @if failed > 0 { " · " (several(failed, "error")) }
    }
}

fn facts(section: &Section, recap: &Recap) -> Vec<(&'static str, String, String)> {
    let (usage, figures) = (&recap.usage, &recap.usage.figures);
    let mut facts = Vec::new();
    let mut add = |name, value: Option<String>, more: String| {
        facts.extend(value.map(|value| (name, value, more)));
    };
    let basis = match usage.basis.cost.word() {
        "session" => "stated",
        "calls" => "sum of calls",
        _ => "",
    };
    add("cost", figures.cost_usd.map(dollars), basis.to_owned());
    let cached = figures.cache_read_tokens.filter(|count| *count > 0);
    let cached = cached.map(|count| format!("+ {} cached", grouped(count))).unwrap_or_default();
    add("tokens in", figures.input_tokens.map(grouped), cached);
    add("tokens out", figures.output_tokens.map(grouped), String::new());
    let share = match (usage.context_tokens, usage.context_window) {
        (Some(tokens), Some(window)) => percent(tokens, window),
        _ => String::new(),
    };
    add("context", usage.context_tokens.map(grouped), share);
    add("turns", usage.turns.map(grouped), String::new());
    let calls = recap.tally.tools.values().map(|tool| tool.calls).sum::<u64>();
    let errors = recap.tally.tools.values().map(|tool| tool.errors).sum::<u64>();
    let errors = if errors > 0 { format!("{} failed", grouped(errors)) } else { String::new() };
    add("tool calls", (calls > 0).then(|| grouped(calls)), errors);
    let count = |number: u64| (number > 0).then(|| grouped(number));
    add("subagents", count(section.subagents), String::new());
    add("retries", count(recap.tally.retries()), String::new());
    add("denied", count(recap.tally.denials()), String::new());
    facts
}

fn files(section: &Section, recap: &Recap) -> Markup {
    let cwd = recap.cwd.as_deref().unwrap_or_default();
    let changed = recap.tally.files.iter().map(|(path, change)| {
        let path = line(crate::show::asked::short(path, cwd)).into_owned();
        let edit = section.edits.get(&path);
        (path, line(change).into_owned(), edit)
    });
    let changed: Vec<_> = changed.take(MAX_PAGE_FILES).collect();
    let more =
        recap.tally.more_files + recap.tally.files.len().saturating_sub(changed.len()) as u64;
    html! {
        @if !changed.is_empty() {
            p.files {
                span.note { "changed " }
                @for (path, change, edit) in &changed {
                    span {
                        @match edit {
                            Some((counts, anchor)) => {
                                a href={ "#" (anchor) } { code { (path) } }
                                " " ins { "+" (counts.added) } " " del { "−" (counts.removed) }
                            },
                            None => { code { (path) } },
                        }
                        @if change != "update" { " " small { (change) } }
                    }
                }
                @if more > 0 { span.note { "and " (grouped(more)) " more" } }
            }
        }
    }
}

fn tools(recap: &Recap) -> Markup {
    html! {
        @if !recap.tally.tools.is_empty() {
            p.files {
                span.note { "tools " }
                @for (name, tool) in recap.tally.tools.iter().take(40) {
                    span {
                        (line(name)) " " b { (grouped(tool.calls)) }
                        @if tool.errors > 0 { " " small.failed { (grouped(tool.errors)) " failed" } }
                    }
                }
            }
        }
    }
}

fn failures(section: &Section) -> Markup {
    let timed = section.failures.iter().any(|failure| failure.time.is_some());
    html! {
        @if !section.failures.is_empty() {
            details.errors open[section.failures.len() <= 10] {
                summary { (several(section.failures.len() as u64 + section.more_failures, "error")) }
                table {
                    tr { @if timed { th scope="col" { "UTC" } } th scope="col" { "what" } th scope="col" { "where" } }
                    @for failure in &section.failures {
                        tr {
                            @if timed { td { @if let Some(time) = &failure.time { (time) } } }
                            td { (failure.text) }
                            td { a href={ "#" (failure.anchor) } { (failure.anchor) } }
                        }
                    }
                }
                @if section.more_failures > 0 { p.note { (several(section.more_failures, "further error")) "." } }
            }
        }
    }
}
