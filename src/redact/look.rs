//! One text, looked at on all its levels: where secrets stand in it as it is written.

use std::borrow::Cow;

use super::Rules;
use super::finder::{Hit, Kind};
use super::judge;
use super::placeholder;
use super::unescape::{Levels, torn};

/// A stretch that a placeholder takes the place of.
#[derive(Debug, Clone)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: String,
    pub(super) hash: u64,
    rank: (u8, usize),
}

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The inside of a JSON string.
    Inside,
    /// As it is; what it quotes may have escapes.
    Plain,
}

/// What to look at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<'t> {
    pub(super) text: &'t [u8],
    pub(super) form: Form,
    /// Up to here it was looked at before.
    pub(super) from: usize,
    /// Whether it may go on.
    pub(super) open: bool,
    /// The key that it is the value of.
    pub(super) key: Option<&'t [u8]>,
}

impl Rules {
    /// Where secrets stand in a text, in order and apart from one another, and from where on it must be
    /// looked at again when it goes on.
    pub(super) fn look(&self, look: Look<'_>) -> (Vec<Span>, usize) {
        let Look { text, form, from, open, key } = look;
        let mut spans = Vec::new();
        let mut live = if open { torn(text).max(from) } else { text.len() };
        let mut hits = Vec::new();
        if form == Form::Plain || memchr::memchr(b'\\', text).is_none() {
            live = live.min(self.look_at(text, from, open, key, &mut hits));
            self.keep(text, &mut hits, |at| at, &mut spans);
        }
        let levels = Levels::of(text);
        for number in 0..levels.count() {
            let Some(level) = levels.text(number) else { break };
            let key = key.filter(|_| number == 0);
            let found = self.look_at(level, levels.forth(number, from), open, key, &mut hits);
            if open && found < level.len() {
                live = live.min(levels.back(number, found).max(from));
            }
            self.keep(level, &mut hits, |at| levels.back(number, at), &mut spans);
        }
        spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut apart: Vec<Span> = Vec::with_capacity(spans.len());
        for span in spans {
            match apart.last_mut().filter(|last| span.start < last.end) {
                Some(last) => {
                    last.end = last.end.max(span.end);
                    if span.rank > last.rank {
                        (last.kind, last.hash, last.rank) = (span.kind, span.hash, span.rank);
                    }
                }
                None => apart.push(span),
            }
        }
        // What reaches into what is still open is open as a whole.
        while let Some(last) = apart.pop_if(|last| last.end > live) {
            live = live.min(last.start);
        }
        (apart, live)
    }

    /// Looks at a text that goes on. What may leave of it does not itself end in what would be held
    /// back: reading that again changes nothing.
    pub(super) fn look_ahead(&self, text: &[u8], form: Form, from: usize) -> (Vec<Span>, usize) {
        let mut rest = text;
        loop {
            let look = Look { text: rest, form, from, open: true, key: None };
            let (spans, live) = self.look(look);
            if live <= from || live == rest.len() {
                return (spans, live);
            }
            rest = rest.get(..live).unwrap_or_default();
        }
    }

    fn look_at(
        &self,
        text: &[u8],
        from: usize,
        open: bool,
        key: Option<&[u8]>,
        hits: &mut Vec<Hit>,
    ) -> usize {
        let mut live = self.finder.find(text, from, open, hits);
        live = live.min(self.values.find(text, from, open, hits));
        live = live.min(self.user.find(text, from, open, hits));
        if let Some(key) = key {
            hits.extend(self.finder.member(key, text));
        }
        live
    }

    /// Makes spans of what was found in a level; `back` leads to the text itself.
    fn keep(
        &self,
        level: &[u8],
        hits: &mut Vec<Hit>,
        back: impl Fn(usize) -> usize,
        spans: &mut Vec<Span>,
    ) {
        let done: Vec<_> =
            if hits.is_empty() { Vec::new() } else { placeholder::find(level).collect() };
        for hit in hits.drain(..) {
            let Some(secret) = level.get(hit.range.clone()) else { continue };
            if self.user.allows(secret) {
                continue;
            }
            let (kind, hash, rank) = self.kind(hit.kind, secret);
            let mut add = |start: usize, end: usize| {
                if start < end {
                    let rank = (rank, end - start);
                    spans.push(Span {
                        start: back(start),
                        end: back(end),
                        kind: kind.to_string(),
                        hash,
                        rank,
                    });
                }
            };
            // What was redacted before stays as it is; what stands beside it may be a secret's rest.
            let mut start = hit.range.start;
            let mut beside = false;
            for (from, to) in &done {
                if *to > hit.range.start && *from < hit.range.end {
                    let rest = level.get(start..(*from).max(start)).unwrap_or_default();
                    if rest.len() >= 8 && judge::is_random(rest) {
                        add(start, *from);
                    }
                    start = *to;
                    beside = true;
                }
            }
            let rest = level.get(start..hit.range.end).unwrap_or_default();
            if !beside || rest.len() >= 8 && judge::is_random(rest) {
                add(start, hit.range.end);
            }
        }
    }

    fn kind(&self, kind: Kind, secret: &[u8]) -> (Cow<'_, str>, u64, u8) {
        let hash = |secret: &[u8]| self.key.hash(&meant(secret));
        match kind {
            Kind::Value(number) => {
                (self.values.name(number).into(), hash(self.values.value(number)), 3)
            }
            Kind::User(number) => (self.user.name(number).into(), hash(secret), 2),
            Kind::Built(name) => {
                let general = matches!(name, "password" | "token" | "key" | "secret");
                (name.into(), hash(secret), u8::from(!general))
            }
        }
    }
}

/// A secret as it is meant, however often it was quoted and wherever its lines were broken.
fn meant(secret: &[u8]) -> Vec<u8> {
    let levels = Levels::of(secret);
    let plain = levels.count().checked_sub(1).and_then(|last| levels.text(last)).unwrap_or(secret);
    plain.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
}

/// Writes `text` from `from` to `to` with placeholders where the spans are.
pub(super) fn render(text: &[u8], from: usize, to: usize, spans: &[Span], out: &mut Vec<u8>) {
    let mut at = from;
    for span in spans.iter().filter(|span| span.start >= from && span.end <= to) {
        out.extend_from_slice(text.get(at..span.start).unwrap_or_default());
        out.extend_from_slice(placeholder::write(&span.kind, span.hash).as_bytes());
        at = span.end;
    }
    out.extend_from_slice(text.get(at..to).unwrap_or_default());
}
