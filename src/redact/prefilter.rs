//! Whether a line needs a closer look, told from its bytes as they are written. It may say yes in vain
//! and must not say no: what it passes over nobody looks at.

use aho_corasick::packed::{Config, MatchKind, Searcher};
use aho_corasick::{AhoCorasick, BuildError};
use memchr::memmem::Finder as Needle;
use wide::u8x16;

use super::class::{Class, DIGIT, TOKEN};
use super::name::{self, Says};
use super::rules::ROWS;

/// Ends of names that say secret, in the spellings that names have; each is confirmed by what follows.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "oken", "OKEN", "ecret", "ECRET", "pass", "Pass", "PASS", "pwd=", "Pwd=", "PWD=", "pwd\"", "_pwd",
    "_key", "-key", "ikey", "skey", "ekey", "tkey", "-Key", "iKey", "sKey", "eKey", "tKey", "gKey", "nKey", "rKey", "hKey",
    "_KEY", "IKEY", "-KEY", "redential", "REDENTIAL", "_PAT", "_AUTH", "_auth", "\"auth", "uthoriz", "UTHORIZ",
    "ookie", "OOKIE",
];
/// What is seldom enough to need no confirmation.
const SURE: &[&str] = &[
    "BEGIN ", "earer ", "asic ", " -u ", "-user ", "sig=", ":\\/\\/", "hooks.sl", "ebhooks",
    "sntry", "glc_", "whsec",
];

/// An escape by number; what it hides is looked at.
const ESCAPE: &str = "\\u00";

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
    /// The beginnings of tokens, and those that no run starts with: what stands
    /// before the run, and what it starts with.
    tokens: Vec<Vec<&'static [u8]>>,
    /// For each pair of bytes the number of those that begin with it; 0 for none.
    pairs: Vec<u8>,
    broken: Vec<(&'static [u8], &'static [u8])>,
    address: Needle<'static>,
    /// Stretches of the values that are looked for.
    values: Option<AhoCorasick>,
    /// Whether every line is looked at.
    all: bool,
}

impl Prefilter {
    /// `values`: what a line that holds a value has in it; nothing where that is not known.
    pub(super) fn new(values: Option<Vec<Vec<u8>>>, all: bool) -> Result<Self, BuildError> {
        let mut tokens: Vec<Vec<&[u8]>> = vec![Vec::new()];
        let mut pairs = vec![0_u8; 1 << 16];
        let mut broken = Vec::new();
        for literal in ROWS.iter().flat_map(|row| row.literals).map(|literal| literal.as_bytes()) {
            if literal.iter().all(|byte| TOKEN.has(*byte)) {
                if let [first, second, ..] = literal
                    && let Some(group) =
                        pairs.get_mut(usize::from(*first) << 8 | usize::from(*second))
                {
                    if *group == 0 {
                        *group = u8::try_from(tokens.len()).unwrap_or_default();
                        tokens.push(Vec::new());
                    }
                    tokens.get_mut(usize::from(*group)).into_iter().for_each(|of| of.push(literal));
                }
            } else {
                let head =
                    literal.iter().rposition(|byte| !TOKEN.has(*byte)).map_or(0, |at| at + 1);
                broken.push(literal.split_at(head));
            }
        }
        let words = NAMES.iter().chain(SURE).chain(&[ESCAPE]);
        let packed = Config::new()
            .match_kind(MatchKind::LeftmostFirst)
            .builder()
            .extend(words.clone())
            .build();
        let words = match packed {
            Some(searcher) => Words::Packed(searcher),
            None => Words::Automaton(AhoCorasick::new(words)?),
        };
        let all = all || values.is_none();
        let values = values.filter(|marks| !marks.is_empty()).map(AhoCorasick::new).transpose()?;
        Ok(Self { words, tokens, pairs, broken, address: Needle::new("://"), values, all })
    }

    /// Whether the line may hold a secret.
    pub(super) fn may_hold(&self, line: &[u8]) -> bool {
        self.all
            || self.has_word(line)
            || self.has_token(line)
            || self
                .address
                .find_iter(line)
                .any(|at| is_address(line.get(at + 3..).unwrap_or_default()))
            || self.values.as_ref().is_some_and(|values| values.is_match(line))
    }

    fn has_word(&self, line: &[u8]) -> bool {
        let confirm = |pattern: usize, start: usize, end: usize| {
            if pattern < NAMES.len() {
                has_value(line, start, end)
            } else {
                pattern < NAMES.len() + SURE.len() || hides_ascii(line, end)
            }
        };
        match &self.words {
            Words::Packed(searcher) => searcher
                .find_iter(line)
                .any(|found| confirm(found.pattern().as_usize(), found.start(), found.end())),
            Words::Automaton(automaton) => automaton
                .find_overlapping_iter(line)
                .any(|found| confirm(found.pattern().as_usize(), found.start(), found.end())),
        }
    }

