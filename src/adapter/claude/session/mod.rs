//! Claude Code's session files, `~/.claude/projects/<folder>/<session>.jsonl` and those of subagents,
//! recorded with 1.0.128, 2.0.76, 2.1.197 and 2.1.332, printed and in a terminal.
//!
//! ```json
//! {"parentUuid":null,"isSidechain":false,"cwd":"…","sessionId":"…","version":"2.1.332","type":"user","message":{…},"uuid":"…","timestamp":"…"}
//! {"parentUuid":"…","isSidechain":false,…,"type":"assistant","message":{"id":"msg_…","content":[{…}],"usage":{…}},"requestId":"…"}
//! {"type":"custom-title","customTitle":"my own name","sessionId":"…"}
//! {"type":"cost-state","sessionId":"…","totalCostUSD":0.0036,"modelUsage":{…}}
//! ```
//!
//! Conversation records are what is printed with other words around it, and the prompts besides. There
//! is no record of the start: the first conversation record says what is known of it. There is none of
//! the end.

mod queue;
mod records;
mod titles;

use super::{Adapter, Flavor};
use crate::adapter::recent::{Id, Recent};
use crate::adapter::running::Running;
use crate::format::batch::Batch;
use crate::format::event::SessionStarted;
use crate::format::write::Name;
use crate::json::Value;
use queue::Queue;
use titles::Titles;

/// What is known of a session's file.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// A record of a file was read.
    read: bool,
    /// The session as the file's name says it.
    named: Option<String>,
    /// The call whose subagent the file is of, as the file beside it says.
    call: Option<String>,
    /// The session that the records belong to.
    id: String,
    /// The session that the last of them stated.
    stated: String,
    begun: bool,
    /// The conversation records that were read.
    known: Recent<()>,
    titles: Titles,
    queue: Queue,
    /// There are attachments in the file: they tell what was typed while a turn ran.
    attaches: bool,
    spent: Running,
}

impl Kept {
    /// Whether what was read is a file.
    pub(super) fn is_file(&self) -> bool {
        self.read
    }

    /// What the file's own name and the file beside it say.
    pub(super) fn beside(&mut self, name: &str, beside: Value<'_>) {
        self.named = name.strip_suffix(".jsonl").filter(|id| is_uuid(id)).map(str::to_owned);
        self.call = beside.get("toolUseId").owned();
    }

    /// A record that states its session. A conversation may go on under another id: it is one session,
    /// and only what goes on from nothing that was read is another.
    fn enter(&mut self, session: Value<'_>, parent: Value<'_>, out: &mut Batch) {
        self.read = true;
        if let Some(stated) = session.decode().filter(|id| *id != *self.stated && !id.is_empty()) {
            let goes_on = Id::of(parent).is_some_and(|id| self.known.get(id).is_some());
            if !goes_on && self.named.is_none() {
                // What stands before the first record that names it is of the session, too.
                if !self.stated.is_empty() {
                    let call = self.call.take();
                    *self = Kept { read: true, call, ..Kept::default() };
                }
                self.id = stated.clone().into_owned();
            }
            self.stated = stated.into_owned();
        }
        let id = self.named.as_deref().unwrap_or(&self.id);
        out.session(Some(&Name::from(id)));
    }
}

/// The file beside a subagent's file, which names the call that started it.
pub(super) fn beside(name: &str) -> Option<String> {
    let agent = name.strip_suffix(".jsonl").filter(|name| name.starts_with("agent-"))?;
    Some(format!("{agent}.meta.json"))
}

/// The name of Claude's file of a session.
fn is_uuid(text: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.len() == 36
        && text.split('-').map(str::len).eq([8, 4, 4, 4, 12])
        && text.split('-').all(digits)
}

impl Adapter {
    /// A record of the conversation.
    pub(super) fn kept(&mut self, record: Value<'_>, kind: &str, out: &mut Batch) {
        let [session, uuid, parent, sidechain, timestamp, cwd, version] = record.pick([
            "sessionId",
            "uuid",
            "parentUuid",
            "isSidechain",
            "timestamp",
            "cwd",
            "version",
        ]);
        out.time(timestamp);
        self.kept.enter(session, parent, out);
        if let Some(uuid) = Id::of(uuid) {
            if self.kept.known.get(uuid).is_some() {
                return;
            }
            self.kept.known.add(uuid, ());
        }
        let aside = sidechain.is_true();
        if aside {
            out.parent(self.kept.call.as_deref().map(Name::from));
        }
        let aside = aside && self.kept.call.is_none();
        if !std::mem::replace(&mut self.kept.begun, true) {
            let id = self.kept.named.as_deref().unwrap_or(&self.kept.id);
            out.before(SessionStarted {
                harness: Some(Name::from(Flavor::Claude.harness())),
                cwd: Name::of(cwd),
                session_id: Some(Name::from(id)).filter(|_| !id.is_empty()),
                version: Name::filled(version),
                ..SessionStarted::default()
            });
        }
        match kind {
            "user" => self.kept_user(record, aside, out),
            "assistant" => self.kept_assistant(record, aside, out),
            "system" => Self::kept_system(record, out),
            "attachment" => self.kept_attachment(record, out),
            "progress" => self.kept_progress(record, out),
            _ => {}
        }
        if let Some(leaf) = uuid.str() {
            self.kept.titles.leaf(leaf.raw(), out);
        }
    }

    /// A record of another type, which only a session file has.
    pub(super) fn kept_beside(&mut self, record: Value<'_>, kind: &str, out: &mut Batch) {
        let session = record.get("sessionId");
        match kind {
            "custom-title" | "ai-title" | "summary" | "cost-state" | "queue-operation" => {}
            _ if session.is_string() => {}
            _ => return,
        }
        self.kept.enter(session, Value::MISSING, out);
        match kind {
            "custom-title" | "ai-title" => self.kept.titles.stated(record, kind, out),
            "summary" => {
                let leaf = record.get("leafUuid");
                let known = Id::of(leaf).is_some_and(|id| self.kept.known.get(id).is_some());
                self.kept.titles.summary(record, known, out);
            }
            "cost-state" => self.kept_total(record, out),
            "queue-operation" => self.kept_queue(record, out),
            _ => {}
        }
    }
}
