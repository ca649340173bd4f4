//! A table in as many columns of a terminal as there are.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr};

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    pub(super) heading: &'static str,
    pub(super) is_number: bool,
    /// How soon it is left out where there is no room: the highest first, 0 never.
    pub(super) leave: u8,
    /// Its texts may be cut.
    pub(super) may_cut: bool,
}

const GAP: usize = 2;
/// What is left of a text that is cut.
const LEAST: usize = 16;
/// A text where there is room for everything.
const MOST: usize = 60;

/// Writes the table; the last row is the total. Columns in which nothing stands are left out.
pub(super) fn text(columns: &[Column], rows: &[Vec<String>], width: Option<usize>) -> String {
    let cell = |row: &[String], at: usize| row.get(at).cloned().unwrap_or_default();
    let mut kept: Vec<(usize, Column, usize)> = Vec::new();
    let body = rows.split_last().map_or(rows, |(_, body)| body);
    for (at, column) in columns.iter().enumerate() {
        let widest = rows.iter().map(|row| cell(row, at).width()).max().unwrap_or_default();
        if body.is_empty() || body.iter().any(|row| !cell(row, at).is_empty()) {
            let widest = if column.may_cut { widest.min(MOST) } else { widest };
            kept.push((at, *column, widest.max(column.heading.len())));
        }
    }
    if let Some(width) = width {
        fit(&mut kept, width);
    }
    let mut text = String::new();
    let heading = |at: usize| columns.get(at).map(|c| c.heading.to_owned()).unwrap_or_default();
    line(&mut text, &kept, heading);
    for row in rows {
        line(&mut text, &kept, |at| cell(row, at));
    }
    text
}

/// Cuts what may be cut, and leaves columns out until the rest fits.
fn fit(kept: &mut Vec<(usize, Column, usize)>, width: usize) {
    loop {
        let sum: usize = kept.iter().map(|(_, _, wide)| wide + GAP).sum();
        let mut over = sum.saturating_sub(GAP).saturating_sub(width);
        if over == 0 {
            return;
        }
        // The widest text gives way first.
        let room: usize = kept
            .iter()
            .filter(|(_, column, _)| column.may_cut)
            .map(|(_, _, wide)| wide.saturating_sub(LEAST))
            .sum();
        if room >= over {
            while over > 0 {
                let texts = kept.iter_mut().filter(|(_, column, _)| column.may_cut);
                let Some((_, _, wide)) = texts.max_by_key(|(_, _, wide)| *wide) else { return };
                *wide -= 1;
                over -= 1;
            }
            return;
        }
        let last = kept.iter().enumerate().max_by_key(|(_, (_, column, _))| column.leave);
        let Some((at, _)) = last.filter(|(_, (_, column, _))| column.leave > 0) else {
            for (_, column, wide) in kept.iter_mut() {
                if column.may_cut {
                    *wide = LEAST.min(*wide);
                }
            }
            return;
        };
        kept.remove(at);
    }
}

fn line(text: &mut String, kept: &[(usize, Column, usize)], cell: impl Fn(usize) -> String) {
    let start = text.len();
    for (n, (at, column, wide)) in kept.iter().enumerate() {
        if n > 0 {
            text.push_str("  ");
        }
        let cell = cut(&cell(*at), *wide);
        let pad = " ".repeat(wide.saturating_sub(cell.width()));
        if column.is_number {
            text.push_str(&pad);
        }
        text.push_str(&cell);
        if !column.is_number {
            text.push_str(&pad);
        }
    }
    text.truncate(start + text.get(start..).unwrap_or_default().trim_end().len());
    text.push('\n');
}

fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or_default();
        if used > width {
            break;
        }
        cut.push(c);
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(heading: &'static str, is_number: bool, leave: u8, may_cut: bool) -> Column {
        Column { heading, is_number, leave, may_cut }
    }

    #[test]
    fn a_table_fits_into_any_width() {
        let columns = [
            column("start", false, 0, false),
            column("model", false, 2, true),
            column("in", true, 1, false),
            column("session", false, 0, true),
            column("file", false, 3, true),
        ];
        let long = "日本語のとても長い題名である".repeat(4);
        let row =
            |text: &str| ["2026", "opus", "1,000", text, "a.jsonl"].map(str::to_owned).to_vec();
        let rows = [row(&long), row("short"), row("2 sessions")];
        let whole = text(&columns, &rows, None);
        assert!(whole.contains("a.jsonl") && whole.contains('…'), "{whole}");
        for width in 30..120 {
            let fitted = text(&columns, &rows, Some(width));
            let widest = fitted.lines().map(UnicodeWidthStr::width).max().unwrap();
            assert!(widest <= width, "{width}: {widest}\n{fitted}");
            assert!(fitted.contains("2026") && fitted.lines().count() == 4);
        }
        // The file is left out first, then the model.
        let narrow = text(&columns, &rows, Some(30));
        assert!(
            !narrow.contains("file") && !narrow.contains("opus") && narrow.contains("1,000"),
            "{narrow}"
        );
    }

    #[test]
    fn a_column_without_anything_is_left_out() {
        let columns = [column("a", false, 0, false), column("b", false, 0, false)];
        let rows = [vec!["1".to_owned(), String::new()], vec!["total".to_owned(), "3".to_owned()]];
        assert_eq!(text(&columns, &rows, None), "a\n1\ntotal\n");
    }
}
