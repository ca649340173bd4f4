//! No protocol: every line is text.

use super::{Adapt, Dialect};
use crate::format::batch::Batch;
use crate::format::event::RawText;
use crate::format::write::Text;
use crate::json::Value;

pub(super) const DIALECT: Dialect =
    Dialect { name: "none", summary: "every line is text", ..Dialect::BASE };

#[derive(Debug, Default)]
pub(crate) struct Adapter;

impl Adapt for Adapter {
    fn record(&mut self, record: Value<'_>, out: &mut Batch) {
        out.push(RawText { text: Text::from(record.text()), ..RawText::default() });
    }

    fn has_end(&self) -> bool {
        false
    }
}
