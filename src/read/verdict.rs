//! Whether a stream's session went well: one rule for the filter, `wrap` and the reports.

use crate::format::outcome::Outcome;

/// What was read, as far as the verdict depends on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Form {
    /// Whether a record of a known dialect was read.
    pub is_known: bool,
    /// Whether that form of the dialect has an end record.
    pub has_end: bool,
}

/// Whether a stream's session went well.
///
/// ```
/// use agentnorm::{Normalizer, Options, Protocol, Unknown, Verdict};
///
/// let mut normalizer = Normalizer::new(Options::new(Protocol::Auto));
/// assert_eq!(normalizer.verdict(), Verdict::Unknown(Unknown::NothingRead));
/// normalizer.push(b"{\"type\":\"session.ended\",\"status\":\"succeeded\"}\n", &mut |_| {});
/// assert_eq!(normalizer.verdict(), Verdict::Succeeded);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The last end is a success, with neither an error nor more work behind it; or the form of the
    /// dialect has no end record, and no error came last.
    Succeeded,
    /// The session failed.
    Failed(Failure),
    /// The stream does not say.
    Unknown(Unknown),
}

/// Why a session counts as failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The last end says so.
    End,
    /// An error came last: behind the last end, or in a stream without any.
    Error,
}

/// Why it is not known how a session went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// No record of a known dialect was read.
    NothingRead,
    /// The form of the dialect has an end record, and there is none.
    NoEnd,
    /// There is none behind the last of the work.
    CutOff,
}

impl Verdict {
    /// Judges a stream by its form and by what it has said.
    pub fn of(form: Form, outcome: Outcome) -> Self {
        match outcome.succeeded {
            Some(false) => Self::Failed(Failure::End),
            Some(true) if outcome.error_behind_end => Self::Failed(Failure::Error),
            None if outcome.error => Self::Failed(Failure::Error),
            Some(true) if !outcome.ended && form.has_end => Self::Unknown(Unknown::CutOff),
            None if !form.is_known => Self::Unknown(Unknown::NothingRead),
            None if form.has_end => Self::Unknown(Unknown::NoEnd),
            Some(true) | None => Self::Succeeded,
        }
    }

    /// Returns whether the session succeeded.
    pub fn is_success(self) -> bool {
        self == Self::Succeeded
    }

    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed(_) => "failed",
            Self::Unknown(_) => "unknown",
        }
    }

    /// Says why it is no success.
    pub fn why(self) -> Option<&'static str> {
        match self {
            Self::Succeeded => None,
            Self::Failed(Failure::End) => Some("the last session.ended is not a success"),
            Self::Failed(Failure::Error) => Some("an error came last"),
            Self::Unknown(Unknown::NothingRead) => Some("no line of a known dialect was read"),
            Self::Unknown(Unknown::NoEnd) => Some("there is no session.ended"),
            Self::Unknown(Unknown::CutOff) => Some("there is no session.ended at the end"),
        }
    }

    /// Joins the verdicts of two streams: the first that is no success stands.
    #[must_use]
    pub fn and(self, next: Self) -> Self {
        if self.is_success() { next } else { self }
    }
}

impl Default for Verdict {
    fn default() -> Self {
        Self::Unknown(Unknown::NothingRead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_has_its_say() {
        let known = Form { is_known: true, has_end: true };
        let endless = Form { has_end: false, ..known };
        let none = Outcome::default();
        let good = Outcome { succeeded: Some(true), ended: true, ..none };
        let bad = Outcome { succeeded: Some(false), ..good };
        let cut = Outcome { ended: false, ..good };
        let error = Outcome { error: true, ..none };
        let behind = Outcome { error_behind_end: true, ..good };
        let (end, last) = (Verdict::Failed(Failure::End), Verdict::Failed(Failure::Error));
        for (form, outcome, verdict) in [
            (known, good, Verdict::Succeeded),
            (endless, good, Verdict::Succeeded),
            (known, bad, end),
            (endless, Outcome { ended: false, ..bad }, end),
            (known, behind, last),
            // Work behind the error does not take it back: the end that would is missing.
            (endless, Outcome { ended: false, ..behind }, last),
            (known, error, last),
            (endless, error, last),
            (Form::default(), error, last),
            (known, cut, Verdict::Unknown(Unknown::CutOff)),
            (endless, cut, Verdict::Succeeded),
            (known, none, Verdict::Unknown(Unknown::NoEnd)),
            (endless, none, Verdict::Succeeded),
            (Form::default(), none, Verdict::Unknown(Unknown::NothingRead)),
        ] {
            assert_eq!(Verdict::of(form, outcome), verdict, "{form:?} {outcome:?}");
        }
    }
}
