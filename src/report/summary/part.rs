//! One session's share of one process: what a stream says from a session's start to the next.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::sync::Arc;

use super::figures::{Figures, Models, Total};
use super::recap::{Ending, Plan, Task};
use super::spending::Run;
use super::tally::{OpenCalls, Tally};
use crate::adapter::Protocol;
use crate::format::event::EventType;
use crate::format::outcome::Outcome;
use crate::format::time;
use crate::input::text::clip;
use crate::json::Value;
use crate::limits::{MAX_BACKGROUND_TASKS, MAX_FIRST_WORDS, MAX_ID, MAX_NAME, MAX_PATH};
use crate::read::verdict::{Form, Verdict};
use crate::report::kept::{filled, kept};

/// Who worked, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) id: Option<String>,
    pub(super) harness: Option<String>,
    pub(super) version: Option<String>,
    pub(super) model: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) context_window: Option<u64>,
}

impl Identity {
    /// Renews what is known: what the newer one says comes before it.
    pub(super) fn renew(&mut self, newer: Identity) {
        let model = newer.model.is_some();
        self.id = newer.id.or(self.id.take());
        self.harness = newer.harness.or(self.harness.take());
        self.version = newer.version.or(self.version.take());
        self.cwd = newer.cwd.or(self.cwd.take());
        // The window is the model's.
        self.context_window =
            if model { newer.context_window } else { newer.context_window.or(self.context_window) };
        self.model = newer.model.or(self.model.take());
    }

    fn read(payload: Value<'_>) -> Self {
        let [id, harness, version, model, cwd, window] =
            payload.pick(["sessionId", "harness", "version", "model", "cwd", "contextWindow"]);
        Self {
            id: filled(id, MAX_ID),
            harness: filled(harness, MAX_NAME),
            version: filled(version, MAX_NAME),
            model: filled(model, MAX_NAME),
            cwd: filled(cwd, MAX_PATH),
            context_window: window.count(),
        }
    }
}

/// The prompt that was sent last.
#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    pub(super) tokens: u64,
    pub(super) model: Option<String>,
}

/// Returns whether nothing but the number of these events is looked at, so that a reader may skip
/// what they hold.
pub(super) fn says_only_its_type(kind: EventType) -> bool {
    matches!(kind, EventType::Raw | EventType::Delta | EventType::Thinking)
}

/// What the stream had stated when a session began in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Base {
    pub(super) total: Total,
    /// The session came with a process of its own, so that its total may be the whole session's.
    pub(super) is_apart: bool,
}

/// A file that was read.
#[derive(Debug)]
pub(super) struct InputFile {
    pub(super) name: String,
    /// When it was changed last.
    pub(super) time: Option<String>,
}

impl InputFile {
    pub(super) fn at(path: &Path) -> Self {
        let changed = std::fs::metadata(path).and_then(|file| file.modified());
        Self { name: path.display().to_string(), time: changed.ok().and_then(time::of) }
    }
}

/// A session's share of a process.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    pub(super) who: Identity,
    pub(super) file: Option<Arc<InputFile>>,
    /// What the user said first.
    pub(super) words: Option<String>,
    pub(super) started: bool,
    pub(super) base: Base,
    /// The total that was stated first, and what was called up to then.
    first: Option<(Figures, Figures)>,
    total: Option<Total>,
    /// How many calls an earlier part told, and how many none did.
    repeated: u64,
    told: u64,
    pub(super) calls: Figures,
    pub(super) call_models: Models,
    pub(super) context: Option<Context>,
    pub(super) tally: Tally,
    open: OpenCalls,
    pub(super) title: Option<String>,
    pub(super) plan: Option<Plan>,
    pub(super) background: Option<Vec<Task>>,
    pub(super) ending: Option<Ending>,
    /// Work came behind the last end.
    worked: bool,
    outcome: Outcome,
    torn: bool,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    digest: Option<DefaultHasher>,
}

impl Part {
    /// Makes a part that may be recognized when it comes a second time.
    pub(super) fn new(recognizable: bool) -> Self {
        Self { digest: recognizable.then(DefaultHasher::new), ..Self::default() }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.tally.events == 0
    }

    pub(super) fn has_usage(&self) -> bool {
        self.total.is_some() || !self.calls.is_unknown()
    }

    /// Returns whether a session that starts now is the one that is going on: nobody had named it
    /// yet.
    pub(super) fn is_nameless(&self) -> bool {
        self.who.id.is_none() && self.ending.is_none()
    }

    /// Returns whether a session is going on of which no model is known.
    pub(super) fn lacks_model(&self) -> bool {
        self.who.model.is_none() && self.ending.is_none()
    }

    /// Returns whether nothing but a start has been said.
    pub(super) fn is_fresh(&self) -> bool {
        !self.worked && self.ending.is_none()
    }

    pub(super) fn digest(&self) -> Option<u64> {
        self.digest.as_ref().map(DefaultHasher::finish)
    }

    /// Judges the part. `form`: what was read, where that is known of more than its events.
    pub(super) fn verdict(&self, form: Option<Form>) -> Verdict {
        let is_known = self.tally.events > self.tally.raw;
        let supposed = Form { is_known, has_end: self.has_end(None) };
        Verdict::of(form.unwrap_or(supposed), self.outcome)
    }

    /// Returns whether the stream of this part said everything. `has_end`: whether the dialect has
    /// an end record, where that is known.
    pub(super) fn is_complete(&self, has_end: Option<bool>) -> Option<bool> {
        if self.torn {
            return Some(false);
        }
        match &self.ending {
            Some(end) => Some(!self.worked && (end.succeeded || !end.synthetic)),
            None if self.has_end(has_end) => Some(false),
            None => None,
        }
    }

