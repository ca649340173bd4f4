//! Tokens of a session file. The calls and the running total are told by different records.
//!
//! - A `token_usage_record` is one call (0.171). Where there is none, `last_token_usage` is one, whenever the
//!   total is another one than in the record before: a `token_count` comes again unchanged after each turn's
//!   context, at a resume and with rate limits (0.80 `resume`: five records for three calls).
//! - `total_token_usage` runs on over resumes from 0.80 on. In 0.42 it begins again with each process, which a
//!   `token_count` with `info: null` announces (0.42 `resume`).
//! - A fork's total begins where its parent's stood, and so does a segment's: what they inherit was spent by
//!   another file (0.171 `x-tty-fork`: 50 of its own in a total of 250).

use crate::adapter::codex::usage::{call, tokens};
use crate::adapter::running::Running;
use crate::format::event::{CallUsage, Inherited, SessionUsage, Since};
use crate::format::tokens::Tokens;
use crate::json::Value;

#[derive(Debug, Default)]
pub(super) struct Spent {
    /// The file has records of single calls.
    single: bool,
    /// The counter may have begun anew.
    anew: bool,
    /// The total that was stated last.
    last: Option<Tokens>,
    running: Running,
    /// The total goes on from another file's.
    derived: bool,
    /// The calls that were told, and what the total held beside them when it was first stated.
    own: Tokens,
    inherited: Option<Tokens>,
}

impl Spent {
    /// Begins with the file of a session whose total goes on from another file's, or does not.
    pub(super) fn new(derived: bool) -> Self {
        Self { derived, ..Self::default() }
    }

    /// Takes a `token_usage_record`.
    pub(super) fn record<'a>(
        &mut self,
        usage: Value<'_>,
        model: Option<&'a str>,
    ) -> Option<CallUsage<'a>> {
        self.single = true;
        let counts = tokens(usage);
        self.own = self.own.plus(counts);
        call(counts, model)
    }

    /// Takes a total that was copied from the parent's file: it is known, but not told.
    pub(super) fn copied(&mut self, info: Value<'_>) {
        let total = info.get("total_token_usage");
        if total.is_object() {
            self.last = Some(tokens(total));
        }
    }

    /// Takes a `token_count`. `processes`: whether the version counts each process for itself.
    pub(super) fn count<'a>(
        &mut self,
        info: Value<'_>,
        processes: bool,
        model: Option<&'a str>,
    ) -> (Option<CallUsage<'a>>, Option<SessionUsage<'a>>) {
        let [total, last] = info.pick(["total_token_usage", "last_token_usage"]);
        if !total.is_object() {
            self.anew |= processes && !info.is_some();
            return (None, None);
        }
        let now = tokens(total);
        let one = last.is_object().then(|| tokens(last));
        let anew = std::mem::take(&mut self.anew) && one.is_some_and(|one| one == now);
        if anew {
            self.running.restart();
            self.last = None;
        } else if self.last == Some(now) {
            return (None, None);
        }
        let one = one.unwrap_or_else(|| now.less(self.last.unwrap_or_default()));
        self.last = Some(now);
        let since = if processes { Since::Process } else { Since::Session };
        if !self.single {
            self.own = self.own.plus(one);
        }
        let mut session =
            self.running.state(SessionUsage { cumulative: Some(since), ..now.into() });
        if self.derived {
            let inherited = *self.inherited.get_or_insert(now.less(self.own));
            session.inherited = Some(Inherited::from(inherited)).filter(|_| !inherited.is_zero());
        }
        (if self.single { None } else { call(one, model) }, Some(session))
    }
}
