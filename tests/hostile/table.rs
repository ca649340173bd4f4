//! The table.

use crate::inputs as i;
use crate::run::{Bound, Input};

/// An input, and what reads it.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) input: Input,
    pub(crate) commands: &'static [&'static str],
    /// The bounds that some of the commands break today, and why.
    pub(crate) known: &'static [(Bound, &'static str)],
}

const FILTER: &[&str] = &["normalize", "normalize --no-source --clip 0"];
const SHOW: &[&str] = &[
    "show --format plain",
    "show --format terminal --color always",
    "show --format markdown",
    "show --format html",
    "show --format terminal --full --thinking --raw",
];
const ALL: &[&str] = &[
    "normalize",
    "normalize -p jsonl --no-source --clip 0",
    "check",
    "summarize",
    "show --format terminal --color always",
    "show --format markdown",
    "show --format html --full",
];

/// A row that holds.
const fn row(name: &'static str, input: Input, commands: &'static [&'static str]) -> Row {
    Row { name, input, commands, known: &[] }
}

/// A row that breaks bounds today.
const fn known(
    name: &'static str,
    input: Input,
    commands: &'static [&'static str],
    known: &'static [(Bound, &'static str)],
) -> Row {
    Row { name, input, commands, known }
}

const SOURCES: &str = "each event of a line carries the whole line";
const MAPS: &str = "what is remembered is bounded in number and not in bytes";

