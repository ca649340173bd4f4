//! Whether a text looks like a secret or like what people and programs write in its place. It is judged
//! by its form: a long random value may hold any word.

use super::class::{ALNUM, Class, DIGIT, WORD};
use super::placeholder;

/// What is looked at to judge a value: enough to tell, and few enough to look at often.
const LOOKED_AT: usize = 96;
/// The fewest different characters that a secret has.
const DISTINCT: usize = 5;

/// How a value stands in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Between quotes, or as a string of JSON.
    Quoted,
    /// By itself, where program text could stand as well.
    Bare,
    /// By itself, behind the name of an environment variable.
    Environment,
}

/// Whether letters and digits stand in it as no word and no name has them.
pub(super) fn is_random(text: &[u8]) -> bool {
    let text = text.get(..LOOKED_AT).unwrap_or(text);
    let digit = text.iter().any(u8::is_ascii_digit);
    (digit || mixes_cases(text)) && distinct(text) >= DISTINCT
}

/// Whether it changes between lower and upper case more often than words in a row do.
fn mixes_cases(text: &[u8]) -> bool {
    let changes = text.windows(2).filter(|pair| match pair {
        [a, b] => {
            a.is_ascii_lowercase() && b.is_ascii_uppercase()
                || a.is_ascii_uppercase() && b.is_ascii_lowercase()
        }
        _ => false,
    });
    changes.count() * 4 >= text.len()
}

fn distinct(text: &[u8]) -> usize {
    let mut seen = [0_u64; 4];
    for byte in text {
        if let Some(word) = seen.get_mut(usize::from(byte >> 6)) {
            *word |= 1 << (byte & 63);
        }
    }
    seen.iter().map(|word| word.count_ones() as usize).sum()
}

/// Bits a character, as far as their numbers tell.
fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "at most LOOKED_AT")]
    let length = text.len() as f64;
    let share = |count: &u32| f64::from(*count) / length;
    counts.iter().filter(|count| **count > 0).map(share).map(|p| -p * p.log2()).sum()
}

const SYMBOL: Class = Class::of(b"!@#%^&*+?~$|");

/// Whether the value of a name that says secret is one.
pub(super) fn is_secret(value: &[u8], written: Written, name: &[u8]) -> bool {
    if value.len() < 8 || is_stand_in(value) {
        return false;
    }
    let head = value.get(..LOOKED_AT).unwrap_or(value);
    let named = head.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    let letter = head.iter().any(u8::is_ascii_alphabetic);
    let digit = head.iter().any(u8::is_ascii_digit);
    let symbol = head.iter().any(|byte| SYMBOL.has(*byte));
    let kinds = [letter, digit, symbol].iter().filter(|kind| **kind).count();
    if kinds < 2 && !mixes_cases(head) {
        return false;
    }
    if memchr::memchr_iter(b' ', head).count() > 2 || is_place(head) || is_date(head) {
        return false;
    }
    let enough = if head.len() < 16 { distinct(head) > 5 } else { entropy(head) >= 3.0 };
    if !enough || named {
        return false;
    }
    match written {
        // A name with a number in it, as program text has them: `sha256_token`, `user.token2`.
        Written::Bare => !is_expression(head) && (!is_identifier(head) || is_random_name(head)),
        Written::Quoted => !is_identifier(head) || !words_with_number(head),
        Written::Environment => true,
    }
}

/// Whether it is what stands where a secret was or will be: a variable, a placeholder of any form.
pub(super) fn is_stand_in(value: &[u8]) -> bool {
    is_stand_in_short(value) || distinct(value.get(..LOOKED_AT).unwrap_or(value)) < DISTINCT
}

