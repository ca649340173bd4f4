//! Events to what a person sees of them.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::call::{short, telling};
use super::item::{Answer, Call, Delta, End, Item, Message, Speaker, Start, State, Step, What};
use super::output::Output;
use super::tame::{line, tame};
use super::tasks::Tasks;
use super::words;
use crate::either::Seen;
use crate::event::{EventType, Of, Status};
use crate::json::{Doc, Value};

/// How many calls are remembered to know what a result or a subagent belongs to.
const MAX_CALLS: usize = 256;
/// How much is kept of a text that may never become whole, in bytes.
const MAX_TORN: usize = 64 << 10;
/// How deep subagents are indented.
const MAX_DEPTH: usize = 8;

/// Says what a person sees of each event. What it remembers is bounded.
#[derive(Debug, Default)]
pub(super) struct View {
    doc: Doc,
    cwd: Option<String>,
    started: Option<Start>,
    calls: VecDeque<Known>,
    /// The id of the call that was shown last, while nothing else was shown since.
    last_call: Option<String>,
    /// The call whose subagent the last thing shown belongs to.
    last_parent: Option<String>,
    last_text: Option<u64>,
    plan: Vec<Step>,
    tasks: Tasks,
    /// The main thread's text that is arriving, where nobody sees it arrive.
    arriving: Option<(u64, String)>,
    /// Whether a person sees texts arrive.
    live: bool,
}

#[derive(Debug)]
struct Known {
    id: String,
    depth: usize,
    name: String,
    argument: String,
    is_plan: bool,
}

impl View {
    /// `live`: whether a person sees texts arrive.
    pub(super) fn new(live: bool) -> Self {
        Self { live, ..Self::default() }
    }

