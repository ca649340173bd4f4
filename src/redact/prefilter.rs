//! Whether a line needs a closer look, told from its bytes as they are written. It may say yes in vain
//! and must not say no: what it passes over nobody looks at.

use aho_corasick::packed::{Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, BuildError};
use memchr::memmem::Finder as Needle;
use wide::u8x32;

use super::class::{Class, DIGIT, TOKEN};
use super::rules::ROWS;

/// Ends of names that say secret, in the spellings that names have; each is confirmed by what follows.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "oken", "OKEN", "ecret", "ECRET", "assw", "ASSW", "assp", "ASSP", "assc", "ASSC", "_pass", "PASS", "bpass", "pass=", "Pass", "pass\"",
    "Pwd", "pwd\"", "pwd=", "pwd:", "PWD", "psk\"", "psk=", "PSK",
    "_key", "_KEY", "-key", "-Key", "-KEY", "eKey", "sKey", "tKey", "iKey", "rKey", "gKey", "nKey", "IKey",
    "ikey", "IKEY", "skey", "tkey", "ekey", "hkey", "hKey", "yKey",
    "redential", "REDENTIAL", "_PAT", "_AUTH", "_auth", "auth\"", "auth\\", "uthorization", "UTHORIZATION", "ookie", "OOKIE",
];
/// What is seldom enough to need no confirmation.
const SURE: &[&str] = &[
    "BEGIN ", "earer ", "EARER ", "Basic ", "basic ", " -u ", "--user ", "sig=", ":\\/\\/", "hooks.slack", "sntry", "glc_", "whsec", "webhooks/", "webhooks\\",
];

/// What may stand between a name and its value.
const BETWEEN: Class = Class::of(b" \t\"'`\\:=>,])");
/// What may stand in a name behind the word.
const NAME: Class = Class::of(b"A-Za-z0-9_.-");
/// What a value has that a word has not.
const TELLING: Class = Class::of(b"0-9!@#%^&*+?~$|");
/// Runs of fewer token characters hold no token.
const RUN: u32 = 16;

#[derive(Debug)]
enum Words {
    Packed(Searcher),
    Automaton(AhoCorasick),
}

#[derive(Debug)]
pub(super) struct Prefilter {
    words: Words,
    /// The beginnings of tokens by their first byte, and those that a dot or a slash ends or holds.
    tokens: Vec<Vec<&'static [u8]>>,
    broken: Vec<&'static [u8]>,
    address: Needle<'static>,
    escape: Needle<'static>,
    /// Stretches of the values that are looked for.
    values: Option<AhoCorasick>,
    /// Whether every line is looked at.
    all: bool,
}

impl Prefilter {
    /// `values`: what a line that holds a value has in it; nothing where that is not known.
    pub(super) fn new(values: Option<Vec<Vec<u8>>>, all: bool) -> Result<Self, BuildError> {
        let mut tokens = vec![Vec::new(); 256];
        let mut broken = Vec::new();
        for literal in ROWS.iter().flat_map(|row| row.literals).map(|literal| literal.as_bytes()) {
            if literal.iter().all(|byte| TOKEN.has(*byte)) {
                if let Some(of) = literal.first().and_then(|first| tokens.get_mut(usize::from(*first))) {
                    of.push(literal);
                }
            } else {
                broken.push(literal);
            }
        }
        let words = NAMES.iter().chain(SURE);
        let packed = Config::new().match_kind(MatchKind::LeftmostFirst).builder().extend(words.clone()).build();
        let words = match packed {
            Some(searcher) => Words::Packed(searcher),
            None => Words::Automaton(AhoCorasick::new(words)?),
        };
        let all = all || values.is_none();
        let values = values.filter(|marks| !marks.is_empty()).map(AhoCorasick::new).transpose()?;
        Ok(Self {
            words,
            tokens,
            broken,
            address: Needle::new("://"),
            escape: Needle::new("\\u00"),
            values,
            all,
        })
    }

    /// Whether the line may hold a secret.
    pub(super) fn may_hold(&self, line: &[u8]) -> bool {
        self.all
            || self.has_word(line)
            || self.has_token(line)
            || self.address.find_iter(line).any(|at| is_address(line.get(at + 3..).unwrap_or_default()))
            || self.escape.find_iter(line).any(|at| hides_ascii(line, at + 4))
            || self.values.as_ref().is_some_and(|values| values.is_match(line))
    }

    fn has_word(&self, line: &[u8]) -> bool {
        let confirm = |pattern: usize, end: usize| pattern >= NAMES.len() || has_value(line, end);
        match &self.words {
            Words::Packed(searcher) => {
                searcher.find_iter(line).any(|found| confirm(found.pattern().as_usize(), found.end()))
            }
            Words::Automaton(automaton) => automaton
                .find_overlapping_iter(line)
                .any(|found| confirm(found.pattern().as_usize(), found.end())),
        }
    }

