//! The man pages: what clap knows of a command, and the sections of its long help.
//!
//! A section of the help starts at a line like `EXIT STATUS:`; what stands before the first one
//! goes on with the description. In a section an indented line with a gap (`0  done`) is an entry
//! of a list, the lines of `EXAMPLES` are printed as they are, and anything else is prose.

use std::fs;
use std::path::Path;

use clap::Command;
use clap::builder::Resettable;
use clap_mangen::Man;
use roff::{Inline, Roff, bold, italic, roman};

/// The sections that stand last in a man page, in this order.
const LAST: [&str; 4] = ["EXIT STATUS", "ENVIRONMENT", "EXAMPLES", "SEE ALSO"];

/// Writes the page of `command` and of each of its subcommands into the folder.
pub(crate) fn pages(mut command: Command, dir: &Path) {
    command.build();
    let names: Vec<String> =
        std::iter::once(&command).chain(command.get_subcommands()).map(name).collect();
    let version = format!("agentnorm {}", command.get_version().unwrap());
    for command in std::iter::once(&command).chain(command.get_subcommands()) {
        let page = page(command.clone(), &version, &names);
        fs::write(dir.join(format!("{}.1", name(command))), page).unwrap();
    }
}

fn name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

fn page(command: Command, version: &str, names: &[String]) -> String {
    let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let (more, mut sections) = take_apart(&help);
    environment(&command, &mut sections);
    let others: Vec<&String> = names.iter().filter(|other| **other != name(&command)).collect();
    sections.push(Section { name: "SEE ALSO".to_owned(), lines: Vec::new() });
    let place = |name: &str| LAST.iter().position(|last| *last == name);
    // The sort is stable: `None`, which is any other section, comes first, in the help's order.
    sections.sort_by_key(|section| place(&section.name));

    let mut about = command.get_long_about().or(command.get_about()).unwrap().to_string();
    if !more.is_empty() {
        about = format!("{about}\n\n{more}");
    }
    // The version stands at the foot of each page.
    let command = command
        .long_about(about)
        .after_long_help(Resettable::Reset)
        .version(Resettable::Reset)
        .subcommand_help_heading("COMMANDS");
    let mut page = Vec::new();
    Man::new(command).source(version).render(&mut page).unwrap();
    let mut page = String::from_utf8(page).unwrap();
    for section in &sections {
        let mut roff = Roff::new();
        roff.control("SH", [section.name.as_str()]);
        match section.name.as_str() {
            "EXAMPLES" => examples(&mut roff, &section.lines),
            "SEE ALSO" => see_also(&mut roff, &others),
            _ => prose(&mut roff, &section.lines),
        }
        // The head of the page defines this one for what would become a typographic quote.
        page.push_str(&roff.to_roff().replace('\'', "\\*(Aq"));
    }
    words_of_code(&page)
}

struct Section {
    name: String,
    lines: Vec<String>,
}

/// What stands before the first section, and the sections.
fn take_apart(help: &str) -> (String, Vec<Section>) {
    let mut before = Vec::new();
    let mut sections: Vec<Section> = Vec::new();
    for line in help.lines() {
        let heading = line.strip_suffix(':').filter(|name| {
            name.chars().all(|c| c.is_ascii_uppercase() || c == ' ') && !name.starts_with(' ')
        });
        match (heading, sections.last_mut()) {
            (Some(name), _) => sections.push(Section { name: name.to_owned(), lines: Vec::new() }),
            (None, Some(section)) => section.lines.push(line.to_owned()),
            (None, None) => before.push(line),
        }
    }
    (before.join("\n").trim().to_owned(), sections)
}

