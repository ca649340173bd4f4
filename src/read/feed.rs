//! What reads streams, one after the other.

use std::path::Path;

/// A reader of streams: it is given their bytes, as many at a time as there are.
///
/// ```
/// use agentnorm::summary::Summarizer;
/// use agentnorm::{Feed, Options, Protocol};
///
/// /// Feeds a whole file.
/// fn feed_file<F: Feed>(feed: &mut F, path: &std::path::Path) -> std::io::Result<()> {
///     feed.begin_file(path);
///     feed.push(&std::fs::read(path)?);
///     feed.end_stream();
///     Ok(())
/// }
///
/// let mut summarizer = Summarizer::new(Options::new(Protocol::Auto), false);
/// feed_file(&mut summarizer, "fixtures/codex/0.171-tour/input.jsonl".as_ref())?;
/// assert!(summarizer.finish().found);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Feed {
    /// What can go wrong with what comes of the streams; reading them cannot fail.
    type Error;

    /// Says what the stream that comes next is called.
    fn begin_stream(&mut self, name: &str) {
        let _ = name;
    }

    /// Says that the stream that comes next is the file at `path`. Some harnesses keep in a file beside a
    /// session's file what that one does not say: it is read.
    fn begin_file(&mut self, path: &Path) {
        self.begin_stream(&path.display().to_string());
    }

    /// Gives space to read the next bytes into, never none. [`Feed::filled`] must follow.
    fn space(&mut self) -> &mut [u8];

    /// Says that `count` bytes of [`Feed::space`] hold input, and reads them.
    fn filled(&mut self, count: usize);

    /// Ends a stream. What is read next is the start of another.
    fn end_stream(&mut self);

    /// Hands on what has come of the streams. Call it before waiting for input.
    ///
    /// # Errors
    ///
    /// The first thing that went wrong with the output.
    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Reads `bytes`, the next of the stream.
    fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let space = self.space();
            let (taken, rest) = bytes.split_at(bytes.len().min(space.len()));
            if let Some(to) = space.get_mut(..taken.len()) {
                to.copy_from_slice(taken);
            }
            let count = taken.len();
            self.filled(count);
            if count == 0 {
                return;
            }
            bytes = rest;
        }
    }
}
