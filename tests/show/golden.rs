//! Every form, over a recording of every dialect.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anstyle::{Color, RgbColor};

use super::support::{FORMATS, fixtures, protocols, show, shown};

/// What is shown of each dialect.
const RECORDINGS: [&str; 30] = [
    "acp/opencode-1.18.33-todo",
    "agentnorm/codex-events",
    "amp/subagent",
    "auto/noise-before-the-first-record",
    "claude-json/2.1.332-json-verbose",
    "claude-stream/2.1.332-bash-background",
    "claude-stream/2.1.332-edit",
    "claude-stream/2.1.332-interrupt",
    "claude-stream/2.1.332-subagent-nested",
    "claude-stream/2.1.332-todowrite",
    "cline/3.0-edit",
    "codex/0.129-tour",
    "copilot/made-up-shapes",
    "cursor/made-up-files",
    "droid/0.225-edit",
    "gemini/0.61-shell",
    "goose/1.44-failing",
    "grok/failures-and-shapes",
    "jsonl/odd-lines",
    "kimi/1.43-todo",
    "none/plain-text",
    "opencode/1.18-todo",
    "openhands/1.16-edit",
    "pi/0.73-text",
    "qwen/0.24.4-failing",
    "qwen/0.24.4-edit",
    "vibe/3.0-todo",
    "vibe/3.0-thinking",
    "show/hostile.jsonl",
    "show/tour.jsonl",
];

fn golden(format: &str, recording: &str) -> std::path::PathBuf {
    let name = recording.replace('/', "-").replace(".jsonl", "");
    let ending = match format {
        "markdown" => "md",
        "html" => "html",
        _ => "txt",
    };
    fixtures().join("show").join(format).join(format!("{name}.{ending}"))
}

/// The page without the style sheet, which is the same in all of them.
fn without_style(page: &str) -> String {
    let Some((head, rest)) = page.split_once("<style>") else { return page.to_owned() };
    let (_, tail) = rest.split_once("</style>").unwrap();
    format!("{head}{tail}")
}

fn args<'a>(format: &'a str, protocol: &'a str) -> Vec<&'a str> {
    let mut args = vec!["--format", format];
    if protocol != "show" {
        args.extend(["--protocol", protocol]);
    }
    if format == "terminal" {
        args.extend(["--color", "never"]);
    }
    args
}

#[test]
fn every_form_shows_what_is_expected() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    assert!(!(update && std::env::var_os("CI").is_some()), "UPDATE_GOLDEN is not for CI");
    let mut wrong = Vec::new();
    for recording in RECORDINGS {
        let path = fixtures().join(recording);
        let path = if path.is_dir() { path.join("input.jsonl") } else { path };
        let input = fs::read(&path).unwrap();
        let (protocol, _) = recording.split_once('/').unwrap();
        for format in FORMATS {
            let page = without_style(&shown(&args(format, protocol), &input));
            let file = golden(format, recording);
            if update {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, &page).unwrap();
            } else if fs::read_to_string(&file).unwrap_or_default() != page {
                wrong.push(file.display().to_string());
            }
        }
    }
    let hint = "UPDATE_GOLDEN=1 cargo test --test show, then read the difference";
    assert!(wrong.is_empty(), "{}\n{hint}", wrong.join("\n"));
}

#[test]
fn every_dialect_is_shown_and_every_file_is_of_a_recording() {
    let shown: BTreeSet<&str> = RECORDINGS.iter().map(|r| r.split_once('/').unwrap().0).collect();
    for (protocol, _) in protocols() {
        assert!(shown.contains(protocol.name()), "no recording of {} is shown", protocol.name());
    }
    for format in FORMATS {
        let files = |path: &Path| -> BTreeSet<_> {
            fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect()
        };
        let expected = RECORDINGS.iter().map(|recording| golden(format, recording)).collect();
        assert_eq!(files(&fixtures().join("show").join(format)), expected, "{format}");
    }
}

/// The picture in the README: a recording as a terminal shows it.
#[test]
fn the_picture_is_current() {
    let recording = fixtures().join("codex/0.129-tour/input.jsonl");
    let mut command = show(&["--color", "always", recording.to_str().unwrap()]);
    let output = command.env("COLUMNS", "84").output().unwrap();
    let seen = String::from_utf8(output.stdout).unwrap();
    let seen = format!("$ codex exec --json \"Look around and fix it\" | agentnorm show\n\n{seen}");
    let picture = anstyle_svg::Term::new()
        .palette(anstyle_svg::WIN10_CONSOLE)
        .fg_color(Color::Rgb(RgbColor(0xe6, 0xed, 0xf3)))
        .bg_color(Color::Rgb(RgbColor(0x0d, 0x11, 0x17)))
        .render_svg(&seen)
        .replace(".dimmed { opacity: 0.4; }", ".dimmed { opacity: 0.65; }");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/show.svg");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &picture).unwrap();
    }
    assert!(fs::read_to_string(&file).unwrap() == picture, "docs/show.svg is old");
    assert!(picture.len() < 200_000);
}
