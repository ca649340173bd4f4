//! Chat messages as model APIs take them, which several harnesses print as they are.

use super::content::{Content, arguments, content, plan};
use super::tool::{self, Tools};
use super::written::Writing;
use crate::format::batch::Batch;
use crate::format::event::ToolCall;
use crate::format::write::Name;
use crate::json::{Doc, Kind, Value};

/// A message's content, a string or a list of blocks, if it says something.
pub(super) fn said(value: Value<'_>) -> Option<Content<'_>> {
    let says = match value.kind() {
        Kind::String => !value.is(""),
        Kind::Array => value.elements().any(|block| !block.is("") && !block.get("text").is("")),
        _ => false,
    };
    says.then(|| content(value))
}

/// Where a harness keeps its plan: the tool's name and the key of a step's text.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlanTool {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

/// The calls of an assistant message, `[{"id", "function": {"name", "arguments"}}]`; a call of a
/// plan tool is followed by the plan that it writes.
pub(super) fn calls(
    list: Value<'_>,
    tools: Tools,
    plan_tools: &[PlanTool],
    writing: &mut Writing,
    out: &mut Batch,
) {
    for item in list.elements() {
        call(item, tools, plan_tools, writing, out);
    }
}

/// One of them.
pub(super) fn call(
    call: Value<'_>,
    tools: Tools,
    plan_tools: &[PlanTool],
    writing: &mut Writing,
    out: &mut Batch,
) {
    let [id, function] = call.pick(["id", "function"]);
    if !function.is_object() {
        return out.raw(call);
    }
    let [name, input] = function.pick(["name", "arguments"]);
    let named = name.decode().unwrap_or_default();
    writing.call(tools, id, &named, input);
    out.push(ToolCall {
        call_id: Name::of(id),
        name: Name::of(name),
        input: arguments(input),
        ..tool::does(tools, &named, input)
    });
    if let Some(tool) = plan_tools.iter().find(|tool| name.is(tool.name)) {
        written(*tool, input, out);
    }
}

/// The plan in a call's arguments. A call that only asks for the plan has no list.
fn written(tool: PlanTool, input: Value<'_>, out: &mut Batch) {
    let Some(json) = input.decode() else { return };
    let mut doc = Doc::default();
    let list = doc.parse(&json).unwrap_or(Value::MISSING).get("todos");
    plan(list, tool.text, out);
}
