//! `stream_event` lines: the pieces of a message that is still being written.
//!
//! The whole `assistant` line comes before its `content_block_stop` (the recording 2.1.332 partial).
//! An attempt that was given up ends with `abandoned_blocks`, and the next one starts over under a
//! new id (retry-partial). A log of bare API events has no whole lines: there the wholes are put
//! together from the pieces.

use super::calls::{Calls, Tally, tokens};
use super::detect::is_api_event;
use super::tools::TOOLS;
use crate::adapter::pieces::Pieces;
use crate::adapter::recent::Id;
use crate::adapter::room::Room;
use crate::adapter::tool;
use crate::format::batch::Batch;
use crate::format::event::{Delta, Message, Of, Thinking, ToolCall};
use crate::format::write::{Clipped, Name, Text};
use crate::json::{self, Value};
use crate::limits::{MAX_CLAUDE_BLOCKS, MAX_CLAUDE_SUBAGENTS};

/// The messages that are being written.
#[derive(Debug, Default)]
pub(super) struct Streams {
    main: Stream,
    subagents: Vec<Stream>,
    /// What the texts that are put together may hold.
    room: Room,
}

#[derive(Debug, Default)]
struct Stream {
    /// The call that started the subagent.
    parent: String,
    id: String,
    key: Option<Id>,
    model: String,
    blocks: Vec<Block>,
    /// The kinds of text that the harness starts again, and whose next piece says so.
    again: Vec<Of>,
}

#[derive(Debug)]
struct Block {
    index: u64,
    of: Of,
    call: String,
    name: String,
    pieces: Pieces,
    /// The whole has been printed.
    whole: bool,
}

impl Streams {
    /// Reads an event; without one, it stands on the line itself.
    pub(super) fn event(
        &mut self,
        record: Value<'_>,
        parent: Value<'_>,
        event: Option<Value<'_>>,
        gross: bool,
        calls: &mut Calls,
        out: &mut Batch,
    ) {
        let bare = event.is_none();
        let [kind, index, block, delta, message, usage] = event.unwrap_or(record).pick([
            "type",
            "index",
            "content_block",
            "delta",
            "message",
            "usage",
        ]);
        let Some(kind) = kind.decode().filter(|kind| is_api_event(kind)) else { return };
        // The texts are put together only where no whole line comes.
        let room = bare.then(|| self.room.clone());
        let room = room.as_ref();
        let stream = self.of(&parent.decode().unwrap_or_default());
        let index = index.count().unwrap_or_default();
        if &*kind == "message_start" {
            stream.start(message);
        } else if stream.id.is_empty() {
            let api_id = record.get("api_message_id");
            stream.id = api_id.owned().unwrap_or_default();
            stream.key = Id::of(api_id);
        }
        out.parent(Name::filled(parent));
        out.message_id((!stream.id.is_empty()).then(|| Name::from(&stream.id)));
        let mut said = false;
        match &*kind {
            "message_start" => {
                let [id, model, usage] = message.pick(["id", "model", "usage"]);
                // Without an id the count would stand beside that of the whole line.
                if Id::of(id).is_some() {
                    let before = out.mark();
                    let counts = tokens(usage, gross);
                    calls.line(id, Name::of(model), counts, Tally::Printed, out);
                    said = out.mark() > before;
                }
            }
            "content_block_start" => said = stream.open(index, block, room, out),
            "content_block_delta" => said = stream.piece(index, delta, room, out),
            "content_block_stop" => said = bare && stream.close(index, out),
            "message_delta" => {
                if let Some(key) = stream.key.filter(|_| usage.is_object()) {
                    let before = out.mark();
                    let model = (!stream.model.is_empty()).then(|| Name::from(&stream.model));
                    calls.increase(key, model, tokens(usage, gross), out);
                    said = out.mark() > before;
                }
            }
            "message_stop" => {
                if record.get("abandoned_blocks").is_some() {
                    stream.void();
                } else {
                    stream.again.clear();
                }
            }
            _ => {}
        }
        if !said {
            out.framing(record);
        }
    }

