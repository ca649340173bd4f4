//! One page for a browser, without a script: what is folded is a `details` element, and what is not
//! mapped stands behind a check box.
//!
//! The page is written while the stream is read. The recap and the chart, which are known last, are
//! written last and put on top by the style sheet. A policy in the page forbids everything that
//! would be loaded or run.

mod chart;
mod prose;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::chart::Chart;
use self::prose::prose;
use super::item::{Answer, Call, End, Item, Message, Speaker, State, Step, What, progress};
use super::page::{Page, ShowOptions};
use super::words;
use crate::format::event::Level;
use crate::format::tame::tame;
use crate::input::text::clip;
use crate::limits::MAX_HTML_TEXT;
use crate::report::summary::Recap;

/// How many lines of a result are shown without unfolding it.
const OPEN_LINES: usize = 6;

const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const STYLE: &str = include_str!("page.css");

#[derive(Debug)]
pub(super) struct Html {
    options: ShowOptions,
    begun: bool,
    chart: Chart,
    recap: Option<Box<Recap>>,
}

impl Html {
    pub(super) fn new(options: ShowOptions) -> Self {
        Self { options, begun: false, chart: Chart::default(), recap: None }
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
        out.push_str("\n<body>\n");
        let toggle = html! {
            input #raw type="checkbox" checked[self.options.raw];
            label for="raw" { "show what is not mapped" }
        };
        out.push_str(&toggle.into_string());
        out.push_str("\n<main>\n");
    }

    fn limit(&self) -> usize {
        if self.options.full { 0 } else { MAX_HTML_TEXT }
    }

    fn pre(&self, text: &str) -> Markup {
        let (start, cut) = clip(text, self.limit());
        html! {
            pre { (tame(start.trim_end_matches('\n'))) }
            @if cut { p.note { "The rest is left out." } }
        }
    }

    fn message(&self, message: &Message<'_>) -> Markup {
        let (start, cut) = clip(&message.text, self.limit());
        let extra = message.attachments.iter().map(String::as_str);
        let mut notes: Vec<&str> = extra.chain(message.remarks.iter().copied()).collect();
        if cut {
            notes.push("the rest is left out");
        }
        html! {
            @match message.speaker {
                Speaker::Agent => div.prose { (prose(start)) },
                _ if start.lines().count() > 12 => details {
                    summary { (start.lines().next().unwrap_or_default()) " …" }
                    pre { (start) }
                },
                _ => pre.said { (start) },
            }
            @if !notes.is_empty() { p.note { (notes.join("; ")) } }
        }
    }

    fn call(&self, call: &Call<'_>) -> Markup {
        html! {
            details {
                summary {
                    b { (call.name) } " "
                    code { (call.argument) }
                    @if let Some(edit) = call.edit {
                        @let more = if edit.at_least { "+" } else { "" };
                        " " ins { "+" (edit.added) (more) } " " del { "−" (edit.removed) (more) }
                    }
                }
                (self.pre(&pretty(&call.input)))
            }
        }
    }

    fn answer(&self, answer: &Answer<'_>) -> Markup {
        let about = html! {
            @if let Some((name, argument)) = &answer.call { b { (name) } " " code { (argument) } " " }
            @for fact in &answer.facts { span.fact { (fact) } " " }
            @for thing in answer.files.iter().chain(&answer.attachments) { code { (thing) } " " }
        };
        let (text, cut) = answer.output.start(self.limit());
        let folded = answer.output.is_cut(OPEN_LINES);
        let by_files = answer.is_shown_by_files() && !self.options.full;
        html! {
            @if by_files || answer.output.is_empty() {
                (about) @if answer.facts.is_empty() && answer.files.is_empty() { span.note { "no output" } }
            } @else if folded {
                details open[answer.failed && !answer.output.is_cut(40)] {
                    summary { (about) span.note { (answer.output.size()) } }
                    pre { (text) }
                    @if cut { p.note { "The rest is left out." } }
                }
            } @else {
                (about) pre { (text) }
            }
        }
    }

    fn end(&self, end: &End<'_>) -> Markup {
        html! {
            @if let Some(summary) = &end.summary { div.prose { (prose(summary)) } }
            @if let Some(output) = &end.output { (self.pre(&pretty(output))) }
            @if let Some(error) = &end.error { p { (error) } }
        }
    }

