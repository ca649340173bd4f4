//! How the command behaves: formats, colours, pipes, limits.

use serde_json::json;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use agentnorm::Protocol;

use super::deadline::Running;
use super::support::{FORMATS, fixtures, options, show, shown, viewed};

fn recording(name: &str) -> Vec<u8> {
    fs::read(fixtures().join(name).join("input.jsonl")).unwrap()
}

#[test]
fn a_pipe_gets_lines_and_forced_colour_the_terminals_view() {
    let input = recording("claude-stream/2.1.332-edit");
    let plain = shown(&[], &input);
    assert_eq!(plain, shown(&["--format", "plain"], &input));
    let forced = show(&[]).env("CLICOLOR_FORCE", "1").write_stdin(&input[..]).output().unwrap();
    let forced = String::from_utf8(forced.stdout).unwrap();
    assert!(forced.contains("\u{1b}[1m"), "{forced}");
    assert_eq!(forced, shown(&["--color", "always"], &input));
    let mut none = show(&["--format", "terminal"]);
    let none = none.env("NO_COLOR", "1").env("CLICOLOR_FORCE", "0").write_stdin(&input[..]);
    let none = String::from_utf8(none.output().unwrap().stdout).unwrap();
    assert!(!none.contains('\u{1b}'), "{none}");
    assert_eq!(none, shown(&["--format", "terminal", "--color", "never"], &input));
}

#[test]
fn columns_are_the_width() {
    let input = recording("claude-stream/2.1.332-edit");
    let mut command = show(&["--format", "terminal"]);
    let output = command.env("COLUMNS", "44").write_stdin(&input[..]).output().unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.lines().all(|line| line.chars().count() <= 44), "{page}");
}

#[test]
fn stored_events_look_like_the_stream_they_come_from() {
    for name in ["claude-stream/2.1.332-subagent-nested", "codex/0.129-tour", "pi/0.73-text"] {
        let input = recording(name);
        let mut filter = assert_cmd::Command::cargo_bin("agentnorm").unwrap();
        let events = filter.write_stdin(&input[..]).output().unwrap().stdout;
        for format in FORMATS {
            let args = ["--format", format, "--raw", "--thinking"];
            assert_eq!(shown(&args, &events), shown(&args, &input), "{name} {format}");
        }
    }
}

#[test]
fn any_cut_of_the_input_gives_the_same_page() {
    let input = recording("claude-stream/2.1.332-subagent-nested");
    for format in FORMATS {
        let options = options(format);
        let whole = viewed(Protocol::Auto, &options, std::iter::once(&input[..]));
        for step in [1, 7, 1000] {
            let pieces = viewed(Protocol::Auto, &options, input.chunks(step));
            assert_eq!(pieces, whole, "{format} in {step}s");
        }
    }
}

#[test]
fn a_summary_is_bounded_and_keeps_its_end() {
    let one = recording("claude-stream/2.1.332-edit");
    let input: Vec<u8> = one.iter().copied().cycle().take(one.len() * 200).collect();
    let whole = shown(&["--format", "markdown"], &input);
    let cut = shown(&["--format", "markdown", "--max-bytes", "5000"], &input);
    assert!(whole.len() > 50_000);
    assert!(cut.len() <= 5_000, "{}", cut.len());
    assert!(cut.contains(" earlier entries left out_\n"), "{cut}");
    let (_, kept) = cut.split_once("\n\n").unwrap();
    assert!(whole.ends_with(kept));
}

#[test]
fn head_ends_it_quietly() {
    for format in ["terminal", "plain", "html"] {
        let one = recording("claude-stream/2.1.332-edit");
        let input: Vec<u8> = one.iter().copied().cycle().take(one.len() * 300).collect();
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("head-{format}"));
        fs::write(&file, input).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_agentnorm"));
        command
            .args(["show", "--format", format])
            .arg(&file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = Running::start(&mut command);
        let mut line = String::new();
        BufReader::with_capacity(16, child.stdout()).read_line(&mut line).unwrap();
        let mut words = String::new();
        child.stderr().read_to_string(&mut words).unwrap();
        assert_eq!((words.as_str(), child.wait().code()), ("", Some(0)), "{format}");
    }
}

