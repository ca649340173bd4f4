//! One line an event, for logs and for grep.
//!
//! A line starts with the event's time, if it is known, and its type, so that nothing that an agent
//! wrote can start a line.

use std::fmt::Write as _;

use super::item::{Answer, Item, State, What, progress};
use super::output::Part;
use super::page::{Page, ShowOptions};
use super::words;
use crate::format::event::{EventType, Level};
use crate::format::tame::line;
use crate::input::text::clip;
use crate::limits::MAX_PLAIN_TEXT;

#[derive(Debug)]
pub(super) struct Plain {
    options: ShowOptions,
}

impl Plain {
    pub(super) fn new(options: ShowOptions) -> Self {
        Self { options }
    }

    fn short(&self, text: &str) -> String {
        let limit = if self.options.full { 0 } else { MAX_PLAIN_TEXT };
        let (start, cut) = clip(text.trim(), limit);
        let more = text.trim().len() - start.len();
        let start = line(start);
        if cut {
            format!("{start} … {} more", super::output::bytes(more))
        } else {
            start.into_owned()
        }
    }

    fn answer(&self, answer: &Answer<'_>) -> String {
        let mut parts = Vec::new();
        if let Some((name, argument)) = &answer.call {
            parts.push(format!("{name} {argument}").trim_end().to_owned());
        }
        parts.extend(answer.facts.iter().chain(&answer.files).chain(&answer.attachments).cloned());
        let (head, tail) = if self.options.full { (0, 0) } else { (1, 2) };
        let by_files = answer.is_shown_by_files() && !self.options.full;
        if !by_files && !answer.output.is_empty() {
            if answer.output.is_cut(head + tail + 1) {
                parts.push(answer.output.size());
            }
            let lines = answer.output.fold(head, tail);
            let lines: Vec<String> = lines
                .into_iter()
                .map(|part| match part {
                    Part::Line(text) => self.short(&text),
                    Part::Left(_) => "…".to_owned(),
                })
                .collect();
            let lines = lines.into_iter().filter(|line| !line.is_empty());
            parts.push(lines.collect::<Vec<_>>().join(" ⏎ "));
        } else if parts.is_empty() {
            parts.push("no output".to_owned());
        }
        parts.join(", ")
    }

    /// Names the type and what is said; nothing for what has no line.
    fn words(&self, what: &What<'_>) -> Option<(&'static str, String)> {
        Some(match what {
            What::Start(start) => {
                let mut parts = start.parts();
                if !start.session.is_empty() {
                    parts.push(format!("session {}", start.session));
                }
                (EventType::SessionStarted.name(), parts.join(", "))
            }
            What::Day(day) => ("day", day.clone()),
            What::Title(title) => (EventType::SessionTitle.name(), title.clone()),
            What::Message(message) => {
                let mut text = format!("{}: {}", message.speaker.word(), self.short(&message.text));
                for extra in message
                    .attachments
                    .iter()
                    .map(String::as_str)
                    .chain(message.remarks.iter().copied())
                {
                    let _ = write!(text, " [{extra}]");
                }
                (EventType::Message.name(), text)
            }
            What::Thinking { text, redacted } => {
                let text = text.trim();
                let shown = match (*redacted && text.is_empty(), self.options.thinking) {
                    (true, _) => "hidden".to_owned(),
                    (_, true) => self.short(text),
                    _ => {
                        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
                        let more = if rest.is_empty() { "" } else { " …" };
                        format!("{}{more}", self.short(words::bare(first)))
                    }
                };
                (EventType::Thinking.name(), shown)
            }
            What::Call(call) => {
                let mut text = call.name.clone();
                let argument = if self.options.full {
                    line(&call.input).into_owned()
                } else {
                    call.argument.clone()
                };
                if !argument.is_empty() {
                    text = format!("{text}: {argument}");
                }
                if let Some(edit) = call.edit {
                    let more = if edit.at_least { "+" } else { "" };
                    let _ = write!(text, " (+{}{more} -{}{more} lines)", edit.added, edit.removed);
                }
                (EventType::ToolCall.name(), text)
            }
            What::Result(answer) => (EventType::ToolResult.name(), self.answer(answer)),
            What::Plan(steps) => {
                let steps_shown = steps.iter().map(|step| {
                    let mark = match step.state {
                        State::Completed => "x",
                        State::InProgress => ">",
                        State::Pending => " ",
                        State::Other => "-",
                    };
                    format!(" [{mark}] {}", step.text)
                });
                let list: Vec<String> = steps_shown.collect();
                (EventType::Plan.name(), format!("{}:{}", progress(steps), list.join(";")))
            }
            What::Notice { level, code, message } => {
                let level = match level {
                    Level::Error => "error",
                    Level::Warning => "warning",
                    Level::Info => "info",
                };
                let code = Some(code.as_str()).filter(|code| !matches!(*code, "info" | "error"));
                let kind = match (code, level) {
                    (Some(code), "info") => code.to_owned(),
                    (Some(code), level) => format!("{level} {code}"),
                    (None, level) => level.to_owned(),
                };
                let colon = if message.is_empty() { "" } else { ": " };
                (EventType::Notice.name(), format!("{kind}{colon}{message}"))
            }
            What::Background(text) => (EventType::SessionBackground.name(), text.clone()),
            What::End(_) | What::Subagent(_) | What::Delta(_) | What::Usage(_) => return None,
            What::Recap(recap) => {
                let mut parts = vec![words::outcome(recap).1];
                parts.extend(words::figures(recap));
                // A recap without an end is no event's.
                let ended = recap.outcome.is_some();
                (if ended { EventType::SessionEnded.name() } else { "recap" }, parts.join(", "))
            }
            What::Raw(text) => (EventType::Raw.name(), self.short(text)),
        })
    }
}

impl Page for Plain {
    fn item(&mut self, item: Item<'_>, out: &mut String) {
        if item.hidden && !self.options.raw {
            return;
        }
        let mut write = |kind: &str, text: &str| {
            if let Some(time) = words::clock(item.time) {
                let _ = write!(out, "{time} ");
            }
            let indent = "  ".repeat(item.depth);
            let text = text.trim();
            let _ = writeln!(out, "{indent}{kind}{}{text}", if text.is_empty() { "" } else { " " });
        };
        if let What::End(end) = &item.what {
            if let Some(summary) = &end.summary {
                write(EventType::Message.name(), &format!("assistant: {}", self.short(summary)));
            }
            if let Some(output) = &end.output {
                write(EventType::Message.name(), &format!("output: {}", self.short(output)));
            }
            if let Some(error) = &end.error {
                write(EventType::Notice.name(), &format!("error: {}", self.short(error)));
            }
        } else if let Some((kind, text)) = self.words(&item.what) {
            write(kind, &text);
        }
    }

    fn end_stream(&mut self, _out: &mut String) {}

    fn finish(&mut self, _out: &mut String) {}
}
