//! The page: each session has its own figures, each link leads somewhere, and it stays small.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use super::support::{fixtures, folders, protocols, show, shown};

fn page(args: &[&str]) -> String {
    let mut all = vec!["--format", "html"];
    all.extend(args);
    String::from_utf8(show(&all).output().unwrap().stdout).unwrap()
}

fn recording(name: &str) -> String {
    fixtures().join(name).join("input.jsonl").to_str().unwrap().to_owned()
}

/// The values of an attribute, in order.
fn values<'p>(page: &'p str, start: &str) -> Vec<&'p str> {
    page.match_indices(start)
        .map(|(at, _)| page[at + start.len()..].split('"').next().unwrap())
        .collect()
}

#[test]
fn each_session_has_its_own_head() {
    let failed = recording("claude-stream/2.1.332-fail-401");
    let good = recording("claude-stream/2.1.332-edit");
    let codex = recording("codex/0.129-tour");
    let page = page(&[&failed, &good, &codex]);
    assert!(page.contains("<h1>3 sessions</h1>"), "an index");
    let sections: Vec<&str> = page.split("<section id=").skip(1).collect();
    assert_eq!(sections.len(), 3);
    let head = |at: usize| {
        let (_, head) = sections[at].split_once("<header>").unwrap();
        head.split_once("</header>").unwrap().0.to_owned()
    };
    let [first, second, third] = [head(0), head(1), head(2)];
    assert!(first.contains("failed (api_error)") && !first.contains("0.0149"), "{first}");
    assert!(second.contains("succeeded") && second.contains("$0.0149"), "{second}");
    assert!(third.contains("6,200") && !third.contains('$'), "{third}");
    let index = page.rsplit("<nav").next().unwrap();
    let verdicts: Vec<bool> =
        index.split("<li>").skip(1).map(|row| row.contains("succeeded")).collect();
    assert_eq!(verdicts, [false, true, true]);
}

#[test]
fn sessions_of_one_stream_stand_apart() {
    let event = |kind: &str, session: &str, payload: serde_json::Value| {
        serde_json::json!({"type": kind, "payload": payload, "sessionId": session}).to_string()
    };
    let mut input = String::new();
    for (session, cost) in [("one", 1.25), ("two", 2.5)] {
        let lines = [
            event(
                "session.started",
                session,
                serde_json::json!({"sessionId": session, "harness": "h"}),
            ),
            event(
                "message",
                session,
                serde_json::json!({"role": "user", "text": format!("Ask {session}")}),
            ),
            event("usage", session, serde_json::json!({"scope": "session", "costUsd": cost})),
            event("session.ended", session, serde_json::json!({"status": "succeeded"})),
        ];
        input.push_str(&lines.join("\n"));
        input.push('\n');
    }
    let page = shown(&["--format", "html"], input.as_bytes());
    let sections: Vec<&str> = page.split("<section id=").skip(1).collect();
    assert_eq!(sections.len(), 2, "{page}");
    assert!(sections[0].contains("$1.25") && !sections[0].contains("$2.50"), "{}", sections[0]);
    assert!(sections[0].contains("Ask one</a></h2>"), "{}", sections[0]);
}

#[test]
fn every_link_leads_to_one_place() {
    let mut files = Vec::new();
    for (_, dir) in protocols() {
        files.extend(folders(&dir).into_iter().take(3).map(|case| case.join("input.jsonl")));
    }
    let names: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let page = page(&names);
    let places = values(&page, " id=\"");
    let unique: BTreeSet<&str> = places.iter().copied().collect();
    assert_eq!(unique.len(), places.len(), "each place is there once");
    for link in values(&page, "href=\"#") {
        assert!(link.is_empty() || unique.contains(link), "#{link} leads nowhere");
    }
}

#[test]
fn what_changes_stands_there_line_by_line() {
    let page = page(&[&recording("claude-stream/2.1.332-edit")]);
    assert!(
        page.contains("<ins>    &quot;&quot;&quot;Add two numbers.&quot;&quot;&quot;</ins>"),
        "{page}"
    );
    assert!(page.contains("<code>    return a + b</code>"), "{page}");
}

#[test]
fn a_failure_shows_its_last_lines_and_is_linked() {
    let mut output = String::new();
    for n in 1..=60 {
        writeln!(output, "line {n}").unwrap();
    }
    output.push_str("\u{1b}[31mFAILED\u{1b}[0m at last\n");
    let events = [
        serde_json::json!({"type": "tool.call", "line": 7, "payload": {"callId": "c", "name": "Bash", "kind": "execute", "target": "make", "input": "{}"}}),
        serde_json::json!({"type": "tool.result", "line": 8, "payload": {"callId": "c", "isError": true, "exitCode": 2, "output": output}}),
    ];
    let input = events.map(|event| event.to_string()).join("\n");
    let page = shown(&["--format", "html"], input.as_bytes());
    let (_, tail) = page.split_once("<pre class=\"tail\">").unwrap();
    let (tail, _) = tail.split_once("</pre>").unwrap();
    assert!(tail.ends_with("line 60\n<span class=\"cr\">FAILED</span> at last"), "{tail}");
    assert!(!tail.contains("line 50"), "{tail}");
    assert!(page.contains("<td>Bash make: exit 2</td><td><a href=\"#L8\">"), "{page}");
}

#[test]
fn a_huge_session_is_cut_with_a_word() {
    let mut input = String::new();
    let output = "word and word\n".repeat(200);
    for n in 0..4_000 {
        let events = [
            serde_json::json!({"type": "tool.call", "payload": {"callId": n.to_string(), "name": "Bash", "input": "{\"command\":\"make\"}"}}),
            serde_json::json!({"type": "tool.result", "payload": {"callId": n.to_string(), "isError": false, "output": output}}),
        ];
        for event in events {
            writeln!(input, "{event}").unwrap();
        }
    }
    let page = shown(&["--format", "html"], input.as_bytes());
    assert!(page.len() < 8_000_000, "{}", page.len());
    assert_eq!(page.matches("The page is long").count(), 1);
    assert!(page.contains("200 lines, 2.8 KB, left out"));
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("huge.jsonl");
    fs::write(&file, input).unwrap();
    let whole = self::page(&["--full", file.to_str().unwrap()]);
    assert!(whole.len() > 11_000_000 && !whole.contains("The page is long"), "{}", whole.len());
}