    /// Returns whether this form of the dialect has an end record: as the reader says, else as the
    /// table says of the dialect that the harness is named after (`kimi-code` after `kimi`).
    pub(super) fn has_end(&self, stated: Option<bool>) -> bool {
        stated.unwrap_or_else(|| {
            let harness = self.who.harness.as_deref().unwrap_or_default();
            Protocol::of_harness(harness).is_none_or(|protocol| protocol.dialect().carries.end)
        })
    }

    /// Whether earlier parts told each of its calls.
    pub(super) fn repeats_calls(&self) -> bool {
        self.repeated > 0 && self.told == 0
    }

    /// Takes an event in. `is_repeat`: a call that was told before.
    pub(super) fn event(
        &mut self,
        kind: EventType,
        payload: Value<'_>,
        time: Option<&str>,
        is_repeat: bool,
    ) {
        if let Some(digest) = &mut self.digest {
            (kind, payload.text(), time).hash(digest);
        }
        if let Some(time) = time.filter(|_| !says_only_its_type(kind)) {
            if self.from.is_none() {
                self.from = Some(time.to_owned());
            }
            let to = self.to.get_or_insert_default();
            to.clear();
            to.push_str(time);
        }
        self.tally.event(kind, payload, &mut self.open);
        self.outcome.see_value(kind, payload);
        match kind {
            EventType::SessionStarted => {
                self.started = true;
                self.who.renew(Identity::read(payload));
            }
            EventType::SessionTitle => {
                self.title = filled(payload.get("title"), MAX_PATH).or(self.title.take());
            }
            EventType::Message => {
                self.worked = true;
                self.say(payload);
            }
            EventType::Thinking
            | EventType::ToolCall
            | EventType::ToolResult
            | EventType::Delta => self.worked = true,
            EventType::Plan => {
                self.worked = true;
                self.plan = Some(Plan::read(payload.get("steps")));
            }
            EventType::Usage if is_repeat => self.repeated += 1,
            EventType::Usage => self.usage(payload),
            EventType::SessionEnded => {
                self.worked = false;
                self.ending = Some(Ending::read(payload));
            }
            EventType::SessionBackground => {
                let tasks = payload.get("tasks");
                if tasks.is_array() {
                    self.background =
                        Some(tasks.elements().take(MAX_BACKGROUND_TASKS).map(Task::read).collect());
                }
            }
            EventType::Raw => self.torn |= payload.get("unterminated").is_true(),
            EventType::Notice => {}
        }
    }

    fn say(&mut self, payload: Value<'_>) {
        if self.words.is_some() {
            return;
        }
        let [role, text, synthetic, parent] =
            payload.pick(["role", "text", "synthetic", "parentCallId"]);
        if role.is("user") && !synthetic.is_true() && !parent.is_some() {
            let text = text.decode().unwrap_or_default();
            let (start, _) = clip(text.trim_start(), MAX_FIRST_WORDS);
            let words: Vec<&str> = start.split_whitespace().collect();
            self.words = Some(words.join(" ")).filter(|words| !words.is_empty());
        }
    }

    fn usage(&mut self, payload: Value<'_>) {
        let [scope, model, context, parent] =
            payload.pick(["scope", "model", "contextTokens", "parentCallId"]);
        if scope.is("session") {
            let total = Total::read(payload);
            if self.first.is_none() {
                self.first = Some((total.figures, self.calls));
            }
            self.total = Some(self.total.take().unwrap_or_default().renewed(total));
        } else if scope.is("call") {
            let figures = Figures::read(payload);
            self.told += 1;
            self.calls = self.calls.plus(&figures);
            let model = model.decode();
            let model = model.as_deref().map(|name| kept(name, MAX_NAME));
            if let Some(name) = &model {
                let entry = self.call_models.entry(name);
                entry.figures = entry.figures.plus(&figures);
            }
            if !parent.is_some() {
                let prompt = [
                    figures.input_tokens,
                    figures.cache_read_tokens,
                    figures.cache_creation_tokens,
                ];
                let sum = prompt.into_iter().flatten().reduce(u64::saturating_add);
                if let Some(tokens) = context.count().or(sum) {
                    let context = self.context.get_or_insert_default();
                    context.tokens = tokens;
                    match (&mut context.model, model) {
                        (Some(known), Some(name)) if *known == name => {}
                        (known, name) => *known = name.map(std::borrow::Cow::into_owned),
                    }
                }
            }
        }
    }

    /// What this part says was spent.
    pub(super) fn run(&self) -> Run {
        let (first, total) = self.own_total().unzip();
        Run {
            from: self.from.clone(),
            harness: self.who.harness.clone(),
            is_headless: self.who.cwd.is_none() && self.who.model.is_none(),
            repeats: self.repeated > 0,
            first,
            total,
            before_first: self.first.map(|(_, calls)| calls).unwrap_or_default(),
            calls: self.calls,
            call_models: self.call_models.clone(),
        }
    }

    /// Returns the total that this session has of its own, and how it was stated first.
    fn own_total(&self) -> Option<(Figures, Total)> {
        let ((first, _), total) = (self.first?, self.total.clone()?);
        let base = &self.base.total.figures;
        if base.is_unknown() && self.base.total.duration_ms.is_none() {
            return Some((first, total));
        }
        // The stream goes on counting over its sessions, whichever it counted from.
        let first = if first.continues(base) { first.less(base) } else { first };
        let own = total.less(&self.base.total);
        let over_session = if self.base.is_apart { own.over_session } else { Some(false) };
        Some((first, Total { over_session, ..own }))
    }
}
