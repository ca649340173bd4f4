//! What a format must be able to do, and what is asked of it.

use super::item::Item;
use crate::limits::DEFAULT_MAX_BYTES;

/// Asks a screen for its columns and rows.
pub type ScreenSize = fn() -> Option<(usize, usize)>;

/// How a session is shown.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct ShowOptions {
    /// The form.
    pub format: ShowFormat,
    /// Thinking in full, not its first line only.
    pub thinking: bool,
    /// Results and arguments in full.
    pub full: bool,
    /// Also what is not mapped.
    pub raw: bool,
    /// The most that a `markdown` page holds, in bytes.
    pub max_bytes: usize,
    /// Columns of the format `terminal`; `None` for those of the screen, if there is one, else for
    /// lines of any length.
    pub width: Option<usize>,
    /// Where the output is a screen, so that text is shown while it arrives: asks for its columns and
    /// rows.
    pub screen: Option<ScreenSize>,
    /// Whether the cursor may be moved back, to draw as a whole what has arrived in pieces.
    pub redraw: bool,
}

impl Default for ShowOptions {
    fn default() -> Self {
        Self {
            format: ShowFormat::default(),
            thinking: false,
            full: false,
            raw: false,
            max_bytes: DEFAULT_MAX_BYTES,
            width: None,
            screen: None,
            redraw: false,
        }
    }
}

/// A form that a session is shown in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShowFormat {
    /// For a terminal: colours, Markdown, folded results.
    Terminal,
    /// One line an event.
    #[default]
    Plain,
    /// For the summary of a CI job.
    Markdown,
    /// One file that a browser shows.
    Html,
}

/// A form: takes things in and writes text.
pub(super) trait Page: std::fmt::Debug {
    fn item(&mut self, item: Item<'_>, out: &mut String);

    /// Ends the stream; another may follow.
    fn end_stream(&mut self, out: &mut String);

    /// Writes what comes last.
    fn finish(&mut self, out: &mut String);
}

/// Returns whether a link leads to somewhere, and does nothing else.
pub(super) fn is_address(link: &str) -> bool {
    let link = link.trim().to_ascii_lowercase();
    ["https://", "http://", "mailto:"].iter().any(|scheme| link.starts_with(scheme))
}
