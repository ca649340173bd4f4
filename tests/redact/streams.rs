//! How each harness prints a text in pieces.

use agentnorm::Protocol;

use crate::support::json;

/// A dialect, and what a stream of it looks like that says `pieces`.
pub(crate) struct Stream {
    pub(crate) name: &'static str,
    pub(crate) protocol: &'static str,
    pub(crate) print: fn(&[&str]) -> Vec<String>,
}

impl Stream {
    pub(crate) fn protocol(&self) -> Protocol {
        Protocol::from_name(self.protocol).unwrap()
    }

    /// Whether a stored line says by itself which dialect it is of.
    pub(crate) fn proves_itself(&self) -> bool {
        !matches!(self.name, "claude bare" | "jsonl")
    }
}

pub(crate) const STREAMS: &[Stream] = &[
    Stream { name: "claude text", protocol: "claude-stream", print: claude_text },
    Stream { name: "claude input", protocol: "claude-stream", print: claude_input },
    Stream { name: "claude bare", protocol: "claude-stream", print: claude_bare },
    Stream { name: "codex", protocol: "codex", print: codex },
    Stream { name: "codex output", protocol: "codex", print: codex_output },
    Stream { name: "codex proto", protocol: "codex", print: codex_proto },
    Stream { name: "codex proto output", protocol: "codex", print: codex_proto_output },
    Stream { name: "codex proto bytes", protocol: "codex", print: codex_proto_bytes },
    Stream { name: "gemini", protocol: "gemini", print: gemini },
    Stream { name: "copilot", protocol: "copilot", print: copilot },
    Stream { name: "cursor", protocol: "cursor", print: cursor },
    Stream { name: "acp", protocol: "acp", print: acp },
    Stream { name: "goose", protocol: "goose", print: goose },
    Stream { name: "pi", protocol: "pi", print: pi },
    Stream { name: "cline", protocol: "cline", print: cline },
    Stream { name: "jsonl", protocol: "jsonl", print: jsonl },
];

fn whole(pieces: &[&str]) -> String {
    json(&pieces.concat())
}

/// What the pieces are so far, one after the other.
fn so_far<'p>(pieces: &'p [&str]) -> impl Iterator<Item = String> + 'p {
    (1..=pieces.len()).map(|n| whole(&pieces[..n]))
}

