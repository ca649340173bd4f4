//! When sessions were: the days they are grouped by, and the span that is asked for.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, ZonedDateTime};

use super::fold::total;
use super::recap::{Recap, Summary};

/// A moment that a session is dated by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Start {
    pub(crate) time: Timestamp,
    /// The session states no time: it is that of its file.
    pub(crate) is_of_file: bool,
}

impl Recap {
    /// When the session began, or else when its file was changed last.
    pub(crate) fn start(&self) -> Option<Start> {
        let of = |time: &Option<String>| time.as_deref().and_then(|time| time.parse().ok());
        let stated = of(&self.from).map(|time| Start { time, is_of_file: false });
        stated.or_else(|| of(&self.file_time).map(|time| Start { time, is_of_file: true }))
    }
}

/// A bound of a span, as it is given: a date, a moment, or how long ago.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// A day of the calendar.
    Day(Date),
    /// A moment.
    Moment(Timestamp),
    /// That long before now.
    Ago(Hours),
}

/// A number of hours, for [`Bound::Ago`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hours(i64);

impl std::str::FromStr for Bound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text:?} is no date (2026-11-30), no time and no span (7d, 12h, 2w)");
        if let Ok(date) = text.parse::<Date>()
            && text.len() <= 10
        {
            return Ok(Bound::Day(date));
        }
        if let Ok(time) = text.parse::<Timestamp>() {
            return Ok(Bound::Moment(time));
        }
        let unit = text.chars().last().ok_or_else(wrong)?;
        let hours = match unit {
            'h' => 1,
            'd' => 24,
            'w' => 7 * 24,
            _ => return Err(wrong()),
        };
        let count = text.strip_suffix(unit).and_then(|count| count.parse::<u32>().ok());
        let hours = count.and_then(|count| i64::from(count).checked_mul(hours));
        // More than jiff can count back is more than anybody has.
        hours
            .filter(|hours| *hours < 1_000_000)
            .map(|hours| Bound::Ago(Hours(hours)))
            .ok_or_else(wrong)
    }
}

impl Bound {
    /// The moment. `is_end`: of a day its end is meant.
    fn moment(&self, zone: &TimeZone, is_end: bool) -> Option<Timestamp> {
        match self {
            Bound::Day(day) => {
                let day = if is_end { day.tomorrow().ok()? } else { *day };
                Some(day.to_zoned_datetime(zone.clone()).ok()?.timestamp())
            }
            Bound::Moment(time) => Some(*time),
            Bound::Ago(Hours(hours)) => Timestamp::now().checked_sub(hours.hours()).ok(),
        }
    }
}

impl Summary {
    /// Leaves out the sessions that did not begin in the span. Returns how many have no time at all.
    pub(crate) fn keep(
        &mut self,
        since: Option<&Bound>,
        until: Option<&Bound>,
        zone: &TimeZone,
    ) -> u64 {
        if since.is_none() && until.is_none() {
            return 0;
        }
        let since = since.and_then(|bound| bound.moment(zone, false));
        let until = until.and_then(|bound| bound.moment(zone, true));
        let mut undated = 0;
        self.sessions.retain(|session| {
            let Some(Start { time, .. }) = session.start() else {
                undated += 1;
                return false;
            };
            since.is_none_or(|since| since <= time) && until.is_none_or(|until| time < until)
        });
        self.total = total(self.sessions.iter());
        undated
    }
}

/// A session's day in the zone.
pub(super) fn zoned(recap: &Recap, zone: &TimeZone) -> Option<ZonedDateTime> {
    Some(recap.start()?.time.to_zoned_datetime(zone.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_dates_moments_or_spans() {
        assert!(matches!("2026-11-30".parse(), Ok(Bound::Day(_))));
        assert!(matches!("2026-11-30T10:00:00Z".parse(), Ok(Bound::Moment(_))));
        assert_eq!("7d".parse(), Ok(Bound::Ago(Hours(168))));
        assert_eq!("2w".parse(), Ok(Bound::Ago(Hours(336))));
        for wrong in
            ["", "7", "d", "-1d", "7y", "yesterday", "99999999999999999999h", "1000000000w"]
        {
            assert!(wrong.parse::<Bound>().is_err(), "{wrong}");
        }
        let zone = TimeZone::UTC;
        let day: Bound = "2026-11-30".parse().unwrap();
        let ends = [false, true].map(|end| day.moment(&zone, end).unwrap().to_string());
        assert_eq!(ends, ["2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z"]);
    }
}
