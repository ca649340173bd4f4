//! Many sessions: the table, groups, spans, orders and formats.

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::{Value, json};

use super::support::{fixtures, folders};

const SOME: [(&str, &str); 4] =
    [("claude-stream", "2.1.197"), ("codex", "0.171"), ("opencode", "1.18"), ("gemini", "0.61")];

fn summarize(args: &[&str]) -> String {
    let cases = SOME.iter().flat_map(|(protocol, version)| {
        let is_of_version = move |case: &std::path::PathBuf| {
            case.file_name().is_some_and(|name| name.to_string_lossy().starts_with(version))
        };
        folders(&fixtures().join(protocol)).into_iter().filter(is_of_version)
    });
    let inputs = cases.map(|case| case.join("input.jsonl"));
    let mut inputs: Vec<_> = inputs.filter(|path| path.exists()).collect();
    inputs.sort();
    let run =
        cargo_bin_cmd!("agentnorm").arg("summarize").args(args).args(inputs).assert().success();
    String::from_utf8(run.get_output().stdout.clone()).unwrap()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&summarize(&[&["--format", "json"], args].concat())).unwrap()
}

const COUNTERS: [&str; 7] = [
    "inputTokens",
    "outputTokens",
    "cacheReadTokens",
    "cacheCreationTokens",
    "reasoningTokens",
    "turns",
    "durationMs",
];

#[expect(clippy::needless_pass_by_value, reason = "it is made for this")]
fn sum<'v, U: Iterator<Item = &'v Value> + Clone>(usages: U) -> (Vec<u64>, i64) {
    let counts = COUNTERS.iter().map(|key| {
        usages.clone().map(|usage| usage[key].as_u64().unwrap_or_default()).sum::<u64>()
    });
    let cost: f64 = usages.clone().map(|usage| usage["costUsd"].as_f64().unwrap_or_default()).sum();
    #[expect(clippy::cast_possible_truncation, reason = "a few dollars")]
    (counts.collect(), (cost * 1e6).round() as i64)
}

#[test]
fn groups_add_up_to_the_total() {
    let whole = json(&[]);
    let want = sum(std::iter::once(&whole["total"]["usage"]));
    let sessions = whole["sessions"].as_array().unwrap();
    assert_eq!(sum(sessions.iter().map(|session| &session["usage"])), want);
    assert!(sessions.len() > 60 && want.1 > 0);
    for by in ["day", "week", "month", "harness", "model", "cwd", "session", "file"] {
        let json = json(&["--utc", "--by", by]);
        let groups = json["groups"].as_array().unwrap();
        assert_eq!(sum(groups.iter().map(|group| &group["usage"])), want, "{by}");
        assert_eq!(json["total"], whole["total"], "{by}");
        if by != "model" {
            let count: u64 = groups.iter().map(|group| group["sessions"].as_u64().unwrap()).sum();
            assert_eq!(count, sessions.len() as u64, "{by}");
        }
        let keys: Vec<&str> = groups.iter().map(|group| group["key"].as_str().unwrap()).collect();
        match by {
            "harness" => assert!(keys.contains(&"claude-code") && keys.contains(&"codex")),
            "day" => assert!(keys.contains(&"2026-11-30"), "{keys:?}"),
            "week" => assert!(keys.contains(&"2026-W49"), "{keys:?}"),
            "month" => assert!(keys.contains(&"2026-11"), "{keys:?}"),
            _ => {}
        }
    }
}

#[test]
fn the_total_says_what_it_covers() {
    let json = json(&[]);
    let (total, sessions) = (&json["total"], json["sessions"].as_array().unwrap());
    let stated = |key: &str| sessions.iter().filter(|s| !s["usage"][key].is_null()).count();
    assert_eq!(total["coverage"]["costUsd"], stated("costUsd"));
    assert_eq!(total["coverage"]["turns"], stated("turns"));
    let ended = |status: &str| sessions.iter().filter(|s| s["outcome"]["status"] == status).count();
    assert_eq!(total["outcomes"]["succeeded"], ended("succeeded"));
    assert_eq!(total["outcomes"]["failed"], ended("failed"));
    let open = sessions.iter().filter(|s| s["outcome"].is_null()).count();
    assert_eq!(total["outcomes"]["notEnded"], open);
    let text = summarize(&[]);
    let covered = format!("of {} of {} sessions", stated("costUsd"), sessions.len());
    assert!(text.contains(&covered), "{covered}: {text}");
    // A line a session, a heading, the total, and the remarks.
    assert!(text.lines().count() < sessions.len() + 8);
}

