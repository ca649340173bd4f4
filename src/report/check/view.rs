//! Reports for people and for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::count::{Count, UnknownTool};
use super::report::{DialectReport, Report, Unmapped};
use crate::adapter::Protocol;
use crate::format::tame::line;
use crate::report::summary::{grouped, percent, several};

impl Report {
    /// Makes one object; its keys are part of the format.
    pub fn to_json(&self) -> Value {
        let dialects: Vec<Value> = self.dialects.iter().map(DialectReport::to_json).collect();
        json!({ "dialects": dialects, "understood": self.is_understood() })
    }

    /// Makes a report for people: what a stream says does no harm.
    pub fn to_text(&self) -> String {
        let texts: Vec<String> = self.dialects.iter().map(DialectReport::to_text).collect();
        texts.join("\n")
    }
}

impl DialectReport {
    fn to_json(&self) -> Value {
        let unmapped = |list: &[Unmapped]| -> Vec<Value> {
            let item = |u: &Unmapped| {
                json!({
                    "type": u.kind,
                    "subtype": u.subtype,
                    "count": u.met.count,
                    "file": u.met.file,
                    "line": u.met.line,
                })
            };
            list.iter().map(item).collect()
        };
        let disagreements: Vec<Value> = self
            .disagreements
            .iter()
            .map(|d| {
                json!({
                    "file": d.file,
                    "sessionId": d.session_id,
                    "counter": d.counter,
                    "calls": d.calls,
                    "session": d.session,
                })
            })
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let share =
            if self.lines == 0 { 1.0 } else { self.mapped_lines as f64 / self.lines as f64 };
        json!({
            "dialect": self.dialect.map(Protocol::name),
            "files": self.files,
            "lines": self.lines,
            "mappedLines": self.mapped_lines,
            "mapped": (share * 1e4).floor() / 1e4,
            "events": self.events,
            "unmapped": unmapped(&self.unmapped),
            "leftRaw": unmapped(&self.left_raw),
            "unknownTools": self.unknown_tools.iter().map(unknown_tool).collect::<Vec<_>>(),
            "malformed": count(&self.malformed),
            "callsWithoutResult": self.calls_without_result,
            "resultsWithoutCall": self.results_without_call,
            "missingEnds": count(&self.missing_ends),
            "usage": disagreements,
            "understood": self.is_understood(),
        })
    }

    fn to_text(&self) -> String {
        let name = self.dialect.map_or("unknown dialect", Protocol::name);
        let mut text = format!(
            "{name}: {}, {}, {}, {} of the lines mapped\n",
            several(self.files, "stream"),
            several(self.lines, "line"),
            several(self.events, "event"),
            percent(self.mapped_lines, self.lines),
        );
        let mut rows: Vec<(&str, u64, String)> = Vec::new();
        for (label, list) in [("not mapped", &self.unmapped), ("left raw", &self.left_raw)] {
            for item in list {
                let sub = item.subtype.iter().map(|sub| format!("/{}", line(sub)));
                let kind = format!("{}{}", line(&item.kind), sub.collect::<String>());
                rows.push((label, item.met.count, format!("{kind}, first {}", place(&item.met))));
            }
        }
        for tool in &self.unknown_tools {
            let what = format!("{}, first {}", line(&tool.name), place(&tool.met));
            rows.push(("new tool", tool.met.count, what));
        }
        for (label, met, what) in [
            ("malformed", &self.malformed, "broken record, first "),
            ("no end", &self.missing_ends, "no end record, first "),
        ] {
            if met.count > 0 {
                rows.push((label, met.count, format!("{what}{}", place(met))));
            }
        }
        for (label, count, what) in [
            ("calls", self.calls_without_result, "without a result"),
            ("results", self.results_without_call, "without a call"),
        ] {
            if count > 0 {
                rows.push((label, count, what.to_owned()));
            }
        }
        let width = rows.iter().map(|(_, n, _)| grouped(*n).len()).max().unwrap_or_default();
        for (label, count, what) in rows {
            // Writing to memory cannot fail.
            let _ = writeln!(text, "  {label:10}  {:>width$}  {what}", grouped(count));
        }
        for d in &self.disagreements {
            let id = d.session_id.as_deref().unwrap_or("without id");
            let _ = writeln!(
                text,
                "  {:10}  {}: {}: calls {}, session total {}",
                "usage",
                line(id),
                d.counter,
                grouped(d.calls),
                grouped(d.session),
            );
        }
        text
    }
}

fn unknown_tool(tool: &UnknownTool) -> Value {
    let UnknownTool { name, met } = tool;
    json!({ "name": name, "count": met.count, "file": met.file, "line": met.line })
}

fn place(met: &Count) -> String {
    let file = if met.file == "-" { "line ".into() } else { format!("{}:", line(&met.file)) };
    format!("{file}{}", met.line)
}

fn count(met: &Count) -> Value {
    let first = (met.count > 0).then(|| json!({ "file": met.file, "line": met.line }));
    json!({ "count": met.count, "first": first })
}
