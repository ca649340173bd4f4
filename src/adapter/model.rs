//! What a model's name says.

use super::Protocol;
use crate::format::event::SessionStarted;
use crate::format::write::Name;

/// Returns the context window of the model in tokens, where one of the dialects can read it off the
/// name: any harness may run a model whose maker has a dialect here.
pub(crate) fn context_window(name: &str) -> Option<u64> {
    Protocol::ALL.iter().find_map(|protocol| (protocol.dialect().window)(name))
}

/// Adds the window that the harness does not report: it is read off the model's name.
pub(super) fn windowed(start: SessionStarted<'_>) -> SessionStarted<'_> {
    let model = start.model.as_ref().map(Name::text);
    let window = || context_window(&model?);
    SessionStarted { context_window: start.context_window.or_else(window), ..start }
}
