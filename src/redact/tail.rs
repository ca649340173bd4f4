//! Texts that come in pieces: of each, the end that may become a secret with the next piece is held
//! back, and nothing else.

use std::ops::Range;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::look::{Form, Look, Span, render};
use super::{Made, Redactor, count, placeholder, readable};
use crate::input::text;
use crate::json::place::{self, Holds, PieceAt, Places};
use crate::json::{Doc, Value};
use crate::limits::{MAX_HELD_PIECE, MAX_LOOK_BACK, MAX_OPEN_PIECES};

/// The texts that are open.
#[derive(Debug, Default)]
pub(super) struct Tails {
    texts: Vec<Tail>,
    /// The line before, where nothing is left of its piece.
    withheld: Option<Withheld>,
}

/// A line of which the piece was held back whole. What was held comes in it after all when the text ends
/// with the next line, so that reading the records again holds back and gives the same.
#[derive(Debug)]
struct Withheld {
    line: Vec<u8>,
    kinds: Vec<String>,
    /// Whose piece it was, and where it stood.
    whose: String,
    at: Range<usize>,
}

#[derive(Debug)]
struct Tail {
    whose: String,
    /// What was let go last, as it was.
    before: Vec<u8>,
    held: Vec<u8>,
    holds: How,
    /// Which agent speaks it.
    speaker: String,
    /// The record that the last piece came in, and where in it the piece stood.
    record: Vec<u8>,
    at: Range<usize>,
    /// It grew over all bounds: nothing of it is let go any more.
    lost: bool,
}

/// How a piece is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Text,
    Base64,
    /// A list of numbers.
    Bytes,
    SoFar,
}

/// A piece: where it stands in a line, whose it is, and what it holds.
#[derive(Debug)]
struct Piece {
    inside: Range<usize>,
    whose: String,
    speaker: String,
    holds: How,
}

/// Finds the pieces of a record.
fn pieces(doc: &mut Doc, line: &str, places: &Places) -> Vec<Piece> {
    let mut found = Vec::new();
    let Some(record) = doc.parse(line).filter(|record| record.is_object()) else { return found };
    let rows = places.rows.iter().enumerate();
    for (number, row) in
        rows.filter(|(_, row)| line.contains(row.mark) && place::has(record, row.when))
    {
        let PieceAt { text, whose, holds, .. } = row;
        let mut owner = number.to_string();
        for path in *whose {
            for value in place::at(record, path) {
                owner.push('\u{1f}');
                owner.push_str(value.text().get(..200.min(value.text().len())).unwrap_or_default());
            }
        }
        for (number, value) in place::at(record, text).enumerate() {
            let Some(span) = value.span() else { continue };
            let (inside, holds) = match holds {
                Holds::Encoded if value.is_array() => (span, How::Bytes),
                _ if !value.is_string() => continue,
                Holds::Encoded => (span.start + 1..span.end - 1, How::Base64),
                Holds::Piece => (span.start + 1..span.end - 1, How::Text),
                Holds::SoFar => (span.start + 1..span.end - 1, How::SoFar),
            };
            let whose = format!("{owner}\u{1f}{number}");
            found.push(Piece { inside, whose, speaker: speaker(record, places), holds });
        }
    }
    found.sort_by_key(|piece| piece.inside.start);
    found.dedup_by(|a, b| a.inside == b.inside);
    found
}

/// Whether one of the marks stands in the line. Rows that share one stand side by side.
fn is_marked(line: &[u8], places: &Places) -> bool {
    let mut last = "";
    places.rows.iter().any(|row| {
        let new = std::mem::replace(&mut last, row.mark) != row.mark;
        new && memchr::memmem::find(line, row.mark.as_bytes()).is_some()
    })
}

/// Which of the agents at work a record is of.
fn speaker(record: Value<'_>, places: &Places) -> String {
    let named = place::at(record, places.speaker).find(|value| value.is_some());
    named.map_or_else(String::new, |value| value.text().to_owned())
}

