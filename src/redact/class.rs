//! Sets of ASCII characters, and a place in a text that notices when it runs off the end.

/// A set of ASCII characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Class(u128);

pub(super) const DIGIT: Class = Class::of(b"0-9");
pub(super) const HEX: Class = Class::of(b"0-9a-fA-F");
pub(super) const UPPER: Class = Class::of(b"A-Z");
pub(super) const UPPER_DIGIT: Class = Class::of(b"A-Z0-9");
pub(super) const ALNUM: Class = Class::of(b"A-Za-z0-9");
pub(super) const WORD: Class = Class::of(b"A-Za-z0-9_");
/// What base64url writes, and most tokens.
pub(super) const TOKEN: Class = Class::of(b"A-Za-z0-9_-");
pub(super) const DOTTED: Class = Class::of(b"A-Za-z0-9_.-");
pub(super) const BASE64: Class = Class::of(b"A-Za-z0-9+/=_-");
/// What `Authorization` may carry behind its scheme.
pub(super) const CREDENTIAL: Class = Class::of(b"A-Za-z0-9+/=_.~%|-");
pub(super) const BLANK: Class = Class::of(b" \t");

impl Class {
    /// Reads characters and ranges such as `a-z`; a `-` at the end is itself.
    pub(super) const fn of(mut spec: &[u8]) -> Self {
        let mut bits = 0;
        while let [from, rest @ ..] = spec {
            if let [b'-', to, behind @ ..] = rest {
                let mut byte = *from;
                while byte <= *to {
                    bits |= 1 << byte;
                    byte += 1;
                }
                spec = behind;
            } else {
                bits |= 1 << *from;
                spec = rest;
            }
        }
        Self(bits)
    }

    #[inline]
    pub(super) fn has(self, byte: u8) -> bool {
        byte < 128 && self.0 >> byte & 1 == 1
    }
}

/// A place in a text. What is read behind the end is byte 0, which no class has, and is noticed: there
/// the text could go on differently.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
    /// Whether what was found depends on where the text ends.
    pub(super) met_end: bool,
    /// The last run of each kind: values that stand in one another are walked over once.
    runs: [(usize, usize); 2],
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t [u8], at: usize) -> Self {
        Self { text, at, met_end: false, runs: [(0, 0); 2] }
    }

    #[inline]
    pub(super) fn peek(&mut self) -> u8 {
        self.peek_at(0)
    }

    #[inline]
    pub(super) fn peek_at(&mut self, ahead: usize) -> u8 {
        let byte = self.text.get(self.at + ahead).copied();
        self.met_end |= byte.is_none();
        byte.unwrap_or_default()
    }

    /// Steps over `byte` if it stands here.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let here = self.peek() == byte;
        self.at += usize::from(here);
        here
    }

    /// Steps over `word` if it stands here.
    pub(super) fn eat_word(&mut self, word: &[u8]) -> bool {
        for (ahead, byte) in word.iter().enumerate() {
            if self.peek_at(ahead) != *byte {
                return false;
            }
        }
        self.at += word.len();
        true
    }

    /// Steps over at most `most` characters of a class and returns how many there were.
    pub(super) fn skip(&mut self, class: Class, most: usize) -> usize {
        self.skip_while(most, |byte| class.has(byte))
    }

    pub(super) fn skip_while(&mut self, most: usize, keep: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.at - start < most && keep(self.peek()) && self.at < self.text.len() {
            self.at += 1;
        }
        self.at - start
    }

    /// Steps over a run of whatever length; a kind of run has always the same characters.
    pub(super) fn run(&mut self, kind: usize, keep: impl Fn(u8) -> bool) {
        let (start, end) = self.runs.get(kind).copied().unwrap_or_default();
        if (start..end).contains(&self.at) {
            self.at = end;
        } else {
            let start = self.at;
            self.skip_while(usize::MAX, keep);
            if let Some(run) = self.runs.get_mut(kind) {
                *run = (start, self.at);
            }
        }
        self.met_end |= self.at >= self.text.len();
    }

    pub(super) fn since(&self, start: usize) -> &'t [u8] {
        self.text.get(start..self.at).unwrap_or_default()
    }
}