pub(crate) const ROWS: &[Row] = &[
    // The long ones first: two are run at a time.
    row("open blocks", i::open_blocks, &["normalize --no-source"]),
    row("running tools", i::running_tools, &["normalize --no-source"]),
    known("long session ids", i::long_session_ids, &["check"], &[(Bound::Memory, MAPS)]),
    known(
        "long session ids, summed up",
        i::long_session_ids,
        &["summarize"],
        &[(Bound::Memory, MAPS)],
    ),
    known(
        "long call ids, shown",
        i::long_call_ids,
        &["show --format plain"],
        &[(Bound::Memory, MAPS)],
    ),
    known("long tool names", i::long_tool_names, &["summarize"], &[(Bound::Memory, MAPS)]),
    row("text over its room", i::text_over_its_room, &["normalize --no-source --clip 0"]),
    known(
        "deeper than the index",
        i::deep_beyond_the_index,
        &["normalize -p codex --no-source"],
        &[(Bound::Record, "what a line too large for its index holds is taken for shallow")],
    ),
    // What is no record.
    row("nothing", i::nothing, ALL),
    row("line feeds", i::line_feeds, ALL),
    row("null", i::nulls, ALL),
    row("blanks at the edges", i::blanks, ALL),
    row("no line feed", i::no_line_feed, ALL),
    row("short lines", i::short_lines, &["normalize", "check", "summarize", "show --format html"]),
    row("no UTF-8", i::no_utf8, ALL),
    row("NUL bytes", i::nul_bytes, ALL),
    row("open braces", i::open_braces, ALL),
    row("open records", i::open_records, ALL),
    row("torn records", i::torn_records, ALL),
    row("brackets", i::brackets, ALL),
    row("quotes", i::quotes, ALL),
    row("open string", i::open_string, ALL),
    row("objects and noise", i::objects_and_noise, ALL),
    row(
        "over the line limit",
        i::long_text,
        &["normalize --max-line 1000", "check --max-line 1000"],
    ),
    // Glued records.
    row("glued", i::glued, ALL),
    row("glued and long", i::glued_long, ALL),
    row("glued behind noise", i::glued_behind_noise, ALL),
    // Strings.
    row("long text", i::long_text, ALL),
    row("long word", i::long_word, ALL),
    row("backslashes", i::backslashes, ALL),
    row("escapes", i::escapes, ALL),
    row("half pairs", i::half_pairs, ALL),
    row("control characters", i::control_characters, ALL),
    row("controls as escapes", i::controls_as_escapes, ALL),
    row("line feeds in a text", i::line_feeds_in_text, ALL),
    row("wide characters", i::wide_characters, ALL),
    row("joined characters", i::joined_characters, ALL),
    // Values.
    row("deep arrays", i::deep_arrays, ALL),
    row("deep objects", i::deep_objects, ALL),
    known(
        "deep at the border",
        i::deep_at_the_border,
        FILTER,
        &[(Bound::Record, "128 levels may be in the value, and the record adds two around it")],
    ),
    row("many numbers", i::many_numbers, ALL),
    row("long number", i::long_number, ALL),
    row("odd numbers", i::odd_numbers, ALL),
    row("many keys", i::many_keys, FILTER),
    known(
        "many keys of our own",
        i::many_keys_of_our_own,
        &["normalize --no-source"],
        &[(Bound::Time, "each key is compared with all keys behind it")],
    ),
    row("same keys", i::same_keys, ALL),
    row("same keys of our own", i::same_keys_of_our_own, FILTER),
    row("array of foreign records", i::array_of_foreign_records, ALL),
    known(
        "array of records",
        i::array_of_records,
        &["normalize -p claude-json"],
        &[(Bound::Output, SOURCES)],
    ),
    row(
        "array of records, elsewhere",
        i::array_of_records,
        &[
            "normalize -p claude-json --no-source",
            "check -p claude-json",
            "summarize -p claude-json",
            "show -p claude-json --format plain",
            "show -p claude-json --format terminal --color always",
            "show -p claude-json --format markdown",
            "show -p claude-json --format html",
        ],
    ),
    // Many of something in one record.
    known("many blocks", i::many_blocks, &["normalize"], &[(Bound::Output, SOURCES)]),
    row(
        "many blocks, without sources",
        i::many_blocks,
        &["normalize --no-source", "check", "summarize"],
    ),
    row("many blocks, shown", i::many_blocks, SHOW),
    known("many results", i::many_results, &["normalize"], &[(Bound::Output, SOURCES)]),
    row(
        "many results, without sources",
        i::many_results,
        &["normalize --no-source", "check", "summarize"],
    ),
    row("many parts of a text", i::many_parts_of_a_text, ALL),
    row("many models", i::many_models, ALL),
    // Many of something in a stream.
    row(
        "many sessions",
        i::many_sessions,
        &["normalize", "check", "summarize", "show --format html"],
    ),
    row("many calls", i::many_calls, &["normalize", "check", "summarize", "show --format html"]),
    row("many ends", i::many_ends, &["normalize", "check", "summarize", "show --format html"]),
    row(
        "many deltas",
        i::many_deltas,
        &["normalize", "check", "summarize", "show --format terminal"],
    ),
    row(
        "many snapshots",
        i::many_snapshots,
        &["normalize", "check", "summarize", "show --format plain"],
    ),
    row("long plan", i::long_plan, &["normalize --no-source"]),
    row("long to-do list", i::long_todo_list, ALL),
    row("background tasks", i::background_tasks, &["normalize --no-source"]),
    row("some long ids", i::some_long_ids, ALL),
    // What people see.
    known(
        "quotes in quotes",
        i::quotes_in_quotes,
        &["show --format terminal --color always"],
        &[(Bound::Memory, "each level keeps a lead that holds all those before it")],
    ),
    row(
        "quotes in quotes, elsewhere",
        i::quotes_in_quotes,
        &["show --format plain", "show --format markdown", "show --format html"],
    ),
    known(
        "lists in lists",
        i::lists_in_lists,
        &["show --format terminal --color always"],
        &[(Bound::Memory, "each level keeps a lead that holds all those before it")],
    ),
    known(
        "quotes in front of lines",
        i::quotes_in_front_of_lines,
        &["show --format terminal --color always"],
        &[(Bound::Output, "each line gets the lead of all levels")],
    ),
    row("emphasis", i::emphasis, SHOW),
    row("links", i::links, SHOW),
    row("ticks", i::ticks, SHOW),
    row("tags", i::tags, SHOW),
    row("references", i::references, SHOW),
    row("tables", i::tables, SHOW),
    row("fences", i::fences, SHOW),
    row("hashes", i::hashes, SHOW),
    row("long edit", i::long_edit, SHOW),
    row("long output", i::long_output, SHOW),
];