    /// The whole of a block stands on this line. Half a surrogate pair that its last piece ended
    /// with is said before it. `splits` says that the message goes on under another id.
    pub(super) fn whole(
        &mut self,
        parent: Value<'_>,
        id: Value<'_>,
        of: Of,
        splits: bool,
        out: &mut Batch,
    ) {
        let subagent = self.subagents.iter_mut().find(|stream| parent.is(&stream.parent));
        let stream = subagent.unwrap_or(&mut self.main);
        if stream.blocks.is_empty() || !(stream.id.is_empty() || id.is(&stream.id)) {
            return;
        }
        if let Some(block) = stream.blocks.iter_mut().find(|block| block.of == of && !block.whole) {
            block.whole = true;
            block.finish(out);
        }
        if splits {
            stream.id.clear();
        }
    }

    /// The attempt of the main thread failed.
    pub(super) fn void(&mut self) {
        self.main.void();
    }

    fn of(&mut self, parent: &str) -> &mut Stream {
        if parent.is_empty() {
            return &mut self.main;
        }
        let at = self.subagents.iter().position(|stream| stream.parent == parent);
        let at = at.unwrap_or_else(|| {
            if self.subagents.len() >= MAX_CLAUDE_SUBAGENTS {
                self.subagents.remove(0);
            }
            self.subagents.push(Stream { parent: parent.to_owned(), ..Stream::default() });
            self.subagents.len() - 1
        });
        self.subagents.get_mut(at).unwrap_or(&mut self.main)
    }
}

impl Stream {
    fn start(&mut self, message: Value<'_>) {
        let [id, model] = message.pick(["id", "model"]);
        // Older versions retry without a word: the next attempt just starts.
        self.void();
        self.id = id.owned().unwrap_or_default();
        self.key = Id::of(id);
        self.model = model.owned().unwrap_or_default();
    }

    /// Forgets the blocks. Where one was not finished, what comes next starts it again.
    fn void(&mut self) {
        if self.blocks.iter().any(|block| !block.whole && !block.pieces.is_empty()) {
            self.again = vec![Of::Message, Of::Thinking, Of::ToolCall];
        }
        self.blocks.clear();
    }

    /// A block starts. Whether that was a piece already.
    fn open(&mut self, index: u64, block: Value<'_>, room: Option<&Room>, out: &mut Batch) -> bool {
        let [kind, call, name, text, thinking] =
            block.pick(["type", "id", "name", "text", "thinking"]);
        let of = match &*kind.decode().unwrap_or_default() {
            "text" => Of::Message,
            "thinking" => Of::Thinking,
            "tool_use" | "server_tool_use" | "mcp_tool_use" => Of::ToolCall,
            _ => return false,
        };
        let [call, name] = [call, name].map(|text| text.owned().unwrap_or_default());
        self.add(index, of, [call, name], room);
        self.say(index, of, if of == Of::Message { text } else { thinking }, room, out)
    }

    fn piece(
        &mut self,
        index: u64,
        delta: Value<'_>,
        room: Option<&Room>,
        out: &mut Batch,
    ) -> bool {
        let [kind, text, thinking, json] = delta.pick(["type", "text", "thinking", "partial_json"]);
        match &*kind.decode().unwrap_or_default() {
            "text_delta" => self.say(index, Of::Message, text, room, out),
            "thinking_delta" => self.say(index, Of::Thinking, thinking, room, out),
            "input_json_delta" => self.say(index, Of::ToolCall, json, room, out),
            _ => false,
        }
    }

    fn say(
        &mut self,
        index: u64,
        of: Of,
        piece: Value<'_>,
        room: Option<&Room>,
        out: &mut Batch,
    ) -> bool {
        let Some(piece) = piece.str().filter(|piece| !piece.is_empty()) else { return false };
        let known = self.blocks.iter().rposition(|block| block.index == index && block.of == of);
        if known.is_none() {
            self.add(index, of, <[String; 2]>::default(), room);
        }
        let last = self.blocks.len().saturating_sub(1);
        let Some(block) = self.blocks.get_mut(known.unwrap_or(last)) else { return false };
        let Some(text) = block.pieces.push(piece) else { return false };
        let again = self.again.iter().position(|kind| *kind == of);
        out.push(Delta {
            of,
            text: Some(text),
            index: Some(index),
            call_id: block.call_id(),
            reset: again.map(|at| self.again.swap_remove(at)).is_some(),
        });
        true
    }

