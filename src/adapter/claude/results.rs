//! What came of tool calls.

use super::Adapter;
use super::plan::{Outcome, Pending};
use super::words::is_interruption;
use crate::adapter::content;
use crate::adapter::recent::Id;
use crate::format::batch::Batch;
use crate::format::event::{FileChange, ToolResult};
use crate::format::write::Name;
use crate::json::{Number, Value};

/// What a line says around a result.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Returned<'a> {
    /// Whose thread it is: what names the subagent.
    pub(super) agent: Value<'a>,
    /// The harness's own record of the result.
    pub(super) detail: Value<'a>,
    /// What `tool_result_meta` says of results.
    pub(super) meta: Value<'a>,
    /// Why the call did not run.
    pub(super) denial: Value<'a>,
    /// The line is a record of a session file.
    pub(super) kept: bool,
}

impl Adapter {
    pub(super) fn tool_result(&mut self, of: &Returned<'_>, block: Value<'_>, out: &mut Batch) {
        let [call, is_error, blocks] = block.pick(["tool_use_id", "is_error", "content"]);
        let failed = is_error.is_true();
        let pending = Id::of(call).and_then(|id| self.pending.take(id));
        let shell = matches!(pending, None | Some(Pending::Shell));
        let content = content::content(blocks);
        let status = status(call, blocks, of, failed);
        let written = self.writing.result(call, !failed && status.is_none());
        let stated = if failed { Vec::new() } else { files(of.detail) };
        out.push(ToolResult {
            call_id: Name::filled(call),
            is_error: failed,
            output: content.text,
            exit_code: self.flavor.exit_code(blocks, failed).filter(|_| shell),
            status,
            duration_ms: duration(of.detail),
            files: if stated.is_empty() { written } else { stated },
            attachments: content.attachments,
            ..ToolResult::default()
        });
        if let Some(pending) = pending {
            let outcome = Outcome { failed, detail: of.detail, text: blocks };
            self.plan.result(&of.agent.decode().unwrap_or_default(), pending, &outcome, out);
        }
    }
}

/// The result of a tool that ran at the API.
pub(super) fn server(block: Value<'_>, out: &mut Batch) {
    let [call, content, is_error] = block.pick(["tool_use_id", "content", "is_error"]);
    let refused =
        content.get("type").decode().is_some_and(|kind| kind.ends_with("_tool_result_error"));
    let content = content::structured(content);
    out.push(ToolResult {
        call_id: Name::filled(call),
        is_error: refused || is_error.is_true(),
        output: content.text,
        attachments: content.attachments,
        ..ToolResult::default()
    });
}

/// How the text begins by which a session file tells that the user refused a call, to 2.1.1xx.
const REFUSED: &str = "The user doesn't want to proceed with this tool use.";

/// What is finer than `is_error`: `tool_result_meta` tells a call that never ran from one that
/// failed (the recordings denied, hooks-events and interrupt-tool), and so does `toolDenialKind` in a
/// session file.
fn status(
    call: Value<'_>,
    text: Value<'_>,
    of: &Returned<'_>,
    failed: bool,
) -> Option<Name<'static>> {
    let of_call = |entry: &Value<'_>| {
        let id = entry.get("id");
        id.text() == call.text() && id.is_some()
    };
    let [kind, decision] = of.meta.elements().find(of_call).map_or([Value::MISSING; 2], |entry| {
        entry.pick(["non_execution_kind", "permission_decision"])
    });
    let rejected = decision.get("decision").is("reject");
    let [interrupted, timed_out] = of.detail.pick(["interrupted", "timedOutAfterMs"]);
    let refused =
        of.kept && failed && text.str().is_some_and(|text| text.raw().starts_with(REFUSED));
    let word = if kind.is("permission-rule") || rejected || of.denial.is_some() || refused {
        "denied"
    } else if kind.is("user-rejected") || interrupted.is_true() || failed && is_interruption(text) {
        "cancelled"
    } else if timed_out.is_some() {
        "timeout"
    } else {
        return None;
    };
    Some(Name::from(word))
}

/// How long a call took, where its tool says so: a fetch, a search, a subagent.
fn duration(detail: Value<'_>) -> Option<Number> {
    let [millis, total, seconds] =
        detail.pick(["durationMs", "totalDurationMs", "durationSeconds"]);
    let whole = |seconds: f64| Number::Float((seconds * 1000.0).round().max(0.0));
    millis.number().or_else(|| total.number()).or_else(|| seconds.f64().map(whole))
}

/// The files that a call changed: `Write` and `Edit` have a patch, a command a list.
fn files(detail: Value<'_>) -> Vec<FileChange<'_>> {
    let [path, edit, kind, diff] =
        detail.pick(["filePath", "structuredPatch", "type", "bashEditDiff"]);
    if edit.is_array() {
        return changed(path, kind.is("create")).into_iter().collect();
    }
    let parts = diff.get("files").elements().map(|file| file.pick(["filePath", "created"]));
    parts.filter_map(|[path, created]| changed(path, created.is_true())).collect()
}

fn changed(path: Value<'_>, created: bool) -> Option<FileChange<'_>> {
    let change = Name::from(if created { "add" } else { "update" });
    Name::filled(path).map(|path| FileChange { path, change })
}
