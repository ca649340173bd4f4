//! What the forms of the dialect say alike.

use crate::format::write::Text;
use crate::json::{Kind, Value, compact};

pub(super) const HARNESS: &str = "codex";

/// A message of the harness: its words, or its JSON where it is no string.
pub(super) fn words(value: Value<'_>) -> Option<Text<'_>> {
    match value.kind() {
        Kind::Missing | Kind::Null => None,
        Kind::String => Text::of(value),
        _ => Some(compact(value.text()).into()),
    }
}

/// What of `whole` was not said yet, and whether it has to be said from its start.
pub(super) fn unsaid<'t>(said: &str, whole: &'t str) -> Option<(&'t str, bool)> {
    match whole.strip_prefix(said) {
        Some(tail) => (!tail.is_empty()).then_some((tail, false)),
        None => (!whole.is_empty()).then_some((whole, true)),
    }
}