impl Redactor {
    /// Reads a line that may hold pieces; nothing where it holds none. Returns whether it has changed.
    pub(super) fn piece(&mut self, line: &[u8], places: &'static Places) -> Option<bool> {
        if self.tails.texts.is_empty() && !is_marked(line, places) {
            return None;
        }
        let blank = text::trim(line).is_empty();
        let written = readable(line);
        let trimmed = text::trim(written.as_bytes());
        let lead = written.len()
            - written.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\u{b}', '\u{c}']).len();
        let record = written.get(lead..lead + trimmed.len()).unwrap_or_default();
        let mut doc = std::mem::take(&mut self.doc);
        let mut found = pieces(&mut doc, record, places);
        if found.is_empty() {
            let ends = match doc.parse(record).filter(|record| record.is_object()) {
                Some(record) => {
                    let amid = places.amid.iter().any(|members| place::has(record, members));
                    (!amid).then(|| Some(speaker(record, places)))
                }
                None => (places.noise_ends && !blank).then_some(None),
            };
            self.doc = doc;
            match ends {
                Some(Some(speaker)) => self.end_texts_of(|tail| tail.speaker == speaker),
                Some(None) => self.end_texts(),
                None => {}
            }
            return None;
        }
        self.doc = doc;
        for piece in &mut found {
            piece.inside.start += lead;
            piece.inside.end += lead;
        }
        if found
            .iter()
            .any(|piece| self.tails.withheld.as_ref().is_some_and(|w| w.whose == piece.whose))
        {
            self.let_go();
        }
        if places.one_at_a_time {
            self.end_texts_of(|tail| !found.iter().any(|piece| piece.whose == tail.whose));
        }
        self.let_go();
        Some(self.rewrite(written.as_bytes(), &found, line))
    }

    fn rewrite(&mut self, line: &[u8], found: &[Piece], original: &[u8]) -> bool {
        let rules = std::sync::Arc::clone(&self.rules);
        let except: Vec<_> = found.iter().map(|piece| piece.inside.clone()).collect();
        let mut spans: Vec<Span> = Vec::new();
        if rules.prefilter.may_hold(line) {
            spans = rules.look_in_json(line, &except);
        }
        let mut kinds = count(&self.report, &spans);
        let mut at = 0;
        let mut out = Vec::with_capacity(line.len() + 64);
        let mut written: Vec<(usize, Range<usize>)> = Vec::new();
        for (number, piece) in found.iter().enumerate() {
            render(line, at, piece.inside.start, &spans, &mut out);
            let start = out.len();
            let inside = line.get(piece.inside.clone()).unwrap_or_default();
            kinds.append(&mut self.next(piece, inside, &mut out));
            written.push((number, start..out.len()));
            at = piece.inside.end;
        }
        render(line, at, line.len(), &spans, &mut out);
        // A text that holds something back can be gone on with in a record like this one.
        for (number, range) in &written {
            let Some(piece) = found.get(*number) else { continue };
            let Some(tail) = self.tails.texts.iter_mut().find(|tail| tail.whose == piece.whose)
            else {
                continue;
            };
            if tail.held.is_empty() {
                tail.record.clear();
                continue;
            }
            tail.record.clear();
            let mut from = 0;
            for (other, other_range) in &written {
                let keep = out.get(from..other_range.start).unwrap_or_default();
                tail.record.extend_from_slice(keep);
                if other == number {
                    tail.at = tail.record.len()..tail.record.len();
                } else if let Some(other) = found.get(*other) {
                    push(b"", other.holds, &mut tail.record);
                }
                from = other_range.end;
            }
            tail.record.extend_from_slice(out.get(from..).unwrap_or_default());
            debug_assert!(range.end <= out.len(), "the piece stands in the line");
        }
        let changed = out != original;
        let mut next = found.iter().zip(&written).filter(|(piece, _)| piece.holds != How::SoFar);
        if let (Some((piece, (_, range))), None) = (next.next(), next.next())
            && matches!(out.get(range.clone()), Some(b"" | b"[]"))
            && self
                .tails
                .texts
                .iter()
                .any(|tail| tail.whose == piece.whose && !tail.held.is_empty())
        {
            let (whose, at) = (piece.whose.clone(), range.clone());
            self.tails.withheld = Some(Withheld { line: out, kinds, whose, at });
            self.withholds = true;
            return false;
        }
        self.made = Made { line: out, kinds, late: false };
        changed
    }

    /// Lets the line before go, without its piece.
    pub(super) fn let_go(&mut self) {
        if let Some(Withheld { line, kinds, .. }) = self.tails.withheld.take() {
            self.before.push(Made { line, kinds, late: true });
        }
    }

