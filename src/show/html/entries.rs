//! The things of a session, one below the other.

use maud::{Markup, html};

use super::diff::changes;
use super::paint::painted;
use super::prose::prose;
use crate::format::event::Level;
use crate::format::tame::tame;
use crate::input::text::clip;
use crate::limits::MAX_HTML_TEXT;
use crate::report::summary::{Recap, grouped, several};
use crate::show::detail::{Detail, Question};
use crate::show::item::{Answer, Call, End, Message, Speaker, Spent, State, Step, What, progress};
use crate::show::page::ShowOptions;
use crate::show::words;

/// How many lines of a result are shown without unfolding it, and how many of a failed one's end.
const OPEN_LINES: usize = 6;
const TAIL_LINES: usize = 8;

/// What decides how much of an entry is written.
#[derive(Debug)]
pub(super) struct Entries {
    pub(super) options: ShowOptions,
    /// Whether the page has become so long that results are left out.
    pub(super) sparing: bool,
}

/// An entry: its class, its mark, and what it holds.
pub(super) type Entry = (&'static str, &'static str, Markup);

impl Entries {
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
        let lines = start.lines().count();
        html! {
            @match message.speaker {
                Speaker::Agent => div.prose { (prose(start)) },
                _ if lines > 12 => details {
                    summary { (start.lines().next().unwrap_or_default()) " … " span.note { (several(lines as u64, "line")) } }
                    pre { (start) }
                },
                _ => pre.said { (start) },
            }
            @if !notes.is_empty() { p.note { (notes.join("; ")) } }
        }
    }

    fn call(&self, call: &Call<'_>) -> Markup {
        let head = html! {
            b { (call.name) } " "
            @if !call.argument.is_empty() { code { (call.argument) } }
            @if let Some(edit) = call.edit {
                @let more = if edit.at_least { "+" } else { "" };
                " " ins { "+" (edit.added) (more) } " " del { "−" (edit.removed) (more) }
            }
        };
        let arguments = || self.arguments(call);
        html! {
            @match &call.detail {
                _ if self.sparing => (head),
                Detail::Changes(files) => { (head) " " (arguments()) (changes(files, files.iter().all(|file| call.argument == file.path))) },
                Detail::Command(command) if call.argument == command.trim() && !has_more(&call.input) => (head),
                Detail::Command(command) if command.contains('\n') => {
                    b { (call.name) } " " (arguments()) (self.pre(command))
                },
                Detail::Plan(plan) => { b { (call.name) } " " (arguments()) div.prose.paper { (prose(plan)) } },
                Detail::Questions(questions) => { b { (call.name) } " " (arguments()) (asked(questions)) },
                _ if matches!(call.input.trim(), "" | "{}" | "null") || *call.argument == *call.input => (head),
                _ => details { summary { (head) } (self.pre(&pretty(&call.input))) },
            }
        }
    }

    fn arguments(&self, call: &Call<'_>) -> Markup {
        html! { details.all { summary title="all arguments" { "…" } (self.pre(&pretty(&call.input))) } }
    }

    fn answer(&self, answer: &Answer<'_>, of: &str) -> Markup {
        let about = html! {
            @if let Some((name, argument)) = &answer.call { b { (name) } " " code { (argument) } " " }
            @else if answer.failed && !of.is_empty() { span.of { (of) " " } }
            @for fact in &answer.facts { span.fact { (fact) } " " }
            @for thing in answer.files.iter().chain(&answer.attachments) { code { (thing) } " " }
        };
        let by_files = answer.is_shown_by_files() && !self.options.full;
        if by_files || answer.output.is_empty() {
            let nothing = answer.facts.is_empty() && answer.files.is_empty();
            return html! {
                (about)
                @if nothing && answer.attachments.is_empty() { span.note { "no output" } }
            };
        }
        if self.sparing {
            return html! { (about) span.note { (answer.output.size()) ", left out" } };
        }
        let (text, cut) = answer.output.painted(self.limit());
        let body = html! {
            @if answer.is_prose { div.prose.paper { (prose(&answer.output.start(self.limit()).0)) } }
            @else { pre { (painted(text)) } }
            @if cut { p.note { "The rest is left out." } }
        };
        let (tail, before) = answer.output.tail(TAIL_LINES);
        html! {
            @if !answer.output.is_cut(OPEN_LINES) {
                (about) (body)
            } @else if answer.failed && before > 1 && !answer.is_prose {
                details.whole { summary { (about) span.note { (answer.output.size()) } } (body) }
                pre.tail {
                    span.note { "… " (several(before as u64, "line")) " before\n" }
                    (painted(clip(tail, MAX_HTML_TEXT).0))
                }
            } @else {
                details open[answer.failed] {
                    summary { (about) span.note { (answer.output.size()) } }
                    (body)
                }
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

    fn thinking(&self, text: &str, redacted: bool) -> Markup {
        let text = text.trim();
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        html! {
            @if text.is_empty() && redacted { "thinking is hidden" }
            @else if rest.is_empty() { (words::bare(first)) }
            @else {
                details open[self.options.thinking] {
                    summary { (words::bare(first)) " … " span.note { (several(text.lines().count() as u64, "line")) } }
                    div.prose { (prose(rest)) }
                }
            }
        }
    }

    /// Returns the entry of a thing. `of`: the call that a result belongs to.
    pub(super) fn entry(&self, what: &What<'_>, of: &str) -> Option<Entry> {
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
            What::Day(day) => ("day", "", html! { (day) }),
            What::Title(title) => ("start", "▶", html! { b { (title) } }),
            What::Message(message) => match message.speaker {
                Speaker::Agent => ("agent", "", self.message(message)),
                Speaker::User => ("user", "❯", self.message(message)),
                Speaker::System => ("system", "#", self.message(message)),
            },
            What::Thinking { text, redacted } => ("thinking", "✻", self.thinking(text, *redacted)),
            What::Call(call) => ("call", "●", self.call(call)),
            What::Result(answer) if answer.failed => {
                ("result failed err", "└", self.answer(answer, of))
            }
            What::Result(answer) => ("result", "└", self.answer(answer, of)),
            What::Subagent(call) => ("under", "↳", html! { (call) }),
            What::Plan(steps) => ("plan", "☰", plan(steps)),
            What::Notice { level, code, message } => {
                let (class, mark) = match level {
                    Level::Error => ("notice error err", "✖"),
                    Level::Warning => ("notice warning", "⚠"),
                    Level::Info => ("notice", "ℹ"),
                };
                (class, mark, html! { b { (code.replace('_', " ")) } " " (message) })
            }
            What::Background(text) => ("notice", "⋯", html! { "background: " (text) }),
            What::Usage(spent) => ("spent", "", spend(*spent)?),
            What::End(end) => {
                if end.summary.is_none() && end.output.is_none() && end.error.is_none() {
                    return None;
                }
                let class = if end.succeeded { "agent" } else { "notice error err" };
                (class, if end.succeeded { "" } else { "✖" }, self.end(end))
            }
            What::Recap(recap) => {
                let (class, mark) = verdict(recap);
                (class, mark, recap_line(recap))
            }
            What::Raw(text) => ("other", "·", self.pre(text)),
            What::Delta(_) => return None,
        })
    }
}

/// Whether the arguments hold more than one.
fn has_more(input: &str) -> bool {
    let object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(input);
    object.is_ok_and(|object| object.len() > 1)
}

fn spend(spent: Spent) -> Option<Markup> {
    let mut parts = Vec::new();
    parts.extend(spent.context.map(|context| format!("context {}", grouped(context))));
    if spent.output > 0 {
        parts.push(format!("{} out", grouped(spent.output)));
    }
    (!parts.is_empty()).then(|| html! { (parts.join(" · ")) })
}

fn asked(questions: &[Question]) -> Markup {
    html! {
        @for question in questions {
            div.asked {
                p { (question.text) }
                @if !question.options.is_empty() { ul { @for option in &question.options { li { (option) } } } }
            }
        }
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

pub(super) fn verdict(recap: &Recap) -> (&'static str, &'static str) {
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
