//! `title-probe`: the snippet, run by real shells, and what is read from its output.

#![expect(clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agentnorm::title::{ProbeError, reads_title_out_of_band};
use agentnorm::{Event, Options, Protocol, parse_session_title, session_title_probe};
use assert_cmd::cargo::cargo_bin_cmd;
use predicates::str::contains;
use proptest::prelude::*;

const ID: &str = "36897678-2e81-5e2e-bb0e-13a562810d05";
const THREAD: &str = "01a22c4d-b508-7340-860a-da4f1998d73b";

/// Ids that would do harm if they were pasted into a shell as they are.
const NASTY: [&str; 17] = [
    "",
    "'",
    "\"",
    "a'b",
    "a\"b",
    "a\nb",
    "$(touch owned)",
    "`touch owned`",
    "../secrets",
    "a/b",
    "a b",
    "*",
    "a;touch owned",
    "a|b",
    "a\\b",
    "é",
    "a\0b",
];

fn fixture(name: &str) -> Vec<u8> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/title-probe");
    fs::read(dir.join(name).join("input.jsonl")).unwrap()
}

/// A new folder of this test's own, with a name that a careless snippet would stumble over.
fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("title {name}"));
    fs::remove_dir_all(&dir).ok();
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// A Claude configuration folder that holds a transcript.
fn claude_home(name: &str, id: &str, transcript: &[u8]) -> PathBuf {
    let home = scratch(name).join("it's \"my\" $HOME");
    let project = home.join("projects/-workspace-My App");
    fs::create_dir_all(&project).unwrap();
    fs::create_dir_all(home.join("projects/-other")).unwrap();
    fs::write(project.join(format!("{id}.jsonl")), transcript).unwrap();
    home
}

fn probe(protocol: Protocol, id: &str, set: (&str, &Path)) -> Vec<u8> {
    let snippet = session_title_probe(protocol, id).unwrap();
    let run = Command::new("sh")
        .args(["-euc", &snippet])
        .env_remove("CLAUDE_CONFIG_DIR")
        .env_remove("CODEX_HOME")
        .env(set.0, set.1)
        .output()
        .unwrap();
    assert!(run.status.success(), "{snippet}");
    assert_eq!(String::from_utf8_lossy(&run.stderr), "");
    run.stdout
}

fn title(protocol: Protocol, output: &[u8]) -> Option<String> {
    parse_session_title(protocol, output).map(|title| title.title)
}

#[test]
fn the_name_of_a_claude_session_is_found() {
    let home = claude_home("claude", ID, &fixture("claude-renamed"));
    let output = probe(Protocol::ClaudeJson, ID, ("CLAUDE_CONFIG_DIR", &home));
    assert_eq!(title(Protocol::ClaudeJson, &output).as_deref(), Some("Login bug"));
    assert_eq!(title(Protocol::ClaudeStream, &output).as_deref(), Some("Login bug"));
    assert_eq!(title(Protocol::Auto, &output).as_deref(), Some("Login bug"));
    let text = String::from_utf8(output).unwrap();
    assert!(!text.contains("fake"), "{text}");
    // Without the variable it is the folder in the user's home, and where nothing is, nothing.
    let user = scratch("user");
    fs::rename(&home, user.join(".claude")).unwrap();
    let output = probe(Protocol::ClaudeStream, ID, ("HOME", &user));
    assert_eq!(title(Protocol::ClaudeStream, &output).as_deref(), Some("Login bug"));
    assert_eq!(probe(Protocol::ClaudeJson, "another-id", ("HOME", &user)), b"");
    assert_eq!(probe(Protocol::ClaudeJson, ID, ("HOME", Path::new("/nonexistent"))), b"");
}

#[test]
fn the_name_of_a_codex_thread_is_found() {
    let home = scratch("codex");
    fs::write(home.join("session_index.jsonl"), fixture("codex-index")).unwrap();
    let output = probe(Protocol::Codex, THREAD, ("CODEX_HOME", &home));
    assert_eq!(title(Protocol::Codex, &output).as_deref(), Some("Renamed thread"));
    assert!(!String::from_utf8(output).unwrap().contains("another thread"));
    // The dots of an id are dots.
    assert_eq!(probe(Protocol::Codex, &THREAD.replace('-', "."), ("CODEX_HOME", &home)), b"");
}

