//! Running `show`, in this process and as a command.

use std::fs;
use std::path::{Path, PathBuf};

use agentnorm::show::{ShowFormat, ShowOptions, Viewer};
use agentnorm::{Feed as _, Options, Protocol};
use assert_cmd::Command;

pub(crate) const FORMATS: [&str; 4] = ["terminal", "plain", "markdown", "html"];

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// The folders in a folder, sorted.
pub(crate) fn folders(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// The protocols that have fixtures, and their folders.
pub(crate) fn protocols() -> Vec<(Protocol, PathBuf)> {
    let named = |dir: PathBuf| {
        let name = dir.file_name().unwrap().to_str().unwrap();
        Protocol::from_name(name).map(|protocol| (protocol, dir.clone()))
    };
    folders(&fixtures()).into_iter().filter_map(named).collect()
}

/// The command, in an environment that says nothing of terminals.
pub(crate) fn show(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("agentnorm").unwrap();
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "AGENTNORM_PROTOCOL"] {
        command.env_remove(name);
    }
    command.arg("show").args(args);
    command
}

/// What the command prints.
pub(crate) fn shown(args: &[&str], input: &[u8]) -> String {
    let output = show(args).write_stdin(input).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What the library writes of `pieces`.
pub(crate) fn viewed<'a>(
    protocol: Protocol,
    show: &ShowOptions,
    pieces: impl Iterator<Item = &'a [u8]>,
) -> String {
    let mut viewer = Viewer::new(Options::new(protocol), show.clone(), Vec::new());
    for piece in pieces {
        viewer.push(piece);
    }
    viewer.end_stream();
    String::from_utf8(viewer.finish().unwrap()).unwrap()
}

pub(crate) fn options(format: &str) -> ShowOptions {
    let mut options = ShowOptions::default();
    options.format = match format {
        "terminal" => ShowFormat::Terminal,
        "plain" => ShowFormat::Plain,
        "markdown" => ShowFormat::Markdown,
        "html" => ShowFormat::Html,
        _ => unreachable!("no such format"),
    };
    options
}
