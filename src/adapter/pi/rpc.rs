//! The answers of `--mode rpc`, which stand between the events.

use super::Adapter;
use crate::format::batch::Batch;
use crate::format::event::{Code, Level, Notice, SessionStarted, SessionTitle, SessionUsage};
use crate::format::tokens::Tokens;
use crate::format::write::{Name, Text};
use crate::json::Value;

impl Adapter {
    pub(super) fn response(&mut self, record: Value<'_>, out: &mut Batch) {
        let [command, success, data, error] = record.pick(["command", "success", "data", "error"]);
        if success.bool() == Some(false) {
            out.push(Notice {
                level: Level::Error,
                code: Code::Error,
                message: Text::of(error),
                ..Notice::default()
            });
        } else if command.is("get_state") {
            self.state(data, out);
        } else if command.is("get_session_stats") {
            self.stats(data, out);
        }
    }

    fn state(&mut self, data: Value<'_>, out: &mut Batch) {
        let [model, id, name] = data.pick(["model", "sessionId", "sessionName"]);
        if !self.is_news(id) {
            return;
        }
        let [model, window] = model.pick(["id", "contextWindow"]);
        let start = SessionStarted {
            model: Name::filled(model),
            context_window: window.count(),
            ..SessionStarted::default()
        };
        self.start(start, id, out);
        if let Some(title) = Name::filled(name) {
            out.push(SessionTitle { title: Some(title) });
        }
    }

    fn stats(&mut self, data: Value<'_>, out: &mut Batch) {
        let [id, tokens, cost, context] =
            data.pick(["sessionId", "tokens", "cost", "contextUsage"]);
        if self.is_news(id) {
            let context_window = context.get("contextWindow").count();
            self.start(SessionStarted { context_window, ..SessionStarted::default() }, id, out);
        }
        if tokens.is_object() {
            let [input, output, cache_read, cache_creation] =
                tokens.pick(["input", "output", "cacheRead", "cacheWrite"]).map(Value::count);
            let tokens = Tokens { input, output, cache_read, cache_creation, reasoning: None };
            out.push(self.spent.state(SessionUsage { cost_usd: cost.f64(), ..tokens.into() }));
        }
    }

    fn is_news(&self, id: Value<'_>) -> bool {
        id.decode().is_some_and(|id| !self.started || id != self.session)
    }
}
