//! Token counters and the rules of how two of them make one.
//!
//! A counter is `None` where nobody said anything of it, which is not zero. In the vocabulary the
//! input never contains what was cached, so the three counters of what was sent add up to the context.

use crate::format::event::{CallUsage, Inherited, ModelUsage, SessionUsage};

/// What was consumed, counter by counter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    /// Input without what was cached.
    pub(crate) input: Option<u64>,
    /// Output as billed.
    pub(crate) output: Option<u64>,
    /// Read from the cache.
    pub(crate) cache_read: Option<u64>,
    /// Written to the cache.
    pub(crate) cache_creation: Option<u64>,
    /// How much of the output was reasoning.
    pub(crate) reasoning: Option<u64>,
}

impl Tokens {
    /// Returns the counters, in the order of the fields.
    pub(crate) fn counts(self) -> [Option<u64>; 5] {
        [self.input, self.output, self.cache_read, self.cache_creation, self.reasoning]
    }

    /// Returns what was sent: the counters that tell one call from another.
    pub(crate) fn sent(self) -> [Option<u64>; 3] {
        [self.input, self.cache_read, self.cache_creation]
    }

    /// Returns the size of the prompt, where anything of it is known.
    pub(crate) fn context(self) -> Option<u64> {
        self.sent().into_iter().flatten().reduce(u64::saturating_add)
    }

    /// Takes what was cached off an input that contains it. An input that is smaller becomes 0.
    pub(crate) fn without_cached(self) -> Self {
        let cached = [self.cache_read, self.cache_creation].into_iter().flatten();
        let cached = cached.fold(0, u64::saturating_add);
        Self { input: self.input.map(|gross| gross.saturating_sub(cached)), ..self }
    }

    /// Tells whether nothing was spent.
    pub(crate) fn is_zero(self) -> bool {
        self.counts().iter().flatten().all(|count| *count == 0)
    }

    /// Combines the counters of both, each with its like.
    pub(crate) fn zip(
        self,
        other: Self,
        with: impl Fn(Option<u64>, Option<u64>) -> Option<u64>,
    ) -> Self {
        Self {
            input: with(self.input, other.input),
            output: with(self.output, other.output),
            cache_read: with(self.cache_read, other.cache_read),
            cache_creation: with(self.cache_creation, other.cache_creation),
            reasoning: with(self.reasoning, other.reasoning),
        }
    }

    /// Adds both together.
    pub(crate) fn plus(self, more: Self) -> Self {
        self.zip(more, |a, b| both(a, b, u64::saturating_add))
    }

    /// Returns the larger of the two, counter by counter.
    pub(crate) fn larger(self, other: Self) -> Self {
        self.zip(other, |a, b| both(a, b, u64::max))
    }

    /// Returns what came since `base`.
    pub(crate) fn less(self, base: Self) -> Self {
        self.zip(base, |now, base| now.map(|now| now.saturating_sub(base.unwrap_or_default())))
    }

    /// Returns this statement, and `last` where it says nothing: a figure that is missing is what it
    /// was.
    pub(crate) fn or(self, last: Self) -> Self {
        self.zip(last, Option::or)
    }

    /// Tells whether a counter that both know is lower than it was: a running total that fell has
    /// started again.
    pub(crate) fn fell(self, before: Self) -> bool {
        let mut pairs = self.counts().into_iter().zip(before.counts());
        pairs.any(|(now, before)| now.zip(before).is_some_and(|(now, before)| now < before))
    }
}

/// Joins two counters; where only one is known, it is the result.
pub(crate) fn both<T>(a: Option<T>, b: Option<T>, join: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(join(a, b)),
        (a, b) => a.or(b),
    }
}

macro_rules! counted {
    ($($name:ty),+) => {$(
        impl From<Tokens> for $name {
            fn from(tokens: Tokens) -> Self {
                let mut usage = Self::default();
                usage.set_tokens(tokens);
                usage
            }
        }

        impl $name {
            /// Returns its counters.
            #[allow(dead_code, reason = "not every kind of usage is read again")]
            pub(crate) fn tokens(&self) -> Tokens {
                Tokens {
                    input: self.input_tokens,
                    output: self.output_tokens,
                    cache_read: self.cache_read_tokens,
                    cache_creation: self.cache_creation_tokens,
                    reasoning: self.reasoning_tokens,
                }
            }

            /// Replaces its counters.
            pub(crate) fn set_tokens(&mut self, tokens: Tokens) {
                self.input_tokens = tokens.input;
                self.output_tokens = tokens.output;
                self.cache_read_tokens = tokens.cache_read;
                self.cache_creation_tokens = tokens.cache_creation;
                self.reasoning_tokens = tokens.reasoning;
            }
        }
    )+};
}

// The counters are keys of the payloads themselves, in an order that is the vocabulary's.
counted!(CallUsage<'_>, SessionUsage<'_>, ModelUsage, Inherited);

#[cfg(test)]
mod tests {
    use super::*;

    fn input(n: u64) -> Tokens {
        Tokens { input: Some(n), ..Tokens::default() }
    }

    #[test]
    fn unknown_is_not_zero() {
        let none = Tokens::default();
        assert_eq!(input(3).plus(none), input(3));
        assert_eq!(none.plus(none), none);
        assert_eq!(none.less(input(3)), none);
        assert_eq!(none.context(), None);
        assert_eq!(input(0).context(), Some(0));
        assert!(none.is_zero() && input(0).is_zero() && !input(1).is_zero());
        assert_eq!(none.or(input(3)), input(3));
        assert_eq!(input(4).or(input(3)), input(4));
    }

    #[test]
    fn no_counter_wraps_around() {
        assert_eq!(input(u64::MAX).plus(input(1)), input(u64::MAX));
        assert_eq!(input(3).less(input(5)), input(0));
        let gross = Tokens { cache_read: Some(9), cache_creation: Some(u64::MAX), ..input(5) };
        assert_eq!(gross.without_cached().input, Some(0));
        assert_eq!(gross.context(), Some(u64::MAX));
    }

    #[test]
    fn a_total_fell_where_both_know_the_counter() {
        assert!(input(3).fell(input(4)));
        assert!(!input(4).fell(input(4)));
        assert!(!Tokens::default().fell(input(4)));
        assert!(!input(4).fell(Tokens::default()));
        let output = Tokens { output: Some(1), ..input(9) };
        assert!(Tokens { output: Some(0), ..input(10) }.fell(output));
        assert_eq!(output.larger(input(10)), Tokens { output: Some(1), ..input(10) });
    }
}