    /// Looks at each run of token characters that is long enough.
    fn has_token(&self, line: &[u8]) -> bool {
        const WIDTH: usize = 32;
        // Starts of runs whose sixteenth character stands in the block at hand.
        const NEW: u64 = ((1 << 49) - 1) & !((1 << 17) - 1);
        let (mut before, mut edge) = (0_u32, 0_u64);
        let mut at = 0;
        while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
            let block = rest.first_chunk::<WIDTH>().map_or_else(
                || {
                    let mut padded = [b' '; WIDTH];
                    padded.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
                    token_mask(padded)
                },
                |chunk| token_mask(*chunk),
            );
            let mask = u64::from(before) | u64::from(block) << WIDTH;
            let mut run = mask & mask >> 1;
            run &= run >> 2;
            run &= run >> 4;
            run &= run >> 8;
            let mut starts = run & !(mask << 1 | edge) & NEW;
            while starts != 0 {
                let start = at + starts.trailing_zeros() as usize;
                if start.checked_sub(WIDTH).is_some_and(|start| self.is_token(line, start)) {
                    return true;
                }
                starts &= starts - 1;
            }
            edge = u64::from(before >> 31);
            before = block;
            at += WIDTH;
        }
        debug_assert_eq!(RUN, 16, "the steps above double up to it");
        false
    }

    /// Whether a token may start in the run at `start`: near its start, where what stands before may
    /// belong to an escape, or behind a dash.
    fn is_token(&self, line: &[u8], start: usize) -> bool {
        let begins = |at: usize| {
            let rest = line.get(at..).unwrap_or_default();
            rest.first().and_then(|first| self.tokens.get(usize::from(*first))).is_some_and(|literals| {
                literals.iter().any(|literal| rest.starts_with(literal))
            })
        };
        if (start..start + 8).any(begins) {
            return true;
        }
        if let Some(head) = line.get(..start + 4)
            && start > 0
            && !line.get(start - 1).is_some_and(|byte| matches!(byte, b'"' | b' '))
        {
            let tail = head.get(head.len().saturating_sub(40)..).unwrap_or(head);
            if self.broken.iter().any(|literal| memchr::memmem::find(tail, literal).is_some()) {
                return true;
            }
        }
        let rest = line.get(start..).unwrap_or_default();
        rest.iter()
            .enumerate()
            .take_while(|(_, byte)| TOKEN.has(**byte))
            .filter(|(_, byte)| matches!(byte, b'-' | b'_'))
            .any(|(offset, _)| begins(start + offset + 1))
    }
}

#[inline]
fn token_mask(block: [u8; 32]) -> u32 {
    let block = u8x32::new(block);
    let of = |byte: u8| u8x32::splat(byte);
    let letter = ((block | of(0x20)) - of(b'a')).simd_lt(of(26));
    let digit = (block - of(b'0')).simd_lt(of(10));
    (letter | digit | block.simd_eq(of(b'_')) | block.simd_eq(of(b'-'))).to_bitmask()
}

/// Whether what stands behind a name looks like a value with a sign before it.
fn has_value(line: &[u8], end: usize) -> bool {
    let rest = line.get(end..).unwrap_or_default();
    let skip = |from: usize, most: usize, class: Class| {
        let bytes = rest.get(from..).unwrap_or_default();
        from + bytes.iter().take(most).take_while(|byte| class.has(**byte)).count()
    };
    let name = skip(0, 64, NAME);
    let mut start = skip(name, 40, BETWEEN);
    if start == name {
        return false;
    }
    let tail = |from: usize| rest.get(from..).unwrap_or_default();
    if tail(start).starts_with(b"value") {
        start = skip(start + 5, 40, BETWEEN);
    }
    // A type, or a scheme, may stand before the value.
    let value = tail(start);
    let end = value.iter().take(96).take_while(|byte| **byte > b' ' && !matches!(**byte, b'"' | b'\'')).count();
    let told = |value: &[u8]| value.iter().any(|byte| TELLING.has(*byte)) || value.len() >= 8 && mixes(value);
    let long = value.iter().take(40).take_while(|byte| !matches!(**byte, b'"' | b'\'' | b'\n')).count() >= 8;
    long && (told(value.get(..end).unwrap_or_default()) || told(value.get(..value.len().min(40)).unwrap_or_default()) && end < 24)
}

/// Whether both cases alternate in it.
fn mixes(value: &[u8]) -> bool {
    value.windows(2).filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() != b.is_ascii_lowercase())).count() * 4
        >= value.len()
}

/// Whether a name and a password may stand in the address behind `://`.
fn is_address(rest: &[u8]) -> bool {
    let mut colon = None;
    let mut port = true;
    for (at, byte) in rest.iter().take(600).enumerate() {
        match byte {
            b'@' => return true,
            b':' => (colon, port) = (Some(at), true),
            b'/' | b'?' | b'#' if colon.is_none() || port => return false,
            0..=b' ' | b'"' | b'\'' | b'<' | b'>' | b'`' => return false,
            byte => port &= DIGIT.has(*byte),
        }
    }
    false
}

/// Whether an escape by number stands for a character that names and tokens are made of.
fn hides_ascii(line: &[u8], at: usize) -> bool {
    matches!(line.get(at..at + 2), Some([b'2', b'a'..=b'f' | b'A'..=b'F' | b'0'..=b'9'] | [b'3', b'0'..=b'9' | b'a' | b'A' | b'd' | b'D'] | [b'4'..=b'7', _]))
}
