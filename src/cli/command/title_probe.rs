//! `title-probe`: a session's name where its stream does not state it.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use super::streams::{open, print, say};
use crate::cli::args::{ReportFormat, TitleProbeArgs};
use crate::format::tame;
use crate::input::lines::Lines;

use crate::limits::DEFAULT_MAX_LINE;
use crate::report::title::{ProbeError, Titles, session_title_probe};
use crate::run::exit::{DONE, Exit, NO};

pub(super) fn run(args: &TitleProbeArgs) -> anyhow::Result<Exit> {
    let probe = args.session_id.as_deref().map(|id| session_title_probe(args.protocol, id));
    let snippet = match probe.transpose() {
        Ok(snippet) => snippet,
        Err(error @ ProbeError::SessionId) => bail!(error),
        Err(error @ ProbeError::InBand(_)) => {
            say(&error.to_string());
            return Ok(Exit(NO));
        }
    };
    let titles = Titles::new(args.protocol, args.session_id.clone());
    let titles = match snippet {
        Some(snippet) if args.run => run_here(&snippet, titles)?,
        Some(snippet) if !args.parse => {
            print(snippet)?;
            return Ok(Exit(DONE));
        }
        _ => open(Path::new("-"))
            .and_then(|input| read(input, titles))
            .context("cannot read standard input")?,
    };
    let Some(title) = titles.best() else {
        say("no name was found");
        return Ok(Exit(NO));
    };
    match args.format {
        ReportFormat::Text => print(format!("{}\n", tame::line(&title.title)))?,
        ReportFormat::Json => print(format!("{}\n", title.to_json()))?,
    }
    Ok(Exit(DONE))
}

fn run_here(snippet: &str, titles: Titles) -> anyhow::Result<Titles> {
    let mut shell = Command::new("sh")
        .args(["-c", snippet])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run sh")?;
    let titles = match shell.stdout.take() {
        Some(output) => read(output, titles).context("cannot read what sh prints")?,
        None => titles,
    };
    shell.wait().context("cannot wait for sh")?;
    Ok(titles)
}

fn read(mut input: impl Read, mut titles: Titles) -> io::Result<Titles> {
    let mut lines = Lines::new(0, DEFAULT_MAX_LINE);
    loop {
        match input.read(lines.space()) {
            Ok(0) => break,
            Ok(count) => lines.filled(count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        while let Some(line) = lines.next_line() {
            titles.line(line.bytes);
        }
    }
    if let Some(line) = lines.rest() {
        titles.line(line.bytes);
    }
    Ok(titles)
}
