//! JSON in a string, in a string: each level of escapes taken off, and the way back.

use crate::limits::MAX_ESCAPE_LEVELS;

/// A text without one level of escapes, and where its bytes stood.
#[derive(Debug, Default)]
pub(super) struct Level {
    pub(super) text: Vec<u8>,
    /// Behind each escape, and where an escape starts: a place in the text, and the same place in what
    /// was read. Between them both go on at the same pace.
    marks: Vec<(u32, u32)>,
}

impl Level {
    /// Takes the escapes off; nothing when there are none. Half an escape at the end of an `open` text
    /// stays; where it starts is `torn`.
    fn read(text: &[u8]) -> Option<Self> {
        let mut level = Level::default();
        let mut at = 0;
        for slash in memchr::memchr_iter(b'\\', text) {
            if slash < at {
                continue;
            }
            let Some((length, value)) = escape(text.get(slash..)?) else { continue };
            level.text.extend_from_slice(text.get(at..slash)?);
            level.mark(slash);
            level.text.extend_from_slice(value.encode_utf8(&mut [0; 4]).as_bytes());
            at = slash + length;
            level.mark(at);
        }
        if level.marks.is_empty() {
            return None;
        }
        level.text.extend_from_slice(text.get(at..)?);
        Some(level)
    }

    fn mark(&mut self, read: usize) {
        let place = (u32::try_from(self.text.len()), u32::try_from(read));
        if let (Ok(here), Ok(there)) = place {
            self.marks.push((here, there));
        }
    }

    /// Where the byte at `at` stood; inside an escape that is the escape's start.
    fn back(&self, at: usize) -> usize {
        let next = self.marks.partition_point(|(here, _)| *here as usize <= at);
        let Some((here, there)) = next.checked_sub(1).and_then(|i| self.marks.get(i)) else {
            return at;
        };
        let place = *there as usize + (at - *here as usize);
        // What is written by several bytes is written by one escape.
        self.marks.get(next).map_or(place, |(_, start)| place.min(*start as usize))
    }
}

/// The levels of a text, the outermost first.
#[derive(Debug)]
pub(super) struct Levels {
    levels: Vec<Level>,
}

impl Levels {
    pub(super) fn of(text: &[u8]) -> Self {
        let mut levels: Vec<Level> = Vec::new();
        while levels.len() < MAX_ESCAPE_LEVELS {
            let Some(level) = Level::read(levels.last().map_or(text, |level| &level.text)) else {
                break;
            };
            levels.push(level);
        }
        Self { levels }
    }

    pub(super) fn count(&self) -> usize {
        self.levels.len()
    }

    pub(super) fn text(&self, number: usize) -> Option<&[u8]> {
        self.levels.get(number).map(|level| level.text.as_slice())
    }

    /// Where the byte at `at` of level `number` stands in the text itself.
    pub(super) fn back(&self, number: usize, at: usize) -> usize {
        self.levels.iter().take(number + 1).rev().fold(at, |at, level| level.back(at))
    }

    /// Where in level `number` the byte at `at` of the text itself stands.
    pub(super) fn forth(&self, number: usize, at: usize) -> usize {
        self.levels.iter().take(number + 1).fold(at, |at, level| {
            let next = level.marks.partition_point(|(_, there)| *there as usize <= at);
            let Some((here, there)) = next.checked_sub(1).and_then(|i| level.marks.get(i)) else {
                return at;
            };
            let place = *here as usize + (at - *there as usize);
            level.marks.get(next).map_or(place, |(start, _)| place.min(*start as usize))
        })
    }
}

/// The escape at the start of `text`: its length, and the character.
fn escape(text: &[u8]) -> Option<(usize, char)> {
    let simple = match text.get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(text),
        _ => return None,
    };
    Some((2, simple))
}

fn unicode(text: &[u8]) -> Option<(usize, char)> {
    let unit = unit(text)?;
    if (0xd800..0xdc00).contains(&unit)
        && let Some(low) =
            text.get(6..).and_then(self::unit).filter(|low| (0xdc00..0xe000).contains(low))
    {
        return Some((12, char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00))?));
    }
    Some((6, char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)))
}

fn unit(text: &[u8]) -> Option<u32> {
    let digits = text.get(..6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

/// Where an escape starts that the end of `text` cuts off, be it one that is quoted itself.
pub(super) fn torn(text: &[u8]) -> usize {
    let tail = text.len().saturating_sub(64);
    let rest = text.get(tail..).unwrap_or_default();
    let Some(last) = rest.iter().rposition(|byte| *byte == b'\\') else { return text.len() };
    let first = rest.get(..last).unwrap_or_default();
    let first = last - first.iter().rev().take_while(|byte| **byte == b'\\').count();
    let behind = rest.get(last + 1..).unwrap_or_default();
    let whole = match behind.first() {
        None => false,
        Some(b'u') => behind.len() > 4 || !behind.iter().skip(1).all(u8::is_ascii_hexdigit),
        Some(_) => true,
    };
    if whole { text.len() } else { tail + first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_taken_off_and_lead_back() {
        let text = r#"a\\\"k\\\": \\u0067hp\/é \ud83d\ude80 z"#.as_bytes();
        let levels = Levels::of(text);
        assert_eq!(levels.text(0).unwrap(), "a\\\"k\\\": \\u0067hp/é 🚀 z".as_bytes());
        assert_eq!(levels.text(1).unwrap(), "a\"k\": ghp/é 🚀 z".as_bytes());
        assert_eq!(levels.count(), 2);
        let deep = levels.text(1).unwrap();
        for (needle, want) in
            [(&b"k"[..], &b"k"[..]), (b"g", br"\\u0067"), (b"z", b"z"), (b"/", br"\/")]
        {
            let at = memchr::memmem::find(deep, needle).unwrap();
            let (start, end) = (levels.back(1, at), levels.back(1, at + needle.len()));
            assert_eq!(&text[start..end], want);
            assert_eq!(levels.forth(1, start), at);
        }
    }

    #[test]
    fn half_an_escape_is_seen() {
        assert_eq!(torn(br"ab\"), 2);
        assert_eq!(torn(br"ab\\\u00"), 2);
        assert_eq!(torn(br"ab\n"), 4);
        assert_eq!(torn(br"ab\u0067"), 8);
        assert_eq!(torn(b"ab"), 2);
    }
}
