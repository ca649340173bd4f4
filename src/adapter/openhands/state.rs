//! `base_state.json`: the session's id, what it spent and how it stands. It is written anew with each
//! step, so it tells of the whole session.

use crate::adapter::model::windowed;
use crate::format::batch::Batch;
use crate::format::event::{ModelUsage, SessionEnded, SessionStarted, SessionUsage, Since, Status};
use crate::format::tokens::{Tokens, both};
use crate::format::write::{Keyed, Name};
use crate::json::Value;

/// Whether a record is one.
pub(super) fn is(record: Value<'_>) -> bool {
    let [id, status, spent] = record.pick(["id", "execution_status", "stats"]);
    id.is_string() && status.is_string() && spent.get("usage_to_metrics").is_object()
}

/// The file that names the session of an event's file.
pub(super) fn beside(name: &str) -> Option<String> {
    name.strip_prefix("event-")?.strip_suffix(".json")?;
    Some("../base_state.json".to_owned())
}

/// The session, its model and its folder.
pub(super) fn names(record: Value<'_>) -> [Value<'_>; 3] {
    let [id, workspace, spent] = record.pick(["id", "workspace", "stats"]);
    let agent = spent.get("usage_to_metrics").get("agent");
    [id, agent.get("model_name"), workspace.get("working_dir")]
}

/// Reads one; `told` says that the events before it told that the session failed.
pub(super) fn read(record: Value<'_>, told: bool, out: &mut Batch) {
    let [status, spent] = record.pick(["execution_status", "stats"]);
    let [id, model, cwd] = names(record);
    let metrics = spent.get("usage_to_metrics");
    out.push(windowed(SessionStarted {
        harness: Some("openhands".into()),
        model: Name::filled(model),
        cwd: Name::filled(cwd),
        session_id: Name::filled(id),
        ..SessionStarted::default()
    }));
    usage(metrics, out);
    let failed = status.is("error") || status.is("paused") || status.is("stuck");
    if (failed && !told) || status.is("finished") {
        out.push(SessionEnded {
            status: if failed { Status::Failed } else { Status::Succeeded },
            stop_reason: Name::of(status),
            reason: Name::of(status).filter(|_| failed),
            ..SessionEnded::default()
        });
    }
}

/// Everyone who spent: the agent, and what shortens its context.
fn usage(metrics: Value<'_>, out: &mut Batch) {
    let (mut spent, mut cost) = (Tokens::default(), None);
    let mut models: Vec<(Name<'_>, ModelUsage)> = Vec::new();
    for (_, who) in metrics.members() {
        let [model, own_cost, usage] =
            who.pick(["model_name", "accumulated_cost", "accumulated_token_usage"]);
        let own = tokens(usage);
        let own_cost = own_cost.f64();
        spent = spent.plus(own);
        cost = both(cost, own_cost, |a, b| a + b);
        let Some(model) = Name::filled(model) else { continue };
        match models.iter_mut().find(|(known, _)| known.text() == model.text()) {
            Some((_, sum)) => {
                let cost_usd = both(sum.cost_usd, own_cost, |a, b| a + b);
                *sum = ModelUsage { cost_usd, ..sum.tokens().plus(own).into() };
            }
            None => models.push((model, ModelUsage { cost_usd: own_cost, ..own.into() })),
        }
    }
    out.push(SessionUsage {
        cost_usd: cost,
        models: Keyed(models),
        cumulative: Some(Since::Session),
        ..spent.into()
    });
}

fn tokens(usage: Value<'_>) -> Tokens {
    let keys = ["prompt_tokens", "completion_tokens", "cache_read_tokens", "cache_write_tokens"];
    let [input, output, cache_read, cache_creation] = usage.pick(keys).map(Value::count);
    let reasoning = usage.get("reasoning_tokens").count();
    Tokens { input, output, cache_read, cache_creation, reasoning }.without_cached()
}
