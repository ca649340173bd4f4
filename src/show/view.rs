//! Events to what a person sees of them.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::arriving::Arriving;
use super::asked::{Asked, short};
use super::call::{Description, describe};
use super::item::{Answer, Call, Delta, End, Item, Message, Speaker, Start, State, Step, What};
use super::output::Output;
use super::said::Said;
use super::tasks::Tasks;
use super::words;
use crate::format::event::{EventType, Of, Status};
use crate::format::tame::{line, tame};
use crate::json::{Doc, Value};
use crate::limits::{MAX_ID, MAX_INDENT, MAX_KNOWN_CALLS, MAX_NAME, MAX_PATH};
use crate::read::event_reader::Seen;
use crate::report::kept::kept;

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
    said: Said,
    /// The date of what was shown last.
    day: String,
    plan: Vec<Step>,
    tasks: Tasks,
    arriving: Arriving,
    /// Whether a person sees texts arrive.
    live: bool,
    /// Whether the form shows what a call changes.
    diffs: bool,
}

#[derive(Debug)]
struct Known {
    id: String,
    depth: usize,
    name: String,
    argument: String,
    is_plan: bool,
    is_agent: bool,
}

impl View {
    /// `live`: whether a person sees texts arrive. `diffs`: whether the form shows what a call changes.
    pub(super) fn new(live: bool, diffs: bool) -> Self {
        Self { live, diffs, ..Self::default() }
    }

    /// Forgets the stream that ended, and hands over what never became whole.
    pub(super) fn end_stream(&mut self, see: &mut dyn FnMut(Item<'_>)) {
        self.torn(see);
        *self = Self {
            doc: std::mem::take(&mut self.doc),
            live: self.live,
            diffs: self.diffs,
            ..Self::default()
        };
    }

    /// Hands over the text whose whole did not come.
    fn torn(&mut self, see: &mut dyn FnMut(Item<'_>)) {
        let Some(text) = self.arriving.take_torn() else { return };
        let message = Message {
            speaker: Speaker::Agent,
            text: tamed(Cow::Owned(text)),
            remarks: vec!["torn off"],
            attachments: Vec::new(),
        };
        see(Item {
            depth: 0,
            time: None,
            line: None,
            session: None,
            hidden: false,
            what: What::Message(message),
        });
    }

    /// Hands what is seen of the event to `see`: nothing, one thing, or two.
    pub(super) fn event(&mut self, seen: &Seen<'_>, see: &mut dyn FnMut(Item<'_>)) {
        let parent = seen.payload.get("parentCallId").decode().filter(|id| !id.is_empty());
        let parent = parent.as_deref().map(|id| kept(id, MAX_ID));
        let depth = parent.as_deref().map_or(0, |parent| {
            let above = self.known(parent).map_or(0, |call| call.depth);
            (above + 1).min(MAX_INDENT)
        });
        let Seen { time, line, session, .. } = *seen;
        let aside = matches!(seen.kind, EventType::Delta | EventType::Usage | EventType::Raw);
        if aside {
            if let Some((what, hidden)) = self.aside(seen, parent.as_deref(), depth) {
                see(Item { depth, time, line, session, hidden, what });
            }
            return;
        }
        if seen.kind == EventType::SessionEnded {
            self.torn(see);
        }
        let Some((what, hidden)) = self.step(seen, depth) else { return };
        if let Some(day) = time.and_then(|time| time.get(..10))
            && !hidden
            && day != self.day
            && let Some(shown) = words::day(day)
        {
            day.clone_into(&mut self.day);
            let time = None;
            see(Item { depth: 0, time, line, session, hidden, what: What::Day(shown) });
        }
        if !(hidden || matches!(what, What::Background(_)))
            && let Some(call) = self.place(seen, &what, parent.map(Cow::into_owned))
        {
            let depth = depth.saturating_sub(1);
            see(Item { depth, time, line, session, hidden, what: What::Subagent(call) });
        }
        see(Item { depth, time, line, session, hidden, what });
    }

    /// A step of the session, and whether it is only shown where everything is asked for.
    fn step<'a>(&mut self, seen: &Seen<'a>, depth: usize) -> Option<(What<'a>, bool)> {
        let payload = seen.payload;
        let mut hidden = false;
        let what = match seen.kind {
            EventType::SessionStarted => What::Start(self.start(payload)?),
            EventType::SessionTitle => {
                What::Title(line(&payload.get("title").decode()?).into_owned())
            }
            EventType::Message => {
                hidden = payload.get("replay").is_true();
                let message = self.message(payload)?;
                if depth == 0 && message.speaker == Speaker::Agent {
                    self.arriving.clear();
                }
                What::Message(message)
            }
            EventType::Thinking => {
                let [text, redacted] = payload.pick(["text", "redacted"]);
                let text = text.decode().unwrap_or_default();
                let redacted = redacted.is_true();
                if text.trim().is_empty() && !redacted {
                    return None;
                }
                What::Thinking { text: tamed(text), redacted }
            }
            EventType::ToolCall => What::Call(self.call(payload, depth)),
            EventType::ToolResult => {
                let answer = self.answer(payload);
                let id = payload.get("callId").decode();
                let is_plan = id.and_then(|id| self.known(&id).map(|call| call.is_plan));
                // What a plan has become is shown as such.
                hidden = is_plan == Some(true) && !answer.failed;
                What::Result(answer)
            }
            EventType::Plan => What::Plan(self.plan(payload)?),
            EventType::Notice => {
                let [level, code] = payload.pick(["level", "code"]);
                let message = words::notice(payload);
                let code = line(&code.decode().unwrap_or_default()).into_owned();
                What::Notice { level: words::level(level), code, message }
            }
            EventType::SessionBackground => What::Background(self.tasks.describe(payload)?),
            EventType::SessionEnded => {
                let end = self.end(payload);
                self.said.end_turn();
                What::End(end)
            }
            EventType::Delta | EventType::Usage | EventType::Raw => return None,
        };
        Some((what, hidden))
    }

