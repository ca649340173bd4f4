//! A name that says secret, and the value behind it: in an environment file, a command line, JSON, YAML,
//! a URL's query, a header.

use std::ops::Range;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::class::{BASE64, BLANK, CREDENTIAL, Class, Cursor, DOTTED};
use super::judge::{self, Written};
use super::name::{self, Says};

/// The longest value that is taken for one.
const LONGEST: usize = 4 << 10;
/// Blanks that may stand around the sign.
const BLANKS: usize = 12;
const QUOTES: &[u8] = b"\"'`";
/// What closes a name: quotes, with any number of backslashes before them.
const CLOSERS: Class = Class::of(b"\"'`\\]");

/// A secret, or what would be one: where it stands and what it is called.
pub(super) type Found = Option<(Range<usize>, &'static str)>;

/// Looks at the name that the word at `word` belongs to, and at what stands behind it.
pub(super) fn find(cursor: &mut Cursor<'_>, word: Range<usize>) -> Found {
    let text = cursor.text;
    let start = name::start(text.get(..word.start)?);
    cursor.at = word.end;
    cursor.skip(DOTTED, name::MOST);
    let name = trim_name(cursor.since(start));
    let said = name::says(name);
    let auth = name.eq_ignore_ascii_case(b"auth") || name.eq_ignore_ascii_case(b"_auth");
    if said == Says::Nothing && !auth {
        return None;
    }
    let bare_name = cursor.at;
    let sign = sign(cursor, start)?;
    cursor.skip(BLANK, BLANKS);
    let written =
        if name::is_environment(name) && sign == Sign::Equals && cursor.at == bare_name + 1 {
            Written::Environment
        } else {
            Written::Bare
        };
    let (range, written) = value(cursor, written)?;
    let value = text.get(range.clone())?;
    if auth && said == Says::Nothing {
        return is_pair(value).then_some((range, "docker-auth"));
    }
    let secret = match said {
        Says::Secret => judge::is_secret(value, written, name),
        _ => value.len() >= 16 && judge::is_random(value) && judge::is_secret(value, written, name),
    };
    secret.then_some((range, kind(name)))
}

/// What a member of an object has, of which the key says secret.
pub(super) fn member(key: &[u8], value: &[u8]) -> Found {
    let all = Some(0..value.len());
    if key.eq_ignore_ascii_case(b"auth") || key.eq_ignore_ascii_case(b"_auth") {
        return all.filter(|_| is_pair(value)).map(|all| (all, "docker-auth"));
    }
    let secret = match name::says(key) {
        Says::Nothing => false,
        Says::Secret => judge::is_secret(value, Written::Quoted, key),
        Says::SomeKey => {
            value.len() >= 16
                && judge::is_random(value)
                && judge::is_secret(value, Written::Quoted, key)
        }
    };
    all.filter(|_| secret).map(|all| (all, kind(key)))
}

/// Leaves out the dots and dashes at the edges: `--password`, `os.environ.`.
fn trim_name(name: &[u8]) -> &[u8] {
    let edge = |byte: &u8| matches!(byte, b'-' | b'.');
    let start = name.iter().take_while(|byte| edge(byte)).count();
    let name = name.get(start..).unwrap_or_default();
    let end = name.len() - name.iter().rev().take_while(|byte| edge(byte)).count();
    name.get(..end).unwrap_or_default()
}

/// What the placeholder calls the value of a name.
fn kind(name: &[u8]) -> &'static str {
    let lower = name.to_ascii_lowercase();
    let has = |word: &str| memchr::memmem::find(&lower, word.as_bytes()).is_some();
    if has("pass") || has("pwd") {
        "password"
    } else if has("token") {
        "token"
    } else if has("key") {
        "key"
    } else {
        "secret"
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Sign {
    Equals,
    Other,
}

/// Steps over what stands between a name and its value.
fn sign(cursor: &mut Cursor<'_>, name: usize) -> Option<Sign> {
    let option = cursor.text.get(..name)?.ends_with(b"-") || cursor.text.get(name) == Some(&b'-');
    let element = cursor.text.get(..name)?.ends_with(b"<");
    let closed = cursor.skip(CLOSERS, BLANKS);
    let blanks = cursor.skip(BLANK, BLANKS);
    match cursor.peek() {
        b'=' => {
            cursor.at += 1;
            match cursor.peek() {
                b'=' | b'~' => return None,
                b'>' => cursor.at += 1,
                _ => return Some(Sign::Equals),
            }
        }
        b':' => {
            cursor.at += 1;
            match cursor.peek() {
                b':' => return None,
                b'=' => cursor.at += 1,
                _ => typed(cursor),
            }
        }
        b'>' if element => cursor.at += 1,
        b',' if closed > 0 => {
            cursor.at += 1;
            cursor.skip(BLANK, BLANKS);
            cursor.skip(CLOSERS, BLANKS);
            if !cursor.eat_word(b"value") {
                return None;
            }
            cursor.skip(CLOSERS, BLANKS);
            cursor.skip(BLANK, BLANKS);
            if !cursor.eat(b':') {
                return None;
            }
        }
        b'-' => return None,
        // `--token VALUE`, and the file of names and passwords that ftp and curl read.
        _ if blanks > 0 && closed == 0 && (option || is_netrc(cursor, name)) => {}
        _ => return None,
    }
    Some(Sign::Other)
}

/// Steps over a type between a name and the sign, as in `password: string = "…"`.
fn typed(cursor: &mut Cursor<'_>) {
    let mut ahead = cursor.clone();
    ahead.skip(BLANK, BLANKS);
    if ahead.skip(Class::of(b"A-Za-z"), 16) > 1
        && ahead.skip(BLANK, BLANKS) > 0
        && ahead.eat(b'=')
        && ahead.peek() != b'='
    {
        *cursor = ahead;
    } else {
        cursor.met_end |= ahead.met_end;
    }
}

fn is_netrc(cursor: &Cursor<'_>, name: usize) -> bool {
    let before = cursor.text.get(name.saturating_sub(name::MOST)..name).unwrap_or_default();
    memchr::memmem::find(before, b"login ").is_some()
}

/// Reads the value that starts here.
fn value(cursor: &mut Cursor<'_>, bare: Written) -> Option<(Range<usize>, Written)> {
    let slashes = cursor.skip_while(BLANKS, |byte| byte == b'\\');
    let quote = cursor.peek();
    if QUOTES.contains(&quote) {
        cursor.at += 1;
        let start = cursor.at;
        let mut end = None;
        while cursor.at - start < LONGEST {
            match cursor.peek() {
                b'\\' if slashes == 0 => cursor.at += 1,
                byte if byte == quote || byte == b'\\' => end = Some(cursor.at),
                b'\n' | b'\r' => end = Some(cursor.at),
                0 if cursor.at >= cursor.text.len() => end = Some(cursor.text.len()),
                _ => {}
            }
            if end.is_some() {
                break;
            }
            cursor.at += 1;
        }
        return Some((start..end?, Written::Quoted));
    }
    if slashes > 0 {
        return None;
    }
    let start = cursor.at;
    let stops: &[u8] = if bare == Written::Environment { b"\"'`\\" } else { b"\"'`\\,;&<>(){}[]|" };
    cursor.run(usize::from(bare == Written::Environment), |byte| {
        byte > b' ' && byte != 0x7f && !stops.contains(&byte)
    });
    let next = cursor.peek();
    if matches!(next, b'(' | b'[') && cursor.at - start > 1 {
        return None;
    }
    let value = cursor.since(start);
    let trailing = value.iter().rev().take_while(|byte| matches!(byte, b'.' | b':' | b',')).count();
    Some((start..cursor.at - trailing, bare))
}

/// Whether it is the base64 of a name and a password.
fn is_pair(value: &[u8]) -> bool {
    value.len() >= 8
        && value.iter().all(|byte| BASE64.has(*byte))
        && BASE64_STANDARD.decode(value).is_ok_and(|pair| {
            pair.contains(&b':') && pair.is_ascii() && !pair.iter().any(u8::is_ascii_control)
        })
}

/// Looks at what stands behind the word `Authorization` up to `word.end`.
pub(super) fn authorization(cursor: &mut Cursor<'_>, word: Range<usize>) -> Found {
    cursor.at = word.end;
    sign(cursor, word.start)?;
    cursor.skip(BLANK, BLANKS);
    cursor.skip(CLOSERS, BLANKS);
    credential(cursor)
}

/// What an `Authorization` header carries: a scheme and what proves who asks, or that alone.
pub(super) fn credential(cursor: &mut Cursor<'_>) -> Found {
    let text = cursor.text;
    let mut start = cursor.at;
    if cursor.skip(Class::of(b"A-Za-z0-9-"), 24) > 0 && cursor.skip(BLANK, 4) > 0 {
        start = cursor.at;
    } else {
        cursor.at = start;
    }
    cursor.skip(CREDENTIAL, LONGEST);
    let value = text.get(start..cursor.at)?;
    (value.len() >= 8 && is_proof(value)).then_some((start..cursor.at, "authorization"))
}

fn is_proof(value: &[u8]) -> bool {
    !judge::is_stand_in(value)
        && (judge::is_random(value) || is_pair(value))
        && judge::is_secret(value, Written::Quoted, b"authorization")
        || is_pair(value)
}

/// Looks at what stands behind `Bearer ` or `Basic ` up to `word.end`.
pub(super) fn scheme(cursor: &mut Cursor<'_>, word: Range<usize>) -> Found {
    cursor.at = word.end;
    let text = cursor.text;
    if cursor.skip(CREDENTIAL, LONGEST) < 12 {
        return None;
    }
    let value = text.get(word.end..cursor.at)?;
    let basic = text.get(word.start..word.end)?.eq_ignore_ascii_case(b"basic ");
    let proof = if basic { is_pair(value) } else { value.len() >= 16 && is_proof(value) };
    proof.then_some((word.end..cursor.at, "authorization"))
}

/// Looks at what stands behind `Cookie` up to `word.end`: all of it, to the end of the header.
pub(super) fn cookie(cursor: &mut Cursor<'_>, word: Range<usize>) -> Found {
    cursor.at = word.end;
    sign(cursor, word.start)?;
    cursor.skip(BLANK, BLANKS);
    cursor.skip(CLOSERS, BLANKS);
    let start = cursor.at;
    if cursor.skip(DOTTED, name::MOST) == 0 || cursor.peek() != b'=' {
        return None;
    }
    cursor.skip_while(LONGEST, |byte| byte >= b' ' && !QUOTES.contains(&byte) && byte != b'\\');
    let value = cursor.since(start);
    is_cookie(value).then_some((start..cursor.at, "cookie"))
}

pub(super) fn is_cookie(value: &[u8]) -> bool {
    let head = value.get(..128).unwrap_or(value);
    let Some(name) = head.iter().position(|byte| *byte == b'=') else { return false };
    let named = head
        .get(..name)
        .is_some_and(|name| !name.is_empty() && name.iter().all(|b| DOTTED.has(*b)));
    named
        && value.split(|byte| *byte == b';').any(|pair| {
            let at = pair.iter().position(|byte| *byte == b'=').map_or(0, |at| at + 1);
            let value = pair.get(at..).unwrap_or_default();
            value.len() >= 8 && at > 0 && !judge::is_stand_in(value) && judge::is_random(value)
        })
}
