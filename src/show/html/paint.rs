//! A tool's output with its colours.

use anstyle::{AnsiColor, Color, Effects, Style};
use maud::{Markup, html};

use crate::show::paint::pieces;

pub(super) fn painted(text: &str) -> Markup {
    html! {
        @for (style, piece) in pieces(text) {
            @let class = class(style);
            @if class.is_empty() { (piece) } @else if !piece.is_empty() { span class=(class) { (piece) } }
        }
    }
}

fn class(style: Style) -> String {
    let colour = match style.get_fg_color() {
        Some(Color::Ansi(AnsiColor::Red)) => "cr",
        Some(Color::Ansi(AnsiColor::Green)) => "cg",
        Some(Color::Ansi(AnsiColor::Yellow)) => "cy",
        Some(Color::Ansi(AnsiColor::Blue)) => "cb",
        Some(Color::Ansi(AnsiColor::Magenta)) => "cm",
        Some(Color::Ansi(AnsiColor::Cyan)) => "cc",
        _ => "",
    };
    let effects = style.get_effects();
    let effects = [(Effects::BOLD, "eb"), (Effects::ITALIC, "ei"), (Effects::UNDERLINE, "eu")]
        .into_iter()
        .filter(|(effect, _)| effects.contains(*effect))
        .map(|(_, class)| class);
    let classes = std::iter::once(colour).filter(|class| !class.is_empty()).chain(effects);
    classes.collect::<Vec<_>>().join(" ")
}
