//! An agent's Markdown as HTML: its own HTML is shown as text, and nothing is loaded.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

use crate::format::tame::tame;
use crate::show::page::is_address;

pub(super) fn prose(text: &str) -> Markup {
    let options =
        Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_TABLES;
    let mut page = String::with_capacity(text.len() * 2);
    pulldown_cmark::html::push_html(&mut page, Parser::new_ext(text, options).filter_map(harmless));
    PreEscaped(page)
}

fn harmless(event: Event<'_>) -> Option<Event<'_>> {
    Some(match event {
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
            Event::Text(CowStr::from(tame(&text).into_owned()))
        }
        Event::Code(text) => Event::Code(CowStr::from(tame(&text).into_owned())),
        Event::Start(Tag::Image { dest_url, .. }) => {
            Event::Text(CowStr::from(format!("[image {}] ", tame(&dest_url))))
        }
        Event::End(TagEnd::Image) => return None,
        // The language is not used, and an entity may spell anything in it.
        Event::Start(Tag::CodeBlock(_)) => Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)),
        Event::Start(Tag::Link { link_type, dest_url, id, .. }) => {
            // The end of the link cannot be dropped without its start: it leads nowhere.
            let dest_url =
                if is_address(&dest_url) { tame(&dest_url).into_owned() } else { "#".to_owned() };
            let dest_url = CowStr::from(dest_url);
            Event::Start(Tag::Link { link_type, dest_url, title: CowStr::from(""), id })
        }
        Event::SoftBreak => Event::HardBreak,
        event => event,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_html_of_the_agent_is_left() {
        let text = "<script>alert(1)</script>\n\n**b** <img src=x onerror=y> [a](javascript:x) \
                    [b](https://x.test \"t\") ![i](https://x.test/p.png) &lt;i> &#x202e;";
        let page = prose(text).into_string();
        for bad in ["<script", "<img", "javascript:", "<i>", "\u{202e}"] {
            assert!(!page.contains(bad), "{bad}: {page}");
        }
        assert!(page.contains("<strong>b</strong>"), "{page}");
        assert!(page.contains("<a href=\"https://x.test\">b</a>"), "{page}");
    }
}
