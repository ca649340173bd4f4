//! The same bytes in other pieces give the same lines.
#![no_main]

use agentnorm::Lines;
use libfuzzer_sys::fuzz_target;

fn split(input: &[u8], step: usize) -> Vec<(u64, Vec<u8>, Option<u64>)> {
    let mut lines = Lines::new(0, 1000);
    let mut found = Vec::new();
    for piece in input.chunks(step) {
        assert!(lines.push(piece).is_empty());
        while let Some(line) = lines.next_line() {
            found.push((line.number, line.bytes.to_vec(), line.oversized));
        }
    }
    if let Some(line) = lines.rest() {
        found.push((line.number, line.bytes.to_vec(), line.oversized));
    }
    found
}

fuzz_target!(|input: &[u8]| {
    let Some((step, input)) = input.split_first() else { return };
    assert_eq!(split(input, usize::from(*step).max(1)), split(input, 60_000));
});
