//! One page for a browser, without a script: what is folded is a `details` element, and the filters
//! are check boxes that the style sheet asks for.
//!
//! The page is written while the stream is read. A session's head and the index, which are known
//! last, are written last and put on top by the style sheet. A policy in the page forbids everything
//! that would be loaded or run.

mod curve;
mod diff;
mod entries;
mod head;
mod paint;
mod prose;
mod section;
mod timeline;

use std::fmt::Write as _;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::entries::Entries;
use self::head::{Row, head, index};
use self::section::Section;
use super::item::{Item, What};
use super::page::{Page, ShowOptions};
use super::words;
use crate::limits::{MAX_HTML_PAGE, MAX_PAGE_SESSIONS};

const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const STYLE: &str = include_str!("page.css");

#[derive(Debug)]
pub(super) struct Html {
    entries: Entries,
    begun: bool,
    open: Option<Section>,
    rows: Vec<Row>,
    /// Sessions that have no row.
    more: usize,
    /// Whether the next thing is of another stream.
    between: bool,
    size: usize,
}

impl Html {
    pub(super) fn new(options: ShowOptions) -> Self {
        Self {
            entries: Entries { options, sparing: false },
            begun: false,
            open: None,
            rows: Vec::new(),
            more: 0,
            between: false,
            size: 0,
        }
    }

    fn begin(&mut self, first: Option<&What<'_>>, out: &mut String) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let agent = match first {
            Some(What::Start(start)) if !start.agent.is_empty() => start.agent.as_str(),
            _ => "Agent",
        };
        let head = html! {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (agent) " session" }
                style { (PreEscaped(STYLE)) }
            }
        };
        out.push_str(&DOCTYPE.into_string());
        out.push_str("\n<html lang=\"en\">\n");
        out.push_str(&head.into_string());
        out.push_str("\n<body>\n<main>\n");
    }

    /// Makes the thing's session the open one.
    fn turn_to(&mut self, item: &Item<'_>, out: &mut String) -> Section {
        let other = |section: &Section| {
            let id = item.session.filter(|id| !id.is_empty());
            let other =
                id.is_some() && section.session.is_some() && id != section.session.as_deref();
            other || section.is_past(item.line)
        };
        let between = std::mem::take(&mut self.between);
        let turns = self.open.as_ref().is_some_and(|section| between || other(section));
        if turns {
            self.close(false, out);
        }
        let mut section = self.open.take().unwrap_or_else(|| {
            let number = self.rows.len() + self.more + 1;
            // Writing to memory cannot fail.
            let _ = writeln!(out, "<section id=\"s{number}\">");
            Section::new(number, item.session)
        });
        if section.session.is_none() {
            section.session = item.session.map(str::to_owned);
        }
        section
    }

    /// Ends the open session: its head comes last.
    fn close(&mut self, alone: bool, out: &mut String) {
        let Some(section) = self.open.take() else { return };
        write(out, head(&section, alone));
        if alone {
            write(out, self.filters());
        }
        out.push_str("</section>\n");
        if self.rows.len() < MAX_PAGE_SESSIONS {
            self.rows.push(Row::of(&section));
        } else {
            self.more += 1;
        }
    }

    fn filters(&self) -> Markup {
        html! {
            p.filters {
                span.note { "show" }
                @for (id, words) in [("only-errors", "only errors"), ("no-results", "without results"), ("no-thinking", "without thinking")] {
                    label { input id=(id) type="checkbox"; " " (words) }
                }
                label { input #raw type="checkbox" checked[self.entries.options.raw]; " with what was not understood" }
            }
        }
    }
}

/// Writes what is our own, and what agents wrote. Markdown may have joined what was apart: no line of
/// the page is a command of a CI system.
fn write(out: &mut String, part: Markup) {
    out.push_str(&part.into_string().replace("::", ":&#58;").replace("##", "#&#35;"));
    out.push('\n');
}

impl Page for Html {
    fn item(&mut self, item: Item<'_>, out: &mut String) {
        if matches!(item.what, What::Delta(_)) {
            return;
        }
        let before = out.len();
        self.begin(Some(&item.what), out);
        let mut section = self.turn_to(&item, out);
        if let What::Usage(spent) = item.what {
            section.timeline.spend(spent);
        }
        // The head says when it began.
        let is_first_day = section.from.is_none() && matches!(item.what, What::Day(_));
        let of = section.call_of(&item.what);
        let entry = self.entries.entry(&item.what, &of).filter(|_| !is_first_day);
        if let Some((class, mark, body)) = entry {
            let anchor = section.anchor(item.line);
            section.see(&item, &anchor, &of);
            let hidden = if item.hidden { " raw" } else { "" };
            let clock = words::clock(item.time);
            let entry = html! {
                div #(anchor) class={ "item " (class) (hidden) " d" (item.depth) } {
                    span.mark aria-hidden="true" { (mark) }
                    div.body { (body) }
                    a.at href={ "#" (anchor) } aria-label="link to this entry" {
                        @if let (Some(clock), Some(time)) = (clock, item.time) { time datetime=(time) { (clock) } } @else { "¶" }
                    }
                }
            };
            write(out, entry);
        }
        if let What::Recap(recap) = item.what {
            section.recap = Some(recap);
        }
        self.open = Some(section);
        self.size = self.size.saturating_add(out.len() - before);
        if self.size > MAX_HTML_PAGE && !self.entries.options.full && !self.entries.sparing {
            self.entries.sparing = true;
            let note = "The page is long: results and changes from here on are left out. --full shows all.";
            write(out, html! { p.note.long { (note) } });
        }
    }

    fn end_stream(&mut self, _out: &mut String) {
        self.between = true;
    }

    fn finish(&mut self, out: &mut String) {
        self.begin(None, out);
        let alone = self.rows.is_empty();
        if alone && self.open.is_none() {
            write(out, html! { p.note { "Nothing happened." } });
        }
        self.close(alone, out);
        if !alone {
            write(out, index(&self.rows, self.more));
            write(out, self.filters());
        }
        out.push_str("</main>\n</body>\n</html>\n");
    }
}
