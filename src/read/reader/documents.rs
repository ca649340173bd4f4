//! What is more than a line, or less: documents over several lines, and arrays of records on one.

use super::stored::placeholders;
use super::{Place, Reader, Reading, known};
use crate::adapter::{Match, Protocol};
use crate::format::sourced::{Sink, Source};
use crate::input::document::{Document, Part, Progress};
use crate::input::lines::Line;
use crate::json::Value;

impl Reader {
    /// Reads one line as it is, or takes it to the document that is open. `time` is what an earlier reading knew of it.
    pub(super) fn plain_line(&mut self, line: Line<'_>, time: Option<&str>, sink: &mut Sink<'_>) {
        if let Some(document) = self.document.take() {
            self.next_of(document, line, sink);
        } else if !self.record_line(line, time, self.documents(), sink) {
            let mut parts = Vec::new();
            let limit = self.options.max_line;
            let keep = &mut |part: Part<'_>| parts.push((part.line, part.bytes.to_vec()));
            match Document::begin(line.number, line.bytes, limit, keep) {
                Some(document) => {
                    self.parts(&parts, sink);
                    self.document = Some(Box::new(document));
                }
                None => {
                    self.record_line(line, time, false, sink);
                }
            }
        }
    }

    /// Whether the lines of a document over several lines belong together: where each line is text, or
    /// another reading has split them already, they do not.
    fn documents(&self) -> bool {
        self.options.protocol != Protocol::None && self.options.documents
    }

    /// Reads the next line of a document.
    fn next_of(&mut self, mut document: Box<Document>, line: Line<'_>, sink: &mut Sink<'_>) {
        let mut parts = Vec::new();
        let keep = &mut |part: Part<'_>| parts.push((part.line, part.bytes.to_vec()));
        let progress = match line.oversized {
            None => document.line(line.number, line.bytes, self.options.max_line, keep),
            Some(_) => Progress::Broken,
        };
        self.parts(&parts, sink);
        match progress {
            Progress::Open => self.document = Some(document),
            Progress::Closed => {}
            Progress::Broken => {
                self.alone(&document, sink);
                self.record_line(line, None, false, sink);
            }
        }
    }

    fn parts(&mut self, parts: &[(u64, Vec<u8>)], sink: &mut Sink<'_>) {
        for (number, bytes) in parts {
            let line = Line { number: *number, bytes, oversized: None, terminated: true };
            self.record_line(line, None, false, sink);
        }
    }

    /// Reads the lines of what was no document after all, each for itself.
    pub(super) fn alone(&mut self, document: &Document, sink: &mut Sink<'_>) {
        for (number, bytes) in document.lines() {
            let line = Line { number, bytes, oversized: None, terminated: true };
            self.record_line(line, None, false, sink);
        }
    }

    /// Reads an array on one line: each element is a record of its own, if one of them is a record of the
    /// dialect and the dialect prints arrays.
    pub(super) fn array(
        &mut self,
        array: Value<'_>,
        at: Place<'_>,
        sink: &mut Sink<'_>,
    ) -> Reading {
        let records = || array.elements().filter(|element| element.is_object());
        let first = records().find(|element| known(self.protocol, *element));
        let arrays = first.is_some_and(|first| match self.protocol {
            Protocol::Auto => Protocol::detect(first).0.dialect().arrays,
            protocol => protocol.dialect().arrays,
        });
        if !arrays {
            self.adapter.interrupt(&mut self.batch);
            return Reading::Whole;
        }
        // Which of the dialects prints the array is settled by all of it, not by its first element.
        if self.protocol == Protocol::Auto
            && let Some((own, _)) =
                records().map(Protocol::detect).find(|(_, sure)| *sure == Match::Own)
        {
            self.become_own(own, at.number);
        }
        // Each element's exact bytes, where the line was not valid UTF-8.
        let mut exact = Vec::new();
        if let Some(bytes) = at.source.bytes {
            Document::elements(bytes, &mut |element| exact.push(element.to_vec()));
        }
        let mut exact = exact.iter().map(Vec::as_slice);
        for element in array.elements() {
            self.batch.clear();
            match element {
                element if element.is_object() => self.record(element, at.number, sink),
                element if element.is_some() => self.text(element.text(), false),
                _ => self.adapter.interrupt(&mut self.batch),
            }
            let bytes = exact.next().filter(|bytes| std::str::from_utf8(bytes).is_err());
            let text = element.text();
            // The line is redacted as a whole; each element has those that stand in it.
            let redacted = if at.source.redacted > 0 { placeholders(text) } else { 0 };
            let source = Source { text, bytes, truncated: false, redacted };
            self.hand_over(at.number, source, at.time, sink);
        }
        Reading::HandedOver
    }
}
