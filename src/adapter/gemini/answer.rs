//! `--output-format json`: one document, which says how a run ended and nothing of what came before.
//!
//! ```json
//! {"session_id":"5aaf07a5-…","response":"All done.","stats":{"models":{"gemini-2.5-pro":{"tokens":{"input":500,"prompt":4100,"candidates":91,"total":4211,"cached":3600,"thoughts":20,"tool":0},…}},"tools":{…},"files":{…}}}
//! ```
//!
//! `prompt` contains `cached`, and `input` is what is left of it; `thoughts` lie beside `candidates`. A run that
//! fails prints its document, with `error`, to standard error.

use crate::adapter::model::windowed;
use crate::adapter::running::Running;
use crate::format::batch::Batch;
use crate::format::event::{ModelUsage, SessionEnded, SessionStarted, SessionUsage, Status};
use crate::format::tokens::Tokens;
use crate::format::write::{Keyed, Name, Text};
use crate::json::Value;

/// Whether a record is such a document.
pub(super) fn is_answer(record: Value<'_>) -> bool {
    let [kind, session, response, stats, error] =
        record.pick(["type", "session_id", "response", "stats", "error"]);
    let [models, tools] = stats.pick(["models", "tools"]);
    let good = response.is_string() && models.is_object() && tools.is_object();
    let [message, code] = error.pick(["message", "code"]);
    let bad = message.is_string() && code.exists() && !response.exists();
    !kind.exists() && session.is_string() && (good || bad)
}

/// Reads the document.
pub(super) fn read(record: Value<'_>, spent: &mut Running, out: &mut Batch) {
    let [session, response, stats, error] =
        record.pick(["session_id", "response", "stats", "error"]);
    let models = || stats.get("models").members();
    out.push(windowed(SessionStarted {
        harness: Some("gemini-cli".into()),
        model: models().next().map(|(name, _)| Name::from(name)),
        session_id: Name::filled(session),
        ..SessionStarted::default()
    }));
    if stats.is_object() {
        let total = models().fold(Tokens::default(), |sum, (_, model)| sum.plus(tokens(model)));
        let by_model =
            models().map(|(name, model)| (Name::from(name), ModelUsage::from(tokens(model))));
        out.push(spent.process(SessionUsage { models: Keyed(by_model.collect()), ..total.into() }));
    }
    let [reason, message] = error.pick(["type", "message"]);
    out.push(SessionEnded {
        status: if error.is_some() { Status::Failed } else { Status::Succeeded },
        summary: Text::filled(response),
        reason: Name::filled(reason),
        error: Text::filled(message),
        ..SessionEnded::default()
    });
}

fn tokens(model: Value<'_>) -> Tokens {
    let [input, output, cache_read, thoughts] =
        model.get("tokens").pick(["prompt", "candidates", "cached", "thoughts"]).map(Value::count);
    let reasoning = thoughts.filter(|count| *count > 0);
    Tokens { input, output, cache_read, reasoning, ..Tokens::default() }.without_cached()
}

#[cfg(test)]
mod tests {
    use crate::adapter::{Protocol, testing};

    #[test]
    fn a_run_that_failed_says_so() {
        let line = r#"{"session_id":"s","error":{"type":"FatalTurnLimitedError","message":"m","code":53}}"#;
        let told = testing::read(Protocol::Gemini, &[line]);
        let end = &told[1].payload;
        assert_eq!((&end["status"], &end["error"]), (&"failed".into(), &"m".into()));
        assert_eq!((told.len(), &end["reason"]), (2, &"FatalTurnLimitedError".into()));
    }
}
