//! The inputs, each written as it is needed: none is held in memory here, for the kernel counts what
//! a process held when it became another for the other's.

use std::io::{self, Write};

type Out<'o> = &'o mut dyn Write;

/// Writes `piece` so many times.
fn repeat(out: Out<'_>, piece: &str, times: usize) -> io::Result<()> {
    let block = 1.max((1 << 16) / piece.len().max(1)).min(times);
    let many = piece.repeat(block);
    for _ in 0..times / block.max(1) {
        out.write_all(many.as_bytes())?;
    }
    out.write_all(piece.repeat(times % block.max(1)).as_bytes())
}

/// Writes a line of `before`, the piece so many times, and `behind`.
fn line(out: Out<'_>, before: &str, piece: &str, times: usize, behind: &str) -> io::Result<()> {
    out.write_all(before.as_bytes())?;
    repeat(out, piece, times)?;
    writeln!(out, "{behind}")
}

const ASSISTANT: &str = r#"{"type":"assistant","message":{"id":"m","role":"assistant","content":["#;
const SESSION: &str = r#"]},"session_id":"s"}"#;

/// A message of Claude's whose text is the piece so many times.
fn text(out: Out<'_>, piece: &str, times: usize) -> io::Result<()> {
    let before = format!(r#"{ASSISTANT}{{"type":"text","text":""#);
    line(out, &before, piece, times, &format!(r#""}}{SESSION}"#))
}

fn init(out: Out<'_>) -> io::Result<()> {
    writeln!(out, r#"{{"type":"system","subtype":"init","session_id":"s","model":"m","tools":[]}}"#)
}

/// What an agent prints on a good day.
pub(crate) fn plain(out: Out<'_>) -> io::Result<()> {
    init(out)?;
    for _ in 0..1_000 {
        text(out, "some words ", 20)?;
    }
    writeln!(out, r#"{{"type":"result","subtype":"success","result":"Done.","session_id":"s"}}"#)
}

// What is no record.

pub(crate) fn nothing(out: Out<'_>) -> io::Result<()> {
    out.flush()
}

pub(crate) fn line_feeds(out: Out<'_>) -> io::Result<()> {
    repeat(out, "\n", 300_000)
}

pub(crate) fn nulls(out: Out<'_>) -> io::Result<()> {
    repeat(out, "null\n", 40_000)
}

pub(crate) fn blanks(out: Out<'_>) -> io::Result<()> {
    let edge = " \t\r\u{b}\u{c}\u{feff}";
    repeat(out, edge, 50_000)?;
    text(out, "a", 1)?;
    line(out, r#"{"type":"result","subtype":"success"}"#, edge, 50_000, "")
}

pub(crate) fn no_line_feed(out: Out<'_>) -> io::Result<()> {
    repeat(out, "no line feed ", 60_000)
}

pub(crate) fn short_lines(out: Out<'_>) -> io::Result<()> {
    repeat(out, "x\n", 8_000)
}

pub(crate) fn no_utf8(out: Out<'_>) -> io::Result<()> {
    for _ in 0..200_000 {
        out.write_all(b"\xff")?;
    }
    writeln!(out)
}

pub(crate) fn nul_bytes(out: Out<'_>) -> io::Result<()> {
    line(out, "", "\0", 300_000, "")
}

pub(crate) fn open_braces(out: Out<'_>) -> io::Result<()> {
    line(out, "", "{", 500_000, "")
}

pub(crate) fn open_records(out: Out<'_>) -> io::Result<()> {
    line(out, "", r#"{"type":"#, 30_000, "")
}

pub(crate) fn torn_records(out: Out<'_>) -> io::Result<()> {
    repeat(out, "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"te\n", 4_000)
}

pub(crate) fn brackets(out: Out<'_>) -> io::Result<()> {
    line(out, "", "[", 500_000, "")
}

pub(crate) fn quotes(out: Out<'_>) -> io::Result<()> {
    line(out, "{", "\"", 500_001, "")
}

pub(crate) fn open_string(out: Out<'_>) -> io::Result<()> {
    line(out, r#"{"type":"assistant","text":""#, "endless ", 60_000, "")
}

pub(crate) fn objects_and_noise(out: Out<'_>) -> io::Result<()> {
    line(out, "", "{} ", 150_000, "")
}

// Glued records.

pub(crate) fn glued(out: Out<'_>) -> io::Result<()> {
    line(out, "", r#"{"type":"tool.call","callId":"a","name":"n"}"#, 5_000, "")
}

pub(crate) fn glued_long(out: Out<'_>) -> io::Result<()> {
    for _ in 0..16 {
        write!(out, r#"{{"type":"tool.call","callId":"a","input":""#)?;
        repeat(out, "x", 20_000)?;
        write!(out, "\"}}")?;
    }
    writeln!(out)
}

pub(crate) fn glued_behind_noise(out: Out<'_>) -> io::Result<()> {
    line(out, "", "{\"k\":", 40_000, r#"{"type":"session.ended","status":"succeeded"}"#)
}

// Strings.

pub(crate) fn long_text(out: Out<'_>) -> io::Result<()> {
    text(out, "some words ", 30_000)
}

pub(crate) fn long_word(out: Out<'_>) -> io::Result<()> {
    text(out, "a", 300_000)
}

pub(crate) fn backslashes(out: Out<'_>) -> io::Result<()> {
    text(out, r"\\", 150_000)
}

pub(crate) fn escapes(out: Out<'_>) -> io::Result<()> {
    text(out, r"\u00e9\n", 30_000)
}

pub(crate) fn half_pairs(out: Out<'_>) -> io::Result<()> {
    text(out, r"\ud83d", 40_000)
}

pub(crate) fn control_characters(out: Out<'_>) -> io::Result<()> {
    text(out, "\u{1}\t", 100_000)
}

pub(crate) fn controls_as_escapes(out: Out<'_>) -> io::Result<()> {
    text(out, r"\u001b[2J\u202e", 15_000)
}

pub(crate) fn line_feeds_in_text(out: Out<'_>) -> io::Result<()> {
    text(out, r"\n", 100_000)
}

pub(crate) fn wide_characters(out: Out<'_>) -> io::Result<()> {
    text(out, "🚀", 50_000)
}

pub(crate) fn joined_characters(out: Out<'_>) -> io::Result<()> {
    text(out, "\u{301}", 100_000)
}

// Values.

pub(crate) fn deep_arrays(out: Out<'_>) -> io::Result<()> {
    let block = r#"{"type":"tool_use","id":"t","name":"n","input":"#;
    write!(out, "{ASSISTANT}{block}")?;
    repeat(out, "[", 100_000)?;
    repeat(out, "]", 100_000)?;
    writeln!(out, "}}{SESSION}")
}

pub(crate) fn deep_objects(out: Out<'_>) -> io::Result<()> {
    write!(out, r#"{{"type":"unheard","a":"#)?;
    repeat(out, "{\"a\":", 30_000)?;
    write!(out, "1")?;
    repeat(out, "}", 30_000)?;
    writeln!(out, "}}")
}

/// Deeper than the index of a line has room for.
pub(crate) fn deep_beyond_the_index(out: Out<'_>) -> io::Result<()> {
    write!(out, r#"{{"type":"unheard","a":"#)?;
    repeat(out, "[", 4_500_000)?;
    repeat(out, "]", 4_500_000)?;
    writeln!(out, "}}")
}

/// As deep as a value may be that is passed on.
pub(crate) fn deep_at_the_border(out: Out<'_>) -> io::Result<()> {
    for depth in 100..140 {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        writeln!(out, r#"{{"type":"unheard","a":{open}{close}}}"#)?;
    }
    Ok(())
}

pub(crate) fn many_numbers(out: Out<'_>) -> io::Result<()> {
    line(out, r#"{"type":"unheard","a":["#, "1,", 100_000, "1]}")
}

pub(crate) fn long_number(out: Out<'_>) -> io::Result<()> {
    line(out, r#"{"type":"result","num_turns":"#, "1", 300_000, "}")
}

pub(crate) fn odd_numbers(out: Out<'_>) -> io::Result<()> {
    line(out, r#"{"type":"result","usage":{"a":["#, "1e400,-0,01,NaN,", 20_000, "1]}}")
}

pub(crate) fn many_keys(out: Out<'_>) -> io::Result<()> {
    keys(out, r#"{"type":"assistant""#, 30_000)
}

pub(crate) fn many_keys_of_our_own(out: Out<'_>) -> io::Result<()> {
    // Enough to be told from a cost that grows with the line, optimized or not.
    let count = if cfg!(debug_assertions) { 25_000 } else { 80_000 };
    keys(out, r#"{"type":"tool.call""#, count)
}

fn keys(out: Out<'_>, before: &str, count: usize) -> io::Result<()> {
    write!(out, "{before}")?;
    for number in 0..count {
        write!(out, r#","k{number:06}":1"#)?;
    }
    writeln!(out, "}}")
}

pub(crate) fn same_keys(out: Out<'_>) -> io::Result<()> {
    line(out, r#"{"type":"assistant""#, r#","message":{}"#, 30_000, "}")
}

pub(crate) fn same_keys_of_our_own(out: Out<'_>) -> io::Result<()> {
    line(out, r#"{"type":"message""#, r#","text":"x""#, 4_000, "}")
}

pub(crate) fn array_of_foreign_records(out: Out<'_>) -> io::Result<()> {
    line(out, "[", r#"{"a":1},"#, 60_000, "{}]")
}

/// What `--output-format json --verbose` prints: the session in one line.
pub(crate) fn array_of_records(out: Out<'_>) -> io::Result<()> {
    write!(out, r#"[{{"type":"system","subtype":"init","session_id":"s"}}"#)?;
    for _ in 0..300 {
        write!(out, r#",{ASSISTANT}{{"type":"text","text":""#)?;
        repeat(out, "some words ", 50)?;
        write!(out, r#""}}{SESSION}"#)?;
    }
    writeln!(out, r#",{{"type":"result","subtype":"success"}}]"#)
}

// Many of something in one record.

pub(crate) fn many_blocks(out: Out<'_>) -> io::Result<()> {
    let block = r#"{"type":"tool_use","id":"t","name":"n","input":{}},"#;
    line(out, ASSISTANT, block, 2_000, &format!(r#"{{"type":"text","text":""}}{SESSION}"#))
}

pub(crate) fn many_results(out: Out<'_>) -> io::Result<()> {
    let block = r#"{"type":"tool_result","tool_use_id":"t","content":"x"},"#;
    let before = r#"{"type":"user","message":{"role":"user","content":["#;
    line(out, before, block, 2_000, &format!(r#"{{"type":"text","text":""}}{SESSION}"#))
}

pub(crate) fn many_parts_of_a_text(out: Out<'_>) -> io::Result<()> {
    let block = r#"{"type":"text","text":"x"},"#;
    let before = r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":["#;
    line(out, before, block, 10_000, &format!(r#"{{"type":"text","text":""}}]}}{SESSION}"#))
}

pub(crate) fn many_models(out: Out<'_>) -> io::Result<()> {
    write!(out, r#"{{"type":"result","subtype":"success","modelUsage":{{"#)?;
    for number in 0..4_000 {
        write!(out, r#""m{number}":{{"inputTokens":1}},"#)?;
    }
    writeln!(out, r#""m":{{}}}}}}"#)
}

// Many of something in a stream.

pub(crate) fn many_sessions(out: Out<'_>) -> io::Result<()> {
    for number in 0..2_500 {
        writeln!(
            out,
            r#"{{"type":"system","subtype":"init","session_id":"s{number}","model":"m"}}"#
        )?;
    }
    Ok(())
}

pub(crate) fn many_calls(out: Out<'_>) -> io::Result<()> {
    for number in 0..2_500 {
        let block =
            format!(r#"{{"type":"tool_use","id":"t{number}","name":"n{number}","input":{{}}}}"#);
        writeln!(out, "{ASSISTANT}{block}{SESSION}")?;
    }
    Ok(())
}

pub(crate) fn many_ends(out: Out<'_>) -> io::Result<()> {
    init(out)?;
    repeat(
        out,
        "{\"type\":\"result\",\"subtype\":\"success\",\"usage\":{\"input_tokens\":1}}\n",
        2_500,
    )
}

pub(crate) fn many_deltas(out: Out<'_>) -> io::Result<()> {
    init(out)?;
    for number in 0..3_000 {
        delta(out, number % 300, "some words ", 1)?;
    }
    Ok(())
}

fn delta(out: Out<'_>, index: usize, piece: &str, times: usize) -> io::Result<()> {
    let before = format!(
        r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":{index},"delta":{{"type":"text_delta","text":""#
    );
    line(out, &before, piece, times, r#""}},"session_id":"s"}"#)
}

pub(crate) fn many_snapshots(out: Out<'_>) -> io::Result<()> {
    writeln!(out, r#"{{"type":"thread.started","thread_id":"t"}}"#)?;
    for number in 0..400 {
        let before = r#"{"type":"item.updated","item":{"id":"i","type":"agent_message","text":""#;
        line(out, before, "more ", number, r#""}}"#)?;
    }
    Ok(())
}

/// More open blocks, of one text each, than may be held in memory.
pub(crate) fn open_blocks(out: Out<'_>) -> io::Result<()> {
    init(out)?;
    for number in 0..165 {
        delta(out, number, "a", 1 << 20)?;
    }
    Ok(())
}

/// As many running tools with a long output each.
pub(crate) fn running_tools(out: Out<'_>) -> io::Result<()> {
    writeln!(
        out,
        r#"{{"type":"session","version":3,"id":"s","timestamp":"2026-11-30T11:31:37.357Z","cwd":"/"}}"#
    )?;
    for number in 0..165 {
        writeln!(
            out,
            r#"{{"type":"tool_execution_start","toolCallId":"c{number}","toolName":"bash","args":{{}}}}"#
        )?;
        let before = format!(
            r#"{{"type":"tool_execution_update","toolCallId":"c{number}","toolName":"bash","args":{{}},"partialResult":{{"content":[{{"type":"text","text":""#
        );
        line(out, &before, "a", 1 << 20, r#""}]}}"#)?;
    }
    Ok(())
}

/// Pieces of a text of which one does not fit any more and a shorter one behind it does.
pub(crate) fn text_over_its_room(out: Out<'_>) -> io::Result<()> {
    writeln!(
        out,
        r#"{{"type":"init","timestamp":"2026-11-30T11:31:37.357Z","session_id":"s","model":"m"}}"#
    )?;
    let before = r#"{"type":"message","role":"assistant","delta":true,"content":""#;
    for (piece, times) in [("a", (16 << 20) - 10), ("b", 100), ("c", 5)] {
        line(out, before, piece, times, "\"}")?;
    }
    writeln!(out, r#"{{"type":"result","status":"success","stats":{{}}}}"#)
}

fn tool(out: Out<'_>, id: &str, name: &str, input: &str, detail: &str) -> io::Result<()> {
    let block = format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}"#);
    writeln!(out, "{ASSISTANT}{block}{SESSION}")?;
    let block = format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"done"}}"#);
    writeln!(
        out,
        r#"{{"type":"user","message":{{"role":"user","content":[{block}]}},"tool_use_result":{detail},"session_id":"s"}}"#
    )
}

/// Tasks with long subjects, each of which is shown again whenever one of them changes.
pub(crate) fn long_plan(out: Out<'_>) -> io::Result<()> {
    init(out)?;
    let subject = "subject ".repeat(250);
    for number in 0..120 {
        let input = format!(r#"{{"subject":"{subject}"}}"#);
        let detail = format!(r#"{{"task":{{"id":"{number}","subject":"{subject}"}}}}"#);
        tool(out, &format!("c{number}"), "TaskCreate", &input, &detail)?;
    }
    for number in 0..120 {
        let input = format!(r#"{{"taskId":"{number}","status":"completed"}}"#);
        let detail = format!(
            r#"{{"success":true,"taskId":"{number}","statusChange":{{"to":"completed"}}}}"#
        );
        tool(out, &format!("u{number}"), "TaskUpdate", &input, &detail)?;
    }
    Ok(())
}

pub(crate) fn long_todo_list(out: Out<'_>) -> io::Result<()> {
    let before = format!(
        r#"{ASSISTANT}{{"type":"tool_use","id":"t","name":"TodoWrite","input":{{"todos":["#
    );
    let todo = r#"{"content":"x","status":"pending"},"#;
    line(out, &before, todo, 5_000, &format!(r#"{{"content":"y"}}]}}}}{SESSION}"#))
}

/// Background tasks, all of which each event lists.
pub(crate) fn background_tasks(out: Out<'_>) -> io::Result<()> {
    init(out)?;
    for number in 0..1_500 {
        let id = format!("{number:0>150}");
        writeln!(
            out,
            r#"{{"type":"system","subtype":"task_started","task_id":"{id}","description":"x","session_id":"s"}}"#
        )?;
    }
    Ok(())
}

// Long ids.

const LONG: usize = 1 << 20;

pub(crate) fn long_session_ids(out: Out<'_>) -> io::Result<()> {
    for number in 0..85 {
        let before =
            format!(r#"{{"type":"system","subtype":"init","model":"m","session_id":"{number}-"#);
        line(out, &before, "s", LONG, "\"}")?;
    }
    Ok(())
}

pub(crate) fn long_call_ids(out: Out<'_>) -> io::Result<()> {
    init(out)?;
    for number in 0..85 {
        let before =
            format!(r#"{ASSISTANT}{{"type":"tool_use","name":"n","input":{{}},"id":"{number}-"#);
        line(out, &before, "i", LONG, &format!("\"}}{SESSION}"))?;
    }
    Ok(())
}

pub(crate) fn long_tool_names(out: Out<'_>) -> io::Result<()> {
    init(out)?;
    for number in 0..60 {
        let before = format!(
            r#"{ASSISTANT}{{"type":"tool_use","id":"t{number}","input":{{}},"name":"{number}-"#
        );
        line(out, &before, "n", LONG, &format!("\"}}{SESSION}"))?;
    }
    Ok(())
}

/// Few enough for any list of them.
pub(crate) fn some_long_ids(out: Out<'_>) -> io::Result<()> {
    for number in 0..10 {
        for key in ["session_id", "parent_tool_use_id", "uuid"] {
            let before =
                format!(r#"{{"type":"system","subtype":"init","model":"m","{key}":"{number}-"#);
            line(out, &before, "s", 20_000, "\"}")?;
        }
        let before =
            format!(r#"{ASSISTANT}{{"type":"tool_use","name":"n","input":{{}},"id":"{number}-"#);
        line(out, &before, "i", 20_000, &format!("\"}}{SESSION}"))?;
    }
    Ok(())
}

// What people see.

pub(crate) fn quotes_in_quotes(out: Out<'_>) -> io::Result<()> {
    text(out, ">", 8_000)
}

pub(crate) fn lists_in_lists(out: Out<'_>) -> io::Result<()> {
    // Without the word at its end it is a line across the page.
    let before = format!(r#"{ASSISTANT}{{"type":"text","text":""#);
    line(out, &before, "- ", 10_000, &format!(r#"word"}}{SESSION}"#))
}

pub(crate) fn quotes_in_front_of_lines(out: Out<'_>) -> io::Result<()> {
    let before = format!(r#"{ASSISTANT}{{"type":"text","text":""#);
    let quotes = ">".repeat(1_000);
    write!(out, "{before}{quotes}")?;
    line(out, "", r"a\n", 2_000, &format!(r#""}}{SESSION}"#))
}

pub(crate) fn emphasis(out: Out<'_>) -> io::Result<()> {
    text(out, "*a **b _c ", 8_000)
}

pub(crate) fn links(out: Out<'_>) -> io::Result<()> {
    text(out, "[![](", 12_000)
}

pub(crate) fn ticks(out: Out<'_>) -> io::Result<()> {
    let before = format!(r#"{ASSISTANT}{{"type":"text","text":""#);
    write!(out, "{before}")?;
    for count in 1..300 {
        write!(out, "{} a ", "`".repeat(count))?;
    }
    writeln!(out, r#""}}{SESSION}"#)
}

pub(crate) fn tags(out: Out<'_>) -> io::Result<()> {
    text(out, "<a <!-- <![CDATA[ <?", 3_000)
}

pub(crate) fn references(out: Out<'_>) -> io::Result<()> {
    text(out, r"[a]: /b\n", 6_000)
}

pub(crate) fn tables(out: Out<'_>) -> io::Result<()> {
    text(out, r"|a|b\n|-|-\n", 5_000)
}

pub(crate) fn fences(out: Out<'_>) -> io::Result<()> {
    text(out, r"```a\n~~~\n", 5_000)
}

pub(crate) fn hashes(out: Out<'_>) -> io::Result<()> {
    text(out, "##a", 30_000)
}

/// An edit that changes each of many lines.
pub(crate) fn long_edit(out: Out<'_>) -> io::Result<()> {
    write!(
        out,
        r#"{ASSISTANT}{{"type":"tool_use","id":"t","name":"Edit","input":{{"file_path":"f","old_string":""#
    )?;
    for number in 0..4_000 {
        write!(out, r"a{number}\n")?;
    }
    write!(out, r#"","new_string":""#)?;
    for number in 0..4_000 {
        write!(out, r"b{}\n", number * 7 % 4_000)?;
    }
    writeln!(out, r#""}}}}{SESSION}"#)
}

pub(crate) fn long_output(out: Out<'_>) -> io::Result<()> {
    let before = r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":""#;
    writeln!(
        out,
        r#"{ASSISTANT}{{"type":"tool_use","id":"t","name":"Bash","input":{{"command":"x"}}}}{SESSION}"#
    )?;
    line(out, before, r"\n x", 50_000, &format!(r#""}}{SESSION}"#))
}
