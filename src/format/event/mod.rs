//! The vocabulary: the format contract.
//!
//! A key that is marked `core` is always there, `null` when the harness did not say. A key that is
//! marked `ext` is there only when it has a value; a `tag` is a core key that tells two payloads of one
//! type apart. Adding a type or an `ext` key is safe; renaming or
//! removing one is forbidden for ever.

mod kind;
pub(crate) mod typed;

use crate::format::shape::{ObjectShape, objects, words};
use crate::format::write::{Clipped, Field, Json, Keyed, Name, Object, Text};
use crate::json::Number;

pub use kind::EventType;

/// What an event holds.
pub(crate) trait Payload: Object {
    const TYPE: EventType;

    /// The session that the stream is of from this event on.
    fn names_session(&self) -> Option<&Name<'_>> {
        None
    }
}

words! {
    /// How a turn of work ended.
    Status { #[default] Succeeded = "succeeded", Failed = "failed" }
    /// How grave a notice is.
    Level { #[default] Info = "info", Warning = "warning", Error = "error" }
    /// What a notice is about.
    Code {
        #[default] Info = "info", Error = "error", Retry = "retry", RateLimit = "rate_limit",
        PermissionDenied = "permission_denied", ModelChanged = "model_changed",
        Compacted = "compacted", BudgetExhausted = "budget_exhausted", Limit = "limit",
    }
    /// What a delta is a piece of.
    Of {
        #[default] Message = "message", Thinking = "thinking", ToolCall = "tool.call",
        ToolResult = "tool.result",
    }
    /// What a tool does, in words that are the same for every harness.
    Act {
        #[default] Execute = "execute", Read = "read", Edit = "edit", Delete = "delete", Move = "move",
        Search = "search", Fetch = "fetch", Agent = "agent", Plan = "plan", Ask = "ask",
        Think = "think", SwitchMode = "switch_mode",
    }
    /// The scope of `CallUsage`.
    CallScope { #[default] Call = "call" }
    /// The scope of `SessionUsage`.
    SessionScope { #[default] Session = "session" }
    /// Since when a running total counts.
    Since { #[default] Process = "process", Session = "session" }
}

objects! {
    /// A session began, or the process announced its next turn.
    SessionStarted<'a> = SessionStarted {
        /// The program: `claude-code`, `codex`, …
        core harness: Option<Name<'a>> as Option<String> = "harness";
        /// The model as the harness names it.
        core model: Option<Name<'a>> as Option<String> = "model";
        /// The model's context window in tokens, as the harness reports it, else by the model's name.
        core context_window: Option<u64> = "contextWindow";
        /// The working directory.
        core cwd: Option<Name<'a>> as Option<String> = "cwd";
        /// The session's id.
        core session_id: Option<Name<'a>> as Option<String> = "sessionId";
        /// The names of the tools.
        core tools: Option<Vec<Name<'a>>> as Option<Vec<String>> = "tools";
        /// The harness's version.
        ext version: Option<Name<'a>> as Option<String> = "version";
        /// The turn's number in this process, from the second on.
        ext turn: Option<u64> = "turn";
        /// The session whose agent started this one: this is a subagent's.
        ext parent_session_id: Option<Name<'a>> as Option<String> = "parentSessionId";
        /// The session that this one was forked from.
        ext forked_from: Option<Name<'a>> as Option<String> = "forkedFrom";
    }

    /// The session has a name.
    SessionTitle<'a> = SessionTitle {
        /// The session's name.
        core title: Option<Name<'a>> as Option<String> = "title";
    }

    /// A whole text.
    Message<'a> = Message {
        /// Who speaks: `assistant`, `user` or `system`.
        core role: Option<Name<'a>> as Option<String> = "role";
        /// The text.
        core text: Option<Text<'a>> as Option<String> = "text";
        /// Whether the text was clipped.
        core truncated: Clipped as bool = "truncated";
        /// Written by the harness, not by the model or the user.
        ext synthetic: bool = "synthetic";
        /// Said before and printed again.
        ext replay: bool = "replay";
        /// Printed, then made void by the harness.
        ext discarded: bool = "discarded";
        /// What was not text.
        ext attachments: Vec<Attachment<'a>> as Vec<Attachment> = "attachments";
    }

    /// Reasoning.
    Thinking<'a> = Thinking {
        /// The text; empty when it was redacted.
        core text: Option<Text<'a>> as Option<String> = "text";
        /// Whether the text was clipped.
        core truncated: Clipped as bool = "truncated";
        /// The harness hides the text.
        ext redacted: bool = "redacted";
    }

    /// A tool call.
    ToolCall<'a> = ToolCall {
        /// The id that the result repeats.
        core call_id: Option<Name<'a>> as Option<String> = "callId";
        /// The tool's name.
        core name: Option<Name<'a>> as Option<String> = "name";
        /// The arguments as JSON text, or the harness's own string.
        core input: Option<Text<'a>> as Option<String> = "input";
        /// Whether the input was clipped.
        core truncated: Clipped as bool = "truncated";
        /// What the tool does, where the harness says so or the tool is one of its own.
        ext kind: Option<Act> = "kind";
        /// The argument that says to what: the command line, the paths (a line each), the pattern, the
        /// address or query, the description, the question.
        ext target: Option<Text<'a>> as Option<String> = "target";
    }

    /// A tool's result.
    ToolResult<'a> = ToolResult {
        /// The call's id.
        core call_id: Option<Name<'a>> as Option<String> = "callId";
        /// Whether the harness says that the call failed.
        core is_error: bool = "isError";
        /// The result as text.
        core output: Option<Text<'a>> as Option<String> = "output";
        /// Whether the output was clipped.
        core truncated: Clipped as bool = "truncated";
        /// The exit status, where a fixed form states it.
        ext exit_code: Option<i64> = "exitCode";
        /// `denied`, `timeout` or `cancelled`, where that is finer than `isError`.
        ext status: Option<Name<'a>> as Option<String> = "status";
        /// How long the call took in milliseconds, where the harness states it.
        ext duration_ms: Option<Number> as Option<f64> = "durationMs";
        /// The files that the call changed.
        ext files: Vec<FileChange<'a>> as Vec<FileChange> = "files";
        /// What was not text.
        ext attachments: Vec<Attachment<'a>> as Vec<Attachment> = "attachments";
    }

    /// The plan, whole.
    Plan<'a> = Plan {
        /// The steps in order.
        core steps: Vec<Step<'a>> as Vec<Step> = "steps";
    }

    /// What one model call consumed, or by how much the figures of a call (same `messageId`) grew
    /// since its last event. Their sum is what was spent.
    CallUsage<'a> = Usage {
        /// `call`: of one model call.
        tag scope: CallScope = "scope";
        /// The model.
        core model: Option<Name<'a>> as Option<String> = "model";
        /// Input tokens without cached ones.
        core input_tokens: Option<u64> = "inputTokens";
        /// Output tokens as billed.
        core output_tokens: Option<u64> = "outputTokens";
        /// Tokens read from the cache.
        core cache_read_tokens: Option<u64> = "cacheReadTokens";
        /// Tokens written to the cache.
        core cache_creation_tokens: Option<u64> = "cacheCreationTokens";
        /// The prompt's size: input, cache reads and cache writes.
        core context_tokens: Option<u64> = "contextTokens";
        /// How many of the output tokens were reasoning (per dialect: inside or beside them).
        ext reasoning_tokens: Option<u64> = "reasoningTokens";
        /// The harness's own cost figure in US dollars.
        ext cost_usd: Option<f64> = "costUsd";
    }

    /// The session's running total. The latest one counts; they are never added up.
    SessionUsage<'a> = Usage {
        /// `session`: of everything so far.
        tag scope: SessionScope = "scope";
        /// Input tokens without cached ones.
        core input_tokens: Option<u64> = "inputTokens";
        /// Output tokens as billed.
        core output_tokens: Option<u64> = "outputTokens";
        /// Tokens read from the cache.
        core cache_read_tokens: Option<u64> = "cacheReadTokens";
        /// Tokens written to the cache.
        core cache_creation_tokens: Option<u64> = "cacheCreationTokens";
        /// The harness's own cost figure in US dollars.
        core cost_usd: Option<f64> = "costUsd";
        /// Turns as the harness counts them.
        core turns: Option<u64> = "turns";
        /// Wall time in milliseconds.
        core duration_ms: Option<Number> as Option<f64> = "durationMs";
        /// How many of the output tokens were reasoning.
        ext reasoning_tokens: Option<u64> = "reasoningTokens";
        /// The same figures by model name.
        ext models: Keyed<'a, ModelUsage> as BTreeMap<String, ModelUsage> = "models";
        /// Since when it counts: `process` or `session`.
        ext cumulative: Option<Since> = "cumulative";
        /// What of it was spent before this session's own share began: by the one it was forked from.
        ext inherited: Option<Inherited> = "inherited";
    }

    /// A turn of work ended.
    SessionEnded<'a> = SessionEnded {
        /// `succeeded` or `failed`.
        core status: Status as Option<Status> = "status";
        /// Why the model stopped, in the harness's word.
        core stop_reason: Option<Name<'a>> as Option<String> = "stopReason";
        /// The end record's own text, which is most often the last message's.
        core summary: Option<Text<'a>> as Option<String> = "summary";
        /// The summary was clipped.
        ext truncated: Clipped as bool = "truncated";
        /// The harness's word for the kind of end, or the limit of `wrap` that ended it.
        ext reason: Option<Name<'a>> as Option<String> = "reason";
        /// The error's message.
        ext error: Option<Text<'a>> as Option<String> = "error";
        /// The exit status.
        ext exit_code: Option<i64> = "exitCode";
        /// The signal that ended the child.
        ext signal: Option<Name<'a>> as Option<String> = "signal";
        /// Made up by `wrap` from how the child ended.
        ext synthetic: bool = "synthetic";
        /// Structured output.
        ext output: Option<Json<'a>> as Option<Value> = "output";
    }

    /// What runs in the background.
    SessionBackground<'a> = SessionBackground {
        /// The whole set that is running now; empty when nothing is.
        core tasks: Vec<Task<'a>> as Vec<Task> = "tasks";
        /// What happened to one of them.
        ext change: Option<TaskChange<'a>> as Option<TaskChange> = "change";
    }

    /// A piece of a text. The whole follows as an event of its own.
    Delta<'a> = Delta {
        /// `message`, `thinking`, `tool.call` or `tool.result`.
        core of: Of as Option<Of> = "of";
        /// The piece.
        core text: Option<Text<'a>> as Option<String> = "text";
        /// The content block's number.
        ext index: Option<u64> = "index";
        /// The tool call.
        ext call_id: Option<Name<'a>> as Option<String> = "callId";
        /// The harness started this text again: forget what came before.
        ext reset: bool = "reset";
    }

    /// Something a person should know.
    Notice<'a> = Notice {
        /// `info`, `warning` or `error`.
        core level: Level as Option<Level> = "level";
        /// The same word for every harness.
        core code: Code as Option<Code> = "code";
        /// The harness's words.
        core message: Option<Text<'a>> as Option<String> = "message";
        /// The message was clipped.
        ext truncated: Clipped as bool = "truncated";
        /// Which try failed, of how many, and the wait before the next in milliseconds.
        ext retry: Option<Retry> = "retry";
        /// The tool call.
        ext call_id: Option<Name<'a>> as Option<String> = "callId";
        /// What it was before.
        ext from: Option<Name<'a>> as Option<String> = "from";
        /// What it is now.
        ext to: Option<Name<'a>> as Option<String> = "to";
        /// A rate limit's figures.
        ext limit: Option<RateLimit<'a>> as Option<RateLimit> = "limit";
    }

    /// A line or block that was not mapped, as JSON.
    RawJson<'a> = Raw {
        /// The object or block, unchanged.
        tag json: Json<'a> as Value = "json";
    }

    /// A line that was not mapped, as text.
    RawText<'a> = Raw {
        /// The line.
        core text: Text<'a> as Option<String> = "text";
        /// Whether the text was clipped.
        core truncated: Clipped as bool = "truncated";
        /// The input ended inside this line.
        ext unterminated: bool = "unterminated";
        /// The length of an oversized line.
        ext bytes: Option<u64> = "bytes";
    }

    /// A step of a plan.
    Step<'a> {
        /// What is to be done.
        core text: Option<Text<'a>> as Option<String> = "text";
        /// `pending`, `in_progress`, `completed`, or the harness's own word.
        core status: Option<Name<'a>> as Option<String> = "status";
    }

    /// A file that a tool changed.
    FileChange<'a> {
        /// The path as the harness prints it.
        core path: Name<'a> as Option<String> = "path";
        /// `add`, `update`, `delete`, `rename`, or `write`: it was made or replaced, and the harness does
        /// not say which.
        core change: Name<'a> as Option<String> = "change";
    }

    /// Content that is not text; never the data itself.
    Attachment<'a> {
        /// The media type.
        ext media_type: Option<Name<'a>> as Option<String> = "mediaType";
        /// The size of the data in bytes.
        ext bytes: Option<u64> = "bytes";
    }

    /// A background task.
    Task<'a> {
        /// The task's id.
        core task_id: Option<Name<'a>> as Option<String> = "taskId";
        /// The harness's word for its kind.
        core kind: Option<Name<'a>> as Option<String> = "kind";
        /// What it does.
        core description: Option<Text<'a>> as Option<String> = "description";
        /// The tool call that started it.
        core call_id: Option<Name<'a>> as Option<String> = "callId";
    }

    /// What happened to a background task.
    TaskChange<'a> {
        /// The task's id.
        ext task_id: Option<Name<'a>> as Option<String> = "taskId";
        /// What it became.
        ext status: Option<Name<'a>> as Option<String> = "status";
        /// What it does.
        ext description: Option<Text<'a>> as Option<String> = "description";
        /// What came of it.
        ext summary: Option<Text<'a>> as Option<String> = "summary";
        /// The tool call that started it.
        ext call_id: Option<Name<'a>> as Option<String> = "callId";
    }

    /// A try that failed.
    Retry {
        /// The try's number, from 1.
        ext attempt: Option<u64> = "attempt";
        /// How many tries there are.
        ext max: Option<u64> = "max";
        /// The wait before the next try in milliseconds.
        ext delay_ms: Option<Number> as Option<f64> = "delayMs";
    }

    /// How far a rate limit is used up.
    RateLimit<'a> {
        /// The harness's word for the window that is counted over.
        ext window: Option<Name<'a>> as Option<String> = "window";
        /// The share that is used, from 0 to 1.
        ext used_share: Option<f64> = "usedShare";
        /// When the window begins anew: RFC 3339, UTC, milliseconds.
        ext resets_at: Option<Name<'a>> as Option<String> = "resetsAt";
    }

    /// The share of a running total that another session spent, or another part of this one.
    Inherited {
        /// Input tokens without cached ones.
        ext input_tokens: Option<u64> = "inputTokens";
        /// Output tokens as billed.
        ext output_tokens: Option<u64> = "outputTokens";
        /// Tokens read from the cache.
        ext cache_read_tokens: Option<u64> = "cacheReadTokens";
        /// Tokens written to the cache.
        ext cache_creation_tokens: Option<u64> = "cacheCreationTokens";
        /// How many of the output tokens were reasoning.
        ext reasoning_tokens: Option<u64> = "reasoningTokens";
        /// The harness's own cost figure in US dollars.
        ext cost_usd: Option<f64> = "costUsd";
    }

    /// One model's share of the running total.
    ModelUsage {
        /// Input tokens without cached ones.
        ext input_tokens: Option<u64> = "inputTokens";
        /// Output tokens as billed.
        ext output_tokens: Option<u64> = "outputTokens";
        /// Tokens read from the cache.
        ext cache_read_tokens: Option<u64> = "cacheReadTokens";
        /// Tokens written to the cache.
        ext cache_creation_tokens: Option<u64> = "cacheCreationTokens";
        /// How many of the output tokens were reasoning.
        ext reasoning_tokens: Option<u64> = "reasoningTokens";
        /// The harness's own cost figure in US dollars.
        ext cost_usd: Option<f64> = "costUsd";
        /// The model's context window in tokens.
        ext context_window: Option<u64> = "contextWindow";
    }
}
