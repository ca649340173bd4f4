//! What agents and tools wrote can do no harm, whatever the form and the options.

use std::fs;

use agentnorm::Protocol;
use agentnorm::show::ShowOptions;
use proptest::prelude::*;
use pulldown_cmark::{Event, Tag};
use serde_json::json;

use super::harm::{HARMFUL, commands, without_colours};
use super::support::{FORMATS, fixtures, folders, options, protocols, viewed};

/// What a browser, a terminal or a CI system would act on.
fn harm(format: &str, text: &str) -> Option<String> {
    let bare = without_colours(text);
    if let Some(harm) = commands(&bare) {
        return Some(harm);
    }
    match format {
        "markdown" => acts(&bare),
        "html" => {
            let live = ["<script", "<img", "<a href=\"javascript:"];
            live.into_iter().find(|bad| bare.contains(bad)).map(str::to_owned)
        }
        _ => None,
    }
}

/// What a Markdown page holds beside text and what we put into it ourselves.
fn acts(page: &str) -> Option<String> {
    const OURS: [&str; 10] = [
        "<details>",
        "</details>",
        "<summary>",
        "</summary>",
        "<b>",
        "</b>",
        "<code>",
        "</code>",
        "&ensp;",
        "\n",
    ];
    pulldown_cmark::Parser::new(page).find_map(|event| match event {
        Event::Html(html) | Event::InlineHtml(html) => {
            let foreign = OURS.iter().fold(html.to_string(), |html, tag| html.replace(tag, ""));
            foreign.contains('<').then_some(foreign)
        }
        Event::Start(Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        Event::Start(Tag::Link { dest_url, .. }) if !dest_url.starts_with("http") => {
            Some(dest_url.into_string())
        }
        _ => None,
    })
}

fn every_way(format: &str) -> Vec<ShowOptions> {
    let mut ways = Vec::new();
    for (full, width) in [(false, None), (true, None), (false, Some(24)), (true, Some(41))] {
        let mut options = options(format);
        (options.full, options.thinking, options.raw, options.width) = (full, full, full, width);
        ways.push(options);
    }
    ways
}

#[test]
fn hostile_texts_do_no_harm() {
    let input = fs::read(fixtures().join("show/hostile.jsonl")).unwrap();
    assert!(harm("plain", &String::from_utf8(input.clone()).unwrap()).is_some(), "it is hostile");
    for format in FORMATS {
        for options in every_way(format) {
            let page = viewed(Protocol::Auto, &options, std::iter::once(&input[..]));
            assert_eq!(harm(format, &page), None, "{options:?}\n{page}");
            // Still, all of it is there to be read.
            assert!(page.contains("pwned") && page.contains("U+202E"), "{options:?}");
        }
    }
}

#[test]
fn no_harmful_character_comes_through_anywhere() {
    let all: String = HARMFUL.into_iter().flatten().filter(|c| *c != '\n').collect();
    let words = format!("a {all} b");
    let events = [
        json!({"type": "session.started", "payload": {"sessionId": words, "model": words, "cwd": words}}),
        json!({"type": "message", "payload": {"role": "assistant", "text": words}}),
        json!({"type": "message", "payload": {"role": words, "text": format!("```\n{words}\n```")}}),
        json!({"type": "thinking", "payload": {"text": words}}),
        json!({"type": "tool.call", "payload": {"callId": "a", "name": words, "input": words}}),
        json!({"type": "tool.result", "payload": {"callId": "a", "isError": true, "output": words}}),
        json!({"type": "plan", "payload": {"steps": [{"text": words, "status": words}]}}),
        json!({"type": "notice", "payload": {"level": "error", "code": words, "message": words}}),
        json!({"type": "raw", "payload": {"text": words}}),
        json!({"type": "session.ended", "payload": {"status": "failed", "error": words, "summary": words}}),
    ];
    let input = events.map(|event| event.to_string()).join("\n");
    for format in FORMATS {
        for options in every_way(format) {
            let page = viewed(Protocol::Auto, &options, std::iter::once(input.as_bytes()));
            assert_eq!(harm(format, &page), None, "{options:?}");
            assert!(
                page.contains("<U+E0041>") || page.contains("&lt;U+E0041"),
                "{options:?}\n{page}"
            );
        }
    }
}

#[test]
fn every_fixture_is_shown_without_harm() {
    for (protocol, dir) in protocols() {
        for case in folders(&dir) {
            let input = fs::read(case.join("input.jsonl")).unwrap();
            if input.len() > 100_000 {
                continue;
            }
            for format in FORMATS {
                let page = viewed(protocol, &options(format), std::iter::once(&input[..]));
                let found = harm(format, &page);
                assert_eq!(found, None, "{} as {format}", case.display());
            }
        }
    }
}

#[test]
fn plain_is_one_line_an_event() {
    let input = fs::read(fixtures().join("show/hostile.jsonl")).unwrap();
    let page = viewed(Protocol::Auto, &options("plain"), std::iter::once(&input[..]));
    for line in page.lines() {
        let types = [
            "day ",
            "session.",
            "message ",
            "thinking ",
            "tool.",
            "plan ",
            "notice ",
            "raw ",
            "recap ",
        ];
        let start = line.trim_start();
        assert!(types.iter().any(|kind| start.starts_with(kind)), "{line}");
    }
}

/// Where a line is full, we break it, and what comes behind stands at a line's start.
#[test]
fn a_text_that_is_arriving_does_no_harm() {
    for word in
        ["::error::pwned", " ::error::pwned", "##[error]pwned", "##vso[task.complete]x", "\t::a::b"]
    {
        for before in 0..90 {
            for pieces in [1, 3, 40] {
                let text = format!("{}{word}", "a".repeat(before));
                let size = text.len().div_ceil(pieces);
                let piece = |text: &[u8]| {
                    let text = std::str::from_utf8(text).unwrap();
                    json!({"type": "delta", "payload": {"of": "message", "text": text}}).to_string()
                        + "\n"
                };
                let input: String = text.as_bytes().chunks(size).map(piece).collect();
                let mut options = options("terminal");
                options.screen = Some(|| Some((40, 24)));
                let page = viewed(Protocol::Auto, &options, std::iter::once(input.as_bytes()));
                assert_eq!(harm("terminal", &page), None, "{before} {word:?}\n{page}");
                assert!(
                    page.lines().all(|line| without_colours(line).chars().count() <= 40),
                    "{page}"
                );
            }
        }
    }
}

/// Texts of what Markdown, terminals, browsers and CI systems care for.
fn tricky() -> impl Strategy<Value = String> {
    const BITS: [&str; 39] = [
        ":",
        ":",
        "::",
        "#",
        "##",
        "[",
        "]",
        "(",
        "\n",
        "\n",
        "\n\n",
        "\r",
        "\t",
        "\u{1b}[2J",
        "\u{202e}",
        "`",
        "```",
        "~~~",
        "<script>",
        "<img src=x>",
        "</details>",
        ">",
        "> ",
        "- ",
        "1. ",
        "a",
        "vso",
        " ",
        "    ",
        "\\",
        "*",
        "&#58;",
        "&#x1b;",
        "&#35;",
        "![p](x:y)",
        "\u{200b}",
        "\u{61c}",
        "\u{fff9}",
        "\u{e0041}",
    ];
    prop::collection::vec(prop::sample::select(&BITS[..]), 0..14).prop_map(|bits| bits.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn tricky_texts_do_no_harm(texts in prop::collection::vec(tricky(), 6), width in 20..90_usize) {
        let [a, b, c, d, e, f] = &texts[..] else { unreachable!() };
        let events = [
            json!({"type": "message", "payload": {"role": "assistant", "text": a}}),
            json!({"type": "message", "payload": {"role": "user", "text": b}}),
            json!({"type": "tool.call", "payload": {"callId": "a", "name": c, "input": d}}),
            json!({"type": "tool.result", "payload": {"callId": "a", "isError": true, "output": e}}),
            json!({"type": "thinking", "payload": {"text": f, "parentCallId": "a"}}),
            json!({"type": "session.ended", "payload": {"status": "failed", "error": a, "summary": f}}),
        ];
        let input = events.map(|event| event.to_string()).join("\n");
        for format in FORMATS {
            let mut options = options(format);
            (options.width, options.thinking) = (Some(width), true);
            let page = viewed(Protocol::Auto, &options, std::iter::once(input.as_bytes()));
            prop_assert_eq!(harm(format, &page), None, "{} {}", format, page);
        }
    }
}
