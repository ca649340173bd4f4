//! Tool calls: what several lines say of one is put together.
//!
//! A call begins empty and fills up while its status is `pending` (opencode names the arguments in
//! the first update, claude-code-acp prints the `tool_call` twice), so it is told when it leaves that
//! status, at the latest with its end or the end of the turn.
//!
//! What a call does is stated (`kind`). To what: where the agent has a dialect of its own here and the tool
//! is one of its own, by that table; else by `locations`, for a command or a fetch by the title. The
//! location of a command is only where it runs (opencode).

use std::collections::VecDeque;

use crate::adapter::content::{self, arguments, plan};
use crate::adapter::embedded::{Part, legible, part};
use crate::adapter::recent::remember;
use crate::adapter::tool::{self, Tools};
use crate::format::batch::Batch;
use crate::format::event::{Act, Attachment, FileChange, ToolCall, ToolResult};
use crate::format::write::{Name, Text};
use crate::json::{Doc, Value, compact};
use crate::limits::MAX_WRITTEN_PATHS;

#[derive(Debug, Default)]
pub(in crate::adapter) struct Calls {
    calls: VecDeque<Call>,
    /// The agent's own tools, where it has a dialect of its own.
    pub(super) tools: Option<Tools>,
}

#[derive(Debug, Default)]
struct Call {
    id: String,
    name: Option<String>,
    /// The first title, which is the tool's name in some agents, and the last one.
    title: Option<String>,
    words: Option<String>,
    kind: Option<Act>,
    /// The agent says that no word fits.
    other: bool,
    /// The paths of its locations, a line each.
    places: String,
    input: Option<String>,
    /// The files of the diffs that were shown last, and whether each is new.
    files: Vec<(String, bool)>,
    told: bool,
    done: bool,
}

impl Calls {
    /// The calls of an agent with these tools.
    pub(in crate::adapter) fn of(tools: Tools) -> Self {
        Self { tools: Some(tools), ..Self::default() }
    }

    /// Takes what a line says of a call; `begins` where the line is a `tool_call`.
    pub(in crate::adapter) fn see(&mut self, update: Value<'_>, begins: bool, out: &mut Batch) {
        let tools = self.tools;
        let [kind, locations] = update.pick(["kind", "locations"]);
        let [id, status, title, input, meta, blocks] =
            update.pick(["toolCallId", "status", "title", "rawInput", "_meta", "content"]);
        let Some(name) = id.str() else { return };
        let known = self.calls.iter().rposition(|call| name.is(&call.id));
        let known = known.filter(|at| !begins || self.calls.get(*at).is_some_and(|c| !c.done));
        if known.is_none() {
            let call = Call { id: name.decode().into_owned(), ..Call::default() };
            remember(&mut self.calls, call);
        }
        let last = self.calls.len().saturating_sub(1);
        let Some(call) = self.calls.get_mut(known.unwrap_or(last)) else { return };
        if call.done {
            return;
        }
        if call.title.is_none() {
            call.title = title.owned();
        }
        if !call.told {
            if title.is_string() {
                call.words = title.owned();
            }
            call.kind = act(kind).or(call.kind);
            call.other |= kind.is("other");
            if locations.is_array() {
                call.places = places(locations);
            }
        }
        if call.name.is_none() {
            call.name = tool_name(meta).owned().or_else(|| update.get("toolName").owned());
        }
        if input.is_some() && !call.told {
            call.input = Some(input.text().to_owned());
        }
        let all = blocks.elements().chain(blocks.is_object().then_some(blocks));
        let files: Vec<_> = all.filter_map(diff).collect();
        if !files.is_empty() {
            call.files = files;
        }
        if status.is_string() && !status.is("pending") {
            call.tell(tools, out);
        }
        if status.is("completed") || status.is("failed") {
            call.done = true;
            call.result(id, update, status.is("failed"), out);
        }
    }

    /// Whether there is a call that was not told yet.
    pub(in crate::adapter) fn waiting(&self) -> bool {
        self.calls.iter().any(|call| !call.told)
    }

    /// Tells the calls that were not told yet.
    pub(in crate::adapter) fn tell(&mut self, out: &mut Batch) {
        for call in &mut self.calls {
            call.tell(self.tools, out);
        }
    }
}

impl Call {
    fn tell(&mut self, tools: Option<Tools>, out: &mut Batch) {
        if self.told {
            return;
        }
        self.told = true;
        let mut doc = Doc::default();
        let input = self.input.take().unwrap_or_default();
        let input = doc.parse(&input).unwrap_or(Value::MISSING);
        let name = self.name.as_ref().or(self.title.as_ref());
        let known = tools.zip(name).map(|(tools, name)| tool::does(tools, name, input));
        let known = known.filter(|known| known.kind.is_some());
        let kind = self.kind.or(known.as_ref().and_then(|k| k.kind).filter(|_| !self.other));
        let target = match known {
            Some(known) => known.target.filter(|_| kind.is_some()),
            None => kind.and_then(|kind| self.shown_target(kind)),
        };
        out.push(ToolCall {
            call_id: Some(Name::from(&self.id)),
            name: name.map(Name::from),
            input: arguments(input),
            kind,
            target,
            ..ToolCall::default()
        });
    }

