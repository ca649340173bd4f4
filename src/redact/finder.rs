//! Finds what the built-in rules know in a text, in linear time: the words and beginnings by one
//! automaton, what stands around each of them by a look that is bounded.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::assignment::{self, Found};
use super::class::Cursor;
use super::name;
use super::rules::ROWS;
use super::structure;

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
}

/// What kind of secret it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A rule of our own.
    Built(&'static str),
    /// A value that was named, by its number.
    Value(usize),
    /// A rule of the user's, by its number.
    User(usize),
}

/// What a word or a beginning starts.
#[derive(Debug, Clone, Copy)]
enum Start {
    Token(usize),
    Name,
    Authorization,
    Scheme,
    Cookie,
    Block,
    Address,
    User,
}

const WORDS: &[(&str, Start)] = &[
    ("token", Start::Name),
    ("secret", Start::Name),
    ("passw", Start::Name),
    ("passp", Start::Name),
    ("passc", Start::Name),
    ("pass", Start::Name),
    ("pwd", Start::Name),
    ("key", Start::Name),
    ("credential", Start::Name),
    ("auth", Start::Name),
    ("pat", Start::Name),
    ("authorization", Start::Authorization),
    ("bearer ", Start::Scheme),
    ("basic ", Start::Scheme),
    ("cookie", Start::Cookie),
    ("-----begin ", Start::Block),
    ("---- begin ", Start::Block),
    ("://", Start::Address),
    ("-u ", Start::User),
    ("--user ", Start::User),
];

/// A run of token characters that no token of most issuers is as long as.
const LONG_RUN: usize = 1 << 10;
const _: () = assert!(ROWS.len() <= 64, "each row has a place in `failed`");

/// The built-in rules, ready to use.
#[derive(Debug)]
pub(super) struct Finder {
    automaton: AhoCorasick,
    starts: Vec<(Vec<u8>, Start)>,
    /// The numbers of those that begin with a byte, but for names.
    by_first: Vec<Vec<usize>>,
    longest: usize,
    /// Names of rules that are switched off.
    off: Vec<String>,
}

impl Finder {
    pub(super) fn new(off: Vec<String>) -> Result<Self, aho_corasick::BuildError> {
        let words = WORDS.iter().map(|(word, start)| (word.as_bytes().to_vec(), *start));
        let rows = ROWS.iter().enumerate().flat_map(|(number, row)| {
            row.literals.iter().map(move |l| (l.as_bytes().to_vec(), Start::Token(number)))
        });
        let starts: Vec<_> = words.chain(rows).collect();
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(starts.iter().map(|(literal, _)| literal))?;
        let mut by_first = vec![Vec::new(); 256];
        for (number, (literal, start)) in starts.iter().enumerate() {
            let Some(first) = literal.first().filter(|_| !matches!(start, Start::Name)) else {
                continue;
            };
            let cases = match start {
                Start::Token(_) | Start::User => [Some(*first), None],
                _ => {
                    [Some(*first), Some(first.to_ascii_uppercase()).filter(|upper| upper != first)]
                }
            };
            for byte in cases.into_iter().flatten() {
                by_first.get_mut(usize::from(byte)).into_iter().for_each(|of| of.push(number));
            }
        }
        let longest = starts.iter().map(|(literal, _)| literal.len()).max().unwrap_or_default();
        Ok(Self { automaton, starts, by_first, longest, off })
    }

