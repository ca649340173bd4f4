//! What would do harm where people or CI systems read it.

#![allow(
    dead_code,
    clippy::string_slice,
    reason = "no test needs all of it, and each fails by panicking"
)]

use std::ops::RangeInclusive;

/// The characters that steer a terminal, turn the direction of writing round, end a line where nobody
/// looks for one, or say something that no eye sees (annotations, tags).
pub(crate) const HARMFUL: [RangeInclusive<char>; 8] = [
    '\0'..='\u{1f}',
    '\u{7f}'..='\u{9f}',
    '\u{61c}'..='\u{61c}',
    '\u{200e}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2066}'..='\u{2069}',
    '\u{fff9}'..='\u{fffb}',
    '\u{e0000}'..='\u{e007f}',
];

pub(crate) fn is_harmful(c: char) -> bool {
    HARMFUL.iter().any(|range| range.contains(&c))
}

/// What a terminal or a CI system would act on.
pub(crate) fn commands(text: &str) -> Option<String> {
    if let Some(c) = text.chars().find(|c| *c != '\n' && is_harmful(*c)) {
        return Some(format!("{c:?}"));
    }
    let acts = |line: &&str| {
        let start = line.trim_start_matches(|c: char| {
            c.is_whitespace() || "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}".contains(c)
        });
        start.starts_with("::") || is_bracket_command(line)
    };
    text.lines().find(acts).map(str::to_owned)
}

/// `##[`, `##vso[`, `##teamcity[`, wherever they stand.
fn is_bracket_command(line: &str) -> bool {
    line.match_indices("##").any(|(at, _)| {
        let rest = line[at..].trim_start_matches('#');
        rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).starts_with('[')
    })
}

pub(crate) fn without_colours(text: &str) -> String {
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
