//! The view on a terminal.

use anstyle::Style;

use super::detail::Detail;
use super::item::{Answer, Call, Delta, End, Item, Message, Speaker, State, Step, What, progress};
use super::live::Live;
use super::markup::markdown;
use super::output::Part;
use super::page::{Page, ShowOptions};
use super::paint::pieces;
use super::screen::{
    BLUE, BOLD, CYAN, DIM, GREEN, Group, Lead, PLAIN, RED, Screen, Span, YELLOW, span,
};
use super::words::{self, bare};
use crate::format::event::{Level, Of};

#[derive(Debug)]
pub(super) struct Terminal {
    options: ShowOptions,
    screen: Screen,
    last: Option<Group>,
    live: Option<Live>,
}

impl Terminal {
    pub(super) fn new(options: ShowOptions) -> Self {
        let screen = Screen::new(options.width);
        Self { options, screen, last: None, live: None }
    }

    /// Puts an empty line where one is due, and says what stands in front of the lines.
    fn group(&mut self, group: Group, depth: usize) -> Lead {
        let lead = (0..depth).fold(Lead::default(), |lead, _| lead.then(DIM, "│ "));
        let apart = self.last.is_some_and(|last| last != group || group != Group::Work);
        if apart {
            self.screen.gap(&lead);
        }
        self.last = Some(group);
        lead
    }

    fn text(&mut self, lead: &Lead, message: &Message<'_>) {
        let mark = match message.speaker {
            Speaker::Agent => lead.then(PLAIN, "  "),
            Speaker::User => lead.then(BLUE.bold(), "> "),
            Speaker::System => lead.then(DIM, "# "),
        };
        let rest = lead.then(PLAIN, "  ");
        let mut first = mark;
        match message.speaker {
            Speaker::Agent => markdown(&mut self.screen, &first, &rest, &message.text),
            // What a person or a program wrote is shown as it was written, and a long prompt folded.
            Speaker::User | Speaker::System => {
                let output = super::output::Output::new((&*message.text).into(), false);
                let (head, tail) = if self.options.full { (0, 0) } else { (12, 4) };
                let style = if message.speaker == Speaker::User { BLUE } else { DIM };
                for part in output.fold(head, tail) {
                    match part {
                        Part::Line(line) => {
                            self.screen.wrap(&first, &rest, &[span(style, line)]);
                        }
                        Part::Left(count) => self.left(&rest, count),
                    }
                    first.clone_from(&rest);
                }
            }
        }
        let remarks = message.remarks.iter().map(|remark| (*remark).to_owned());
        let remarks: Vec<String> = message.attachments.iter().cloned().chain(remarks).collect();
        if !remarks.is_empty() {
            self.screen.wrap(&rest, &rest, &[span(DIM, format!("[{}]", remarks.join("; ")))]);
        }
    }

    fn left(&mut self, lead: &Lead, count: usize) {
        let words = format!("… {}", crate::report::summary::several(count as u64, "more line"));
        self.screen.whole(lead, DIM.italic(), &words);
    }

    fn thinking(&mut self, lead: &Lead, text: &str, redacted: bool) {
        let style = DIM.italic();
        let first = lead.then(DIM, "✻ ");
        let rest = lead.then(PLAIN, "  ");
        if redacted && text.trim().is_empty() {
            self.screen.whole(&first, style, "thinking is hidden");
        } else if self.options.thinking {
            self.screen.wrap(&first, &rest, &[span(style, text.trim())]);
        } else {
            let mut lines = text.trim().lines();
            let line = bare(lines.next().unwrap_or_default()).to_owned();
            let more = if lines.next().is_some() { " …" } else { "" };
            self.screen.cut(&first, &[span(style, line)], &[span(style, more)]);
        }
    }

