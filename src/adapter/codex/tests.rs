use serde_json::{Value as Json, json};

use super::{Match, detect};
use crate::adapter::{Protocol, testing};
use crate::format::event::EventType;
use crate::json::Doc;

/// The events of the lines, without raw ones.
fn read(lines: &[&str]) -> Vec<(EventType, Json)> {
    testing::mapped(Protocol::Codex, lines).into_iter().map(|e| (e.kind, e.payload)).collect()
}

fn all(lines: &[&str]) -> Vec<(EventType, Json)> {
    testing::read(Protocol::Codex, lines).into_iter().map(|e| (e.kind, e.payload)).collect()
}

fn of(kind: EventType, events: &[(EventType, Json)]) -> Vec<&Json> {
    events.iter().filter(|(k, _)| *k == kind).map(|(_, payload)| payload).collect()
}

#[test]
fn structure_tells_the_dialect() {
    let mut doc = Doc::default();
    let mut detect = |json: &str| detect(doc.parse(json).unwrap());
    for own in [
        r#"{"thread_id":"t","type":"thread.started"}"#,
        r#"{"type":"session.created","session_id":"s"}"#,
        r#"{"type":"item.completed","item":{"id":"item_0","type":"web_search","id":"ws_1"}}"#,
        r#"{"type":"item.started","item":{"id":"item_0","item_type":"todo_list"}}"#,
        r#"{"type":"turn.completed","usage":{"cached_input_tokens":0}}"#,
        r#"{"type":"turn.failed","error":{"message":"m"}}"#,
        r#"{"timestamp":"2026-11-30T12:00:00Z","type":"session_meta","payload":{}}"#,
        r#"{"id":"s","timestamp":"2025-08-07T12:00:00Z","instructions":null,"git":{}}"#,
        r#"{"record_type":"state"}"#,
        r#"{"id":"0","msg":{"type":"task_started"}}"#,
        r#"{"workdir":"/w","model":"m","sandbox":"s","provider":"p","reasoning effort":"none"}"#,
    ] {
        assert_eq!(detect(own), Match::Own, "{own}");
    }
    for weak in [
        r#"{"type":"turn.started"}"#,
        r#"{"type":"error","message":"m"}"#,
        r#"{"prompt":"p"}"#,
        r#"{"type":"item.plan.delta","item_id":"item_3","delta":"1. "}"#,
        r#"{"type":"session.created","properties":{}}"#,
    ] {
        assert_eq!(detect(weak), Match::Weak, "{weak}");
    }
    for other in [
        r#"{"method":"thread/started","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"id":1,"result":{"thread":{"id":"t"}}}"#,
        r#"{"type":"session_meta","payload":{}}"#,
        r#"{"type":"turn_end","message":{}}"#,
        r#"{"prompt":"p","model":"m"}"#,
        r#"{"type":7,"msg":{"type":"task_started"}}"#,
        "{}",
    ] {
        assert_eq!(detect(other), Match::No, "{other}");
    }
}

#[test]
fn lines_of_the_wrong_shape_stay_raw() {
    for line in [
        r#"{"type":"item.completed"}"#,
        r#"{"type":"item.completed","item":"x"}"#,
        r#"{"type":"item.completed","item":{"id":"item_0","type":null}}"#,
        r#"{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":null}}"#,
        r#"{"type":"item.completed","item":{"id":"item_0","type":"todo_list","items":null}}"#,
        r#"{"type":"item.completed","item":{"id":"item_0","type":"context_compaction"}}"#,
        r#"{"type":"item.started","item":{"type":"function_call_output","call_id":"c"}}"#,
        r#"{"id":"0","msg":"agent_message"}"#,
        r#"{"id":"0","msg":{"type":"agent_message"}}"#,
        r#"{"id":"0","msg":{"type":"plan_update","plan":"later"}}"#,
        r#"{"id":"0","msg":{"type":"token_count","info":7}}"#,
        r#"{"id":"0","msg":{"type":"exec_command_output_delta","call_id":"c","chunk":"%%"}}"#,
        r#"{"id":"0","msg":{"type":"exec_command_output_delta","call_id":"c","chunk":[300]}}"#,
        r#"{"id":"0","msg":{"type":"exec_command_output_delta","call_id":"c"}}"#,
        r#"{"prompt":7}"#,
        r#"{"type":"turn.started"}"#,
        "{}",
    ] {
        let events = all(&[line]);
        assert!(matches!(events[..], [(EventType::Raw, _)]), "{line}: {events:?}");
    }
}

