//! The session from left to right: its calls as bars, its messages and notices as marks, the context
//! and the tokens as lines over them. Each mark leads to its place. What is kept does not grow with
//! the session: when there is too much, every second goes, but of the failures none.

use std::fmt::Write as _;

use maud::{Markup, html};

use super::curve::{Curve, Moment};
use crate::limits::MAX_TIMELINE_MARKS;
use crate::report::summary::{duration, grouped};
use crate::show::item::Spent;

/// The picture's own units; it is stretched to the width of the page.
const WIDTH: u64 = 1000;
/// The height of a row of bars, and of the lines below.
const ROW: u64 = 28;
const LINES: u64 = 56;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Call,
    Edit,
    Agent,
    Message,
    Notice,
}

#[derive(Debug)]
struct Mark {
    from: Moment,
    to: Moment,
    kind: Kind,
    failed: bool,
    deep: bool,
    label: String,
    anchor: String,
    call: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Timeline {
    marks: Vec<Mark>,
    /// One of so many marks is kept.
    step: u64,
    seen: u64,
    context: Curve,
    tokens: Curve,
    total: u64,
    now: Moment,
    first: Option<i64>,
}

impl Timeline {
    /// Goes on to the next entry, and returns when that is.
    pub(super) fn advance(&mut self, time: Option<i64>) {
        self.first = self.first.or(time);
        self.now = Moment { entry: self.now.entry + 1, time: time.max(self.now.time) };
    }

    pub(super) fn mark(
        &mut self,
        kind: Kind,
        failed: bool,
        deep: bool,
        label: String,
        anchor: String,
        call: Option<String>,
    ) {
        self.seen += 1;
        if !failed && !self.seen.is_multiple_of(self.step.max(1)) {
            return;
        }
        if self.marks.len() >= MAX_TIMELINE_MARKS {
            let mut keep = false;
            self.marks.retain(|mark| {
                keep = !keep;
                mark.failed || keep
            });
            self.step = self.step.max(1) * 2;
            if self.marks.len() >= MAX_TIMELINE_MARKS {
                return;
            }
        }
        let (from, to) = (self.now, self.now);
        self.marks.push(Mark { from, to, kind, failed, deep, label, anchor, call });
    }

    /// Ends the call's bar. Returns whether there is one.
    pub(super) fn end(&mut self, call: Option<&str>, failed: bool) -> bool {
        let Some(call) = call else { return false };
        let now = self.now;
        let open = self.marks.iter_mut().rev().take(256);
        if let Some(mark) = open.into_iter().find(|mark| mark.call.as_deref() == Some(call)) {
            mark.to = now;
            mark.failed |= failed;
            if failed {
                mark.label.push_str(", failed");
            }
            return true;
        }
        false
    }

    pub(super) fn spend(&mut self, spent: Spent) {
        if let Some(context) = spent.context {
            self.context.add(self.now, context);
        }
        self.total = self.total.saturating_add(spent.tokens);
        self.tokens.add(self.now, self.total);
    }

    /// Returns how long the session was by its times, where they say it.
    fn span(&self) -> Option<u64> {
        let span = self.now.time?.checked_sub(self.first?)?;
        u64::try_from(span).ok().filter(|span| *span > 0)
    }

    fn x(&self, at: Moment) -> u64 {
        let (part, whole) = match (self.span(), self.first) {
            (Some(span), Some(first)) => {
                let since = at.time.map_or(0, |time| time.saturating_sub(first));
                (u64::try_from(since).unwrap_or_default(), span)
            }
            _ => (at.entry.saturating_sub(1), self.now.entry.saturating_sub(1).max(1)),
        };
        let x = u128::from(part) * u128::from(WIDTH) / u128::from(whole.max(1));
        u64::try_from(x).unwrap_or(WIDTH).min(WIDTH)
    }

