//! Finding the end of strings and the bytes that need care, 32 at a time.

use wide::u8x32;

const WIDTH: usize = 32;

fn block(bytes: &[u8], at: usize) -> Option<u8x32> {
    let chunk = bytes.get(at..)?.first_chunk::<WIDTH>()?;
    Some(u8x32::new(*chunk))
}

/// Where the string that starts behind the quote at `from - 1` ends: the index of its closing
/// quote, and whether it holds an escape. `None` when it does not end.
pub(super) fn string_end(bytes: &[u8], from: usize) -> Option<(usize, bool)> {
    let (quote, slash) = (u8x32::splat(b'"'), u8x32::splat(b'\\'));
    let (mut at, mut escaped) = (from, false);
    while let Some(block) = block(bytes, at) {
        let hits = (block.simd_eq(quote) | block.simd_eq(slash)).to_bitmask();
        if hits == 0 {
            at += WIDTH;
            continue;
        }
        at += hits.trailing_zeros() as usize;
        if bytes.get(at) == Some(&b'"') {
            return Some((at, escaped));
        }
        escaped = true;
        at += 2;
    }
    loop {
        match bytes.get(at)? {
            b'"' => return Some((at, escaped)),
            b'\\' => {
                escaped = true;
                at += 2;
            }
            _ => at += 1,
        }
    }
}

/// The index of the first backslash or control character at or behind `from`, or the length.
pub(super) fn special(bytes: &[u8], from: usize) -> usize {
    let (slash, space) = (u8x32::splat(b'\\'), u8x32::splat(b' '));
    let mut at = from;
    while let Some(block) = block(bytes, at) {
        let hits = (block.simd_eq(slash) | block.simd_lt(space)).to_bitmask();
        if hits != 0 {
            return at + hits.trailing_zeros() as usize;
        }
        at += WIDTH;
    }
    while let Some(byte) = bytes.get(at) {
        if *byte == b'\\' || *byte < b' ' {
            break;
        }
        at += 1;
    }
    at
}

/// Whether the inside of a string is strict JSON: no control characters, no unknown escapes, no lone
/// surrogates.
pub(super) fn is_strict_inside(bytes: &[u8]) -> bool {
    let mut at = 0;
    loop {
        // Most texts are made of simple escapes: all of a block's are looked at from one mask.
        let start = at;
        let (slash, space) = (u8x32::splat(b'\\'), u8x32::splat(b' '));
        let Some(block) = block(bytes, start) else { break };
        let mut hits = (block.simd_eq(slash) | block.simd_lt(space)).to_bitmask();
        at = start + WIDTH;
        while hits != 0 {
            let hit = start + hits.trailing_zeros() as usize;
            match escape_length(bytes, hit) {
                // The escaped character must not be looked at again: it may be a backslash.
                2 => {
                    let bit = hits & hits.wrapping_neg();
                    hits &= !(bit | bit << 1);
                    at = at.max(hit + 2);
                }
                0 => return false,
                long => {
                    at = hit + long;
                    break;
                }
            }
        }
    }
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => match escape_length(bytes, at) {
                0 => return false,
                length => at += length,
            },
            0..b' ' => return false,
            _ => at += 1,
        }
    }
    true
}

/// The length of the strict escape at `at`; 0 when what stands there is none.
fn escape_length(bytes: &[u8], at: usize) -> usize {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\\'), Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')) => 2,
        (Some(b'\\'), Some(b'u')) => match code_unit(bytes, at) {
            Some(0xD800..0xDC00) => match code_unit(bytes, at + 6) {
                Some(0xDC00..0xE000) => 12,
                _ => 0,
            },
            Some(0xDC00..0xE000) | None => 0,
            Some(_) => 6,
        },
        _ => 0,
    }
}

/// The UTF-16 code unit of the escape `\uXXXX` at `at`.
pub(super) fn code_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_found_at_every_offset() {
        for pad in 0..80 {
            let body = "x".repeat(pad);
            let plain = format!("{body}\"tail");
            assert_eq!(string_end(plain.as_bytes(), 0), Some((pad, false)));
            let escaped = format!("{body}\\\"y\\\\\"tail");
            assert_eq!(string_end(escaped.as_bytes(), 0), Some((pad + 5, true)));
            assert_eq!(string_end(format!("{body}\\\"").as_bytes(), 0), None);
            assert_eq!(special(format!("{body}\n{body}").as_bytes(), 0), pad);
            for (inside, strict) in [
                ("\\\\\\n", true),
                ("\\\\n\\\"", true),
                ("\\ud83d\\ude80", true),
                ("\\u00e9", true),
                ("\\x", false),
                ("\\\\\\", false),
                ("\\ud83d", false),
                ("\\ud83dx\\ude80", false),
                ("\\ude80", false),
                ("\u{1}", false),
                ("\\\\\\\u{1}", false),
            ] {
                for tail in ["", &body] {
                    let text = format!("{body}{inside}{tail}");
                    assert_eq!(is_strict_inside(text.as_bytes()), strict, "{text:?}");
                }
            }
            assert_eq!(special(format!("{body}é{body}").as_bytes(), 0), pad * 2 + 2);
        }
    }
}