#[test]
fn what_is_missing_is_null() {
    let events = read(&[
        r#"{"type":"thread.started"}"#,
        r#"{"type":"item.completed","item":{"type":"command_execution"}}"#,
        r#"{"type":"item.completed","item":{"id":7,"type":"mcp_tool_call","server":""}}"#,
        r#"{"type":"error"}"#,
        r#"{"type":"turn.completed"}"#,
        r#"{"type":"turn.failed","error":"plain words"}"#,
        r#"{"id":"0","msg":{"type":"exec_command_end","exit_code":-1}}"#,
    ]);
    let results = of(EventType::ToolResult, &events);
    let null = json!({"callId": null, "isError": false, "output": null, "truncated": false});
    assert_eq!(results[0], &null);
    assert_eq!(results[2]["isError"], json!(true));
    assert_eq!(results[2].get("exitCode"), None);
    assert_eq!(of(EventType::Notice, &events)[0]["message"], Json::Null);
    let ends = of(EventType::SessionEnded, &events);
    assert_eq!(ends[0]["status"], json!("succeeded"));
    assert_eq!(ends[1]["error"], json!("plain words"));
    assert!(of(EventType::Usage, &events).is_empty());
}

#[test]
fn a_function_call_and_its_output_come_once() {
    let call = r#""id":"fc_1","type":"function_call","name":"look","call_id":"c1""#;
    let answer = r#""id":"fo_1","type":"function_call_output","call_id":"c1""#;
    let lines = [
        format!(r#"{{"type":"item.created","item":{{{call},"arguments":"{{\"a\": 1}}"}}}}"#),
        format!(r#"{{"type":"item.completed","item":{{{call}}}}}"#),
        format!(r#"{{"type":"item.created","item":{{{answer}}}}}"#),
        format!(r#"{{"type":"item.updated","item":{{{answer},"output":"found"}}}}"#),
        format!(r#"{{"type":"item.completed","item":{{{answer},"output":"found"}}}}"#),
    ];
    let events = read(&lines.each_ref().map(String::as_str));
    assert_eq!(events.len(), 2);
    assert_eq!(events[0].1["callId"], json!("c1"));
    assert_eq!(events[0].1["input"], json!("{\"a\":1}"));
    assert_eq!(events[1].1["callId"], json!("c1"));
    assert_eq!(events[1].1["output"], json!("found"));
}

#[test]
fn the_next_process_starts_the_ids_again() {
    let start = |id: &str| format!(r#"{{"type":"thread.started","thread_id":"{id}"}}"#);
    let command = |phase: &str, command: &str| {
        let item = format!(r#""id":"item_0","type":"command_execution","command":"{command}""#);
        format!(r#"{{"type":"item.{phase}","item":{{{item}}}}}"#)
    };
    let message = |phase: &str, text: &str| {
        let item = format!(r#""id":"item_1","type":"agent_message","text":"{text}""#);
        format!(r#"{{"type":"item.{phase}","item":{{{item}}}}}"#)
    };
    let lines = [
        start("a"),
        command("started", "first"),
        message("updated", "Half"),
        start("a"),
        command("completed", "second"),
        message("updated", "Half a"),
        message("completed", "Half a day"),
    ];
    let events = read(&lines.each_ref().map(String::as_str));
    let calls = of(EventType::ToolCall, &events);
    assert_eq!(calls.iter().map(|call| &call["input"]).collect::<Vec<_>>(), ["first", "second"]);
    assert_eq!(of(EventType::ToolResult, &events).len(), 1);
    let deltas = of(EventType::Delta, &events);
    let said = |delta: &&Json| (delta["text"].clone(), delta.get("reset").is_some());
    assert_eq!(
        deltas.iter().map(said).collect::<Vec<_>>(),
        [(json!("Half"), false), (json!("Half a"), true), (json!(" day"), false)]
    );
}

fn snapshot(phase: &str, id: u32, text: &str) -> String {
    let item = format!(r#""id":"item_{id}","type":"agent_message","text":"{text}""#);
    format!(r#"{{"type":"item.{phase}","item":{{{item}}}}}"#)
}

#[test]
fn half_a_surrogate_pair_waits_for_its_other_half() {
    let lines = [
        snapshot("updated", 0, r"up \ud83d"),
        snapshot("updated", 0, r"up \ud83d\ude80 "),
        snapshot("completed", 0, r"up \ud83d\ude80 \ud83d"),
    ];
    let events = read(&lines.each_ref().map(String::as_str));
    let deltas = of(EventType::Delta, &events);
    let said: Vec<&Json> = deltas.iter().map(|delta| &delta["text"]).collect();
    assert_eq!(said, ["up ", "🚀 ", "\u{fffd}"]);
    assert!(deltas.iter().all(|delta| delta.get("reset").is_none()));
}

#[test]
fn a_forgotten_text_starts_again() {
    let mut lines: Vec<String> = (0..40).map(|id| snapshot("updated", id, "ab")).collect();
    lines.push(snapshot("updated", 0, "abc"));
    lines.push(snapshot("completed", 1, "abcd"));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let events = read(&lines);
    let deltas = of(EventType::Delta, &events);
    let last = |back: usize| {
        let delta = deltas[deltas.len() - back];
        (delta["text"].as_str().unwrap(), delta["reset"].as_bool())
    };
    assert_eq!(last(2), ("abc", Some(true)));
    assert_eq!(last(1), ("abcd", Some(true)));
}

#[test]
fn totals_are_carried_over_threads_and_not_over_resumes() {
    let start = |id: &str| format!(r#"{{"type":"thread.started","thread_id":"{id}"}}"#);
    let end = |input: u64| {
        format!(
            r#"{{"type":"turn.completed","usage":{{"input_tokens":{input},"cached_input_tokens":1,"output_tokens":2}}}}"#
        )
    };
    let totals = |lines: &[String]| {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let events = read(&lines);
        let input = |usage: &&Json| usage["inputTokens"].as_u64().unwrap();
        of(EventType::Usage, &events).iter().map(input).collect::<Vec<_>>()
    };
    assert_eq!(totals(&[start("a"), end(11), start("a"), end(31)]), [10, 30]);
    assert_eq!(totals(&[start("a"), end(31), start("a"), end(11)]), [30, 40]);
    assert_eq!(totals(&[start("a"), end(11), start("b"), end(31)]), [10, 40]);
    assert_eq!(totals(&[start("a"), end(0)]), [0]);
}

fn msg(body: &str) -> String {
    format!(r#"{{"id":"1","msg":{{{body}}}}}"#)
}

#[test]
fn output_chunks_are_cut_anywhere() {
    let chunk = |bytes: &str| {
        msg(&format!(
            r#""type":"exec_command_output_delta","call_id":"c","stream":"stdout","chunk":{bytes}"#
        ))
    };
    let lines = [
        msg(r#""type":"exec_command_begin","call_id":"c","command":["printf","€"]"#),
        chunk("[226]"),
        chunk("[130]"),
        chunk("\"rA==\""),
        chunk("[255,33]"),
        msg(r#""type":"exec_command_end","call_id":"c","aggregated_output":"€�!\n","exit_code":0"#),
    ];
    let events = read(&lines.each_ref().map(String::as_str));
    let said: Vec<&str> =
        of(EventType::Delta, &events).iter().map(|delta| delta["text"].as_str().unwrap()).collect();
    assert_eq!(said, ["€", "\u{fffd}!", "\n"]);
}

#[test]
fn a_retried_text_starts_again() {
    let lines = [
        msg(r#""type":"agent_message_delta","delta":"Half \ud83d""#),
        msg(r#""type":"stream_error","message":"stream error: x; retrying 1/2 in 1.5s…""#),
        msg(r#""type":"agent_message_delta","delta":"Who""#),
        msg(r#""type":"agent_message","message":"Whole""#),
    ];
    let events = read(&lines.each_ref().map(String::as_str));
    let deltas = of(EventType::Delta, &events);
    assert_eq!(deltas[0]["text"], json!("Half "));
    assert_eq!((&deltas[1]["text"], &deltas[1]["reset"]), (&json!("Who"), &json!(true)));
    assert_eq!(deltas[2]["text"], json!("le"));
    let retry = &of(EventType::Notice, &events)[0]["retry"];
    assert_eq!(retry, &json!({"attempt": 1, "max": 2, "delayMs": 1500}));
}

#[test]
fn a_turn_that_an_error_ended_failed() {
    let done = msg(r#""type":"task_complete","last_agent_message":null"#);
    let error = msg(r#""type":"error","message":"quota""#);
    let text = msg(r#""type":"agent_message","message":"Recovered""#);
    let end = |lines: &[&String]| {
        let lines: Vec<&str> = lines.iter().map(|line| line.as_str()).collect();
        let events = read(&lines);
        let end = of(EventType::SessionEnded, &events)[0];
        (end["status"].clone(), end.get("error").cloned())
    };
    assert_eq!(end(&[&error, &done]), (json!("failed"), Some(json!("quota"))));
    assert_eq!(end(&[&error, &text, &done]), (json!("succeeded"), None));
}

#[test]
fn failed_wins_on_an_end() {
    let line = r#"{"type":"turn.completed","status":"failed","error":{"message":"no"},"usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":0}}"#;
    let events = read(&[line]);
    let [end] = of(EventType::SessionEnded, &events)[..] else { panic!("{events:?}") };
    assert_eq!((&end["status"], &end["error"]), (&json!("failed"), &json!("no")));
    assert_eq!(of(EventType::Usage, &events).len(), 1);
}
