//! The Agent Trajectory Interchange Format: a session as a document of steps.
//!
//! Harbor's models are the reference. They forbid keys that they do not know, so what the format has no
//! place for stands in the `extra` objects, and what has none there either is counted in `notes`.

mod arguments;
mod steps;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use self::steps::Steps;
use super::ids::{Ids, hex};
use super::session::Session;
use crate::format::event::owned::Event;
use crate::report::summary::Figures;

/// The version of the format.
const VERSION: &str = "ATIF-v1.8";

/// Makes a session's document; `None` where nothing in it is a step.
pub(super) fn document(session: &Session, ids: &mut Ids, prompt: Option<&str>) -> Option<Json> {
    let mut agents: Vec<Steps> = session.agents.iter().map(|_| Steps::default()).collect();
    if let (Some(prompt), Some(main)) = (prompt, agents.first_mut()) {
        main.prompt(prompt);
    }
    let mut places = Places::default();
    for (at, item) in session.items.iter().enumerate() {
        // A result belongs to the step of its call, whoever's line told it.
        let place = item.call.and_then(|call| places.calls.get(&call)).copied();
        let agent = place.map_or(item.agent, |(agent, _, _)| agent);
        let Some(steps) = agents.get_mut(agent) else { continue };
        if let Some((step, call)) = steps.add(item, place.map(|(_, step, call)| (step, call))) {
            places.calls.insert(at, (agent, step, call));
        }
    }
    let ids: Vec<String> = session
        .agents
        .iter()
        .map(|agent| hex(&ids.span(format!("trajectory {}", agent.call_id))))
        .collect();
    let lost = lost(session, &agents);
    let mut documents: Vec<Option<Json>> = agents.iter().map(|_| None).collect();
    for at in order(session) {
        let Some(mut steps) = agents.get_mut(at).map(std::mem::take) else { continue };
        let children = children(session, at, &mut documents);
        for (child, _) in &children {
            let call = session.agents.get(*child).and_then(|agent| agent.call);
            let place = call.and_then(|call| places.calls.get(&call));
            if let (Some((_, step, call)), Some(id)) = (place, ids.get(*child)) {
                steps.refer(*step, *call, id);
            }
        }
        let Some(mut trajectory) = trajectory(session, at, &ids, steps, children) else { continue };
        if at == 0 {
            finish(session, &mut trajectory, &lost);
        }
        if let Some(slot) = documents.get_mut(at) {
            *slot = Some(Json::Object(trajectory));
        }
    }
    documents.first_mut()?.take()
}

/// Where the calls stand: agent, step, and number in the step, by the call's number among the items.
#[derive(Debug, Default)]
struct Places {
    calls: BTreeMap<usize, (usize, usize, usize)>,
}

/// Returns the agent that started an agent. One whose call was not seen is the main agent's.
fn starter(session: &Session, agent: usize) -> usize {
    let call = session.agents.get(agent).and_then(|agent| agent.call);
    call.and_then(|call| session.items.get(call)).map_or(0, |item| item.agent)
}

/// Orders the agents: each stands behind those that it started.
fn order(session: &Session) -> Vec<usize> {
    let depth = |agent: usize| {
        let mut depth = 0;
        let mut at = agent;
        while at != 0 && depth <= session.agents.len() {
            at = starter(session, at);
            depth += 1;
        }
        depth
    };
    let mut order: Vec<(usize, usize)> =
        (0..session.agents.len()).map(|agent| (depth(agent), agent)).collect();
    order.sort_by_key(|(depth, agent)| (Reverse(*depth), *agent));
    order.into_iter().map(|(_, agent)| agent).collect()
}

fn children(session: &Session, of: usize, documents: &mut [Option<Json>]) -> Vec<(usize, Json)> {
    let mut children = Vec::new();
    for (at, document) in documents.iter_mut().enumerate().skip(1) {
        if at != of
            && starter(session, at) == of
            && let Some(document) = document.take()
        {
            children.push((at, document));
        }
    }
    children
}

fn trajectory(
    session: &Session,
    agent: usize,
    ids: &[String],
    mut steps: Steps,
    children: Vec<(usize, Json)>,
) -> Option<Map<String, Json>> {
    if steps.is_empty() && !children.is_empty() {
        // A subagent's work must stand somewhere, and a document has a step.
        steps.system("");
    }
    let steps = steps.into_json()?;
    let mut made = Map::new();
    made.insert("schema_version".into(), VERSION.into());
    put(&mut made, "session_id", session.id.clone());
    put(&mut made, "trajectory_id", ids.get(agent).cloned());
    let mut who = Map::new();
    who.insert("name".into(), session.harness().unwrap_or("unknown").into());
    who.insert("version".into(), session.version().unwrap_or("unknown").into());
    put(&mut who, "model_name", session.model());
    if let (0, Some(started)) = (agent, &session.started) {
        let mut extra = Map::new();
        put(&mut extra, "cwd", started.cwd.clone());
        put(&mut extra, "tools", started.tools.clone());
        put(&mut extra, "parentSessionId", started.parent_session_id.clone());
        put(&mut extra, "forkedFrom", started.forked_from.clone());
        put_extra(&mut who, extra);
    }
    made.insert("agent".into(), who.into());
    made.insert("steps".into(), steps.into());
    if !children.is_empty() {
        let children: Vec<Json> = children.into_iter().map(|(_, document)| document).collect();
        made.insert("subagent_trajectories".into(), children.into());
    }
    Some(made)
}

