//! What was spent.

use std::fs;

use agentnorm::{Event, Protocol, parse_lines, summarize_usage};
use serde_json::json;

use super::support::{
    call, end, fixtures, recap, recap_of, runs, since, start, stored, tokens, total,
};

#[test]
fn the_larger_of_total_and_calls_stands_counter_by_counter() {
    let summary = recap(&stored(&[start("s"), call(100, 1), total(90, 40), end("succeeded")]));
    let json = &summary.to_json()["sessions"][0];
    assert_eq!(json["usage"]["inputTokens"], 100);
    assert_eq!(json["basis"]["inputTokens"], "calls");
    assert_eq!(json["usage"]["outputTokens"], 40);
    assert_eq!(json["basis"]["outputTokens"], "session");
    assert_eq!(json["basis"]["cacheReadTokens"], "none");
    assert_eq!(json["complete"], true);

    // The stream stopped in the middle of its second turn.
    let summary = recap(&stored(&[start("s"), total(90, 40), end("succeeded"), call(95, 1)]));
    assert_eq!(tokens(&summary.total), (95, 40));
    let (kind, text) = ("message", json!({"role": "assistant", "text": "and", "truncated": false}));
    let cut = stored(&[start("s"), total(90, 40), end("succeeded"), (kind, text)]);
    assert_eq!(recap(&cut).total.usage.complete, Some(false));
    assert_eq!(recap(&stored(&[start("s"), call(1, 1)])).total.usage.complete, Some(false));
}

#[test]
fn a_running_total_is_never_added_up() {
    let summary = recap(&stored(&[
        start("s"),
        total(10, 1),
        end("succeeded"),
        total(25, 3),
        end("succeeded"),
    ]));
    assert_eq!(tokens(&summary.total), (25, 3));
    assert_eq!(summary.total.usage.turns, Some(2));
    assert_eq!(summary.total.usage.figures.cost_usd, Some(0.1));
}