#[test]
fn what_is_listed_is_ordered_and_cut_but_the_total_is_of_all() {
    let whole = json(&[]);
    let top = json(&["--sort", "cost", "--top", "3"]);
    assert_eq!(top["total"], whole["total"]);
    let cost = |session: &Value| session["usage"]["costUsd"].as_f64().unwrap_or(-1.0);
    let mut costs: Vec<f64> = whole["sessions"].as_array().unwrap().iter().map(cost).collect();
    costs.sort_by(|a, b| b.total_cmp(a));
    let listed: Vec<f64> = top["sessions"].as_array().unwrap().iter().map(cost).collect();
    assert_eq!(listed, costs[..3]);
    let text = summarize(&["--sort", "tokens", "--top", "2"]);
    assert!(text.contains("more lines not shown"), "{text}");
}

#[test]
fn a_span_leaves_out_what_began_elsewhere() {
    let whole = json(&["--until", "1999-12-31", "--utc"]);
    assert_eq!(whole["total"]["sessions"], 0);
    let day = json(&["--since", "2026-11-30", "--until", "2026-11-30", "--utc"]);
    let begun =
        |session: &Value| session["from"].as_str().is_none_or(|t| t.starts_with("2026-11-30"));
    let sessions = day["sessions"].as_array().unwrap();
    assert!(sessions.len() > 10 && sessions.iter().all(begun));
    assert_eq!(day["total"]["sessions"], sessions.len());
    cargo_bin_cmd!("agentnorm").args(["summarize", "--since", "yesterday"]).assert().code(2);
}

#[test]
fn tables_for_programs_have_a_cell_for_each_name() {
    let whole = json(&[]);
    let csv = summarize(&["--format", "csv"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let at = |name: &str| names.iter().position(|other| other == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), whole["sessions"].as_array().unwrap().len());
    let input = rows.iter().filter_map(|row| row[at("inputTokens")].parse::<u64>().ok());
    assert_eq!(json!(input.sum::<u64>()), whole["total"]["usage"]["inputTokens"]);
    let tsv = summarize(&["--format", "tsv", "--by", "harness"]);
    let lines: Vec<Vec<&str>> = tsv.lines().map(|line| line.split('\t').collect()).collect();
    assert!(lines.len() > 3 && lines.iter().all(|line| line.len() == lines[0].len()), "{tsv}");
    let markdown = summarize(&["--format", "markdown", "--by", "model"]);
    assert!(markdown.starts_with("| model | sessions |"), "{markdown}");
}

#[test]
fn variables_are_plain_words() {
    let hostile = json!({"type": "session.started", "payload": {"harness": "a\nb=$(touch x)", "model": "m`id`;ls",
        "sessionId": "x\r\nPATH=/"}, "line": 1});
    let run = cargo_bin_cmd!("agentnorm")
        .args(["summarize", "--format", "env"])
        .write_stdin(format!("{hostile}\n"))
        .assert()
        .success();
    let out = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    for line in out.lines() {
        let (key, value) = line.split_once('=').unwrap();
        assert!(key.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{line}");
        assert!(
            value.chars().all(|c| c.is_ascii_alphanumeric() || "._:/@%+,-".contains(c)),
            "{line}"
        );
    }
    assert!(out.contains("harness=a_b___touch_x_\n") && out.contains("sessions=1\n"), "{out}");
}

#[test]
fn cells_are_no_formulas() {
    let start = json!({"type": "session.started", "payload": {"harness": "h", "model": "=1+1", "sessionId": "s"}});
    let run = cargo_bin_cmd!("agentnorm")
        .args(["summarize", "--format", "csv"])
        .write_stdin(format!("{start}\n"))
        .assert()
        .success();
    let out = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(out.contains(",'=1+1,"), "{out}");
}
