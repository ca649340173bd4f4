//! What a person should know: retries, failures, warnings.

use super::words::words;
use crate::format::event::{Code, Level, Notice, Retry};
use crate::format::write::Name;
use crate::json::{Number, Value};

/// A top-level `error`. A retry is told from a failure by the fixed words that open or close it; what
/// stands in parentheses is prose.
pub(super) fn error(message: Value<'_>) -> Notice<'_> {
    match message.decode().as_deref().and_then(read_retry) {
        Some(retry) => retrying(message, retry),
        None => failure(message),
    }
}

/// A legacy `stream_error`, which is always a retry.
pub(super) fn stream_error(message: Value<'_>) -> Notice<'_> {
    let retry = message.decode().as_deref().and_then(read_retry).unwrap_or_default();
    retrying(message, retry)
}

/// A failure that is not the end by itself.
pub(super) fn failure(message: Value<'_>) -> Notice<'_> {
    Notice { level: Level::Error, code: Code::Error, message: words(message), ..Notice::default() }
}

/// An item of type `error`: the turn goes on.
pub(super) fn warning(message: Value<'_>) -> Notice<'_> {
    let (code, from, to) = match message.decode().as_deref().and_then(read_reroute) {
        Some((from, to)) => (Code::ModelChanged, Some(Name::from(from)), Some(Name::from(to))),
        None => (Code::Error, None, None),
    };
    Notice { level: Level::Warning, code, message: words(message), from, to, ..Notice::default() }
}

fn retrying(message: Value<'_>, retry: Retry) -> Notice<'_> {
    Notice {
        level: Level::Warning,
        code: Code::Retry,
        message: words(message),
        retry: Some(retry).filter(|retry| retry.attempt.is_some()),
        ..Notice::default()
    }
}

/// The retry that a message announces, and its numbers where it has some: `Reconnecting... 1/5
/// (reason)` (0.80 and later), `Reconnecting... 1/2` (0.60), `Re-connecting... 1/2` (0.47), `stream
/// error: reason; retrying 1/2 in 195ms…` (0.42 to 0.45), `Reconnecting... waiting for network
/// (reason)` (0.171).
fn read_retry(message: &str) -> Option<Retry> {
    let again =
        ["Reconnecting", "Re-connecting"].iter().find_map(|word| message.strip_prefix(word));
    if let Some(rest) = again {
        let rest = rest.trim_start_matches(['.', '…', ' ']);
        return Some(read_tries(rest).map(|(retry, _)| retry).unwrap_or_default());
    }
    let (_, rest) = message.strip_prefix("stream error: ")?.rsplit_once("; retrying ")?;
    let (retry, rest) = read_tries(rest).unwrap_or_default();
    Some(Retry { delay_ms: read_delay(rest), ..retry })
}

/// `1/5` and what stands behind it.
fn read_tries(text: &str) -> Option<(Retry, &str)> {
    let (attempt, rest) = text.split_once('/')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (max, rest) = rest.split_at_checked(digits)?;
    let retry = Retry {
        attempt: Some(attempt.parse().ok()?),
        max: Some(max.parse().ok()?),
        delay_ms: None,
    };
    Some((retry, rest))
}

/// ` in 195ms…`, ` in 1.5s…`.
fn read_delay(text: &str) -> Option<Number> {
    let text = text.strip_prefix(" in ")?.trim_end_matches(['.', '…']);
    let (number, factor) = match text.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (text.strip_suffix('s')?, 1000.0),
    };
    if let (Ok(int), true) = (number.parse(), factor < 2.0) {
        return Some(Number::Int(int));
    }
    let millis = number.parse::<f64>().ok()? * factor;
    millis.is_finite().then_some(Number::Float(millis))
}

/// `model rerouted: gpt-5.5 -> gpt-5.2 (HighRiskCyberActivity)`.
fn read_reroute(message: &str) -> Option<(String, String)> {
    let (from, rest) = message.strip_prefix("model rerouted: ")?.split_once(" -> ")?;
    let to = rest.split_once(" (").map_or(rest, |(to, _)| to);
    Some((from.to_owned(), to.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_retry_is_read() {
        let read = |message: &str| {
            read_retry(message).map(|retry| (retry.attempt, retry.max, retry.delay_ms))
        };
        let tries = |attempt, max| Some((Some(attempt), Some(max), None));
        assert_eq!(read("Reconnecting... 2/5 (We’re busy, 3/4)"), tries(2, 5));
        assert_eq!(read("Reconnecting... 1/2"), tries(1, 2));
        assert_eq!(read("Re-connecting... 1/2"), tries(1, 2));
        assert_eq!(read("Reconnecting… 1/2"), tries(1, 2));
        assert_eq!(read("Reconnecting... waiting for network (a/b)"), Some((None, None, None)));
        assert_eq!(
            read("stream error: a; retrying 7/8 in 1s…; retrying 1/2 in 195ms…"),
            Some((Some(1), Some(2), Some(Number::Int(195))))
        );
        assert_eq!(
            read("stream error: a; retrying 1/2 in 1.5s…"),
            Some((Some(1), Some(2), Some(Number::Float(1500.0))))
        );
        assert_eq!(read("stream error: a"), None);
        assert_eq!(read("We are Reconnecting... 1/2"), None);
        assert_eq!(read("exceeded retry limit, last status: 429"), None);
    }
}
