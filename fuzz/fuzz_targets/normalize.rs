//! Any bytes, read by the dialect that the first byte picks: no panic, only complete records.
#![no_main]

use agentnorm::{Emitter, Normalizer, Options, Protocol};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((pick, input)) = input.split_first() else { return };
    let protocol = Protocol::ALL[usize::from(*pick) % Protocol::ALL.len()];
    let mut emitter = Emitter::new(Vec::new());
    let mut normalizer = Normalizer::new(Options::new(protocol));
    normalizer.push(input, &mut |line| emitter.write(line));
    normalizer.finish(&mut |line| emitter.write(line));
    let out = emitter.finish().unwrap();
    assert!(out.is_empty() || out.ends_with(b"}\n"));
    assert!(std::str::from_utf8(&out).is_ok());
});
