//! The session as a person reads it. Uses `report` and what `report` uses.
//!
//! `view` says what a person sees of each event, and makes it harmless. A page writes that in one
//! form. Neither keeps what it has shown.

mod arriving;
mod asked;
mod call;
mod close_json;
mod detail;
mod edit;
mod html;
mod inert;
mod item;
mod live;
mod markdown;
mod markup;
mod output;
mod page;
mod paint;
mod plain;
mod said;
mod screen;
mod tasks;
mod terminal;
mod view;
mod words;

pub use crate::limits::DEFAULT_MAX_BYTES;
pub use page::{ScreenSize, ShowFormat, ShowOptions};

use std::io::{self, Write};
use std::path::Path;

use self::item::{Item, What};
use self::page::Page;
use self::view::View;
use crate::format::event::{EventType, Level};
use crate::format::out::Out;
use crate::format::sourced::Sourced;
use crate::read::event_reader::{EventReader, Seen, Visit};
use crate::read::feed::Feed;
use crate::read::normalize::Options;
use crate::read::verdict::Form;
use crate::report::summary::{Fold, several};

/// Output is handed on in pieces of about this size, in bytes.
const PIECE: usize = 64 << 10;

/// Shows streams, one after the other: raw ones of any dialect, or events that agentnorm wrote. The
/// first line that holds an object tells which.
///
/// ```
/// use agentnorm::show::{ShowOptions, Viewer};
/// use agentnorm::{Feed, Options, Protocol};
///
/// let mut viewer = Viewer::new(Options::new(Protocol::Auto), ShowOptions::default(), Vec::new());
/// viewer.push(br#"{"type":"message","payload":{"role":"assistant","text":"Done."}}"#);
/// viewer.end_stream();
/// let shown = String::from_utf8(viewer.finish().unwrap()).unwrap();
/// assert!(shown.starts_with("message assistant: Done.\n"));
/// ```
#[derive(Debug)]
#[must_use = "call finish, which writes what comes last"]
pub struct Viewer<W: Write> {
    reader: EventReader<Eye<W>>,
}

impl<W: Write> Viewer<W> {
    /// Reads raw streams as `options` say and writes to `out`.
    pub fn new(options: Options, show: ShowOptions, out: W) -> Self {
        Self { reader: EventReader::new(options, Eye::new(show, out)) }
    }

    /// Shows the events of a line that was normalized elsewhere.
    pub fn events(&mut self, line: Sourced<'_>) {
        self.reader.sourced(line);
    }

    /// Ends a stream whose events came by [`Viewer::events`]; `form` is what was read.
    pub fn end_events(&mut self, form: Form) {
        self.reader.visitor().end_stream(Some(form));
    }

    /// Writes what comes last, and gives the output back.
    ///
    /// # Errors
    ///
    /// The first error of writing.
    pub fn finish(self) -> io::Result<W> {
        let mut eye = self.reader.into_visitor();
        eye.page.finish(&mut eye.text);
        eye.flush()?;
        eye.out.finish()
    }
}

impl<W: Write> Feed for Viewer<W> {
    type Error = io::Error;

    fn begin_file(&mut self, path: &Path) {
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
    }

    /// Hands everything on. After the first error nothing is written any more, and that error is
    /// returned each time.
    fn flush(&mut self) -> io::Result<()> {
        self.reader.visitor().flush()
    }
}

/// When the next recap is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Recap {
    /// Nothing happened since the last one.
    None,
    /// When the stream ends.
    AtTheEnd,
    /// A turn ended: before anything else is shown.
    Now,
}

/// Sees events, and writes what a person sees of them.
#[derive(Debug)]
struct Eye<W> {
    fold: Fold,
    view: View,
    page: Box<dyn Page>,
    text: String,
    out: Out<W>,
    skip_raw: bool,
    recap: Recap,
    /// How many events of the stream were understood, and how many records were not.
    understood: u64,
    raw: u64,
}

