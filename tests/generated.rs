//! What is generated from the clap definitions and the dialect table is committed, and must be
//! current. `UPDATE_GENERATED=1 cargo test --test generated` writes it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use agentnorm::Protocol;
use agentnorm::cli::Cli;
use clap::CommandFactory as _;
use clap_complete::Shell;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn is_update() -> bool {
    let update = std::env::var_os("UPDATE_GENERATED").is_some();
    assert!(!(update && std::env::var_os("CI").is_some()), "UPDATE_GENERATED is not for CI");
    update
}

/// The committed folder must hold what `generate` writes into a folder, and nothing else.
fn is_current(folder: &str, generate: impl Fn(&Path)) {
    let committed = root().join(folder);
    if is_update() {
        fs::remove_dir_all(&committed).ok();
        fs::create_dir_all(&committed).unwrap();
        return generate(&committed);
    }
    let fresh = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::remove_dir_all(&fresh).ok();
    fs::create_dir_all(&fresh).unwrap();
    generate(&fresh);
    let files = |dir: &Path| {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(files(&committed), files(&fresh), "{folder}/: {HINT}");
    for name in files(&fresh) {
        let (old, new) = (fs::read(committed.join(&name)), fs::read(fresh.join(&name)));
        assert!(old.unwrap() == new.unwrap(), "{folder}/{} is old: {HINT}", name.display());
    }
}

const HINT: &str = "run UPDATE_GENERATED=1 cargo test --test generated";

#[test]
fn man_pages_are_current() {
    is_current("man", |dir| clap_mangen::generate_to(Cli::command(), dir).unwrap());
}

#[test]
fn completions_are_current() {
    is_current("completions", |dir| {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            clap_complete::generate_to(shell, &mut Cli::command(), "agentnorm", dir).unwrap();
        }
    });
}

#[test]
fn schemas_are_current() {
    is_current("schema", |dir| {
        fs::write(dir.join("event.schema.json"), agentnorm::schema::json_schema()).unwrap();
        fs::write(dir.join("event.d.ts"), agentnorm::schema::typescript()).unwrap();
    });
}

#[test]
fn readme_lists_every_dialect() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(TABLE_START).expect("README has the table's start");
    let (old, after) = rest.split_once(TABLE_END).expect("README has the table's end");
    let new = table();
    if is_update() {
        fs::write(&path, format!("{before}{TABLE_START}{new}{TABLE_END}{after}")).unwrap();
    } else {
        assert_eq!(old, new, "README.md: {HINT}");
    }
}

const TABLE_START: &str = "<!-- the table of harnesses is generated -->\n";
const TABLE_END: &str = "<!-- end of the generated table -->\n";

fn table() -> String {
    let mut table = String::from(
        "| protocol | reads | recorded | session id | model | tokens | cost | end |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for protocol in Protocol::ALL {
        let dialect = protocol.dialect();
        let has = |fact: bool| if fact { "yes" } else { "–" };
        let carries = dialect.carries;
        writeln!(
            table,
            "| `{}` | {} | {} | {} | {} | {} | {} | {} |",
            dialect.name,
            dialect.summary,
            if dialect.recorded.is_empty() { "–" } else { dialect.recorded },
            has(carries.session_id),
            has(carries.model),
            has(carries.tokens),
            has(carries.cost),
            has(carries.end),
        )
        .unwrap();
    }
    table
}

#[test]
fn names_and_summaries_are_in_form() {
    for protocol in Protocol::ALL {
        let dialect = protocol.dialect();
        assert!(dialect.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
        assert!(!dialect.summary.is_empty() && !dialect.summary.contains('\n'), "{}", dialect.name);
        assert!(!dialect.summary.ends_with('.'), "{}", dialect.name);
        assert_eq!(Protocol::from_name(dialect.name), Some(*protocol));
    }
}
