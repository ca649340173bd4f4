//! The texts of which pieces came, but not the whole.
//!
//! Texts of several agents and of several calls may be open at a time. Where the model began a text
//! again, it has another id (the recording 1.0.102 cut).

use crate::adapter::pieces::Pieces;
use crate::format::batch::Batch;
use crate::format::event::{Delta, Of};
use crate::format::write::{Name, Text};
use crate::json::{Str, Value};
use crate::limits::MAX_COPILOT_TEXTS;

#[derive(Debug, Default)]
pub(super) struct Texts {
    open: Vec<Open>,
    /// The next piece is the first of a retried try.
    retried: bool,
}

#[derive(Debug)]
struct Open {
    agent: String,
    of: Of,
    id: String,
    pieces: Pieces,
}

impl Texts {
    /// The model's reply is asked for again.
    pub(super) fn retry(&mut self) {
        self.retried = true;
    }

    /// A piece of the text `id`.
    pub(super) fn piece(
        &mut self,
        of: Of,
        agent: Value<'_>,
        id: Str<'_>,
        text: Str<'_>,
        out: &mut Batch,
    ) {
        let same = |open: &Open| open.is(of, agent) && (of != Of::ToolCall || id.is(&open.id));
        let known = self.open.iter().position(same);
        let begun = known.filter(|at| self.open.get(*at).is_some_and(|open| !id.is(&open.id)));
        let reset = begun.is_some_and(|at| !self.open.remove(at).pieces.is_empty());
        let at = known.filter(|_| begun.is_none()).unwrap_or_else(|| {
            if self.open.len() >= MAX_COPILOT_TEXTS {
                self.open.remove(0);
            }
            self.open.push(Open {
                agent: agent.owned().unwrap_or_default(),
                of,
                id: id.decode().into_owned(),
                pieces: Pieces::unheld(),
            });
            self.open.len() - 1
        });
        let Some(open) = self.open.get_mut(at) else { return };
        if let Some(piece) = open.pieces.push(text) {
            let again = std::mem::take(&mut self.retried);
            out.push(open.delta(piece, reset || again));
        }
    }

    /// The whole of the open texts of the kind `of` comes.
    pub(super) fn close(&mut self, of: Of, agent: Value<'_>, out: &mut Batch) {
        while let Some(at) = self.open.iter().position(|open| open.is(of, agent)) {
            let mut open = self.open.remove(at);
            if let (_, _, Some(left)) = open.pieces.take() {
                out.push(open.delta(left, false));
            }
        }
    }
}

impl Open {
    fn is(&self, of: Of, agent: Value<'_>) -> bool {
        self.of == of && agent.str().map_or(self.agent.is_empty(), |agent| agent.is(&self.agent))
    }

    fn delta<'a>(&'a self, text: Text<'a>, reset: bool) -> Delta<'a> {
        Delta {
            of: self.of,
            text: Some(text),
            call_id: (self.of == Of::ToolCall).then(|| Name::from(&self.id)),
            reset,
            ..Delta::default()
        }
    }
}
