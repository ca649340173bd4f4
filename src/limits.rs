//! Every limit on what is remembered, looked at or shown, in one table.
//!
//! A leaf: it uses no room, and every room may use it. A limit belongs here when input can reach it;
//! the widths of a layout, the sizes of reads and writes and the durations of `wrap` stay where they
//! are used. Each row says what it bounds and what happens behind it; `docs/limits.md` is made of the
//! rows.

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Characters of a text.
    Characters,
    /// The things that the row names.
    Number,
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The name of its constant.
    pub name: &'static str,
    /// How much.
    pub value: usize,
    /// How much of what.
    pub unit: Unit,
    /// What it bounds.
    pub bounds: &'static [&'static str],
    /// What happens behind it.
    pub behind: &'static str,
}

macro_rules! limits {
    ($($room:literal {
        $($(#[doc = $bounds:literal])+ $vis:vis $name:ident = $value:expr, $unit:ident, $behind:literal;)+
    })+) => {
        $($(
            $(#[doc = $bounds])+
            #[doc = ""]
            #[doc = concat!("Behind it: ", $behind, ".")]
            #[cfg_attr(
                any(not(feature = "cli"), not(target_os = "linux")),
                allow(dead_code, reason = "what is left out has rows, too")
            )]
            $vis const $name: usize = $value;
        )+)+

        /// The rows of each room.
        pub const ROOMS: &[(&str, &[Limit])] = &[$(($room, &[$(Limit {
            name: stringify!($name),
            value: $value,
            unit: Unit::$unit,
            bounds: &[$($bounds),+],
            behind: $behind,
        }),+])),+];
    };
}

limits! {
    "input" {
        /// A line, unless `--max-line` says otherwise.
        pub DEFAULT_MAX_LINE = 64 << 20, Bytes,
            "the line is one clipped `raw` with its length, and reading goes on behind it";
        /// What is kept of an oversized line; enough for 8,000 characters of any width.
        pub(crate) LINE_HEAD = 64 << 10, Bytes,
            "the bytes are counted and thrown away";
        /// The brackets that are open at once in a document over several lines.
        pub(crate) DOCUMENT_DEPTH = 1024, Number,
            "it is no document, and is read line by line";
        /// A text field of an event, unless `--clip` says otherwise.
        pub DEFAULT_CLIP = 8000, Characters,
            "the rest is left out, and `truncated` is true";
        /// A file beside a session's file, which says what that one does not.
        pub(crate) MAX_BESIDE = 1 << 20, Bytes,
            "it is taken as not there";
    }
    "format" {
        /// The texts of a list together: the steps of a plan, the tasks that run in the background.
        pub(crate) MAX_LIST_TEXT = 64_000, Characters,
            "each text is clipped to its share";
        /// The share of a text in a list.
        pub(crate) MIN_LIST_CLIP = 80, Characters,
            "a share is never smaller, however long the list";
    }
    "json" {
        /// The values that are indexed on one line. A line of 64 MiB that holds nothing but brackets
        /// must not need a gigabyte of index.
        pub(crate) MAX_NODES = 4 << 20, Number,
            "what is inside the line's top-level values is left unread";
        /// The depth of nesting of a value that is passed on as JSON. The record that it stands in adds
        /// two levels, and common readers stop at 127.
        pub(crate) MAX_DEPTH = 125, Number,
            "the record is kept as `text`, not as `json`";
    }
    "redact" {
        /// The levels of escapes that are taken off a text to look into what it quotes.
        pub(crate) MAX_ESCAPE_LEVELS = 8, Number,
            "what is quoted more often is looked at as it is written";
        /// A block between its marks, such as a private key.
        pub(crate) MAX_SECRET_BLOCK = 64 << 10, Bytes,
            "what comes from there on is looked at by itself";
        /// The texts in pieces that are open at a time.
        pub(crate) MAX_OPEN_PIECES = 64, Number,
            "the oldest is taken for ended";
        /// The end of a text in pieces that is held back, since it may become a secret.
        pub(crate) MAX_HELD_PIECE = 96 << 10, Bytes,
            "`[redacted:line]` stands for it and for the rest of the text";
        /// What is kept of a text in pieces to look back at.
        pub(crate) MAX_LOOK_BACK = 512, Bytes,
            "a name that stands further before its value is not seen";
        /// The secrets that the report tells apart.
        pub(crate) MAX_SECRETS = 4096, Number,
            "the report says how many there are at least";
    }
    "adapter" {
        /// The ids and other things of a kind that an adapter remembers.
        pub(crate) MAX_RECENT = 256, Number,
            "the oldest is forgotten";
        /// A text that is put together from its pieces.
        pub(crate) MAX_PIECES_TEXT = 16 << 20, Bytes,
            "what comes from there on is a delta, but is missing in the whole, which is `truncated`";
        /// The texts together that a stream has open at a time.
        pub(crate) MAX_HELD_TEXT = 32 << 20, Bytes,
            "as behind the limit of one text";
        /// The paths in the arguments of a call, to list them when it has succeeded.
        pub(crate) MAX_WRITTEN_PATHS = 16 << 10, Bytes,
            "the call's files are not listed";
        /// The items that wait for the other half of a surrogate pair.
        pub(crate) MAX_HALVES = 16, Number,
            "the half is left out";
        /// claude: the subagents whose messages are open.
        pub(crate) MAX_CLAUDE_SUBAGENTS = 16, Number,
            "the oldest is forgotten";
        /// claude: the open blocks of a message.
        pub(crate) MAX_CLAUDE_BLOCKS = 256, Number,
            "the oldest is forgotten";
        /// claude: the models that are told apart in a session's totals.
        pub(crate) MAX_CLAUDE_MODELS = 64, Number,
            "further ones are `(other)`";
        /// claude: the name of such a model.
        pub(crate) MAX_CLAUDE_MODEL = 256, Bytes,
            "its figures are those of `(other)`";
        /// claude: the tasks of a plan.
        pub(crate) MAX_CLAUDE_TASKS = 1000, Number,
            "further tasks are not in the plan";
        /// claude: a text of a task, of a plan or in the background, that is remembered.
        pub(crate) MAX_CLAUDE_TASK_TEXT = 500, Characters,
            "the rest is forgotten: it is missing where a later line tells the task again";
        /// claude: the tasks in the background.
        pub(crate) MAX_CLAUDE_BACKGROUND = 64, Number,
            "one that no longer runs is forgotten, else the oldest";
        /// claude: the id of a task in the background, or of its call.
        pub(crate) MAX_CLAUDE_TASK_ID = 128, Bytes,
            "the task is not in the set";
        /// claude: the subagents whose plans are remembered.
        pub(crate) MAX_CLAUDE_PLANS = 16, Number,
            "the oldest is forgotten";
        /// claude, session files: the summaries that may be the name of what follows.
        pub(crate) MAX_CLAUDE_SUMMARIES = 16, Number,
            "the oldest is forgotten";
        /// claude, session files: such a summary.
        pub(crate) MAX_CLAUDE_SUMMARY = 1 << 10, Bytes,
            "it names nothing";
        /// claude, session files: the prompts that wait for their turn.
        pub(crate) MAX_CLAUDE_QUEUE = 64, Number,
            "the oldest is forgotten";
        /// claude, session files: such a prompt.
        pub(crate) MAX_CLAUDE_QUEUED = 64 << 10, Bytes,
            "it is a message only where a record of its own follows";
        /// cline: the subagents that are at work.
        pub(crate) MAX_CLINE_AGENTS = 256, Number,
            "the events of a further one name no parent";
        /// codex: an id that is remembered.
        pub(crate) MAX_CODEX_ID = 256, Bytes,
            "the id is not remembered";
        /// codex: the texts that are shown in snapshots at the same time.
        pub(crate) MAX_CODEX_TEXTS = 16, Number,
            "the oldest is forgotten; what comes of it starts again with `reset`";
        /// codex: a text that is shown in snapshots.
        pub(crate) MAX_CODEX_TEXT = 4 << 20, Bytes,
            "each delta says all of it, with `reset`";
        /// codex, legacy form: the running calls.
        pub(crate) MAX_CODEX_CALLS = 32, Number,
            "the oldest is forgotten";
        /// codex, legacy form: the output of a running call that comes in pieces.
        pub(crate) MAX_CODEX_OUTPUT = 1 << 20, Bytes,
            "the last delta says all of it, with `reset`";
        /// copilot: the open texts.
        pub(crate) MAX_COPILOT_TEXTS = 32, Number,
            "the oldest is forgotten";
        /// cursor: the text of a turn, to know its parts again where they come whole.
        pub(crate) MAX_CURSOR_SAID = 1 << 20, Bytes,
            "that text and those behind it are messages again where they are repeated";
        /// pi: the content blocks that write a call.
        pub(crate) MAX_PI_CALLS = 256, Number,
            "the deltas of a further one name no call";
    }
    "format" {
        /// The events of a record that carry its source, so that a line of many events is not printed for
        /// each of them.
        pub(crate) MAX_SOURCES = 16, Number,
            "the others have its `line` and no `source`";
        /// A session's id in bytes of JSON, where it is carried from line to line.
        pub(crate) MAX_SESSION = 1 << 10, Bytes,
            "it is no id: the records keep the session that was named before";
    }
    "read" {
        /// The dialects that are told of one input.
        pub(crate) MAX_DETECTED = 16, Number,
            "the input is read all the same";
        /// The tries to read a record on one line. Each event carries all of the line, so a line of
        /// thousands of records would be printed thousands of times.
        pub(crate) MAX_TRIES = 16, Number,
            "the line is one `raw`";
    }
    "run" {
        /// The rounds of killing what was started while the others were killed.
        pub(crate) MAX_KILL_ROUNDS = 100, Number,
            "what is started then lives on";
        /// The calls that are watched because their result has not come.
        pub(crate) MAX_WATCHED_CALLS = 256, Number,
            "the oldest is forgotten, as if its result had come";
        /// The messages whose usage has come, to count each model call once.
        pub(crate) MAX_WATCHED_MESSAGES = 256, Number,
            "the oldest is forgotten: more of its usage counts as another call";
        /// The subagents whose model calls are told apart.
        pub(crate) MAX_WATCHED_AGENTS = 256, Number,
            "all are forgotten: the next word of each counts as another call";
        /// An agent's word in a line of `wrap` on standard error or in its notice.
        pub(crate) MAX_WATCHED_TEXT = 120, Characters,
            "the rest is `…`";
    }
    "report" {
        /// The tools that `check` remembers of a dialect.
        pub(crate) MAX_UNKNOWN_TOOLS = 1_000, Number,
            "further names are not looked at";
        /// The sessions that are told apart.
        pub(crate) MAX_SESSIONS = 10_000, Number,
            "what comes after them is one more";
        /// The first words of a session.
        pub(crate) MAX_FIRST_WORDS = 200, Characters,
            "the rest is left out";
        /// The files of a session.
        pub(crate) MAX_SESSION_FILES = 16, Number,
            "further ones are not named";
        /// The streams that are read at a time: of stored events several may be mixed.
        pub(crate) MAX_OPEN_STREAMS = 64, Number,
            "the oldest is taken as ended";
        /// The sessions that are mixed in the streams that are read.
        pub(crate) MAX_OPEN_PARTS = 64, Number,
            "the oldest is taken as ended";
        /// The calls that are remembered, to count none of them twice.
        pub(crate) MAX_TOLD_CALLS = 1 << 18, Number,
            "the one with the lowest digest is forgotten";
        /// The runs of a session that are held, to take them in the order of their times.
        pub(crate) MAX_HELD_RUNS = 16, Number,
            "they are taken in the order in which they come";
        /// The names and texts of all sessions together.
        pub(crate) MAX_SESSIONS_TEXT = 32 << 20, Bytes,
            "what comes after them is one more";
        /// An id that outlives its line: of a session, a call, a task. `show` keeps it in the same way.
        pub(crate) MAX_ID = 256, Bytes,
            "it is its start and a digest of all of it";
        /// A name that outlives its line: of a tool, a model, a role, a code.
        pub(crate) MAX_NAME = 256, Bytes,
            "it is its start and a digest of all of it";
        /// A path, title or description that outlives its line.
        pub(crate) MAX_PATH = 1_024, Bytes,
            "it is its start and a digest of all of it";
        /// The parts of sessions that are remembered, to count none of them twice.
        pub(crate) MAX_PARTS = 100_000, Number,
            "the one with the lowest digest is forgotten";
        /// The tools, roles and notice codes of a session.
        pub(crate) MAX_NAMES = 256, Number,
            "further ones are `(other)`";
        /// The models of a session.
        pub(crate) MAX_MODELS = 256, Number,
            "further ones are `(other)`";
        /// The changed files of a session.
        pub(crate) MAX_FILES = 1_000, Number,
            "further ones are counted, each change for itself";
        /// The calls whose result is waited for, to know its tool.
        pub(crate) MAX_OPEN_CALLS = 256, Number,
            "the oldest is forgotten: an error of its tool counts under `(unknown)`";
        /// The background tasks of a session.
        pub(crate) MAX_BACKGROUND_TASKS = 256, Number,
            "further ones are not named";
        /// A text of an agent in a row of the recap.
        pub(crate) MAX_ROW_TEXT = 200, Characters,
            "the rest is `…`";
        /// The files, tasks or tools in a row of the recap.
        pub(crate) MAX_ROW_ITEMS = 20, Number,
            "further ones are counted";
        /// `failures`: the failures that are listed.
        pub(crate) MAX_FAILURES = 10_000, Number,
            "further ones are counted";
        /// `failures`: a command, and each of the last lines of its result.
        pub(crate) MAX_FAILURE_TEXT = 500, Characters,
            "the rest is left out";
        /// `check`: the calls whose result is waited for.
        pub(crate) MAX_CHECKED_CALLS = 10_000, Number,
            "the one whose id comes first in the alphabet counts as without a result";
        /// `check`: the types of a dialect that were not mapped.
        pub(crate) MAX_TYPES = 1_000, Number,
            "further ones are `(other)`";
        /// `check`: the disagreements of a dialect.
        pub(crate) MAX_DISAGREEMENTS = 1_000, Number,
            "further ones are left out";
        /// `title-probe`: a session id.
        pub(crate) MAX_SESSION_ID = 128, Bytes,
            "the id is refused";
        /// `title-probe`: the last lines of a kind, so that one that is cut or empty hides no name.
        pub(crate) MAX_TITLE_LINES = 20, Number,
            "earlier ones are not looked at";
    }
    "show" {
        /// The calls that are remembered, to know what a result or a subagent belongs to.
        pub(crate) MAX_KNOWN_CALLS = 256, Number,
            "the oldest is forgotten: its result names no call";
        /// What the agent said, to know it again where an end record repeats it.
        pub(crate) MAX_SAID = 64, Number,
            "the oldest is forgotten: an end that repeats it shows it again";
        /// The depth of subagents.
        pub(crate) MAX_INDENT = 8, Number,
            "deeper ones are indented no further";
        /// `terminal`: quotes and lists in each other.
        pub(crate) MAX_QUOTED = 8, Number,
            "deeper ones are indented no further and have no mark";
        /// The background tasks that are remembered.
        pub(crate) MAX_KNOWN_TASKS = 64, Number,
            "the oldest is forgotten";
        /// What is shown of a call's argument.
        pub(crate) MAX_ARGUMENT = 2_000, Characters,
            "the rest is `…`";
        /// The elements of a list that is a call's argument.
        pub(crate) MAX_ARGUMENT_WORDS = 50, Number,
            "further ones are left out";
        /// What is shown of an argument where a call is only mentioned.
        pub(crate) MAX_MENTION = 60, Characters,
            "the rest is `…`";
        /// The lines of an edit, old and new, that are compared exactly.
        pub(crate) MAX_COMPARED_LINES = 5_000, Number,
            "all behind the first difference counts as changed";
        /// The lines of a change to one file.
        pub(crate) MAX_DIFF_LINES = 1_000, Number,
            "further ones are counted";
        /// The questions of a call, and the options of a question.
        pub(crate) MAX_QUESTIONS = 32, Number,
            "further ones are left out";
        /// A line of a result where results are folded.
        pub(crate) MAX_FOLDED_LINE = 2_000, Characters,
            "the rest is `…`";
        /// `plain`: a text, unless `--full` is given.
        pub(crate) MAX_PLAIN_TEXT = 2_000, Characters,
            "the rest is `…`";
        /// `terminal`: a text that is shown as it comes, to write it again as a whole.
        pub(crate) MAX_LIVE_TEXT = 256 << 10, Bytes,
            "it is shown, but not remembered";
        /// A text that is arriving unseen, in case its whole never comes.
        pub(crate) MAX_TORN_TEXT = 64 << 10, Bytes,
            "the rest is not shown";
        /// `markdown`: the page, unless `--max-bytes` says otherwise. GitHub takes a summary of up to
        /// 1 MiB.
        pub DEFAULT_MAX_BYTES = 900 << 10, Bytes,
            "the oldest of the session is left out, and the page says so";
        /// `markdown`: a text, unless `--full` is given.
        pub(crate) MAX_MARKDOWN_TEXT = 8_000, Characters,
            "the rest is left out, and the page says so";
        /// `markdown`: the rounds of escaping what would act in a text. What is escaped no longer
        /// hides what stands in it, which takes another round.
        pub(crate) MAX_ESCAPE_ROUNDS = 8, Number,
            "the text is a block of code";
        /// `html`: a text, unless `--full` is given.
        pub(crate) MAX_HTML_TEXT = 20_000, Characters,
            "the rest is left out, and the page says so";
        /// `html`: the page, unless `--full` is given.
        pub(crate) MAX_HTML_PAGE = 5 << 20, Bytes,
            "results and changes are left out from there on, and the page says so";
        /// `html`: the sessions of the index.
        pub(crate) MAX_PAGE_SESSIONS = 1_000, Number,
            "further ones are counted";
        /// `html`: the errors in a session's head.
        pub(crate) MAX_PAGE_ERRORS = 100, Number,
            "further ones are counted";
        /// `html`: the files in a session's head.
        pub(crate) MAX_PAGE_FILES = 200, Number,
            "further ones are counted";
        /// `html`: the marks of a session's time line.
        pub(crate) MAX_TIMELINE_MARKS = 600, Number,
            "every second goes, failures excepted";
        /// `html`: the points of a curve.
        pub(crate) MAX_CURVE_POINTS = 512, Number,
            "two neighbours become one, the higher";
    }
    "export" {
        /// The events of a stream that are held until it ends.
        pub(crate) MAX_EXPORTED_EVENTS = 2_000_000, Number,
            "further ones are left out, and counted";
        /// The texts of a stream, where they are exported, that are held until it ends.
        pub(crate) MAX_EXPORTED_TEXT = 1 << 30, Bytes,
            "further events are left out, and counted";
    }
}