/// Adds the variables that stand for an option to the section.
fn environment(command: &Command, sections: &mut Vec<Section>) {
    let variables = command.get_arguments().filter_map(|argument| {
        let variable = argument.get_env()?.to_str().unwrap();
        let option = argument.get_long().unwrap();
        Some(format!("  {variable}  the value of --{option} where the option is not given"))
    });
    let variables: Vec<String> = variables.collect();
    match sections.iter_mut().find(|section| section.name == "ENVIRONMENT") {
        Some(section) => drop(section.lines.splice(..0, variables)),
        None if variables.is_empty() => {}
        None => sections.push(Section { name: "ENVIRONMENT".to_owned(), lines: variables }),
    }
}

fn examples(roff: &mut Roff, lines: &[String]) {
    roff.control("EX", []);
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    for line in &lines[..last] {
        roff.text([roman(line.as_str())]);
    }
    roff.control("EE", []);
}

fn see_also(roff: &mut Roff, others: &[&String]) {
    let mut line: Vec<Inline> = Vec::new();
    for other in others {
        if !line.is_empty() {
            line.push(roman(", "));
        }
        line.extend([bold(other.as_str()), roman("(1)")]);
    }
    // Names are not hyphenated, and so the line is not stretched either.
    roff.control("nh", []).control("ad", ["l"]).text(line);
}

fn prose(roff: &mut Roff, lines: &[String]) {
    let mut in_list = false;
    for line in lines {
        let text = line.trim_start();
        let depth = line.len() - text.len();
        if text.is_empty() {
            roff.control("PP", []);
            in_list = false;
        } else if let Some((entry, meaning)) = text.split_once("  ").filter(|_| depth == 2) {
            roff.control("TP", []).text([term(entry)]).text([roman(meaning.trim_start())]);
            in_list = true;
        } else {
            if in_list && depth <= 2 {
                roff.control("PP", []);
                in_list = false;
            }
            roff.text([roman(text)]);
        }
    }
}

/// `128+n` is a number and something that stands for one; anything else is written as it is.
fn term(entry: &str) -> Inline {
    if entry.ends_with("+n") { italic(entry) } else { bold(entry) }
}

/// Sets what the help has between backticks in bold, outside of examples.
fn words_of_code(page: &str) -> String {
    let mut in_example = false;
    let mut out = String::new();
    for line in page.lines() {
        in_example = (in_example || line == ".EX") && line != ".EE";
        let mut parts = line.split('`').peekable();
        let whole = in_example || line.matches('`').count() % 2 == 1;
        let mut code = false;
        while let Some(part) = parts.next() {
            out.push_str(part);
            if parts.peek().is_some() {
                code = !code;
                out.push_str(if whole {
                    "`"
                } else if code {
                    "\\fB"
                } else {
                    "\\fR"
                });
            }
        }
        out.push('\n');
    }
    out
}

#[test]
fn a_help_text_becomes_sections() {
    let command = Command::new("tool").version("1").about("Does it").after_long_help(
        "More of it.\n\nEXAMPLES:\n  tool a |\n      tool b\n\nEXIT STATUS:\n  its own, and:\n  0  done\n  \
         1  not done,\n     or `half`\n\nNo more.\n\nLIMITS:\n  None.",
    );
    let page = page(command, "tool 1", &["tool".to_owned(), "tool-sub".to_owned()]);
    let (_, page) = page.split_once(".SH DESCRIPTION\n").unwrap();
    let (_, sections) = page.split_once(".SH LIMITS\n").unwrap();
    assert!(page.starts_with("Does it\n.PP\nMore of it.\n"), "{page}");
    assert_eq!(
        sections,
        "None.\n.SH \"EXIT STATUS\"\nits own, and:\n.TP\n\\fB0\\fR\ndone\n.TP\n\\fB1\\fR\nnot done,\n\
         or \\fBhalf\\fR\n.PP\nNo more.\n.PP\n.SH EXAMPLES\n.EX\n  tool a |\n      tool b\n.EE\n\
         .SH \"SEE ALSO\"\n.nh\n.ad l\n\\fBtool\\-sub\\fR(1)\n"
    );
}
