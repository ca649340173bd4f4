use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use agentnorm::export::{ExportOptions, TraceParent};
use agentnorm::summary::Summarizer;
use agentnorm::{Feed as _, Options, Protocol};
use serde_json::Value;

use super::{export, fixtures, stream};

fn spans(document: &Value) -> &Vec<Value> {
    document["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap()
}

/// Returns a span's attributes, numbers as numbers.
fn attributes(span: &Value) -> BTreeMap<&str, Value> {
    let read = |attribute: &Value| {
        let value = &attribute["value"];
        value["intValue"].as_str().map_or_else(
            || value.as_object().unwrap().values().next().unwrap().clone(),
            |number| number.parse::<i64>().unwrap().into(),
        )
    };
    let attributes = span["attributes"].as_array().unwrap().iter();
    attributes.map(|a| (a["key"].as_str().unwrap(), read(a))).collect()
}

fn text<'v>(span: &'v Value, key: &str) -> Option<&'v str> {
    span.get(key).and_then(Value::as_str)
}

/// Sums up a counter over all spans.
fn sum(spans: &[&Value], key: &str) -> u64 {
    spans.iter().filter_map(|span| attributes(span).get(key)?.as_u64()).sum()
}

#[test]
fn every_fixture_is_a_trace_that_holds_together() {
    let options = ExportOptions { content: true, no_time: true, ..ExportOptions::default() };
    let mut wrong = Vec::new();
    for path in fixtures() {
        let input = fs::read(&path).unwrap();
        let (documents, exported) = export(&input, &options);
        assert_eq!(export(&input, &options), (documents.clone(), exported.clone()), "{path:?}");
        assert_eq!(exported.without_time, 0, "{path:?}");
        let mut traces = BTreeSet::new();
        for document in &documents {
            let spans = spans(document);
            let ids: BTreeSet<_> = spans.iter().map(|span| text(span, "spanId").unwrap()).collect();
            let known = |span: &Value| ids.contains(text(span, "parentSpanId").unwrap());
            let time = |span: &Value, key| text(span, key).unwrap().parse::<u64>().unwrap();
            let (from, to) = ("startTimeUnixNano", "endTimeUnixNano");
            let holds = ids.len() == spans.len()
                && traces.insert(text(&spans[0], "traceId").unwrap())
                && text(&spans[0], "parentSpanId").is_none()
                && spans[1..].iter().all(known)
                && spans
                    .iter()
                    .all(|span| 0 < time(span, from) && time(span, from) <= time(span, to))
                && spans.iter().all(|span| time(&spans[0], to) >= time(span, to));
            if !holds {
                wrong.push(format!("{}: {document}", path.display()));
            }
        }
        let mut summarizer = Summarizer::new(Options::new(Protocol::Auto), false);
        summarizer.push(&input);
        summarizer.end_stream();
        let spent = summarizer.finish().total.usage.figures;
        let all: Vec<&Value> = documents.iter().flat_map(spans).collect();
        let prompt = [spent.input_tokens, spent.cache_read_tokens, spent.cache_creation_tokens];
        let prompt = Some(prompt.into_iter().flatten().sum());
        for (key, want) in [
            ("input_tokens", prompt),
            ("output_tokens", spent.output_tokens),
            ("cache_read.input_tokens", spent.cache_read_tokens),
            ("cache_write.input_tokens", spent.cache_creation_tokens),
            ("reasoning.output_tokens", spent.reasoning_tokens),
        ] {
            let found = sum(&all, &format!("gen_ai.usage.{key}"));
            // A total of nothing may be what no call says.
            if found != want.unwrap_or_default() {
                wrong.push(format!("{}: {key} is {found}, not {want:?}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

const SUBAGENT: [&str; 9] = [
    r#"{"type":"session.started","payload":{"harness":"claude-code","model":"claude-x","sessionId":"s"},"line":1,"sessionId":"s","time":"2026-11-30T10:00:00.000Z"}"#,
    r#"{"type":"message","payload":{"role":"user","text":"Count them."},"line":2,"sessionId":"s","time":"2026-11-30T10:00:00.000Z"}"#,
    r#"{"type":"tool.call","payload":{"callId":"t1","name":"Task","input":"{\"a\":1}","messageId":"m1"},"line":3,"sessionId":"s","time":"2026-11-30T10:00:02.000Z"}"#,
    r#"{"type":"usage","payload":{"scope":"call","model":"claude-x","inputTokens":1,"outputTokens":2,"cacheReadTokens":30,"cacheCreationTokens":400,"messageId":"m1"},"line":3,"sessionId":"s","time":"2026-11-30T10:00:02.000Z"}"#,
    r#"{"type":"tool.call","payload":{"callId":"t2","name":"mcp__count__all","input":"ls","parentCallId":"t1"},"line":4,"sessionId":"s","time":"2026-11-30T10:00:03.000Z"}"#,
    r#"{"type":"tool.result","payload":{"callId":"t2","isError":true,"output":"no","exitCode":3,"parentCallId":"t1"},"line":5,"sessionId":"s","time":"2026-11-30T10:00:04.000Z"}"#,
    r#"{"type":"usage","payload":{"scope":"call","model":"claude-x","inputTokens":5,"outputTokens":7,"messageId":"m2","parentCallId":"t1"},"line":5,"sessionId":"s","time":"2026-11-30T10:00:04.000Z"}"#,
    r#"{"type":"usage","payload":{"scope":"session","inputTokens":6,"outputTokens":19,"cacheReadTokens":30,"cacheCreationTokens":400,"costUsd":0.5},"line":6,"sessionId":"s","time":"2026-11-30T10:00:05.000Z"}"#,
    r#"{"type":"session.ended","payload":{"status":"failed","reason":"max_turns","error":"too many"},"line":6,"sessionId":"s","time":"2026-11-30T10:00:05.000Z"}"#,
];

#[test]
fn spans_are_nested_timed_and_counted() {
    let (documents, _) = export(&stream(&SUBAGENT), &ExportOptions::default());
    let spans = spans(&documents[0]);
    let find = |name: &str| spans.iter().find(|span| text(span, "name") == Some(name)).unwrap();
    let (root, task) = (find("invoke_agent claude-code"), find("execute_tool Task"));
    let inner = find("execute_tool mcp__count__all");
    assert_eq!(text(task, "parentSpanId"), text(root, "spanId"));
    assert_eq!(text(inner, "parentSpanId"), text(task, "spanId"));
    assert_eq!(attributes(inner)["error.type"], "tool_error");
    assert_eq!(attributes(inner)["process.exit.code"], 3);
    assert_eq!(attributes(inner)["gen_ai.tool.type"], "extension");
    // It has no result, so it lasts to the end, and failed.
    assert_eq!(attributes(task)["error.type"], "unfinished");
    assert_eq!(text(task, "endTimeUnixNano"), text(root, "endTimeUnixNano"));
    let chats: Vec<_> = spans.iter().filter(|s| text(s, "name") == Some("chat claude-x")).collect();
    assert_eq!(chats.len(), 2);
    assert_eq!(attributes(chats[0])["gen_ai.usage.input_tokens"], 431);
    assert_eq!(attributes(chats[0])["gen_ai.provider.name"], "anthropic");
    assert_eq!(text(chats[0], "startTimeUnixNano"), text(root, "startTimeUnixNano"));
    assert_eq!(text(chats[1], "parentSpanId"), text(task, "spanId"));
    // The total says more than the calls.
    let rest = attributes(find("usage of no call"));
    assert_eq!(rest["gen_ai.usage.output_tokens"], 10);
    assert!(!rest.contains_key("gen_ai.usage.input_tokens"));
    assert_eq!(root["status"], serde_json::json!({"code": 2, "message": "too many"}));
    assert_eq!(attributes(root)["error.type"], "max_turns");
    assert_eq!(attributes(root)["agentnorm.cost_usd"], 0.5);
    // What was said is written only where it is asked for.
    let said = |document: &Value| {
        ["Count them.", "\\\"a\\\"", "ls"].map(|t| document.to_string().contains(t))
    };
    assert_eq!(said(&documents[0]), [false, false, false]);
    let content = ExportOptions { content: true, ..ExportOptions::default() };
    assert_eq!(said(&export(&stream(&SUBAGENT), &content).0[0]), [true, true, true]);
}

#[test]
fn a_trace_is_a_child_where_a_parent_is_given() {
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let options = ExportOptions { parent: TraceParent::read(parent), ..ExportOptions::default() };
    let (documents, _) = export(&stream(&SUBAGENT), &options);
    let spans = spans(&documents[0]);
    assert_eq!(text(&spans[0], "parentSpanId"), Some("b7ad6b7169203331"));
    assert!(spans.iter().all(|s| text(s, "traceId") == Some("0af7651916cd43dd8448eb211c80319c")));
}

#[test]
fn a_session_without_times_is_refused_unless_it_is_numbered() {
    let lines = [
        r#"{"type":"thread.started","thread_id":"t"}"#,
        r#"{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"Done."}}"#,
        r#"{"type":"turn.completed","usage":{"input_tokens":9,"cached_input_tokens":4,"output_tokens":2}}"#,
    ];
    let (documents, exported) = export(&stream(&lines), &ExportOptions::default());
    assert_eq!((documents.len(), exported.sessions, exported.without_time), (0, 0, 1));
    let options = ExportOptions { no_time: true, ..ExportOptions::default() };
    let (documents, _) = export(&stream(&lines), &options);
    let root = &spans(&documents[0])[0];
    assert_eq!(text(root, "startTimeUnixNano"), Some("1000000"));
    // No call says what it spent: the session does.
    assert_eq!(attributes(root)["gen_ai.usage.input_tokens"], 9);
}

#[test]
fn sessions_that_are_interleaved_are_traces_of_their_own() {
    let mut lines = Vec::new();
    for line in SUBAGENT {
        lines.push(line.to_owned());
        lines.push(line.replace("\"sessionId\":\"s\"", "\"sessionId\":\"other\""));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (documents, _) = export(&stream(&lines), &ExportOptions::default());
    assert_eq!(documents.len(), 2);
    let (alone, _) = export(&stream(&SUBAGENT), &ExportOptions::default());
    let names = |document: &Value| -> Vec<String> {
        spans(document).iter().map(|span| text(span, "name").unwrap().to_owned()).collect()
    };
    let chats = |document: &Value| names(document).iter().filter(|n| n.starts_with("chat")).count();
    assert_eq!((chats(&documents[0]), chats(&documents[1])), (2, 2));
    assert_eq!(text(&spans(&documents[0])[0], "traceId"), text(&spans(&alone[0])[0], "traceId"));
}
