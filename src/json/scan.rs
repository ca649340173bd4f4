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
            assert_eq!(special(format!("{body}é{body}").as_bytes(), 0), pad * 2 + 2);
        }
    }
}