#[test]
fn totals_over_the_process_add_up_and_totals_over_the_session_do_not() {
    let run = |total| stored(&[start("s"), total, end("succeeded")]);
    let process = |i, o| run(since("process", total(i, o)));
    let session = |i, o| run(since("session", total(i, o)));

    let summary = runs(&[process(10, 1), process(20, 5)]);
    assert_eq!(tokens(&summary.total), (30, 6));
    assert_eq!(summary.total.usage.figures.cost_usd, Some(0.2));
    assert_eq!(summary.total.usage.turns, Some(4));
    assert_eq!(summary.sessions.len(), 1);
    assert_eq!(summary.sessions[0].runs, 2);

    let summary = runs(&[session(10, 1), session(30, 6)]);
    assert_eq!(tokens(&summary.total), (30, 6));
    assert_eq!(summary.total.usage.turns, Some(2));
    // In whatever order the files were given.
    assert_eq!(tokens(&runs(&[session(30, 6), session(10, 1)]).total), (30, 6));
    // The first run counts over the process, and the resumed one goes on with it.
    assert_eq!(tokens(&runs(&[process(10, 1), session(30, 6)]).total), (30, 6));
    // Other sessions are not touched.
    let other = stored(&[start("t"), since("session", total(7, 7)), end("failed")]);
    let summary = runs(&[session(10, 1), other, session(30, 6)]);
    assert_eq!(tokens(&summary.total), (37, 13));
    assert_eq!(summary.sessions.iter().map(|s| s.runs).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn where_nobody_says_so_a_total_that_starts_at_or_above_the_last_goes_on() {
    let run = |i, o| stored(&[start("s"), total(i, o), end("succeeded")]);
    assert_eq!(tokens(&runs(&[run(10, 1), run(25, 3)]).total), (25, 3));
    assert_eq!(tokens(&runs(&[run(10, 1), run(10, 1)]).total), (10, 1));
    assert_eq!(tokens(&runs(&[run(10, 3), run(25, 1)]).total), (35, 4));
    assert_eq!(tokens(&runs(&[run(10, 1), run(4, 1), run(5, 2)]).total), (15, 3));
}

#[test]
fn a_run_without_a_total_still_counts() {
    let cut = stored(&[start("s"), call(500, 5)]);
    let process =
        stored(&[start("s"), call(90, 1), since("process", total(100, 40)), end("succeeded")]);
    let summary = runs(&[process.clone(), cut.clone(), process]);
    assert_eq!(tokens(&summary.total), (700, 85));
    assert_eq!(summary.total.usage.complete, Some(false));
    // A total over the session covers the run that was cut off.
    let session =
        stored(&[start("s"), call(90, 1), since("session", total(900, 40)), end("succeeded")]);
    assert_eq!(tokens(&runs(&[cut, session]).total), (900, 40));
}

#[test]
fn a_session_that_starts_within_a_process_gets_what_came_since() {
    let turn = ("session.started", json!({"harness": "demo", "sessionId": "b", "turn": 2}));
    for cumulative in ["process", "session"] {
        let summary = recap(&stored(&[
            start("a"),
            since(cumulative, total(10, 1)),
            end("succeeded"),
            turn.clone(),
            since(cumulative, total(25, 3)),
            end("succeeded"),
        ]));
        assert_eq!(tokens(&summary.sessions[0]), (10, 1));
        assert_eq!(tokens(&summary.sessions[1]), (15, 2));
        assert_eq!(tokens(&summary.total), (25, 3));
    }
}

#[test]
fn the_context_is_the_latest_call_of_the_main_thread() {
    let events = [
        (
            "session.started",
            json!({"harness": "claude-code", "model": "claude-sonnet-4-5", "contextWindow": 200_000, "sessionId": "s"}),
        ),
        (
            "usage",
            json!({"scope": "call", "model": "claude-sonnet-4-5", "inputTokens": 4, "cacheReadTokens": 300, "contextTokens": 304}),
        ),
        (
            "usage",
            json!({"scope": "call", "model": "claude-haiku-4-5", "inputTokens": 9, "contextTokens": 9, "parentCallId": "c"}),
        ),
    ];
    let usage = recap(&stored(&events)).total.usage;
    assert_eq!((usage.context_tokens, usage.context_window), (Some(304), Some(200_000)));

    // Stored before the keys existed: the sum of the prompt, and the model's name.
    let events = [
        (
            "session.started",
            json!({"harness": "claude-code", "model": "claude-sonnet-5", "sessionId": "s"}),
        ),
        (
            "usage",
            json!({"scope": "call", "inputTokens": 4, "cacheReadTokens": 41207, "cacheCreationTokens": 1183}),
        ),
    ];
    let usage = recap(&stored(&events)).total.usage;
    assert_eq!((usage.context_tokens, usage.context_window), (Some(42_394), Some(1_000_000)));
}

#[test]
fn cost_of_calls_adds_up_where_there_is_no_other() {
    let step = |cost| ("usage", json!({"scope": "call", "inputTokens": 1, "costUsd": cost}));
    let summary = recap(&stored(&[start("s"), step(0.0142), step(0.0021)]));
    assert_eq!(summary.total.usage.figures.cost_usd, Some(0.0163));
    assert_eq!(summary.to_json()["total"]["basis"]["costUsd"], "calls");
}

#[test]
fn owned_events_give_the_same_usage() {
    let input = fs::read(fixtures().join("claude-stream/2.1.332-bash/input.jsonl")).unwrap();
    let events = parse_lines(Protocol::ClaudeStream, input.split(|b| *b == b'\n'), usize::MAX);
    let usage = summarize_usage(&events);
    assert!(usage.figures.input_tokens.is_some());
    assert_eq!(usage, recap_of(&[&input], Protocol::Auto, false).total.usage);
    assert_eq!(usage, summarize_usage(events.into_iter().map(|e| e.event).collect::<Vec<Event>>()));
}

#[test]
fn the_calls_name_the_model_that_no_start_names() {
    let call = |model: &str, parent: Option<&str>| {
        let mut call =
            json!({"scope": "call", "model": model, "inputTokens": 1, "contextTokens": 1});
        if let Some(parent) = parent {
            call["parentCallId"] = json!(parent);
        }
        ("usage", call)
    };
    let calls = [start("s"), call("first", None), call("second", None), call("other", Some("t"))];
    assert_eq!(recap(&stored(&calls)).sessions[0].model.as_deref(), Some("second"));
}

#[test]
fn a_prompt_that_was_sent_fits_into_its_window() {
    let call = |context: u64| {
        let model = "claude-sonnet-4-5";
        (
            "usage",
            json!({"scope": "call", "model": model, "inputTokens": 1, "contextTokens": context}),
        )
    };
    let window = |tokens| recap(&stored(&[start("s"), call(tokens)])).total.usage.context_window;
    assert_eq!(window(200_000), Some(200_000));
    assert_eq!(window(260_000), None);
}
