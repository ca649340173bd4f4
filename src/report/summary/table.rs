//! Recaps as an aligned table.

use super::recap::Summary;
use super::rows::{Block, blocks};

impl Summary {
    /// Makes a table for people: what an agent wrote does no harm.
    pub fn to_text(&self) -> String {
        let blocks: Vec<String> = blocks(self).iter().map(table).collect();
        blocks.join("\n")
    }
}

fn table(block: &Block) -> String {
    let rows = &block.rows;
    let label = rows.iter().map(|row| row.label.len()).max().unwrap_or_default();
    let numbers = rows.iter().filter(|row| row.note.is_some());
    let width = numbers.map(|row| row.value.len()).max().unwrap_or_default();
    let mut text = format!("{}\n", block.heading);
    for row in rows {
        let line = match &row.note {
            Some(note) => format!("  {:label$}  {:>width$}  {note}", row.label, row.value),
            None => format!("  {:label$}  {}", row.label, row.value),
        };
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
