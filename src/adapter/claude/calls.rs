//! What each model call consumed, once, however many lines repeat it.

use super::messages::Tally;
use crate::adapter::recent::{Id, Recent};
use crate::format::batch::Batch;
use crate::format::event::CallUsage;
use crate::format::write::Name;
use crate::json::Value;

/// Token counts; what the harness did not say is `None`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) input: Option<u64>,
    pub(super) output: Option<u64>,
    pub(super) cache_read: Option<u64>,
    pub(super) cache_creation: Option<u64>,
    pub(super) reasoning: Option<u64>,
}

impl Counts {
    /// The counts of a `usage` object as the model's API spells it. Where `gross`, its input
    /// contains what was read from the cache.
    pub(super) fn read(usage: Value<'_>, gross: bool) -> Self {
        let [input, output, cache_read, cache_creation, details] = usage.pick([
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
            "output_tokens_details",
        ]);
        // Some gateways state what was written to the cache by how long it is kept only.
        let written = || usage.get("cache_creation").members().filter_map(|(_, n)| n.count());
        let cache_creation =
            cache_creation.count().or_else(|| written().reduce(u64::saturating_add));
        let cached = cache_read.count().filter(|_| gross).unwrap_or_default();
        Self {
            input: input.count().map(|input| input.saturating_sub(cached)),
            output: output.count(),
            cache_read: cache_read.count(),
            cache_creation,
            reasoning: details.get("thinking_tokens").count(),
        }
    }

    fn all(&self) -> [Option<u64>; 5] {
        [self.input, self.output, self.cache_read, self.cache_creation, self.reasoning]
    }

    /// Whether nothing was spent.
    pub(super) fn is_zero(&self) -> bool {
        self.all().iter().all(|count| count.unwrap_or_default() == 0)
    }

    /// The counts of both, each combined by `with` where either is known.
    pub(super) fn zip(self, other: Self, with: impl Fn(u64, u64) -> u64) -> Self {
        let zip = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (None, None) => None,
            (a, b) => Some(with(a.unwrap_or_default(), b.unwrap_or_default())),
        };
        Self {
            input: zip(self.input, other.input),
            output: zip(self.output, other.output),
            cache_read: zip(self.cache_read, other.cache_read),
            cache_creation: zip(self.cache_creation, other.cache_creation),
            reasoning: zip(self.reasoning, other.reasoning),
        }
    }

    /// Both together.
    pub(super) fn plus(self, other: Self) -> Self {
        self.zip(other, u64::saturating_add)
    }

    /// Whether a count of `later` is lower than it was.
    pub(super) fn falls_to(&self, later: &Self) -> bool {
        self.all().iter().zip(later.all()).any(|(was, is)| is.is_some_and(|is| *was > Some(is)))
    }

    /// What was sent: the counts that tell one call from another.
    fn sent(&self) -> [u64; 3] {
        [self.input, self.cache_read, self.cache_creation].map(Option::unwrap_or_default)
    }

    fn context(&self) -> Option<u64> {
        let sent = [self.input, self.cache_read, self.cache_creation];
        sent.into_iter().flatten().reduce(u64::saturating_add)
    }
}

/// The calls that were counted.
#[derive(Debug, Default)]
pub(super) struct Calls {
    seen: Recent<Call>,
}

#[derive(Debug)]
struct Call {
    /// What was sent, as its lines state it. A `message_delta` may raise the count above it.
    sent: [u64; 3],
    counted: Counts,
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
        counts: Counts,
        tally: Tally,
        out: &mut Batch,
    ) {
        if counts.is_zero() {
            return;
        }
        let context = counts.context().filter(|_| tally != Tally::Aside);
        let Some(id) = Id::of(id) else {
            return push(model, counts, context, out);
        };
        match self.seen.get(id) {
            Some(call) if tally != Tally::Printed => {
                call.aside = tally == Tally::Aside;
                grow(call, model, counts, out);
            }
            // Some gateways know what was sent only when the reply ends.
            Some(call) if call.counted.sent() == [0; 3] => {
                call.sent = counts.sent();
                grow(call, model, counts, out);
            }
            Some(call) if [call.sent, call.counted.sent()].contains(&counts.sent()) => {
                grow(call, model, counts, out);
            }
            known => {
                let aside = tally == Tally::Aside;
                let call = Call { sent: counts.sent(), counted: counts, aside };
                match known {
                    Some(other) => *other = call,
                    None => self.seen.add(id, call),
                }
                push(model, counts, context, out);
            }
        }
    }

    /// A `message_delta` shows counts of a call: what is larger than before is an increase.
    pub(super) fn increase(
        &mut self,
        id: Id,
        model: Option<Name<'_>>,
        counts: Counts,
        out: &mut Batch,
    ) {
        if let Some(call) = self.seen.get(id) {
            grow(call, model, counts, out);
        } else if !counts.is_zero() {
            self.seen.add(id, Call { sent: counts.sent(), counted: counts, aside: false });
            push(model, counts, counts.context(), out);
        }
    }
}

fn grow(call: &mut Call, model: Option<Name<'_>>, counts: Counts, out: &mut Batch) {
    let largest = call.counted.zip(counts, u64::max);
    let growth = largest.zip(call.counted, u64::saturating_sub);
    call.counted = largest;
    if !growth.is_zero() {
        let context = largest.context().filter(|_| !call.aside);
        push(model, growth, context, out);
    }
}

fn push(model: Option<Name<'_>>, counts: Counts, context: Option<u64>, out: &mut Batch) {
    out.push(CallUsage {
        model,
        input_tokens: counts.input,
        output_tokens: counts.output,
        cache_read_tokens: counts.cache_read,
        cache_creation_tokens: counts.cache_creation,
        context_tokens: context,
        reasoning_tokens: counts.reasoning,
        ..CallUsage::default()
    });
}
