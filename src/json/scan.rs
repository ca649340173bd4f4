//! Finding the end of strings and the bytes that need care, 32 at a time.

use wide::{u8x16, u8x32};

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
#[expect(clippy::inline_always, reason = "the short case must cost no call")]
#[inline(always)]
pub(crate) fn string_end(bytes: &[u8], from: usize) -> Option<(usize, bool)> {
    // Most strings are short and have no escapes.
    if let Some(chunk) = bytes.get(from..).and_then(<[u8]>::first_chunk) {
        let block = u8x16::new(*chunk);
        let quotes = block.simd_eq(u8x16::splat(b'"')).to_bitmask();
        let slashes = block.simd_eq(u8x16::splat(b'\\')).to_bitmask();
        if slashes == 0 {
            if quotes != 0 {
                return Some((from + quotes.trailing_zeros() as usize, false));
            }
            return long_string_end(bytes, from + chunk.len());
        }
    }
    long_string_end(bytes, from)
}

#[inline(never)]
fn long_string_end(bytes: &[u8], from: usize) -> Option<(usize, bool)> {
    let (quote, slash) = (u8x32::splat(b'"'), u8x32::splat(b'\\'));
    let (mut at, mut escaped) = (from, false);
    loop {
        let block = block(bytes, at)?;
        let slashes = block.simd_eq(slash).to_bitmask();
        let quotes = block.simd_eq(quote).to_bitmask() & !Runs::of(slashes).escaped;
        if quotes != 0 {
            let end = quotes.trailing_zeros();
            return Some((at + end as usize, escaped || slashes.trailing_zeros() < end));
        }
        escaped |= slashes != 0;
        at += WIDTH + Runs::reach_over(slashes);
    }
}

/// The runs of backslashes of a block that starts outside of an escape, found without a branch: how
/// many there are is different for each block of a text.
struct Runs {
    /// The bytes behind a run of odd length, which its last backslash escapes.
    escaped: u32,
    /// The backslashes that start an escape: every second one of a run.
    starts: u32,
}

impl Runs {
    #[inline]
    fn of(slashes: u32) -> Self {
        const EVEN: u32 = 0x5555_5555;
        let first = slashes & !(slashes << 1);
        // Adding a run's first bit carries to the bit behind the run, and clears the run.
        let behind_even = slashes.wrapping_add(first & EVEN);
        let behind_odd = slashes.wrapping_add(first & !EVEN);
        let escaped = (behind_even & !EVEN | behind_odd & EVEN) & !slashes;
        let (even_runs, odd_runs) = (slashes & !behind_even, slashes & !behind_odd);
        Self { escaped, starts: even_runs & EVEN | odd_runs & !EVEN }
    }

    /// How many bytes of the next block the last backslash escapes.
    #[inline]
    fn reach_over(slashes: u32) -> usize {
        (slashes.leading_ones() & 1) as usize
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
    let is = |block: u8x32, byte: u8| block.simd_eq(u8x32::splat(byte));
    let (mut at, mut surplus) = (from, 0);
    while at < to {
        let start = at;
        let block = block(bytes, start)?;
        let wanted = if to - start < WIDTH { (1_u32 << (to - start)) - 1 } else { u32::MAX };
        let slashes = is(block, b'\\').to_bitmask() & wanted;
        if block.simd_lt(u8x32::splat(b' ')).to_bitmask() & wanted != 0 {
            return None;
        }
        if slashes == 0 {
            at = (start + WIDTH).min(to);
            continue;
        }
        let runs = Runs::of(slashes);
        // Texts escape quotes, line feeds and tabs. What else they escape, what reaches out of the
        // block and what is longer than two bytes is looked at by itself.
        let usual = is(block, b'"') | is(block, b'n') | is(block, b't');
        let odd = runs.escaped & !usual.to_bitmask();
        let over = slashes & runs.starts & (1 << (WIDTH - 1) | wanted & !(wanted >> 1));
        if odd | over == 0 {
            surplus += runs.starts.count_ones() as usize;
            at = (start + WIDTH).min(to);
            continue;
        }
        let first = (odd >> 1 | over).trailing_zeros();
        surplus += (runs.starts & ((1 << first) - 1)).count_ones() as usize;
        let hit = start + first as usize;
        let length = if is_simple(*bytes.get(hit + 1)?) { 2 } else { unicode_length(bytes, hit)? };
        surplus += length - 1;
        at = hit + length;
    }
    Some((at, surplus))
}

/// Whether a backslash and `byte` are an escape.
#[inline]
fn is_simple(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// The length of the escape by code units at `at`, where it stands for a character.
fn unicode_length(bytes: &[u8], at: usize) -> Option<usize> {
    match code_unit(bytes, at)? {
        0xD800..0xDC00 => match code_unit(bytes, at + 6)? {
            0xDC00..0xE000 => Some(12),
            _ => None,
        },
        0xDC00..0xE000 => None,
        _ => Some(6),
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