    /// A block of bare API events ends: it becomes whole here. Whether there was anything.
    fn close(&mut self, index: u64, out: &mut Batch) -> bool {
        let Some(block) = self.blocks.iter_mut().rfind(|block| block.index == index) else {
            return false;
        };
        if std::mem::replace(&mut block.whole, true) {
            return false;
        }
        let (empty, written) = (block.pieces.is_empty(), block.pieces.said());
        let (text, truncated) = block.finish(out);
        match block.of {
            Of::Message if !empty => out.push(Message {
                role: Some("assistant".into()),
                text: Some(text),
                truncated,
                ..Message::default()
            }),
            Of::Thinking if !empty => {
                out.push(Thinking { text: Some(text), truncated, ..Thinking::default() });
            }
            Of::ToolCall => out.push(ToolCall {
                call_id: block.call_id(),
                name: Some(Name::from(&block.name)),
                input: Some(match written.as_str() {
                    "" => "{}".into(),
                    text => json::compact(text).into_owned().into(),
                }),
                truncated,
                ..tool::does_text(TOOLS, &block.name, &written)
            }),
            _ => return false,
        }
        true
    }

    fn add(&mut self, index: u64, of: Of, [call, name]: [String; 2], room: Option<&Room>) {
        if self.blocks.len() >= MAX_CLAUDE_BLOCKS {
            self.blocks.remove(0);
        }
        let pieces = room.map_or_else(Pieces::unheld, Pieces::within);
        self.blocks.push(Block { index, of, call, name, pieces, whole: false });
    }
}

impl Block {
    fn call_id(&self) -> Option<Name<'_>> {
        (!self.call.is_empty()).then(|| Name::from(&self.call))
    }

    /// The text that the pieces make, and whether it is all of it. A last piece that was held back is said.
    fn finish(&mut self, out: &mut Batch) -> (Text<'static>, Clipped) {
        let (text, truncated, left) = self.pieces.take();
        if let Some(left) = left {
            out.push(Delta {
                of: self.of,
                text: Some(left),
                index: Some(self.index),
                call_id: self.call_id(),
                reset: false,
            });
        }
        (text, truncated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::event::EventType;
    use crate::json::Doc;

    fn read(streams: &mut Streams, bare: bool, lines: &[&str]) -> Vec<String> {
        let mut batch = Batch::new(0, false);
        let mut doc = Doc::default();
        for line in lines {
            let record = doc.parse(line).unwrap();
            let event = (!bare).then_some(record);
            let mut calls = Calls::default();
            streams.event(record, Value::MISSING, event, false, &mut calls, &mut batch);
        }
        let whole = batch.events().filter(|(kind, ..)| *kind != EventType::Raw);
        whole.map(|(_, payload, _)| String::from_utf8_lossy(payload).into_owned()).collect()
    }

    const PIECES: [&str; 3] = [
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"123456"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"abcdef"}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"gh"}}"#,
    ];

    #[test]
    fn what_is_open_holds_no_more_than_the_room() {
        let mut streams = Streams { room: Room::new(10), ..Streams::default() };
        read(&mut streams, true, &PIECES);
        let stop = |index| format!(r#"{{"type":"content_block_stop","index":{index}}}"#);
        let told = read(&mut streams, true, &[&stop(0), &stop(1)]);
        assert!(told[0].contains(r#""text":"123456","truncated":false"#), "{told:?}");
        // What did not fit is missing from there on, and the text says so.
        assert!(told[1].contains(r#""text":"","truncated":true"#), "{told:?}");
        // All of it was given back.
        read(&mut streams, true, &PIECES[1..]);
        read(
            &mut streams,
            true,
            &[
                r#"{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"12"}}"#,
            ],
        );
        let told = read(&mut streams, true, &[&stop(2)]);
        assert!(told[0].contains(r#""text":"12","truncated":false"#), "{told:?}");
    }

    #[test]
    fn beside_whole_lines_nothing_is_held() {
        let mut streams = Streams::default();
        read(&mut streams, false, &PIECES);
        let held = |block: &Block| (block.pieces.is_empty(), block.pieces.said());
        let held: Vec<_> = streams.main.blocks.iter().map(held).collect();
        assert_eq!(held, [(false, String::new()), (false, String::new())]);
    }
}