fn claude(
    block: &str,
    delta: &dyn Fn(&str) -> String,
    pieces: &[&str],
    content: &str,
) -> Vec<String> {
    let event = |event: &str| {
        format!(
            r#"{{"type":"stream_event","event":{event},"session_id":"s","parent_tool_use_id":null}}"#
        )
    };
    let mut lines = vec![
        r#"{"type":"system","subtype":"init","session_id":"s","cwd":"/x","tools":[],"model":"claude-x","claude_code_version":"2.1.0"}"#.into(),
        event(r#"{"type":"message_start","message":{"id":"m","role":"assistant"}}"#),
        event(&format!(r#"{{"type":"content_block_start","index":0,"content_block":{block}}}"#)),
    ];
    for piece in pieces {
        lines.push(event(&format!(
            r#"{{"type":"content_block_delta","index":0,"delta":{}}}"#,
            delta(piece)
        )));
        lines.push(event(r#"{"type":"ping"}"#));
    }
    lines.push(format!(r#"{{"type":"assistant","message":{{"id":"m","role":"assistant","model":"claude-x","content":[{content}]}},"session_id":"s","parent_tool_use_id":null}}"#));
    lines.push(event(r#"{"type":"content_block_stop","index":0}"#));
    lines.push(r#"{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}"#.into());
    lines
}

fn claude_text(pieces: &[&str]) -> Vec<String> {
    let delta = |piece: &str| format!(r#"{{"type":"text_delta","text":{}}}"#, json(piece));
    let content = format!(r#"{{"type":"text","text":{}}}"#, whole(pieces));
    claude(r#"{"type":"text","text":""}"#, &delta, pieces, &content)
}

/// The pieces are those of the JSON text of the call's input.
fn claude_input(pieces: &[&str]) -> Vec<String> {
    let delta =
        |piece: &str| format!(r#"{{"type":"input_json_delta","partial_json":{}}}"#, json(piece));
    let content = format!(
        r#"{{"type":"tool_use","id":"c","name":"Bash","input":{{"command":{}}}}}"#,
        whole(pieces)
    );
    let input: Vec<String> =
        pieces.iter().map(|piece| json(piece)[1..].strip_suffix('"').unwrap().to_owned()).collect();
    let last = input.len() - 1;
    let input: Vec<String> = input
        .iter()
        .enumerate()
        .map(|(n, piece)| {
            let start = if n == 0 { "{\"command\":\"" } else { "" };
            format!("{start}{piece}{}", if n == last { "\"}" } else { "" })
        })
        .collect();
    let input: Vec<&str> = input.iter().map(String::as_str).collect();
    claude(r#"{"type":"tool_use","id":"c","name":"Bash","input":{}}"#, &delta, &input, &content)
}

fn claude_bare(pieces: &[&str]) -> Vec<String> {
    let mut lines = vec![
        r#"{"type":"message_start","message":{"id":"m","role":"assistant","type":"message","content":[]}}"#.into(),
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#.to_owned(),
    ];
    for piece in pieces {
        lines.push(format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":{}}}}}"#, json(piece)));
    }
    lines.push(r#"{"type":"content_block_stop","index":0}"#.into());
    lines.push(r#"{"type":"message_stop"}"#.into());
    lines
}

fn codex(pieces: &[&str]) -> Vec<String> {
    let mut lines = vec![r#"{"type":"thread.started","thread_id":"t"}"#.to_owned()];
    let item = |phase: &str, text: &str| {
        format!(
            r#"{{"type":"item.{phase}","item":{{"id":"item_0","type":"agent_message","text":{text}}}}}"#
        )
    };
    lines.extend(so_far(pieces).map(|text| item("updated", &text)));
    lines.push(item("completed", &whole(pieces)));
    lines
}

fn codex_output(pieces: &[&str]) -> Vec<String> {
    let mut lines = vec![r#"{"type":"thread.started","thread_id":"t"}"#.to_owned()];
    let item = |phase: &str, text: &str, end: &str| {
        format!(
            r#"{{"type":"item.{phase}","item":{{"id":"item_0","type":"command_execution","command":"env","aggregated_output":{text},{end}}}}}"#
        )
    };
    lines.extend(
        so_far(pieces)
            .map(|text| item("updated", &text, r#""exit_code":null,"status":"in_progress""#)),
    );
    lines.push(item("completed", &whole(pieces), r#""exit_code":0,"status":"completed""#));
    lines
}

fn proto(message: &str) -> String {
    format!(r#"{{"id":"1","msg":{message}}}"#)
}

fn codex_proto(pieces: &[&str]) -> Vec<String> {
    let mut lines = vec![proto(r#"{"type":"task_started","model_context_window":272000}"#)];
    lines.extend(pieces.iter().map(|piece| {
        proto(&format!(r#"{{"type":"agent_message_delta","delta":{}}}"#, json(piece)))
    }));
    lines.push(proto(&format!(r#"{{"type":"agent_message","message":{}}}"#, whole(pieces))));
    lines
}

fn output(pieces: &[&str], chunk: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut lines = vec![
        proto(r#"{"type":"task_started","model_context_window":272000}"#),
        proto(
            r#"{"type":"exec_command_begin","call_id":"c","command":["env"],"cwd":"/x","parsed_cmd":[]}"#,
        ),
    ];
    lines.extend(pieces.iter().map(|piece| {
        proto(&format!(
            r#"{{"type":"exec_command_output_delta","call_id":"c","stream":"stdout","chunk":{}}}"#,
            chunk(piece)
        ))
    }));
    let all = whole(pieces);
    lines.push(proto(&format!(
        r#"{{"type":"exec_command_end","call_id":"c","stdout":{all},"stderr":"","aggregated_output":{all},"exit_code":0}}"#
    )));
    lines
}

fn codex_proto_output(pieces: &[&str]) -> Vec<String> {
    output(pieces, &|piece| json(&crate::corpus::base64(piece.as_bytes())))
}

fn codex_proto_bytes(pieces: &[&str]) -> Vec<String> {
    output(pieces, &|piece| serde_json::to_string(piece.as_bytes()).unwrap())
}

fn gemini(pieces: &[&str]) -> Vec<String> {
    let mut lines = vec![r#"{"type":"init","timestamp":"2026-11-30T11:00:00.000Z","session_id":"s","model":"gemini-x"}"#.to_owned()];
    lines.extend(pieces.iter().map(|piece| {
        format!(r#"{{"type":"message","timestamp":"2026-11-30T11:00:01.000Z","role":"assistant","content":{},"delta":true}}"#, json(piece))
    }));
    lines.push(r#"{"type":"result","timestamp":"2026-11-30T11:00:02.000Z","status":"success","stats":{"total_tokens":0}}"#.into());
    lines
}

fn copilot(pieces: &[&str]) -> Vec<String> {
    let line = |kind: &str, data: &str| {
        format!(
            r#"{{"type":"assistant.{kind}","data":{{"messageId":"m",{data}}},"id":"e","timestamp":"2026-11-30T11:00:00.000Z","parentId":"p"}}"#
        )
    };
    let mut lines: Vec<_> = pieces
        .iter()
        .map(|piece| line("message_delta", &format!(r#""deltaContent":{}"#, json(piece))))
        .collect();
    lines.push(line("message", &format!(r#""content":{},"toolRequests":[]"#, whole(pieces))));
    lines
}

fn cursor(pieces: &[&str]) -> Vec<String> {
    let line = |text: &str, end: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"role":"assistant","content":[{{"type":"text","text":{text}}}]}},"session_id":"s"{end}}}"#
        )
    };
    let mut lines = vec![r#"{"type":"system","subtype":"init","apiKeySource":"login","cwd":"/x","session_id":"s","model":"x","permissionMode":"default"}"#.to_owned()];
    lines.extend(pieces.iter().map(|piece| line(&json(piece), r#","timestamp_ms":1782113673287"#)));
    lines.push(line(&whole(pieces), ""));
    lines.push(r#"{"type":"result","subtype":"success","duration_ms":1,"is_error":false,"result":"done","session_id":"s"}"#.into());
    lines
}

fn acp(pieces: &[&str]) -> Vec<String> {
    let update = |update: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"session/update","params":{{"sessionId":"s","update":{update}}}}}"#
        )
    };
    let mut lines: Vec<_> = pieces
        .iter()
        .map(|piece| update(&format!(r#"{{"sessionUpdate":"agent_message_chunk","content":{{"type":"text","text":{}}}}}"#, json(piece))))
        .collect();
    lines.push(r#"{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}"#.into());
    lines
}

fn goose(pieces: &[&str]) -> Vec<String> {
    let mut lines: Vec<_> = pieces
        .iter()
        .map(|piece| {
            format!(r#"{{"type":"message","message":{{"id":"r","role":"assistant","created":1767607200,"content":[{{"type":"text","text":{}}}],"metadata":{{"userVisible":true,"agentVisible":true}}}}}}"#, json(piece))
        })
        .collect();
    lines.push(r#"{"type":"complete","total_tokens":2,"input_tokens":1,"output_tokens":1}"#.into());
    lines
}

fn pi(pieces: &[&str]) -> Vec<String> {
    let message = |text: &str| {
        format!(
            r#"{{"role":"assistant","content":[{{"type":"text","text":{text}}}],"api":"x","provider":"mock","model":"m","usage":{{"input":1,"output":1}},"stopReason":"stop","timestamp":1796038542095}}"#
        )
    };
    let mut lines = vec![
        r#"{"type":"session","version":3,"id":"s","timestamp":"2026-11-30T11:35:41.945Z","cwd":"/x"}"#.to_owned(),
        r#"{"type":"agent_start"}"#.to_owned(),
    ];
    for (piece, so_far) in pieces.iter().zip(so_far(pieces)) {
        let message = message(&so_far);
        lines.push(format!(
            r#"{{"type":"message_update","assistantMessageEvent":{{"type":"text_delta","contentIndex":0,"delta":{},"partial":{message}}},"message":{message}}}"#,
            json(piece)
        ));
    }
    lines.push(format!(r#"{{"type":"message_end","message":{}}}"#, message(&whole(pieces))));
    lines
}

fn cline(pieces: &[&str]) -> Vec<String> {
    let line = |event: &str| {
        format!(r#"{{"ts":"2026-11-30T11:38:46.329Z","type":"agent_event","event":{event}}}"#)
    };
    let mut lines = Vec::new();
    for (piece, so_far) in pieces.iter().zip(so_far(pieces)) {
        lines.push(line(&format!(
            r#"{{"type":"content_start","contentType":"text","text":{},"accumulated":{so_far}}}"#,
            json(piece)
        )));
    }
    lines.push(line(&format!(
        r#"{{"type":"content_end","contentType":"text","text":{}}}"#,
        whole(pieces)
    )));
    lines
}

fn jsonl(pieces: &[&str]) -> Vec<String> {
    let mut lines: Vec<_> = pieces
        .iter()
        .map(|piece| format!(r#"{{"type":"delta","of":"message","text":{}}}"#, json(piece)))
        .collect();
    lines.push(format!(
        r#"{{"type":"message","role":"assistant","text":{},"truncated":false}}"#,
        whole(pieces)
    ));
    lines
}
