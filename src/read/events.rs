//! A stream as an iterator of events.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::adapter::Protocol;
use crate::format::outcome::Outcome;
use crate::format::record::SourcedEvent;
use crate::format::sourced::Sourced;
use crate::input::lines::Lines;
use crate::read::normalize::{Options, READ};
use crate::read::reader::Reader;
use crate::read::verdict::{Form, Verdict};

/// Reads a stream: the events of each line, as soon as the line is there.
///
/// What is held is the pending line, its events, and the state that the dialect needs. An error of
/// reading ends the stream like the end of the input: what was read before it still comes behind it.
///
/// ```
/// use agentnorm::event::Event;
/// use agentnorm::{Options, Protocol};
///
/// let stream: &[u8] = br#"{"type":"message","role":"assistant","text":"Done."}"#;
/// for event in agentnorm::read(stream, Options::new(Protocol::Jsonl)) {
///     let event = event?;
///     if let Event::Message(message) = &event.event {
///         assert_eq!(message.text.as_deref(), Some("Done."));
///     }
///     println!("{}", serde_json::to_string(&event)?);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read<R: Read>(input: R, options: Options) -> Events<R> {
    Events {
        input: Some(input),
        lines: Lines::new(READ, options.max_line),
        reader: Reader::new(options),
        ready: VecDeque::new(),
    }
}

/// The events of a stream, made by [`read()`].
#[derive(Debug)]
#[must_use = "nothing is read until the events are asked for"]
pub struct Events<R> {
    /// What is read, until it ends.
    input: Option<R>,
    lines: Lines,
    reader: Reader,
    /// The events of the last line.
    ready: VecDeque<SourcedEvent>,
}

impl<R> Events<R> {
    /// What the stream has said of its end so far.
    pub fn outcome(&self) -> Outcome {
        self.reader.outcome()
    }

    /// The dialect that is read, `auto` while that is open.
    pub fn protocol(&self) -> Protocol {
        self.reader.protocol()
    }

    /// Whether the form of the dialect that was read has an end record.
    pub fn has_end(&self) -> bool {
        self.reader.has_end()
    }

    /// What was read, as far as the verdict depends on it.
    pub fn form(&self) -> Form {
        self.reader.form()
    }

    /// Whether the session went well, as far as the stream has been read.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.form(), self.outcome())
    }

    /// Reads the next line that is whole already; false when there is none.
    fn line(&mut self) -> bool {
        let Some(line) = self.lines.next_line() else { return false };
        let ready = &mut self.ready;
        self.reader.line(line, None, &mut |line: Sourced<'_>| ready.extend(line.to_events()));
        true
    }

    fn finish(&mut self) {
        self.input = None;
        let ready = &mut self.ready;
        let mut sink = |line: Sourced<'_>| ready.extend(line.to_events());
        if let Some(line) = self.lines.rest() {
            self.reader.line(line, None, &mut sink);
        }
        self.reader.finish(&mut sink);
    }
}

impl<R: Read> Iterator for Events<R> {
    type Item = io::Result<SourcedEvent>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if self.input.is_some() && self.line() {
                continue;
            }
            let input = self.input.as_mut()?;
            match input.read(self.lines.space()) {
                Ok(0) => self.finish(),
                Ok(count) => self.lines.filled(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.finish();
                    return Some(Err(error));
                }
            }
        }
    }
}

impl<R: Read> std::iter::FusedIterator for Events<R> {}
