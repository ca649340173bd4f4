//! What was written can be read again and gives the same events.
#![no_main]

use agentnorm::{Emitter, Normalizer, Options, Protocol};
use libfuzzer_sys::fuzz_target;

fn normalize(protocol: Protocol, input: &[u8]) -> Vec<u8> {
    let mut emitter = Emitter::new(Vec::new());
    let mut normalizer = Normalizer::new(Options::new(protocol));
    normalizer.push(input, &mut |line| emitter.write(line));
    normalizer.finish(&mut |line| emitter.write(line));
    emitter.finish().unwrap()
}

fuzz_target!(|input: &[u8]| {
    let stored = normalize(Protocol::ClaudeJson, input);
    let again = normalize(Protocol::Agentnorm, &stored);
    assert_eq!(normalize(Protocol::Agentnorm, &again), again);
});
