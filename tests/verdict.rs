//! The verdict: one rule for the filter, `wrap` and the reports.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const AGENTNORM: &str = env!("CARGO_BIN_EXE_agentnorm");

/// Returns the exit status and what is said on standard error.
fn run(args: &[&str]) -> (i32, String) {
    let output = Command::new(AGENTNORM)
        .args(args)
        .env_remove("AGENTNORM_PROTOCOL")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn file(name: &str, content: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verdict");
    fs::create_dir_all(&folder).unwrap();
    let path: PathBuf = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s","cwd":"/","model":"m","tools":[]}
"#;
const SAID: &str = r#"{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Hi"}],"usage":{"input_tokens":1,"output_tokens":1}},"session_id":"s"}
"#;
const GOOD: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}
"#;
const BAD: &str = r#"{"type":"result","subtype":"success","is_error":true,"result":"no","session_id":"s"}
"#;
/// A dialect whose streams have no end record.
const STEP: &str = r#"{"type":"step_start","timestamp":1767323045000,"sessionID":"ses_1","part":{"id":"p-1","sessionID":"ses_1","messageID":"m-1","type":"step-start"}}
"#;
const TEXT: &str = r#"{"type":"text","timestamp":1767323045000,"sessionID":"ses_1","part":{"id":"p-2","sessionID":"ses_1","messageID":"m-1","type":"text","text":"Hi"}}
"#;
const ERROR: &str = r#"{"type":"error","timestamp":1767323046000,"sessionID":"ses_1","error":{"name":"APIError","data":{"message":"Rate limit exceeded","statusCode":429,"isRetryable":false}}}
"#;

const NOTHING: &str = "no line of a known dialect was read";
const NO_END: &str = "there is no session.ended";
const CUT_OFF: &str = "there is no session.ended at the end";
const FAILED: &str = "the last session.ended is not a success";
const LAST_ERROR: &str = "an error came last";

/// Streams, and why they are no success.
fn streams() -> Vec<(&'static str, String, Option<&'static str>)> {
    let notice = r#"{"type":"notice","level":"error","code":"error","message":"no"}"#;
    let ended = r#"{"type":"session.ended","status":"succeeded"}"#;
    let start = r#"{"type":"session.started","sessionId":"s"}"#;
    let message = r#"{"type":"message","role":"assistant","text":"Hi"}"#;
    vec![
        ("nothing", String::new(), Some(NOTHING)),
        ("text", "Error: not logged in\n".to_owned(), Some(NOTHING)),
        ("foreign", "{\"level\":\"info\"}\n".to_owned(), Some(NOTHING)),
        ("good", [INIT, SAID, GOOD].concat(), None),
        ("bad", [INIT, SAID, BAD].concat(), Some(FAILED)),
        ("bad-good", [INIT, BAD, INIT, GOOD].concat(), None),
        ("no-end", [INIT, SAID].concat(), Some(NO_END)),
        ("cut", [INIT, GOOD, SAID].concat(), Some(CUT_OFF)),
        ("endless", [STEP, TEXT].concat(), None),
        ("endless-start", STEP.to_owned(), None),
        ("endless-error", [STEP, ERROR].concat(), Some(LAST_ERROR)),
        ("endless-error-taken-back", [STEP, ERROR, TEXT].concat(), None),
        ("error-behind", format!("{ended}\n{notice}\n"), Some(LAST_ERROR)),
        ("error-behind-and-work", format!("{ended}\n{notice}\n{message}\n"), Some(LAST_ERROR)),
        // Its keys come in another order than ours.
        (
            "odd-order",
            format!(
                "{start}\n{message}\n{}\n",
                r#"{"type":"notice","code":"error","level":"error"}"#
            ),
            Some(LAST_ERROR),
        ),
    ]
}

#[test]
fn the_filter_and_the_reports_judge_alike() {
    for (name, stream, why) in streams() {
        let path = file(name, &stream);
        let status = i32::from(why.is_some());
        let told = why.map(|why| format!("agentnorm: exit status 1: {why}\n")).unwrap_or_default();
        assert_eq!(
            run(&["normalize", "-e", "-o", "/dev/null", &path]),
            (status, told.clone()),
            "{name}"
        );
        assert_eq!(run(&["normalize", "-o", "/dev/null", &path]), (0, String::new()), "{name}");
        let (got, words) = run(&["summarize", "-e", &path]);
        assert_eq!(got, status, "summarize {name}");
        // Where nothing was found, that is said already.
        if why != Some(NOTHING) && !words.contains("no usage was found") {
            assert_eq!(words, told, "summarize {name}");
        }
        // So does whoever reads the events again, with their sources or without.
        let stored = file(&format!("{name}.stored"), "");
        let bare = file(&format!("{name}.bare"), "");
        run(&["normalize", "-o", &stored, &path]);
        run(&["normalize", "--no-source", "-o", &bare, &path]);
        for again in [stored, bare] {
            // Without the sources nobody knows which dialects have no end.
            if again.ends_with("bare") && name.starts_with("endless") && why.is_none() {
                continue;
            }
            assert_eq!(run(&["normalize", "-e", "-o", "/dev/null", &again]).0, status, "{again}");
            assert_eq!(run(&["summarize", "-e", &again]).0, status, "{again}");
        }
    }
}

#[test]
fn wrap_judges_alike_where_it_knows_no_more() {
    for (name, stream, why) in streams() {
        let path = file(&format!("wrap-{name}"), &stream);
        let (status, words) = run(&["wrap", "-e", "-o", "/dev/null", "cat", &path]);
        // A command of no known dialect is judged by its exit status, and one that speaks the
        // vocabulary itself may have no ends.
        let why = why.filter(|why| *why != NOTHING);
        let told = why.map(|why| format!("agentnorm: exit status 1: {why}\n")).unwrap_or_default();
        assert_eq!((status, words), (i32::from(why.is_some()), told), "{name}");
        assert_eq!(run(&["wrap", "-o", "/dev/null", "cat", &path]), (0, String::new()), "{name}");
    }
}

#[test]
fn a_known_agent_that_says_nothing_did_not_succeed() {
    let text = file("text-only", "Error: not logged in\n");
    let foreign = file("other-dialect", &[STEP, TEXT].concat());
    for (protocol, agent, path) in [
        ("claude-json", "claude", &text),
        ("codex", "codex", &foreign),
        ("opencode", "opencode", &text),
    ] {
        let out = file("nothing-read", "");
        let options = ["wrap", "-e", "-p", protocol, "-o", &out, "cat", path];
        let told = format!(
            "agentnorm: no flags for {protocol} were added to the command: it does not start {agent} in a form that \
             is known\nagentnorm: exit status 1: {NOTHING}\n"
        );
        assert_eq!(run(&options), (1, told), "{protocol}");
        let events = fs::read_to_string(&out).unwrap();
        let end = r#"{"type":"session.ended","payload":{"status":"failed","stopReason":null,"summary":null,"reason":"nothing_read","exitCode":0,"synthetic":true}}"#;
        assert_eq!(events.lines().last().unwrap(), end, "{protocol}");
    }
    // A stranger is judged by how it exits.
    for protocol in ["none", "auto"] {
        assert_eq!(run(&["wrap", "-e", "-p", protocol, "cat", &text]), (0, String::new()));
        assert_eq!(run(&["wrap", "-e", "-p", protocol, "false"]), (1, String::new()));
    }
}

#[test]
fn of_several_streams_the_first_that_did_not_go_well_is_named() {
    let (good, bad) = (file("several-good", GOOD), file("several-bad", BAD));
    let told = format!("agentnorm: exit status 1: {bad}: {FAILED}\n");
    assert_eq!(run(&["normalize", "-e", "-o", "/dev/null", &good, &bad, &good]), (1, told));
    let (status, words) = run(&["normalize", "-e", "-o", "/dev/null", &bad, "/nowhere"]);
    assert_eq!((status, words.lines().count()), (2, 1), "{words}");
}

#[test]
fn a_reader_that_leaves_changes_no_verdict() {
    let said = SAID.repeat(3_000);
    for (end, status) in [(BAD, 1), (GOOD, 0)] {
        let path = file("left", &[INIT, &said, end].concat());
        let tee = file("left.tee", "");
        for options in [
            "-e",
            &format!("-e --tee {tee}"),
            "-e --show=plain",
            "-e --budget 1",
            "summarize -e",
            "normalize -e",
            "wrap -e cat",
        ] {
            let file = if options.contains(' ') && !options.starts_with('-') { &path } else { "" };
            let script = format!(
                "'{AGENTNORM}' {options} {file} < '{path}' | head -c 1 > /dev/null; echo ${{PIPESTATUS[0]}}"
            );
            let output = Command::new("bash").args(["-c", &script]).output().unwrap();
            assert_eq!(
                String::from_utf8(output.stdout).unwrap(),
                format!("{status}\n"),
                "{options}"
            );
        }
    }
}

/// A failed end that was passed on is not forgotten when another record is read.
#[test]
fn what_was_passed_on_counts() {
    let failed = r#"{"type":"session.ended","payload":{"status":"failed"}}"#;
    let foreign = r#"{"type":"raw","payload":{"text":"words"},"line":9,"source":"words"}"#;
    let message = r#"{"type":"message","payload":{"role":"assistant","text":"x"}}"#;
    let path = file("passed-on", &format!("{failed}\n{foreign}\n"));
    assert_eq!(run(&["normalize", "-e", "-p", "agentnorm", "-o", "/dev/null", &path]).0, 1);
    let path = file("passed-on-alone", &format!("{message}\n"));
    for command in ["normalize", "summarize"] {
        assert_eq!(run(&[command, "-e", &path]).0, 1, "{command}");
    }
}

#[test]
fn reports_and_views_say_so() {
    let path = file("error-last", &[STEP, ERROR].concat());
    let shown = |args: &[&str]| {
        let output = Command::new(AGENTNORM).args(args).arg(&path).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(shown(&["summarize"]).contains("outcome  failed: an error came last\n"));
    assert!(shown(&["summarize", "--format", "json"]).contains(r#""verdict": "failed""#));
    assert!(shown(&["show", "--format", "plain"]).contains("failed: an error came last"));
    assert!(shown(&["show", "--format", "markdown"]).contains("❌ **failed: an error came last**"));
}
