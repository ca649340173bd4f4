//! What agents and tools wrote can do no harm, whatever the form and the options.

use std::fs;

use agentnorm::{Protocol, ShowOptions};

use super::support::{FORMATS, fixtures, folders, options, protocols, viewed};

/// What a browser, a terminal or a CI system would act on.
fn harm(format: &str, text: &str) -> Option<String> {
    let bare = without_colours(text);
    let unseen = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            || matches!(c, '\u{2028}' | '\u{2029}')
    };
    if let Some(c) = bare.chars().find(|c| unseen(*c)) {
        return Some(format!("{c:?}"));
    }
    for line in bare.lines() {
        let start = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{200b}');
        if start.starts_with("::") || is_bracket_command(line) {
            return Some(line.to_owned());
        }
    }
    let live: &[&str] = match format {
        "markdown" => &["<script", "<img", "<a ", "[l](javascript:", "![p]"],
        "html" => &["<script", "<img", "<a href=\"javascript:"],
        _ => &[],
    };
    let page = if format == "markdown" { outside_code(&bare) } else { bare };
    live.iter().find(|bad| page.contains(**bad)).map(|bad| (*bad).to_owned())
}

/// `##[`, `##vso[`, `##teamcity[`, wherever they stand.
fn is_bracket_command(line: &str) -> bool {
    line.match_indices("##").any(|(at, _)| {
        let rest = line[at..].trim_start_matches('#');
        rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).starts_with('[')
    })
}

/// A Markdown page without its code blocks, in which nothing acts, and without escaped brackets.
fn outside_code(page: &str) -> String {
    let mut text = String::new();
    // The fence that is open, and the quote that it stands in.
    let mut fence: Option<(String, String)> = None;
    for line in page.lines() {
        let bare = line.trim_start_matches(['>', ' ']);
        let quote = line[..line.len() - bare.len()].replace(' ', "");
        let ticks: String = bare.chars().take_while(|c| *c == '`').collect();
        if fence.as_ref().is_some_and(|(_, inside)| !quote.starts_with(inside.as_str())) {
            fence = None;
        }
        match &fence {
            Some((open, _)) => {
                if bare.trim_end() == *open {
                    fence = None;
                }
            }
            None if ticks.len() >= 3 => fence = Some((ticks, quote)),
            None => {
                text.push_str(bare);
                text.push('\n');
            }
        }
    }
    text.replace("\\[", "")
}

fn without_colours(text: &str) -> String {
    let mut bare = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("\u{1b}[") {
        bare.push_str(before);
        let end = behind.find(|c: char| !(c.is_ascii_digit() || c == ';')).unwrap_or(0);
        assert!(behind[end..].starts_with('m'), "an escape sequence that is no colour");
        rest = &behind[end + 1..];
    }
    bare + rest
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
            assert!(page.contains("pwned") && page.contains("[U+202E]"), "{options:?}");
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
        let types =
            ["session.", "message ", "thinking ", "tool.", "plan ", "notice ", "raw ", "recap "];
        let start = line.trim_start();
        assert!(types.iter().any(|kind| start.starts_with(kind)), "{line}");
    }
}