/// The last name that the reader gives the session.
fn read_title(file: &[u8]) -> Option<String> {
    let events = agentnorm::read(file, Options::new(Protocol::ClaudeJson)).map(Result::unwrap);
    let titles = events.filter_map(|event| match event.event {
        Event::SessionTitle(title) => title.title,
        _ => None,
    });
    titles.last()
}

#[test]
fn the_probe_and_the_reader_agree_on_a_session_s_name() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude-json");
    let mut files: Vec<Vec<u8>> = Vec::new();
    for case in fs::read_dir(fixtures).unwrap() {
        let file = fs::read(case.unwrap().path().join("input.jsonl")).unwrap();
        if String::from_utf8_lossy(&file).contains("\"sessionId\"") {
            files.push(file);
        }
    }
    // A summary counts where it is of a record of the file, in whichever order they stand.
    let record = r#"{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"sessionId":"s","message":{"content":"Hi."}}"#;
    let own = r#"{"type":"summary","summary":"Of its own","leafUuid":"u1"}"#;
    let other = r#"{"type":"summary","summary":"Of another","leafUuid":"u9"}"#;
    for lines in [[record, own, other], [own, record, other], [other, record, own]] {
        let file = lines.join("\n").into_bytes();
        assert_eq!(read_title(&file).as_deref(), Some("Of its own"), "{lines:?}");
        files.push(file);
    }
    files.push([other, record].join("\n").into_bytes());
    let mut named = 0;
    for (at, file) in files.iter().enumerate() {
        let id = format!("session-{at}");
        let home = claude_home("agree", &id, file);
        let output = probe(Protocol::ClaudeJson, &id, ("CLAUDE_CONFIG_DIR", &home));
        let title = title(Protocol::ClaudeJson, &output);
        assert_eq!(title, read_title(file), "{}", String::from_utf8_lossy(file));
        named += usize::from(title.is_some());
    }
    assert!(named > 5, "{named}");
}

#[test]
fn the_snippet_needs_a_shell_grep_and_tail() {
    let home = claude_home("tools", ID, &fixture("claude-renamed"));
    let bin = scratch("bin");
    for tool in ["grep", "tail"] {
        let path = std::env::var_os("PATH").unwrap();
        let found = std::env::split_paths(&path).map(|dir| dir.join(tool)).find(|p| p.exists());
        std::os::unix::fs::symlink(found.unwrap(), bin.join(tool)).unwrap();
    }
    let snippet = session_title_probe(Protocol::Auto, ID).unwrap();
    for shell in ["/bin/sh", "/bin/dash", "/bin/bash", "/bin/ksh"] {
        if Path::new(shell).exists() {
            let run = Command::new(shell)
                .args(["-euc", &snippet])
                .env_clear()
                .env("PATH", &bin)
                .env("CLAUDE_CONFIG_DIR", &home)
                .output()
                .unwrap();
            assert_eq!(String::from_utf8_lossy(&run.stderr), "", "{shell}");
            assert_eq!(title(Protocol::Auto, &run.stdout).as_deref(), Some("Login bug"), "{shell}");
        }
    }
}

#[test]
fn the_last_name_wins_and_a_chosen_one_first() {
    let ai = r#"{"type":"ai-title","aiTitle":"Generated","sessionId":"s"}"#;
    let newer = r#"{"type":"ai-title","aiTitle":"Generated again","sessionId":"s"}"#;
    let custom = r#"{"type":"custom-title","customTitle":"Chosen","sessionId":"s"}"#;
    let summary = r#"{"type":"summary","summary":"Old","leafUuid":"u"}"#;
    let empty = r#"{"type":"custom-title","customTitle":"  ","sessionId":"s"}"#;
    let null = r#"{"type":"custom-title","customTitle":null}"#;
    let cut = r#"{"type":"custom-title","customTitle":"Cut"#;
    let inside = r#"{"type":"user","toolUseResult":{"type":"ai-title","aiTitle":"fake"}}"#;
    for (lines, want) in [
        (&[ai, newer][..], Some("Generated again")),
        (&[custom, ai, newer], Some("Chosen")),
        (&[ai, summary], Some("Generated")),
        (&[summary], Some("Old")),
        (&[ai, custom, empty, null, cut, inside], Some("Chosen")),
        (&[empty, cut, inside, "", "not JSON", "[]"], None),
    ] {
        let output = lines.join("\r\n");
        assert_eq!(title(Protocol::ClaudeJson, output.as_bytes()).as_deref(), want, "{lines:?}");
    }
}

