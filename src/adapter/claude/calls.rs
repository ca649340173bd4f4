//! What each model call consumed, once, however many lines repeat it.

use crate::adapter::recent::{Id, Recent};
use crate::format::batch::Batch;
use crate::format::event::CallUsage;
use crate::format::tokens::Tokens;
use crate::format::write::Name;
use crate::json::Value;

/// Reads the counts of a `usage` object as the model's API spells it. Where `gross`, its input contains
/// what was read from the cache.
pub(super) fn tokens(usage: Value<'_>, gross: bool) -> Tokens {
    let [input, output, cache_read, cache_creation, details] = usage.pick([
        "input_tokens",
        "output_tokens",
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
        "output_tokens_details",
    ]);
    // Some gateways state what was written to the cache by how long it is kept only.
    let written = || usage.get("cache_creation").members().filter_map(|(_, n)| n.count());
    let cache_creation = cache_creation.count().or_else(|| written().reduce(u64::saturating_add));
    let cached = cache_read.count().filter(|_| gross).unwrap_or_default();
    Tokens {
        input: input.count().map(|input| input.saturating_sub(cached)),
        output: output.count(),
        cache_read: cache_read.count(),
        cache_creation,
        reasoning: details.get("thinking_tokens").count(),
    }
}

/// How a line tells what a call consumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tally {
    /// A printed line. The same id with other counts of what was sent is another call.
    Printed,
    /// A record of a session file. Each id is one call, and its largest counts are true.
    Kept,
    /// The same, of a subagent whose call is not known: it is no context of the main thread.
    Aside,
}

/// The calls that were counted.
#[derive(Debug, Default)]
pub(super) struct Calls {
    seen: Recent<Call>,
    /// What the calls of each session consumed since it was last asked for.
    spent: Recent<Tokens>,
}

#[derive(Debug)]
struct Call {
    /// What was sent, as its lines state it. A `message_delta` may raise the count above it.
    sent: [u64; 3],
    counted: Tokens,
    /// It is no call of the main thread, and nothing names whose it is.
    aside: bool,
}

impl Calls {
    /// A line shows the counts of a call. The first line of a call counts all of them, a later one
    /// what grew. The same id with other counts of what was sent is another call: some gateways give
    /// every message the same id.
    pub(super) fn line(
        &mut self,
        id: Value<'_>,
        model: Option<Name<'_>>,
        counts: Tokens,
        tally: Tally,
        out: &mut Batch,
    ) {
        if counts.is_zero() {
            return;
        }
        let aside = tally == Tally::Aside;
        let whole = (counts, counts.context().filter(|_| !aside));
        let Some(id) = Id::of(id) else {
            return self.push(model, whole, out);
        };
        let grown = match self.seen.get(id) {
            Some(call) if tally != Tally::Printed => {
                call.aside = aside;
                call.grow(counts)
            }
            // Some gateways know what was sent only when the reply ends.
            Some(call) if sent(call.counted) == [0; 3] => {
                call.sent = sent(counts);
                call.grow(counts)
            }
            Some(call) if [call.sent, sent(call.counted)].contains(&sent(counts)) => {
                call.grow(counts)
            }
            known => {
                let call = Call { sent: sent(counts), counted: counts, aside };
                match known {
                    Some(other) => *other = call,
                    None => self.seen.add(id, call),
                }
                whole
            }
        };
        self.push(model, grown, out);
    }

    /// A `message_delta` shows counts of a call: what is larger than before is an increase.
    pub(super) fn increase(
        &mut self,
        id: Id,
        model: Option<Name<'_>>,
        counts: Tokens,
        out: &mut Batch,
    ) {
        let grown = if let Some(call) = self.seen.get(id) {
            call.grow(counts)
        } else {
            if !counts.is_zero() {
                self.seen.add(id, Call { sent: sent(counts), counted: counts, aside: false });
            }
            (counts, counts.context())
        };
        self.push(model, grown, out);
    }

    /// What the calls of a session consumed since this was last asked.
    pub(super) fn take(&mut self, session: Value<'_>) -> Tokens {
        Id::of(session).and_then(|id| self.spent.take(id)).unwrap_or_default()
    }

    fn push(
        &mut self,
        model: Option<Name<'_>>,
        (counts, context_tokens): (Tokens, Option<u64>),
        out: &mut Batch,
    ) {
        if !counts.is_zero() {
            if let Some(session) = session(out) {
                match self.spent.get(session) {
                    Some(spent) => *spent = spent.plus(counts),
                    None => self.spent.add(session, counts),
                }
            }
            out.push(CallUsage { model, context_tokens, ..counts.into() });
        }
    }
}

impl Call {
    /// Takes later counts in: by how much they are larger, and the context by them.
    fn grow(&mut self, counts: Tokens) -> (Tokens, Option<u64>) {
        let largest = self.counted.larger(counts);
        let growth = largest.less(self.counted);
        self.counted = largest;
        (growth, largest.context().filter(|_| !self.aside))
    }
}

/// The session that the stream is of.
fn session(out: &Batch) -> Option<Id> {
    let written = std::str::from_utf8(out.current_session()?).ok()?;
    Some(Id::from(written.strip_prefix('"')?.strip_suffix('"')?))
}

/// What was sent: the counts that tell one call from another.
fn sent(counts: Tokens) -> [u64; 3] {
    counts.sent().map(Option::unwrap_or_default)
}
