//! A session's name, where the stream does not state it.
//!
//! Some harnesses name their conversations in files of their own and print nothing of it. The name is
//! then asked for where the agent ran: a shell snippet prints the lines that may hold it, and those
//! lines are read here.

use std::fmt::{self, Write as _};

use crate::adapter::{Pointing, Protocol, TitleFile};
use crate::input::text;
use crate::json::Doc;
use crate::limits::{MAX_SESSION_ID, MAX_TITLE_LINES};

/// A session's name and the line that states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionTitle {
    /// The name.
    pub title: String,
    /// The line.
    pub source: String,
}

/// Why there is no probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeError {
    /// The session id is not one: 1 to 128 of `A-Z a-z 0-9 . _ -`.
    SessionId,
    /// The dialect's sessions have no name outside the stream.
    InBand(Protocol),
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProbeError::SessionId => {
                write!(f, "not a session id: give 1 to {MAX_SESSION_ID} of A-Z a-z 0-9 . _ -")
            }
            ProbeError::InBand(protocol) => {
                write!(f, "{protocol}: no name of a session is known outside its stream")
            }
        }
    }
}

impl std::error::Error for ProbeError {}

fn files(protocol: Protocol) -> impl Iterator<Item = &'static TitleFile> {
    // `auto` may be any of them; the rows that share a file share its address.
    let rows = Protocol::ALL.iter().copied();
    let mut seen: Vec<(&str, &str)> = Vec::new();
    rows.filter(move |row| protocol == Protocol::Auto || *row == protocol)
        .filter_map(|row| row.dialect().title.as_ref())
        .filter(move |file| {
            let fresh = !seen.contains(&(file.home, file.path));
            seen.push((file.home, file.path));
            fresh
        })
}

/// Whether the names of the dialect's sessions are found outside the stream.
///
/// ```
/// use agentnorm::Protocol;
/// use agentnorm::title::reads_title_out_of_band;
///
/// assert!(reads_title_out_of_band(Protocol::ClaudeJson));
/// assert!(!reads_title_out_of_band(Protocol::Jsonl));
/// ```
pub fn reads_title_out_of_band(protocol: Protocol) -> bool {
    files(protocol).next().is_some()
}

/// The shell snippet that prints the lines which may name the session, to be run where the agent ran.
/// [`parse_session_title`] reads its output.
///
/// A session id is a stranger's text: what is not plainly an id is refused, so the snippet is safe to
/// run. It needs a POSIX shell, `grep` and `tail`.
///
/// # Errors
///
/// [`ProbeError::SessionId`] for what is no session id, [`ProbeError::InBand`] where the dialect's
/// sessions have no name outside the stream.
///
/// ```
/// use agentnorm::{Protocol, session_title_probe};
///
/// let snippet = session_title_probe(Protocol::ClaudeJson, "ef45799e-d353-4d47-9cab-edac253e5cb4");
/// assert!(snippet.unwrap().contains("${CLAUDE_CONFIG_DIR:-"));
/// assert!(session_title_probe(Protocol::ClaudeJson, "$(id)").is_err());
/// ```
pub fn session_title_probe(protocol: Protocol, session_id: &str) -> Result<String, ProbeError> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    if !(1..=MAX_SESSION_ID).contains(&session_id.len()) || !session_id.bytes().all(plain) {
        return Err(ProbeError::SessionId);
    }
    let snippet: String = files(protocol).map(|file| snippet(file, session_id)).collect();
    if snippet.is_empty() { Err(ProbeError::InBand(protocol)) } else { Ok(snippet) }
}

/// The part of the snippet that reads one file.
fn snippet(file: &TitleFile, id: &str) -> String {
    let TitleFile { home, default, .. } = file;
    let path = file.path.replace("{id}", id);
    let mut snippet = format!("for f in \"${{{home}:-${{HOME:-}}/{default}}}\"/{path}; do\n");
    snippet.push_str("  if [ -f \"$f\" ]; then\n");
    for line in file.lines {
        // Writing to memory cannot fail.
        let _ = write!(
            snippet,
            "    LC_ALL=C grep -F -e '{}' \"$f\" | tail -n {MAX_TITLE_LINES}",
            line.replace("{id}", id)
        );
        if let Some(Pointing { from, to, .. }) = file.pointing.as_ref().filter(|p| p.line == *line)
        {
            let _ = write!(
                snippet,
                " | while IFS= read -r l; do\n      \
                 u=${{l#*'\"{from}\":\"'}}; u=${{u%%'\"'*}}\n      \
                 if LC_ALL=C grep -q -F -e \"\\\"{to}\\\":\\\"$u\\\"\" \"$f\"; then\n        \
                 LC_ALL=C grep -F -e '{line}' \"$f\" | LC_ALL=C grep -F -e \"\\\"{from}\\\":\\\"$u\\\"\"\n      \
                 fi\n    done"
            );
        }
        snippet.push('\n');
    }
    snippet.push_str("  fi\ndone\n");
    snippet
}

/// The session's name in the output of [`session_title_probe`]'s snippet.
///
/// The last name wins, one that a person chose before one that was generated. Lines that are cut or
/// empty, or that state no name, are skipped.
///
/// ```
/// use agentnorm::{Protocol, parse_session_title};
///
/// let output = br#"{"type":"ai-title","aiTitle":"Fix login","sessionId":"s"}"#;
/// assert_eq!(parse_session_title(Protocol::ClaudeJson, output).unwrap().title, "Fix login");
/// ```
pub fn parse_session_title(protocol: Protocol, output: &[u8]) -> Option<SessionTitle> {
    let mut titles = Titles::new(protocol, None);
    output.split(|byte| *byte == b'\n').for_each(|line| titles.line(line));
    titles.best()
}

/// Finds the name in a probe's output, line by line.
#[derive(Debug)]
pub struct Titles {
    protocol: Protocol,
    session_id: Option<String>,
    doc: Doc,
    best: Option<(u8, SessionTitle)>,
}

impl Titles {
    /// Looks for the name of `session_id`; of any session where that is `None`.
    pub fn new(protocol: Protocol, session_id: Option<String>) -> Self {
        Self { protocol, session_id, doc: Doc::default(), best: None }
    }

    /// Reads a line.
    pub fn line(&mut self, line: &[u8]) {
        let source = text::decode(text::trim(line));
        let Some(record) = self.doc.parse(&source) else { return };
        for named in files(self.protocol).filter_map(|file| (file.read)(record)) {
            let wanted = self.session_id.as_deref();
            let other = wanted.is_some_and(|id| named.session.is_string() && !named.session.is(id));
            let title = named.title.decode().filter(|title| !title.trim().is_empty());
            let lower = self.best.as_ref().is_some_and(|(rank, _)| *rank > named.rank);
            if let Some(title) = title.filter(|_| !other && !lower) {
                let (title, source) = (title.into_owned(), source.clone().into_owned());
                self.best = Some((named.rank, SessionTitle { title, source }));
            }
        }
    }

    /// The name.
    pub fn best(self) -> Option<SessionTitle> {
        self.best.map(|(_, title)| title)
    }
}

impl SessionTitle {
    /// The `session.title` event with its source, as a record of the format.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "type": "session.title",
            "payload": { "title": self.title },
            "source": self.source,
        })
    }
}
