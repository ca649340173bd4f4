//! The command's options, its words and its exit status.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use assert_cmd::Command;

use crate::corpus::Corpus;
use crate::streams::STREAMS;
use crate::support::{json, leak};

fn agentnorm(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("agentnorm").unwrap();
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR_FORCE", "AGENTNORM_PROTOCOL"] {
        command.env_remove(name);
    }
    command.args(args);
    command
}

fn run(args: &[&str], input: impl Into<Vec<u8>>) -> Output {
    agentnorm(args).write_stdin(input).output().unwrap()
}

fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("redact-{name}"));
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn token(seed: u64) -> String {
    Corpus::new(seed).every_kind().swap_remove(0).secret
}

/// A session that has a secret in each place that a view prints.
fn session(token: &str) -> String {
    let content = json(&format!("it is {token}"));
    let plan = json(&format!(
        r#"{{"todos":[{{"content":"use {token}","status":"pending","activeForm":"x"}}]}}"#
    ));
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    [
        format!(r#"{{"type":"system","subtype":"init","session_id":"s","cwd":"/x/{token}","tools":["Bash"],"model":"claude-x","claude_code_version":"2.1.0"}}"#),
        format!(r#"{{"type":"assistant","message":{{"id":"m1","role":"assistant","model":"claude-x","content":[{{"type":"thinking","thinking":{content},"signature":"x"}}]}},"session_id":"s"}}"#),
        format!(r#"{{"type":"assistant","message":{{"id":"m1","role":"assistant","model":"claude-x","content":[{{"type":"tool_use","id":"c1","name":"Bash","input":{{"command":"export T={token}"}}}}]}},"session_id":"s"}}"#),
        format!(r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":{content}}}]}},"session_id":"s"}}"#),
        format!(r#"{{"type":"assistant","message":{{"id":"m2","role":"assistant","model":"claude-x","content":[{{"type":"tool_use","id":"c2","name":"TodoWrite","input":{}}}]}},"session_id":"s"}}"#, plan.as_str().unwrap()),
        format!(r#"{{"type":"of the future","{token}":[{content}]}}"#),
        format!("a fragment of a log: {token}"),
        format!(r#"{{"type":"result","subtype":"error_during_execution","is_error":true,"result":{content},"errors":[{content}],"session_id":"s"}}"#),
    ]
    .join("\n")
        + "\n"
}

#[test]
fn nothing_that_is_written_holds_the_secret() {
    let token = token(21);
    let mut input = session(&token).into_bytes();
    input.extend_from_slice(b"{\"type\":\"user\",\"x\":\"\xff\xfe ");
    input.extend_from_slice(token.as_bytes());
    input.extend_from_slice(b"\"}\nnot \xff utf-8: ");
    input.extend_from_slice(token.as_bytes());
    let tee = file("tee", "");
    let output = run(&["--redact", "-p", "claude-stream", "--tee", &tee], input.clone());
    assert!(output.status.success());
    let words = text(&output.stderr);
    assert!(
        words.starts_with("agentnorm: redacted 1 secret in ") && words.lines().count() == 1,
        "{words}"
    );
    let events = text(&output.stdout);
    assert_eq!(leak(&(events.clone() + &words), &token), None);
    let tee = fs::read(&tee).unwrap();
    assert_eq!(leak(&text(&tee), &token), None);
    // The copy is the input but for the placeholders, byte for byte.
    let first = text(&tee);
    let placeholder = &first[first.find("[redacted:").unwrap()..][..28];
    let back = bstr_replace(&tee, placeholder.as_bytes(), token.as_bytes());
    assert_eq!(back, input);
    let mut exact = 0;
    for record in events.lines() {
        let record: serde_json::Value = serde_json::from_str(record).unwrap();
        if let Some(bytes) = record["sourceBytes"].as_str() {
            use base64::Engine as _;
            let bytes = base64::prelude::BASE64_STANDARD.decode(bytes).unwrap();
            assert_eq!(leak(&text(&bytes), &token), None);
            assert!(bytes.contains(&0xff));
            exact += 1;
        }
        assert_eq!(
            record["redacted"].is_u64(),
            record["source"].as_str().unwrap().contains("[redacted:"),
            "{record}"
        );
    }
    assert!(exact >= 2);
    for format in ["terminal", "plain", "markdown", "html"] {
        let args = [
            "show",
            "--redact",
            "--full",
            "--thinking",
            "--raw",
            "-p",
            "claude-stream",
            "--format",
            format,
        ];
        let shown = run(&args, input.clone());
        assert_eq!(leak(&text(&shown.stdout), &token), None, "{format}");
        assert!(text(&shown.stdout).contains("redacted:github-token"), "{format}");
        // Events that were stored as they came are redacted when they are shown.
        let plain = run(&["-p", "claude-stream"], input.clone()).stdout;
        let shown = run(&args, plain);
        assert_eq!(leak(&text(&shown.stdout), &token), None, "{format} of events");
    }
    let again = run(&["--redact"], events.clone());
    assert_eq!(text(&again.stdout), events, "twice is once");
    assert_eq!(text(&again.stderr), "");
    assert_eq!(text(&run(&[], events.clone()).stdout), events);
}

fn bstr_replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    out.extend_from_slice(rest);
    out
}

#[test]
fn no_limit_cuts_a_secret_before_it_is_seen() {
    let token = token(22);
    let long = format!("{}{token} and more", "word ".repeat(2000));
    let line = format!(
        r#"{{"type":"assistant","message":{{"id":"m","role":"assistant","model":"x","content":[{{"type":"text","text":{}}}]}},"session_id":"s"}}"#,
        json(&long)
    ) + "\n";
    let at = line.find(&token).unwrap();
    for clip in [at - 20, at, at + 6, at + 12, at + token.len()] {
        let output = run(
            &["--redact", "-p", "claude-stream", "--no-source", "--clip", &clip.to_string()],
            line.clone(),
        );
        assert_eq!(leak(&text(&output.stdout), &token), None, "{clip}");
    }
    for limit in [at - 1, at + 5, at + 12, at + token.len(), at + token.len() + 3] {
        let tee = file("limit", "");
        let output = run(
            &["--redact", "--clip", "0", "--max-line", &limit.to_string(), "--tee", &tee],
            line.clone(),
        );
        assert_eq!(leak(&text(&output.stdout), &token), None, "{limit}");
        assert_eq!(leak(&text(&fs::read(&tee).unwrap()), &token), None, "{limit}");
    }
    // What is kept of a line that is too long ends somewhere, in a secret perhaps.
    for pad in 0..token.len() {
        let line = format!(
            "{}{token} {}\n",
            "a ".repeat(usize::midpoint(65_536 - 40, pad)),
            "b ".repeat(200_000)
        );
        let output = run(&["--redact", "--clip", "0", "--max-line", "100000"], line);
        assert_eq!(leak(&text(&output.stdout), &token), None, "{pad}");
    }
}

#[test]
fn the_values_of_variables_do_not_leave() {
    let secret = "Tr0ub4dor & \"three\"\nsecond line here";
    let input = format!(
        "{{\"a\":{}}}\n{{\"b\":{}}}\nsecond line here\n",
        json(&format!("x {secret} y")),
        json(&json(&format!("x {secret} y")))
    );
    let with = |args: &[&str]| {
        agentnorm(args)
            .env("MY_OWN", secret)
            .env("SHORT_ONE", "1234567")
            .write_stdin(input.clone())
            .output()
            .unwrap()
    };
    for args in [
        &["--redact-env", "MY_OWN"][..],
        &["--redact-env", "MY_*"],
        &["--redact", "--redact-env", "?Y_OWN"],
    ] {
        let output = with(args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(
            text(&output.stdout).matches("[redacted:env-my-own:").count(),
            6,
            "{}",
            text(&output.stdout)
        );
        assert!(!text(&output.stdout).contains("Tr0ub4dor"));
    }
    let output = with(&["--redact-env", "SHORT_ONE"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("SHORT_ONE") && !text(&output.stderr).contains("1234567")
    );
    assert!(output.stdout.is_empty());
    let output = with(&["--redact-env", "SHORT_*"]);
    assert!(output.status.success() && text(&output.stderr).contains("SHORT_ONE"));
    let output = with(&["--redact-env", "NOT_THERE_AT_ALL"]);
    assert!(output.status.success() && text(&output.stderr).contains("NOT_THERE_AT_ALL"));
    let env =
        file("env", "# ours\nexport ONE='the first value'\nTWO=\"second value here\"\nPORT=80\n");
    let output = run(&["--redact-env-file", &env], "it is the first value, or second value here\n");
    assert!(text(&output.stdout).contains("it is [redacted:env-one:"));
    assert!(text(&output.stdout).contains("[redacted:env-two:"));
    assert!(text(&output.stderr).contains("PORT"));
    let broken = file("env-broken", "A=\"the secret value");
    let output = run(&["--redact-env-file", &broken], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(!text(&output.stderr).contains("secret value"), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn wrap_takes_the_secrets_of_its_own_environment() {
    let script = "printf '%s\\n' \"it is $DEPLOY_TOKEN in $PLAIN at $TOKEN_FILE\"";
    let command = |args: &[&str]| {
        let mut command = agentnorm(&["wrap"]);
        command.args(args).args(["--", "sh", "-c", script]);
        command
            .env("DEPLOY_TOKEN", "only words in here")
            .env("PLAIN", "nothing to hide")
            .env("TOKEN_FILE", "/run/secrets/token");
        command.output().unwrap()
    };
    let tee = file("wrap-tee", "");
    let output = command(&["--redact", "--tee", &tee]);
    let events = text(&output.stdout);
    assert!(
        events.contains("it is [redacted:env-deploy-token:")
            && events.contains("in nothing to hide at /run/secrets/token"),
        "{events}"
    );
    assert!(!text(&fs::read(&tee).unwrap()).contains("only words"));
    assert!(
        text(&output.stderr).contains("redacted 1 secret in 1 place: env-deploy-token 1"),
        "{}",
        text(&output.stderr)
    );
    assert!(text(&command(&[]).stdout).contains("only words in here"));
}

#[test]
fn a_bad_rule_is_told_before_anything_is_read() {
    let rules = file("rules", "ticket\tTICKET-[0-9]+\n");
    let output = run(&["--redact-rules", &rules], "see TICKET-12\n");
    assert!(text(&output.stdout).contains("see [redacted:ticket:"));
    for (name, content, word) in [
        ("bad", "x\t[", "line 1"),
        ("off", "!no-such-rule\n", "no-such-rule"),
        ("tab", "abc\n", "tab"),
    ] {
        let rules = file(name, content);
        let output = run(&["--redact-rules", &rules], "x\n");
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let words = text(&output.stderr);
        assert!(words.contains(word) && words.lines().count() == 1, "{words}");
    }
    let short = file("key", "short");
    assert_eq!(run(&["--redact-key", &short], "").status.code(), Some(2));
    let key = file("long-key", "a key that is long enough");
    let token = token(23);
    let first = run(&["--redact-key", &key], token.clone()).stdout;
    assert_eq!(first, run(&["--redact-key", &key], token.clone()).stdout);
    assert_eq!(leak(&text(&first), &token), None);
}

#[test]
fn the_gate_names_places_and_no_values() {
    let token = token(24);
    let dirty =
        file("dirty.jsonl", format!("{{\"type\":\"user\"}}\n{{\"a\":\"{token} {token}\"}}\n"));
    let clean = file("clean.jsonl", "{\"type\":\"user\"}\n");
    let output = run(&["check", "--secrets", &dirty, &clean], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), format!("{dirty}:2: github-token (2 places)\n"));
    let output = run(&["check", "--secrets", "--format", "json", &dirty], "");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        report["secrets"][1],
        serde_json::json!({"file": dirty, "line": 2, "kind": "github-token"})
    );
    assert_eq!(leak(&text(&output.stdout), &token), None);
    let output = run(&["check", "--secrets", &clean], "");
    assert_eq!(
        (output.status.code(), text(&output.stdout).as_str()),
        (Some(0), "no secrets found\n")
    );
    // A secret in pieces is found, too, and a redacted stream passes.
    for stream in STREAMS {
        let pieces = [&token[..9], &token[9..]];
        let lines = (stream.print)(&pieces).join("\n");
        let args = ["check", "--secrets", "-p", stream.protocol];
        assert_eq!(run(&args, lines.clone()).status.code(), Some(1), "{}", stream.name);
        let redacted = run(&["--redact", "-p", stream.protocol], lines).stdout;
        assert_eq!(
            run(&["check", "--secrets"], redacted).status.code(),
            Some(0),
            "{}",
            stream.name
        );
    }
}
