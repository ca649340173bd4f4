//! A figure over the session. When there are too many points, every second goes.

use std::fmt::Write as _;

use crate::limits::MAX_CURVE_POINTS;

/// A moment: the how-manieth entry, and when it was, in milliseconds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moment {
    pub(super) entry: u64,
    pub(super) time: Option<i64>,
}

#[derive(Debug, Default)]
pub(super) struct Curve {
    points: Vec<(Moment, u64)>,
    /// How many values a point stands for, and how many the last one stands for so far.
    step: usize,
    filled: usize,
    most: u64,
}

impl Curve {
    pub(super) fn add(&mut self, at: Moment, value: u64) {
        self.step = self.step.max(1);
        self.most = self.most.max(value);
        match self.points.last_mut() {
            // A point is the largest of the values that it stands for.
            Some((_, point)) if self.filled < self.step => *point = (*point).max(value),
            _ => {
                self.points.push((at, value));
                self.filled = 0;
            }
        }
        self.filled += 1;
        if self.points.len() > MAX_CURVE_POINTS {
            let pairs = self.points.chunks(2);
            let pairs =
                pairs.filter_map(|pair| pair.iter().copied().max_by_key(|(_, value)| *value));
            self.points = pairs.collect();
            self.step *= 2;
            self.filled = self.step;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// Returns the path; `lines`: where it starts from above, and how high it may become.
    pub(super) fn path(&self, x: impl Fn(Moment) -> u64, (top, height): (u64, u64)) -> String {
        let mut path = String::new();
        for (at, value) in &self.points {
            let up = u128::from(*value) * u128::from(height) / u128::from(self.most.max(1));
            let y = top + height - u64::try_from(up).unwrap_or_default();
            let letter = if path.is_empty() { 'M' } else { 'L' };
            // Writing to memory cannot fail.
            let _ = write!(path, "{letter}{},{y}", x(*at));
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_session_has_few_points() {
        let mut curve = Curve::default();
        for n in 0..100_000 {
            curve.add(Moment { entry: n, time: None }, n);
        }
        assert!(curve.len() <= MAX_CURVE_POINTS && curve.len() > MAX_CURVE_POINTS / 4);
        assert!(curve.points.is_sorted_by_key(|(_, value)| *value));
        assert_eq!(curve.most(), 99_999);
    }
}
