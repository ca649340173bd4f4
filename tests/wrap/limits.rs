//! Limits: the ways in which agents hang, loop and overspend in CI, each as a small script.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use serde_json::Value;

use crate::support::{Ended, Folder, STAY, Wrap, assert_gone};

const SAYS: &str = r#"echo '{"type":"message","role":"assistant","text":"hi"}';"#;
const ENDED: &str = r#"echo '{"type":"session.ended","status":"succeeded"}';"#;
const PING: &str = r#"echo '{"type":"notice","level":"info","code":"info","message":"ping"}';"#;

/// Waits that last this long last too long.
const SOON: Duration = Duration::from_secs(15);

fn call(id: &str, input: &str) -> String {
    format!(
        r#"echo '{{"type":"tool.call","callId":"{id}","name":"Bash","input":"{input}","target":"cargo test"}}';"#
    )
}

fn result(id: &str) -> String {
    format!(r#"echo '{{"type":"tool.result","callId":"{id}","isError":true,"output":"no"}}';"#)
}

impl Ended {
    /// The notice of the limit that was broken; there is one.
    fn limit(&self) -> &str {
        let code = |event: &&Value| event["payload"]["code"] == "limit";
        let notices: Vec<&Value> = self.events.iter().filter(code).collect();
        assert_eq!(notices.len(), 1, "{self:?}");
        assert_eq!(notices[0]["type"], "notice");
        assert_eq!(notices[0]["payload"]["level"], "error");
        assert!(notices[0].get("line").is_none() && notices[0].get("source").is_none());
        notices[0]["payload"]["message"].as_str().unwrap()
    }

    /// The script was ended by a limit, and its end is made up.
    #[track_caller]
    fn assert_ended_by(&self, reason: &str) {
        assert_eq!(self.status, 124, "{self:?}");
        assert_eq!(self.made_up()["reason"], reason);
        assert_eq!(self.made_up()["status"], "failed");
        // A shell whose command is killed may say so; we say one thing.
        let ours: Vec<&str> = self.stderr.lines().filter(|l| l.starts_with("agentnorm")).collect();
        assert_eq!(ours, [format!("agentnorm: ending the command: {}", self.limit())]);
    }
}

/// Runs a script that must end soon.
#[track_caller]
fn run(options: &[&str], script: &str) -> Ended {
    let start = Instant::now();
    let ended = Wrap::sh(options, script).run();
    assert!(start.elapsed() < SOON, "{:?}: {ended:?}", start.elapsed());
    ended
}

#[test]
fn pings_are_no_progress() {
    let script = format!("{SAYS} while sleep 0.05; do {PING} echo not JSON; done");
    let ended = run(&["--idle-timeout", "1500ms"], &script);
    ended.assert_ended_by("idle");
    assert_eq!(ended.limit(), "--idle-timeout 1.5 s: no progress for as long");
    assert_eq!(ended.made_up()["signal"], "SIGTERM");
    assert!(ended.events.len() > 8, "{}", ended.events.len());
}

#[test]
#[ignore = "fails since the branches were merged: to be looked at first"]
fn a_trickle_of_retries_is_no_progress() {
    // As Claude Code prints them; none of them is an answer.
    let retry = r#"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":500,"error_status":529,"error":"overloaded","session_id":"s","uuid":"u"}"#;
    let script = format!("while sleep 0.05; do echo '{retry}'; done");
    let ended = run(&["-p", "claude-json", "--idle-timeout", "1500ms"], &script);
    ended.assert_ended_by("idle");
    assert_eq!(ended.events[0]["payload"]["code"], "retry", "{ended:?}");
}

#[test]
fn a_stream_that_stays_open_behind_its_end_is_ended() {
    let ended = run(&["--idle-timeout", "1500ms"], &format!("{SAYS} {ENDED} {STAY}"));
    assert_eq!(ended.status, 124);
    // The harness's own end stands.
    assert_eq!(ended.events.len(), 3, "{ended:?}");
    assert_eq!(ended.events[1]["payload"]["status"], "succeeded");
    assert!(ended.limit().starts_with("--idle-timeout"));
}

#[test]
fn a_tool_that_never_returns_is_ended() {
    let script = format!("{} {} {} {STAY}", call("a", "x"), call("b", "y"), result("a"));
    let ended = run(&["--tool-timeout", "3s", "--idle-timeout", "2s"], &script);
    ended.assert_ended_by("tool_timeout");
    assert_eq!(ended.limit(), "--tool-timeout 3 s: still open: Bash: cargo test");
}

#[test]
fn a_long_silent_tool_is_left_alone() {
    let script = format!("{} sleep 3; {} {SAYS} {ENDED}", call("a", "x"), result("a"));
    let ended = run(&["--idle-timeout", "1500ms", "--tool-timeout", "20s"], &script);
    assert_eq!((ended.status, ended.events.len(), ended.stderr.as_str()), (0, 4, ""));
    // And so is background work.
    let tasks = |tasks| format!(r#"echo '{{"type":"session.background","tasks":[{tasks}]}}';"#);
    let some = tasks(r#"{"taskId":"t"}"#);
    let script = format!("{some} sleep 3; {} sleep 0.1; {ENDED}", tasks(""));
    let ended = run(&["--idle-timeout", "1500ms"], &script);
    assert_eq!((ended.status, ended.events.len(), ended.stderr.as_str()), (0, 3, ""));
}

#[test]
fn a_loop_of_the_same_failing_call_is_ended() {
    let loops = format!(
        "n=0; while :; do n=$((n+1)); {} {} {SAYS} sleep 0.02; done",
        call("'$n'", "x"),
        result("'$n'")
    );
    let ended = run(&["--max-repeats", "5"], &loops);
    ended.assert_ended_by("max_repeats");
    assert_eq!(ended.limit(), "--max-repeats 5: the same call of Bash as often in a row");
    // Right behind the fifth call, and not later.
    let at = ended.events.iter().position(|event| event["payload"]["code"] == "limit").unwrap();
    assert_eq!(ended.events[at - 1]["type"], "tool.call");
    assert_eq!(ended.events[at - 1]["payload"]["callId"], "5");
    // Each call another one: no loop.
    let other = format!(
        "n=0; while [ $n -lt 20 ]; do n=$((n+1)); {} {} done; {ENDED}",
        call("'$n'", "'$n'"),
        result("'$n'")
    );
    assert_eq!(run(&["--max-repeats", "5"], &other).status, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn whoever_ignores_the_signal_is_killed_with_all_that_it_started() {
    let script = format!(
        "trap '' TERM; echo $$; sh -c 'echo $$; {STAY}' 2>/dev/null & \
         (sh -c 'echo $$; {STAY}' 2>/dev/null &) ; {STAY}"
    );
    let start = Instant::now();
    let mut run = Wrap::sh(&["--timeout", "1s", "--kill-after", "300ms"], &script).start();
    let family: [Pid; 3] = [run.pid(), run.pid(), run.pid()];
    let ended = run.finish();
    assert!(start.elapsed() < SOON);
    ended.assert_ended_by("timeout");
    assert_eq!(ended.made_up()["signal"], "SIGKILL");
    family.into_iter().for_each(assert_gone);
}

#[cfg(target_os = "linux")]
#[test]
fn what_outlives_the_command_is_asked_to_end_and_then_killed() {
    // One goes at TERM, so that nobody waits for the 10 s; with one that does not, they are waited for.
    let script = format!("(sh -c 'echo $$; {STAY}' 2>/dev/null &) ; {STAY}");
    let start = Instant::now();
    let mut run = Wrap::sh(&["--timeout", "1500ms"], &script).start();
    let orphan = run.pid();
    let ended = run.finish();
    assert_gone(orphan);
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    assert_eq!(ended.status, 124);

    let script = format!("(sh -c 'trap \"\" TERM; echo $$; {STAY}' 2>/dev/null &) ; {STAY}");
    let mut run = Wrap::sh(&["--timeout", "1500ms", "--kill-after", "1s"], &script).start();
    let orphan = run.pid();
    assert_eq!(run.finish().status, 124);
    assert_gone(orphan);
}

#[test]
fn the_harness_may_print_an_end_of_its_own() {
    let own =
        r#"echo "{\"type\":\"session.ended\",\"status\":\"failed\",\"reason\":\"cancelled\"}""#;
    let script = format!("trap '{own}; exit 3' TERM; {SAYS} {STAY}");
    let ended = run(&["--timeout", "1500ms"], &script);
    assert_eq!(ended.status, 124);
    let kinds: Vec<&str> = ended.events.iter().map(|e| e["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["message", "notice", "session.ended"]);
    assert_eq!(ended.events[2]["payload"]["reason"], "cancelled");
    assert_eq!(ended.limit(), "--timeout 1.5 s: the time is up");
}

#[test]
fn a_status_of_success_changes_nothing() {
    // The command takes the signal for a wish and ends well; the limit was broken all the same.
    let script = format!("trap 'exit 0' TERM; {SAYS} {STAY}");
    let ended = run(&["-e", "--timeout", "1500ms", "--stamp"], &script);
    ended.assert_ended_by("timeout");
    assert_eq!(ended.made_up()["exitCode"], 0);
    assert!(ended.events.iter().all(|event| event["time"].is_string()), "{ended:?}");
}

#[test]
fn the_time_is_up_even_if_nobody_reads() {
    let options = ["--timeout", "500ms", "--kill-after", "200ms"];
    let start = Instant::now();
    let run = Wrap::sh(&options, "while :; do echo 0123456789; done").start();
    assert_eq!(run.end_unread(), (Some(124), None));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_command_is_not_blamed_for_a_slow_reader() {
    // Behind more than the pipes hold come a result and a message: what was said in time is read late.
    let text = "x".repeat(4_000);
    let flood = format!(
        "n=0; while [ $n -lt 200 ]; do n=$((n+1)); \
         echo '{{\"type\":\"notice\",\"level\":\"info\",\"code\":\"info\",\"message\":\"'{text}'\"}}'; done;"
    );
    let cases = [
        ("--idle-timeout", SAYS.to_owned(), SAYS.to_owned()),
        ("--tool-timeout", call("a", "x"), result("a")),
    ];
    let runs = cases.map(|(option, before, behind)| {
        Wrap::sh(&[option, "2s"], &format!("{before} {flood} {behind} {ENDED}")).start()
    });
    std::thread::sleep(Duration::from_secs(5));
    for run in runs {
        let ended = run.finish();
        assert_eq!((ended.status, ended.stderr.as_str(), ended.events.len()), (0, "", 203));
    }
}

#[test]
fn what_is_spent_is_counted_live() {
    let usage = |tokens: u64, cost: f64| {
        format!(
            r#"echo '{{"type":"usage","scope":"call","inputTokens":{tokens},"outputTokens":1,"cacheReadTokens":2,"costUsd":{cost}}}';"#
        )
    };
    // The third is one too many.
    let script = format!("{0} {0} sleep 0.3; {0} {STAY}", usage(10, 0.5));
    for (option, most, reason, words) in [
        ("--max-tokens", "26", "max_tokens", "--max-tokens 26: 39 tokens"),
        ("--max-cost", "1", "max_cost", "--max-cost 1: 1.5 US dollars"),
        ("--max-turns", "2", "max_turns", "--max-turns 2: 3 model calls"),
    ] {
        let ended = run(&[option, most], &script);
        ended.assert_ended_by(reason);
        assert_eq!(ended.limit(), words);
        assert_eq!(ended.events.len(), 5, "three usages, the notice, the end");
        let within = format!("{0} {0} {ENDED}", usage(10, 0.5));
        assert_eq!(run(&[option, most], &within).status, 0);
    }
}

#[test]
fn a_total_and_the_calls_make_one_figure_as_in_a_summary() {
    // Fixtures of streams that state both: the limit is what `summarize` says of all of it.
    for case in ["2.1.332-bash", "2.1.332-subagent"] {
        let input = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures/claude-stream")
            .join(case)
            .join("input.jsonl");
        let summarize = |path: &std::path::Path| -> Value {
            let mut summary = std::process::Command::new(crate::support::AGENTNORM);
            summary.args(["summarize", "--format", "json"]).arg(path);
            serde_json::from_slice(&summary.output().unwrap().stdout).unwrap()
        };
        let usage = &summarize(&input)["total"]["usage"];
        let count = |key: &str| usage[key].as_u64().unwrap_or_default();
        let tokens = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens"];
        let tokens: u64 = tokens.into_iter().map(count).sum();
        let cost = usage["costUsd"].as_f64().unwrap();
        assert!(tokens > 0 && cost > 0.0, "{usage}");
        let status = |option: &str, most: String| {
            let options = ["-p", "claude-stream", option, &most];
            Wrap::sh(&options, "cat \"$INPUT\"").env("INPUT", &input).run().status
        };
        assert_eq!(status("--max-tokens", tokens.to_string()), 0, "{case}");
        assert_eq!(status("--max-tokens", (tokens - 1).to_string()), 124, "{case}");
        assert_eq!(status("--max-cost", cost.to_string()), 0, "{case}");
        assert_eq!(status("--max-cost", (cost * 0.999).to_string()), 124, "{case}");
    }
}

#[test]
fn the_model_calls_of_a_dialect_are_counted() {
    // (recording, its model calls): by their usage, by what the model says, by both.
    for (protocol, case, calls) in [
        ("claude-stream", "2.1.332-edit", 6),
        ("gemini", "0.61-todo", 5),
        ("opencode", "1.18-parallel", 2),
    ] {
        let input = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures")
            .join(protocol)
            .join(case)
            .join("input.jsonl");
        for (most, status) in [(calls, 0), (calls - 1, 124)] {
            let options = ["-p", protocol, "--max-turns", &most.to_string()];
            let ended = Wrap::sh(&options, "cat \"$INPUT\"").env("INPUT", &input).run();
            assert_eq!(ended.status, status, "{protocol} {most}");
        }
    }
}

#[test]
#[ignore = "fails since the branches were merged: to be looked at first"]
fn a_limit_that_could_not_act_is_refused_and_nothing_is_run() {
    let folder = Folder::new();
    let mark = folder.path("mark");
    let mark = mark.to_str().unwrap();
    for options in [
        &["-p", "codex", "--max-cost", "1"][..],
        &["-p", "auto", "--max-tokens", "5"],
        &["-p", "none", "--idle-timeout", "5s"],
        &["--max-repeats", "1"],
        &["--max-cost", "-1"],
        &["--idle-timeout", "soon"],
        &["--rate-limit-status", "0"],
        &["--rate-limit-status", "256"],
    ] {
        let ended = Wrap::command(options, &["touch", mark]).run();
        assert_eq!(ended.status, 125, "{options:?} {ended:?}");
        assert!(ended.events.is_empty());
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
        assert!(!std::fs::exists(mark).unwrap());
    }
}

#[test]
fn a_heartbeat_breaks_the_silence() {
    let script = format!("{} sleep 2.5; {} {ENDED}", call("a", "x"), result("a"));
    let ended = run(&["--heartbeat", "1s"], &script);
    assert_eq!((ended.status, ended.events.len()), (0, 3));
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert!((1..=3).contains(&lines.len()), "{lines:?}");
    assert!(lines.iter().all(|line| line.starts_with("agentnorm: ")), "{lines:?}");
    let told = |line: &&str| line.contains(", Bash open for ") && line.ends_with("s: cargo test");
    assert!(lines.iter().any(told), "{lines:?}");
    // What is shown is no silence; what goes to a file is not shown.
    let script =
        format!("n=0; while [ $n -lt 30 ]; do n=$((n+1)); {SAYS} sleep 0.1; done; {ENDED}");
    assert_eq!(run(&["--heartbeat", "2s"], &script).stderr, "");
    let folder = Folder::new();
    let events = folder.path("events");
    let ended = run(&["--heartbeat", "500ms", "-o", events.to_str().unwrap()], &script);
    assert!(ended.stderr.starts_with("agentnorm: ") && ended.stderr.contains("no call is open"));
}

#[test]
fn a_scheduler_learns_of_a_rate_limit() {
    let notice = |code: &str, more: &str| {
        format!(r#"echo '{{"type":"notice","level":"error","code":"{code}"{more}}}';"#)
    };
    let when = r#","limit":{"resetsAt":"2030-01-30T21:46:40.000Z"}"#;
    let limit = notice("rate_limit", when);
    let failed = r#"echo '{"type":"session.ended","status":"failed"}';"#;
    let options = ["--rate-limit-status", "75"];
    // (script, status, whether it is said)
    for (script, status, said) in [
        (format!("{SAYS} {limit} {failed} exit 1"), 75, true),
        (format!("{SAYS} {limit} {failed} exit 0"), 75, true),
        (format!("{SAYS} {limit} exit 1"), 75, true),
        (format!("{SAYS} {limit} {} {failed} exit 1", notice("error", "")), 1, false),
        (format!("{SAYS} {failed} exit 1"), 1, false),
        // It went on behind the limit.
        (format!("{limit} {SAYS} {ENDED} exit 0"), 0, false),
    ] {
        let ended = run(&options, &script);
        assert_eq!(ended.status, status, "{script}");
        let word = "agentnorm: exit status 75: the session failed at a rate limit, \
                    which is lifted at 2030-01-30T21:46:40.000Z\n";
        assert_eq!(ended.stderr, if said { word } else { "" });
        // Without the option nothing changes.
        let plain = run(&[], &script);
        let own: i32 = script.rsplit(' ').next().unwrap().parse().unwrap();
        assert_eq!((plain.status, plain.stderr.as_str()), (own, ""));
        assert_eq!(plain.events, ended.events);
    }
    // A limit of ours is another matter, and the last error.
    let ended =
        run(&["--rate-limit-status", "75", "--timeout", "1500ms"], &format!("{limit} {STAY}"));
    ended.assert_ended_by("timeout");
}

#[test]
fn a_signal_from_outside_is_not_a_limit() {
    let mut run = Wrap::sh(&["--timeout", "30s"], &format!("{SAYS} {STAY}")).start();
    assert_eq!(run.event()["type"], "message");
    run.signal(Signal::TERM);
    let ended = run.finish();
    assert_eq!(ended.status, 143);
    assert!(ended.made_up().get("reason").is_none());
}