/// The same for values that are too short to have many different characters.
pub(super) fn is_stand_in_short(value: &[u8]) -> bool {
    let inside = |open: &[u8], close: &[u8]| value.starts_with(open) && value.ends_with(close);
    let head = value.get(..LOOKED_AT).unwrap_or(value);
    let has = |what: &[u8]| memchr::memmem::find(head, what).is_some();
    let variable = |rest: &[u8]| {
        rest.first().is_some_and(|byte| {
            matches!(byte, b'{' | b'(') || byte.is_ascii_alphabetic() || *byte == b'_'
        }) && (matches!(rest.first(), Some(b'{' | b'('))
            || rest.iter().all(|b| WORD.has(*b) || matches!(b, b':' | b'.')))
    };
    value.strip_prefix(b"$").is_some_and(variable)
        || has(b"${")
        || has(b"$(")
        || has(b"{{")
        || inside(b"%", b"%")
        || inside(b"<", b">")
        || inside(b"{", b"}")
        || inside(b"[", b"]")
        || inside(b"__", b"__")
        || has(b"...")
        || has("…".as_bytes())
        || has(b"***")
        || has(b"xxxx")
        || has(b"XXXX")
        || value.starts_with(placeholder::START)
}

/// Whether it is a path or an address: what is at a place is no secret by itself.
pub(super) fn is_place(value: &[u8]) -> bool {
    let has = |what: &[u8]| memchr::memmem::find(value, what).is_some();
    let starts =
        [&b"/"[..], b"./", b"../", b"~/", b"@/"].iter().any(|start| value.starts_with(start));
    let parts = value.split(|byte| *byte == b'/').filter(|part| !part.is_empty());
    let wordy = parts.clone().all(|part| part.len() < 24);
    starts && wordy && (value.len() < 40 || parts.count() > 2)
        || has(b"://")
        || matches!(value, [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic())
}

/// Whether it starts as a date or a clock's time does.
fn is_date(value: &[u8]) -> bool {
    let formed = |form: &[u8]| {
        value.len() >= form.len()
            && form.iter().zip(value).all(|(form, byte)| match form {
                b'0' => DIGIT.has(*byte),
                b'-' => matches!(byte, b'-' | b'/'),
                sign => sign == byte,
            })
    };
    formed(b"0000-00-") || formed(b"00:00:")
}

/// Whether it can be nothing but program text.
fn is_expression(value: &[u8]) -> bool {
    let has = |what: &[u8]| memchr::memmem::find(value, what).is_some();
    let part =
        |part: &[u8]| part.first().is_some_and(u8::is_ascii_alphabetic) && is_identifier(part);
    let dotted = value.contains(&b'.') && value.split(|byte| *byte == b'.').all(part);
    // The parts of a token between dots are long; names are not.
    let short = value.split(|byte| *byte == b'.').all(|part| part.len() < 24);
    (dotted && short) || [&b"("[..], b"[", b"::", b"->", b"=>", b"=="].iter().any(|sign| has(sign))
}

fn is_identifier(value: &[u8]) -> bool {
    !value.first().is_some_and(|byte| DIGIT.has(*byte))
        && value.iter().all(|byte| WORD.has(*byte) || *byte == b'-')
}

/// Whether its parts are words, of which one may end in a short number.
fn words_with_number(value: &[u8]) -> bool {
    let mut numbers = 0;
    let words = value.split(|byte| !ALNUM.has(*byte)).all(|part| {
        let letters = part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, number) = part.split_at(letters);
        numbers += usize::from(!number.is_empty());
        number.len() <= 3
            && number.iter().all(|b| DIGIT.has(*b))
            && word.len() < 16
            && !mixes_cases(word)
    });
    // One word with a number behind it is what people take for a password.
    let parts = value.iter().filter(|byte| !ALNUM.has(**byte)).count();
    words && numbers <= 1 && parts > 0
}

/// Whether an identifier is none that a person would give: digits stand in it at several places.
fn is_random_name(value: &[u8]) -> bool {
    let groups = value.split(|byte| !DIGIT.has(*byte)).filter(|group| !group.is_empty()).count();
    groups > 2 || mixes_cases(value) || (value.len() >= 20 && groups > 1)
}
