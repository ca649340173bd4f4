//! Markdown on a terminal: emphasis, code, lists, headings, quotes.

use std::borrow::Cow;

use anstyle::Style;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use super::screen::{BOLD, CYAN, DIM, Lead, PLAIN, Screen, Span, span};
use crate::limits::MAX_QUOTED;

/// Writes the text. `first` stands in front of the first line, `rest` of the others.
pub(super) fn markdown(screen: &mut Screen, first: &Lead, rest: &Lead, text: &str) {
    let mut writer = Writer {
        screen,
        first: Some(first.clone()),
        rest: vec![rest.clone()],
        styles: Vec::new(),
        spans: Vec::new(),
        lists: Vec::new(),
        links: Vec::new(),
        code: None,
        gap: false,
    };
    for event in Parser::new_ext(text, Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS) {
        writer.event(event);
    }
    writer.flush();
}

struct Writer<'s, 't> {
    screen: &'s mut Screen,
    /// The next line's lead, where it is a special one.
    first: Option<Lead>,
    rest: Vec<Lead>,
    styles: Vec<Style>,
    spans: Vec<Span<'t>>,
    /// The number of the next item of each list that is open.
    lists: Vec<Option<u64>>,
    links: Vec<(String, usize)>,
    code: Option<String>,
    /// An empty line is due before the next block.
    gap: bool,
}

impl<'t> Writer<'_, 't> {
    fn event(&mut self, event: Event<'t>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.push(PLAIN, text),
            },
            Event::Code(text) => self.push(CYAN, text),
            Event::Html(text) | Event::InlineHtml(text) => self.push(PLAIN, text),
            Event::SoftBreak | Event::HardBreak => self.push(PLAIN, "\n".into()),
            Event::TaskListMarker(done) => {
                self.push(PLAIN, if done { "☑ " } else { "☐ " }.into());
            }
            Event::Rule => {
                self.block();
                self.push(DIM, "───".into());
                self.flush();
                self.gap = true;
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'t>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.block(),
            Tag::Heading { .. } => {
                self.block();
                self.styles.push(BOLD);
            }
            Tag::BlockQuote(_) => {
                self.block();
                let lead = self.lead();
                self.rest.push(if self.is_deep() { lead } else { lead.then(DIM, "▏ ") });
            }
            Tag::CodeBlock(_) => {
                self.block();
                self.code = Some(String::new());
            }
            Tag::List(number) => {
                self.flush();
                if self.lists.is_empty() {
                    self.block();
                } else {
                    self.gap = false;
                }
                self.lists.push(number);
            }
            Tag::Item => {
                self.flush();
                self.block();
                let lead = self.lead();
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", number.saturating_sub(1))
                    }
                    _ => "• ".to_owned(),
                };
                let first = self.first.take().unwrap_or_else(|| lead.clone());
                if self.is_deep() {
                    self.first = Some(first);
                    self.rest.push(lead);
                    return;
                }
                self.first = Some(first.then(DIM, &mark));
                self.rest.push(lead.then(PLAIN, &" ".repeat(mark.chars().count())));
            }
            Tag::Emphasis => self.styles.push(Style::new().italic()),
            Tag::Strong => self.styles.push(BOLD),
            Tag::Strikethrough => self.styles.push(Style::new().strikethrough()),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push((dest_url.into_string(), self.spans.len()));
                self.styles.push(Style::new().underline());
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.flush();
                self.gap = true;
            }
            TagEnd::Heading(_) => {
                self.flush();
                self.styles.pop();
                self.gap = true;
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.rest.pop();
                self.gap = true;
            }
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                for line in code.lines() {
                    let lead = self.first.take().unwrap_or_else(|| self.lead());
                    self.screen.whole(&lead.then(PLAIN, "    "), CYAN, line);
                }
                self.gap = true;
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
                self.gap = self.lists.is_empty();
            }
            TagEnd::Item => {
                self.flush();
                // An item without text still shows its mark.
                if let Some(lead) = self.first.take() {
                    self.screen.gap(&lead);
                }
                self.rest.pop();
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {
                self.styles.pop();
            }
            TagEnd::Link | TagEnd::Image => {
                self.styles.pop();
                if let Some((target, from)) = self.links.pop() {
                    let text: String =
                        self.spans.iter().skip(from).map(|s| s.text.as_ref()).collect();
                    if !target.is_empty() && target != text {
                        self.push(DIM, format!(" ({target})").into());
                    }
                }
            }
            _ => {}
        }
    }

    fn push(&mut self, style: Style, text: CowStr<'t>) {
        let style = self.styles.iter().fold(style, |style, outer| {
            let style = style.effects(style.get_effects() | outer.get_effects());
            if style.get_fg_color().is_some() {
                style
            } else {
                style.fg_color(outer.get_fg_color())
            }
        });
        self.spans.push(span(style, Cow::from(text)));
    }

    /// Returns whether quotes and lists stand in so many others that no more are told apart: each would
    /// make every line longer.
    fn is_deep(&self) -> bool {
        self.rest.len() > MAX_QUOTED
    }

    fn lead(&self) -> Lead {
        self.rest.last().cloned().unwrap_or_default()
    }

    /// Starts a block.
    fn block(&mut self) {
        self.flush();
        if std::mem::take(&mut self.gap) && self.first.is_none() {
            let lead = self.lead();
            self.screen.gap(&lead);
        }
    }

    /// Writes the text that was collected.
    fn flush(&mut self) {
        let mut spans = std::mem::take(&mut self.spans);
        while spans.last().is_some_and(|span| span.text.trim().is_empty()) {
            spans.pop();
        }
        if spans.is_empty() {
            return;
        }
        let rest = self.lead();
        let first = self.first.take().unwrap_or_else(|| rest.clone());
        self.screen.wrap(&first, &rest, &spans);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let mut screen = Screen::new(Some(40));
        let lead = Lead::default().then(PLAIN, "  ");
        markdown(&mut screen, &lead, &lead, text);
        anstream::adapter::strip_str(&screen.out).to_string()
    }

    #[test]
    fn blocks_are_laid_out() {
        let text = "# Title\n\nSome *text* with `code` and [a link](https://x.test).\n\n\
                    - one\n- two\n  - inner\n\n1. first\n2. second\n\n```sh\nls  -l | a-line-that-is-longer-than-the-screen\n```\n> quoted\n\nlast";
        let want = "  Title\n\n  Some text with code and a link\n  (https://x.test).\n\n  • one\n  • two\n    • inner\n\n  \
                    1. first\n  2. second\n\n      ls  -l | a-line-that-is-longer-than-the-screen\n\n  ▏ quoted\n\n  last\n";
        assert_eq!(shown(text), want);
    }

    #[test]
    fn what_an_entity_spells_is_harmless_too() {
        assert_eq!(
            shown("&#x1b;[31m &#58;&#58;error::\n&#58;:error::"),
            "  ␛[31m ::error::\n  : :error::\n"
        );
        assert_eq!(shown("<script>x</script> a <b>"), "  <script>x</script> a <b>\n");
    }
}
