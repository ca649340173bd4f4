//! Words for people, on standard error and in notices.

use std::time::Duration;

use crate::limits::MAX_WATCHED_TEXT;

/// Returns a time as people say it, to two places: `2 h 5 min`, `3 min 20 s`, `1.5 s`, `200 ms`.
pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let (large, small, names) = match seconds {
        0 => return format!("{} ms", time.as_millis()),
        1..60 => {
            let tenths = time.subsec_millis() / 100;
            let fraction = if tenths == 0 { String::new() } else { format!(".{tenths}") };
            return format!("{seconds}{fraction} s");
        }
        60..3600 => (seconds / 60, seconds % 60, ("min", "s")),
        3600..86_400 => (seconds / 3600, seconds % 3600 / 60, ("h", "min")),
        _ => (seconds / 86_400, seconds % 86_400 / 3600, ("d", "h")),
    };
    match small {
        0 => format!("{large} {}", names.0),
        _ => format!("{large} {} {small} {}", names.0, names.1),
    }
}

/// Makes an agent's word harmless in a line for people, and short: it has no control characters, and
/// none that changes the direction of what follows.
pub(super) fn tame(text: &str) -> String {
    let hidden = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let words: String = text
        .chars()
        .map(|c| if c.is_control() || hidden(c) { ' ' } else { c })
        .take(MAX_WATCHED_TEXT + 1)
        .collect();
    let words = words.trim();
    match words.char_indices().nth(MAX_WATCHED_TEXT) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words.to_owned(),
    }
}
