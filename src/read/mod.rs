//! Records to events: which dialect a line belongs to, records glued together, stored events, a whole
//! stream. Uses `input`, `json`, `format` and `adapter`.

pub(crate) mod either;
pub(crate) mod glue;
pub(crate) mod normalize;
pub(crate) mod options;
pub(crate) mod parse;
pub(crate) mod reader;

// The row of the dialect names its detection.
pub(crate) use reader::stored;
