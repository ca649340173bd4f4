//! What may leave the program as JSON: the strict subset, and the repairs that lead to it.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::scan::string_end;
use super::string::Escapes;
use super::{Kind, Value};
use crate::limits::MAX_DEPTH;

/// Whether every strict reader takes the value: RFC 8259, no lone surrogates, numbers in the range
/// of a double, and no more levels than such a reader takes.
pub(crate) fn is_strict(value: Value<'_>) -> bool {
    value.depth().is_some_and(|depth| depth <= MAX_DEPTH) && value.scalars().all(is_strict_scalar)
}

fn is_strict_scalar(scalar: Value<'_>) -> bool {
    match scalar.kind() {
        Kind::String => scalar.str().is_some_and(super::Str::is_strict),
        Kind::Number => strict_number(scalar.text()),
        _ => true,
    }
}

/// The value as strict JSON with every defect mended that [`is_strict`] names, except depth. Order
/// and spelling stay where nothing is wrong.
pub(crate) fn repaired(value: Value<'_>) -> Option<Cow<'_, str>> {
    if value.depth()? > MAX_DEPTH {
        return None;
    }
    respelled(value)
}

/// The value as JSON, however deep, with every other defect mended that [`is_strict`] names.
pub(crate) fn respelled(value: Value<'_>) -> Option<Cow<'_, str>> {
    let text = value.text();
    value.depth()?;
    if value.scalars().all(is_strict_scalar) {
        return Some(Cow::Borrowed(text));
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    for scalar in value.scalars() {
        let whole = scalar.text();
        let at = whole.as_ptr() as usize - rest.as_ptr() as usize;
        out.push_str(rest.get(..at)?);
        rest = rest.get(at + whole.len()..)?;
        match scalar.kind() {
            Kind::String => repair_string(scalar, &mut out),
            Kind::Number if !strict_number(whole) => match scalar.f64() {
                Some(number) => write!(out, "{number}").ok()?,
                None => out.push_str("null"),
            },
            _ => out.push_str(whole),
        }
    }
    out.push_str(rest);
    Some(Cow::Owned(out))
}

fn inside(string: Value<'_>) -> Escapes<'_> {
    Escapes::new(string.str().map(super::Str::raw).unwrap_or_default())
}

fn repair_string(string: Value<'_>, out: &mut String) {
    out.push('"');
    for piece in inside(string) {
        piece.spell(|text| out.push_str(text));
    }
    out.push('"');
}

/// The number grammar of RFC 8259, within a double's range.
fn strict_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
        && text.parse::<f64>().is_ok_and(f64::is_finite)
}

/// `text`, a JSON value, without insignificant white space; nothing else is changed.
pub(crate) fn compact(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out: Option<String> = None;
    let (mut at, mut copied) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => match string_end(bytes, at + 1) {
                Some((quote, _)) => at = quote + 1,
                None => break,
            },
            b' ' | b'\t' | b'\r' | b'\n' => {
                let out = out.get_or_insert_with(|| String::with_capacity(text.len()));
                out.push_str(text.get(copied..at).unwrap_or_default());
                at += 1;
                copied = at;
            }
            _ => at += 1,
        }
    }
    match out {
        None => Cow::Borrowed(text),
        Some(mut out) => {
            out.push_str(text.get(copied..).unwrap_or_default());
            Cow::Owned(out)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Doc;
    use super::*;

    fn strict(text: &str) -> bool {
        Doc::default().parse(text).is_some_and(is_strict)
    }

    #[test]
    fn strict_is_what_every_reader_takes() {
        let nested = |n: usize| "[".repeat(n) + &"]".repeat(n);
        for text in ["{}", r#"{"a":"\ud83d\ude80 é","b":[-0.5e+3,null]}"#, "0", &nested(MAX_DEPTH)]
        {
            assert!(strict(text), "{text}");
        }
        for text in [
            r#"["\ud83d"]"#,
            "[\"\t\"]",
            r#"["\x"]"#,
            "01",
            "1.",
            "+1",
            ".5",
            "NaN",
            "1e400",
            &nested(129),
        ] {
            assert!(!strict(text), "{text}");
        }
    }

    #[test]
    fn repairs_touch_only_what_is_wrong() {
        let text = "{ \"a\" : \"\\ud83d\\n\t\\x\", \"b\":[01, 1.50, NaN,\"ok\"]}";
        let mut doc = Doc::default();
        let value = doc.parse(text).unwrap();
        let mended = repaired(value).unwrap();
        assert_eq!(mended, "{ \"a\" : \"\u{fffd}\\n\\u0009\\\\x\", \"b\":[1, 1.50, null,\"ok\"]}");
        assert!(strict(&mended));
    }

    #[test]
    fn compact_leaves_strings_alone() {
        assert_eq!(compact("{ \"a b\" : [ 1 , \"\\\" \" ]\n}"), "{\"a b\":[1,\"\\\" \"]}");
        assert!(matches!(compact("{\"a b\":1}"), Cow::Borrowed(_)));
    }
}