    /// Looks at each run of token characters that is long enough.
    fn has_token(&self, line: &[u8]) -> bool {
        const WIDTH: usize = 32;
        // Starts of runs whose sixteenth character stands in the block at hand.
        const NEW: u64 = ((1 << 49) - 1) & !((1 << 17) - 1);
        let (mut before, mut edge) = (0_u32, 0_u64);
        let (blocks, rest) = line.as_chunks::<WIDTH>();
        let mut last = [b' '; WIDTH];
        last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        let mut at = 0;
        for block in blocks.iter().chain(std::iter::once(&last)) {
            let block = token_mask(block);
            // Sixteen in a row fill eight that are counted off.
            if !(is_filled(before) || is_filled(block)) {
                edge = u64::from(before >> 31);
                before = block;
                at += WIDTH;
                continue;
            }
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
        let (before, rest) = line.split_at(start.min(line.len()));
        // An escape's letters, and what colours a terminal, are glued to what they stand before.
        let glued = match before.last() {
            Some(b'\\' | b'%' | b'[' | b';') => 8,
            _ => 1,
        };
        if (start..start + glued).any(|at| self.begins(line, at)) {
            return true;
        }
        let broken =
            |(head, tail): &(&[u8], &[u8])| before.ends_with(head) && rest.starts_with(tail);
        if matches!(before.last(), Some(b'.' | b'/' | b':')) && self.broken.iter().any(broken) {
            return true;
        }
        let run = rest.iter().take_while(|byte| TOKEN.has(**byte));
        let dashes = run.enumerate().filter(|(_, byte)| matches!(byte, b'-' | b'_'));
        dashes.into_iter().any(|(offset, _)| self.begins(line, start + offset + 1))
    }

    /// Whether a token may begin at `at`. Hardly any two characters begin one.
    #[inline]
    fn begins(&self, line: &[u8], at: usize) -> bool {
        let Some(rest @ [first, second, ..]) = line.get(at..) else { return false };
        let pair = usize::from(*first) << 8 | usize::from(*second);
        let group = self.pairs.get(pair).copied().unwrap_or_default();
        group > 0
            && self
                .tokens
                .get(usize::from(group))
                .is_some_and(|literals| literals.iter().any(|literal| rest.starts_with(literal)))
    }
}

/// Whether one of the bytes of a mask is full.
#[inline]
fn is_filled(mask: u32) -> bool {
    let empty = !mask;
    empty.wrapping_sub(0x0101_0101) & mask & 0x8080_8080 != 0
}

#[inline]
fn token_mask(block: &[u8; 32]) -> u32 {
    let half = |from: usize| {
        let bytes = block.get(from..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; 16]);
        let block = u8x16::new(bytes);
        let of = |byte: u8| u8x16::splat(byte);
        // Unsigned comparisons are made of the least of two.
        let below = |block: u8x16, most: u8| block.min(of(most)).simd_eq(block);
        let letter = below((block | of(0x20)) - of(b'a'), 25);
        let digit = below(block - of(b'0'), 9);
        (letter | digit | block.simd_eq(of(b'_')) | block.simd_eq(of(b'-'))).to_bitmask()
    };
    half(0) | half(16) << 16
}

/// Whether what stands behind a name looks like a value with a sign before it.
fn has_value(line: &[u8], start: usize, end: usize) -> bool {
    let rest = line.get(end..).unwrap_or_default();
    let name = rest.iter().take(64).take_while(|byte| NAME.has(**byte)).count();
    let mut at = name;
    let mut signed = false;
    while let Some(byte) = rest.get(at).filter(|byte| BETWEEN.has(**byte) && at < name + 40) {
        signed |= SIGN.has(*byte);
        at += 1;
    }
    if at == name {
        return false;
    }
    if !signed {
        // An option of a command line, or the file of names and passwords that curl reads.
        let before = line.get(start.saturating_sub(64)..start).unwrap_or_default();
        let word = before.iter().rev().take_while(|byte| NAME.has(**byte)).count();
        let (before, word) = before.split_at(before.len() - word);
        if !word.starts_with(b"-") && memchr::memmem::find(before, b"login ").is_none() {
            return false;
        }
    }
    let mut value = rest.get(at..).unwrap_or_default();
    if let Some(behind) = value.strip_prefix(b"value") {
        let gap = behind.iter().take(40).take_while(|byte| BETWEEN.has(**byte)).count();
        value = behind.get(gap..).unwrap_or_default();
    }
    // A type or a scheme may stand before the value, which ends with the string at the latest.
    let mut length = 0;
    let (mut told, mut changes, mut upper) = (false, 0, false);
    for byte in value.iter().take(64) {
        if matches!(byte, b'"' | b'\'' | b'\n') {
            break;
        }
        length += 1;
        told |= TELLING.has(*byte);
        changes += usize::from(byte.is_ascii_uppercase() != upper);
        upper = byte.is_ascii_uppercase();
    }
    // A number is a number of tokens.
    let digits = value.iter().take(64).take_while(|byte| NUMBER.has(**byte)).count();
    let counts = digits > 0
        && matches!(value.get(digits), None | Some(b',' | b'}' | b']' | b' ' | b'\\' | b'\n'));
    length >= 8 && (told || changes * 4 >= length) && !counts && {
        let before = line.get(start.saturating_sub(64)..start).unwrap_or_default();
        let named = before.iter().rev().take_while(|byte| NAME.has(**byte)).count();
        let name = line.get(start - named..end + name).unwrap_or_default();
        // The letter of an escape, and what colours a terminal, are glued to the name: any start of it
        // may be its own.
        let glued = match start.checked_sub(named + 1).and_then(|at| line.get(at)) {
            Some(b'\\' | b'%' | b'[' | b';') => 8,
            _ => 1,
        };
        let says =
            |from: usize| name.get(from..).is_some_and(|name| name::says(name) != Says::Nothing);
        (0..glued).any(says) || HEADERS.iter().any(|word| line.get(start..end) == Some(word))
    }
}

/// What is no name by itself: a header.
const HEADERS: &[&[u8]] =
    &[b"uthoriz", b"UTHORIZ", b"ookie", b"OOKIE", b"\"auth", b"_auth", b"_AUTH", b"_PAT"];
const NUMBER: Class = Class::of(b"0-9.");
const SIGN: Class = Class::of(b"=:>,\"'");

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
    matches!(
        line.get(at..at + 2),
        Some(
            [b'2', b'a'..=b'f' | b'A'..=b'F' | b'0'..=b'9']
            | [b'3', b'0'..=b'9' | b'a' | b'A' | b'd' | b'D']
            | [b'4'..=b'7', _],
        )
    )
}