/// Writes what is of the whole session.
fn finish(session: &Session, made: &mut Map<String, Json>, lost: &[String]) {
    let steps = made.get("steps").and_then(Json::as_array).map(Vec::len);
    if let Some(usage) = &session.usage {
        let mut metrics = Map::new();
        let figures = &usage.figures;
        put(&mut metrics, "total_prompt_tokens", prompt_tokens(figures));
        put(&mut metrics, "total_completion_tokens", figures.output_tokens);
        put(&mut metrics, "total_cached_tokens", figures.cache_read_tokens);
        put(&mut metrics, "total_cost_usd", figures.cost_usd);
        put(&mut metrics, "total_steps", steps);
        let mut extra = Map::new();
        put(&mut extra, "cacheCreationTokens", figures.cache_creation_tokens);
        put(&mut extra, "reasoningTokens", figures.reasoning_tokens);
        put(&mut extra, "turns", usage.turns);
        put(&mut extra, "durationMs", usage.duration_ms);
        let calls = prompt_tokens(&usage.calls).is_some() || usage.calls.output_tokens.is_some();
        let stated = prompt_tokens(&usage.stated).is_some() || usage.stated.output_tokens.is_some();
        let basis = match (calls, stated) {
            (true, true) => {
                Some("the larger of the harness's total and the sum of its model calls")
            }
            (true, false) => Some("the sum of the model calls"),
            (false, true) => Some("the harness's total"),
            (false, false) => None,
        };
        put(&mut extra, "basis", basis);
        put_extra(&mut metrics, extra);
        made.insert("final_metrics".into(), metrics.into());
    }
    let mut extra = Map::new();
    put(&mut extra, "title", session.title.clone());
    let ends: Vec<Json> = session
        .items
        .iter()
        .filter(|item| matches!(item.event, Event::SessionEnded(_)))
        .map(|item| item.event.payload())
        .collect();
    if !ends.is_empty() {
        extra.insert("ended".into(), ends.into());
    }
    put_extra(made, extra);
    let mut notes = vec![format!("Made by agentnorm {}.", env!("CARGO_PKG_VERSION"))];
    if !lost.is_empty() {
        notes.push(format!("Left out: {}.", lost.join(", ")));
    }
    made.insert("notes".into(), notes.join(" ").into());
}

/// Counts what has no place.
fn lost(session: &Session, agents: &[Steps]) -> Vec<String> {
    let mut counts: Vec<(&str, u64)> = vec![
        ("messages that were printed again", 0),
        ("messages that were discarded", 0),
        ("results whose call was not seen (they are system steps)", 0),
        ("agents whose call was not seen (they are not referred to)", 0),
        ("events behind the limit", session.left_out),
        ("further starts of the session", 0),
    ];
    let mut add = |at: usize, count: u64| {
        if let Some((_, sum)) = counts.get_mut(at) {
            *sum += count;
        }
    };
    for steps in agents {
        add(0, steps.replayed);
        add(1, steps.discarded);
        add(2, steps.orphans);
    }
    add(3, session.agents.iter().skip(1).filter(|agent| agent.call.is_none()).count() as u64);
    let starts = session.items.iter().filter(|item| matches!(item.event, Event::SessionStarted(_)));
    add(5, (starts.count() as u64).saturating_sub(1));
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    counts.map(|(what, count)| format!("{count} {what}")).collect()
}

/// Sums up what was sent, cached or not.
fn prompt_tokens(figures: &Figures) -> Option<u64> {
    let parts = [figures.input_tokens, figures.cache_read_tokens, figures.cache_creation_tokens];
    parts.into_iter().flatten().reduce(u64::saturating_add)
}

fn put(object: &mut Map<String, Json>, key: &str, value: Option<impl Into<Json>>) {
    if let Some(value) = value {
        object.insert(key.to_owned(), value.into());
    }
}

fn put_extra(object: &mut Map<String, Json>, extra: Map<String, Json>) {
    if !extra.is_empty() {
        object.insert("extra".into(), extra.into());
    }
}
