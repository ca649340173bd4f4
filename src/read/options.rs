//! How a stream is read, for everything that reads one.

use crate::adapter::Protocol;
use crate::limits::{DEFAULT_CLIP, DEFAULT_MAX_LINE};

/// How a stream is read.
///
/// ```
/// use agentnorm::{Options, Protocol};
///
/// let options = Options::new(Protocol::Codex).clip(0).deltas(false);
/// assert_eq!(options.clip, 0);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The dialect.
    pub protocol: Protocol,
    /// Characters per text field; 0 for no limit.
    pub clip: usize,
    /// The longest line in bytes. A longer one becomes one `raw` event.
    pub max_line: usize,
    /// Whether partial text is wanted.
    pub deltas: bool,
    /// Whether events whose line states no time get the time of reading.
    pub stamp: bool,
    /// Whether a document over several lines is read as one.
    pub(crate) documents: bool,
    /// What is redacted in each line before anything else sees it.
    #[cfg(feature = "redact")]
    #[cfg_attr(docsrs, doc(cfg(feature = "redact")))]
    pub redaction: Option<crate::redact::Redaction>,
}

impl Options {
    /// The defaults for a protocol.
    pub fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            clip: DEFAULT_CLIP,
            max_line: DEFAULT_MAX_LINE,
            deltas: true,
            stamp: false,
            documents: true,
            #[cfg(feature = "redact")]
            redaction: None,
        }
    }

    /// Sets the characters per text field; 0 for no limit.
    #[must_use]
    pub fn clip(mut self, characters: usize) -> Self {
        self.clip = characters;
        self
    }

    /// Sets the longest line in bytes. A longer one becomes one `raw` event.
    #[must_use]
    pub fn max_line(mut self, bytes: usize) -> Self {
        self.max_line = bytes;
        self
    }

    /// Says whether partial text is wanted.
    #[must_use]
    pub fn deltas(mut self, wanted: bool) -> Self {
        self.deltas = wanted;
        self
    }

    /// Says whether events whose line states no time get the time of reading.
    #[must_use]
    pub fn stamp(mut self, stamp: bool) -> Self {
        self.stamp = stamp;
        self
    }
}
