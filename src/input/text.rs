//! Trimming, lossy decoding and clipping.

use std::borrow::Cow;

use bstr::ByteSlice;

/// Trims space, tab, CR, VT, FF and BOM off the edges of a line. No other white space is trimmed.
pub(crate) fn trim(line: &[u8]) -> &[u8] {
    let mut rest = line;
    loop {
        rest = match rest {
            [b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c, tail @ ..]
            | [0xef, 0xbb, 0xbf, tail @ ..] => tail,
            _ => break,
        }
    }
    loop {
        rest = match rest {
            [head @ .., b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c]
            | [head @ .., 0xef, 0xbb, 0xbf] => head,
            _ => break,
        }
    }
    rest
}

/// Reads the bytes as text; what is not UTF-8 becomes U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => bytes.to_str_lossy(),
    }
}

/// Finds where the character with the number `count` (from 0) starts; `None` when the text has no
/// more than `count` characters.
pub(crate) fn char_index(text: &str, count: usize) -> Option<usize> {
    if text.len() <= count {
        return None;
    }
    let bytes = text.as_bytes();
    let (mut at, mut left) = (0, count);
    // Whole blocks first: counting a block is vectorized, finding the place in it is not.
    while let Some(block) = bytes.get(at..at + BLOCK) {
        let chars = chars(block);
        if chars > left {
            break;
        }
        left -= chars;
        at += BLOCK;
    }
    let starts = bytes.get(at..)?.iter().enumerate().filter(|(_, byte)| starts_char(**byte));
    starts.map(|(i, _)| at + i).nth(left)
}

/// Counts the characters that start in `bytes`.
pub(crate) fn chars(bytes: &[u8]) -> usize {
    let count = |block: &[u8]| {
        let starts: u8 = block.iter().map(|byte| u8::from(starts_char(*byte))).sum();
        usize::from(starts)
    };
    bytes.chunks(BLOCK).map(count).sum()
}

/// What is counted at once: few enough for a byte to hold the count.
const BLOCK: usize = 128;

fn starts_char(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

/// Returns at most the first `limit` characters of `text` (0: all), and whether something was cut
/// off.
pub(crate) fn clip(text: &str, limit: usize) -> (&str, bool) {
    match char_index(text, limit) {
        Some(end) if limit > 0 => (text.get(..end).unwrap_or_default(), true),
        _ => (text, false),
    }
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "this is a test")]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_bytes_are_trimmed() {
        assert_eq!(trim(b"\xef\xbb\xbf \t\x0b{}\x0c\r"), b"{}");
        assert_eq!(trim("\u{2028}x\u{a0}".as_bytes()), "\u{2028}x\u{a0}".as_bytes());
        assert_eq!(trim(b" \xef\xbb\xbf\r"), b"");
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        for unit in ["a", "é", "한", "🚀"] {
            let text = unit.repeat(300);
            for n in [0, 1, 63, 64, 65, 255, 299] {
                assert_eq!(char_index(&text, n), Some(n * unit.len()), "{unit} {n}");
            }
            assert_eq!(char_index(&text, 300), None);
            assert_eq!(clip(&text, 200), (&text[..200 * unit.len()], true));
            assert_eq!(clip(&text, 0), (&text[..], false));
        }
    }
}
