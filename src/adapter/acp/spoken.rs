//! The text that is put together: texts come only as pieces, and any other line ends one.

use crate::adapter::chat::said;
use crate::adapter::content::attachment;
use crate::adapter::pieces::Pieces;
use crate::format::batch::{Batch, Place};
use crate::format::event::{Delta, Message, Of, Thinking};
use crate::format::write::Name;
use crate::json::Value;

/// Who speaks, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    User,
    Agent,
    Thought,
}

impl Speaker {
    /// The speaker of an update of the kind `kind`, if that is a piece of a text.
    pub(super) fn of(kind: Value<'_>) -> Option<Self> {
        const PIECES: [(&str, &str, Speaker); 3] = [
            ("agent_message_chunk", "AgentMessageChunk", Speaker::Agent),
            ("agent_thought_chunk", "AgentThoughtChunk", Speaker::Thought),
            ("user_message_chunk", "UserMessageChunk", Speaker::User),
        ];
        let row = PIECES.iter().find(|(word, other, _)| kind.is(word) || kind.is(other));
        row.map(|(.., speaker)| *speaker)
    }

    /// The speaker of an update that has a whole text, as in the protocol's second draft.
    pub(super) fn of_whole(kind: Value<'_>) -> Option<Self> {
        const WHOLE: [(&str, Speaker); 3] = [
            ("agent_message", Speaker::Agent),
            ("agent_thought", Speaker::Thought),
            ("user_message", Speaker::User),
        ];
        WHOLE.iter().find(|(word, _)| kind.is(word)).map(|(_, speaker)| *speaker)
    }

    fn role(self) -> &'static str {
        if self == Speaker::User { "user" } else { "assistant" }
    }

    fn says(self) -> Of {
        if self == Speaker::Thought { Of::Thinking } else { Of::Message }
    }
}

#[derive(Debug, Default)]
pub(super) struct Spoken {
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    speaker: Speaker,
    message: Option<String>,
    pieces: Pieces,
}

impl Spoken {
    pub(super) fn is_open(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.pieces.is_empty())
    }

    pub(super) fn chunk(
        &mut self,
        speaker: Speaker,
        update: Value<'_>,
        record: Value<'_>,
        out: &mut Batch,
    ) {
        let [block, message] = update.pick(["content", "messageId"]);
        let Some(text) = block.get("text").str() else {
            self.end(out);
            out.message_id(Name::of(message));
            if let Some((attachment, line)) = attachment(block) {
                out.push(Message {
                    role: Some(speaker.role().into()),
                    text: Some(line.into()),
                    attachments: vec![attachment],
                    ..Message::default()
                });
            }
            return;
        };
        if self.open.as_ref().is_some_and(|open| !open.is(speaker, message)) {
            self.end(out);
        }
        let open = self.open.get_or_insert_with(|| Open {
            speaker,
            message: message.owned(),
            pieces: Pieces::default(),
        });
        out.message_id(Name::of(message));
        match open.pieces.push(text) {
            Some(piece) => {
                let (of, text) = (speaker.says(), Some(piece));
                out.push(Delta { of, text, ..Delta::default() });
            }
            None => out.framing(record),
        }
    }

    /// A whole text. Its pieces may have come before: then it is told once.
    pub(super) fn whole(&mut self, speaker: Speaker, update: Value<'_>, out: &mut Batch) {
        let [message, blocks] = update.pick(["messageId", "content"]);
        let begun = self.open.take_if(|open| message.is_string() && open.is(speaker, message));
        self.end(out);
        let Some(content) = said(blocks) else { return };
        out.message_id(Name::of(message));
        if let Some(open) = begun {
            let texts: Vec<_> =
                blocks.elements().filter_map(|block| block.get("text").decode()).collect();
            let whole = texts.join("\n");
            let tail = whole.strip_prefix(open.pieces.said().as_str());
            let (reset, text) = (tail.is_none(), tail.unwrap_or(&whole).to_owned());
            if !text.is_empty() {
                let (of, text) = (speaker.says(), Some(text.into()));
                out.push(Delta { of, text, reset, ..Delta::default() });
            }
        }
        if speaker == Speaker::Thought {
            out.push(Thinking { text: content.text, ..Thinking::default() });
        } else {
            out.push(Message {
                role: Some(speaker.role().into()),
                text: content.text,
                attachments: content.attachments,
                ..Message::default()
            });
        }
    }

    /// The text that was put together is whole.
    pub(super) fn end(&mut self, out: &mut Batch) {
        let Some(mut open) = self.open.take().filter(|open| !open.pieces.is_empty()) else {
            return;
        };
        out.message_id(open.message.as_ref().map(Name::from));
        open.pieces.tell(open.speaker.says(), open.speaker.role(), Place::Before, out);
        out.message_id(None);
    }
}

impl Open {
    /// Whether the next piece of the speaker in that message goes on with this text.
    fn is(&self, speaker: Speaker, message: Value<'_>) -> bool {
        let same = match (message.str(), &self.message) {
            (Some(id), Some(known)) => id.is(known),
            (None, None) => true,
            _ => false,
        };
        self.speaker == speaker && same
    }
}
