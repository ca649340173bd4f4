//! Which command is run and how its output is read.

use crate::support::{Folder, Wrap};

fn dry(options: &[&str], command: &[&str]) -> String {
    let mut all = vec!["wrap", "--dry-run"];
    all.extend(options);
    all.push("--");
    all.extend(command);
    let out = std::process::Command::new(crate::support::AGENTNORM).args(all).output().unwrap();
    assert_eq!(out.stderr, b"");
    assert_eq!(out.status.code(), Some(0));
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn a_dry_run_prints_the_command_as_a_shell_reads_it_and_runs_nothing() {
    let folder = Folder::new();
    let mark = folder.path("mark");
    let mark = mark.to_str().unwrap();
    assert_eq!(dry(&[], &["touch", mark]), format!("touch {mark}\n"));
    assert!(!std::fs::exists(mark).unwrap());
    assert_eq!(dry(&[], &["a b", "$x", "it's", ""]), "'a b' '$x' \"it's\" ''\n");
}

#[test]
fn the_name_of_the_command_decides_unless_the_protocol_is_given() {
    let flags = "--output-format stream-json --verbose";
    assert_eq!(dry(&[], &["claude", "-p", "hi"]), format!("claude {flags} -p hi\n"));
    assert_eq!(
        dry(&["-p", "claude-stream"], &["claude", "-p"]),
        format!("claude {flags} --input-format stream-json -p\n")
    );
    assert_eq!(dry(&["-p", "none"], &["claude", "-p", "hi"]), "claude -p hi\n");
    assert_eq!(dry(&["-p", "auto"], &["claude", "-p", "hi"]), "claude -p hi\n");
    // The name alone makes an end record due.
    let folder = Folder::new();
    let claude = folder.script("claude", "#!/bin/sh\necho hi\n");
    let claude = claude.to_str().unwrap();
    let mut wrap = std::process::Command::new(crate::support::AGENTNORM);
    wrap.args(["wrap", "--", claude]).env_remove("AGENTNORM_PROTOCOL");
    assert_eq!(Wrap::of(wrap).run().made_up()["status"], "failed");
}

#[test]
fn a_command_that_gets_no_flags_for_the_named_protocol_is_told_so() {
    let said = |protocol: &str, command: &[&str]| {
        let mut wrap = std::process::Command::new(crate::support::AGENTNORM);
        wrap.args(["wrap", "--dry-run", "-p", protocol, "--"]).args(command);
        let out = wrap.output().unwrap();
        assert_eq!(out.status.code(), Some(0));
        String::from_utf8(out.stderr).unwrap()
    };
    assert_eq!(
        said("claude-json", &["./my-wrapper", "-p", "hi"]),
        "agentnorm: no flags for claude-json were added to the command: it does not start claude in a form that is known\n"
    );
    assert_eq!(
        said("codex", &["codex", "hi"]),
        "agentnorm: no flags for codex were added to the command: codex takes them behind \"exec\" or \"e\"\n"
    );
    assert_eq!(said("codex", &["codex", "exec", "--json", "hi"]), "");
    assert_eq!(said("none", &["ls"]), "");
}

#[test]
fn the_flags_reach_the_harness_and_the_prompt_stays_whole() {
    let folder = Folder::new();
    folder.script("claude", "#!/bin/sh\nfor word; do echo \"[$word]\"; done\n");
    let path = format!("{}:{}", folder.path("").display(), std::env::var("PATH").unwrap());
    let ended = Wrap::command(
        &["-p", "claude-json"],
        &["env", "X=1", "nice", "claude", "-p", "two words", "--", "--output-format"],
    )
    .env("PATH", path)
    .run();
    let expected = [
        "[--output-format]",
        "[stream-json]",
        "[--verbose]",
        "[-p]",
        "[two words]",
        "[--]",
        "[--output-format]",
    ];
    assert_eq!(ended.texts(), expected);
}

#[test]
fn options_end_where_the_command_starts() {
    let mut wrap = std::process::Command::new(crate::support::AGENTNORM);
    wrap.args(["wrap", "-p", "none", "sh", "-c", "echo \"$@\"", "sh", "-e", "--", "--stamp"]);
    assert_eq!(Wrap::of(wrap).run().texts(), ["-e -- --stamp"]);
}
