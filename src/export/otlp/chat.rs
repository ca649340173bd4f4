//! Model calls: what the events of one call say together.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::names;
use super::span::{Attributes, Kind, Moment, Span};
use crate::format::event::owned::CallUsage;
use crate::report::summary::Figures;

/// A model call, or what may yet turn out to be one.
#[derive(Debug, Default)]
pub(super) struct Chat {
    pub(super) start: i64,
    pub(super) end: i64,
    pub(super) parent: [u8; 8],
    pub(super) message: Option<String>,
    pub(super) model: Option<String>,
    /// `None` while nothing says that there was a call.
    pub(super) figures: Option<Figures>,
    pub(super) inputs: Vec<Json>,
    pub(super) outputs: Vec<Json>,
    pub(super) moments: Vec<Moment>,
    pub(super) is_compacted: bool,
}

impl Chat {
    pub(super) fn spend(&mut self, usage: &CallUsage) {
        let spent = figures(usage);
        self.figures = Some(self.figures.map_or(spent, |figures| figures.plus(&spent)));
        self.model = usage.model.clone().or(self.model.take());
    }

    /// Makes the span.
    pub(super) fn span(
        self,
        id: [u8; 8],
        shared: &Attributes,
        (model, harness): (Option<&str>, Option<&str>),
    ) -> Span {
        let asked = self.model.as_deref().or(model);
        let mut attributes = shared.clone();
        attributes.text(names::OPERATION, names::CHAT);
        attributes.text(names::PROVIDER, names::provider(asked, harness));
        attributes.text_of(names::REQUEST_MODEL, asked);
        attributes.text_of(names::RESPONSE_MODEL, self.model.as_ref());
        attributes.text_of(names::RESPONSE_ID, self.message.as_ref());
        if let Some(figures) = &self.figures {
            usage(&mut attributes, figures);
        }
        if self.is_compacted {
            attributes.yes(names::COMPACTED);
        }
        messages(&mut attributes, self.inputs, self.outputs);
        let name = asked
            .map_or_else(|| names::CHAT.to_owned(), |asked| format!("{} {asked}", names::CHAT));
        Span {
            id,
            parent: Some(self.parent),
            name,
            kind: Kind::Client,
            start: self.start,
            end: self.end,
            attributes,
            moments: self.moments,
            failed: None,
        }
    }
}

pub(super) fn figures(usage: &CallUsage) -> Figures {
    Figures {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cache_read_tokens: usage.cache_read_tokens,
        cache_creation_tokens: usage.cache_creation_tokens,
        reasoning_tokens: usage.reasoning_tokens,
        cost_usd: usage.cost_usd,
    }
}

/// Writes the counters. In the conventions the input holds the cached tokens, too.
pub(super) fn usage(attributes: &mut Attributes, figures: &Figures) {
    let parts = [figures.input_tokens, figures.cache_read_tokens, figures.cache_creation_tokens];
    let input = parts.iter().flatten().copied().reduce(u64::saturating_add);
    attributes.count(names::INPUT_TOKENS, input);
    attributes.count(names::OUTPUT_TOKENS, figures.output_tokens);
    attributes.count(names::CACHE_READ, figures.cache_read_tokens);
    attributes.count(names::CACHE_WRITE, figures.cache_creation_tokens);
    attributes.count(names::REASONING, figures.reasoning_tokens);
}

/// Writes what was said, as the conventions' schemas of messages have it.
pub(super) fn messages(attributes: &mut Attributes, inputs: Vec<Json>, outputs: Vec<Json>) {
    if !inputs.is_empty() {
        attributes.text(names::INPUT_MESSAGES, Json::Array(inputs).to_string());
    }
    if !outputs.is_empty() {
        let whole =
            json!([{"role": "assistant", "parts": Json::Array(outputs), "finish_reason": "stop"}]);
        attributes.text(names::OUTPUT_MESSAGES, whole.to_string());
    }
}

/// What an agent did since its last model call.
#[derive(Debug, Default)]
pub(super) struct Lane {
    /// When what came before the next model call ended.
    pub(super) since: Option<i64>,
    pub(super) inputs: Vec<Json>,
    /// What was said and is of no call that has an id.
    pub(super) outputs: Vec<Json>,
    pub(super) moments: Vec<Moment>,
    pub(super) is_compacted: bool,
    /// The calls with an id, by their number.
    pub(super) named: BTreeMap<String, usize>,
}

impl Lane {
    /// Begins a model call that ends at `time`, so far.
    pub(super) fn begin(&mut self, time: i64, parent: [u8; 8], message: Option<String>) -> Chat {
        let start = self.since.unwrap_or(time).min(time);
        self.since = Some(time);
        Chat {
            start,
            end: time,
            parent,
            message,
            inputs: std::mem::take(&mut self.inputs),
            moments: std::mem::take(&mut self.moments),
            is_compacted: std::mem::take(&mut self.is_compacted),
            ..Chat::default()
        }
    }
}
