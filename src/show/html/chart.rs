//! Context and tokens over the session, as two small curves. What is kept does not grow with the
//! session: when there are too many points, each two become one.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::limits::MAX_CURVE_POINTS;
use crate::report::summary::grouped;
use crate::show::item::Spent;

const WIDTH: u64 = 600;
const HEIGHT: u64 = 80;

#[derive(Debug, Default)]
pub(super) struct Chart {
    context: Curve,
    tokens: Curve,
    total: u64,
}

#[derive(Debug, Default)]
struct Curve {
    points: Vec<u64>,
    /// How many values a point stands for.
    step: usize,
    /// How many values the last point stands for so far.
    filled: usize,
    last: u64,
}

impl Curve {
    /// Adds a value; a point is the largest of the values that it stands for.
    fn add(&mut self, value: u64) {
        self.step = self.step.max(1);
        self.last = value;
        match self.points.last_mut() {
            Some(point) if self.filled < self.step => *point = (*point).max(value),
            _ => {
                self.points.push(value);
                self.filled = 0;
            }
        }
        self.filled += 1;
        if self.points.len() > MAX_CURVE_POINTS {
            let pairs = self.points.chunks(2);
            self.points =
                pairs.map(|pair| pair.iter().copied().max().unwrap_or_default()).collect();
            self.filled += if self.points.len().is_multiple_of(2) { self.step } else { 0 };
            self.step *= 2;
        }
    }

    fn draw(&self, name: &str) -> Markup {
        let most = self.points.iter().copied().max().unwrap_or_default();
        let across = (self.points.len() as u64).saturating_sub(1).max(1);
        let mut path = String::new();
        for (at, value) in self.points.iter().enumerate() {
            let x = at as u64 * WIDTH / across;
            let y = HEIGHT
                - u64::try_from(u128::from(*value) * u128::from(HEIGHT) / u128::from(most.max(1)))
                    .unwrap_or(0);
            // Writing to memory cannot fail.
            let _ = write!(path, "{}{x},{y}", if at == 0 { "M" } else { "L" });
        }
        let area = format!("{path}L{WIDTH},{HEIGHT}L0,{HEIGHT}Z");
        html! {
            figure {
                figcaption { b { (name) } " " (grouped(self.last)) @if most > self.last { ", at most " (grouped(most)) } }
                svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img"
                    aria-label={ (name) ": " (grouped(self.last)) } {
                    path.area d=(area) {}
                    path.line d=(path) {}
                }
            }
        }
    }
}

impl Chart {
    pub(super) fn add(&mut self, spent: Spent) {
        if let Some(context) = spent.context {
            self.context.add(context);
        }
        self.total = self.total.saturating_add(spent.tokens);
        self.tokens.add(self.total);
    }

    /// Draws the curves; nothing where there is no more than one point.
    pub(super) fn draw(&self) -> Markup {
        html! {
            @if self.tokens.points.len() > 1 {
                div.charts {
                    @if self.context.points.len() > 1 { (self.context.draw("context in tokens")) }
                    (self.tokens.draw("tokens, without cache reads"))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_session_has_few_points() {
        let mut curve = Curve::default();
        for n in 0..100_000 {
            curve.add(n);
        }
        assert!(
            curve.points.len() <= MAX_CURVE_POINTS && curve.points.len() > MAX_CURVE_POINTS / 4
        );
        assert!(curve.points.is_sorted());
        assert_eq!(curve.points.last(), Some(&99_999));
    }
}
