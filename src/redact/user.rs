//! The user's own rules: a file of names and patterns.

use std::fmt;

use regex_automata::Input;
use regex_automata::meta::{BuildError, Regex};

use super::finder::{Finder, Hit, Kind};
use super::placeholder;

/// The most of an unbroken text that is held back for a pattern, in bytes.
const MOST_HELD: usize = 512;

/// What a file of rules says.
#[derive(Debug, Default)]
pub(super) struct UserRules {
    rules: Vec<(String, Regex)>,
    allowed: Vec<Regex>,
    pub(super) off: Vec<String>,
}

/// Why a file of rules cannot be used.
#[derive(Debug)]
pub struct RuleError {
    /// The line, from 1.
    pub line: usize,
    why: Why,
}

#[derive(Debug)]
enum Why {
    NoTab,
    Name,
    Unknown(String),
    Empty,
    Pattern(Box<BuildError>),
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.why {
            Why::NoTab => f.write_str("a rule is a name, a tab and a pattern"),
            Why::Name => f.write_str("a rule's name is made of a-z, 0-9 and -"),
            Why::Unknown(name) => write!(f, "there is no rule '{name}' to switch off"),
            Why::Empty => f.write_str("the pattern matches an empty text"),
            Why::Pattern(error) => match error.syntax_error() {
                Some(syntax) => write!(
                    f,
                    "bad pattern: {}",
                    syntax
                        .to_string()
                        .lines()
                        .last()
                        .unwrap_or_default()
                        .trim_start_matches("error: ")
                ),
                None => write!(f, "bad pattern: {error}"),
            },
        }
    }
}

impl std::error::Error for RuleError {}

impl UserRules {
    /// Reads a file of rules.
    pub(super) fn read(text: &str) -> Result<Self, RuleError> {
        let mut rules = Self::default();
        for (line, row) in (1..).zip(text.lines()) {
            let wrong = |why| RuleError { line, why };
            let row = row.trim_end_matches('\r');
            if row.trim().is_empty() || row.starts_with('#') {
                continue;
            }
            if let Some(name) = row.strip_prefix('!') {
                let name = name.trim();
                if !Finder::names().any(|known| known == name) {
                    return Err(wrong(Why::Unknown(name.to_owned())));
                }
                rules.off.push(name.to_owned());
                continue;
            }
            let (name, pattern) = row.split_once('\t').ok_or(wrong(Why::NoTab))?;
            if name.is_empty() || placeholder::kind(name) != name {
                return Err(wrong(Why::Name));
            }
            let regex = |pattern: &str| {
                Regex::new(pattern).map_err(|error| wrong(Why::Pattern(Box::new(error))))
            };
            if name == "ok" {
                rules.allowed.push(regex(&format!("^(?:{pattern})$"))?);
                continue;
            }
            let pattern = regex(pattern)?;
            if pattern.is_match("") {
                return Err(wrong(Why::Empty));
            }
            rules.rules.push((name.to_owned(), pattern));
        }
        Ok(rules)
    }

    pub(super) fn name(&self, number: usize) -> &str {
        self.rules.get(number).map_or("", |(name, _)| name)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub(super) fn allows(&self, text: &[u8]) -> bool {
        self.allowed.iter().any(|allowed| allowed.is_match(text))
    }

    /// Whether the line may hold something: asked of it as it is written, which is a guess.
    pub(super) fn find(&self, text: &[u8], from: usize, open: bool, hits: &mut Vec<Hit>) -> usize {
        for (number, (_, regex)) in self.rules.iter().enumerate() {
            let mut captures = regex.create_captures();
            let mut input = Input::new(text).range(from..);
            while input.start() <= text.len() {
                regex.search_captures(&input, &mut captures);
                let Some(whole) = captures.get_match() else { break };
                let range = captures.get_group(1).map_or(whole.range(), |group| group.range());
                if !range.is_empty() {
                    hits.push(Hit { range, kind: Kind::User(number) });
                }
                input.set_start(whole.end().max(whole.start() + 1).min(text.len()));
                if whole.end() >= text.len() {
                    break;
                }
            }
        }
        if !open || self.rules.is_empty() {
            return text.len();
        }
        // A pattern may go on as long as the text does; what blanks end is taken for whole.
        let tail = text.get(from..).unwrap_or_default();
        let word = tail.iter().rev().take(MOST_HELD).take_while(|byte| !byte.is_ascii_whitespace());
        text.len() - word.count()
    }
}
