//! Tokens. The API's meaning holds in every form: `input_tokens` contains the cached ones, and
//! `output_tokens` contains the reasoning. The legacy form shows it: 1000 with 100 cached and 50 with
//! 16 of reasoning have a `total_tokens` of 1050 (0.42 `legacy_json_first`).

use crate::adapter::running::Running;
use crate::format::event::{CallUsage, SessionUsage, Since};
use crate::format::tokens::Tokens;
use crate::format::write::Name;
use crate::json::Value;

/// The running total, over all the processes whose output the stream holds.
#[derive(Debug, Default)]
pub(super) struct Totals {
    spent: Running,
    /// What the counter that runs now stated last.
    last: Tokens,
}

impl Totals {
    /// Another thread's counter starts. A fork's, which goes on from its parent's (0.171 `fork`),
    /// cannot be told from it.
    pub(super) fn restart(&mut self) {
        self.spent.restart();
        self.last = Tokens::default();
    }

    /// The usage of a `turn.completed`. It counts over the thread from 0.80 on and over the process
    /// before that, and only the later of the two has the key for reasoning (0.129).
    pub(super) fn turn(&mut self, usage: Value<'_>) -> SessionUsage<'static> {
        let counts = tokens(usage);
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
            return (call(tokens(msg), model), None);
        }
        let [total, last] = info.pick(["total_token_usage", "last_token_usage"]);
        let counts = tokens(total);
        if !total.is_object() || counts == self.last {
            return (None, None);
        }
        (call(tokens(last), model), Some(self.total(counts, Some(Since::Process))))
    }

    fn total(&mut self, counts: Tokens, cumulative: Option<Since>) -> SessionUsage<'static> {
        self.last = counts;
        self.spent.state(SessionUsage { cumulative, ..counts.into() })
    }
}

/// One model call's usage; nothing when all of it is zero.
pub(super) fn call(counts: Tokens, model: Option<&str>) -> Option<CallUsage<'_>> {
    if counts.context().unwrap_or(0) == 0 && counts.output.unwrap_or(0) == 0 {
        return None;
    }
    Some(CallUsage {
        model: model.map(Name::from),
        context_tokens: counts.input.and(counts.context()),
        ..counts.into()
    })
}

pub(super) fn tokens(usage: Value<'_>) -> Tokens {
    let [input, cache_read, cache_creation, output, reasoning] = usage
        .pick([
            "input_tokens",
            "cached_input_tokens",
            "cache_write_input_tokens",
            "output_tokens",
            "reasoning_output_tokens",
        ])
        .map(Value::count);
    Tokens { input, output, cache_read, cache_creation, reasoning }.without_cached()
}
