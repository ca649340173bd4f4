//! Many sessions at a glance: a line each, then the total and what it covers.

use jiff::tz::TimeZone;

use super::coverage::Coverage;
use super::fitted::{self, Column};
use super::listing::{Line, Lines, Listing};
use super::recap::{Recap, Summary};
use super::units::{dollars, duration, grouped, several};
use crate::format::tame::line;
use crate::report::literal::literal;

/// A column's heading, whether it holds numbers, how soon it is left out where there is no room (0 is
/// never), and whether its texts may be cut.
const COLUMNS: &[(&str, bool, u8, bool)] = &[
    ("start", false, 0, false),
    ("agent", false, 3, false),
    ("model", false, 5, true),
    ("outcome", false, 0, false),
    ("turns", true, 7, false),
    ("in", true, 2, false),
    ("out", true, 1, false),
    ("cached", true, 6, false),
    ("cost", true, 0, false),
    ("time", true, 8, false),
    ("session", false, 0, true),
    ("file", false, 9, true),
];

impl Summary {
    /// Makes a table of sessions or groups, as wide as there is room.
    pub(crate) fn to_overview(&self, listing: &Listing) -> String {
        let lines = listing.lines(self);
        let (columns, rows) = table(&lines, self, listing);
        let mut text = fitted::text(&columns, &rows, listing.width);
        for remark in remarks(&lines, self) {
            text.push_str(&remark);
            text.push('\n');
        }
        text
    }

    /// Makes the same table as Markdown.
    pub(crate) fn to_markdown_overview(&self, listing: &Listing) -> String {
        let lines = listing.lines(self);
        let (columns, rows) = table(&lines, self, listing);
        let cells = |cells: &mut dyn Iterator<Item = String>| {
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        let mut text = cells(&mut columns.iter().map(|column| column.heading.to_owned()));
        text +=
            &cells(&mut columns.iter().map(|c| if c.is_number { "--:" } else { "---" }.to_owned()));
        for row in rows {
            text += &cells(&mut row.iter().map(|cell| literal(cell)));
        }
        for remark in remarks(&lines, self) {
            let remark = literal(&remark);
            text.extend(["\n", remark.as_str(), "\n"]);
        }
        text
    }
}

fn table(
    lines: &Lines<'_>,
    summary: &Summary,
    listing: &Listing,
) -> (Vec<Column>, Vec<Vec<String>>) {
    let column = |(heading, is_number, leave, may_cut): &(&'static str, bool, u8, bool)| Column {
        heading,
        is_number: *is_number,
        leave: *leave,
        may_cut: *may_cut,
    };
    let mut columns: Vec<Column> = COLUMNS.iter().map(column).collect();
    let mut rows: Vec<Vec<String>> = Vec::with_capacity(lines.listed.len() + 1);
    let total = summary.sum();
    if let Some(by) = listing.by {
        columns = vec![
            Column { heading: by.word(), is_number: false, leave: 0, may_cut: true },
            Column { heading: "sessions", is_number: true, leave: 2, may_cut: false },
            Column { heading: "failed", is_number: true, leave: 3, may_cut: false },
        ];
        columns.extend(COLUMNS.iter().filter(|(_, is_number, ..)| *is_number).map(column));
        let row = |key: &str, coverage: &Coverage, recap: &Recap| {
            let head = [shown(key), grouped(coverage.sessions), grouped(coverage.failed)];
            head.into_iter().chain(numbers(recap)).collect()
        };
        for line in &lines.listed {
            if let Line::Group(group) = line {
                rows.push(row(&group.key, &group.coverage, &group.total));
            }
        }
        rows.push(row("total", &lines.coverage, &total));
    } else {
        rows.extend(lines.listed.iter().map(|line| session(line.recap(), &listing.zone)));
        let [turns, input, output, cached, cost, time] = numbers(&total);
        let none = String::new;
        rows.push(vec![
            "total".to_owned(),
            none(),
            none(),
            none(),
            turns,
            input,
            output,
            cached,
            cost,
            time,
            several(lines.coverage.sessions, "session"),
            none(),
        ]);
    }
    (columns, rows)
}

fn session(recap: &Recap, zone: &TimeZone) -> Vec<String> {
    let start = recap.start().map(|start| {
        let time = start.time.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d %H:%M");
        format!("{time}{}", if start.is_of_file { "~" } else { "" })
    });
    let outcome = match recap.outcome.as_ref().map(|end| end.succeeded) {
        Some(true) => "succeeded",
        Some(false) => "failed",
        None => "not ended",
    };
    let [turns, input, output, cached, cost, time] = numbers(recap);
    let text = |text: &Option<String>| text.as_deref().map(shown).unwrap_or_default();
    let name = [&recap.title, &recap.first_words, &recap.session_id];
    let name = name.into_iter().find(|name| name.is_some()).unwrap_or(&None);
    vec![
        start.unwrap_or_default(),
        text(&recap.harness),
        text(&recap.model),
        outcome.to_owned(),
        turns,
        input,
        output,
        cached,
        cost,
        time,
        text(name),
        text(&recap.files.first().cloned()),
    ]
}

/// Turns, input, output, cached tokens, cost, duration.
fn numbers(recap: &Recap) -> [String; 6] {
    let (usage, figures) = (&recap.usage, &recap.usage.figures);
    let count = |count: Option<u64>| count.map(grouped).unwrap_or_default();
    let cached = [figures.cache_read_tokens, figures.cache_creation_tokens];
    [
        count(usage.turns),
        count(figures.input_tokens),
        count(figures.output_tokens),
        count(cached.into_iter().flatten().reduce(u64::saturating_add)),
        figures.cost_usd.map(dollars).unwrap_or_default(),
        usage.duration_ms.map(duration).unwrap_or_default(),
    ]
}

/// What the total covers.
fn remarks(lines: &Lines<'_>, summary: &Summary) -> Vec<String> {
    let Coverage { sessions, succeeded, failed, not_ended, tokens, cost, .. } = lines.coverage;
    let mut remarks = Vec::new();
    if lines.more > 0 {
        remarks.push(format!(
            "{} not shown; the total is of all",
            several(lines.more as u64, "more line")
        ));
    }
    remarks.push(format!(
        "{}: {} succeeded, {} failed, {} not ended",
        several(sessions, "session"),
        grouped(succeeded),
        grouped(failed),
        grouped(not_ended)
    ));
    if let Some(usd) = summary.total.usage.figures.cost_usd {
        let of = if cost < sessions { format!("{} of ", grouped(cost)) } else { String::new() };
        remarks.push(format!("cost: {} of {of}{}", dollars(usd), several(sessions, "session")));
    }
    if tokens < sessions {
        remarks.push(format!("tokens: of {} of {}", grouped(tokens), several(sessions, "session")));
    }
    let is_of_file = |line: &Line<'_>| matches!(line, Line::Session(recap) if recap.start().is_some_and(|start| start.is_of_file));
    if lines.listed.iter().any(is_of_file) {
        remarks.push("~ the time of the file: the session states none".to_owned());
    }
    remarks
}

fn shown(text: &str) -> String {
    line(text).into_owned()
}
