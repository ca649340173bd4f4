//! What is generated from the clap definitions and the dialect table is committed, and must be
//! current. `UPDATE_GENERATED=1 cargo test --test generated` writes it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "what cannot be generated is a failed test"
)]

mod man;
mod vocabulary;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use agentnorm::Protocol;
use agentnorm::cli::Cli;
use agentnorm::limits::{ROOMS, Unit};
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
    is_current("man", |dir| man::pages(Cli::command(), dir));
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
    is_between(
        "README.md",
        "<!-- the table of harnesses is generated -->\n",
        "<!-- end of the generated table -->\n",
        &table(),
    );
}

#[test]
fn vocabulary_lists_every_key() {
    is_between(
        "docs/vocabulary.md",
        "<!-- the tables are generated -->\n",
        "<!-- end of the generated tables -->\n",
        &vocabulary::tables(&root().join("fixtures")),
    );
}

#[test]
fn limits_are_listed() {
    is_between(
        "docs/limits.md",
        "<!-- the tables are generated -->\n",
        "<!-- end of the generated tables -->\n",
        &limits(),
    );
}

fn limits() -> String {
    let mut tables = String::new();
    for (room, limits) in ROOMS {
        write!(
            tables,
            "\n## {room}\n\n| limit | value | what it bounds | what happens behind it |\n\
             | --- | ---: | --- | --- |\n"
        )
        .unwrap();
        for limit in *limits {
            let value = match limit.unit {
                Unit::Bytes if limit.value.is_multiple_of(1 << 20) => {
                    format!("{} MiB", limit.value >> 20)
                }
                Unit::Bytes if limit.value.is_multiple_of(1 << 10) => {
                    format!("{} KiB", limit.value >> 10)
                }
                Unit::Bytes => format!("{} bytes", limit.value),
                Unit::Characters => format!("{} characters", limit.value),
                Unit::Number => limit.value.to_string(),
            };
            let bounds = limit.bounds.concat();
            writeln!(
                tables,
                "| `{}` | {value} | {} | {} |",
                limit.name,
                bounds.trim().trim_end_matches('.'),
                limit.behind
            )
            .unwrap();
        }
    }
    tables + "\n"
}

/// The committed file must hold `new` between the two marks.
fn is_between(file: &str, start: &str, end: &str, new: &str) {
    let path = root().join(file);
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(start).expect("the file has the start mark");
    let (old, after) = rest.split_once(end).expect("the file has the end mark");
    if is_update() {
        fs::write(&path, format!("{before}{start}{new}{end}{after}")).unwrap();
    } else {
        assert!(old == new, "{file}: {HINT}");
    }
}

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