    /// Forgets the stream that ended, and hands over what never became whole.
    pub(super) fn end_stream(&mut self, see: &mut dyn FnMut(Item<'_>)) {
        self.torn(see);
        *self = Self { doc: std::mem::take(&mut self.doc), live: self.live, ..Self::default() };
    }

    /// Hands over the text whose whole did not come.
    fn torn(&mut self, see: &mut dyn FnMut(Item<'_>)) {
        let Some((_, text)) = self.arriving.take().filter(|(_, text)| !text.trim().is_empty())
        else {
            return;
        };
        let message = Message {
            speaker: Speaker::Agent,
            text: tamed(Cow::Owned(text)),
            remarks: vec!["torn off"],
            attachments: Vec::new(),
        };
        see(Item { depth: 0, time: None, hidden: false, what: What::Message(message) });
    }

    fn arrives(&mut self, delta: &Delta<'_>) {
        let same = self.arriving.as_ref().is_some_and(|(id, _)| *id == delta.text_id);
        if !same || delta.reset {
            self.arriving = Some((delta.text_id, String::new()));
        }
        if let Some((_, text)) = self.arriving.as_mut().filter(|(_, text)| text.len() < MAX_TORN) {
            text.push_str(&delta.text);
        }
    }

    /// Hands what is seen of the event to `see`: nothing, one thing, or two.
    pub(super) fn event<'a>(&mut self, seen: &Seen<'a>, see: &mut dyn FnMut(Item<'_>)) {
        let payload = seen.payload;
        let [parent, call_id] = payload.pick(["parentCallId", "callId"]);
        let parent = parent.decode().filter(|id| !id.is_empty());
        let known = parent.as_deref().map(|parent| self.known(parent).map(|call| call.depth));
        let depth = known.map_or(0, |depth| (depth.unwrap_or_default() + 1).min(MAX_DEPTH));
        let mut hidden = false;
        let what = match seen.kind {
            EventType::SessionStarted => match self.start(payload) {
                Some(start) => What::Start(start),
                None => return,
            },
            EventType::SessionTitle => match payload.get("title").decode() {
                Some(title) => What::Title(line(&title).into_owned()),
                None => return,
            },
            EventType::Message => {
                hidden = payload.get("replay").is_true();
                match self.message(payload) {
                    Some(message) => {
                        if depth == 0 && message.speaker == Speaker::Agent {
                            self.arriving = None;
                        }
                        What::Message(message)
                    }
                    None => return,
                }
            }
            EventType::Thinking => {
                let [text, redacted] = payload.pick(["text", "redacted"]);
                let text = text.decode().unwrap_or_default();
                let redacted = redacted.is_true();
                if text.trim().is_empty() && !redacted {
                    return;
                }
                What::Thinking { text: tamed(text), redacted }
            }
            EventType::ToolCall => What::Call(self.call(payload, depth)),
            EventType::ToolResult => {
                let answer = self.answer(payload);
                let call = call_id.decode().and_then(|id| self.known(&id).map(|call| call.is_plan));
                // What a plan has become is shown as such.
                hidden = call == Some(true) && !answer.failed;
                What::Result(answer)
            }
            EventType::Plan => match self.plan(payload) {
                Some(steps) => What::Plan(steps),
                None => return,
            },
            EventType::Notice => {
                let [level, code] = payload.pick(["level", "code"]);
                let message = words::notice(payload);
                let code = line(&code.decode().unwrap_or_default()).into_owned();
                What::Notice { level: words::level(level), code, message }
            }
            EventType::SessionBackground => match self.tasks.told(payload) {
                Some(text) => What::Background(text),
                None => return,
            },
            EventType::Delta => match delta(payload, parent.as_deref()) {
                Some(delta) => {
                    if !self.live && depth == 0 && delta.of == Of::Message {
                        self.arrives(&delta);
                    }
                    return see(Item { depth, time: seen.time, hidden, what: What::Delta(delta) });
                }
                None => return,
            },
            EventType::Usage => {
                let spent = words::spent(payload, depth == 0);
                if let Some(spent) = spent {
                    see(Item { depth, time: seen.time, hidden, what: What::Usage(spent) });
                }
                return;
            }
            EventType::SessionEnded => {
                self.torn(see);
                What::End(self.end(payload))
            }
            EventType::Raw => {
                let [json, text] = payload.pick(["json", "text"]);
                let text = text.decode();
                // Words between the records may be why a harness gave up; pieces of JSON are not.
                let words = text.as_deref().map(str::trim_start);
                let hidden =
                    words.is_none_or(|text| text.is_empty() || text.starts_with(['{', '[']));
                let what = What::Raw(tamed(text.unwrap_or(Cow::Borrowed(json.text()))));
                return see(Item { depth, time: seen.time, hidden, what });
            }
        };
        if !hidden {
            let parent = parent.map(Cow::into_owned);
            if matches!(what, What::Background(_)) {
                return see(Item { depth, time: seen.time, hidden, what });
            }
            if parent.is_some() && parent != self.last_parent && parent != self.last_call {
                let call = parent.as_deref().and_then(|parent| self.known(parent));
                let label = call.map_or_else(String::new, Known::label);
                let depth = depth.saturating_sub(1);
                see(Item { depth, time: seen.time, hidden, what: What::Under(label) });
            }
            self.last_parent = parent;
            // A plan does not come between a call and its result; neither does background work.
            if !matches!(what, What::Plan(_)) {
                let is_call = matches!(what, What::Call(_));
                self.last_call = call_id.decode().filter(|_| is_call).map(Cow::into_owned);
            }
        }
        see(Item { depth, time: seen.time, hidden, what });
    }

    fn known(&self, id: &str) -> Option<&Known> {
        self.calls.iter().rev().find(|call| call.id == id)
    }

    /// The start, if it says more than the id of the session that is known already.
    fn start(&mut self, payload: Value<'_>) -> Option<Start> {
        let [harness, version, model, cwd, session, turn] =
            payload.pick(["harness", "version", "model", "cwd", "sessionId", "turn"]);
        if let Some(cwd) = cwd.decode() {
            self.cwd = Some(cwd.into_owned());
        }
        let word = |value: Value<'_>| line(&value.decode().unwrap_or_default()).into_owned();
        let agent = format!("{} {}", word(harness), word(version)).trim().to_owned();
        let start = Start {
            agent,
            model: word(model),
            cwd: word(cwd),
            session: word(session),
            turn: turn.count().filter(|turn| *turn > 1),
        };
        let goes_on = self.started.as_ref().is_some_and(|earlier| {
            let same = earlier.session.is_empty() || earlier.session == start.session;
            same && start.turn.is_none() && earlier.parts() == start.parts()
        });
        self.started = Some(start.clone());
        (!goes_on).then_some(start)
    }

    fn message<'a>(&mut self, payload: Value<'a>) -> Option<Message<'a>> {
        let [role, text, truncated, synthetic, discarded, attachments] =
            payload.pick(["role", "text", "truncated", "synthetic", "discarded", "attachments"]);
        let text = text.decode().unwrap_or_default();
        let attachments = words::attachments(attachments);
        if text.trim().is_empty() && attachments.is_empty() {
            return None;
        }
        let speaker = match role.decode().as_deref() {
            Some("user") => Speaker::User,
            Some("system") => Speaker::System,
            _ => Speaker::Agent,
        };
        if speaker == Speaker::Agent {
            self.last_text = Some(hash(&text));
        }
        let remarks = [
            (synthetic.is_true(), "by the harness"),
            (discarded.is_true(), "discarded"),
            (truncated.is_true(), "cut off in the recording"),
        ];
        let remarks = remarks.into_iter().filter(|(so, _)| *so).map(|(_, word)| word).collect();
        Some(Message { speaker, text: tamed(text), remarks, attachments })
    }

