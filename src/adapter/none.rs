//! No protocol: every line is text.

use super::{Adapt, Dialect};
use crate::batch::Batch;
use crate::event::RawText;
use crate::json::Value;
use crate::write::Text;

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
