//! Tokens. The API's meaning holds in every form: `input_tokens` contains the cached ones, and
//! `output_tokens` contains the reasoning. The legacy form shows it: 1000 with 100 cached and 50 with
//! 16 of reasoning have a `total_tokens` of 1050 (0.42 `legacy_json_first`).

use crate::adapter::running::Running;
use crate::format::event::{CallUsage, Inherited, SessionUsage, Since};
use crate::format::write::Name;
use crate::json::Value;

/// The running total, over all the processes whose output the stream holds.
#[derive(Debug, Default)]
pub(super) struct Totals {
    spent: Running,
    /// What the counter that runs now stated last.
    last: Counts,
}

/// Tokens as the vocabulary counts them.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    input: Option<u64>,
    cache_read: Option<u64>,
    cache_creation: Option<u64>,
    output: Option<u64>,
    reasoning: Option<u64>,
}

impl Totals {
    /// Another thread's counter starts. A fork's, which goes on from its parent's (0.171 `fork`),
    /// cannot be told from it.
    pub(super) fn restart(&mut self) {
        self.spent.restart();
        self.last = Counts::default();
    }

    /// The usage of a `turn.completed`. It counts over the thread from 0.80 on and over the process
    /// before that, and only the later of the two has the key for reasoning (0.129).
    pub(super) fn turn(&mut self, usage: Value<'_>) -> SessionUsage<'static> {
        let counts = Counts::read(usage);
        let told = counts.reasoning.is_some() || counts.cache_creation.is_some();
        self.total(counts, told.then_some(Since::Session))
    }

    /// A legacy `token_count`: the call's usage, and the total of the process. It is printed twice a
    /// call, and only the first time the total is another one.
    pub(super) fn token_count<'a>(
        &mut self,
        msg: Value<'_>,
        model: Option<&'a str>,
    ) -> (Option<CallUsage<'a>>, Option<SessionUsage<'static>>) {
        let [info, flat] = msg.pick(["info", "input_tokens"]);
        if flat.exists() {
            // 0.20 counts each call for itself, once.
            return (call(Counts::read(msg), model), None);
        }
        let [total, last] = info.pick(["total_token_usage", "last_token_usage"]);
        let counts = Counts::read(total);
        if !total.is_object() || counts == self.last {
            return (None, None);
        }
        (call(Counts::read(last), model), Some(self.total(counts, Some(Since::Process))))
    }

    fn total(&mut self, counts: Counts, cumulative: Option<Since>) -> SessionUsage<'static> {
        self.last = counts;
        self.spent.state(counts.session(cumulative))
    }
}

/// One model call's usage; nothing when all of it is zero.
pub(super) fn call(counts: Counts, model: Option<&str>) -> Option<CallUsage<'_>> {
    let parts = [counts.input, counts.cache_read, counts.cache_creation];
    let context = parts.into_iter().flatten().fold(0, u64::saturating_add);
    if context == 0 && counts.output.unwrap_or(0) == 0 {
        return None;
    }
    Some(CallUsage {
        model: model.map(Name::from),
        input_tokens: counts.input,
        output_tokens: counts.output,
        cache_read_tokens: counts.cache_read,
        cache_creation_tokens: counts.cache_creation,
        context_tokens: counts.input.map(|_| context),
        reasoning_tokens: counts.reasoning,
        ..CallUsage::default()
    })
}

impl Counts {
    pub(super) fn read(usage: Value<'_>) -> Self {
        let [input, cached, written, output, reasoning] = usage.pick([
            "input_tokens",
            "cached_input_tokens",
            "cache_write_input_tokens",
            "output_tokens",
            "reasoning_output_tokens",
        ]);
        let (cache_read, cache_creation) = (cached.count(), written.count());
        let inside = cache_read.unwrap_or(0).saturating_add(cache_creation.unwrap_or(0));
        Self {
            input: input.count().map(|gross| gross.saturating_sub(inside)),
            cache_read,
            cache_creation,
            output: output.count(),
            reasoning: reasoning.count(),
        }
    }

    /// What there is more than in `before`.
    pub(super) fn less(self, before: Self) -> Self {
        let less = |now: Option<u64>, before: Option<u64>| {
            now.map(|now| now.saturating_sub(before.unwrap_or(0)))
        };
        Self {
            input: less(self.input, before.input),
            cache_read: less(self.cache_read, before.cache_read),
            cache_creation: less(self.cache_creation, before.cache_creation),
            output: less(self.output, before.output),
            reasoning: less(self.reasoning, before.reasoning),
        }
    }

    /// Both together.
    pub(super) fn plus(self, more: Self) -> Self {
        let plus = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        Self {
            input: plus(self.input, more.input),
            cache_read: plus(self.cache_read, more.cache_read),
            cache_creation: plus(self.cache_creation, more.cache_creation),
            output: plus(self.output, more.output),
            reasoning: plus(self.reasoning, more.reasoning),
        }
    }

    /// The counts as what is inherited, if that is anything.
    pub(super) fn inherited(self) -> Option<Inherited> {
        let counts =
            [self.input, self.cache_read, self.cache_creation, self.output].into_iter().flatten();
        (counts.max().unwrap_or(0) > 0).then_some(Inherited {
            input_tokens: self.input,
            output_tokens: self.output,
            cache_read_tokens: self.cache_read,
            cache_creation_tokens: self.cache_creation,
            reasoning_tokens: self.reasoning,
            cost_usd: None,
        })
    }

    /// The counts as a running total.
    pub(super) fn session(self, cumulative: Option<Since>) -> SessionUsage<'static> {
        SessionUsage {
            input_tokens: self.input,
            output_tokens: self.output,
            cache_read_tokens: self.cache_read,
            cache_creation_tokens: self.cache_creation,
            reasoning_tokens: self.reasoning,
            cumulative,
            ..SessionUsage::default()
        }
    }
}
