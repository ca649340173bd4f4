use std::fs;

use agentnorm::export::{ExportOptions, Target};
use serde_json::{Value, json};

use super::{export, fixtures, stream};

fn options(prompt: Option<&str>) -> ExportOptions {
    ExportOptions {
        target: Target::Atif,
        prompt: prompt.map(str::to_owned),
        ..ExportOptions::default()
    }
}

const LINES: [&str; 7] = [
    r#"{"type":"thinking","payload":{"text":"Hm.","messageId":"m1"},"line":1,"time":"2026-11-30T10:00:00.000Z"}"#,
    r#"{"type":"tool.call","payload":{"callId":"t1","name":"Task","input":"do it","messageId":"m1"},"line":2}"#,
    r#"{"type":"usage","payload":{"scope":"call","model":"x","inputTokens":1,"outputTokens":2,"cacheReadTokens":30,"cacheCreationTokens":null,"messageId":"m1"},"line":2}"#,
    r#"{"type":"message","payload":{"role":"assistant","text":"Inner.","parentCallId":"t1"},"line":3}"#,
    r#"{"type":"tool.result","payload":{"callId":"t1","isError":false,"output":"done","exitCode":0},"line":4}"#,
    r#"{"type":"tool.result","payload":{"callId":"t9","isError":true,"output":"lost"},"line":5}"#,
    r#"{"type":"message","payload":{"role":"user","text":"Again.","replay":true},"line":6}"#,
];

#[test]
fn a_session_is_a_document_of_steps() {
    let (documents, _) = export(&stream(&LINES), &options(Some("Do it.")));
    let document = &documents[0];
    let child = &document["subagent_trajectories"][0];
    let steps = json!([
        {"step_id": 1, "source": "user", "message": "Do it."},
        {
            "step_id": 2, "timestamp": "2026-11-30T10:00:00.000Z", "source": "agent",
            "model_name": "x", "message": "", "reasoning_content": "Hm.",
            "tool_calls": [
                {"tool_call_id": "t1", "function_name": "Task", "arguments": {"input": "do it"}}
            ],
            "observation": {"results": [{
                "source_call_id": "t1", "content": "done", "extra": {"exitCode": 0},
                "subagent_trajectory_ref": [{"trajectory_id": child["trajectory_id"]}],
            }]},
            "metrics": {"prompt_tokens": 31, "completion_tokens": 2, "cached_tokens": 30},
            "llm_call_count": 1, "extra": {"messageId": "m1"},
        },
        {
            "step_id": 3, "source": "system", "message": "",
            "observation": {"results": [
                {"content": "lost", "extra": {"isError": true, "callId": "t9"}}
            ]},
        },
    ]);
    assert_eq!(document["steps"], steps);
    assert_eq!(child["steps"][0]["message"], "Inner.");
    let notes = document["notes"].as_str().unwrap();
    assert!(notes.ends_with(
        "Left out: 1 messages that were printed again, 1 results whose call was not seen (they are \
         system steps)."
    ));
    assert_eq!(document["final_metrics"]["total_prompt_tokens"], 31);
}

#[test]
fn what_was_asked_stands_there_once() {
    let asked = [r#"{"type":"message","payload":{"role":"user","text":"Do it.\n"}}"#];
    for prompt in [None, Some("Do it.")] {
        let (documents, _) = export(&stream(&asked), &options(prompt));
        assert_eq!(documents[0]["steps"].as_array().unwrap().len(), 1, "{prompt:?}");
    }
    let (documents, _) = export(&stream(&asked), &options(Some("Do that.")));
    let texts: Vec<&Value> =
        documents[0]["steps"].as_array().unwrap().iter().map(|step| &step["message"]).collect();
    assert_eq!(texts, ["Do that.", "Do it.\n"]);
}

#[test]
fn every_fixture_with_a_step_is_a_document() {
    let mut documents = 0;
    for path in fixtures() {
        let input = fs::read(&path).unwrap();
        let (made, exported) = export(&input, &options(None));
        assert_eq!(export(&input, &options(None)), (made.clone(), exported.clone()), "{path:?}");
        documents += made.len();
        for document in &made {
            for (number, step) in (1..).zip(document["steps"].as_array().unwrap()) {
                assert_eq!(step["step_id"], number, "{path:?}");
            }
        }
    }
    assert!(documents > 800, "{documents}");
}
