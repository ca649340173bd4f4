//! Records to events: which dialect a line belongs to, records glued together, stored events, a whole
//! stream. Uses `input`, `json`, `format` and `adapter`.

pub(crate) mod event_reader;
pub(crate) mod events;
pub(crate) mod feed;
pub(crate) mod glue;
pub(crate) mod normalize;
pub(crate) mod options;
pub(crate) mod parse;
pub(crate) mod reader;
pub(crate) mod verdict;
