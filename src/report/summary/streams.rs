//! Which session and which process an event of a stream belongs to.
//!
//! A raw stream counts on over all that it holds: its total never falls, and by how much it rose says
//! what the session that states it spent. Stored events may be those of several streams, behind one
//! another or mixed. They are told apart by their line numbers: each stream's numbers only rise.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use super::figures::Total;
use super::part::{InputFile, Part};
use super::repeats::Repeats;
use crate::format::event::EventType;
use crate::limits::{MAX_OPEN_PARTS, MAX_OPEN_STREAMS};
use crate::read::event_reader::Seen;
use crate::read::verdict::Form;

/// A part whose process has ended, as far as its stream tells.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) part: Part,
    /// It is the first of its process.
    pub(super) new_run: bool,
    /// How many parts began before it.
    pub(super) order: u64,
    /// What was read, where that is known of more than its events.
    pub(super) form: Option<Form>,
}

#[derive(Debug)]
struct Open {
    part: Part,
    new_run: bool,
    order: u64,
    stream: u64,
    /// Its session comes with a process of its own, so that its total may be the whole session's.
    is_apart: bool,
    /// The stream's total when the part stated it last.
    at: Option<Total>,
}

/// A stream that is open.
#[derive(Debug, Default)]
struct Stream {
    number: u64,
    first_line: Option<u64>,
    line: u64,
    harness: Option<String>,
    total: Total,
    /// The part that stated the total last.
    stated_by: Option<u64>,
    /// The part that is going on.
    now: Option<u64>,
}

/// The streams and the parts of sessions that are open.
#[derive(Debug)]
pub(super) struct Streams {
    /// The one that is read comes last.
    open: Vec<Stream>,
    parts: Vec<Open>,
    ended: VecDeque<Ended>,
    repeats: Repeats,
    recognizable: bool,
    file: Option<Arc<InputFile>>,
    /// How many parts began.
    begun: u64,
}

/// What an event says of where it belongs.
struct Place<'a> {
    kind: EventType,
    line: Option<u64>,
    session: Option<Cow<'a, str>>,
    harness: Option<String>,
    /// A start that names a model.
    names_model: bool,
    /// A start in a process that goes on.
    same_process: bool,
    is_stored: bool,
}

impl Place<'_> {
    /// Whether a start in this place is one more of the session that is going on. One may be told again
    /// because the model is known only now.
    fn begins_again(&self, part: &Part) -> bool {
        let told_again = self.names_model && part.lacks_model();
        !part.is_fresh() && !told_again
    }
}

impl Streams {
    pub(super) fn new(recognizable: bool) -> Self {
        Self {
            open: Vec::new(),
            parts: Vec::new(),
            ended: VecDeque::new(),
            repeats: Repeats::default(),
            recognizable,
            file: None,
            begun: 0,
        }
    }