    fn call(&mut self, lead: &Lead, call: &Call<'_>) {
        let mut spans = vec![span(BOLD, call.name.as_str())];
        let laid_out = matches!(call.detail, Detail::Plan(_) | Detail::Questions(_));
        if !call.argument.is_empty() && !laid_out {
            spans.push(span(PLAIN, format!("  {}", call.argument)));
        }
        let mut tail = Vec::new();
        if let Some(edit) = call.edit {
            let more = if edit.at_least { "+" } else { "" };
            tail.push(span(GREEN, format!("  +{}{more}", edit.added)));
            tail.push(span(RED, format!(" −{}{more}", edit.removed)));
        }
        let mark = lead.then(CYAN, "● ");
        if self.options.full {
            spans.extend(tail);
            self.screen.wrap(&mark, &lead.then(PLAIN, "  "), &spans);
        } else {
            self.screen.cut(&mark, &spans, &tail);
        }
        let lead = lead.then(PLAIN, "    ");
        match &call.detail {
            Detail::Plan(plan) => markdown(&mut self.screen, &lead, &lead, plan),
            Detail::Questions(questions) => {
                for question in questions {
                    self.screen.wrap(&lead, &lead, &[span(PLAIN, question.text.as_str())]);
                    let (first, rest) = (lead.then(DIM, "• "), lead.then(PLAIN, "  "));
                    for option in &question.options {
                        self.screen.wrap(&first, &rest, &[span(PLAIN, option.as_str())]);
                    }
                }
            }
            _ => {}
        }
    }

    fn answer(&mut self, lead: &Lead, answer: &Answer<'_>) {
        let (head, tail) = match (self.options.full, answer.failed) {
            (true, _) => (0, 0),
            (false, true) => (2, 8),
            (false, false) => (2, 3),
        };
        let mut about: Vec<Span<'_>> = Vec::new();
        let mut add = |style: Style, text: String| {
            if !about.is_empty() {
                about.push(span(DIM, " · "));
            }
            about.push(span(style, text));
        };
        if let Some((name, argument)) = &answer.call {
            add(DIM, format!("{name} {argument}").trim_end().to_owned());
        }
        for fact in &answer.facts {
            add(if answer.failed { RED } else { DIM }, fact.clone());
        }
        for thing in answer.files.iter().chain(&answer.attachments) {
            add(DIM, thing.clone());
        }
        let by_files = answer.is_shown_by_files() && !self.options.full;
        if !by_files && answer.output.is_cut(head + tail + 1) && head > 0 {
            add(DIM, answer.output.size());
        }
        let mut first = lead.then(DIM, "  └ ");
        let rest = lead.then(PLAIN, "    ");
        if !about.is_empty() {
            self.screen.cut(&first, &about, &[]);
            first.clone_from(&rest);
        }
        if by_files {
            return;
        }
        if answer.output.is_empty() {
            if about.is_empty() {
                self.screen.whole(&first, DIM, "no output");
            }
            return;
        }
        if answer.is_prose && self.options.full {
            let (text, _) = answer.output.start(0);
            return markdown(&mut self.screen, &first, &rest, &text);
        }
        for part in answer.output.painted_fold(head, tail) {
            match part {
                Part::Line(line) => {
                    let spans: Vec<Span<'_>> = pieces(&line)
                        .into_iter()
                        .map(|(style, text)| span(if style == PLAIN { DIM } else { style }, text))
                        .collect();
                    if self.options.full {
                        self.screen.uncut(&first, &spans);
                    } else {
                        self.screen.cut(&first, &spans, &[]);
                    }
                }
                Part::Left(count) => self.left(&first, count),
            }
            first.clone_from(&rest);
        }
    }

