//! Recorded streams, printed by a child: the events are the filter's, and the end fits the dialect.

use std::path::Path;

use serde_json::Value;

use crate::support::{Ended, Wrap};

struct Stream {
    protocol: &'static str,
    case: &'static str,
}

impl Stream {
    /// What a script with `$INPUT` for the recording does, and the filter's events of the recording.
    fn wrap(&self, script: &str, options: &[&str]) -> (Ended, Vec<Value>) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let case = root.join(self.protocol).join(self.case);
        let expected = std::fs::read_to_string(case.join("expected.jsonl")).unwrap();
        let mut all = vec!["-p", self.protocol];
        all.extend(options);
        let ended = Wrap::sh(&all, script).env("INPUT", case.join("input.jsonl")).run();
        (ended, expected.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }
}

#[test]
fn a_success_that_the_stream_states_stands_beside_a_failing_status() {
    let stream =
        Stream { protocol: "claude-stream", case: "B101-wrap-exit-code-after-success-result" };
    let (ended, expected) = stream.wrap("cat \"$INPUT\"; exit 3", &["-e"]);
    assert_eq!(ended.events, expected);
    assert_eq!(ended.events.last().unwrap()["payload"]["status"], "succeeded");
    assert_eq!(ended.status, 3);
}

#[test]
fn a_stream_that_a_signal_cut_off_has_failed() {
    let stream = Stream { protocol: "claude-stream", case: "B102-wrap-child-killed-by-signal" };
    let (ended, expected) = stream.wrap("cat \"$INPUT\"; kill -TERM $$; sleep 5", &[]);
    assert_eq!(ended.events[..expected.len()], expected);
    assert_eq!(ended.events.len(), expected.len() + 1);
    assert_eq!(ended.made_up()["signal"], "SIGTERM");
    assert_eq!(ended.status, 143);
}

#[test]
fn a_harness_that_waits_for_the_end_of_its_input_gets_it() {
    let stream = Stream { protocol: "codex", case: "B106-wrap-stdin-reaches-child-and-ends" };
    let (ended, expected) = stream.wrap("cat > /dev/null; cat \"$INPUT\"", &["-e"]);
    assert_eq!(ended.events, expected);
    assert_eq!(ended.status, 0);
}

#[test]
fn a_form_without_an_end_record_ends_as_its_process_does() {
    // (recording, exit status, status of the made-up end, exit status with -e)
    let cases = [
        ("0.42-legacy-json-first", 0, "succeeded", 0),
        ("0.42-legacy-json-first", 2, "failed", 2),
        ("0.42-legacy-json-failed", 0, "failed", 1),
        ("0.42-experimental-json-failed", 0, "failed", 1),
    ];
    for (case, status, made_up, with) in cases {
        let script = format!("cat \"$INPUT\"; exit {status}");
        let (ended, expected) = Stream { protocol: "codex", case }.wrap(&script, &["-e"]);
        assert_eq!(ended.events[..expected.len()], expected);
        assert_eq!(ended.made_up()["status"], made_up, "{case}");
        assert_eq!(ended.status, with, "{case}");
    }
}
