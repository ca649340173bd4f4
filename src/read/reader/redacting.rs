//! The reader's first step: what leaves a line is decided before anything else sees it.

use super::Reader;
use crate::adapter::{Match, Protocol};
use crate::format::sourced::Sink;
use crate::input::lines::Line;
use crate::json::place::{NO_PLACES, Places};
use crate::redact::{Made, Redactor};

/// The redaction of a stream, and who else wants its lines.
#[derive(Debug)]
pub(super) struct Redacting {
    redactor: Redactor,
    /// The lines as they leave, for a copy of the input.
    copy: Option<Vec<u8>>,
    /// Whether the last line in the copy has a line feed.
    whole: bool,
    /// What was found, for a report: the line's number, and the kind.
    found: Option<Vec<(u64, String)>>,
    /// The number of the last line.
    last: u64,
    /// What an earlier reading knew of the last line, while it is withheld.
    time: Option<String>,
    earlier: u64,
}

impl Redacting {
    fn keep(&mut self, line: &[u8], terminated: bool) {
        if let Some(copy) = &mut self.copy {
            if !self.whole {
                copy.push(b'\n');
            }
            copy.extend_from_slice(line);
            if terminated {
                copy.push(b'\n');
            }
            self.whole = terminated || line.is_empty();
        }
    }

    fn note(&mut self, number: u64, made: &Made) {
        if let Some(found) = &mut self.found {
            found.extend(made.kinds.iter().map(|kind| (number, kind.clone())));
        }
    }
}

impl Reader {
    pub(super) fn set_up_redacting(&mut self) {
        self.redacting = self.options.redaction.as_ref().map(|redaction| {
            let redactor = redaction.stream();
            Box::new(Redacting {
                redactor,
                copy: None,
                whole: true,
                found: None,
                last: 0,
                time: None,
                earlier: 0,
            })
        });
    }

    /// Keeps the lines as they leave, to be asked for by [`Reader::take_copy`].
    pub(crate) fn keep_copy(&mut self) {
        if let Some(redacting) = &mut self.redacting {
            redacting.copy = Some(Vec::new());
        }
    }

    /// The lines that left since this was asked last.
    pub(crate) fn take_copy(&mut self) -> Option<Vec<u8>> {
        self.redacting.as_mut()?.copy.as_mut().map(std::mem::take)
    }

    /// Keeps a list of what is found, to be asked for by [`Reader::take_found`].
    pub(crate) fn keep_found(&mut self) {
        if let Some(redacting) = &mut self.redacting {
            redacting.found = Some(Vec::new());
        }
    }

    /// What was found since this was asked last: the lines' numbers, and the kinds.
    pub(crate) fn take_found(&mut self) -> Vec<(u64, String)> {
        let found = self.redacting.as_mut().and_then(|redacting| redacting.found.as_mut());
        found.map(std::mem::take).unwrap_or_default()
    }

    /// Reads a line as it leaves; false where nothing is redacted at all.
    pub(super) fn line_redacted(
        &mut self,
        line: Line<'_>,
        time: Option<&str>,
        sink: &mut Sink<'_>,
    ) -> bool {
        let Some(mut redacting) = self.redacting.take() else { return false };
        let earlier = std::mem::take(&mut self.redacted);
        let redacted = if line.oversized.is_some() {
            redacting.redactor.head(line.bytes)
        } else {
            redacting.redactor.line(line.bytes, self.places(line.bytes))
        };
        let (before, changed) = (redacted.before.to_vec(), redacted.line.cloned());
        let withheld = redacted.withheld;
        for made in &before {
            self.made_line(&mut redacting, made, (line.number, time), sink);
        }
        redacting.last = line.number;
        if withheld {
            redacting.time = time.map(str::to_owned);
            redacting.earlier = earlier;
            self.redacting = Some(redacting);
            return true;
        }
        let bytes = changed.as_ref().map_or(line.bytes, |made| &made.line);
        redacting.keep(bytes, line.terminated);
        if let Some(made) = &changed {
            redacting.note(line.number, made);
        }
        self.redacted = earlier + changed.as_ref().map_or(0, Made::places);
        self.plain_line(Line { bytes, ..line }, time, sink);
        self.redacting = Some(redacting);
        true
    }

    /// Reads the rests of the texts that the end of the stream leaves open.
    pub(super) fn finish_redacting(&mut self, sink: &mut Sink<'_>) {
        let Some(mut redacting) = self.redacting.take() else { return };
        for made in redacting.redactor.finish().to_vec() {
            let number = redacting.last;
            self.made_line(&mut redacting, &made, (number, None), sink);
        }
        self.redacting = Some(redacting);
    }

    /// Reads a line that redaction made: the one before, which was withheld, or the rest of a text that
    /// the line at hand, of this number and time, ends.
    fn made_line(
        &mut self,
        redacting: &mut Redacting,
        made: &Made,
        (number, time): (u64, Option<&str>),
        sink: &mut Sink<'_>,
    ) {
        let late = redacting.time.take().filter(|_| made.late);
        let time = if made.late { late.as_deref() } else { time };
        let number = if made.late { redacting.last } else { number };
        redacting.keep(&made.line, true);
        redacting.note(number, made);
        self.redacted = made.places();
        if made.late {
            self.redacted += std::mem::take(&mut redacting.earlier);
        }
        let line = Line { number, bytes: &made.line, oversized: None, terminated: true };
        self.plain_line(line, time, sink);
    }

    /// Hands on a record of ours as it leaves, where its payload is what is read of it; false where
    /// nothing is redacted at all.
    pub(crate) fn redact_payloads(&mut self, line: &[u8], each: &mut dyn FnMut(&[u8])) -> bool {
        let Some(redacting) = &mut self.redacting else { return false };
        let places = &crate::adapter::agentnorm::PAYLOADS;
        let redacted = redacting.redactor.line(line, places);
        for made in redacted.before {
            each(&made.line);
        }
        each(redacted.line.map_or(line, |made| &made.line));
        true
    }

    /// The rests behind the last record of ours.
    pub(crate) fn redacted_rests(&mut self, each: &mut dyn FnMut(&[u8])) {
        if let Some(redacting) = &mut self.redacting {
            for made in redacting.redactor.finish() {
                each(&made.line);
            }
        }
    }

    /// Where the dialect of the line prints pieces.
    fn places(&mut self, line: &[u8]) -> &'static Places {
        match (&self.stored, self.adapter.protocol()) {
            (Some(_), _) => &crate::adapter::agentnorm::PLACES,
            (None, Protocol::None) if self.protocol == Protocol::Auto => {
                // The first record of a stream may be a piece.
                let text = crate::input::text::decode(crate::input::text::trim(line));
                match self.doc.parse(&text).map(Protocol::detect) {
                    Some((protocol, sure)) if sure != Match::No => protocol.dialect().places,
                    _ => &NO_PLACES,
                }
            }
            (None, protocol) => protocol.dialect().places,
        }
    }
}
