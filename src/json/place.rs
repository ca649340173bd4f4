//! Where in the records of a stream pieces of longer texts stand.

use super::value::Value;

/// The places of a dialect.
#[derive(Debug)]
pub(crate) struct Places {
    /// Each kind of record that holds pieces.
    pub(crate) rows: &'static [PieceAt],
    /// Records that stand between the pieces of a text and do not end it. All others do.
    pub(crate) amid: &'static [&'static [(&'static str, &'static str)]],
    /// Whether a line that is no record ends a text.
    pub(crate) noise_ends: bool,
    /// Whether a piece of another text ends a text.
    pub(crate) one_at_a_time: bool,
    /// The member that says which of the agents at work speaks. A record ends the texts of its own.
    pub(crate) speaker: &'static str,
}

/// A kind of record, and where a piece stands in it. A path names members, with dots between; `*` is
/// each element of an array, `**` each string inside.
#[derive(Debug)]
pub(crate) struct PieceAt {
    /// What such a record has in it as it is written, so that others need not be read for it.
    pub(crate) mark: &'static str,
    /// What members it has: their values, `*` for any, nothing for none.
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
    /// The next piece, in base64 or as a list of bytes.
    Encoded,
    /// The whole text so far.
    SoFar,
}

impl Places {
    /// A dialect that prints no pieces.
    pub(crate) const NONE: Places =
        Places { rows: &[], amid: &[], noise_ends: false, one_at_a_time: false, speaker: "" };
}

/// A dialect that prints no pieces.
pub(crate) static NO_PLACES: Places = Places::NONE;

impl PieceAt {
    /// A place of the next piece.
    pub(crate) const fn piece(
        mark: &'static str,
        when: &'static [(&'static str, &'static str)],
        text: &'static str,
        whose: &'static [&'static str],
    ) -> Self {
        Self { mark, when, text, whose, holds: Holds::Piece }
    }

    /// A place of the whole text so far.
    pub(crate) const fn so_far(
        mark: &'static str,
        when: &'static [(&'static str, &'static str)],
        text: &'static str,
    ) -> Self {
        Self { mark, when, text, whose: &[], holds: Holds::SoFar }
    }
}

/// Whether the record has these members.
pub(crate) fn has(record: Value<'_>, members: &[(&str, &str)]) -> bool {
    members.iter().all(|(path, word)| {
        let mut values = at(record, path);
        match *word {
            "" => !values.any(Value::is_some),
            "*" => values.any(Value::is_some),
            word => values.any(|value| value.is(word) || value.text() == word),
        }
    })
}

/// The values that stand at a path.
pub(crate) fn at<'a>(record: Value<'a>, path: &str) -> impl Iterator<Item = Value<'a>> {
    let plain = !path.contains('*');
    let one = plain.then(|| path.split('.').fold(record, Value::get)).filter(|v| v.exists());
    let many = if plain { Vec::new() } else { each(record, path) };
    one.into_iter().chain(many)
}

fn each<'a>(record: Value<'a>, path: &str) -> Vec<Value<'a>> {
    let mut values = vec![record];
    for name in path.split('.') {
        values = match name {
            "*" => values.iter().flat_map(|value| value.elements()).collect(),
            "**" => values.iter().flat_map(|value| value.scalars()).collect(),
            name => values.iter().map(|value| value.get(name)).filter(|v| v.exists()).collect(),
        };
    }
    values
}
