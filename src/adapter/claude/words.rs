//! Whose words they are: what the harness writes in the user's name has a flag, or one of these forms.
//!
//! What a person typed stands in a form of the harness's, too (`<command-name>`, `<bash-input>`): that is
//! the user's.

use crate::json::Value;

/// How a text begins that is the harness's as a whole.
const BEGINNINGS: [&str; 6] = [
    "<task-notification>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-stdout>",
    "<bash-stderr>",
];

/// The elements that are put before a prompt. A text is the harness's where it is such an element and
/// nothing else.
const ELEMENTS: [&str; 3] = ["ide_opened_file", "ide_selection", "system-reminder"];

/// Whether a text has one of the forms that only the harness writes.
pub(super) fn are_the_harness_s(text: Value<'_>) -> bool {
    let Some(raw) = text.str().map(crate::json::Str::raw) else { return false };
    // Most texts begin otherwise.
    match raw.as_bytes().first() {
        Some(b'[') => is_interruption(text),
        Some(b'<') => {
            BEGINNINGS.iter().any(|beginning| raw.starts_with(beginning))
                || ELEMENTS.iter().any(|element| is_element(raw, element))
        }
        _ => false,
    }
}

fn is_element(raw: &str, name: &str) -> bool {
    let opened = raw.strip_prefix('<').and_then(|rest| rest.strip_prefix(name));
    let inside = opened.and_then(|rest| rest.strip_prefix('>'));
    let end = inside.map(|inside| inside.trim_end_matches("\\n").trim_end());
    let closed = end.and_then(|end| end.strip_suffix('>')).and_then(|end| end.strip_suffix(name));
    closed.is_some_and(|end| end.ends_with("</"))
}

/// The user's side of an interrupt, which the harness writes without saying so.
pub(super) fn is_interruption(text: Value<'_>) -> bool {
    text.is("[Request interrupted by user]")
        || text.is("[Request interrupted by user for tool use]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    #[test]
    fn forms_tell_the_harness_from_the_user() {
        for (text, synthetic) in [
            (r#""[Request interrupted by user]""#, true),
            (r#""[Request interrupted by user] and more""#, false),
            (r#""<task-notification>\n<task-id>b1</task-id>""#, true),
            (r#""<local-command-stdout>\u001b[1mSo</local-command-stdout>""#, true),
            (r#""<bash-stdout>a\nb</bash-stdout><bash-stderr></bash-stderr>""#, true),
            (r#""<system-reminder>\nbe short\n</system-reminder>\n""#, true),
            (r#""<system-reminder>x</system-reminder>Go on.""#, false),
            (r#""<ide_opened_file>The user opened a.</ide_opened_file>""#, true),
            (r#""<bash-input>ls</bash-input>""#, false),
            (r#""<command-name>/review</command-name>""#, false),
            (r#""<system-reminder>""#, false),
            (r#""Go on.""#, false),
            (r#""""#, false),
            ("null", false),
        ] {
            let mut doc = Doc::default();
            assert_eq!(are_the_harness_s(doc.parse(text).unwrap()), synthetic, "{text}");
        }
    }
}
