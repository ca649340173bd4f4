//! `result` records: the end of a turn.

use super::totals::Around;
use super::{Adapter, Printed};
use crate::adapter::model::windowed;
use crate::adapter::recent::Id;
use crate::format::batch::Batch;
use crate::format::event::{Code, Level, Notice, SessionEnded, SessionStarted, Status};
use crate::format::write::{Json, Name, Text};
use crate::json::Value;

impl Adapter {
    pub(super) fn result(&mut self, record: Value<'_>, subtype: Value<'_>, out: &mut Batch) {
        let [
            session,
            denials,
            text,
            stop_reason,
            is_error,
            terminal,
            startup,
            errors,
            error,
            output,
        ] = record.pick([
            "session_id",
            "permission_denials",
            "result",
            "stop_reason",
            "is_error",
            "terminal_reason",
            "startup_failure_reason",
            "errors",
            "error",
            "structured_output",
        ]);
        // What a session file calls a result is none, and neither is a record without a word of an end.
        let says = [is_error.bool().is_some(), text.is_string(), stop_reason.is_string()];
        if !subtype.is_string() && (record.get("sessionId").exists() || !says.contains(&true)) {
            return;
        }
        self.limited = false;
        // `--output-format json` prints nothing else, and neither does a start that failed.
        let announced = Id::of(session).is_none_or(|id| self.sessions.get(id).is_some());
        let lone = !announced && self.printed != Printed::Work;
        if let Some(id) = Id::of(session).filter(|_| !announced) {
            self.sessions.add(id, ());
        }
        self.printed = Printed::End;
        if lone {
            out.push(windowed(SessionStarted {
                harness: Some(Name::from(self.flavor.harness())),
                session_id: Name::filled(session),
                ..SessionStarted::default()
            }));
        }
        let around = Around { calls: self.calls.take(session), turns_run_on: self.runs_on, lone };
        self.totals.result(record, self.flavor, around, out);
        for denial in denials.elements() {
            self.denied(denial, out);
        }
        // An API failure is `subtype: "success"` with `is_error: true` (the recording fail-403); an
        // exhausted turn limit was `is_error: false` up to 2.0.76.
        let good = subtype.is("success") || !subtype.is_string();
        let failed = is_error.is_true() || !good;
        let reason = [terminal, startup, if good { Value::MISSING } else { subtype }];
        out.push(SessionEnded {
            status: if failed { Status::Failed } else { Status::Succeeded },
            stop_reason: Name::filled(stop_reason),
            summary: Text::of(text),
            reason: reason.into_iter().find_map(Name::filled),
            error: if failed { message(errors, error, text) } else { None },
            output: Some(output).filter(|output| output.is_some()).and_then(Json::mended),
            ..SessionEnded::default()
        });
    }

    /// A call that was denied. 2.1.332 says so when it happens; older versions, and hooks in all of
    /// them, only in the list that the result gives.
    fn denied(&mut self, denial: Value<'_>, out: &mut Batch) {
        let [name, call] = denial.pick(["tool_name", "tool_use_id"]);
        // amp names no call.
        let name = if denial.is_string() { denial } else { name };
        if let Some(id) = Id::of(call) {
            if self.denials.get(id).is_some() {
                return;
            }
            self.denials.add(id, ());
        } else if !name.is_string() {
            return;
        }
        out.push(Notice {
            level: Level::Warning,
            code: Code::PermissionDenied,
            message: Text::filled(name),
            call_id: Name::filled(call),
            ..Notice::default()
        });
    }
}

/// What went wrong: `errors` (Claude), `error` (an object in qwen, a string in amp), else the text.
fn message<'a>(errors: Value<'a>, error: Value<'a>, text: Value<'a>) -> Option<Text<'a>> {
    let mut all = errors.elements().filter_map(Value::str);
    let single = match (all.next(), all.next()) {
        (None, _) => Text::filled(error).or_else(|| Text::filled(error.get("message"))),
        (Some(only), None) => Some(Text::from(only)),
        (Some(_), Some(_)) => {
            let all: Vec<_> = errors.elements().filter_map(Value::decode).collect();
            Some(Text::from(all.join("\n")))
        }
    };
    single.or_else(|| Text::filled(text))
}