    /// What goes on beside the steps.
    fn aside<'a>(
        &mut self,
        seen: &Seen<'a>,
        parent: Option<&str>,
        depth: usize,
    ) -> Option<(What<'a>, bool)> {
        let payload = seen.payload;
        Some(match seen.kind {
            EventType::Delta => {
                let delta = delta(payload, parent)?;
                if !self.live && depth == 0 {
                    self.arriving.add(&delta);
                }
                (What::Delta(delta), false)
            }
            EventType::Usage => (What::Usage(words::spent(payload, depth == 0)?), false),
            _ => {
                let [json, text] = payload.pick(["json", "text"]);
                let text = text.decode();
                // Words between the records may be why a harness gave up; pieces of JSON are not.
                let words = text.as_deref().map(str::trim_start);
                let hidden =
                    words.is_none_or(|text| text.is_empty() || text.starts_with(['{', '[']));
                (What::Raw(tamed(text.unwrap_or(Cow::Borrowed(json.text())))), hidden)
            }
        })
    }

    /// Remembers where the session is. Returns the call whose subagent goes on, where that is not
    /// what was shown last.
    fn place(
        &mut self,
        seen: &Seen<'_>,
        what: &What<'_>,
        parent: Option<String>,
    ) -> Option<String> {
        let switched = parent.is_some() && parent != self.last_parent && parent != self.last_call;
        let call = parent
            .as_deref()
            .filter(|_| switched)
            .map(|parent| self.known(parent).map_or_else(String::new, Known::label));
        self.last_parent = parent;
        // A plan does not come between a call and its result; neither does background work.
        if !matches!(what, What::Plan(_)) {
            let is_call = matches!(what, What::Call(_));
            let id = seen.payload.get("callId").decode().filter(|_| is_call);
            self.last_call = id.map(|id| kept(&id, MAX_ID).into_owned());
        }
        call
    }

    fn known(&self, id: &str) -> Option<&Known> {
        let id = kept(id, MAX_ID);
        self.calls.iter().rev().find(|call| call.id == id)
    }

    /// The start, if it says more than the id of the session that is known already.
    fn start(&mut self, payload: Value<'_>) -> Option<Start> {
        let [harness, version, model, cwd, session, turn] =
            payload.pick(["harness", "version", "model", "cwd", "sessionId", "turn"]);
        if let Some(cwd) = cwd.decode() {
            self.cwd = Some(kept(&cwd, MAX_PATH).into_owned());
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
        let same = |earlier: &&Start| {
            start.turn.is_none() && (earlier.session.is_empty() || earlier.session == start.session)
        };
        let Some(earlier) = self.started.as_ref().filter(same) else {
            self.started = Some(start.clone());
            return Some(start);
        };
        // The start is told again because more is known of it: that is all that is new.
        let (mut news, mut all) = (start.clone(), start);
        let known = [
            (&mut news.agent, &mut all.agent, &earlier.agent),
            (&mut news.model, &mut all.model, &earlier.model),
            (&mut news.cwd, &mut all.cwd, &earlier.cwd),
        ];
        for (new, all, known) in known {
            if new == known {
                new.clear();
            } else if new.is_empty() {
                all.clone_from(known);
            }
        }
        self.started = Some(all);
        if news.parts().is_empty() {
            return None;
        }
        news.session.clear();
        Some(news)
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
            let message = payload.get("messageId").decode();
            self.said.add(&text, message.as_deref().unwrap_or_default());
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
        let [id, name, input, kind, target] =
            payload.pick(["callId", "name", "input", "kind", "target"]);
        let input = input.decode().unwrap_or_default();
        let name = match name.decode().filter(|name| !name.is_empty()) {
            Some(name) => line(&name).into_owned(),
            None => "a tool".to_owned(),
        };
        let kind = line(&kind.decode().unwrap_or_default()).into_owned();
        let asked = Asked {
            tool: &name,
            kind: &kind,
            target: target.decode(),
            input: &input,
            cwd: self.cwd.as_deref().unwrap_or_default(),
            diffs: self.diffs,
        };
        let described = describe(&mut self.doc, &asked);
        let id = id.decode().map(Cow::into_owned);
        if let Some(id) = &id {
            if self.calls.len() >= MAX_KNOWN_CALLS {
                self.calls.pop_front();
            }
            let argument = words::brief(&described.argument);
            self.calls.push_back(Known {
                id: kept(id, MAX_ID).into_owned(),
                depth,
                name: kept(&name, MAX_NAME).into_owned(),
                argument,
                is_plan: described.is_plan,
                is_agent: kind == "agent",
            });
        }
        let Description { argument, edit, detail, .. } = described;
        Call { id, kind, name, argument, edit, input: tamed(input), detail }
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
        let id = id.as_deref().map(|id| kept(id, MAX_ID));
        let is_prose = id.as_deref().and_then(|id| self.known(id)).is_some_and(|c| c.is_agent);
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
            is_prose,
            call: call.map(|call| (call.name.clone(), call.argument.clone())),
            failed: failed.is_true(),
            facts,
            output: Output::new(output.decode().unwrap_or_default(), truncated.is_true()),
            files: files.collect(),
            attachments: words::attachments(attachments),
            id: id.map(Cow::into_owned),
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
        let said = |text: &Cow<'_, str>| self.said.has(text);
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
