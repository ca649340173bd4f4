//! Secrets that are known by what stands around them: keys between their marks, passwords in addresses.

use std::ops::Range;

use super::assignment::Found;
use super::class::{ALNUM, BASE64, BLANK, Class, Cursor, DIGIT, TOKEN, UPPER};
use super::judge;
use super::rules::{More, Row};
use crate::limits::MAX_SECRET_BLOCK;

const LONGEST_ADDRESS: usize = 512;

/// Whether a token may start at `at`: what stands before is no part of a word.
pub(super) fn is_edge(text: &[u8], at: usize, literal: u8) -> bool {
    if !ALNUM.has(literal) {
        return true;
    }
    let before =
        |back: usize| at.checked_sub(back).and_then(|at| text.get(at)).copied().unwrap_or_default();
    match before(1) {
        // The colour of a terminal, and a character of a URL that is written by its number.
        b'm' => {
            let digits = (2..10).find(|back| !DIGIT.has(before(*back)) && before(*back) != b';');
            digits.is_some_and(|back| before(back) == b'[')
        }
        byte if ALNUM.has(byte) => {
            before(3) == b'%' && before(2).is_ascii_hexdigit() && byte.is_ascii_hexdigit()
        }
        _ => true,
    }
}

/// Looks at what stands behind the beginning of a token.
pub(super) fn token(
    cursor: &mut Cursor<'_>,
    row: &Row,
    literal: Range<usize>,
) -> Option<Range<usize>> {
    let text = cursor.text;
    let first = text.get(literal.start).copied()?;
    cursor.at = literal.end;
    if !is_edge(text, literal.start, first) {
        return None;
    }
    let most = row.most.saturating_add(1);
    let mut length = cursor.skip(row.body, most);
    if row.body.has(b'.') {
        let dots = cursor.since(literal.end).iter().rev().take_while(|byte| **byte == b'.').count();
        length -= dots;
    }
    let long = length > row.most && row.most < super::rules::LONG;
    if length < row.least || long {
        return None;
    }
    let end = literal.end + length;
    let body = text.get(literal.end..end)?;
    let start = match row.more {
        More::Nothing | More::Path | More::Parameter if judge::is_stand_in(body) => return None,
        More::Random if !judge::is_random(body) || judge::is_stand_in(body) => return None,
        More::Parts => {
            let mut long = body.split(|byte| *byte == b'.').map(|part| part.len() >= 10);
            if long.next() != Some(true) || long.next() != Some(true) || judge::is_stand_in(body) {
                return None;
            }
            literal.start
        }
        More::BehindNumber => {
            let digits =
                text.get(..literal.start)?.iter().rev().take(12).take_while(|b| DIGIT.has(**b));
            if !(6..=11).contains(&digits.count()) {
                return None;
            }
            literal.start + 1
        }
        More::Parameter => {
            let before = literal.start.checked_sub(1).and_then(|at| text.get(at)).copied();
            if !matches!(before, Some(b'?' | b'&' | b';')) {
                return None;
            }
            literal.end
        }
        More::Path => literal.end,
        More::Nothing | More::Random => literal.start,
    };
    // What its issuer prints in its manuals.
    if row.name == "aws-key-id" && body.ends_with(b"EXAMPLE") {
        return None;
    }
    Some(start..end)
}

/// Looks at a block that starts with the `-----BEGIN ` up to `mark.end`.
pub(super) fn block(cursor: &mut Cursor<'_>, mark: Range<usize>) -> Found {
    let text = cursor.text;
    cursor.at = mark.end;
    cursor.skip_while(64, |byte| UPPER.has(byte) || DIGIT.has(byte) || byte == b' ');
    let label = cursor.since(mark.end);
    let has = |word: &[u8]| memchr::memmem::find(label, word).is_some();
    if !has(b"PRIVATE KEY") && !has(b"PGP PRIVATE") && !has(b"SECRET KEY") {
        return None;
    }
    if !cursor.eat_word(b"-----") && !cursor.eat_word(b"----") {
        return None;
    }
    // Who writes about the mark writes no key behind it.
    let body = cursor.at;
    let mut first = 0;
    let mut seen = 0;
    while first < 16 && seen < 400 && cursor.at < text.len() {
        first = cursor.skip(BASE64, 400);
        seen = cursor.at - body;
        if first < 16 {
            let byte = cursor.peek();
            if byte == b'-' || QUOTE.has(byte) {
                break;
            }
            cursor.at += 1;
        }
    }
    cursor.met_end |= cursor.at >= text.len();
    if first < 16 {
        return None;
    }
    let limit = text.len().min(body + MAX_SECRET_BLOCK);
    let rest = text.get(cursor.at..limit)?;
    let quote = rest.iter().position(|byte| *byte == b'"').unwrap_or(rest.len());
    let rest = rest.get(..quote)?;
    let end = if let Some(end) = memchr::memmem::find(rest, b"-----END ") {
        cursor.at += end + 9;
        cursor.skip_while(64, |byte| UPPER.has(byte) || DIGIT.has(byte) || byte == b' ');
        cursor.skip_while(5, |byte| byte == b'-');
        cursor.at
    } else {
        if quote == rest.len() && cursor.at + rest.len() >= text.len() {
            cursor.met_end = true;
        }
        cursor.at + torn_block(rest)
    };
    Some((mark.start..end, "private-key"))
}

