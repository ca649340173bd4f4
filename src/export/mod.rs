//! Sessions as other programs read them: OTLP/JSON traces, and Agent Trajectory documents (ATIF).
//!
//! A stream is gathered into sessions, calls paired with their results and subagents told apart
//! (`session`); each target writes that. Nothing is sent anywhere, and the same input gives the same
//! bytes.

mod atif;
mod gather;
mod ids;
mod otlp;
mod session;

pub use ids::TraceParent;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use self::gather::Gathered;
use self::ids::Ids;
use self::session::Session;
use crate::format::out::Out;
use crate::read::event_reader::EventReader;
use crate::read::feed::Feed;
use crate::read::normalize::Options;

/// What sessions are exported to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Target {
    /// OTLP/JSON: a line of `TracesData` for each session.
    #[default]
    Otlp,
    /// A document of the Agent Trajectory Interchange Format for each session, one on a line.
    Atif,
}

/// How sessions are exported.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// To what.
    pub target: Target,
    /// OTLP: whether texts, arguments and results are written.
    pub content: bool,
    /// OTLP: the span that the sessions are children of.
    pub parent: Option<TraceParent>,
    /// OTLP: `service.name`, which is otherwise the harness.
    pub service: Option<String>,
    /// OTLP: whether a session that states no time is written all the same, its events numbered one
    /// millisecond apart.
    pub no_time: bool,
    /// ATIF: what the agent was asked, where its stream does not say it.
    pub prompt: Option<String>,
}

/// What was exported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// The sessions that were written.
    pub sessions: u64,
    /// The sessions that were not, because no event states a time.
    pub without_time: u64,
    /// The sessions that were not, because nothing in them has a place in the format.
    pub empty: u64,
    /// The name of the first stream with a session that was not written.
    pub first_refused: Option<String>,
}

/// Exports streams, one after the other: raw ones of any dialect, or events that agentnorm wrote. The
/// first line that holds an object tells which. Sessions are written when their stream ends.
///
/// ```
/// use agentnorm::export::{ExportOptions, Exporter, Target};
/// use agentnorm::{Feed, Options, Protocol};
///
/// let options = ExportOptions { target: Target::Atif, ..ExportOptions::default() };
/// let mut exporter = Exporter::new(Options::new(Protocol::Auto), options, Vec::new());
/// exporter.push(br#"{"type":"message","payload":{"role":"assistant","text":"Done."}}"#);
/// exporter.end_stream();
/// let (document, exported) = exporter.finish()?;
/// assert!(document.starts_with(b"{\"schema_version\":\"ATIF-v1.8\""));
/// assert_eq!(exported.sessions, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "call finish, which says what was written"]
pub struct Exporter<W: Write> {
    reader: EventReader<Gathered>,
    options: ExportOptions,
    stream: String,
    /// How many sessions of this name and beginning were written.
    written: BTreeMap<[u8; 16], u64>,
    exported: Exported,
    out: Out<W>,
}

impl<W: Write> Exporter<W> {
    /// Reads raw streams as `options` say and writes to `out`. Texts are not clipped.
    pub fn new(options: Options, export: ExportOptions, out: W) -> Self {
        let content = export.content || export.target == Target::Atif;
        let mut options = options;
        options.clip = 0;
        options.deltas = false;
        Self {
            reader: EventReader::new(options, Gathered::new(content)),
            options: export,
            stream: String::new(),
            written: BTreeMap::new(),
            exported: Exported::default(),
            out: Out::new(out),
        }
    }

    /// Gives the output back, and says what was written.
    ///
    /// # Errors
    ///
    /// The first error of writing.
    pub fn finish(mut self) -> io::Result<(W, Exported)> {
        Ok((self.out.finish()?, self.exported))
    }

    fn write(&mut self, session: &Session) {
        let mut ids = Ids::of(session);
        let count = self.written.entry(ids.trace()).or_default();
        ids.repeat(*count);
        *count += 1;
        let document = match self.options.target {
            Target::Otlp => otlp::document(session, ids, &self.options),
            Target::Atif => atif::document(session, &mut ids, self.options.prompt.as_deref())
                .ok_or(Refused::Empty),
        };
        match document {
            Ok(document) => {
                self.exported.sessions += 1;
                self.out.write(document.to_string().as_bytes());
                self.out.write(b"\n");
            }
            Err(refused) => {
                match refused {
                    Refused::WithoutTime => self.exported.without_time += 1,
                    Refused::Empty => self.exported.empty += 1,
                }
                self.exported.first_refused.get_or_insert_with(|| self.stream.clone());
            }
        }
    }
}

/// Why a session is not written.
#[derive(Debug, Clone, Copy)]
enum Refused {
    WithoutTime,
    Empty,
}

impl<W: Write> Feed for Exporter<W> {
    type Error = io::Error;

    fn begin_stream(&mut self, name: &str) {
        name.clone_into(&mut self.stream);
    }

    fn begin_file(&mut self, path: &Path) {
        self.begin_stream(&path.display().to_string());
        self.reader.begin_file(path);
    }

    fn space(&mut self) -> &mut [u8] {
        self.reader.space()
    }

    fn filled(&mut self, count: usize) {
        self.reader.filled(count);
    }

    fn end_stream(&mut self) {
        self.reader.end_stream();
        for session in self.reader.visitor().take() {
            self.write(&session);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
