//! An agent's Markdown that stands in a page of Markdown: it keeps its shape, and nothing in it acts.
//!
//! GitHub renders the page, and no two parsers agree on everything. So what is mere text here is spelled
//! with entities, whatever it could be to another: a backslash would become part of an address in front of
//! it. Links stay where they are plain, code where it holds nothing that would act outside of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

use super::page::is_address;
use crate::limits::MAX_ESCAPE_ROUNDS;
use crate::report::literal::BREAK;

/// What is spelled wherever it is text: HTML, entities, links and images, code, formulas.
const SPELLED: [char; 6] = ['<', '&', '[', ']', '`', '$'];

/// What becomes of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// The character that ends here is spelled; a backslash before it goes.
    Spell { from: usize },
    /// Something is put in behind the character that starts here.
    Break,
}

/// Makes HTML, entities, images, links that are not plain, mentions and references mere text. Returns
/// `None` for a text that does not come to rest.
pub(super) fn inert(text: &str) -> Option<String> {
    // What is spelled no longer hides what stands in it: that takes another round.
    let mut text = text.trim().to_owned();
    for _ in 0..MAX_ESCAPE_ROUNDS {
        let changes = changes(&text);
        if changes.is_empty() {
            return Some(text);
        }
        text = changed(&text, &changes);
    }
    None
}

fn changed(text: &str, changes: &BTreeMap<usize, Change>) -> String {
    let mut out = String::with_capacity(text.len() + changes.len() * 5);
    let mut done = 0;
    for (&at, &change) in changes {
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { continue };
        let behind = at + c.len_utf8();
        match change {
            Change::Spell { from } => {
                out.push_str(text.get(done..from.max(done)).unwrap_or_default());
                // Writing to memory cannot fail.
                let _ = write!(out, "&#{};", u32::from(c));
            }
            Change::Break => {
                out.push_str(text.get(done..behind).unwrap_or_default());
                out.push_str(BREAK);
            }
        }
        done = behind;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

/// Finds what must change, each at the character that it is about.
fn changes(text: &str) -> BTreeMap<usize, Change> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let mut changes = Changes { text, found: BTreeMap::new() };
    let mut in_code = false;
    let events = Parser::new_ext(text, options).into_offset_iter();
    // A definition may be a footnote elsewhere, and its title anything.
    for (_, definition) in events.reference_definitions().iter() {
        changes.spell_first('[', definition.span.start);
    }
    for (event, range) in events {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Image { .. } | Tag::FootnoteDefinition(_))
            | Event::FootnoteReference(_) => changes.spell(range.start),
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                let source = text.get(range.clone()).unwrap_or_default();
                if !(is_address(&dest_url) && is_plain(link_type, source)) {
                    changes.spell(range.start);
                }
            }
            Event::Code(_) => changes.code(range),
            Event::Text(_) if !in_code => changes.text(range, true),
            Event::Html(_) | Event::InlineHtml(_) => changes.text(range, false),
            _ => {}
        }
    }
    changes.found
}

struct Changes<'t> {
    text: &'t str,
    found: BTreeMap<usize, Change>,
}