const QUOTE: Class = Class::of(b"\"'`<>(){}");

/// How far base64 goes on in a block that has no end: lines of it, numbered ones too.
fn torn_block(rest: &[u8]) -> usize {
    let (mut at, mut end, mut numbers) = (0, 0, 0);
    loop {
        let tail = rest.get(at..).unwrap_or_default();
        let gap = tail
            .iter()
            .take(16)
            .take_while(|byte| !BASE64.has(**byte) && !QUOTE.has(**byte))
            .count();
        let word = tail.get(gap..).unwrap_or_default();
        let length = word.iter().take_while(|byte| BASE64.has(**byte)).count();
        let word = word.get(..length).unwrap_or_default();
        if length >= 16 {
            numbers = 0;
        } else if numbers == 0 && length > 0 && word.iter().all(|byte| DIGIT.has(*byte)) {
            numbers = 1;
        } else {
            let last =
                word.iter().any(|byte| DIGIT.has(*byte) || *byte == b'=' || UPPER.has(*byte));
            return if last { at + gap + length } else { end };
        }
        at += gap + length;
        if numbers == 0 {
            end = at;
        }
    }
}

/// Looks at an address of which the `://` stands up to `mark.end`: is there a password in it?
pub(super) fn address(cursor: &mut Cursor<'_>, mark: Range<usize>) -> Found {
    let text = cursor.text;
    let scheme = text.get(..mark.start)?.last()?;
    if !scheme.is_ascii_alphanumeric() {
        return None;
    }
    cursor.at = mark.end;
    let start = mark.end;
    let inside = |byte: u8| {
        byte > b' '
            && byte < 0x7f
            && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'/' | b'?' | b'#')
    };
    let mut length = cursor.skip_while(LONGEST_ADDRESS, inside);
    if cursor.since(start).iter().all(|byte| *byte != b'@') && cursor.since(start).contains(&b':') {
        // A password may hold what should have been written otherwise.
        let mut ahead = cursor.clone();
        let more = ahead.skip_while(64, |byte| inside(byte) || matches!(byte, b'/' | b'?' | b'#'));
        cursor.met_end |= ahead.met_end;
        let port =
            cursor.since(start).rsplit(|byte| *byte == b':').next()?.iter().all(|b| DIGIT.has(*b));
        if !port && ahead.since(cursor.at).contains(&b'@') {
            length += more;
        }
    }
    let authority = text.get(start..start + length)?;
    let at = authority.iter().rposition(|byte| *byte == b'@')?;
    let user = authority.get(..at)?;
    let Some(colon) = user.iter().position(|byte| *byte == b':') else {
        let token =
            user.len() >= 20 && judge::is_random(user) && user.iter().all(|byte| TOKEN.has(*byte));
        return token.then_some((start..start + at, "url-password"));
    };
    let (name, password) = (user.get(..colon)?, user.get(colon + 1..)?);
    let word = password.iter().all(u8::is_ascii_lowercase)
        && [&b"password"[..], b"passwd", b"pass", b"secret", b"pwd", b"pw", b"token", b"changeme"]
            .contains(&password);
    let shown = password.len() < 4
        || judge::is_stand_in_short(password)
        || word
        || password.eq_ignore_ascii_case(name)
        || password.iter().all(|byte| *byte == b'*' || *byte == b'x' || *byte == b'X')
        || [&b"PASSWORD"[..], b"PASS", b"Password"].contains(&password);
    (!shown).then_some((start + colon + 1..start + at, "url-password"))
}

/// Whether an option of a command line may start at `at`.
pub(super) fn is_option(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| text.get(at));
    before.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'"' | b'\''))
}

/// Looks at a name and a password behind an option `-u` or `--user` up to `option.end`.
pub(super) fn user(cursor: &mut Cursor<'_>, option: Range<usize>) -> Found {
    if !is_option(cursor.text, option.start) {
        return None;
    }
    cursor.at = option.end;
    cursor.skip(BLANK, 4);
    cursor.skip_while(8, |byte| matches!(byte, b'"' | b'\'' | b'\\'));
    let start = cursor.at;
    cursor
        .skip_while(64, |byte| ALNUM.has(byte) || matches!(byte, b'_' | b'.' | b'@' | b'+' | b'-'));
    if cursor.at == start || !cursor.eat(b':') {
        return None;
    }
    let password = cursor.at;
    cursor.skip_while(256, |byte| {
        byte > b' '
            && byte < 0x7f
            && !matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b';' | b'|' | b'&' | b'/')
    });
    let value = cursor.since(password);
    let secret = value.len() >= 8 && judge::is_secret(value, judge::Written::Environment, b"user");
    secret.then_some((password..cursor.at, "password"))
}
