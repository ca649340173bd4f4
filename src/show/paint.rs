//! The colours of a tool's output. They stay where a form has colours; whatever else such a sequence
//! says, to move the cursor above all, is left out, and so is what a progress bar has overwritten.
//!
//! Only colours that can be read on any ground come through: a tool must not be able to hide a text.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};

use crate::format::tame::Tamer;

/// The longest title or link of a terminal that is taken for one, in bytes.
const TITLE: usize = 2048;

/// Leaves out what moves the cursor or names a window, and shows of a line that was written over and
/// over what it said last. Colours stay.
pub(super) fn settled(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains(['\u{1b}', '\r']) {
        return text;
    }
    let mut still = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some(at) = rest.find('\u{1b}') {
        let (before, sequence) = rest.split_at(at);
        still.push_str(before);
        let length = length(sequence);
        let (sequence, behind) = sequence.split_at(length.unwrap_or(1));
        if length.is_none() || sequence.ends_with('m') && colours(sequence).is_some() {
            still.push_str(sequence);
        }
        rest = behind;
    }
    still.push_str(rest);
    if !still.contains('\r') {
        return Cow::Owned(still);
    }
    let lines = still.split('\n').map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.rsplit('\r').find(|state| !bare(state).trim().is_empty()).unwrap_or_default()
    });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

/// Leaves the colours out, too.
pub(super) fn bare(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    split(text, |_, text| plain.push_str(text));
    Cow::Owned(plain)
}

/// Returns the pieces of a settled text, harmless, each in its style.
pub(super) fn pieces(text: &str) -> Vec<(Style, String)> {
    let mut pieces: Vec<(Style, String)> = Vec::new();
    let mut tamer = Tamer::default();
    split(text, |style, text| {
        if text.is_empty() {
            return;
        }
        if pieces.last().is_none_or(|(last, _)| *last != style) {
            pieces.push((style, String::new()));
        }
        if let Some((_, piece)) = pieces.last_mut() {
            text.chars().for_each(|c| tamer.push(c, piece));
        }
    });
    pieces
}

fn split(text: &str, mut take: impl FnMut(Style, &str)) {
    let mut style = Style::new();
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        let (before, sequence) = rest.split_at(at);
        take(style, before);
        let length = length(sequence).filter(|length| {
            sequence.get(..*length).is_some_and(|sequence| colours(sequence).is_some())
        });
        let (sequence, behind) = sequence.split_at(length.unwrap_or(1));
        match colours(sequence) {
            Some(codes) => style = styled(style, codes),
            None => take(style, sequence),
        }
        rest = behind;
    }
    take(style, rest);
}

/// Returns how long the sequence is that the text starts with, if it is a whole one.
fn length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.get(1)? {
        b'[' => {
            let body = bytes.get(2..)?;
            let end = body.iter().position(|byte| !(0x20..=0x3f).contains(byte))?;
            (0x40..=0x7e).contains(body.get(end)?).then_some(end + 3)
        }
        b']' => {
            let body = bytes.get(2..)?;
            let end = body.iter().take(TITLE).position(|byte| *byte < b' ')?;
            match (body.get(end)?, body.get(end + 1)) {
                (7, _) => Some(end + 3),
                (0x1b, Some(b'\\')) => Some(end + 4),
                _ => None,
            }
        }
        b'(' | b')' => bytes.get(2).filter(|set| set.is_ascii_alphanumeric()).map(|_| 3),
        b'7' | b'8' | b'=' | b'>' | b'c' | b'M' => Some(2),
        _ => None,
    }
}

/// Returns the numbers of a sequence that sets colours.
fn colours(sequence: &str) -> Option<&str> {
    let codes = sequence.strip_prefix("\u{1b}[")?.strip_suffix('m')?;
    codes.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b':')).then_some(codes)
}

fn styled(mut style: Style, codes: &str) -> Style {
    let mut codes = codes.split([';', ':']).map(|code| code.parse::<u16>().unwrap_or_default());
    while let Some(code) = codes.next() {
        style = match code {
            0 => Style::new(),
            1 => style.bold(),
            2 => style.dimmed(),
            3 => style.italic(),
            4 => style.underline(),
            22 => style.effects(
                style.get_effects().remove(anstyle::Effects::BOLD | anstyle::Effects::DIMMED),
            ),
            23 => style.effects(style.get_effects().remove(anstyle::Effects::ITALIC)),
            24 => style.effects(style.get_effects().remove(anstyle::Effects::UNDERLINE)),
            30..=37 => style.fg_color(colour(code - 30)),
            90..=97 => style.fg_color(colour(code - 90)),
            39 => style.fg_color(None),
            38 | 48 | 58 => {
                let number = match codes.next() {
                    Some(5) => codes.next(),
                    Some(2) => {
                        codes.by_ref().take(3).for_each(drop);
                        None
                    }
                    _ => None,
                };
                let number = number.filter(|_| code == 38);
                match number {
                    Some(number @ 0..=15) => style.fg_color(colour(number % 8)),
                    _ if code == 38 => style.fg_color(None),
                    _ => style,
                }
            }
            _ => style,
        };
    }
    style
}

/// Returns the colour of a number; none for black and white, one of which is the ground.
fn colour(number: u16) -> Option<anstyle::Color> {
    let colour = match number {
        1 => AnsiColor::Red,
        2 => AnsiColor::Green,
        3 => AnsiColor::Yellow,
        4 => AnsiColor::Blue,
        5 => AnsiColor::Magenta,
        6 => AnsiColor::Cyan,
        _ => return None,
    };
    Some(colour.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_stay() {
        let text = "\u{1b}[1m\u{1b}[92mok\u{1b}[0m\u{1b}[2K \u{1b}]8;;https://x.test\u{7}E1\u{1b}]8;;\u{1b}\\\u{1b}[?25h\u{1b}(B";
        let still = settled(text.into());
        assert_eq!(still, "\u{1b}[1m\u{1b}[92mok\u{1b}[0m E1");
        assert_eq!(bare(&still), "ok E1");
        let green = AnsiColor::Green.on_default().bold();
        assert_eq!(pieces(&still), [(green, "ok".to_owned()), (Style::new(), " E1".to_owned())]);
    }

    #[test]
    fn a_progress_bar_shows_its_last_state() {
        assert_eq!(settled("a\r\n 10 %\r 50 %\r100 %\r\nb\r".into()), "a\n100 %\nb");
        assert_eq!(settled("1\r2\r\u{1b}[K".into()), "2");
    }

    #[test]
    fn nothing_is_hidden() {
        for text in ["\u{1b}[8mx", "\u{1b}[30;40mx", "\u{1b}[38;2;0;0;0mx", "\u{1b}[38;5;16;7mx"] {
            let still = settled(text.into());
            assert_eq!(pieces(&still).last(), Some(&(Style::new(), "x".to_owned())), "{text:?}");
        }
        // What is no whole sequence stays to be seen.
        assert_eq!(pieces(&settled("\u{1b}]0;x".into()))[0].1, "␛]0;x");
        assert_eq!(pieces(&settled("\u{1b}[3".into()))[0].1, "␛[3");
    }
}
