//! What the arguments and the environment say of secrets.

use std::env;
use std::fs;
use std::path::Path;

use anyhow::Context as _;

use super::streams::say;
use crate::cli::args::{RedactArgs, SecretArgs};
use crate::redact::{Redaction, RedactionBuilder, RedactionError, is_secret_variable};

impl RedactArgs {
    /// What is to be redacted, where anything is.
    pub(super) fn redaction(&self) -> anyhow::Result<Option<Redaction>> {
        self.is_on().then(|| self.secrets.redaction(false)).transpose()
    }

    /// The same for `wrap`: with the secrets that the command is given in its environment.
    pub(super) fn redaction_of_child(&self) -> anyhow::Result<Option<Redaction>> {
        self.is_on().then(|| self.secrets.redaction(true)).transpose()
    }
}

impl SecretArgs {
    /// What is to be redacted; `own`: also the variables of our own environment that hold secrets.
    pub(super) fn redaction(&self, own: bool) -> anyhow::Result<Redaction> {
        let mut builder = Redaction::builder();
        let mut short = Vec::new();
        if own {
            for (name, value) in variables().filter(|(name, value)| is_secret_variable(name, value))
            {
                add(&mut builder, &name, &value, &mut short)?;
            }
        }
        for asked in &self.redact_env {
            add_asked(&mut builder, asked, &mut short)?;
        }
        for path in &self.redact_env_file {
            let wrong = || format!("cannot read the variables in {}", path.display());
            for variable in dotenvy::from_path_iter(path).with_context(wrong)? {
                // An error of the file's form quotes the line, which may hold a secret.
                let (name, value) = match variable {
                    Ok(variable) => variable,
                    Err(dotenvy::Error::Io(error)) => return Err(error).with_context(wrong),
                    Err(_) => anyhow::bail!("{}: a line is not NAME=VALUE", wrong()),
                };
                add(&mut builder, &name, &value, &mut short)?;
            }
        }
        if !short.is_empty() {
            short.sort();
            short.dedup();
            say(&format!(
                "too short to be redacted (under {} characters): {}",
                crate::redact::SHORTEST,
                short.join(", ")
            ));
        }
        if let Some(path) = &self.redact_rules {
            let rules = String::from_utf8(read(path, "rules")?)
                .with_context(|| format!("{} is not UTF-8", path.display()))?;
            builder.rules(&rules).with_context(|| path.display().to_string())?;
        }
        if let Some(path) = &self.redact_key {
            let key = read(path, "key")?;
            anyhow::ensure!(
                key.len() >= 16,
                "the key in {} is shorter than 16 bytes",
                path.display()
            );
            builder.key(&key);
        }
        Ok(builder.build()?)
    }
}

/// Adds the variables that are asked for by a name or a pattern.
fn add_asked(
    builder: &mut RedactionBuilder,
    asked: &str,
    short: &mut Vec<String>,
) -> anyhow::Result<()> {
    if asked.contains(['*', '?']) {
        let all = variables().filter(|(name, _)| matches(asked.as_bytes(), name.as_bytes()));
        for (name, value) in all {
            add(builder, &name, &value, short)?;
        }
        return Ok(());
    }
    match variables().find(|(name, _)| name == asked) {
        Some((name, value)) if !value.is_empty() => {
            builder.value(&name, &value)?;
        }
        _ => say(&format!("the variable {asked} is not set; there is nothing of it to redact")),
    }
    Ok(())
}

/// Adds a variable that was not asked for by its name: what is too short is only told.
fn add(
    builder: &mut RedactionBuilder,
    name: &str,
    value: &str,
    short: &mut Vec<String>,
) -> anyhow::Result<()> {
    match builder.value(name, value) {
        Ok(_) => {}
        Err(RedactionError::Short(_)) if value.trim().is_empty() => {}
        Err(RedactionError::Short(name)) => short.push(name),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

fn variables() -> impl Iterator<Item = (String, String)> {
    env::vars_os().filter_map(|(name, value)| {
        Some((name.into_string().ok()?, value.to_string_lossy().into_owned()))
    })
}

fn read(path: &Path, what: &str) -> anyhow::Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read the {what} in {}", path.display()))
}

/// Whether a pattern of `*` and `?` matches all of a name.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut here, mut star) = (0, 0, None);
    while here < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, here));
                at += 1;
            }
            Some(byte) if *byte == b'?' || name.get(here) == Some(byte) => {
                (at, here) = (at + 1, here + 1);
            }
            _ => {
                let Some((back, from)) = star else { return false };
                star = Some((back, from + 1));
                (at, here) = (back + 1, from + 1);
            }
        }
    }
    pattern.get(at..).is_some_and(|rest| rest.iter().all(|byte| *byte == b'*'))
}

/// Says on standard error what was redacted.
pub(super) fn say_redacted(redaction: Option<&Redaction>) {
    if let Some(words) = redaction.and_then(Redaction::report) {
        say(&words);
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_whole_names() {
        let all = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(
            all("*_TOKEN", "GH_TOKEN")
                && all("A?C*", "ABCD")
                && all("*A*B*", "xAyBz")
                && all("*", "")
        );
        assert!(
            !all("*_TOKEN", "GH_TOKENS") && !all("A", "AB") && !all("?", "") && !all("*AB", "ABA")
        );
    }
}