impl Changes<'_> {
    /// The character that starts here is spelled.
    fn spell(&mut self, at: usize) {
        let before = self.text.get(..at).unwrap_or_default();
        let slashes = before.len() - before.trim_end_matches('\\').len();
        self.found.insert(at, Change::Spell { from: at - slashes % 2 });
    }

    fn spell_first(&mut self, c: char, from: usize) {
        if let Some(at) = self.text.get(from..).and_then(|rest| rest.find(c)) {
            self.spell(from + at);
        }
    }

    /// What stands here is text. `names`: people and issues may be named in it.
    fn text(&mut self, range: std::ops::Range<usize>, names: bool) {
        let source = self.text.get(range.clone()).unwrap_or_default();
        for (at, c) in source.char_indices().map(|(at, c)| (range.start + at, c)) {
            if SPELLED.contains(&c) && !(c == '&' && self.is_ours(at)) {
                self.spell(at);
            } else if names && self.names(at, c) {
                self.found.insert(at, Change::Break);
            }
        }
    }

    /// Code that a table could cut into, and that holds something which would act then, is text.
    fn code(&mut self, range: std::ops::Range<usize>) {
        let source = self.text.get(range.clone()).unwrap_or_default();
        if source.contains('|') && source.contains(['<', '&', '[', '@', '$']) {
            let ticks = source.match_indices('`').map(|(at, _)| range.start + at);
            ticks.for_each(|at| self.spell(at));
        }
    }

    /// Returns whether we have put this entity in.
    fn is_ours(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or_default();
        let number = rest.strip_prefix("&#").and_then(|rest| rest.split_once(';'));
        let spelled = number.and_then(|(number, _)| char::from_u32(number.parse().ok()?));
        rest.starts_with(BREAK) || spelled.is_some_and(|c| c == '!' || SPELLED.contains(&c))
    }

    /// Returns whether this starts the name of somebody (`@name`) or of an issue (`#4`, `GH-3`): where the
    /// page is a comment, they would hear of it.
    fn names(&self, at: usize, c: char) -> bool {
        let (before, rest) = (self.text.get(..at), self.text.get(at + c.len_utf8()..));
        let (Some(before), Some(next)) = (before, rest.and_then(|rest| rest.chars().next())) else {
            return false;
        };
        let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_joined = before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let address = word.rsplit_once("://").map(|(_, address)| address);
        address.is_none_or(|address| address.contains([')', '<', '>', '|', '`', '"', '\'']))
            && match c {
                // What stands before an address of mail becomes a part of the link.
                '@' => next.is_ascii_alphanumeric() && (!is_joined || word.contains(':')),
                '#' => next.is_ascii_digit() && !before.ends_with('&'),
                '-' => next.is_ascii_digit() && word.to_ascii_uppercase().ends_with("GH"),
                _ => false,
            }
    }
}

/// Returns whether every parser takes the link for one, and for this one.
fn is_plain(kind: LinkType, source: &str) -> bool {
    let address = match kind {
        LinkType::Autolink | LinkType::Email => {
            source.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'))
        }
        LinkType::Inline => source
            .strip_suffix(')')
            .and_then(|rest| rest.rsplit_once("]("))
            .map(|(_, address)| address),
        _ => None,
    };
    address.is_some_and(|address| {
        address.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/?#@!+,;=%".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_stays_and_html_goes() {
        let text = "**a** <b>x</b> `<i>` &#x202e;\n\n```\n<u>&lt;\n```\n\n</details>\n\n![beacon](https://x.test/p.png)";
        let want = "**a** &#60;b>x&#60;/b> `<i>` &#38;#x202e;\n\n```\n<u>&lt;\n```\n\n&#60;/details>\n\n&#33;[beacon](https://x.test/p.png)";
        assert_eq!(inert(text).unwrap(), want);
        assert_eq!(inert("<b>![p](x:y)").unwrap(), "&#60;b>&#33;&#91;p&#93;(x:y)");
        let kept = "- [ ] `a | b` [text](https://x.test/a?b=c#d) <https://x.test>\n- [x] *b*\n\n| a | b |\n|---|---|\n| `c` | d |";
        assert_eq!(inert(kept).unwrap(), kept);
    }

    #[test]
    fn what_another_parser_would_see_is_text() {
        for (text, want) in [
            ("https://x.test/<img src=y>", "https://x.test/&#60;img src=y>"),
            ("https://x.test/\\<img src=y>", "https://x.test/&#60;img src=y>"),
            ("`c | <b>`", "&#96;c | &#60;b>&#96;"),
            (
                "[^a]\n\n[^a]: https://x.test \"![x](y)\"",
                "&#91;^a&#93;\n\n&#91;^a&#93;: https://x.test \"&#33;&#91;x&#93;(y)\"",
            ),
            ("[a]\n\n[a]: https://x.test", "&#91;a&#93;\n\n&#91;a&#93;: https://x.test"),
            ("[a](<https://x.test> \"t\")", "&#91;a&#93;(<https://x.test> \"t\")"),
            ("a `b", "a &#96;b"),
            ("$x$", "&#36;x&#36;"),
        ] {
            let got = inert(text).unwrap();
            assert_eq!(got, want, "{text}");
            assert_eq!(inert(&got).unwrap(), got);
        }
    }

    #[test]
    fn nobody_is_named() {
        for (text, want) in [
            ("@octocat and @org/team", "@&#8203;octocat and @&#8203;org/team"),
            ("fixes #4, org/repo#5, GH-3", "fixes #&#8203;4, org/repo#&#8203;5, GH-&#8203;3"),
            ("a@b.test https://x.test/@a/#4 # 4 `@a`", "a@b.test https://x.test/@a/#4 # 4 `@a`"),
        ] {
            assert_eq!(inert(text).unwrap(), want);
        }
    }
}
