//! A session as both targets read it: its events in order, each result with its call, and each event
//! with the agent whose it is.

use std::collections::BTreeMap;

use jiff::Timestamp;
use sha2::Sha256;

use crate::format::event::EventType;
use crate::format::event::owned::{Event, SessionStarted};
use crate::report::summary::Usage;

/// An event.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) kind: EventType,
    pub(super) event: Event,
    /// In milliseconds since 1970.
    pub(super) time: Option<i64>,
    /// The agent's number: 0 is the main one.
    pub(super) agent: usize,
    /// The model call that it belongs to.
    pub(super) message: Option<String>,
    /// A result's call, by its number among the items.
    pub(super) call: Option<usize>,
    /// Whether a call has a result.
    pub(super) is_answered: bool,
}

/// An agent: the main one, or one that a call started.
#[derive(Debug, Default)]
pub(super) struct Agent {
    /// The call that started it, by its number among the items. The main agent has none, and one whose
    /// call was not seen.
    pub(super) call: Option<usize>,
    /// The id of that call.
    pub(super) call_id: String,
}

/// A session.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: Option<String>,
    pub(super) started: Option<SessionStarted>,
    pub(super) title: Option<String>,
    pub(super) items: Vec<Item>,
    pub(super) agents: Vec<Agent>,
    /// What was spent, where the recap of the stream tells.
    pub(super) usage: Option<Usage>,
    /// The events that are not among the items: there were too many.
    pub(super) left_out: u64,
    /// Of all events.
    pub(super) digest: Sha256,
    calls: BTreeMap<String, usize>,
    subagents: BTreeMap<String, usize>,
}

impl Session {
    pub(super) fn new(id: Option<String>) -> Self {
        Self {
            id,
            started: None,
            title: None,
            items: Vec::new(),
            agents: vec![Agent::default()],
            usage: None,
            left_out: 0,
            digest: Sha256::default(),
            calls: BTreeMap::new(),
            subagents: BTreeMap::new(),
        }
    }

    /// Returns the first time that an event states.
    pub(super) fn began(&self) -> Option<i64> {
        self.items.iter().find_map(|item| item.time)
    }

    pub(super) fn harness(&self) -> Option<&str> {
        self.started.as_ref()?.harness.as_deref()
    }

    pub(super) fn version(&self) -> Option<&str> {
        self.started.as_ref()?.version.as_deref()
    }

    /// Returns the model that the start names, else the first that a call of the main agent names.
    pub(super) fn model(&self) -> Option<&str> {
        let stated = self.started.as_ref().and_then(|started| started.model.as_deref());
        stated.or_else(|| {
            self.items.iter().find_map(|item| match &item.event {
                Event::CallUsage(usage) if item.agent == 0 => usage.model.as_deref(),
                _ => None,
            })
        })
    }

    /// Takes an event in.
    pub(super) fn add(
        &mut self,
        kind: EventType,
        event: Event,
        time: Option<&str>,
        (parent, message): (Option<String>, Option<String>),
    ) {
        let time = time.and_then(|time| time.parse::<Timestamp>().ok());
        let agent = parent.map_or(0, |parent| self.agent(parent));
        let at = self.items.len();
        let mut call = None;
        match &event {
            Event::SessionStarted(started) => self.start(started),
            Event::SessionTitle(title) => self.title = title.title.clone().or(self.title.take()),
            Event::ToolCall(made) => {
                if let Some(id) = &made.call_id {
                    self.calls.insert(id.clone(), at);
                    self.adopt(id, at, agent);
                }
            }
            Event::ToolResult(result) => {
                call = result.call_id.as_ref().and_then(|id| self.calls.get(id)).copied();
                if let Some(call) = call.and_then(|call| self.items.get_mut(call)) {
                    call.is_answered = true;
                }
            }
            _ => {}
        }
        let time = time.map(Timestamp::as_millisecond);
        self.items.push(Item { kind, event, time, agent, message, call, is_answered: false });
    }

    /// A start is told again where more of it is known.
    fn start(&mut self, told: &SessionStarted) {
        let Some(known) = &mut self.started else {
            self.started = Some(told.clone());
            return;
        };
        for (known, told) in [
            (&mut known.harness, &told.harness),
            (&mut known.model, &told.model),
            (&mut known.version, &told.version),
            (&mut known.cwd, &told.cwd),
        ] {
            if known.is_none() {
                known.clone_from(told);
            }
        }
        if known.tools.is_none() {
            known.tools.clone_from(&told.tools);
        }
    }

    fn agent(&mut self, parent: String) -> usize {
        if let Some(agent) = self.subagents.get(&parent) {
            return *agent;
        }
        let call = self.calls.get(&parent).copied();
        self.agents.push(Agent { call, call_id: parent.clone() });
        let agent = self.agents.len() - 1;
        self.subagents.insert(parent, agent);
        agent
    }

    /// Gives an agent whose call comes only now to that call, unless the call is the agent's own.
    fn adopt(&mut self, id: &str, call: usize, caller: usize) {
        let Some(&agent) = self.subagents.get(id) else { return };
        let mut above = Some(caller);
        while let Some(at) = above {
            if at == agent {
                return;
            }
            let started_by = self.agents.get(at).and_then(|agent| agent.call);
            above = started_by.and_then(|call| self.items.get(call)).map(|item| item.agent);
        }
        if let Some(agent) = self.agents.get_mut(agent)
            && agent.call.is_none()
        {
            agent.call = Some(call);
        }
    }
}
