//! What the agent said, to know it again where an end repeats it: the last text or an earlier one, or
//! all texts of a message, of a turn or of the session in one.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hasher as _};

use crate::limits::MAX_SAID;

#[derive(Debug, Default)]
pub(super) struct Said {
    texts: VecDeque<u64>,
    session: Digest,
    turn: Digest,
    message: Digest,
    message_id: String,
}

impl Said {
    pub(super) fn add(&mut self, text: &str, message: &str) {
        if self.texts.len() >= MAX_SAID {
            self.texts.pop_front();
        }
        self.texts.push_back(Digest::of(text));
        if message.is_empty() || message != self.message_id {
            self.message = Digest::default();
            message.clone_into(&mut self.message_id);
        }
        for digest in [&mut self.session, &mut self.turn, &mut self.message] {
            digest.add(text);
        }
    }

    /// What comes next is another turn.
    pub(super) fn end_turn(&mut self) {
        self.turn = Digest::default();
        self.message = Digest::default();
    }

    pub(super) fn has(&self, text: &str) -> bool {
        let digest = Digest::of(text);
        let joined = [&self.session, &self.turn, &self.message];
        self.texts.contains(&digest) || joined.iter().any(|all| all.0.finish() == digest)
    }
}

/// A digest of texts without their white space, which is what differs where texts are joined.
#[derive(Debug, Clone, Default)]
struct Digest(DefaultHasher);

impl Digest {
    fn of(text: &str) -> u64 {
        let mut digest = Self::default();
        digest.add(text);
        digest.0.finish()
    }

    fn add(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_whitespace()) {
            self.0.write_u32(u32::from(c));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_texts_are_known() {
        let mut said = Said::default();
        said.add("I look first.", "a");
        said.add("Three lines.", "b");
        said.add(", as the guide says.", "b");
        assert!(said.has("I look first.\nThree lines., as the guide says."), "the session");
        assert!(said.has("Three lines., as the guide says."), "the message");
        assert!(said.has(" I look first. ") && !said.has("Three lines. And more."));
        said.end_turn();
        said.add("Done.", "");
        said.add("Really.", "");
        assert!(said.has("Done. Really.") && said.has("I look first."));
    }
}
