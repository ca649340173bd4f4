//! The context window that a prompt is measured against.

use super::figures::Models;
use super::part::{Context, Identity};
use crate::adapter::context_window;

/// Finds the window of the model that was called last: as the harness states it for that model,
/// else as the start states it, else read off the model's name. A larger prompt that was sent proves that
/// it is another one.
pub(super) fn of(who: &Identity, context: Option<&Context>, models: &Models) -> Option<u64> {
    let called = context.and_then(|context| context.model.as_deref());
    let started = who.model.as_deref();
    let reported = called.and_then(|name| models.0.get(name)).and_then(|m| m.context_window);
    let same = called.is_none_or(|called| started.is_none_or(|started| alike(called, started)));
    let window = reported
        .or(who.context_window.filter(|_| same))
        .or_else(|| started.filter(|_| same).and_then(context_window))
        .or_else(|| called.and_then(context_window))
        .or(who.context_window)
        .or_else(|| started.and_then(context_window));
    window.filter(|window| context.is_none_or(|context| context.tokens <= *window))
}

/// Returns whether two names differ only in a remark like `[1m]`.
fn alike(a: &str, b: &str) -> bool {
    let plain = |name: &str| name.split_once('[').map_or(name, |(plain, _)| plain).to_owned();
    plain(a) == plain(b)
}
