//! Values that must not leave, whatever they look like, in the forms that they are written in.

use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, BuildError};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE};

use super::finder::{Hit, Kind};

/// The shortest value: a shorter one stands in texts that are none of its business.
pub(crate) const SHORTEST: usize = 8;

/// Named values, ready to be looked for.
#[derive(Default)]
pub(super) struct Values {
    /// What each is called in placeholders, and its bytes.
    named: Vec<(String, Vec<u8>)>,
    /// Every form, sorted, and whose it is.
    forms: Vec<(Vec<u8>, usize)>,
    automaton: Option<AhoCorasick>,
}

impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.named.iter().map(|(name, _)| name)).finish()
    }
}

impl Values {
    pub(super) fn add(&mut self, name: String, value: &str) {
        self.named.push((name, value.as_bytes().to_vec()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// Makes what is looked for.
    pub(super) fn build(&mut self) -> Result<(), BuildError> {
        let mut forms = Vec::new();
        for (number, (_, value)) in self.named.iter().enumerate() {
            forms.extend(spellings(value).into_iter().map(|form| (form, number)));
        }
        forms.sort();
        forms.dedup_by(|a, b| a.0 == b.0);
        self.automaton = Some(AhoCorasick::new(forms.iter().map(|(form, _)| form))?);
        self.forms = forms;
        Ok(())
    }

    pub(super) fn name(&self, number: usize) -> &str {
        self.named.get(number).map_or("", |(name, _)| name)
    }

    pub(super) fn value(&self, number: usize) -> &[u8] {
        self.named.get(number).map_or(b"", |(_, value)| value)
    }

    /// What a line must hold to hold a value: of each form a stretch that is written in one way only.
    /// Nothing when a form has no such stretch: then each line must be looked at.
    pub(super) fn marks(&self) -> Option<Vec<Vec<u8>>> {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let mut marks = BTreeSet::new();
        for (form, _) in &self.forms {
            let stretch = form.split(|byte| !plain(byte)).max_by_key(|part| part.len())?;
            if stretch.len() < 3 {
                return None;
            }
            marks.insert(stretch.get(..stretch.len().min(12))?.to_vec());
        }
        Some(marks.into_iter().collect())
    }

    /// Adds where values stand in `text` from `from` on; returns from where on the end of an `open` text
    /// may be the start of one.
    pub(super) fn find(&self, text: &[u8], from: usize, open: bool, hits: &mut Vec<Hit>) -> usize {
        let Some(automaton) = &self.automaton else { return text.len() };
        let mut last = from;
        for found in automaton.find_overlapping_iter(text).filter(|found| found.start() >= from) {
            let Some((_, number)) = self.forms.get(found.pattern().as_usize()) else { continue };
            let hit = Hit { range: found.start()..found.end(), kind: Kind::Value(*number) };
            // The forms of one value lie in one another: the widest is enough.
            match hits
                .last_mut()
                .filter(|before| before.kind == hit.kind && before.range.end >= hit.range.start)
            {
                Some(before) => {
                    before.range.start = before.range.start.min(hit.range.start);
                    before.range.end = before.range.end.max(hit.range.end);
                }
                None => hits.push(hit),
            }
            last = last.max(found.end());
        }
        if !open {
            return text.len();
        }
        let longest = self.forms.iter().map(|(form, _)| form.len()).max().unwrap_or_default();
        (from.max(text.len().saturating_sub(longest))..text.len())
            .find(|at| {
                let tail = text.get(*at..).unwrap_or_default();
                let next = self.forms.partition_point(|(form, _)| form.as_slice() <= tail);
                self.forms.get(next).is_some_and(|(form, _)| form.starts_with(tail))
            })
            .unwrap_or(text.len())
    }
}

/// The forms of a value: as it is, its lines, the strings in it when it is JSON, and each of these as
/// URLs, XML, hex and base64 write it.
fn spellings(value: &[u8]) -> BTreeSet<Vec<u8>> {
    let mut plain: BTreeSet<Vec<u8>> = BTreeSet::from([value.to_vec()]);
    let text = String::from_utf8_lossy(value);
    if text.contains('\n') {
        plain.extend(text.lines().map(|line| line.trim().as_bytes().to_vec()));
        plain.insert(text.trim().replace("\r\n", " ").replace('\n', " ").into_bytes());
        plain.insert(text.trim().as_bytes().to_vec());
    }
    if let Ok(json) = serde_json::from_str(&text) {
        leaves(&json, &mut plain);
    }
    plain.retain(|form| form.len() >= SHORTEST);
    let mut all = BTreeSet::new();
    for form in plain {
        for lower in [false, true] {
            all.insert(percent(&form, b"-._~", lower, false));
            all.insert(percent(&form, b"-._~!'()*", lower, false));
            all.insert(percent(&form, b"-._*", lower, true));
            all.insert(hex(&form, lower));
        }
        all.insert(xml(&form));
        for shift in 0..3 {
            all.extend(base64(&form, shift));
        }
        all.insert(form);
    }
    all.retain(|form| form.len() >= SHORTEST);
    all
}

fn leaves(json: &serde_json::Value, plain: &mut BTreeSet<Vec<u8>>) {
    match json {
        serde_json::Value::String(text) => {
            plain.insert(text.as_bytes().to_vec());
            plain.extend(text.lines().map(|line| line.trim().as_bytes().to_vec()));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| leaves(item, plain)),
        serde_json::Value::Object(members) => {
            members.values().for_each(|member| leaves(member, plain));
        }
        _ => {}
    }
}

fn percent(text: &[u8], keep: &[u8], lower: bool, plus: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 2);
    for byte in text {
        if byte.is_ascii_alphanumeric() || keep.contains(byte) {
            out.push(*byte);
        } else if plus && *byte == b' ' {
            out.push(b'+');
        } else {
            let code = if lower { format!("%{byte:02x}") } else { format!("%{byte:02X}") };
            out.extend_from_slice(code.as_bytes());
        }
    }
    out
}

fn hex(text: &[u8], lower: bool) -> Vec<u8> {
    let code = |byte: &u8| if lower { format!("{byte:02x}") } else { format!("{byte:02X}") };
    text.iter().map(code).collect::<String>().into_bytes()
}

fn xml(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for byte in text {
        match byte {
            b'&' => out.extend_from_slice(b"&amp;"),
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            b'\'' => out.extend_from_slice(b"&#39;"),
            byte => out.push(*byte),
        }
    }
    out
}

/// What base64 of a text that has the value `shift` bytes behind a multiple of three writes in any case.
fn base64(text: &[u8], shift: usize) -> Vec<Vec<u8>> {
    let mut shifted = vec![0; shift];
    shifted.extend_from_slice(text);
    let start = (shift * 8).div_ceil(6);
    let end = shifted.len() * 8 / 6;
    let encoded = [BASE64_STANDARD.encode(&shifted), BASE64_URL_SAFE.encode(&shifted)];
    encoded.iter().filter_map(|form| Some(form.as_bytes().get(start..end)?.to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_in_its_forms() {
        let secret = "pa ss\"w/ord&<é>\nsecond line of it";
        let mut values = Values::default();
        values.add("env-x".into(), secret);
        values.build().unwrap();
        let found = |text: &[u8]| {
            let mut hits = Vec::new();
            values.find(text, 0, false, &mut hits);
            hits.iter().map(|hit| hit.range.len()).max().unwrap_or_default()
        };
        for shift in 0..3 {
            let around = format!("{}{secret}tail", "x".repeat(shift));
            assert!(found(BASE64_STANDARD.encode(&around).as_bytes()) > 40);
            assert!(found(BASE64_URL_SAFE.encode(&around).as_bytes()) > 40);
        }
        assert!(found(b"see: second line of it.") == 17);
        assert!(found(format!("a {secret} b").as_bytes()) == secret.len());
        assert!(found(secret.replace('\n', " ").as_bytes()) == secret.len());
        assert!(found(&hex(secret.as_bytes(), true)) == secret.len() * 2);
        assert_eq!(found(b"nothing"), 0);
        let mut hits = Vec::new();
        assert_eq!(values.find(b"so: second li", 0, true, &mut hits), 4);
    }
}
