//! Recaps as JSON. The keys are part of the format: they may be added to, never renamed.

use serde_json::{Map, Value, json};

use super::coverage::Coverage;
use super::figures::{COUNTERS, Figures, ModelFigures};
use super::recap::{Ending, Plan, Recap, Summary, Task, Usage};

impl Summary {
    /// Makes one object: `sessions`, in the order of their first line, and `total`.
    pub fn to_json(&self) -> Value {
        let sessions: Vec<Value> = self.sessions.iter().map(Recap::to_json).collect();
        let mut total = self.sum().to_json();
        if let Some(total) = total.as_object_mut() {
            for key in [
                "sessionId",
                "title",
                "harness",
                "version",
                "model",
                "cwd",
                "outcome",
                "verdict",
                "inputs",
                "fileTime",
                "firstWords",
            ] {
                total.shift_remove(key);
            }
            total.shift_insert(0, "sessions".to_owned(), json!(self.sessions.len()));
            let coverage = Coverage::of(self.sessions.iter());
            total.insert("outcomes".to_owned(), coverage.outcomes());
            total.insert("coverage".to_owned(), coverage.covered());
        }
        json!({ "sessions": sessions, "total": total })
    }
}

impl Recap {
    pub(super) fn to_json(&self) -> Value {
        let tally = &self.tally;
        let tool = |(name, tool): (&String, &super::Tool)| json!({"name": name, "calls": tool.calls, "errors": tool.errors});
        let tools: Vec<Value> = tally.tools.iter().map(tool).collect();
        let file = |(path, change): (&String, &String)| json!({"path": path, "change": change});
        let files: Vec<Value> = tally.files.iter().map(file).collect();
        json!({
            "sessionId": self.session_id,
            "title": self.title,
            "harness": self.harness,
            "version": self.version,
            "model": self.model,
            "cwd": self.cwd,
            "outcome": self.outcome.as_ref().map(ending),
            "verdict": self.verdict.word(),
            "complete": self.usage.complete,
            "runs": self.runs,
            "from": self.from,
            "to": self.to,
            "inputs": self.files,
            "fileTime": self.file_time,
            "firstWords": self.first_words,
            "usage": usage(&self.usage),
            "basis": basis(&self.usage),
            "calls": figures(&self.usage.calls),
            "stated": figures(&self.usage.stated),
            "models": models(&self.usage),
            "messages": tally.messages,
            "thinking": tally.thinking,
            "tools": tools,
            "files": files,
            "moreFiles": tally.more_files,
            "notices": tally.notices,
            "retries": tally.retries(),
            "denials": tally.denials(),
            "plan": self.plan.map(plan),
            "background": self.background.as_ref().map(|tasks| tasks.iter().map(task).collect::<Vec<_>>()),
            "events": tally.events,
            "raw": tally.raw,
        })
    }
}

fn figures(figures: &Figures) -> Map<String, Value> {
    let counts = COUNTERS.into_iter().zip(figures.counts());
    let mut object: Map<String, Value> =
        counts.map(|(key, count)| (key.to_owned(), json!(count))).collect();
    object.insert("costUsd".to_owned(), json!(figures.cost_usd));
    object
}

pub(super) fn usage(usage: &Usage) -> Value {
    let mut object = figures(&usage.figures);
    object.insert("turns".to_owned(), json!(usage.turns));
    object.insert("durationMs".to_owned(), json!(usage.duration_ms));
    object.insert("contextTokens".to_owned(), json!(usage.context_tokens));
    object.insert("contextWindow".to_owned(), json!(usage.context_window));
    Value::Object(object)
}

fn basis(usage: &Usage) -> Value {
    let words = COUNTERS.into_iter().zip(usage.basis.tokens);
    let mut object: Map<String, Value> =
        words.map(|(key, basis)| (key.to_owned(), json!(basis.word()))).collect();
    object.insert("costUsd".to_owned(), json!(usage.basis.cost.word()));
    let word = |known: bool| if known { "session" } else { "none" };
    object.insert("turns".to_owned(), json!(word(usage.turns.is_some())));
    object.insert("durationMs".to_owned(), json!(word(usage.duration_ms.is_some())));
    Value::Object(object)
}

fn models(usage: &Usage) -> Value {
    let model = |(name, model): (&String, &ModelFigures)| {
        let mut object = figures(&model.figures);
        object.insert("contextWindow".to_owned(), json!(model.context_window));
        (name.clone(), Value::Object(object))
    };
    Value::Object(usage.models.iter().map(model).collect())
}

fn ending(end: &Ending) -> Value {
    json!({
        "status": end.status(),
        "reason": end.reason,
        "stopReason": end.stop_reason,
        "error": end.error,
        "exitCode": end.exit_code,
        "signal": end.signal,
        "synthetic": end.synthetic,
    })
}

fn plan(plan: Plan) -> Value {
    json!({"steps": plan.steps, "completed": plan.completed, "inProgress": plan.in_progress})
}

fn task(task: &Task) -> Value {
    json!({"taskId": task.id, "kind": task.kind, "description": task.description})
}