    /// To what a tool of no table does it, as the agent shows it.
    fn shown_target(&self, kind: Act) -> Option<Text<'static>> {
        let said = match kind {
            Act::Read | Act::Edit | Act::Delete | Act::Move => &self.places,
            Act::Execute | Act::Fetch => self.words.as_ref()?,
            _ => return None,
        };
        // claude-code-acp shows a command as code.
        let bare = said.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
        let said = bare.filter(|bare| !bare.contains('`')).unwrap_or(said);
        (!said.is_empty()).then(|| said.to_owned().into())
    }

    fn result(&self, id: Value<'_>, update: Value<'_>, failed: bool, out: &mut Batch) {
        let [blocks, raw] = update.pick(["content", "rawOutput"]);
        let [inner, meta] = raw.pick(["output", "metadata"]);
        let [exit, todos] = meta.pick(["exit", "todos"]);
        let (shown, attachments) = shown(blocks);
        let output = if raw.is_string() { Text::of(raw) } else { Text::of(inner) };
        let output = output
            .or(shown.map(Text::from))
            .or_else(|| raw.is_some().then(|| Text::from(compact(raw.text()))));
        let exit_code = content::exit_code(exit.i64());
        let files = self.files.iter().filter(|_| !failed).map(|(path, new)| FileChange {
            path: path.into(),
            change: if *new { "add" } else { "update" }.into(),
        });
        out.push(ToolResult {
            call_id: Name::of(id),
            is_error: failed || exit_code.is_some_and(|code| code != 0),
            output,
            exit_code,
            files: files.collect(),
            attachments,
            ..ToolResult::default()
        });
        // opencode's todo tool, which sends no plan.
        if !failed {
            plan(todos, "content", out);
        }
    }
}

/// What the call does, in the protocol's words, which are the vocabulary's; `other` says nothing.
fn act(kind: Value<'_>) -> Option<Act> {
    const WORDS: [Act; 9] = [
        Act::Read,
        Act::Edit,
        Act::Delete,
        Act::Move,
        Act::Search,
        Act::Execute,
        Act::Think,
        Act::Fetch,
        Act::SwitchMode,
    ];
    WORDS.into_iter().find(|act| kind.is(act.word()))
}

fn places(locations: Value<'_>) -> String {
    let paths = locations.elements().filter_map(|location| location.get("path").decode());
    let mut text = String::new();
    for path in paths {
        if text.len() + path.len() < MAX_WRITTEN_PATHS {
            text.push_str(if text.is_empty() { "" } else { "\n" });
            text.push_str(&path);
        }
    }
    text
}

/// The tool's own name, which harnesses put below a name of theirs.
fn tool_name(meta: Value<'_>) -> Value<'_> {
    let mut names = meta.members().map(|(_, theirs)| theirs.get("toolName"));
    names.find(|name| name.is_string()).unwrap_or(Value::MISSING)
}

fn diff(block: Value<'_>) -> Option<(String, bool)> {
    let [kind, path, old] = block.pick(["type", "path", "oldText"]);
    let path = path.decode().filter(|_| kind.is("diff"))?;
    Some((path.into_owned(), !old.is_some()))
}

/// The text of the content blocks, and what of them is not text.
fn shown(blocks: Value<'_>) -> (Option<String>, Vec<Attachment<'_>>) {
    let mut texts: Vec<String> = Vec::new();
    let mut attachments = Vec::new();
    for block in blocks.elements().chain(blocks.is_object().then_some(blocks)) {
        let [kind, wrapped] = block.pick(["type", "content"]);
        // Some agents send the content itself.
        let bare = kind.is("text") || block.get("text").is_string();
        if !kind.is("content") && !bare {
            continue;
        }
        let inner = if bare { block } else { wrapped };
        if let Some(text) = inner.get("text").decode() {
            texts.push(text.into_owned());
            continue;
        }
        match part(inner) {
            Part::Text(text) => texts.extend(text.owned()),
            Part::Attached(attachment, line) => {
                texts.push(line);
                attachments.push(attachment);
            }
            Part::Line(line) => texts.push(line),
            Part::Other => texts.push(legible(inner, &mut attachments).into_owned()),
        }
    }
    ((!texts.is_empty()).then(|| texts.join("\n")), attachments)
}
