//! How a stream is read, for everything that reads one.

use crate::adapter::Protocol;
use crate::limits::{DEFAULT_CLIP, DEFAULT_MAX_LINE};

/// How a stream is read.
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
        }
    }
}
