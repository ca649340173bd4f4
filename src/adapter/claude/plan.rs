//! The plan: `TodoWrite` states it whole in its call, `TaskCreate`, `TaskUpdate` and `TaskList` say
//! what happened to it in their results (the id of a created task stands nowhere else).

use std::borrow::Cow;

use crate::adapter::content;
use crate::format::batch::Batch;
use crate::format::event::{Plan as Event, Step};
use crate::format::write::{Name, Text};
use crate::input::text::clip;
use crate::json::{Doc, Value};
use crate::limits::{MAX_CLAUDE_PLANS, MAX_CLAUDE_TASK_TEXT, MAX_CLAUDE_TASKS};

/// The plans of the stream.
#[derive(Debug, Default)]
pub(super) struct Plan {
    main: Shown,
    /// The subagents' plans.
    agents: Vec<Shown>,
    /// The session's task list.
    tasks: Vec<Item>,
}

/// What was emitted last for an agent.
#[derive(Debug, Default)]
struct Shown {
    /// The call that started it.
    agent: String,
    items: Vec<Item>,
    /// The plan before that.
    former: Vec<Item>,
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Item {
    id: String,
    text: Option<String>,
    status: Option<String>,
}

/// A call whose result is awaited.
#[derive(Debug)]
pub(super) enum Pending {
    /// The tool runs a command: its failure states the exit status.
    Shell,
    Other,
    Todo,
    Create {
        subject: Option<String>,
    },
    Update {
        task: Option<String>,
        subject: Option<String>,
        status: Option<String>,
    },
    List,
}

/// What a result says to whoever waits for it.
pub(super) struct Outcome<'a> {
    pub(super) failed: bool,
    /// The harness's own record of the result.
    pub(super) detail: Value<'a>,
    /// What the model gets to see.
    pub(super) text: Value<'a>,
}

impl Pending {
    /// What is to be remembered of a call.
    pub(super) fn of(name: &str, input: Value<'_>) -> Self {
        let owned = |key| input.get(key).decode().map(kept);
        match name {
            "Bash" | "PowerShell" | "run_shell_command" => Pending::Shell,
            "TodoWrite" | "todo_write" => Pending::Todo,
            "TaskCreate" => Pending::Create { subject: owned("subject") },
            "TaskUpdate" => Pending::Update {
                task: owned("taskId"),
                subject: owned("subject"),
                status: owned("status"),
            },
            "TaskList" => Pending::List,
            _ => Pending::Other,
        }
    }
}

impl Plan {
    /// A `TodoWrite` call. Models also pass the list as a JSON string.
    pub(super) fn todos(&mut self, agent: &str, input: Value<'_>, out: &mut Batch) {
        let mut doc = Doc::default();
        let text = input.decode().unwrap_or_default();
        let input = if input.is_string() { doc.parse(&text).unwrap_or(input) } else { input };
        let todos = input.get("todos");
        let mut doc = Doc::default();
        let text = todos.decode().unwrap_or_default();
        let todos = if todos.is_string() { doc.parse(&text).unwrap_or(todos) } else { todos };
        if !todos.is_array() {
            return;
        }
        let parts = || todos.elements().map(|todo| todo.pick(["id", "content", "status"]));
        out.push(Event {
            steps: parts().map(|[_, text, status]| content::step(text, status)).collect(),
        });
        let items = parts().take(MAX_CLAUDE_TASKS);
        let items = items.map(|[id, text, status]| Item::read(id, text, status)).collect();
        let shown = self.shown(agent);
        shown.former = std::mem::replace(&mut shown.items, items);
    }

    /// The result of a call that was remembered.
    pub(super) fn result(
        &mut self,
        agent: &str,
        pending: Pending,
        outcome: &Outcome<'_>,
        out: &mut Batch,
    ) {
        let Outcome { failed, detail, text } = *outcome;
        match pending {
            Pending::Todo if failed => {
                let shown = self.shown(agent);
                shown.items = std::mem::take(&mut shown.former);
                shown.emit(out);
            }
            Pending::Create { subject } if !failed => {
                let [id, title] = detail.get("task").pick(["id", "subject"]);
                let id = id
                    .owned()
                    .or_else(|| created(&text.decode().unwrap_or_default()).map(str::to_owned));
                let title = title.decode().map(kept);
                if let Some(id) = id
                    && self.tasks.len() < MAX_CLAUDE_TASKS
                {
                    self.tasks.push(Item {
                        id,
                        text: title.or(subject),
                        status: Some("pending".to_owned()),
                    });
                    self.show_tasks(agent, out);
                }
            }
            Pending::Update { task, subject, status } if !failed => {
                if detail.get("success").bool() == Some(false) {
                    return;
                }
                let [id, change] = detail.pick(["taskId", "statusChange"]);
                let (id, status) = (id.owned().or(task), change.get("to").owned().or(status));
                let Some(id) = id else { return };
                if status.as_deref() == Some("deleted") {
                    self.tasks.retain(|item| item.id != id);
                } else if let Some(item) = self.tasks.iter_mut().find(|item| item.id == id) {
                    item.text = subject.or_else(|| item.text.take());
                    item.status = status.or_else(|| item.status.take());
                }
                self.show_tasks(agent, out);
            }
            Pending::List if !failed && detail.get("tasks").is_array() => {
                let tasks = detail.get("tasks").elements().take(MAX_CLAUDE_TASKS);
                let parts = tasks.map(|task| task.pick(["id", "subject", "status"]));
                self.tasks = parts.map(|[id, text, status]| Item::read(id, text, status)).collect();
                self.show_tasks(agent, out);
            }
            _ => {}
        }
    }

    /// Emits the task list where it is not what was emitted last.
    fn show_tasks(&mut self, agent: &str, out: &mut Batch) {
        let tasks = self.tasks.clone();
        let shown = self.shown(agent);
        if shown.items != tasks {
            shown.items = tasks;
            shown.emit(out);
        }
    }

    fn shown(&mut self, agent: &str) -> &mut Shown {
        if agent.is_empty() {
            return &mut self.main;
        }
        let at = self.agents.iter().position(|shown| shown.agent == agent).unwrap_or_else(|| {
            if self.agents.len() >= MAX_CLAUDE_PLANS {
                self.agents.remove(0);
            }
            self.agents.push(Shown { agent: agent.to_owned(), ..Shown::default() });
            self.agents.len() - 1
        });
        self.agents.get_mut(at).unwrap_or(&mut self.main)
    }
}

impl Shown {
    fn emit(&self, out: &mut Batch) {
        out.push(Event { steps: self.items.iter().map(Item::step).collect() });
    }
}

impl Item {
    fn read(id: Value<'_>, text: Value<'_>, status: Value<'_>) -> Self {
        let owned = |value: Value<'_>| value.decode().map(kept);
        Item { id: owned(id).unwrap_or_default(), text: owned(text), status: owned(status) }
    }

    fn step(&self) -> Step<'_> {
        Step {
            text: self.text.as_ref().map(Text::from),
            status: self.status.as_deref().map(|word| Name::from(content::step_status(word))),
        }
    }
}

/// As much of a text as is remembered.
fn kept(text: Cow<'_, str>) -> String {
    let (head, cut) = clip(&text, MAX_CLAUDE_TASK_TEXT);
    if cut { head.to_owned() } else { text.into_owned() }
}

/// The id in `Task #1 created successfully: …`, which is all that a subagent's line has.
fn created(text: &str) -> Option<&str> {
    let (id, _) = text.strip_prefix("Task #")?.split_once(" created successfully")?;
    id.bytes().all(|b| b.is_ascii_digit()).then_some(id)
}