    fn call<'a>(&mut self, payload: Value<'a>, depth: usize) -> Call<'a> {
        let [id, name, input] = payload.pick(["callId", "name", "input"]);
        let input = input.decode().unwrap_or_default();
        let name = match name.decode().filter(|name| !name.is_empty()) {
            Some(name) => line(&name).into_owned(),
            None => "a tool".to_owned(),
        };
        let told = telling(&mut self.doc, &name, &input, self.cwd.as_deref());
        if let Some(id) = id.decode() {
            if self.calls.len() >= MAX_CALLS {
                self.calls.pop_front();
            }
            let argument = words::brief(&told.argument);
            self.calls.push_back(Known {
                id: id.into_owned(),
                depth,
                name: name.clone(),
                argument,
                is_plan: told.is_plan,
            });
        }
        Call { name, argument: told.argument, edit: told.edit, input: tamed(input) }
    }

    fn answer<'a>(&self, payload: Value<'a>) -> Answer<'a> {
        let [id, failed, output, truncated, exit, status, files, attachments] = payload.pick([
            "callId",
            "isError",
            "output",
            "truncated",
            "exitCode",
            "status",
            "files",
            "attachments",
        ]);
        let id = id.decode();
        let follows = id.is_some() && id.as_deref() == self.last_call.as_deref();
        let call = id.as_deref().filter(|_| !follows).and_then(|id| self.known(id));
        let mut facts = Vec::new();
        facts.extend(status.decode().map(|word| line(&word).into_owned()));
        facts.extend(exit.i64().map(|code| format!("exit {code}")));
        if failed.is_true() && facts.is_empty() {
            facts.push("error".to_owned());
        }
        let cwd = self.cwd.as_deref().unwrap_or_default();
        let files = files.elements().map(|file| {
            let [path, change] =
                file.pick(["path", "change"]).map(|v| v.decode().unwrap_or_default());
            format!("{} ({})", line(short(&path, cwd)), line(&change))
        });
        Answer {
            call: call.map(|call| (call.name.clone(), call.argument.clone())),
            failed: failed.is_true(),
            facts,
            output: Output::new(output.decode().unwrap_or_default(), truncated.is_true()),
            files: files.collect(),
            attachments: words::attachments(attachments),
        }
    }

    /// The steps, if they are not as they were.
    fn plan(&mut self, payload: Value<'_>) -> Option<Vec<Step>> {
        let steps = payload.get("steps").elements().map(|step| {
            let [text, status] = step.pick(["text", "status"]);
            let state = match status.decode().as_deref() {
                Some("completed") => State::Completed,
                Some("in_progress") => State::InProgress,
                Some("pending") | None => State::Pending,
                Some(_) => State::Other,
            };
            Step { text: line(&text.decode().unwrap_or_default()).into_owned(), state }
        });
        let steps: Vec<Step> = steps.collect();
        if steps == self.plan {
            return None;
        }
        self.plan.clone_from(&steps);
        Some(steps)
    }

    fn end<'a>(&self, payload: Value<'a>) -> End<'a> {
        let [status, error, summary, output] =
            payload.pick(["status", "error", "summary", "output"]);
        let said = |text: &Cow<'_, str>| self.last_text == Some(hash(text));
        let error = error.decode().filter(|text| !said(text));
        let summary = summary.decode().filter(|text| {
            !text.trim().is_empty() && !said(text) && error.as_deref() != Some(&**text)
        });
        End {
            succeeded: status.is(Status::Succeeded.word()),
            error: error.map(|text| tame(&text).into_owned()),
            summary: summary.map(tamed),
            output: output.is_some().then(|| tame(output.text())),
        }
    }
}

impl Known {
    fn label(&self) -> String {
        format!("{} {}", self.name, self.argument).trim_end().to_owned()
    }
}

fn delta<'a>(payload: Value<'a>, parent: Option<&str>) -> Option<Delta<'a>> {
    let [of, text, index, call, message, reset] =
        payload.pick(["of", "text", "index", "callId", "messageId", "reset"]);
    let of = match of.decode().as_deref() {
        Some("message") => Of::Message,
        Some("thinking") => Of::Thinking,
        Some("tool.result") => Of::ToolResult,
        _ => return None,
    };
    let mut hasher = DefaultHasher::new();
    (of.word(), parent, index.text(), call.text(), message.text()).hash(&mut hasher);
    let text = text.decode().unwrap_or_default();
    Some(Delta { of, text_id: hasher.finish(), text, reset: reset.is_true() })
}

fn tamed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => tame(text),
        Cow::Owned(text) => match tame(&text) {
            Cow::Owned(safe) => Cow::Owned(safe),
            Cow::Borrowed(_) => Cow::Owned(text),
        },
    }
}

/// The text without white space at its edges, to know it again.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.trim().hash(&mut hasher);
    hasher.finish()
}
