//! What to redact, as the user says it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::finder::Finder;
use super::placeholder::{self, Key};
use super::prefilter::Prefilter;
use super::report::Report;
use super::tail::Tails;
use super::user::{RuleError, UserRules};
use super::values::{SHORTEST, Values};
use super::{Doc, Made, Redactor, Rules};

/// What is to be redacted, and what has been. Clones share both.
///
/// ```
/// use agentnorm::{Emitter, Normalizer, Options, Protocol, Redaction};
///
/// let mut redaction = Redaction::builder();
/// redaction.value("DEPLOY_TOKEN", "correct horse battery staple")?;
/// let redaction = redaction.build()?;
/// let mut options = Options::new(Protocol::None);
/// options.redaction = Some(redaction.clone());
/// let mut normalizer = Normalizer::new(options);
/// let mut texts = Vec::new();
/// let mut sink = |line: agentnorm::Sourced<'_>| {
///     texts.extend(line.events().map(|(_, payload)| String::from_utf8_lossy(payload).into_owned()));
/// };
/// normalizer.push(b"it is correct horse battery staple.\n", &mut sink);
/// normalizer.finish(&mut sink);
/// assert!(texts[0].contains("it is [redacted:env-deploy-token:"));
/// assert_eq!(redaction.report().unwrap(), "redacted 1 secret in 1 place: env-deploy-token 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Redaction {
    rules: Arc<Rules>,
    report: Arc<Mutex<Report>>,
}

/// Gathers what is to be redacted.
#[derive(Debug, Default)]
pub struct RedactionBuilder {
    values: Values,
    user: UserRules,
    key: Option<Key>,
}

/// Why something cannot be redacted.
#[derive(Debug)]
#[non_exhaustive]
pub enum RedactionError {
    /// The value of this variable is too short: it would be found everywhere.
    Short(String),
    /// A rule of the user's.
    Rule(RuleError),
    /// There is more to look for than can be looked for.
    TooMuch,
}

impl fmt::Display for RedactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short(name) => {
                write!(
                    f,
                    "the value of {name} has fewer than {SHORTEST} characters and cannot be told from other text"
                )
            }
            Self::Rule(error) => error.fmt(f),
            Self::TooMuch => f.write_str("there are too many values to look for"),
        }
    }
}

impl std::error::Error for RedactionError {}

impl Redaction {
    /// The built-in rules, and whatever is added to them.
    pub fn builder() -> RedactionBuilder {
        RedactionBuilder::default()
    }

    /// What was redacted so far, in words that say nothing of it; nothing where nothing was.
    pub fn report(&self) -> Option<String> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner).words()
    }

    /// What redacts one stream.
    pub(crate) fn stream(&self) -> Redactor {
        Redactor {
            rules: Arc::clone(&self.rules),
            report: Arc::clone(&self.report),
            tails: Tails::default(),
            doc: Doc::default(),
            before: Vec::new(),
            made: Made::default(),
            withholds: false,
        }
    }
}

impl RedactionBuilder {
    /// Adds the value of a variable, whatever it looks like.
    ///
    /// # Errors
    ///
    /// When it has fewer than 8 characters.
    pub fn value(&mut self, name: &str, value: &str) -> Result<&mut Self, RedactionError> {
        if value.trim().len() < SHORTEST {
            return Err(RedactionError::Short(name.to_owned()));
        }
        self.values.add(placeholder::kind(&format!("env-{name}")), value);
        Ok(self)
    }

    /// Adds a file of rules: `name<TAB>pattern`, `!name` to switch one off, `ok<TAB>pattern` to allow.
    ///
    /// # Errors
    ///
    /// When a line of it is no rule, or its pattern is none.
    pub fn rules(&mut self, text: &str) -> Result<&mut Self, RedactionError> {
        self.user = UserRules::read(text).map_err(RedactionError::Rule)?;
        Ok(self)
    }

    /// Makes equal secrets have equal placeholders in each run that is given the same bytes.
    pub fn key(&mut self, bytes: &[u8]) -> &mut Self {
        self.key = Some(Key::of_file(bytes));
        self
    }

    /// Gets it ready.
    ///
    /// # Errors
    ///
    /// When there is more to look for than can be.
    pub fn build(mut self) -> Result<Redaction, RedactionError> {
        let too_much = |_| RedactionError::TooMuch;
        if !self.values.is_empty() {
            self.values.build().map_err(too_much)?;
        }
        let marks = self.values.marks();
        let prefilter = Prefilter::new(marks, !self.user.is_empty()).map_err(too_much)?;
        let finder = Finder::new(std::mem::take(&mut self.user.off)).map_err(too_much)?;
        let key = self.key.unwrap_or_else(Key::random);
        let rules = Rules { prefilter, finder, values: self.values, user: self.user, key };
        Ok(Redaction { rules: Arc::new(rules), report: Arc::default() })
    }
}

/// Whether a variable holds a secret, as far as its name says: the place of a secret is none.
#[cfg(feature = "cli")]
pub(crate) fn is_secret_variable(name: &str, value: &str) -> bool {
    super::name::says(name.as_bytes()) != super::name::Says::Nothing
        && !super::judge::is_place(value.as_bytes())
}