    /// Draws the time line; nothing where nothing happened in it.
    pub(super) fn draw(&self) -> Markup {
        let has = |kind: Kind| self.marks.iter().any(|mark| mark.kind == kind);
        let calls = self.marks.iter().any(|mark| mark.call.is_some());
        if self.marks.len() < 2 || !(calls || self.tokens.len() > 1) {
            return html! {};
        }
        let failed = self.marks.iter().any(|mark| mark.failed);
        let deep = self.marks.iter().any(|mark| mark.deep);
        let curves = self.tokens.len() > 1;
        let rows = if deep { [Some(20), Some(20 + ROW)] } else { [Some(20), None] };
        let top = ROW * if deep { 2 } else { 1 } + 4;
        let height = if curves { top + LINES + 2 } else { top };
        let line = |curve: &Curve| curve.path(|at| self.x(at), (top, LINES));
        let about = match self.span() {
            Some(span) => format!("Time line over {}", duration(span)),
            None => format!("Time line over {} entries, in their order", self.now.entry),
        };
        html! {
            figure.timeline {
                svg viewBox={ "0 0 " (WIDTH) " " (height) } preserveAspectRatio="none" role="group"
                    aria-label=(about) class=[(!curves && !deep).then_some("low")] {
                    @for y in rows.into_iter().flatten() { path.axis d={ "M0," (y) "H" (WIDTH) } {} }
                    @if curves { path.axis d={ "M0," (top + LINES) "H" (WIDTH) } {} }
                    @for mark in &self.marks { (self.one(mark)) }
                    @if curves {
                        @if self.context.len() > 1 { path.context d=(line(&self.context)) {} }
                        path.tokens d=(line(&self.tokens)) {}
                    }
                }
                div.scale aria-hidden="true" {
                    @match self.span() {
                        Some(span) => { span { "0 s" } span { (duration(span / 2)) } span { (duration(span)) } },
                        None => { span { "entry 1" } span { (grouped(self.now.entry / 2)) } span { (grouped(self.now.entry)) } },
                    }
                }
                figcaption {
                    @if has(Kind::Message) { span { i.message {} "message" } }
                    @if has(Kind::Call) { span { i.call {} "call" } }
                    @if has(Kind::Edit) { span { i.edit {} "edit" } }
                    @if has(Kind::Agent) { span { i.agent {} "subagent" } }
                    @if has(Kind::Notice) { span { i.notice {} "notice" } }
                    @if failed { span { i.failed {} "failed" } }
                    @if deep { span { "lower row: in subagents" } }
                    @if curves && self.context.len() > 1 {
                        span { i.context {} "context, up to " (grouped(self.context.most())) " tokens" }
                    }
                    @if curves { span { i.tokens {} "tokens without cache reads, in all " (grouped(self.total)) } }
                    @if self.step > 1 { span { "one mark of " (self.step) } }
                }
            }
        }
    }

    fn one(&self, mark: &Mark) -> Markup {
        let (from, to) = (self.x(mark.from), self.x(mark.to));
        let (class, top, height, least) = match mark.kind {
            Kind::Message => ("message", 2, 6, 4),
            Kind::Notice => ("notice", 2, 6, 4),
            Kind::Call => ("call", 10, 12, 3),
            Kind::Edit => ("edit", 10, 12, 3),
            Kind::Agent => ("agent", 12, 8, 3),
        };
        let class = if mark.failed { "failed" } else { class };
        // What failed is higher, to be seen without its colour.
        let (top, height) = if mark.failed { (top - 2, height + 5) } else { (top, height) };
        let top = if mark.deep { top + ROW } else { top };
        let width = to.saturating_sub(from).max(least);
        let from = from.min(WIDTH.saturating_sub(least));
        let mut title = mark.label.clone();
        if let (Some(from), Some(to)) = (mark.from.time, mark.to.time)
            && let Ok(took @ 1..) = u64::try_from(to.saturating_sub(from))
        {
            let _ = write!(title, ", {}", duration(took));
        }
        html! {
            a href={ "#" (mark.anchor) } tabindex=[(!mark.failed).then_some("-1")] {
                rect class=(class) x=(from) y=(top) width=(width) height=(height) { title { (title) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_session_has_few_marks_and_all_failures() {
        let mut line = Timeline::default();
        for n in 0..50_000_u64 {
            line.advance(Some(i64::try_from(n).unwrap()));
            let failed = n % 5_000 == 0;
            line.mark(Kind::Call, failed, false, "x".into(), format!("L{n}"), Some(n.to_string()));
            line.end(Some(&n.to_string()), failed);
            line.spend(Spent { context: Some(n), tokens: 1, output: 1 });
        }
        assert!(line.marks.len() <= MAX_TIMELINE_MARKS);
        assert!(line.marks.len() > MAX_TIMELINE_MARKS / 4);
        assert_eq!(line.marks.iter().filter(|mark| mark.failed).count(), 10);
        assert!(line.draw().into_string().contains("one mark of "));
    }

    #[test]
    fn bars_are_as_long_as_their_calls() {
        let mut line = Timeline::default();
        for (time, id) in [(0, "a"), (10_000, "b")] {
            line.advance(Some(time));
            line.mark(Kind::Call, false, false, id.into(), id.into(), Some(id.into()));
            line.advance(Some(time + 5_000));
            line.end(Some(id), id == "b");
        }
        line.advance(Some(20_000));
        let drawn = line.draw().into_string();
        assert!(drawn.contains("x=\"0\" y=\"10\" width=\"250\""), "{drawn}");
        assert!(drawn.contains("class=\"failed\" x=\"500\" y=\"8\" width=\"250\""), "{drawn}");
        assert!(drawn.contains("<title>b, failed, 5.0 s</title>"), "{drawn}");
    }
}
