//! A recap as rows, for a terminal and for a page alike.

use super::figures::{COUNTERS, ModelFigures};
use super::recap::{Basis, Ending, Recap, Summary};
use super::units::{dollars, duration, grouped, percent, several};
use crate::format::tame;
use crate::input::text::clip;
use crate::limits::{MAX_ROW_ITEMS, MAX_ROW_TEXT};
use crate::read::verdict::{Failure, Verdict};

/// A recap's heading and its rows.
pub(super) struct Block {
    pub(super) heading: String,
    pub(super) rows: Vec<Row>,
}

/// A row: what it is, what is so, and a remark.
pub(super) struct Row {
    pub(super) label: &'static str,
    pub(super) value: String,
    /// For a number its unit and what it is based on.
    pub(super) note: Option<String>,
}

/// Makes the rows of each session, and where there are several those of their total.
pub(super) fn blocks(summary: &Summary) -> Vec<Block> {
    let mut blocks: Vec<Block> = summary.sessions.iter().map(session).collect();
    if summary.sessions.len() > 1 {
        let heading = format!("total of {}", several(summary.sessions.len() as u64, "session"));
        blocks.push(Block { heading, rows: body(&summary.sum()) });
    }
    blocks
}

fn session(recap: &Recap) -> Block {
    let id = recap.session_id.as_deref().map(shown);
    let heading = match (&recap.title, id) {
        (Some(title), _) => shown(title),
        (None, Some(id)) => format!("session {id}"),
        (None, None) => "session".to_owned(),
    };
    let mut rows = Vec::new();
    let mut text = |label, value: &Option<String>| {
        if let Some(value) = value {
            rows.push(Row { label, value: shown(value), note: None });
        }
    };
    text("session", &recap.session_id.clone().filter(|_| recap.title.is_some()));
    let agent = [&recap.harness, &recap.version].map(|word| word.as_deref().unwrap_or_default());
    let agent = agent.join(" ").trim().to_owned();
    text("agent", &Some(agent).filter(|agent| !agent.is_empty()));
    text("model", &recap.model);
    text("directory", &recap.cwd);
    rows.push(Row { label: "outcome", value: outcome(recap), note: None });
    rows.extend(body(recap));
    Block { heading, rows }
}

fn outcome(recap: &Recap) -> String {
    let failed = recap.verdict == Verdict::Failed(Failure::Error);
    let Some(end) = &recap.outcome else {
        if failed {
            return "failed: an error came last".to_owned();
        }
        let open = if recap.usage.complete.is_none() { "not stated" } else { "not ended" };
        return open.to_owned();
    };
    let mut text = if failed { recap.verdict.word() } else { end.status() }.to_owned();
    let words = words(end);
    if !words.is_empty() {
        text = format!("{text} ({})", words.join(", "));
    }
    if let Some(error) = &end.error {
        text = format!("{text}: {}", shown(error));
    }
    if failed {
        text.push_str("; an error came behind that end");
    } else if recap.usage.complete == Some(false) {
        text.push_str("; not complete");
    }
    text
}

fn words(end: &Ending) -> Vec<String> {
    let code = end.exit_code.map(|code| format!("exit status {code}"));
    let signal = end.signal.as_deref().map(|signal| format!("signal {}", shown(signal)));
    let said = [&end.reason, &end.stop_reason].map(|word| word.as_deref().map(shown));
    let mut words: Vec<String> = said.into_iter().chain([code, signal]).flatten().collect();
    words.dedup();
    words
}

