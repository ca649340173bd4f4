//! A session's name: what a person chose beats what a model made up, which beats a summary. Each is
//! repeated often and told when it changes.

use std::collections::VecDeque;

use crate::adapter::recent::Id;
use crate::format::batch::Batch;
use crate::format::event::SessionTitle;
use crate::format::write::Name;
use crate::json::Value;
use crate::limits::{MAX_CLAUDE_SUMMARIES, MAX_CLAUDE_SUMMARY};

/// The names of the session.
#[derive(Debug, Default)]
pub(super) struct Titles {
    /// The rank and the hash of the name that was told last.
    told: Option<(u8, Id)>,
    /// Summaries whose last record has not been read. Most are names of other sessions.
    waiting: VecDeque<(Id, String)>,
}

impl Titles {
    /// A record `custom-title` or `ai-title`.
    pub(super) fn stated(&mut self, record: Value<'_>, kind: &str, out: &mut Batch) {
        let (rank, key) = if kind == "custom-title" { (2, "customTitle") } else { (1, "aiTitle") };
        if let Some(title) = record.get(key).decode().filter(|title| !title.trim().is_empty()) {
            self.tell(rank, &title, out);
        }
    }

    /// A record `summary`: the name of the conversation that ends with its `leafUuid`.
    pub(super) fn summary(&mut self, record: Value<'_>, known: bool, out: &mut Batch) {
        let [summary, leaf] = record.pick(["summary", "leafUuid"]);
        let Some(title) = summary.decode().filter(|title| !title.trim().is_empty()) else { return };
        if known {
            self.tell(0, &title, out);
        } else if let Some(leaf) = Id::of(leaf).filter(|_| title.len() <= MAX_CLAUDE_SUMMARY) {
            if self.waiting.len() >= MAX_CLAUDE_SUMMARIES {
                self.waiting.pop_front();
            }
            self.waiting.push_back((leaf, title.into_owned()));
        }
    }

    /// A conversation record was read: a summary may have waited for it.
    pub(super) fn leaf(&mut self, uuid: &str, out: &mut Batch) {
        if self.waiting.is_empty() {
            return;
        }
        let leaf = Id::from(uuid);
        if let Some(at) = self.waiting.iter().position(|(id, _)| *id == leaf)
            && let Some((_, title)) = self.waiting.remove(at)
        {
            self.tell(0, &title, out);
        }
    }

    fn tell(&mut self, rank: u8, title: &str, out: &mut Batch) {
        let id = Id::from(title);
        let lower = self.told.is_some_and(|(told, last)| told > rank || last == id);
        if !lower {
            self.told = Some((rank, id));
            out.push(SessionTitle { title: Some(Name::from(title)) });
        }
    }
}
