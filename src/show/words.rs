//! The words for notices, background work, attachments and the recap.

use std::borrow::Cow;

use super::item::Spent;
use super::output::bytes;
use crate::format::event::Level;
use crate::format::tame::line;
use crate::input::text::clip;
use crate::json::Value;
use crate::limits::MAX_MENTION;
use crate::read::verdict::{Failure, Verdict};
use crate::report::summary::{Recap, dollars, duration, grouped, percent, several};

pub(super) fn brief(argument: &str) -> String {
    let (start, cut) = clip(argument, MAX_MENTION);
    format!("{start}{}", if cut { "…" } else { "" })
}

/// Returns the time of day of a moment, if it is one.
pub(super) fn clock(time: Option<&str>) -> Option<&str> {
    let clock = time?.get(11..19)?;
    clock.bytes().all(|byte| byte.is_ascii_digit() || byte == b':').then_some(clock)
}

/// Writes a date, `2026-11-30`, as a person does.
pub(super) fn day(date: &str) -> Option<String> {
    Some(format!("{} (UTC)", date.parse::<jiff::civil::Date>().ok()?.strftime("%-d %b %Y")))
}

/// Returns the first line of a thought without what makes it bold or a heading.
pub(super) fn bare(line: &str) -> &str {
    line.trim_start_matches(['#', ' ']).trim_matches('*').trim()
}

pub(super) fn word(value: Value<'_>) -> Option<String> {
    value.decode().filter(|text| !text.trim().is_empty()).map(|text| line(&text).into_owned())
}

pub(super) fn level(value: Value<'_>) -> Level {
    match value.decode().as_deref() {
        Some("error") => Level::Error,
        Some("warning") => Level::Warning,
        _ => Level::Info,
    }
}

/// Describes a notice: its message, its retry, and what became what.
pub(super) fn notice(payload: Value<'_>) -> String {
    let [message, retry, from, to] = payload.pick(["message", "retry", "from", "to"]);
    let mut parts: Vec<String> = Vec::new();
    parts.extend(word(message));
    if let Some(to) = word(to) {
        parts.push(word(from).map_or_else(|| to.clone(), |from| format!("{from} → {to}")));
    }
    let [attempt, max, delay] = retry.pick(["attempt", "max", "delayMs"]).map(Value::count);
    let tried = attempt.map(|attempt| match max {
        Some(max) => format!("try {attempt} of {max}"),
        None => format!("try {attempt}"),
    });
    let next = delay.map(|ms| format!("next in {}", duration(ms)));
    let retry: Vec<String> = tried.into_iter().chain(next).collect();
    if !retry.is_empty() {
        parts.push(retry.join(", "));
    }
    parts.join(" · ")
}

/// Describes attachments: `image/png, 5.1 KB`.
pub(super) fn attachments(list: Value<'_>) -> Vec<String> {
    let one = |attachment: Value<'_>| {
        let [kind, size] = attachment.pick(["mediaType", "bytes"]);
        let kind = word(kind).unwrap_or_else(|| "attachment".to_owned());
        match size.count().and_then(|size| usize::try_from(size).ok()) {
            Some(size) => format!("{kind}, {}", bytes(size)),
            None => kind,
        }
    };
    list.elements().map(one).collect()
}

/// Reads what a `call` event says was consumed. `main` when no subagent made the call.
pub(super) fn spent(payload: Value<'_>, main: bool) -> Option<Spent> {
    let [scope, context, input, output, cache] = payload.pick([
        "scope",
        "contextTokens",
        "inputTokens",
        "outputTokens",
        "cacheCreationTokens",
    ]);
    let tokens = [input, output, cache].map(|count| count.count().unwrap_or_default());
    scope.is("call").then(|| Spent {
        context: context.count().filter(|_| main),
        tokens: tokens.iter().sum(),
        output: output.count().unwrap_or_default(),
    })
}

/// Begins a recap: whether it went well, and the words for that.
pub(super) fn outcome(recap: &Recap) -> (Option<bool>, String) {
    let failed = recap.verdict == Verdict::Failed(Failure::Error);
    let Some(end) = &recap.outcome else {
        if failed {
            return (Some(false), "failed: an error came last".to_owned());
        }
        let cut_off = recap.usage.complete == Some(false);
        return (None, if cut_off { "not ended" } else { "end of the stream" }.to_owned());
    };
    let mut text = end.status().to_owned();
    let reason = end.reason.as_ref().or(end.stop_reason.as_ref());
    let usual = ["completed", "success", "end_turn", "stop"];
    let reason = reason.filter(|word| !end.succeeded || !usual.contains(&word.as_str()));
    let mut why: Vec<Cow<'_, str>> = reason.map(|word| line(word)).into_iter().collect();
    why.extend(end.exit_code.map(|code| Cow::Owned(format!("exit {code}"))));
    why.extend(end.signal.as_deref().map(|signal| Cow::Owned(format!("signal {}", line(signal)))));
    if !why.is_empty() {
        text = format!("{text} ({})", why.join(", "));
    }
    if failed && end.succeeded {
        return (Some(false), format!("{text}, but an error came behind that end"));
    }
    let complete = recap.usage.complete != Some(false);
    if end.succeeded && !complete {
        return (None, format!("{text}, but more came behind that end"));
    }
    (Some(end.succeeded), text)
}

/// Describes the figures of a recap: turns, duration, tokens, context, cost.
pub(super) fn figures(recap: &Recap) -> Vec<String> {
    let usage = &recap.usage;
    let figures = &usage.figures;
    let mut parts = Vec::new();
    parts.extend(usage.turns.map(|turns| several(turns, "turn")));
    // None took no time: it was not measured.
    parts.extend(usage.duration_ms.filter(|ms| *ms > 0).map(duration));
    let tokens = [
        (figures.input_tokens, "in"),
        (figures.cache_read_tokens, "cached"),
        (figures.cache_creation_tokens, "cache writes"),
        (figures.output_tokens, "out"),
    ];
    let tokens: Vec<String> = tokens
        .into_iter()
        .filter_map(|(count, what)| Some((count?, what)))
        .filter(|(count, what)| *count > 0 || matches!(*what, "in" | "out"))
        .map(|(count, what)| format!("{} {what}", grouped(count)))
        .collect();
    if !tokens.is_empty() {
        parts.push(format!("tokens: {}", tokens.join(", ")));
    }
    if let Some(context) = usage.context_tokens {
        parts.push(match usage.context_window {
            Some(window) => {
                format!("context {} of {}", percent(context, window), grouped(window))
            }
            None => format!("context {}", grouped(context)),
        });
    }
    parts.extend(figures.cost_usd.map(dollars));
    parts
}
