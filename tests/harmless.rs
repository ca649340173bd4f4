//! What is printed for people beside `show` does no harm: reports, words on standard error, names.

#[path = "harm/mod.rs"]
mod harm;

use std::fs;
use std::path::Path;

use agentnorm::check::Checker;
use agentnorm::summary::Summarizer;
use agentnorm::{Feed as _, Options, Protocol};
use assert_cmd::cargo::cargo_bin_cmd;
use harm::{HARMFUL, commands};
use serde_json::json;

/// Texts that a terminal or a CI system would act on.
fn hostile() -> Vec<String> {
    let all: String = HARMFUL.into_iter().flatten().collect();
    let mut texts: Vec<String> = [
        "::stop-commands::pwned",
        "  ::error::pwned",
        "\u{feff}::add-mask::pwned",
        "a\n::error::pwned",
        "a\r\n::error::pwned",
        "a\u{85}::error::pwned",
        "##vso[task.setvariable variable=PATH]/evil",
        "a ##[error]pwned",
        "##teamcity[buildStop]",
        "\u{1b}[31mred\u{1b}]0;title\u{7}",
        "\u{9b}31m\u{202e}",
    ]
    .map(str::to_owned)
    .into();
    texts.push(all);
    texts
}

#[test]
fn reports_do_no_harm() {
    for text in hostile() {
        assert!(commands(&text).is_some(), "{text:?} is hostile");
        let events = [
            json!({"type": "session.started", "payload": {"harness": text, "version": text, "sessionId": text, "model": text, "cwd": text}}),
            json!({"type": "session.title", "payload": {"title": text}}),
            json!({"type": "message", "payload": {"role": text, "text": text}}),
            json!({"type": "tool.call", "payload": {"callId": "a", "name": text, "input": text}}),
            json!({"type": "tool.result", "payload": {"callId": "a", "isError": true, "files": [{"path": text, "change": text}]}}),
            json!({"type": "notice", "payload": {"level": "error", "code": text, "message": text}}),
            json!({"type": "usage", "payload": {"scope": "call", "model": text, "inputTokens": 1}}),
            json!({"type": "usage", "payload": {"scope": "call", "model": "b", "inputTokens": 1}}),
            json!({"type": "usage", "payload": {"scope": "session", "inputTokens": 7}}),
            json!({"type": "session.background", "payload": {"tasks": [{"taskId": text, "description": text}]}}),
            json!({"type": "session.ended", "payload": {"status": "failed", "reason": text, "stopReason": text, "error": text, "signal": text}}),
        ];
        let stream = events.map(|event| event.to_string() + "\n").concat();
        let mut summarizer = Summarizer::new(Options::new(Protocol::Auto), false);
        summarizer.push(stream.as_bytes());
        summarizer.end_stream();
        let summary = summarizer.finish();
        assert_eq!(commands(&summary.to_text()), None, "{text:?}");
        assert_eq!(commands(&summary.to_markdown()), None, "{text:?}");
        // The name of a session may be its id.
        let start = json!({"type": "session.started", "payload": {"sessionId": text}});
        let mut summarizer = Summarizer::new(Options::new(Protocol::Auto), false);
        summarizer.push(start.to_string().as_bytes());
        summarizer.end_stream();
        assert_eq!(commands(&summarizer.finish().to_text()), None, "{text:?}");

        let records = [
            json!({"type": "system", "subtype": "init", "session_id": text, "model": "m", "tools": []}),
            json!({"type": text, "subtype": text}),
            json!({"type": "system", "subtype": text}),
        ];
        let stream = records.map(|record| record.to_string() + "\n").concat() + "{\"torn\n" + &text;
        let mut checker = Checker::new(Options::new(Protocol::Auto));
        checker.begin_stream(&text);
        checker.push(stream.as_bytes());
        checker.end_stream();
        assert_eq!(commands(&checker.finish().to_text()), None, "{text:?}");
    }
}

#[test]
fn a_title_that_was_found_does_no_harm() {
    for text in hostile() {
        let line = json!({"type": "ai-title", "aiTitle": text, "sessionId": "s"});
        let run = cargo_bin_cmd!("agentnorm")
            .args(["title-probe", "-p", "claude-json", "--parse"])
            .write_stdin(line.to_string())
            .assert()
            .success();
        let got = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        assert_eq!(commands(&got), None, "{text:?}");
        assert_eq!(got.lines().count(), 1, "{text:?}: {got}");
    }
}

#[cfg(unix)]
#[test]
fn names_do_no_harm_on_standard_error() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("harmless");
    fs::create_dir_all(&folder).unwrap();
    for text in hostile() {
        let name = text.replace(['/', '\0'], "_");
        let missing = format!("/nowhere/{name}");
        let here = format!("./{name}");
        let runs: [&[&str]; 12] = [
            &["normalize", &missing],
            &["summarize", &missing],
            &["check", &missing, &name, "/dev/null"],
            &["show", &missing],
            &["-o", &missing],
            &["--tee", &missing],
            &["wrap", "--", &missing],
            &["wrap", "--", &name],
            &["-o", &name, "--tee", &here],
            &["--budget", &name],
            &["-p", &name],
            &["title-probe", "-p", "claude-json", &name],
        ];
        for args in runs {
            let run =
                cargo_bin_cmd!("agentnorm").current_dir(&folder).args(args).assert().failure();
            let words = String::from_utf8(run.get_output().stderr.clone()).unwrap();
            assert_eq!(commands(&words), None, "{args:?}: {words}");
            let several = args.first() == Some(&"check");
            assert_eq!(words.lines().count(), if several { 2 } else { 1 }, "{args:?}: {words}");
            assert!(words.lines().all(|line| line.starts_with("agentnorm: ")), "{words}");
        }
    }
}
