//! OTLP/JSON: a session as a trace, in the words of the `gen_ai` conventions.
//!
//! Usage stands on one level: on the model calls where the stream tells of them, else on the session.
//! What the session's total says beyond the sum of its calls is a span of its own, so that adding up
//! all spans gives what was spent.

mod chat;
mod names;
mod span;
mod times;
mod walk;

use serde_json::{Value as Json, json};

use self::chat::{messages, usage};
use self::span::{Attributes, Kind, Span};
use self::walk::{Walk, failure};
use super::ids::Ids;
use super::session::Session;
use super::{ExportOptions, Refused};
use crate::format::event::owned::Event;
use crate::report::summary::Figures;

/// Bit 8 says that the next one is known: whether the parent is in another process.
const PARENT_IS_KNOWN: u32 = 0x100;
const PARENT_IS_REMOTE: u32 = 0x200;
/// The trace is kept.
const SAMPLED: u8 = 1;

/// Makes a session's `TracesData`.
pub(super) fn document(
    session: &Session,
    ids: Ids,
    options: &ExportOptions,
) -> Result<Json, Refused> {
    if session.items.is_empty() {
        return Err(Refused::Empty);
    }
    let times = times::times(session, options.no_time).ok_or(Refused::WithoutTime)?;
    let trace = options.parent.map_or_else(|| ids.trace(), |parent| parent.trace);
    let spans = spans(session, &times, ids, options);
    let flags = options.parent.map_or(SAMPLED, |parent| parent.flags);
    let flags = u32::from(flags) | PARENT_IS_KNOWN;
    let mut written = Vec::with_capacity(spans.len());
    for (at, span) in spans.into_iter().enumerate() {
        let remote = if at == 0 && options.parent.is_some() { PARENT_IS_REMOTE } else { 0 };
        written.push(span.into_json(trace, flags | remote));
    }
    let mut resource = Attributes::default();
    let harness = session.harness();
    if let Some(service) = &options.service {
        resource.text("service.name", service);
    } else {
        resource.text("service.name", harness.unwrap_or("unknown_service"));
        resource.text_of("service.version", session.version());
    }
    Ok(json!({"resourceSpans": [{
        "resource": {"attributes": resource.into_json()},
        "scopeSpans": [{
            "scope": {"name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION")},
            "spans": written,
            "schemaUrl": names::SCHEMA,
        }],
    }]}))
}

/// Makes the spans of a session; its own is the first.
fn spans(session: &Session, times: &[i64], ids: Ids, options: &ExportOptions) -> Vec<Span> {
    let mut shared = Attributes::default();
    shared.text_of(names::AGENT, session.harness());
    shared.text_of(names::CONVERSATION, session.id.as_ref());
    shared.text_of(names::SESSION, session.id.as_ref());
    let mut walk = Walk::new(session, ids, shared.clone(), options.content);
    for (at, (item, time)) in session.items.iter().zip(times).enumerate() {
        walk.item(at, item, *time);
    }
    let start = times.iter().min().copied().unwrap_or_default();
    let end = times.iter().max().copied().unwrap_or_default();
    let (inputs, outputs, moments) = walk.end(end);
    let invoked = || {
        let mut attributes = shared.clone();
        attributes.text(names::OPERATION, names::INVOKE_AGENT);
        attributes.text_of(names::REQUEST_MODEL, session.model());
        attributes
    };
    let name = match session.harness() {
        Some(harness) => format!("{} {harness}", names::INVOKE_AGENT),
        None => names::INVOKE_AGENT.to_owned(),
    };
    let mut root = Span {
        id: walk.root(),
        parent: options.parent.map(|parent| parent.span),
        name: name.clone(),
        kind: Kind::Internal,
        start,
        end,
        attributes: invoked(),
        moments,
        failed: None,
    };
    if options.content {
        root.attributes.text_of(names::TITLE, session.title.as_ref());
    }
    messages(&mut root.attributes, inputs, outputs);
    let rest = spent(session, &mut root.attributes);
    fail(&mut root, walk.turns.last().and_then(|turn| turn.outcome.as_ref()));
    for (what, count) in &walk.left_out {
        root.attributes.count(&format!("{}.{what}", names::LEFT_OUT), Some(*count));
    }
    if session.left_out > 0 {
        root.attributes.count(&format!("{}.events", names::LEFT_OUT), Some(session.left_out));
    }
    let mut spans = vec![root];
    let (first, turns) = (walk.root(), std::mem::take(&mut walk.turns));
    if let [only] = &turns[..] {
        // One turn is the session: its span would say nothing.
        for span in walk.spans.iter_mut().filter(|span| span.parent == Some(only.id)) {
            span.parent = Some(first);
        }
    } else {
        for (number, turn) in (1..).zip(turns) {
            let mut attributes = invoked();
            attributes.number(names::TURN, number);
            let mut span = Span {
                id: turn.id,
                parent: Some(first),
                name: name.clone(),
                kind: Kind::Internal,
                start: turn.start,
                end: turn.end,
                attributes,
                moments: Vec::new(),
                failed: None,
            };
            fail(&mut span, turn.outcome.as_ref());
            spans.push(span);
        }
    }
    spans.append(&mut walk.spans);
    if let Some(rest) = rest {
        let mut attributes = shared;
        attributes.text_of(names::REQUEST_MODEL, session.model());
        attributes.yes(names::NO_CALL);
        usage(&mut attributes, &rest);
        spans.push(Span {
            id: walk.id("usage".to_owned()),
            parent: Some(first),
            name: "usage of no call".to_owned(),
            kind: Kind::Internal,
            start,
            end,
            attributes,
            moments: Vec::new(),
            failed: None,
        });
    }
    spans
}

/// Writes what the session spent, unless its calls say so; returns what they do not say.
fn spent(session: &Session, root: &mut Attributes) -> Option<Figures> {
    let figures = session.usage.as_ref().map(|usage| usage.figures);
    let calls = session.calls();
    let cost = figures.unwrap_or_default().cost_usd.or(calls.unwrap_or_default().cost_usd);
    if let Some(cost) = cost {
        root.float(names::COST, cost);
    }
    let Some(calls) = calls else {
        usage(root, &figures?);
        return None;
    };
    let more = |total: Option<u64>, calls: Option<u64>| {
        total.map(|total| total.saturating_sub(calls.unwrap_or_default())).filter(|more| *more > 0)
    };
    let total = figures?;
    let rest = Figures {
        input_tokens: more(total.input_tokens, calls.input_tokens),
        output_tokens: more(total.output_tokens, calls.output_tokens),
        cache_read_tokens: more(total.cache_read_tokens, calls.cache_read_tokens),
        cache_creation_tokens: more(total.cache_creation_tokens, calls.cache_creation_tokens),
        reasoning_tokens: more(total.reasoning_tokens, calls.reasoning_tokens),
        cost_usd: None,
    };
    Some(rest).filter(|rest| *rest != Figures::default())
}

fn fail(span: &mut Span, end: Option<&crate::format::event::owned::SessionEnded>) {
    if let Some((kind, why)) = failure(end) {
        span.attributes.text(names::ERROR_TYPE, kind);
        span.failed = Some(why);
    }
}

impl Session {
    /// Sums up the model calls; `None` where the stream tells of none.
    fn calls(&self) -> Option<Figures> {
        let calls = self.items.iter().filter_map(|item| match &item.event {
            Event::CallUsage(usage) => Some(chat::figures(usage)),
            _ => None,
        });
        calls.reduce(|sum, call| sum.plus(&call))
    }
}