    fn plan(&mut self, lead: &Lead, steps: &[Step]) {
        let title = format!("plan, {}", progress(steps));
        self.screen.whole(&lead.then(CYAN, "☰ "), BOLD, &title);
        for step in steps {
            let (mark, style) = match step.state {
                State::Completed => (lead.then(GREEN, "  ✔ "), DIM),
                State::InProgress => (lead.then(YELLOW, "  ▸ "), BOLD),
                State::Pending => (lead.then(DIM, "  ☐ "), PLAIN),
                State::Other => (lead.then(DIM, "  ✘ "), DIM),
            };
            let rest = lead.then(PLAIN, "    ");
            self.screen.wrap(&mark, &rest, &[span(style, step.text.as_str())]);
        }
    }

    fn notice(&mut self, lead: &Lead, level: Level, code: &str, message: &str) {
        let (mark, style) = match level {
            Level::Error => ("✖ ", RED),
            Level::Warning => ("⚠ ", YELLOW),
            Level::Info => ("ℹ ", DIM),
        };
        let code = code.replace('_', " ");
        let bare = message.is_empty() || code == "info" || code == "error";
        let text = match (bare, message.is_empty()) {
            (true, true) => code,
            (true, false) => message.to_owned(),
            (false, _) => format!("{code}: {message}"),
        };
        self.screen.wrap(&lead.then(style, mark), &lead.then(PLAIN, "  "), &[span(style, text)]);
    }

    fn end(&mut self, depth: usize, end: &End<'_>) {
        if let Some(summary) = &end.summary {
            let lead = self.group(Group::Text, depth).then(PLAIN, "  ");
            markdown(&mut self.screen, &lead, &lead, summary);
        }
        if let Some(output) = &end.output {
            let lead = self.group(Group::Text, depth).then(PLAIN, "  ");
            self.screen.wrap(&lead, &lead, &[span(CYAN, &**output)]);
        }
        if let Some(error) = &end.error {
            let lead = self.group(Group::Text, depth);
            let (first, rest) = (lead.then(RED, "✖ "), lead.then(PLAIN, "  "));
            self.screen.wrap(&first, &rest, &[span(RED, error.as_str())]);
        }
    }

    fn draw(&mut self, item: &Item<'_>) {
        let depth = item.depth;
        match &item.what {
            What::Start(start) => {
                let lead = self.group(Group::Start, depth);
                let mut parts = start.parts();
                if parts.is_empty() {
                    parts.push(format!("session {}", start.session));
                }
                if !start.session.is_empty() && !start.parts().is_empty() {
                    parts.push(start.session.clone());
                }
                let agent = parts.remove(0);
                let rest = separated(&parts);
                self.screen.wrap(&lead, &lead, &[span(BOLD, agent), span(DIM, rest)]);
            }
            What::Day(day) => {
                let lead = self.group(Group::Start, depth);
                self.screen.whole(&lead, DIM, day);
            }
            What::Title(title) => {
                let lead = self.group(Group::Start, depth);
                self.screen.wrap(&lead, &lead, &[span(BOLD, title.as_str())]);
            }
            What::Message(message) => {
                let lead = self.group(Group::Text, depth);
                self.text(&lead, message);
            }
            What::End(end) => self.end(depth, end),
            What::Recap(recap) => {
                let lead = self.group(Group::Recap, depth);
                let (good, outcome) = words::outcome(recap);
                let (mark, style) = match good {
                    Some(true) => ("✔ ", GREEN.bold()),
                    Some(false) => ("✖ ", RED.bold()),
                    None => ("■ ", YELLOW.bold()),
                };
                let figures = separated(&words::figures(recap));
                let spans = [span(style, outcome), span(PLAIN, figures)];
                self.screen.wrap(&lead.then(style, mark), &lead.then(PLAIN, "  "), &spans);
            }
            What::Delta(_) | What::Usage(_) => {}
            work => {
                let lead = self.group(Group::Work, depth);
                match work {
                    What::Thinking { text, redacted } => self.thinking(&lead, text, *redacted),
                    What::Call(call) => self.call(&lead, call),
                    What::Result(answer) => self.answer(&lead, answer),
                    What::Subagent(call) => {
                        let spans = [span(DIM, "↳ "), span(DIM.italic(), call.as_str())];
                        self.screen.cut(&lead, &spans, &[]);
                    }
                    What::Plan(steps) => self.plan(&lead, steps),
                    What::Notice { level, code, message } => {
                        self.notice(&lead, *level, code, message);
                    }
                    What::Background(text) => {
                        let text = format!("background: {text}");
                        self.screen.cut(&lead.then(DIM, "⧗ "), &[span(DIM, text)], &[]);
                    }
                    What::Raw(text) => {
                        let text = crate::format::tame::line(text);
                        self.screen.cut(&lead.then(DIM, "· "), &[span(DIM, text)], &[]);
                    }
                    _ => {}
                }
            }
        }
    }