    /// Takes the next piece of a text and writes what can be let go.
    fn next(&mut self, piece: &Piece, inside: &[u8], out: &mut Vec<u8>) -> Vec<String> {
        let rules = std::sync::Arc::clone(&self.rules);
        if piece.holds == How::SoFar {
            let (spans, live) = rules.look_ahead(inside, Form::Inside, 0);
            render(inside, 0, live, &spans, out);
            return count(&self.report, &spans);
        }
        let decoded = match piece.holds {
            How::Base64 => BASE64_STANDARD.decode(inside).ok(),
            How::Bytes => bytes(inside),
            How::Text | How::SoFar => Some(Vec::new()),
        };
        // What does not decode is nothing that anyone could read.
        let Some(decoded) = decoded else {
            push(b"", piece.holds, out);
            return Vec::new();
        };
        let plain = piece.holds != How::Text;
        let index = self.tail(piece);
        let Some(tail) = self.tails.texts.get_mut(index) else { return Vec::new() };
        if tail.lost {
            push(b"", piece.holds, out);
            return Vec::new();
        }
        let from = tail.before.len();
        let mut text = std::mem::take(&mut tail.before);
        text.append(&mut tail.held);
        text.extend_from_slice(if plain { &decoded } else { inside });
        let form = if plain { Form::Plain } else { Form::Inside };
        let (spans, live) = rules.look_ahead(&text, form, from);
        let mut kinds = count(&self.report, &spans);
        let mut released = Vec::new();
        render(&text, from, live, &spans, &mut released);
        tail.held = text.split_off(live);
        tail.before = text.split_off(live.saturating_sub(MAX_LOOK_BACK));
        if tail.held.len() > MAX_HELD_PIECE {
            tail.lost = true;
            tail.held = Vec::new();
            released.extend_from_slice(placeholder::WHOLE.as_bytes());
            kinds.push("line".to_owned());
        }
        push(&released, tail.holds, out);
        kinds
    }

    /// The text of a piece, which opens it where it is new.
    fn tail(&mut self, piece: &Piece) -> usize {
        if let Some(at) = self.tails.texts.iter().position(|tail| tail.whose == piece.whose) {
            return at;
        }
        if self.tails.texts.len() >= MAX_OPEN_PIECES {
            let oldest = self.tails.texts.remove(0);
            self.end_text(oldest);
        }
        self.tails.texts.push(Tail {
            whose: piece.whose.clone(),
            before: Vec::new(),
            held: Vec::new(),
            holds: piece.holds,
            speaker: piece.speaker.clone(),
            record: Vec::new(),
            at: 0..0,
            lost: false,
        });
        self.tails.texts.len() - 1
    }

    /// Ends all texts: what was held of them comes in records of its own.
    pub(super) fn end_texts(&mut self) {
        for tail in std::mem::take(&mut self.tails.texts) {
            self.end_text(tail);
        }
        self.let_go();
    }

    /// Ends some of the texts.
    fn end_texts_of(&mut self, ends: impl Fn(&Tail) -> bool) {
        for tail in self.tails.texts.extract_if(.., |tail| ends(tail)).collect::<Vec<_>>() {
            self.end_text(tail);
        }
    }

    fn end_text(&mut self, tail: Tail) {
        if tail.held.is_empty() || tail.record.is_empty() {
            return;
        }
        let from = tail.before.len();
        let mut text = tail.before;
        text.extend_from_slice(&tail.held);
        let form = if tail.holds == How::Text { Form::Inside } else { Form::Plain };
        let (spans, _) = self.rules.look(Look { text: &text, form, from, open: false, key: None });
        let mut released = Vec::new();
        render(&text, from, text.len(), &spans, &mut released);
        let mut kinds = count(&self.report, &spans);
        let withheld = self.tails.withheld.take_if(|withheld| withheld.whose == tail.whose);
        let late = withheld.is_some();
        let (record, at) = if let Some(withheld) = withheld {
            kinds.extend(withheld.kinds);
            (withheld.line, withheld.at)
        } else {
            self.let_go();
            (tail.record, tail.at)
        };
        let mut line = record.get(..at.start).unwrap_or_default().to_vec();
        push(&released, tail.holds, &mut line);
        line.extend_from_slice(record.get(at.end..).unwrap_or_default());
        self.before.push(Made { line, kinds, late });
    }
}

/// The bytes of a list of numbers.
fn bytes(list: &[u8]) -> Option<Vec<u8>> {
    let inside = list.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let text = std::str::from_utf8(inside).ok()?;
    text.split(',').map(str::trim).filter(|byte| !byte.is_empty()).map(|b| b.parse().ok()).collect()
}

fn push(released: &[u8], holds: How, out: &mut Vec<u8>) {
    match holds {
        How::Base64 => out.extend_from_slice(BASE64_STANDARD.encode(released).as_bytes()),
        How::Bytes => {
            let list: Vec<_> = released.iter().map(u8::to_string).collect();
            out.extend_from_slice(format!("[{}]", list.join(",")).as_bytes());
        }
        How::Text | How::SoFar => out.extend_from_slice(released),
    }
}
