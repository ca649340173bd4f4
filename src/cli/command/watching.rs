//! What `wrap` watches while the command runs, and what becomes of it.

use std::path::Path;
use std::time::{Duration, Instant};

use super::outlet::Outlet;
use super::streams::say;
use crate::adapter::Protocol;
use crate::cli::args::WrapArgs;
use crate::format::batch::Batch;
use crate::format::event::{Code, EventType, Level, Notice};
use crate::format::sourced::Sourced;
use crate::format::time;
use crate::format::write::Text;
use crate::json::{Doc, Value};
use crate::read::normalize::Options;
use crate::report::summary::Summarizer;
use crate::run::apply::chosen_form;
use crate::run::child::Patience;
use crate::run::exit::{Exit, LIMIT};
use crate::run::watch::{Limit, RateLimit, Rules, Spent, Watch};

/// What a command that broke a limit has for its end, unless `--kill-after` says otherwise.
const LIMIT_AFTER: Duration = Duration::from_secs(10);

impl WrapArgs {
    /// What was asked to be watched.
    fn rules(&self) -> Rules {
        let limits = &self.limits;
        Rules {
            timeout: limits.timeout,
            idle: limits.idle_timeout,
            tool: limits.tool_timeout,
            turns: limits.max_turns,
            tokens: limits.max_tokens,
            cost: limits.max_cost,
            repeats: limits.max_repeats,
            heartbeat: limits.heartbeat,
        }
    }

    /// How long the command may take over its end. An error is a limit that could not act.
    pub(super) fn patience(&self, protocol: Protocol) -> anyhow::Result<Patience> {
        let rules = self.rules();
        rules.refuse(protocol).map_err(anyhow::Error::msg)?;
        if let Some(words) = rules.warn(protocol, chosen_form(protocol, &self.command)) {
            say(&words);
        }
        Ok(Patience {
            kill_after: self.kill_after,
            limit_after: rules.limit().then(|| self.kill_after.unwrap_or(LIMIT_AFTER)),
            timeout: rules.timeout,
        })
    }
}

/// Watches a session. Where nothing is asked for nothing is done.
pub(super) struct Watching {
    start: Instant,
    watch: Option<Watch>,
    /// Counts what is spent, as `summarize` does.
    meter: Option<Summarizer>,
    rate_limit: Option<RateLimit>,
    doc: Doc,
    /// The limit that was broken. There is one at most.
    broken: Option<Limit>,
    /// When the command was last waited for.
    read: Option<Duration>,
    /// Whether the events are shown on standard output.
    visible: bool,
    stamp: bool,
}

impl Watching {
    pub(super) fn new(args: &WrapArgs, options: &Options) -> Self {
        let rules = args.rules();
        let write = &args.filter.write;
        let to_stdout = write.output.as_deref().is_none_or(|path| path == Path::new("-"));
        Self {
            start: Instant::now(),
            watch: Watch::new(rules),
            meter: rules.count().then(|| Summarizer::new(options.clone(), false)),
            rate_limit: args.rate_limit_status.map(|_| RateLimit::default()),
            doc: Doc::default(),
            broken: None,
            read: None,
            visible: to_stdout || write.show.is_some(),
            stamp: options.stamp,
        }
    }

    /// Takes in a line's events, which `outlet` has; it also gets what they lead to.
    pub(super) fn line(&mut self, line: Sourced<'_>, outlet: &mut Outlet) {
        if self.watch.is_none() && self.rate_limit.is_none() {
            return;
        }
        let now = self.start.elapsed();
        let mut spent = false;
        for (kind, payload) in line.events() {
            // Nothing of a delta or a line that was not understood is looked at.
            let payload = match kind {
                EventType::Delta | EventType::Raw => None,
                _ => std::str::from_utf8(payload).ok().and_then(|json| self.doc.parse(json)),
            };
            let payload = payload.unwrap_or(Value::MISSING);
            if let Some(watch) = &mut self.watch {
                watch.event(kind, payload, now);
            }
            if let Some(rate_limit) = &mut self.rate_limit {
                rate_limit.event(kind, payload);
            }
            spent |= kind == EventType::Usage;
        }
        let Some(watch) = &mut self.watch else { return };
        if self.visible {
            watch.show(now);
        }
        if let Some(meter) = &mut self.meter {
            meter.sourced(line);
            if spent {
                let (figures, turns) = meter.spent();
                // What reasoning took is in the output, or counted beside it: the harness decides.
                let [input, output, read, creation, _] = figures.counts();
                let tokens = [input, output, read, creation].into_iter().flatten();
                let tokens = tokens.reduce(u64::saturating_add);
                watch.spend(Spent { tokens, cost: figures.cost_usd, turns });
            }
        }
        let broken = watch.count();
        self.break_limit(broken, outlet);
    }

    /// Looks at the clock while the command runs. `continued`: the process was stopped and goes on.
    pub(super) fn tick(&mut self, continued: bool, outlet: &mut Outlet) {
        let Some(watch) = &mut self.watch else { return };
        let now = self.start.elapsed();
        if continued {
            watch.resume(now);
        }
        if let Some(words) = watch.heartbeat(now) {
            say(&words);
        }
        let broken = watch.tick(now);
        self.break_limit(broken, outlet);
    }

    fn break_limit(&mut self, limit: Option<Limit>, outlet: &mut Outlet) {
        let Some(limit) = limit.filter(|_| self.broken.is_none()) else { return };
        let words = limit.to_string();
        say(&format!("ending the command: {words}"));
        let mut batch = Batch::new(0, true);
        batch.push(Notice {
            level: Level::Error,
            code: Code::Limit,
            message: Some(Text::from(words.as_str())),
            ..Notice::default()
        });
        let now = self.stamp.then(time::now);
        let mut notice = Sourced::made_up(&batch);
        notice.time = now.as_deref();
        outlet.write(notice);
        self.broken = Some(limit);
    }

    /// The command is waited for now. How long it may be, before the next [`Watching::tick`].
    pub(super) fn wait(&mut self) -> Option<Duration> {
        // A limit that was broken is broken once.
        let watch = self.watch.as_mut().filter(|_| self.broken.is_none())?;
        let now = self.start.elapsed();
        if let Some(read) = self.read.take() {
            // Whoever reads the events slowly keeps us from reading what the command says.
            watch.pause(now.saturating_sub(read), now);
        }
        watch.next(now)
    }

    /// The command was waited for.
    pub(super) fn waited(&mut self) {
        if self.watch.is_some() {
            self.read = Some(self.start.elapsed());
        }
    }

    /// The limit that was broken.
    pub(super) fn broken(&self) -> Option<&Limit> {
        self.broken.as_ref()
    }

    /// The exit status, where that is not the command's.
    pub(super) fn exit(&self, args: &WrapArgs, succeeded: bool) -> Option<Exit> {
        if self.broken.is_some() {
            return Some(Exit(LIMIT));
        }
        let words = self.rate_limit.as_ref().filter(|_| !succeeded)?.word()?;
        let status = args.rate_limit_status?;
        say(&format!("exit status {status}: {words}"));
        Some(Exit(status))
    }
}
