//! What a person sees of an event. Every text in here is harmless: see [`crate::format::tame`].

use std::borrow::Cow;

use super::detail::Detail;
use super::edit::LineCounts;
use super::output::Output;
use crate::format::event::{Level, Of};
use crate::report::summary::Recap;

/// One thing in the course of a session.
#[derive(Debug)]
pub(super) struct Item<'a> {
    /// How many subagents deep.
    pub(super) depth: usize,
    pub(super) time: Option<&'a str>,
    /// The line of the stream that it comes from.
    pub(super) line: Option<u64>,
    /// The id of the session that it belongs to.
    pub(super) session: Option<&'a str>,
    /// Only shown where everything is asked for.
    pub(super) hidden: bool,
    pub(super) what: What<'a>,
}

#[derive(Debug)]
pub(super) enum What<'a> {
    /// The date, where it is another than before.
    Day(String),
    Start(Start),
    Title(String),
    Message(Message<'a>),
    Thinking {
        text: Cow<'a, str>,
        redacted: bool,
    },
    Call(Call<'a>),
    Result(Answer<'a>),
    /// What comes next was done by the subagent of this call, which is not the last thing shown.
    Subagent(String),
    Plan(Vec<Step>),
    Notice {
        level: Level,
        code: String,
        message: String,
    },
    Background(String),
    /// A piece of a text whose whole follows.
    Delta(Delta<'a>),
    /// What one model call consumed.
    Usage(Spent),
    End(End<'a>),
    Recap(Box<Recap>),
    Raw(Cow<'a, str>),
}

#[derive(Debug, Clone, Default)]
pub(super) struct Start {
    /// Harness and version.
    pub(super) agent: String,
    pub(super) model: String,
    pub(super) cwd: String,
    pub(super) session: String,
    pub(super) turn: Option<u64>,
}

impl Start {
    /// Lists what is known, in the order in which it is shown.
    pub(super) fn parts(&self) -> Vec<String> {
        let mut parts: Vec<String> = [&self.agent, &self.model, &self.cwd]
            .into_iter()
            .filter(|part| !part.is_empty())
            .cloned()
            .collect();
        parts.extend(self.turn.map(|turn| format!("turn {turn}")));
        parts
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    Agent,
    User,
    /// The harness, or a system prompt.
    System,
}

impl Speaker {
    pub(super) fn word(self) -> &'static str {
        match self {
            Speaker::Agent => "assistant",
            Speaker::User => "user",
            Speaker::System => "system",
        }
    }
}

#[derive(Debug)]
pub(super) struct Message<'a> {
    pub(super) speaker: Speaker,
    /// Markdown.
    pub(super) text: Cow<'a, str>,
    /// `by the harness`, `discarded`, `cut off`.
    pub(super) remarks: Vec<&'static str>,
    pub(super) attachments: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) id: Option<String>,
    /// What the tool does, in the word of the vocabulary; empty where nobody says it.
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) argument: String,
    pub(super) edit: Option<LineCounts>,
    /// All arguments as JSON text, or the harness's own string.
    pub(super) input: Cow<'a, str>,
    /// What a person wants to read of the arguments.
    pub(super) detail: Detail,
}

#[derive(Debug)]
pub(super) struct Answer<'a> {
    pub(super) id: Option<String>,
    /// Whether the output is an agent's Markdown.
    pub(super) is_prose: bool,
    /// The call, where something else was shown since: name and argument.
    pub(super) call: Option<(String, String)>,
    pub(super) failed: bool,
    /// `exit 1`, `denied`.
    pub(super) facts: Vec<String>,
    pub(super) output: Output<'a>,
    /// `src/add.py (update)`.
    pub(super) files: Vec<String>,
    pub(super) attachments: Vec<String>,
}

impl Answer<'_> {
    /// Returns whether the files say what was done, so that the tool's own words add nothing.
    pub(super) fn is_shown_by_files(&self) -> bool {
        !self.files.is_empty() && !self.failed
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) text: String,
    pub(super) state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Pending,
    InProgress,
    Completed,
    /// A harness's own word, such as `cancelled`.
    Other,
}

/// Describes how many of the steps are done: `1 of 3 done`.
pub(super) fn progress(steps: &[Step]) -> String {
    let done = steps.iter().filter(|step| step.state == State::Completed).count();
    format!("{done} of {} done", steps.len())
}

#[derive(Debug)]
pub(super) struct Delta<'a> {
    pub(super) of: Of,
    /// Which text it is a piece of.
    pub(super) text_id: u64,
    pub(super) text: Cow<'a, str>,
    pub(super) reset: bool,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    /// Of the main thread only.
    pub(super) context: Option<u64>,
    pub(super) tokens: u64,
    pub(super) output: u64,
}

#[derive(Debug)]
pub(super) struct End<'a> {
    pub(super) succeeded: bool,
    pub(super) error: Option<String>,
    /// The end record's text, where nobody said it before.
    pub(super) summary: Option<Cow<'a, str>>,
    /// Structured output as JSON text.
    pub(super) output: Option<Cow<'a, str>>,
}
