//! Where in the records of a stream pieces of longer texts stand.

use super::value::Value;

/// The places of a dialect.
#[derive(Debug)]
pub(crate) struct Places {
    /// Each kind of record that holds pieces.
    pub(crate) rows: &'static [Place],
    /// Records that stand between the pieces of a text and do not end it. All others do.
    pub(crate) amid: &'static [&'static [(&'static str, &'static str)]],
    /// Whether a line that is no record ends a text.
    pub(crate) noise_ends: bool,
}

/// A kind of record, and where a piece stands in it. A path names members, with dots between; `*` is
/// each element of an array.
#[derive(Debug)]
pub(crate) struct Place {
    /// What such a record has in it as it is written, so that others need not be read for it.
    pub(crate) mark: &'static str,
    /// What members it has.
    pub(crate) when: &'static [(&'static str, &'static str)],
    /// Where the text is.
    pub(crate) text: &'static str,
    /// The members that say whose text it is.
    pub(crate) whose: &'static [&'static str],
    pub(crate) holds: Holds,
}

/// What stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// The next piece.
    Piece,
    /// The next piece, in base64.
    Encoded,
    /// The whole text so far.
    SoFar,
}

/// A dialect that prints no pieces.
pub(crate) const NO_PLACES: Places = Places { rows: &[], amid: &[], noise_ends: false };

/// Whether the record has these members.
pub(crate) fn has(record: Value<'_>, members: &[(&str, &str)]) -> bool {
    members.iter().all(|(path, word)| at(record, path).any(|value| value.is(word)))
}

/// The values that stand at a path.
pub(crate) fn at<'a>(record: Value<'a>, path: &str) -> impl Iterator<Item = Value<'a>> {
    let mut values = vec![record];
    for name in path.split('.') {
        values = if name == "*" {
            values.iter().flat_map(|value| value.elements()).collect()
        } else {
            values.iter().map(|value| value.get(name)).filter(|value| value.exists()).collect()
        };
    }
    values.into_iter()
}
