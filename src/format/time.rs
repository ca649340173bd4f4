//! Times as the format prints them: RFC 3339, UTC, milliseconds.

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;

use crate::json::{Kind, Value};

const PRINTER: DateTimePrinter = DateTimePrinter::new().precision(Some(3));

/// The time of now.
pub(crate) fn now() -> String {
    print(Timestamp::now())
}

/// A time of the system.
pub(crate) fn of(time: std::time::SystemTime) -> Option<String> {
    Timestamp::try_from(time).ok().map(print)
}

/// A time of the wire: an RFC 3339 string, or a number of seconds or milliseconds since 1970 (or
/// micro- or nanoseconds: the size tells). A time without a zone is no moment and gives nothing.
pub(crate) fn read(value: Value<'_>) -> Option<String> {
    match value.kind() {
        Kind::String => {
            let text = value.decode()?;
            if is_printed(&text) { Some(text.into_owned()) } else { text.parse().ok().map(print) }
        }
        Kind::Number => epoch(value.f64()?).map(print),
        _ => None,
    }
}

fn epoch(number: f64) -> Option<Timestamp> {
    let millis = match number {
        n if n < 1e8 => return None,
        n if n < 1e11 => n * 1e3,
        n if n < 1e14 => n,
        n if n < 1e17 => n / 1e3,
        n => n / 1e6,
    };
    #[expect(clippy::cast_possible_truncation, reason = "saturates, and jiff checks the range")]
    Timestamp::from_millisecond(millis.round() as i64).ok()
}

fn print(time: Timestamp) -> String {
    let mut text = String::with_capacity(24);
    // Writing to memory cannot fail.
    let _ = PRINTER.print_timestamp(&time, &mut text);
    text
}

/// Whether the text is a moment in the printed form, so that a stream's usual case costs a look.
fn is_printed(text: &str) -> bool {
    const FORM: &[u8; 24] = b"0000-00-00T00:00:00.000Z";
    text.len() == FORM.len()
        && text.bytes().zip(FORM).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            other => byte == *other,
        })
        && text.get(5..7).is_some_and(|month| ("01"..="12").contains(&month))
        && text.get(8..10).is_some_and(|day| ("01"..="28").contains(&day))
        && text.get(11..13).is_some_and(|hour| hour < "24")
        && text.get(14..16).is_some_and(|minute| minute < "60")
        && text.get(17..19).is_some_and(|second| second < "60")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Doc;

    #[test]
    fn every_spelling_of_a_moment_is_printed_alike() {
        let mut doc = Doc::default();
        let mut time = |json: &str| read(doc.parse(json).unwrap());
        let want = Some("2026-11-30T11:31:37.357Z".to_owned());
        for json in [
            "\"2026-11-30T11:31:37.357Z\"",
            "\"2026-11-30T12:31:37.3574+01:00\"",
            "1796038297357",
            "1796038297.357",
            "1796038297357000",
        ] {
            assert_eq!(time(json), want, "{json}");
        }
        assert_eq!(time("\"2026-11-30T11:31:37\""), None);
        assert_eq!(time("\"soon\""), None);
        for none in ["2026-13-01", "2026-00-01", "2026-02-30", "2026-01-00"] {
            assert_eq!(time(&format!("\"{none}T11:31:37.000Z\"")), None, "{none}");
        }
        for none in ["24:00:00", "10:60:00", "99:99:99"] {
            assert_eq!(time(&format!("\"2026-01-01T{none}.000Z\"")), None, "{none}");
        }
        let leap = "2024-02-29T23:59:59.000Z".to_owned();
        assert_eq!(time(&format!("\"{leap}\"")), Some(leap));
        // Below three years it is a count of something, no moment.
        assert_eq!(time("17"), None);
        assert_eq!(time("99999999"), None);
        for (seconds, moment) in
            [("100000000", "1973-03-03T09:46:40.000Z"), ("99999999999", "5138-11-16T09:46:39.000Z")]
        {
            assert_eq!(time(seconds).as_deref(), Some(moment));
        }
        for (size, moment) in [
            ("100000000000", "1973-03-03T09:46:40.000Z"),
            ("99999999999999", "5138-11-16T09:46:39.999Z"),
            ("100000000000000", "1973-03-03T09:46:40.000Z"),
            ("100000000000000000", "1973-03-03T09:46:40.000Z"),
        ] {
            assert_eq!(time(size).as_deref(), Some(moment), "{size}");
        }
        assert_eq!(time("null"), None);
    }
}
