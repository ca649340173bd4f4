//! Finding the end of strings and the bytes that need care, 32 at a time.

use wide::u8x32;

const WIDTH: usize = 32;

/// The bytes at `at`; behind the end stand spaces, which no scan looks for.
#[inline]
fn block(bytes: &[u8], at: usize) -> Option<u8x32> {
    let rest = bytes.get(at..).filter(|rest| !rest.is_empty())?;
    if let Some(chunk) = rest.first_chunk::<WIDTH>() {
        return Some(u8x32::new(*chunk));
    }
    let mut padded = [b' '; WIDTH];
    for (to, from) in padded.iter_mut().zip(rest) {
        *to = *from;
    }
    Some(u8x32::new(padded))
}

/// Where the string that starts behind the quote at `from - 1` ends: the index of its closing
/// quote, and whether it holds an escape. `None` when it does not end.
#[inline]
pub(super) fn string_end(bytes: &[u8], from: usize) -> Option<(usize, bool)> {
    let (quote, slash) = (u8x32::splat(b'"'), u8x32::splat(b'\\'));
    let (mut at, mut escaped) = (from, false);
    loop {
        let block = block(bytes, at)?;
        let quotes = block.simd_eq(quote).to_bitmask();
        let slashes = block.simd_eq(slash).to_bitmask();
        if slashes == 0 {
            if quotes != 0 {
                return Some((at + quotes.trailing_zeros() as usize, escaped));
            }
            at += WIDTH;
            continue;
        }
        // The quote may stand before the first escape; else what is escaped is no end.
        let (plain, skip) = unescaped(quotes, slashes);
        if plain != 0 {
            let end = plain.trailing_zeros();
            return Some((at + end as usize, escaped || slashes.trailing_zeros() < end));
        }
        escaped = true;
        at += WIDTH + skip;
    }
}

/// Of `quotes` those that no backslash escapes, and how many bytes of the next block the last
/// backslash escapes. The block starts outside of an escape.
#[inline]
fn unescaped(mut quotes: u32, mut slashes: u32) -> (u32, usize) {
    loop {
        let slash = slashes & slashes.wrapping_neg();
        // A quote before the next backslash ends the string: what stands behind does not matter.
        if slash == 0 || quotes & slash.wrapping_sub(1) != 0 {
            return (quotes, 0);
        }
        let next = slash << 1;
        if next == 0 {
            return (quotes, 1);
        }
        quotes &= !next;
        slashes &= !(slash | next);
    }
}

/// The index of the first backslash or control character at or behind `from`, or the length.
#[inline]
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
    bytes.len()
}

/// Walks over a strict string's inside to `to` or just behind the escape that reaches over it.
///
/// Returns where it stopped, and by how many bytes the escapes up to there are longer than the
/// characters they stand for (counting those as one byte). `None` when there is something that strict
/// JSON does not know: a control character, an unknown escape, half a surrogate pair.
#[inline]
pub(super) fn strict_until(bytes: &[u8], from: usize, to: usize) -> Option<(usize, usize)> {
    let (slash, space) = (u8x32::splat(b'\\'), u8x32::splat(b' '));
    let (mut at, mut surplus) = (from, 0);
    while at < to {
        // Most texts are made of simple escapes: all of a block's are looked at from one mask.
        let start = at;
        let block = block(bytes, start)?;
        let mut hits = (block.simd_eq(slash) | block.simd_lt(space)).to_bitmask();
        if to - start < WIDTH {
            hits &= (1_u32 << (to - start)) - 1;
        }
        at = (start + WIDTH).min(to);
        while hits != 0 {
            let hit = start + hits.trailing_zeros() as usize;
            match escape_length(bytes, hit)? {
                // The escaped character must not be looked at again: it may be a backslash.
                2 => {
                    let bit = hits & hits.wrapping_neg();
                    hits &= !(bit | bit << 1);
                    surplus += 1;
                    at = at.max(hit + 2);
                }
                long => {
                    at = hit + long;
                    surplus += long - 1;
                    break;
                }
            }
        }
    }
    Some((at, surplus))
}

/// The length of the strict escape at `at`.
fn escape_length(bytes: &[u8], at: usize) -> Option<usize> {
    match (bytes.get(at)?, bytes.get(at + 1)?) {
        (b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Some(2),
        (b'\\', b'u') => match code_unit(bytes, at)? {
            0xD800..0xDC00 => match code_unit(bytes, at + 6)? {
                0xDC00..0xE000 => Some(12),
                _ => None,
            },
            0xDC00..0xE000 => None,
            _ => Some(6),
        },
        _ => None,
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
            let plain = format!("{body}\"tail\\");
            assert_eq!(string_end(plain.as_bytes(), 0), Some((pad, false)));
            let escaped = format!("{body}\\\"y\\\\\"tail\"");
            assert_eq!(string_end(escaped.as_bytes(), 0), Some((pad + 5, true)));
            assert_eq!(string_end(format!("{body}\\\"").as_bytes(), 0), None);
            assert_eq!(string_end(format!("{body}\\").as_bytes(), 0), None);
            for slashes in 0..70 {
                let text = format!("{body}{}\"{body}\"", "\\".repeat(slashes));
                let end = if slashes % 2 == 0 { pad + slashes } else { 2 * pad + slashes + 1 };
                assert_eq!(string_end(text.as_bytes(), 0), Some((end, slashes > 0)), "{text}");
            }
            assert_eq!(special(format!("{body}\n{body}").as_bytes(), 0), pad);
            assert_eq!(special(format!("{body}é{body}").as_bytes(), 0), pad * 2 + 2);
        }
    }

    #[test]
    fn strict_insides_are_told_from_others_at_every_offset() {
        let insides = [
            ("", Some(0)),
            ("\\\\\\n", Some(2)),
            ("\\\\n\\\"", Some(2)),
            ("\\ud83d\\ude80", Some(11)),
            ("\\u00e9\\n", Some(6)),
            ("\\x", None),
            ("\\\\\\", None),
            ("\\ud83d", None),
            ("\\ud83dx\\ude80", None),
            ("\\ude80", None),
            ("\u{1}", None),
            ("\\\\\\\u{1}", None),
        ];
        for pad in 0..80 {
            let body = "x".repeat(pad);
            for (inside, surplus) in insides {
                for tail in ["", &body] {
                    let text = format!("{body}{inside}{tail}");
                    let want = surplus.map(|surplus| (text.len(), surplus));
                    assert_eq!(strict_until(text.as_bytes(), 0, text.len()), want, "{text:?}");
                }
            }
            let reaching_over = format!("{body}\\u00e9{body}");
            assert_eq!(strict_until(reaching_over.as_bytes(), 0, pad + 1), Some((pad + 6, 5)));
            assert_eq!(strict_until(reaching_over.as_bytes(), 0, pad), Some((pad, 0)));
        }
    }
}
