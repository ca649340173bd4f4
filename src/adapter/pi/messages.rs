//! What is said: the pieces of a reply, and the whole messages.

use super::{Adapter, Last};
use crate::adapter::chat::said;
use crate::adapter::content;
use crate::format::batch::Batch;
use crate::format::event::{CallUsage, Code, Delta, Level, Message, Notice, Of, Thinking};
use crate::format::tokens::Tokens;
use crate::format::write::{Name, Text};
use crate::json::Value;
use crate::limits::MAX_PI_CALLS;

impl Adapter {
    /// A piece of a reply, or what surrounds the pieces.
    pub(super) fn update(
        &mut self,
        record: Value<'_>,
        message: Value<'_>,
        event: Value<'_>,
        out: &mut Batch,
    ) {
        let [kind, index, piece] = event.pick(["type", "contentIndex", "delta"]);
        let [id, time] = message.pick(["responseId", "timestamp"]);
        out.message_id(Name::filled(id));
        out.time(time);
        let of = match kind.decode().as_deref() {
            Some("text_delta") => Of::Message,
            Some("thinking_delta") => Of::Thinking,
            Some("toolcall_delta") => Of::ToolCall,
            Some("toolcall_start") => {
                self.write_call(message, event);
                return out.framing(record);
            }
            Some(_) => return out.framing(record),
            None => return,
        };
        if piece.is_string() {
            self.announce(out);
        }
        let index = index.count();
        let item = index.unwrap_or_default();
        let Some(text) = piece.str().and_then(|piece| self.relay.push(item, piece)) else {
            return out.framing(record);
        };
        let call = self.writing.iter().find(|(at, _)| of == Of::ToolCall && *at == item);
        out.push(Delta {
            of,
            text: Some(text),
            index,
            call_id: call.map(|(_, id)| Name::from(id)),
            reset: std::mem::take(&mut self.retried),
        });
    }

    /// Remembers which call a content block writes. 0.73 says it only in the message.
    fn write_call(&mut self, message: Value<'_>, event: Value<'_>) {
        let [index, id] = event.pick(["contentIndex", "id"]);
        let Some(index) = index.count().filter(|_| self.writing.len() < MAX_PI_CALLS) else {
            return;
        };
        let block = usize::try_from(index)
            .ok()
            .and_then(|at| message.get("content").elements().nth(at).map(|block| block.get("id")));
        let id = if id.exists() { Some(id) } else { block };
        if let Some(id) = id.and_then(Value::decode) {
            self.writing.push((index, id.into_owned()));
        }
    }

    pub(super) fn message(&mut self, message: Value<'_>, out: &mut Batch) {
        let [role, body, time] = message.pick(["role", "content", "timestamp"]);
        out.time(time);
        if role.is("assistant") {
            return self.reply(message, body, out);
        }
        // An extension's own message reaches the model as the user's.
        let synthetic = role.is("custom");
        if !synthetic && !role.is("user") && !role.is("system") {
            return;
        }
        let content = said(body).unwrap_or_else(|| content::Content {
            text: sections(message.get("sections")),
            attachments: Vec::new(),
        });
        if content.text.is_some() {
            self.announce(out);
            out.push(Message {
                role: if synthetic { Some("user".into()) } else { Name::of(role) },
                text: content.text,
                synthetic,
                attachments: content.attachments,
                ..Message::default()
            });
        }
    }

    fn reply(&mut self, message: Value<'_>, body: Value<'_>, out: &mut Batch) {
        let [id, model, spent, stop, error] =
            message.pick(["responseId", "model", "usage", "stopReason", "errorMessage"]);
        out.message_id(Name::filled(id));
        self.announce(out);
        if body.is_string() {
            say(body, out);
        }
        for (item, block) in (0..).zip(body.elements()) {
            let [kind, text, thinking, redacted] =
                block.pick(["type", "text", "thinking", "redacted"]);
            let of = if kind.is("thinking") { Of::Thinking } else { Of::Message };
            if let Some(rest) = self.relay.rest(item).filter(|_| !kind.is("toolCall")) {
                let text = Some(rest.into());
                out.push(Delta { of, text, index: Some(item), ..Delta::default() });
            }
            if kind.is("text") {
                say(text, out);
            } else if kind.is("thinking") {
                let redacted = redacted.is_true();
                let text = Text::of(thinking);
                if redacted || thinking.str().is_some_and(|text| !text.is_empty()) {
                    out.push(Thinking { text, redacted, ..Thinking::default() });
                }
            } else if self.kept && kind.is("toolCall") {
                self.tools.call(block, out);
            }
        }
        self.relay.clear();
        usage(model, spent, out);
        // A file has no other record that says how a turn ended.
        if stop.is("error") || self.kept && stop.is("aborted") {
            out.push(Notice {
                level: Level::Error,
                code: Code::Error,
                message: Text::of(error),
                ..Notice::default()
            });
        }
        self.failure = error.owned().filter(|_| stop.is("error"));
        self.last = Some(Last { stop: stop.owned(), error: error.owned(), marked: false });
    }
}

fn say(text: Value<'_>, out: &mut Batch) {
    if let Some(text) = Text::filled(text) {
        let role = Some("assistant".into());
        out.push(Message { role, text: Some(text), ..Message::default() });
    }
}

/// 1.6 prints the system prompt in named parts.
fn sections(parts: Value<'_>) -> Option<Text<'_>> {
    let parts: Vec<_> = parts.members().filter_map(|(_, part)| part.decode()).collect();
    (!parts.is_empty()).then(|| parts.join("\n\n").into())
}

fn usage(model: Value<'_>, spent: Value<'_>, out: &mut Batch) {
    let [input, output, read, write, reasoning, cost] =
        spent.pick(["input", "output", "cacheRead", "cacheWrite", "reasoning", "cost"]);
    let [input, output, cache_read, cache_creation] =
        [input, output, read, write].map(Value::count);
    let counted = Tokens { input, output, cache_read, cache_creation, reasoning: None };
    if counted.is_zero() {
        return;
    }
    let tokens = Tokens { reasoning: reasoning.count(), ..counted };
    out.push(CallUsage {
        model: Name::filled(model),
        context_tokens: Some(tokens.context().unwrap_or_default()),
        cost_usd: cost.get("total").f64(),
        ..tokens.into()
    });
}