    fn delta(&mut self, item: &Item<'_>) {
        let What::Delta(delta) = &item.what else { return };
        let wanted = match delta.of {
            Of::Message => true,
            Of::Thinking => self.options.thinking,
            _ => self.options.full,
        };
        // Of subagents, which work side by side, each text is shown when it is whole.
        if self.options.screen.is_none() || !wanted || item.depth > 0 {
            return;
        }
        match &self.live {
            // One text at a time: the whole of the other comes in any case.
            Some(live) if !live.is_of(delta) => return,
            Some(_) if delta.reset => {
                self.close_live(None);
            }
            _ => {}
        }
        let mut live = match self.live.take() {
            Some(live) => live,
            None => self.open_live(delta, item.depth),
        };
        live.write(&delta.text, &mut self.screen);
        self.live = Some(live);
    }

    fn open_live(&mut self, delta: &Delta<'_>, depth: usize) -> Live {
        let before = self.last;
        let length = self.screen.out.len();
        let lead =
            self.group(if delta.of == Of::Message { Group::Text } else { Group::Work }, depth);
        let gap = self.screen.out.len() > length;
        let size = self.options.screen.and_then(|size| size());
        Live::open(delta, &lead, before, gap, size, &mut self.screen)
    }

    /// Ends the text that is arriving; `whole` is the text that came as a whole now. Returns whether
    /// that stands on the screen already.
    fn close_live(&mut self, whole: Option<&str>) -> bool {
        let Some(live) = self.live.take() else { return false };
        let size = self.options.screen.and_then(|size| size());
        if self.options.redraw && live.can_be_erased(size) {
            self.last = live.erase(&mut self.screen);
            return false;
        }
        self.screen.end_line();
        whole.is_some_and(|whole| live.is(whole))
    }
}

/// Joins the parts, each behind a dot.
fn separated(parts: &[String]) -> String {
    parts.iter().fold(String::new(), |text, part| text + " · " + part)
}

impl Page for Terminal {
    fn item(&mut self, item: Item<'_>, out: &mut String) {
        if item.hidden && !self.options.raw {
            return;
        }
        if self.options.width.is_none() {
            self.screen.width =
                self.options.screen.and_then(|size| size()).map(|(columns, _)| columns);
        }
        match &item.what {
            What::Delta(_) => self.delta(&item),
            What::Usage(_) => {}
            what => {
                let whole = match what {
                    What::Message(message) => Some(&*message.text),
                    What::Thinking { text, .. } => Some(&**text),
                    _ => None,
                };
                let stands = match (&self.live, whole) {
                    (Some(live), Some(whole)) if live.is_start_of(whole) => {
                        self.close_live(Some(whole))
                    }
                    (Some(_), _) => {
                        // What was arriving stays as it is.
                        self.live = None;
                        self.screen.end_line();
                        false
                    }
                    (None, _) => false,
                };
                if !stands {
                    self.draw(&item);
                }
            }
        }
        out.push_str(&self.screen.out);
        self.screen.out.clear();
    }

    fn end_stream(&mut self, out: &mut String) {
        if self.live.take().is_some() {
            out.push('\n');
        }
    }

    fn finish(&mut self, _out: &mut String) {}
}