#[test]
fn what_has_come_is_shown_before_more_is_awaited() {
    let input = recording("claude-stream/2.1.332-edit");
    let first: Vec<u8> =
        input.split_inclusive(|b| *b == b'\n').take(2).flatten().copied().collect();
    for format in ["terminal", "plain", "html"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agentnorm"));
        command.args(["show", "--format", format]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let child = Running::start(&mut command);
        let mut stdin = child.stdin();
        stdin.write_all(&first).unwrap();
        let mut out = BufReader::new(child.stdout());
        let since = Instant::now();
        let mut line = String::new();
        while !line.contains("src/add.py") {
            line.clear();
            assert!(out.read_line(&mut line).unwrap() > 0, "it ended");
        }
        assert!(since.elapsed() < Duration::from_secs(20));
        drop(stdin);
        child.wait();
    }
}

#[test]
fn an_empty_stream_shows_nothing_but_a_whole_page() {
    assert_eq!(shown(&[], b""), "");
    assert_eq!(shown(&["--format", "terminal"], b""), "");
    assert_eq!(shown(&["--format", "markdown"], b""), "");
    let page = shown(&["--format", "html"], b"");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
}

#[test]
fn a_page_needs_nothing_from_elsewhere() {
    let page = shown(&["--format", "html"], &recording("claude-stream/2.1.332-edit"));
    for bad in ["<script", "src=", "@import", "url(", "<link", "http:", "https:"] {
        assert!(!page.contains(bad), "{bad}");
    }
    assert!(page.contains("Content-Security-Policy\" content=\"default-src 'none'"));
}

fn with_show(args: &[&str], input: &[u8]) -> (String, Option<i32>) {
    let mut command = assert_cmd::Command::cargo_bin("agentnorm").unwrap();
    let output = command.args(args).write_stdin(input).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

#[test]
fn events_go_to_a_file_and_the_view_to_the_screen_in_one_run() {
    let name = "claude-stream/2.1.332-edit";
    let input = recording(name);
    let (events, _) = with_show(&["-p", "claude-stream"], &input);
    let seen = shown(&[], &input);
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("show-events.jsonl");
    let out = file.to_str().unwrap();
    let filter = with_show(&["-p", "claude-stream", "--show", "-o", out], &input);
    assert_eq!(filter, (seen.clone(), Some(0)));
    assert_eq!(fs::read_to_string(&file).unwrap(), events);
    // Without a file there is the view alone.
    assert_eq!(with_show(&["--show"], &input).0, seen);
    let page = with_show(&["--show=markdown"], &input).0;
    assert_eq!(page, shown(&["--format", "markdown"], &input));
}

#[cfg(unix)]
#[test]
fn wrap_shows_what_it_runs() {
    let path = fixtures().join("claude-stream/2.1.332-edit/input.jsonl");
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("show-wrapped.jsonl");
    let out = file.to_str().unwrap();
    let script = format!("head -n 5 '{}'; exit 3", path.display());
    let (seen, status) = with_show(&["wrap", "--show", "-o", out, "--", "sh", "-c", &script], b"");
    assert_eq!(status, Some(3));
    assert!(seen.contains(" tool.call Edit: src/add.py (+1 -0 lines)\n"), "{seen}");
    assert!(seen.ends_with("session.ended failed (exit 3), tokens: 22 in, 6,000 cached, 400 cache writes, 2 out, context 0.3 % of 1,000,000\n"), "{seen}");
    let events = fs::read_to_string(&file).unwrap();
    assert!(events.lines().last().unwrap().contains("\"synthetic\":true"));
}

#[cfg(unix)]
#[test]
fn events_are_kept_when_nobody_looks_on_any_more() {
    let path = fixtures().join("claude-stream/2.1.332-edit/input.jsonl");
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("show-closed.jsonl");
    let mut command = Command::new(env!("CARGO_BIN_EXE_agentnorm"));
    command
        .args(["wrap", "--show", "-p", "claude-stream", "-o", file.to_str().unwrap(), "--"])
        .args([
            "sh",
            "-c",
            &format!("head -n 1 '{0}'; sleep 0.3; tail -n +2 '{0}'", path.display()),
        ])
        .stdout(Stdio::piped());
    let child = Running::start(&mut command);
    let mut line = String::new();
    let mut out = BufReader::with_capacity(16, child.stdout());
    out.read_line(&mut line).unwrap();
    drop(out);
    // The command said 0; that a person saw no more is told.
    assert_eq!(child.wait().code(), Some(125));
    let events = fs::read_to_string(&file).unwrap();
    assert!(events.lines().last().unwrap().starts_with("{\"type\":\"session.ended\""));
}

#[test]
fn a_filter_keeps_all_events_when_nobody_looks_on_any_more() {
    let one = recording("claude-stream/2.1.332-edit");
    let input: Vec<u8> = one.iter().copied().cycle().take(one.len() * 300).collect();
    let tmp = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, out) = (tmp.join("show-left.jsonl"), tmp.join("show-left-events.jsonl"));
    fs::write(&file, &input).unwrap();
    let args = ["normalize", "-p", "claude-stream", file.to_str().unwrap()];
    let (all, _) = with_show(&args, b"");
    for format in ["--show=terminal", "--show=plain", "--show=html"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agentnorm"));
        command.args(args).args([format, "-o", out.to_str().unwrap()]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = Running::start(&mut command);
        let mut line = String::new();
        BufReader::with_capacity(16, child.stdout()).read_line(&mut line).unwrap();
        let mut words = String::new();
        child.stderr().read_to_string(&mut words).unwrap();
        let told = "agentnorm: cannot show the session: Broken pipe (os error 32)\n";
        assert_eq!((words.as_str(), child.wait().code()), (told, Some(2)), "{format}");
        let events = fs::read_to_string(&out).unwrap();
        assert!(events == all, "{format}: {} of {} bytes", events.len(), all.len());
    }
}

/// Memory does not grow with the stream; a summary holds at most what it prints.
#[cfg(target_os = "linux")]
#[test]
fn a_long_stream_takes_no_more_memory_than_a_short_one() {
    let mut one = recording("claude-stream/2.1.332-edit");
    one.extend(recording("claude-stream/2.1.332-partial"));
    one.extend(recording("claude-stream/2.1.332-subagent-nested"));
    for format in FORMATS {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agentnorm"));
        command
            .args(["show", "--format", format, "--max-bytes", "50000"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        let child = Running::start(&mut command);
        let status = format!("/proc/{}/status", child.id());
        let mut stdin = child.stdin();
        // All but what fits into the pipe has been read then.
        let mut peak = |times: usize| {
            for _ in 0..times {
                stdin.write_all(&one).unwrap();
            }
            let status = fs::read_to_string(&status).unwrap();
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
            peak.trim().trim_end_matches(" kB").parse::<usize>().unwrap()
        };
        let (short, long) = (peak(15), peak(150));
        assert!(long < short + 1_000, "{format}: {short} kB, then {long} kB");
        drop(stdin);
        child.wait();
    }
}

#[test]
fn words_between_the_records_are_seen_and_unmapped_records_are_not() {
    let input = b"{\"type\":\"odd\"}\nError: no key\n";
    assert_eq!(
        shown(&[], input),
        "raw Error: no key\n\
         notice warning unknown: nothing was understood of 1 line; --raw shows all\n\
         recap end of the stream\n"
    );
    assert!(shown(&["--raw"], input).starts_with("raw {\"type\":\"odd\"}\n"));
    let page = shown(&["--format", "html"], input);
    let class = |text: &str| {
        let line = page.lines().find(|line| line.contains(text)).unwrap();
        line.split('"').nth(3).unwrap().to_owned()
    };
    assert_eq!(
        (class("no key"), class("odd")),
        ("item other d0".into(), "item other raw d0".into())
    );
}

#[test]
fn an_end_that_comes_late_repeats_nothing() {
    let input = recording("claude-stream/old-answer-shown-last-after-a-wake");
    let text = shown(&["--format", "plain"], &input);
    assert_eq!(text.matches("Started; waiting.").count(), 1, "{text}");
    assert_eq!(text.matches("The build failed.").count(), 1, "{text}");
}

#[test]
fn an_end_that_joins_what_was_said_is_not_shown_again() {
    let said = |id: &str, text: &str| json!({"type": "message", "payload": {"role": "assistant", "text": text, "messageId": id}});
    let events = [
        said("a", "I look first."),
        said("b", "Three "),
        said("b", "lines."),
        json!({"type": "session.ended", "payload": {"status": "succeeded", "summary": "I look first.Three lines."}}),
    ];
    let input = events.map(|event| event.to_string()).join("\n");
    let text = shown(&["--format", "plain"], input.as_bytes());
    assert_eq!(text.matches("message assistant").count(), 3, "{text}");
}

#[test]
fn a_plan_keeps_its_lines_and_tools_their_colours() {
    let plan = json!({"plan": "# Plan\n\n1. Read\n2. Change"}).to_string();
    let events = [
        json!({"type": "tool.call", "payload": {"callId": "a", "name": "ExitPlanMode", "input": plan}}),
        json!({"type": "tool.call", "payload": {"callId": "b", "name": "Bash", "input": "{}"}}),
        json!({"type": "tool.result", "payload": {"callId": "b", "isError": false, "output": "10 %\r\u{1b}[32mok\u{1b}[0m\u{1b}[2J"}}),
    ];
    let input = events.map(|event| event.to_string()).join("\n");
    let text = shown(&["--format", "terminal", "--color", "never"], input.as_bytes());
    assert!(text.contains("● ExitPlanMode\n    Plan\n\n    1. Read\n    2. Change\n"), "{text}");
    assert!(text.contains("\n  └ ok\n"), "{text}");
    let text = shown(&["--format", "terminal", "--color", "always"], input.as_bytes());
    assert!(text.contains("\u{1b}[32mok\u{1b}[0m"), "{text:?}");
}

#[test]
fn a_stream_without_times_is_stamped_when_asked() {
    let input = b"{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n";
    let text = shown(&["--stamp", "-p", "codex"], input);
    assert!(text.starts_with("day ") && text.contains(':'), "{text}");
    assert!(!shown(&["-p", "codex"], input).contains("day "));
}
