//! What `wrap` watches of a running session: whether it gets on, what is open, and whether it keeps
//! within its limits.
//!
//! Pure: events and times come in, and the limit that was broken comes out. A time is what has passed
//! since the start. What was spent is counted elsewhere, where `summarize` counts it.

mod limit;
mod open;
mod rate;
mod turns;
mod words;

use std::time::Duration;

use crate::adapter::Protocol;
use crate::format::event::EventType;
use crate::json::Value;

pub(crate) use limit::Limit;
use open::{Open, digest};
pub(crate) use rate::RateLimit;
use turns::Turns;
use words::{duration, tame};

/// What was asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rules {
    /// All of it.
    pub(crate) timeout: Option<Duration>,
    /// Without progress.
    pub(crate) idle: Option<Duration>,
    /// A tool call that is open.
    pub(crate) tool: Option<Duration>,
    pub(crate) turns: Option<u64>,
    pub(crate) tokens: Option<u64>,
    /// In US dollars.
    pub(crate) cost: Option<f64>,
    /// The same call in a row.
    pub(crate) repeats: Option<u64>,
    /// Without output.
    pub(crate) heartbeat: Option<Duration>,
}

impl Rules {
    /// Returns whether something may end the command.
    pub(crate) fn limit(&self) -> bool {
        let times = [self.timeout, self.idle, self.tool].iter().any(Option::is_some);
        let counts = [self.turns, self.tokens, self.repeats].iter().any(Option::is_some);
        times || counts || self.cost.is_some()
    }

    /// Returns whether what was spent must be counted.
    pub(crate) fn count(&self) -> bool {
        self.turns.is_some() || self.tokens.is_some() || self.cost.is_some()
    }

    /// Returns why a limit would never act, or act on nothing, in a stream of `protocol`.
    pub(crate) fn refuse(&self, protocol: Protocol) -> Result<(), String> {
        let times = [self.timeout, self.idle, self.tool, self.heartbeat];
        if cfg!(not(unix)) && times.iter().any(Option::is_some) {
            return Err("limits of time and --heartbeat need a Unix system".to_owned());
        }
        let carries = protocol.dialect().carries;
        // Whoever speaks the vocabulary may say everything that it has words for.
        let all = protocol == Protocol::Jsonl;
        let figures = [
            ("--max-tokens", self.tokens.is_some(), carries.tokens, "tokens"),
            ("--max-cost", self.cost.is_some(), carries.cost, "costs"),
        ];
        for (option, asked, stated, what) in figures {
            if !asked || stated || all {
                continue;
            }
            return Err(match protocol {
                Protocol::Auto => format!(
                    "{option} needs to know the dialect, since not every one states its {what}: \
                     name it with -p"
                ),
                _ => format!("{option} would never act: {protocol} does not state its {what}"),
            });
        }
        if self.tool.is_some() && protocol.dialect().late_calls {
            return Err(format!(
                "--tool-timeout would never act: {protocol} prints a call when it is over"
            ));
        }
        let events = [
            ("--idle-timeout", self.idle.is_some()),
            ("--tool-timeout", self.tool.is_some()),
            ("--max-turns", self.turns.is_some()),
            ("--max-repeats", self.repeats.is_some()),
        ];
        match events.into_iter().find(|(_, asked)| *asked && protocol == Protocol::None) {
            Some((option, _)) => Err(format!(
                "{option} needs a dialect: under none no line is known to mean anything; \
                 --timeout works"
            )),
            None => Ok(()),
        }
    }

    /// Returns what to know of the limits in a stream of `protocol`, whose form the command may have
    /// chosen itself.
    pub(crate) fn warn(&self, protocol: Protocol, form: Option<&str>) -> Option<String> {
        let clockless = Rules { timeout: None, ..*self };
        if let Some(form) = form.filter(|_| clockless.limit()) {
            return Some(format!(
                "the command chooses its output itself: as {form}, it may print nothing before its \
                 end, and no limit but --timeout sees what it does"
            ));
        }
        (self.idle.is_some() && protocol.dialect().late_calls).then(|| {
            format!(
                "{protocol} prints a call when it is over: the time that a tool takes counts for \
                 --idle-timeout"
            )
        })
    }
}

/// What was spent so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spent {
    pub(crate) tokens: Option<u64>,
    pub(crate) cost: Option<f64>,
    /// As the harness counts them.
    pub(crate) turns: Option<u64>,
}

/// The last call, to know it when it comes again.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    call: u64,
    what: u64,
    times: u64,
}

/// Watches a session.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    rules: Rules,
    open: Open,
    background: bool,
    turns: Turns,
    spent: Spent,
    last: Last,
    /// The call that came too often.
    repeated: Option<String>,
    /// When something came last that is progress.
    progress: Duration,
    /// When something was shown last, by the command or by us.
    shown: Duration,
}

impl Watch {
    /// Watches from now on; `None` where nothing is asked for.
    pub(crate) fn new(rules: Rules) -> Option<Self> {
        let asked = rules.limit() || rules.heartbeat.is_some();
        asked.then(|| Self { rules, ..Self::default() })
    }

