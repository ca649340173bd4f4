//! Streams through the library.

use agentnorm::{Emitter, Normalizer, Options, Protocol, Redaction};

pub(crate) fn redaction() -> Redaction {
    let mut builder = Redaction::builder();
    builder.key(b"a key of the tests");
    builder.build().unwrap()
}

/// The records of a stream.
pub(crate) fn read(protocol: Protocol, input: &[u8], redaction: Option<&Redaction>) -> String {
    let mut options = Options::new(protocol);
    options.redaction = redaction.cloned();
    let mut emitter = Emitter::new(Vec::new());
    let mut normalizer = Normalizer::new(options);
    normalizer.push(input, &mut |line| emitter.write(line));
    normalizer.finish(&mut |line| emitter.write(line));
    String::from_utf8(emitter.finish().unwrap()).unwrap()
}

pub(crate) fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A run of nine characters of `secret` that stands in `text`, also where escapes stand in it.
pub(crate) fn leak<'s>(text: &str, secret: &'s str) -> Option<&'s str> {
    let plain = text.replace('\\', "");
    let runs = (0..secret.len().saturating_sub(8)).filter_map(|at| secret.get(at..at + 9));
    runs.filter(|run| !run.contains('\n')).find(|run| text.contains(run) || plain.contains(run))
}
