//! What no recording has, as public files and reports tell it.

use serde_json::{Value as Json, json};

use crate::adapter::{Protocol, testing};
use crate::format::event::EventType as E;

const META: &str = r#"{"timestamp":"2026-04-20T09:00:00.000Z","type":"session_meta","payload":{"id":"s","timestamp":"2026-04-20T09:00:00.000Z","cli_version":"0.145.0"}}"#;

/// The events of a file, without raw ones and the start.
fn read(kinds: &[(&str, &str)]) -> Vec<(E, Json)> {
    let line = |(kind, payload): &(&str, &str)| {
        format!(r#"{{"timestamp":"2026-04-20T09:00:09.000Z","type":"{kind}","payload":{payload}}}"#)
    };
    let lines: Vec<String> = kinds.iter().map(line).collect();
    let lines: Vec<&str> = std::iter::once(META).chain(lines.iter().map(String::as_str)).collect();
    let told = testing::mapped(Protocol::Codex, &lines);
    told.into_iter().skip(1).map(|told| (told.kind, told.payload)).collect()
}

fn of(kind: E, events: &[(E, Json)]) -> Vec<&Json> {
    events.iter().filter(|(k, _)| *k == kind).map(|(_, payload)| payload).collect()
}

#[test]
fn a_script_that_runs_on_is_the_parent_until_a_wait_ends_it() {
    let patch = |id: &str| {
        format!(
            r#"{{"type":"patch_apply_end","call_id":"{id}","success":true,"stdout":"","changes":{{"/a":{{"type":"delete"}}}}}}"#
        )
    };
    let (during, after) = (patch("exec-1"), patch("exec-2"));
    let events = read(&[
        (
            "response_item",
            r#"{"type":"custom_tool_call","name":"exec","call_id":"c1","input":"f()"}"#,
        ),
        (
            "response_item",
            r#"{"type":"custom_tool_call_output","call_id":"c1","output":[{"type":"input_text","text":"Script running with cell ID 4\nWall time 10.0 seconds\nOutput:\n"}]}"#,
        ),
        (
            "response_item",
            r#"{"type":"function_call","name":"wait","call_id":"c2","arguments":"{\"cell_id\":\"4\"}"}"#,
        ),
        ("event_msg", &during),
        (
            "response_item",
            r#"{"type":"function_call_output","call_id":"c2","output":"Script completed\nWall time 1.0 seconds\nOutput:\n"}"#,
        ),
        ("event_msg", &after),
    ]);
    let calls = of(E::ToolCall, &events);
    let parents: Vec<_> =
        calls.iter().map(|call| (&call["callId"], &call["parentCallId"])).collect();
    assert_eq!(
        parents,
        [
            (&json!("c1"), &Json::Null),
            (&json!("c2"), &Json::Null),
            (&json!("exec-1"), &json!("c1"))
        ]
    );
    let results = of(E::ToolResult, &events);
    assert_eq!(results.len(), 3);
    assert!(results.iter().all(|result| result["isError"] == false));
    assert_eq!(results[1]["files"], json!([{"path": "/a", "change": "delete"}]));
}

#[test]
fn a_search_is_one_call_whichever_of_its_tellings_comes_first() {
    let event = ("event_msg", r#"{"type":"web_search_end","call_id":"ws_1","query":"q"}"#);
    let item = (
        "response_item",
        r#"{"type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}}"#,
    );
    let named = (
        "response_item",
        r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}}"#,
    );
    let other = ("event_msg", r#"{"type":"agent_message","message":"m"}"#);
    for (lines, calls) in [
        (&[event, item][..], 1),
        (&[item, event], 1),
        (&[event, named], 1),
        (&[named, event], 1),
        (&[named, other, event], 1),
        (&[event, item, event, item], 1),
        (&[item, item], 2),
        (&[item, other, item], 2),
    ] {
        let events = read(lines);
        assert_eq!(of(E::ToolCall, &events).len(), calls, "{lines:?}");
        assert_eq!(of(E::ToolResult, &events).len(), calls, "{lines:?}");
        assert!(of(E::ToolCall, &events).iter().all(|call| call["target"] == "q"));
    }
}

#[test]
fn what_an_mcp_server_prints_states_no_exit() {
    let output =
        r#"{"type":"function_call_output","call_id":"c","output":"Exit code: 7\nOutput:\n"}"#;
    let call = |more: &str| {
        format!(
            r#"{{"type":"function_call","name":"exec_command","call_id":"c","arguments":"{{}}"{more}}}"#
        )
    };
    let of_server =
        read(&[("response_item", &call(r#","namespace":"mcp__x""#)), ("response_item", output)]);
    assert_eq!(of_server[0].1["kind"], Json::Null);
    assert_eq!(
        (&of_server[1].1["exitCode"], &of_server[1].1["isError"]),
        (&Json::Null, &json!(false))
    );
    let own = read(&[("response_item", &call("")), ("response_item", output)]);
    assert_eq!(own[0].1["kind"], "execute");
    assert_eq!((&own[1].1["exitCode"], &own[1].1["isError"]), (&json!(7), &json!(true)));
}

#[test]
fn a_failure_is_told_by_the_second_telling() {
    for (kind, told, failed, status) in [
        ("mcp_tool_call_end", r#""result":{"Err":"gone"}"#, true, Json::Null),
        ("mcp_tool_call_end", r#""result":{"Ok":{"content":[],"isError":true}}"#, true, Json::Null),
        ("mcp_tool_call_end", r#""result":{"Ok":{"content":[]}}"#, false, Json::Null),
        ("patch_apply_end", r#""success":false"#, true, Json::Null),
        ("exec_command_end", r#""status":"declined","exit_code":-1"#, true, json!("denied")),
        ("exec_command_end", r#""exit_code":1"#, true, Json::Null),
    ] {
        let end = format!(r#"{{"type":"{kind}","call_id":"c",{told}}}"#);
        let events = read(&[
            (
                "response_item",
                r#"{"type":"function_call","name":"x","call_id":"c","arguments":"{}"}"#,
            ),
            ("event_msg", &end),
            ("response_item", r#"{"type":"function_call_output","call_id":"c","output":"o"}"#),
        ]);
        let [result] = of(E::ToolResult, &events)[..] else { panic!("{events:?}") };
        assert_eq!((&result["isError"], &result["status"]), (&json!(failed), &status), "{end}");
    }
}

#[test]
fn a_total_without_its_last_call_counts_by_what_it_grew() {
    let count = |input: u64| {
        format!(
            r#"{{"type":"token_count","info":{{"total_token_usage":{{"input_tokens":{input},"output_tokens":1}}}}}}"#
        )
    };
    let events =
        read(&[("event_msg", &count(10)), ("event_msg", &count(10)), ("event_msg", &count(25))]);
    let calls = of(E::Usage, &events);
    let spent: Vec<_> =
        calls.iter().map(|usage| (&usage["scope"], &usage["inputTokens"])).collect();
    let (call, session) = (json!("call"), json!("session"));
    let want = [(&call, 10), (&session, 10), (&call, 15), (&session, 25)];
    let want: Vec<_> = want.into_iter().map(|(scope, n)| (scope, json!(n))).collect();
    assert_eq!(spent, want.iter().map(|(scope, n)| (*scope, n)).collect::<Vec<_>>());
}

#[test]
fn a_session_that_is_told_again_is_no_other_and_another_is() {
    let other = META.replace(r#""id":"s""#, r#""id":"t""#);
    let told = testing::mapped(Protocol::Codex, &[META, META, &other]);
    let ids: Vec<_> = told.iter().map(|told| &told.payload["sessionId"]).collect();
    assert_eq!(ids, ["s", "t"]);
}

#[test]
fn a_further_file_of_a_session_inherits() {
    let segment = META.replace(r#""id":"s""#, r#""id":"s","history_base":{"thread_id":"s"}"#);
    let count = r#"{"timestamp":"2026-04-20T09:00:09.000Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":9},"last_token_usage":{"input_tokens":4}}}}"#;
    for lines in [&[&*segment, count][..], &[META, &segment, count]] {
        let told = testing::mapped(Protocol::Codex, lines);
        let total = &told.last().unwrap().payload;
        assert_eq!(
            (&total["inputTokens"], &total["inherited"]["inputTokens"]),
            (&json!(9), &json!(5))
        );
    }
}

#[test]
fn copies_without_turns_end_where_their_burst_does() {
    let fork = META.replace(r#""id":"s""#, r#""id":"s","forked_from_id":"p""#);
    let parent = META.replace(r#""id":"s""#, r#""id":"p""#);
    let said = |second: &str, text: &str| {
        format!(
            r#"{{"timestamp":"2026-04-20T09:00:{second}.000Z","type":"event_msg","payload":{{"type":"agent_message","message":"{text}"}}}}"#
        )
    };
    let told = testing::mapped(
        Protocol::Codex,
        &[&fork, &parent, &said("01", "copied"), &said("09", "own"), &said("10", "own")],
    );
    let texts: Vec<_> = told.iter().filter_map(|told| told.payload["text"].as_str()).collect();
    assert_eq!(texts, ["own", "own"]);
    assert_eq!(told[0].payload["forkedFrom"], "p");
}

#[test]
fn a_name_is_the_session_s_own_or_of_the_list() {
    let named = read(&[("event_msg", r#"{"type":"thread_name_updated","thread_name":"n"}"#)]);
    assert_eq!(of(E::SessionTitle, &named), [&json!({"title": "n"})]);
}

#[test]
fn wrong_shapes_cost_nothing_but_themselves() {
    for payload in [
        "{}",
        r#"{"type":7}"#,
        r#"{"type":"agent_message","message":[1]}"#,
        r#"{"type":"item_completed","item":[]}"#,
        r#"{"type":"item_completed","item":{"type":"AgentMessage","content":7}}"#,
        r#"{"type":"item_completed","item":{"type":"Reasoning","summary_text":"s"}}"#,
        r#"{"type":"token_count","info":{"total_token_usage":[]}}"#,
        r#"{"type":"message","role":"user","content":"x"}"#,
        r#"{"type":"thread_name_updated","thread_name":""}"#,
    ] {
        for kind in ["event_msg", "response_item", "compactedx", "turn_context"] {
            assert_eq!(read(&[(kind, payload)]), [], "{kind} {payload}");
        }
    }
}
