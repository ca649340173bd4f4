//! Recaps as Markdown, for the summary of a CI job.

use std::fmt::Write as _;

use super::recap::Summary;
use super::rows::{Block, blocks};

impl Summary {
    /// Makes one heading and one table a session; what an agent wrote is text in it, never markup.
    pub fn to_markdown(&self) -> String {
        let blocks: Vec<String> = blocks(self).iter().map(table).collect();
        blocks.join("\n")
    }
}

fn table(block: &Block) -> String {
    let mut text = format!("### {}\n\n| | | |\n|---|--:|---|\n", literal(&block.heading));
    for row in &block.rows {
        // A number stands in the second column, a text in the third.
        let (number, words) = match &row.note {
            Some(note) => (row.value.as_str(), note.as_str()),
            None => ("", row.value.as_str()),
        };
        // Writing to memory cannot fail.
        let _ = writeln!(text, "| {} | {} | {} |", row.label, literal(number), literal(words));
    }
    text
}

/// Puts a backslash before everything that Markdown could take for markup.
pub(super) fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => literal.push_str("&lt;"),
            '&' => literal.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '|' | '[' | ']' | '#' | '~' | '@' | '$' => {
                literal.push('\\');
                literal.push(c);
            }
            c => literal.push(c),
        }
    }
    // An address would become a link.
    literal.replace("://", "&#58;//")
}