    /// Names of the rules.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        const OTHERS: [&str; 9] = [
            "password",
            "token",
            "key",
            "secret",
            "docker-auth",
            "authorization",
            "cookie",
            "private-key",
            "url-password",
        ];
        ROWS.iter().map(|row| row.name).chain(OTHERS)
    }

    fn is_on(&self, name: &str) -> bool {
        !self.off.iter().any(|off| off == name)
    }

    /// Adds the secrets of `text` that start at or behind `from`; what stands before is there to be
    /// looked back at. Where the text is `open`, it may go on: returns from where on it must be
    /// looked at again when it does.
    pub(super) fn find(&self, text: &[u8], from: usize, open: bool, hits: &mut Vec<Hit>) -> usize {
        let mut live = text.len();
        let mut cursor = Cursor::new(text, 0);
        // A start inside what the same kind of start has found already says nothing new.
        let mut done = [0_usize; 8];
        // Nor does one inside a long run that was no token of that row.
        let mut failed = [0_usize; 64];
        for word in self.automaton.find_overlapping_iter(text) {
            let Some((literal, start)) = self.starts.get(word.pattern().as_usize()) else {
                continue;
            };
            let range = word.start()..word.end();
            let slot = match start {
                Start::Token(_) => 0,
                Start::Name => 1,
                Start::Authorization => 2,
                Start::Scheme => 3,
                Start::Cookie => 4,
                Start::Block => 5,
                Start::Address => 6,
                Start::User => 7,
            };
            let begin = range.start;
            if begin < from || done.get(slot).is_some_and(|done| begin < *done) {
                continue;
            }
            cursor.met_end = false;
            let found: Found = match start {
                Start::Token(number) => {
                    // The automaton takes any case.
                    let row =
                        ROWS.get(*number).filter(|_| text.get(range.clone()) == Some(literal));
                    let failed = failed.get_mut(*number).filter(|failed| begin >= **failed);
                    let (Some(row), Some(failed)) = (row, failed) else { continue };
                    let token = structure::token(&mut cursor, row, range);
                    if token.is_none() && cursor.at > begin + LONG_RUN {
                        *failed = cursor.at;
                    }
                    token.map(|range| (range, row.name))
                }
                Start::Name => assignment::find(&mut cursor, range),
                Start::Authorization => assignment::authorization(&mut cursor, range),
                Start::Scheme => assignment::scheme(&mut cursor, range),
                Start::Cookie => assignment::cookie(&mut cursor, range),
                Start::Block => structure::block(&mut cursor, range),
                Start::Address => structure::address(&mut cursor, range),
                Start::User => structure::user(&mut cursor, range),
            };
            if open && cursor.met_end {
                live = live.min(begin);
            }
            let Some((range, kind)) = found else { continue };
            if self.is_on(kind) {
                if let Some(done) = done.get_mut(slot) {
                    *done = range.end;
                }
                hits.push(Hit { range, kind: Kind::Built(kind) });
            }
        }
        if open { live.min(self.unfinished(text, from)) } else { text.len() }
    }

    /// From where on the end of `text` may be the start of a word or a beginning.
    fn unfinished(&self, text: &[u8], from: usize) -> usize {
        let mut live = text.len();
        if let Some(part) = name::beginning(text) {
            live = live.min((text.len() - part).max(from));
        }
        for at in from.max(text.len().saturating_sub(self.longest))..live {
            let tail = text.get(at..).unwrap_or_default();
            let first = tail.first().and_then(|first| self.by_first.get(usize::from(*first)));
            let begins = |number: &usize| {
                let Some((literal, start)) = self.starts.get(*number) else { return false };
                let Some(head) = literal.get(..tail.len()) else { return false };
                match start {
                    Start::Name => false,
                    Start::Token(_) => {
                        head == tail
                            && head
                                .first()
                                .is_some_and(|first| structure::is_edge(text, at, *first))
                    }
                    Start::User => head == tail && structure::is_option(text, at),
                    _ => head.eq_ignore_ascii_case(tail),
                }
            };
            if first.is_some_and(|numbers| numbers.iter().any(begins)) {
                return at;
            }
        }
        live
    }

    /// What the member of an object has, of which the key is `key`.
    pub(super) fn member(&self, key: &[u8], value: &[u8]) -> Option<Hit> {
        let mut cursor = Cursor::new(value, 0);
        let found = if key.eq_ignore_ascii_case(b"authorization")
            || key.eq_ignore_ascii_case(b"proxy-authorization")
        {
            assignment::credential(&mut cursor)
        } else if key.eq_ignore_ascii_case(b"cookie") || key.eq_ignore_ascii_case(b"set-cookie") {
            Some((0..value.len(), "cookie")).filter(|_| assignment::is_cookie(value))
        } else {
            assignment::member(key, value)
        };
        let (range, kind) = found.filter(|(_, kind)| self.is_on(kind))?;
        Some(Hit { range, kind: Kind::Built(kind) })
    }
}