    /// Returns the class of an item, its mark, and what it holds.
    fn body(&self, what: &What<'_>) -> Option<(&'static str, &'static str, Markup)> {
        Some(match what {
            What::Start(start) => {
                let parts = start.parts();
                let body = html! {
                    @for (at, part) in parts.iter().enumerate() {
                        @if at == 0 { b { (part) } } @else { " · " span { (part) } }
                    }
                    @if !start.session.is_empty() { " · " code { (start.session) } }
                };
                ("start", "▶", body)
            }
            What::Title(title) => ("start", "▶", html! { b { (title) } }),
            What::Message(message) => match message.speaker {
                Speaker::Agent => ("agent", "", self.message(message)),
                Speaker::User => ("user", "❯", self.message(message)),
                Speaker::System => ("system", "#", self.message(message)),
            },
            What::Thinking { text, redacted } => {
                let text = text.trim();
                let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
                let body = html! {
                    @if text.is_empty() && *redacted { "thinking is hidden" }
                    @else if rest.is_empty() { (words::bare(first)) }
                    @else {
                        details open[self.options.thinking] {
                            summary { (words::bare(first)) " …" }
                            div.prose { (prose(rest)) }
                        }
                    }
                };
                ("thinking", "✻", body)
            }
            What::Call(call) => ("call", "●", self.call(call)),
            What::Result(answer) if answer.failed => ("result failed", "└", self.answer(answer)),
            What::Result(answer) => ("result", "└", self.answer(answer)),
            What::Subagent(call) => ("under", "↳", html! { (call) }),
            What::Plan(steps) => ("plan", "☰", plan(steps)),
            What::Notice { level, code, message } => {
                let (class, mark) = match level {
                    Level::Error => ("notice error", "✖"),
                    Level::Warning => ("notice warning", "⚠"),
                    Level::Info => ("notice", "ℹ"),
                };
                (class, mark, html! { b { (code.replace('_', " ")) } " " (message) })
            }
            What::Background(text) => ("notice", "⧗", html! { "background: " (text) }),
            What::End(end) => {
                if end.summary.is_none() && end.output.is_none() && end.error.is_none() {
                    return None;
                }
                let class = if end.succeeded { "agent" } else { "notice error" };
                (class, if end.succeeded { "" } else { "✖" }, self.end(end))
            }
            What::Recap(recap) => {
                let (class, mark) = verdict(recap);
                (class, mark, html! { (recap_line(recap)) })
            }
            What::Raw(text) => ("other", "·", self.pre(text)),
            What::Delta(_) | What::Usage(_) => return None,
        })
    }
}

fn plan(steps: &[Step]) -> Markup {
    html! {
        b { "Plan" } ", " (progress(steps))
        ul {
            @for step in steps {
                @let (class, mark) = match step.state {
                    State::Completed => ("done", "✔"),
                    State::InProgress => ("doing", "▸"),
                    State::Pending => ("", "☐"),
                    State::Other => ("dropped", "✘"),
                };
                li class=(class) { span.mark { (mark) } " " (step.text) }
            }
        }
    }
}

fn verdict(recap: &Recap) -> (&'static str, &'static str) {
    match words::outcome(recap).0 {
        Some(true) => ("recap good", "✔"),
        Some(false) => ("recap bad", "✖"),
        None => ("recap", "■"),
    }
}

fn recap_line(recap: &Recap) -> Markup {
    html! {
        b { (words::outcome(recap).1) }
        @for figure in words::figures(recap) { span.figure { (figure) } }
    }
}

/// Lays the JSON out; returns a text that is none as it is.
fn pretty(json: &str) -> String {
    let value = serde_json::from_str::<serde_json::Value>(json);
    let laid_out = value.ok().filter(|value| value.is_object() || value.is_array());
    let laid_out = laid_out.and_then(|value| serde_json::to_string_pretty(&value).ok());
    laid_out.unwrap_or_else(|| json.to_owned())
}

impl Page for Html {
    fn item(&mut self, item: Item<'_>, out: &mut String) {
        if let What::Usage(spent) = item.what {
            return self.chart.add(spent);
        }
        let Some((class, mark, body)) = self.body(&item.what) else { return };
        self.begin(Some(&item.what), out);
        let hidden = if item.hidden { " raw" } else { "" };
        let time = words::clock(item.time);
        let entry = html! {
            div class={ "item " (class) (hidden) " d" (item.depth) } {
                span.mark aria-hidden="true" { (mark) }
                div.body { (body) }
                @if let Some(time) = time { time { (time) } }
            }
        };
        // Markdown may have joined what was apart: no line of the page is a command of a CI system.
        let entry = entry.into_string().replace("::", ":&#58;").replace("##", "#&#35;");
        out.push_str(&entry);
        out.push('\n');
        if let What::Recap(recap) = item.what {
            self.recap = Some(recap);
        }
    }

    fn end_stream(&mut self, _out: &mut String) {}

    fn finish(&mut self, out: &mut String) {
        self.begin(None, out);
        let top = html! {
            header {
                @if let Some(recap) = &self.recap {
                    div class={ "item " (verdict(recap).0) } {
                        span.mark aria-hidden="true" { (verdict(recap).1) }
                        div.body { (recap_line(recap)) }
                    }
                } @else {
                    p.note { "Nothing happened." }
                }
                (self.chart.draw())
            }
        };
        out.push_str(&top.into_string());
        out.push_str("\n</main>\n</body>\n</html>\n");
    }
}