impl<W: Write> Eye<W> {
    fn new(options: ShowOptions, out: W) -> Self {
        Self {
            fold: Fold::new(false),
            view: View::new(
                options.format == ShowFormat::Terminal && options.screen.is_some(),
                options.format == ShowFormat::Html,
            ),
            text: String::new(),
            out: Out::new(out),
            skip_raw: !options.raw && options.format != ShowFormat::Html,
            page: page(options),
            recap: Recap::None,
            understood: 0,
            raw: 0,
        }
    }

    fn show_recap(&mut self, form: Option<Form>) {
        let recap = Box::new(self.fold.so_far(form));
        let session = recap.session_id.clone();
        let item = Item {
            depth: 0,
            time: None,
            line: None,
            session: session.as_deref(),
            hidden: false,
            what: What::Recap(recap),
        };
        self.page.item(item, &mut self.text);
        self.recap = Recap::None;
    }

    /// Says that a stream was not one of an agent, or not one that is known.
    fn show_nothing(&mut self, raw: u64) {
        let how = if self.skip_raw { "; --raw shows all" } else { "" };
        let message = format!("nothing was understood of {}{how}", several(raw, "line"));
        let what = What::Notice { level: Level::Warning, code: "unknown".to_owned(), message };
        let item = Item { depth: 0, time: None, line: None, session: None, hidden: false, what };
        self.page.item(item, &mut self.text);
    }

    fn hand_on(&mut self) {
        self.out.write(self.text.as_bytes());
        self.text.clear();
        self.text.shrink_to(PIECE * 4);
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.recap == Recap::Now {
            self.show_recap(None);
        }
        self.hand_on();
        self.out.flush()
    }
}

fn page(options: ShowOptions) -> Box<dyn Page> {
    match options.format {
        ShowFormat::Terminal => Box::new(terminal::Terminal::new(options)),
        ShowFormat::Plain => Box::new(plain::Plain::new(options)),
        ShowFormat::Markdown => Box::new(markdown::Markdown::new(options)),
        ShowFormat::Html => Box::new(html::Html::new(options)),
    }
}

impl<W: Write> Visit for Eye<W> {
    fn event(&mut self, seen: Seen<'_>) {
        match seen.kind {
            // Words between the records are shown in any case.
            EventType::Raw if seen.payload.get("text").exists() => {}
            EventType::Raw => self.raw += 1,
            _ => self.understood += 1,
        }
        // Figures that come right behind an end belong to its recap.
        let aside =
            matches!(seen.kind, EventType::Usage | EventType::Raw | EventType::SessionTitle);
        if self.recap == Recap::Now && !aside {
            self.show_recap(None);
        }
        if seen.kind == EventType::SessionStarted && self.recap == Recap::AtTheEnd {
            let id = seen.payload.get("sessionId").decode();
            let other = id.is_some_and(|id| self.fold.is_of_another(&id));
            if other {
                self.show_recap(None);
            }
        }
        self.fold.event(seen);
        let (page, text, recap) = (&mut self.page, &mut self.text, &mut self.recap);
        self.view.event(&seen, &mut |item| {
            if *recap == Recap::None && !item.hidden && !matches!(item.what, What::Title(_)) {
                *recap = Recap::AtTheEnd;
            }
            page.item(item, text);
        });
        if seen.kind == EventType::SessionEnded {
            self.recap = Recap::Now;
        }
        if self.text.len() >= PIECE {
            self.hand_on();
        }
    }

    fn skips(&self, kind: EventType, start: &str) -> bool {
        self.skip_raw && kind == EventType::Raw && start.starts_with("{\"json\":")
    }

    fn end_stream(&mut self, form: Option<Form>) {
        let (page, text) = (&mut self.page, &mut self.text);
        self.view.end_stream(&mut |item| page.item(item, text));
        let (understood, raw) =
            (std::mem::take(&mut self.understood), std::mem::take(&mut self.raw));
        if understood == 0 && raw > 0 {
            self.show_nothing(raw);
        }
        if self.recap != Recap::None {
            self.show_recap(form);
        }
        self.page.end_stream(&mut self.text);
        self.fold.end_stream(form);
    }
}
