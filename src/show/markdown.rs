//! A page for the summary of a CI job: bounded, the tail is kept.
//!
//! What an agent wrote stands in quotes and code blocks, which nothing in it can end, and nothing in it
//! acts.

use std::collections::VecDeque;
use std::fmt::Write as _;

use super::detail::Detail;
use super::inert::inert;
use super::item::{Answer, Call, Item, Message, Speaker, State, What, progress};
use super::output::bytes;
use super::page::{Page, ShowOptions};
use super::words;
use crate::format::event::Level;
use crate::limits::MAX_MARKDOWN_TEXT;
use crate::report::literal::{literal, spelled};
use crate::report::summary::grouped;

/// Room for the words that say what was left out, in bytes.
const NOTE: usize = 100;

#[derive(Debug)]
pub(super) struct Markdown {
    options: ShowOptions,
    blocks: VecDeque<String>,
    size: usize,
    left_out: u64,
}

impl Markdown {
    pub(super) fn new(options: ShowOptions) -> Self {
        Self { options, blocks: VecDeque::new(), size: 0, left_out: 0 }
    }

    fn push(&mut self, mut block: String) {
        let most = self.options.max_bytes.saturating_sub(NOTE);
        if block.len() > most {
            block = format!("_{} left out_\n\n", bytes(block.len()));
        }
        self.size += block.len();
        self.blocks.push_back(block);
        while self.size > most
            && let Some(first) = self.blocks.pop_front()
        {
            self.size -= first.len();
            self.left_out += 1;
        }
    }

    fn limit(&self) -> usize {
        if self.options.full { 0 } else { MAX_MARKDOWN_TEXT }
    }

    fn answer(&self, answer: &Answer<'_>) -> String {
        let mut about: Vec<String> = Vec::new();
        if let Some((name, argument)) = &answer.call {
            about.push(format!("<b>{}</b> {}", literal(name), code(argument)));
        }
        about.extend(answer.facts.iter().map(|fact| literal(fact)));
        about.extend(answer.files.iter().chain(&answer.attachments).map(|thing| code(thing)));
        let mark = if answer.failed { "❌ " } else { "" };
        let by_files = answer.is_shown_by_files() && !self.options.full;
        if by_files || answer.output.is_empty() {
            if about.is_empty() {
                about.push("no output".to_owned());
            }
            return format!("&ensp;↳ {mark}{}\n\n", about.join(" · "));
        }
        about.push(literal(&answer.output.size()));
        let (text, cut) = answer.output.start(self.limit());
        let more = if cut { "\n_the rest is left out_\n" } else { "" };
        format!(
            "<details><summary>{mark}{}</summary>\n\n{}{more}\n</details>\n\n",
            about.join(" · "),
            fenced(&text),
        )
    }

    fn block(&self, what: &What<'_>) -> Option<String> {
        Some(match what {
            What::Start(start) => {
                let mut parts: Vec<String> =
                    start.parts().iter().map(|part| literal(part)).collect();
                if parts.is_empty() {
                    parts.push(literal(&start.session));
                }
                format!("### {}\n\n", parts.join(" · "))
            }
            What::Day(day) => format!("_{}_\n\n", literal(day)),
            What::Title(title) => format!("**{}**\n\n", literal(title)),
            What::Message(message) => self.message(message),
            What::Thinking { text, redacted } => {
                let text = text.trim();
                if text.is_empty() && *redacted {
                    return Some("💭 _thinking is hidden_\n\n".to_owned());
                }
                if self.options.thinking {
                    return Some(format!(
                        "<details><summary>💭 thinking</summary>\n\n{}\n</details>\n\n",
                        quoted(&harmless(text))
                    ));
                }
                let first = words::bare(text.lines().next().unwrap_or_default());
                let more = if text.contains('\n') { " …" } else { "" };
                format!("💭 {}{more}\n\n", literal(first))
            }
            What::Call(call) => Self::call(call),
            What::Result(answer) => self.answer(answer),
            What::Subagent(call) => format!("↳ {}\n\n", literal(call)),
            What::Plan(steps) => {
                let mut text = format!("**Plan**, {}\n\n", progress(steps));
                for step in steps {
                    let (mark, remark) = match step.state {
                        State::Completed => ("x", ""),
                        State::InProgress => (" ", " _(in progress)_"),
                        State::Pending => (" ", ""),
                        State::Other => ("x", " _(dropped)_"),
                    };
                    let _ = writeln!(text, "- [{mark}] {}{remark}", literal(&step.text));
                }
                text.push('\n');
                text
            }
            What::Notice { level, code, message } => {
                let mark = match level {
                    Level::Error => "❌",
                    Level::Warning => "⚠️",
                    Level::Info => "ℹ️",
                };
                format!("{mark} {}: {}\n\n", literal(&code.replace('_', " ")), literal(message))
            }
            What::Background(text) => format!("⏳ background: {}\n\n", literal(text)),
            What::End(end) => {
                let mut text = String::new();
                if let Some(summary) = &end.summary {
                    text.push_str(&quoted(&harmless(summary)));
                    text.push('\n');
                }
                if let Some(output) = &end.output {
                    text.push_str(&fenced(output));
                    text.push('\n');
                }
                if let Some(error) = &end.error {
                    let _ = write!(text, "❌ {}\n\n", literal(&crate::format::tame::line(error)));
                }
                text
            }
            What::Recap(recap) => {
                let (good, outcome) = words::outcome(recap);
                let mark = match good {
                    Some(true) => "✅",
                    Some(false) => "❌",
                    None => "⏹️",
                };
                let mut parts = vec![format!("{mark} **{}**", literal(&outcome))];
                parts.extend(words::figures(recap).iter().map(|part| literal(part)));
                parts.join(" · ") + "\n\n"
            }
            What::Raw(text) => {
                format!("<details><summary>raw</summary>\n\n{}\n</details>\n\n", fenced(text))
            }
            What::Delta(_) | What::Usage(_) => return None,
        })
    }