    /// Takes an event in.
    pub(crate) fn event(&mut self, kind: EventType, payload: Value<'_>, now: Duration) {
        use EventType as E;
        let progress = match kind {
            // What the harness writes by itself is no progress: that an API does not answer, above all.
            E::Message => !payload.get("synthetic").is_true(),
            E::Thinking | E::Delta | E::ToolCall | E::ToolResult | E::Plan => true,
            _ => false,
        };
        if progress {
            self.progress = now;
        }
        self.turns.event(kind, payload);
        match kind {
            E::ToolCall => {
                self.open.call(payload, now);
                self.repeat(payload);
            }
            E::ToolResult => self.open.result(payload),
            E::Message | E::Thinking => self.open.speaks(payload),
            E::SessionStarted | E::SessionEnded => self.open.clear(),
            E::SessionBackground => {
                let runs = payload.get("tasks").elements().next().is_some();
                if self.background && !runs {
                    // The clock stood until now.
                    self.progress = now;
                }
                self.background = runs;
            }
            _ => {}
        }
    }

    fn repeat(&mut self, payload: Value<'_>) {
        let [id, name, input, cut] = payload.pick(["callId", "name", "input", "truncated"]);
        let call = digest(id);
        if id.is_some() && call == self.last.call {
            // The same call once more, not another one.
            return;
        }
        // What two inputs hold behind the clip is not known to be the same.
        let what = digest(name).rotate_left(1) ^ digest(input);
        let again = what == self.last.what && !cut.is_true();
        let times = if again { self.last.times + 1 } else { 1 };
        self.last = Last { call, what, times };
        if self.rules.repeats.is_some_and(|most| times >= most) {
            self.repeated = Some(tame(&name.decode().unwrap_or_default()));
        }
    }

    /// Takes in what was spent so far.
    pub(crate) fn spend(&mut self, spent: Spent) {
        self.spent = spent;
    }

    /// Says that something was shown to whoever looks on.
    pub(crate) fn show(&mut self, now: Duration) {
        self.shown = now;
    }

    /// Nobody read what the command says for a while, which is not held against it.
    pub(crate) fn pause(&mut self, time: Duration, now: Duration) {
        self.progress = self.progress.saturating_add(time).min(now);
        self.open.delay(time, now);
    }

    /// The process was stopped and goes on: what it could not do meanwhile is not held against it.
    pub(crate) fn resume(&mut self, now: Duration) {
        self.progress = now;
        self.shown = now;
        self.open.restart(now);
    }

    /// Returns the limit on what was counted that is broken.
    pub(crate) fn count(&self) -> Option<Limit> {
        let Rules { turns, tokens, cost, repeats, .. } = self.rules;
        let calls = self.turns.count().max(self.spent.turns.unwrap_or_default());
        if let Some(most) = turns.filter(|most| calls > *most) {
            return Some(Limit::Turns { most, turns: calls });
        }
        if let Some((most, tokens)) = tokens.zip(self.spent.tokens).filter(|(most, is)| is > most) {
            return Some(Limit::Tokens { most, tokens });
        }
        if let Some((most, cost)) = cost.zip(self.spent.cost).filter(|(most, is)| is > most) {
            return Some(Limit::Cost { most, cost });
        }
        let (times, name) = repeats.zip(self.repeated.clone())?;
        Some(Limit::Repeats { times, name })
    }

    /// Returns the limit that is broken at `now`.
    pub(crate) fn tick(&self, now: Duration) -> Option<Limit> {
        let Rules { timeout, idle, tool, .. } = self.rules;
        if let Some(time) = timeout.filter(|time| *time <= now) {
            return Some(Limit::Timeout(time));
        }
        if let Some((time, call)) = tool.zip(self.open.oldest())
            && call.since.saturating_add(time) <= now
        {
            return Some(Limit::Tool { time, call: call.what.clone() });
        }
        let idle = idle.filter(|time| !self.stands() && self.progress.saturating_add(*time) <= now);
        idle.map(Limit::Idle).or_else(|| self.count())
    }

    /// Returns what whoever looks on should hear, where nothing was shown for as long as was asked.
    pub(crate) fn heartbeat(&mut self, now: Duration) -> Option<String> {
        let time = self.rules.heartbeat?;
        if self.shown.saturating_add(time) > now {
            return None;
        }
        self.shown = now;
        let what = match self.open.oldest() {
            Some(call) => {
                let others = match self.open.len() {
                    1 => String::new(),
                    more => format!(" (and {} more)", more - 1),
                };
                let (name, target) = call.what.split_once(": ").unwrap_or((&call.what, ""));
                let open = duration(now.saturating_sub(call.since));
                let colon = if target.is_empty() { "" } else { ": " };
                format!("{name} open for {open}{others}{colon}{target}")
            }
            None if self.background => "background work runs".to_owned(),
            None => {
                let since = duration(now.saturating_sub(self.progress));
                format!("no call is open; no progress for {since}")
            }
        };
        Some(format!("{}, {what}", duration(now)))
    }

    /// Returns the time from `now` to when it should be asked again.
    pub(crate) fn next(&self, now: Duration) -> Option<Duration> {
        let Rules { timeout, idle, tool, heartbeat, .. } = self.rules;
        let at =
            |since: Duration, time: Option<Duration>| time.map(|time| since.saturating_add(time));
        let times = [
            timeout,
            at(self.progress, idle.filter(|_| !self.stands())),
            self.open.oldest().and_then(|call| at(call.since, tool)),
            at(self.shown, heartbeat),
        ];
        times.into_iter().flatten().min().map(|next| next.saturating_sub(now))
    }

    /// Returns whether it is known to wait for something that works.
    fn stands(&self) -> bool {
        self.background || self.open.len() > 0
    }
}

#[cfg(test)]
mod tests;
