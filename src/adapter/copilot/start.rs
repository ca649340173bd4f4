//! Where a session begins, and which model answers.

use super::Adapter;
use crate::adapter::model::windowed;
use crate::format::batch::Batch;
use crate::format::event::{Code, Notice, SessionStarted};
use crate::format::write::Name;
use crate::json::Value;

/// Whether the process's start was emitted.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    #[default]
    Due,
    /// Without the session's id.
    Announced,
    Identified,
}

impl Adapter {
    /// The start, as far as it is known, before the first event of the session's work.
    pub(super) fn announce(&mut self, out: &mut Batch) {
        if self.start == Start::Due {
            self.start = Start::Announced;
            out.push(windowed(SessionStarted {
                harness: Some("copilot".into()),
                model: self.model.as_ref().map(Name::from),
                ..SessionStarted::default()
            }));
        }
    }

    pub(super) fn start(&mut self, data: Value<'_>, out: &mut Batch) {
        let [id, model, version, context] =
            data.pick(["sessionId", "selectedModel", "copilotVersion", "context"]);
        if let Some(model) = model.decode() {
            self.model = Some(model.into_owned());
        }
        if self.session.as_deref().is_some_and(|last| !id.is(last)) {
            self.spent.restart();
        }
        self.start = if id.is_string() { Start::Identified } else { Start::Announced };
        self.session = id.filled();
        out.push(windowed(SessionStarted {
            harness: Some("copilot".into()),
            model: self.model.as_ref().map(Name::from),
            cwd: Name::of(context.get("cwd")),
            session_id: Name::of(id),
            version: Name::of(version),
            ..SessionStarted::default()
        }));
    }

    pub(super) fn model(&mut self, agent: Value<'_>, data: Value<'_>, out: &mut Batch) {
        if let Some(model) = data.get("model").decode().filter(|_| !agent.is_string()) {
            self.model = Some(model.into_owned());
            self.announce(out);
        }
    }

    pub(super) fn change(&mut self, agent: Value<'_>, data: Value<'_>, out: &mut Batch) {
        let [from, to] = data.pick(["previousModel", "newModel"]);
        let Some(model) = to.decode() else { return };
        // At its start a session file says which model it is (the file 1.0.102 o-tty).
        if from.is(&model) {
            return;
        }
        if !agent.is_string() {
            self.model = Some(model.into_owned());
        }
        self.announce(out);
        out.push(Notice {
            code: Code::ModelChanged,
            from: Name::of(from),
            to: Name::of(to),
            ..Notice::default()
        });
    }
}