    fn call(call: &Call<'_>) -> String {
        let mut text = format!("🔧 <b>{}</b>", literal(&call.name));
        if !call.argument.is_empty() {
            let _ = write!(text, " {}", code(&call.argument));
        }
        if let Some(edit) = call.edit {
            let more = if edit.at_least { "&#43;" } else { "" };
            let _ = write!(text, " (+{}{more} −{}{more})", edit.added, edit.removed);
        }
        match &call.detail {
            Detail::Plan(plan) => {
                return format!(
                    "🔧 <b>{}</b>\n\n{}\n",
                    literal(&call.name),
                    quoted(&harmless(plan))
                );
            }
            Detail::Questions(questions) => {
                text = format!("🔧 <b>{}</b>\n\n", literal(&call.name));
                for question in questions {
                    let _ = writeln!(text, "- {}", literal(&question.text));
                    for option in &question.options {
                        let _ = writeln!(text, "  - {}", literal(option));
                    }
                }
                text.push('\n');
                return text;
            }
            _ => {}
        }
        text.push_str("\n\n");
        text
    }

    fn message(&self, message: &Message<'_>) -> String {
        let (start, cut) = crate::input::text::clip(&message.text, self.limit());
        let mut text = match message.speaker {
            Speaker::Agent => quoted(&harmless(start)),
            speaker => format!("**{}**\n\n{}", speaker.word(), fenced(start)),
        };
        let mut remarks: Vec<String> = message.attachments.iter().map(|a| literal(a)).collect();
        remarks.extend(message.remarks.iter().map(|remark| (*remark).to_owned()));
        if cut {
            remarks.push("the rest is left out".to_owned());
        }
        if !remarks.is_empty() {
            let _ = write!(text, "\n_{}_\n", remarks.join("; "));
        }
        text.push('\n');
        text
    }
}

impl Page for Markdown {
    fn item(&mut self, item: Item<'_>, _out: &mut String) {
        if item.hidden && !self.options.raw {
            return;
        }
        let Some(mut block) = self.block(&item.what).filter(|block| !block.is_empty()) else {
            return;
        };
        if item.depth > 0 {
            // Work of a subagent stands in a quote of its own.
            let margin = ">".repeat(item.depth);
            block = block
                .lines()
                .map(|line| format!("{margin} {line}").trim_end().to_owned() + "\n")
                .collect();
            block.push('\n');
        }
        self.push(block);
    }

    fn end_stream(&mut self, _out: &mut String) {}

    fn finish(&mut self, out: &mut String) {
        if self.left_out > 0 {
            let entries = if self.left_out == 1 { "entry" } else { "entries" };
            let _ = write!(
                out,
                "_{} earlier {entries} left out_

",
                grouped(self.left_out)
            );
        }
        for block in self.blocks.drain(..) {
            out.push_str(&block);
        }
    }
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<code>{}</code>", spelled(text)) }
}

/// Makes a code block that nothing in the text can end.
fn fenced(text: &str) -> String {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat((longest + 1).max(3));
    format!("{fence}text\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// Quotes the lines, unchanged: white space decides what they are.
fn quoted(text: &str) -> String {
    text.lines().fold(String::new(), |quote, line| {
        quote + if line.is_empty() { ">" } else { "> " } + line + "\n"
    })
}

/// Makes an agent's Markdown harmless.
fn harmless(text: &str) -> String {
    inert(text).unwrap_or_else(|| fenced(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_code_block_early() {
        assert_eq!(fenced("a\n````\nb"), "`````text\na\n````\nb\n`````\n");
    }
}