    /// Whether one session is going on, and has been named.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self.parts.as_slice(), [open] if open.part.who.id.is_some())
    }

    /// What comes next is of the file at `path`.
    pub(super) fn begin_file(&mut self, path: &Path) {
        let is_file = path != Path::new("-");
        self.file = is_file.then(|| Arc::new(InputFile::at(path)));
    }

    /// Takes the next part that ended out.
    pub(super) fn ended(&mut self) -> Option<Ended> {
        self.ended.pop_front()
    }

    /// The part that is going on, and whether it is the first of its process.
    #[cfg(feature = "show")]
    pub(super) fn current(&self) -> Option<(&Part, bool)> {
        let now = self.open.last()?.now?;
        let open = self.parts.iter().find(|open| open.order == now)?;
        Some((&open.part, open.new_run))
    }

    /// Takes an event in.
    pub(super) fn event(&mut self, seen: Seen<'_>) {
        let is_start = seen.kind == EventType::SessionStarted;
        let (mut session, mut harness) = (seen.session.map(decoded), None);
        let (mut same_process, mut names_model) = (false, false);
        if is_start {
            let [id, turn, name, model] =
                seen.payload.pick(["sessionId", "turn", "harness", "model"]);
            names_model = model.filled().is_some();
            session = id.filled().map(Cow::Owned);
            harness = name.filled();
            same_process = turn.count().is_some_and(|turn| turn > 1);
        }
        let place = Place {
            kind: seen.kind,
            line: seen.line,
            session,
            harness,
            names_model,
            same_process,
            is_stored: seen.is_stored,
        };
        let stream = self.stream(&place);
        let at = self.part(stream, &place);
        self.take(stream, at, seen);
    }

    /// Whether the dialect of the part that is going on has an end record, as far as its events tell.
    pub(super) fn expects_end(&self) -> bool {
        let blank = Part::new(false);
        let now = self.open.last().and_then(|stream| stream.now);
        let now = self.parts.iter().find(|open| Some(open.order) == now);
        now.map_or(&blank, |open| &open.part).has_end(None)
    }

    /// Ends every part that is open.
    pub(super) fn close(&mut self, form: Option<Form>) {
        let now = self.open.last().and_then(|stream| stream.now);
        for open in std::mem::take(&mut self.parts) {
            // Of the parts before the last one nobody says what dialect they are of.
            let form = form.filter(|_| Some(open.order) == now);
            self.ended.push_back(open.end(form));
        }
        self.open.clear();
    }

    fn end_part(&mut self, at: usize) {
        if at < self.parts.len() {
            let open = self.parts.remove(at);
            self.ended.push_back(open.end(None));
        }
    }

    /// Finds the stream of an event, and makes it the last one.
    fn stream(&mut self, place: &Place<'_>) -> usize {
        let found = self.find_stream(place);
        let last = self.open.len().saturating_sub(1);
        if let Some(at) = found {
            if at < last {
                let stream = self.open.remove(at);
                self.open.push(stream);
            }
        } else {
            if self.open.len() >= MAX_OPEN_STREAMS {
                let oldest = self.open.remove(0).number;
                while let Some(at) = self.parts.iter().position(|open| open.stream == oldest) {
                    self.end_part(at);
                }
            }
            self.begun += 1;
            let number = self.begun;
            self.open.push(Stream { number, first_line: place.line, ..Stream::default() });
        }
        let at = self.open.len() - 1;
        if let (Some(stream), Some(line)) = (self.open.last_mut(), place.line) {
            stream.line = line;
        }
        at
    }

    fn find_stream(&self, place: &Place<'_>) -> Option<usize> {
        let at = self.open.len().checked_sub(1)?;
        let now = self.open.last()?;
        if !place.is_stored {
            return Some(at);
        }
        let going_on = self.parts.iter().find(|open| Some(open.order) == now.now);
        let known = going_on.and_then(|open| open.part.who.id.as_deref());
        let is_other = place.session.is_some() && known != place.session.as_deref();
        let begins = place.kind == EventType::SessionStarted
            && !place.same_process
            && going_on.is_some_and(|open| {
                !open.part.is_nameless() && (is_other || place.begins_again(&open.part))
            });
        let Some(line) = place.line else {
            return (!begins).then_some(at);
        };
        // A stream of a session that is mixed with others goes on.
        let own = place.session.as_deref().and_then(|id| {
            let open = self.parts.iter().rfind(|open| open.part.who.id.as_deref() == Some(id))?;
            let own = self.open.iter().position(|stream| stream.number == open.stream)?;
            (self.open.get(own)?.line <= line).then_some(own)
        });
        // Streams of one line each have the same line number.
        let one_line = now.first_line == Some(line)
            && (begins || (is_other && known.is_some() && place.session.is_some()));
        match own {
            Some(own) if !(own == at && one_line && begins) => Some(own),
            _ if line > now.line || (line == now.line && !one_line) => Some(at),
            _ => None,
        }
    }

    /// Finds the part of an event, or begins it.
    fn part(&mut self, stream: usize, place: &Place<'_>) -> usize {
        self.change_harness(stream, place);
        let Some((number, now)) = self.open.get(stream).map(|one| (one.number, one.now)) else {
            return 0;
        };
        let going_on = self.parts.iter().position(|open| Some(open.order) == now);
        let named = place.session.as_deref().and_then(|id| {
            self.parts.iter().rposition(|open| open.part.who.id.as_deref() == Some(id))
        });
        let is_start = place.kind == EventType::SessionStarted;
        let mut before = match (place.session.is_some(), named) {
            // Nobody names the session: it is the one that is going on.
            (false, _) => going_on,
            (true, Some(at)) => Some(at),
            // What comes before a session is named belongs to the first one that is named.
            (true, None) => going_on
                .filter(|at| self.parts.get(*at).is_some_and(|open| open.part.is_nameless())),
        };
        let mut new_run = !(is_start && place.same_process);
        let mut is_apart = new_run;
        if let Some(open) = before.and_then(|at| self.parts.get(at)) {
            let part = &open.part;
            let again = is_start
                && !place.same_process
                && !part.is_blank()
                && !part.is_nameless()
                && place.begins_again(part);
            if again || open.stream != number {
                self.end_part(before.unwrap_or_default());
                before = None;
                new_run = true;
                is_apart = !again;
            }
        }
        let at = before.unwrap_or_else(|| self.begin(number, new_run, is_apart));
        if let Some(open) = self.parts.get_mut(at) {
            if let (None, Some(id)) = (&open.part.who.id, &place.session) {
                open.part.who.id = Some(id.clone().into_owned());
            }
            if let Some(stream) = self.open.get_mut(stream) {
                stream.now = Some(open.order);
            }
        }
        at
    }

    /// Another harness begins a session: its total does not go on from what was stated.
    fn change_harness(&mut self, stream: usize, place: &Place<'_>) {
        let Some(harness) = &place.harness else { return };
        let Some(one) = self.open.get_mut(stream) else { return };
        let known = one.harness.replace(harness.clone());
        if known.is_none_or(|known| known == *harness) {
            return;
        }
        let number = one.number;
        (one.total, one.stated_by, one.now) = (Total::default(), None, None);
        while let Some(at) = self.parts.iter().position(|open| open.stream == number) {
            self.end_part(at);
        }
    }

    fn begin(&mut self, stream: u64, new_run: bool, is_apart: bool) -> usize {
        if self.parts.len() >= MAX_OPEN_PARTS {
            self.end_part(0);
        }
        self.begun += 1;
        let mut part = Part::new(self.recognizable);
        part.file.clone_from(&self.file);
        self.parts.push(Open { part, new_run, order: self.begun, stream, is_apart, at: None });
        self.parts.len() - 1
    }

    fn take(&mut self, stream: usize, at: usize, seen: Seen<'_>) {
        let total = (seen.kind == EventType::Usage && seen.payload.get("scope").is("session"))
            .then(|| Total::read(seen.payload));
        let mut at = at;
        if let (Some(total), Some(stream)) = (&total, self.open.get(stream))
            && total.fell(&stream.total)
        {
            // Another process goes on, of which nothing said that it began.
            let number = stream.number;
            if self.parts.get(at).is_some_and(|open| open.at.is_some()) {
                let id = self.parts.get(at).and_then(|open| open.part.who.id.clone());
                self.end_part(at);
                at = self.begin(number, true, false);
                if let Some(open) = self.parts.get_mut(at) {
                    open.part.who.id = id;
                }
            }
            if let Some(stream) = self.open.last_mut() {
                stream.total = Total::default();
                stream.stated_by = None;
                stream.now = self.parts.get(at).map(|open| open.order);
            }
        }
        let Some(open) = self.parts.get_mut(at) else { return };
        if let (Some(total), Some(stream)) = (total, self.open.get_mut(stream)) {
            if stream.stated_by != Some(open.order) {
                let before = open.at.take().unwrap_or_default();
                let others = stream.total.clone().less(&before);
                let base = &mut open.part.base;
                base.is_apart = open.is_apart;
                base.total = std::mem::take(&mut base.total).plus(&others);
            }
            stream.total = std::mem::take(&mut stream.total).renewed(total);
            stream.stated_by = Some(open.order);
            open.at = Some(stream.total.clone());
        }
        let is_repeat =
            seen.kind == EventType::Usage && self.repeats.is_repeat(&open.part, open.order, &seen);
        open.part.event(seen.kind, seen.payload, seen.time, is_repeat);
    }
}

impl Open {
    fn end(self, form: Option<Form>) -> Ended {
        Ended { part: self.part, new_run: self.new_run, order: self.order, form }
    }
}

/// A session's id as it is written between the quotes.
fn decoded(id: &str) -> Cow<'_, str> {
    if id.contains('\\') {
        let whole = serde_json::from_str(&format!("\"{id}\""));
        return whole.map_or(Cow::Borrowed(id), Cow::Owned);
    }
    Cow::Borrowed(id)
}