#[test]
fn a_name_that_comes_after_many_broken_lines_is_found() {
    let good = r#"{"type":"custom-title","customTitle":"Chosen"}"#;
    let cut = r#"{"type":"custom-title","customTitle":"#;
    let transcript =
        format!("{}{good}\n{}", format!("{good}\n").repeat(500), format!("{cut}\n").repeat(9));
    let home = claude_home("broken", "s", transcript.as_bytes());
    let output = probe(Protocol::ClaudeJson, "s", ("CLAUDE_CONFIG_DIR", &home));
    assert_eq!(output.split(|b| *b == b'\n').count(), 21);
    assert_eq!(title(Protocol::ClaudeJson, &output).as_deref(), Some("Chosen"));
}

#[test]
fn what_is_no_id_is_refused() {
    for id in NASTY.into_iter().chain(["x".repeat(129).as_str()]) {
        for protocol in [Protocol::ClaudeJson, Protocol::Codex, Protocol::Auto] {
            assert_eq!(session_title_probe(protocol, id), Err(ProbeError::SessionId), "{id:?}");
        }
        if !id.contains('\0') {
            for option in [&[][..], &["--run"], &["--parse"]] {
                cargo_bin_cmd!("agentnorm")
                    .arg("title-probe")
                    .args(option)
                    .args(["--", id])
                    .assert()
                    .code(2)
                    .stdout("")
                    .stderr(contains("session id"));
            }
        }
    }
    assert!(session_title_probe(Protocol::Auto, &"x".repeat(128)).is_ok());
}

proptest! {
    #[test]
    fn no_id_says_anything_to_a_shell(id in any::<String>()) {
        if let Ok(snippet) = session_title_probe(Protocol::Auto, &id) {
            prop_assert!(id.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)));
            prop_assert!(snippet.contains(&id));
        }
    }
}

#[test]
fn dialects_that_state_the_name_or_keep_none_have_no_probe() {
    for protocol in Protocol::ALL {
        let out_of_band = reads_title_out_of_band(*protocol);
        let probe = session_title_probe(*protocol, "s");
        if out_of_band {
            assert!(probe.unwrap().contains("grep"));
        } else {
            assert_eq!(probe, Err(ProbeError::InBand(*protocol)));
        }
    }
    assert!(reads_title_out_of_band(Protocol::ClaudeStream));
    assert!(reads_title_out_of_band(Protocol::Codex));
    assert!(!reads_title_out_of_band(Protocol::Jsonl));
    let mut run = cargo_bin_cmd!("agentnorm");
    run.args(["title-probe", "-p", "jsonl", "s"])
        .assert()
        .code(1)
        .stdout("")
        .stderr(contains("jsonl"));
}

#[test]
fn the_command_prints_runs_and_parses() {
    let home = claude_home("command", ID, &fixture("claude-renamed"));
    let probe = |args: &[&str], input: &[u8]| {
        cargo_bin_cmd!("agentnorm")
            .arg("title-probe")
            .args(args)
            .env("CLAUDE_CONFIG_DIR", &home)
            .env("CODEX_HOME", "/nonexistent")
            .write_stdin(input)
            .assert()
    };
    let snippet = session_title_probe(Protocol::ClaudeJson, ID).unwrap();
    probe(&["-p", "claude-json", ID], b"").success().stdout(snippet);
    probe(&["--run", ID], b"").success().stdout("Login bug\n").stderr("");
    probe(&["--run", "nobody"], b"").code(1).stdout("").stderr(contains("no name"));
    let transcript = fixture("claude-renamed");
    probe(&["--parse"], &transcript).success().stdout("Login bug\n");
    probe(&["--parse", ID], &transcript).success().stdout("Login bug\n");
    probe(&["--parse", "another"], &transcript).code(1).stdout("");
    let line = r#"{"type":"ai-title","aiTitle":"a\u001b[2Jb\n\"c\""}"#;
    probe(&["--parse"], line.as_bytes()).success().stdout("a␛[2Jb ⏎ \"c\"\n");
    let run = probe(&["--parse", "--format", "json"], line.as_bytes()).success();
    let event: serde_json::Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(event["type"], "session.title");
    assert_eq!(event["payload"], serde_json::json!({"title": "a\u{1b}[2Jb\n\"c\""}));
    assert_eq!(event["source"], line);
    probe(&[], b"").code(2);
    probe(&["--run", "--parse", ID], b"").code(2);
}
