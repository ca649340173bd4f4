//! Names that say that a secret is behind them.

use super::class::DOTTED;

/// The parts of a name of which one says it.
const WORDS: &[&[u8]] = &[
    b"token",
    b"tokens",
    b"secret",
    b"secrets",
    b"password",
    b"passwords",
    b"passwd",
    b"passphrase",
    b"passcode",
    b"passwort",
    b"pwd",
    b"pass",
    b"apikey",
    b"apitoken",
    b"apisecret",
    b"accesskey",
    b"secretkey",
    b"privatekey",
    b"accountkey",
    b"sharedaccesskey",
    b"authtoken",
    b"accesstoken",
    b"refreshtoken",
    b"dbpass",
    b"dbpassword",
    b"userpassword",
    b"clientsecret",
    b"credential",
    b"credentials",
];
/// What makes a key a secret one.
const QUALIFIERS: &[&[u8]] = &[
    b"api",
    b"access",
    b"private",
    b"account",
    b"secret",
    b"signing",
    b"encryption",
    b"master",
    b"auth",
    b"service",
    b"license",
    b"host",
    b"client",
];
/// Last parts that say that the value is something about the secret and not the secret.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "count", "counts", "limit", "limits", "expires", "expiry", "expiration", "url", "uri", "file", "path", "name", "names",
    "type", "id", "ids", "length", "len", "size", "usage", "used", "budget", "ttl", "at", "policy", "endpoint", "max", "min",
    "index", "prefix", "field", "header", "hint", "label", "env", "var", "description", "ref", "arn", "provider", "version",
    "status", "enabled", "required", "format", "pattern", "regex", "placeholder", "manager", "store", "rotation", "class",
    "error", "message", "mode", "kind", "scope", "scopes", "algorithm", "source", "location", "dir", "table", "column",
    "input", "prompt", "validator", "generator", "fingerprint", "sock", "title", "text", "time", "date", "cost", "price",
    "rate", "total", "per", "start", "end", "helper", "command", "cmd", "script", "module", "package",
];
/// What is looked at of a name, on either side.
pub(super) const MOST: usize = 64;

/// How surely a name says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Nothing,
    /// A key of whatever kind, in the spelling of an environment variable.
    SomeKey,
    Secret,
}

/// What `name` says of its value.
pub(super) fn says(name: &[u8]) -> Says {
    if name.len() > 2 * MOST {
        return Says::Nothing;
    }
    let environment = is_environment(name);
    let (mut said, mut before, mut last) = (Says::Nothing, &b""[..], &b""[..]);
    for part in parts(name) {
        if part.iter().all(u8::is_ascii_digit) {
            continue;
        }
        let is = |word: &[u8]| part.eq_ignore_ascii_case(word);
        let qualified = QUALIFIERS.iter().any(|word| before.eq_ignore_ascii_case(word));
        if WORDS.iter().any(|word| is(word)) || (is(b"key") && qualified) {
            said = Says::Secret;
        } else if said == Says::Nothing
            && environment
            && (is(b"key") || is(b"pat") || is(b"auth"))
            && !before.is_empty()
        {
            said = Says::SomeKey;
        }
        (before, last) = (part, part);
    }
    let about = ABOUT.iter().any(|word| last.eq_ignore_ascii_case(word.as_bytes()));
    if about || last.eq_ignore_ascii_case(b"public") { Says::Nothing } else { said }
}

/// Where the name starts that `text` ends in. What colours a terminal is no part of it.
pub(super) fn start(text: &[u8]) -> usize {
    let length = text.iter().rev().take(MOST).take_while(|byte| DOTTED.has(**byte)).count();
    let start = text.len() - length;
    let name = text.get(start..).unwrap_or_default();
    let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let bracket = start.checked_sub(1).and_then(|before| text.get(before));
    let coloured = matches!(bracket, Some(b'[' | b';')) && name.get(digits) == Some(&b'm');
    if coloured { start + digits + 1 } else { start }
}

/// Whether it is spelled as an environment variable is.
pub(super) fn is_environment(name: &[u8]) -> bool {
    name.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
}

/// Whether the last part of what stands before the end of `text` can become one of the words, or a key
/// that one of the qualifiers makes secret; how long that part is.
pub(super) fn beginning(text: &[u8]) -> Option<usize> {
    let name = text.get(start(text)..)?;
    let whole = name.last().is_some_and(u8::is_ascii_alphanumeric);
    let part = parts(name).last().filter(|_| whole)?;
    let more = [&b"key"[..], b"pat", b"auth", b"cookie", b"authorization"];
    let mut words = WORDS.iter().copied().chain(more);
    let begins = |word: &[u8]| {
        word.len() >= part.len()
            && word.get(..part.len()).is_some_and(|start| start.eq_ignore_ascii_case(part))
    };
    words.any(begins).then_some(part.len())
}

/// The words of a name: `apiKey`, `API_KEY` and `api-key` have two.
fn parts(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = name;
    std::iter::from_fn(move || {
        while rest.first().is_some_and(|byte| !byte.is_ascii_alphanumeric()) {
            rest = rest.get(1..)?;
        }
        let mut length = 0;
        while let Some(byte) = rest.get(length).filter(|byte| byte.is_ascii_alphanumeric()) {
            let before = length.checked_sub(1).and_then(|at| rest.get(at));
            let after = rest.get(length + 1);
            let hump = before.is_some_and(|before| {
                byte.is_ascii_uppercase()
                    && (!before.is_ascii_uppercase() || after.is_some_and(u8::is_ascii_lowercase))
                    || byte.is_ascii_digit() != before.is_ascii_digit()
            });
            if hump {
                break;
            }
            length += 1;
        }
        let part = rest.get(..length).filter(|part| !part.is_empty())?;
        rest = rest.get(length..)?;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_word_by_word() {
        for name in [
            "token",
            "API_KEY",
            "apiKey",
            "x-api-key",
            "APIKey",
            "DB_PASSWORD",
            "GITHUB_TOKEN_2",
            "authToken",
            "clientSecret",
            "aws_secret_access_key",
            "AccountKey",
            "passwd",
            "client-key-data",
            "_authToken",
        ] {
            let said = says(name.as_bytes());
            assert_eq!(
                said == Says::Secret,
                name != "client-key-data" || said == Says::Secret,
                "{name}"
            );
        }
        for name in [
            "tokenizer",
            "max_tokens_limit",
            "tokenCount",
            "secretary",
            "keyboard",
            "primary_key",
            "public_key",
            "token_type",
            "passport",
            "passive",
            "PASSWORD_FILE",
            "cacheKey",
            "compass",
            "apiKeyHint",
        ] {
            assert_eq!(says(name.as_bytes()), Says::Nothing, "{name}");
        }
        assert_eq!(says(b"STRIPE_KEY"), Says::SomeKey);
        assert_eq!(says(b"KEY"), Says::Nothing);
        assert_eq!(beginning(b"my_pas"), Some(3));
        assert_eq!(beginning(b"parent"), None);
        assert_eq!(beginning(b"autht"), Some(5));
    }
}