/// Makes the rows that sessions and their total have in common.
fn body(recap: &Recap) -> Vec<Row> {
    let mut rows = spent(recap);
    let tally = &recap.tally;
    let mut list = |label, value: String| {
        if !value.is_empty() {
            rows.push(Row { label, value, note: None });
        }
    };
    let roles =
        tally.messages.iter().map(|(role, count)| format!("{} {}", shown(role), grouped(*count)));
    list("messages", join(roles));
    let tools = tally.tools.iter().map(|(name, tool)| {
        let errors = match tool.errors {
            0 => String::new(),
            errors => format!(" ({})", several(errors, "error")),
        };
        format!("{} {}{errors}", shown(name), grouped(tool.calls))
    });
    list("tools", join(tools));
    let mut files = join(
        tally.files.iter().map(|(path, change)| format!("{} ({})", shown(path), shown(change))),
    );
    if tally.more_files > 0 {
        files = format!("{files}, {} more", grouped(tally.more_files));
    }
    list("files", files);
    let notices =
        tally.notices.iter().map(|(code, count)| format!("{} {}", shown(code), grouped(*count)));
    list("notices", join(notices));
    if tally.denials() > 0 {
        list("denials", grouped(tally.denials()));
    }
    if let Some(plan) = recap.plan {
        list(
            "plan",
            format!("{} of {} done", grouped(plan.completed), several(plan.steps, "step")),
        );
    }
    if let Some(tasks) = recap.background.as_ref().filter(|tasks| !tasks.is_empty()) {
        let names = tasks.iter().map(|task| {
            let name = task.description.as_ref().or(task.id.as_ref());
            name.map_or_else(|| "a task".to_owned(), |name| shown(name))
        });
        list("background", format!("{} left: {}", grouped(tasks.len() as u64), join(names)));
    }
    if tally.raw > 0 {
        list("raw", format!("{} of {}", grouped(tally.raw), several(tally.events, "event")));
    }
    rows
}

fn spent(recap: &Recap) -> Vec<Row> {
    const LABELS: [&str; COUNTERS.len()] =
        ["input", "output", "cache read", "cache write", "reasoning"];
    let usage = &recap.usage;
    let mut rows = Vec::new();
    let mut number = |label, value: String, note: String| {
        rows.push(Row { label, value, note: Some(note) });
    };
    for ((label, count), basis) in
        LABELS.into_iter().zip(usage.figures.counts()).zip(usage.basis.tokens)
    {
        // Most harnesses count no reasoning, or say 0 where there is none.
        if let Some(count) = count.filter(|count| *count > 0 || label != "reasoning") {
            number(label, grouped(count), format!("tokens{}", based(basis)));
        }
    }
    if let Some(cost) = usage.figures.cost_usd {
        number("cost", dollars(cost), based(usage.basis.cost).trim_start_matches(", ").to_owned());
    }
    if let Some(turns) = usage.turns {
        number("turns", grouped(turns), String::new());
    }
    if let Some(ms) = usage.duration_ms {
        number("duration", duration(ms), String::new());
    }
    if let Some(tokens) = usage.context_tokens {
        let of = usage
            .context_window
            .map(|window| format!("of {} tokens, {}", grouped(window), percent(tokens, window)));
        number("context", grouped(tokens), of.unwrap_or_else(|| "tokens".to_owned()));
    }
    if usage.models.len() > 1 {
        for (name, model) in &usage.models {
            rows.push(Row { label: "of which", value: one_model(name, model), note: None });
        }
    }
    rows
}

fn one_model(name: &str, model: &ModelFigures) -> String {
    let figures = &model.figures;
    let count = |count: Option<u64>, what: &str| count.map(|n| format!("{what} {}", grouped(n)));
    let parts = [
        count(figures.input_tokens, "input"),
        count(figures.output_tokens, "output"),
        count(figures.cache_read_tokens, "cache read"),
        count(figures.cache_creation_tokens, "cache write"),
        figures.cost_usd.map(dollars),
    ];
    format!("{}: {}", shown(name), join(parts.into_iter().flatten()))
}

fn based(basis: Basis) -> &'static str {
    match basis {
        Basis::None => "",
        Basis::Session => ", session total",
        Basis::Calls => ", sum of calls",
    }
}

/// Joins the items, as many as a row holds.
fn join(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    if items.len() > MAX_ROW_ITEMS {
        let more = items.len() - MAX_ROW_ITEMS;
        items.truncate(MAX_ROW_ITEMS);
        items.push(format!("{more} more"));
    }
    items.join(", ")
}

/// Makes a text that an agent wrote short, and harmless.
fn shown(text: &str) -> String {
    let (start, cut) = clip(text, MAX_ROW_TEXT);
    let mut shown = tame::line(start).into_owned();
    if cut {
        shown.push('…');
    }
    shown
}
