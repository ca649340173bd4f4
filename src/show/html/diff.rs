//! What a call changes, line by line; by sign and by colour.

use maud::{Markup, html};

use crate::report::summary::several;
use crate::show::detail::{FileChange, Line, Sign};

/// How many lines of a change stand open.
const OPEN: usize = 40;
/// How many are not even foldable.
const SHORT: usize = 12;

/// Draws the changes. `named`: whether the call names its one file already.
pub(super) fn changes(files: &[FileChange], named: bool) -> Markup {
    html! {
        @for file in files {
            @let short = named && files.len() == 1 && file.lines.len() <= SHORT;
            @if short { (change(file)) } @else {
            @let lines = several((file.lines.len() + file.left) as u64, "line");
            details.change open[file.lines.len() <= OPEN] {
                summary {
                    @if !(file.path.is_empty() || named && files.len() == 1) { code { (file.path) } " " }
                    span.note { (lines) }
                }
                (change(file))
                @if file.left > 0 { p.note { (several(file.left as u64, "further line")) " left out." } }
            }
            }
        }
    }
}

fn change(file: &FileChange) -> Markup {
    let numbered = file.lines.iter().any(|line| line.old.is_some() || line.new.is_some());
    html! {
        div.diff.numbered[numbered] role="figure" aria-label="change" {
            @for line in &file.lines { (row(line, numbered)) }
        }
    }
}

fn row(line: &Line, numbered: bool) -> Markup {
    let number =
        |number: Option<u64>| html! { span { @if let Some(number) = number { (number) } } };
    html! {
        @if line.sign == Sign::Gap {
            div.gap { "⋯" }
        } @else {
            div {
                @if numbered { (number(line.old)) (number(line.new)) }
                @match line.sign {
                    Sign::Added => { b { "+" } ins { (line.text) } }
                    Sign::Removed => { b { "−" } del { (line.text) } }
                    _ => { b {} code { (line.text) } }
                }
            }
        }
    }
}
