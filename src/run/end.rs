//! How a child process ended, and the `session.ended` that is made up from it.

use crate::adapter::Protocol;
use crate::format::batch::{Batch, Outcome};
use crate::format::event::{SessionEnded, Status};
use crate::format::sourced::{Sink, Sourced};
use crate::format::time;
use crate::format::write::Name;
use crate::read::normalize::Normalizer;
use crate::run::exit;

/// How a child process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildEnd {
    /// It exited with this status.
    Exited(i32),
    /// This signal ended it.
    Killed(i32),
}

impl ChildEnd {
    /// Returns the exit status that passes the end on: the child's own, or 128 and the signal's
    /// number.
    pub fn status(self) -> u8 {
        let (code, base) = match self {
            ChildEnd::Exited(code) => (code, 0),
            ChildEnd::Killed(signal) => (signal, i32::from(exit::SIGNAL)),
        };
        // A status of Windows may be wider: what is no success stays none.
        u8::try_from(base + code).unwrap_or(u8::MAX)
    }
}

impl Normalizer {
    /// Adds the end that the stream left out, after [`Normalizer::finish`], from how the child ended
    /// that wrote it. Returns whether the session succeeded.
    ///
    /// Nothing is added where the stream's last word is an end. The made-up end is a success only if
    /// the exit status is 0, this form of the dialect has no end record of its own, and the last
    /// thing said was no error.
    ///
    /// ```
    /// use agentnorm::{ChildEnd, Normalizer, Options, Protocol};
    ///
    /// let mut normalizer = Normalizer::new(Options::new(Protocol::None));
    /// normalizer.push(b"Done.\n", &mut |_| {});
    /// normalizer.finish(&mut |_| {});
    /// let mut end = String::new();
    /// let succeeded = normalizer.conclude(ChildEnd::Exited(3), &mut |made_up| {
    ///     for (_, payload) in made_up.events() {
    ///         end.push_str(&String::from_utf8_lossy(payload));
    ///     }
    /// });
    /// assert!(!succeeded);
    /// assert_eq!(
    ///     end,
    ///     r#"{"status":"failed","stopReason":null,"summary":null,"exitCode":3,"synthetic":true}"#
    /// );
    /// ```
    pub fn conclude(&self, end: ChildEnd, sink: &mut Sink<'_>) -> bool {
        self.conclude_by(end, None, sink)
    }

    /// Does the same for a child that a limit of ours ended: `limit` is its word.
    pub(crate) fn conclude_by(
        &self,
        end: ChildEnd,
        limit: Option<&str>,
        sink: &mut Sink<'_>,
    ) -> bool {
        let Outcome { succeeded, ended, error, .. } = self.outcome();
        if ended {
            return succeeded == Some(true);
        }
        // A harness that speaks the vocabulary itself may have no ends; where it printed none, its
        // exit status is the only one.
        let own = self.protocol() == Protocol::Jsonl && succeeded.is_none();
        let good =
            limit.is_none() && end == ChildEnd::Exited(0) && (own || !self.has_end()) && !error;
        let mut batch = Batch::new(0, true);
        batch.carry_on(self.session());
        let mut payload = SessionEnded {
            status: if good { Status::Succeeded } else { Status::Failed },
            reason: limit.map(Name::from),
            synthetic: true,
            ..SessionEnded::default()
        };
        match end {
            ChildEnd::Exited(code) => payload.exit_code = Some(i64::from(code)),
            ChildEnd::Killed(signal) => payload.signal = Some(Name::from(name(signal))),
        }
        batch.push(payload);
        let now = self.stamps().then(time::now);
        let mut made_up = Sourced::made_up(&batch);
        made_up.time = now.as_deref();
        sink(made_up);
        good
    }
}

/// Returns the signal's name; of one without a name its number.
fn name(signal: i32) -> String {
    #[cfg(unix)]
    if let Some(name) = signal_hook::low_level::signal_name(signal) {
        return name.to_owned();
    }
    signal.to_string()
}
