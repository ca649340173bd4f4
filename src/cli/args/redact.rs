//! What is redacted.

use std::path::PathBuf;

use clap::Args;

/// Whether secrets are redacted, and which.
#[derive(Debug, Args)]
pub struct RedactArgs {
    /// Replace secrets in each line, before anything else sees it.
    #[arg(long, help_heading = "Redaction")]
    pub redact: bool,

    /// What counts as a secret.
    #[command(flatten)]
    pub secrets: SecretArgs,
}

/// What counts as a secret beside what the built-in rules know.
#[derive(Debug, Args)]
pub struct SecretArgs {
    /// Also redact the values of these environment variables (repeatable; `*` and `?` match).
    #[arg(long, value_name = "NAME", help_heading = "Redaction")]
    pub redact_env: Vec<String>,

    /// Also redact the values of the variables in this `.env` file (repeatable).
    #[arg(long, value_name = "FILE", help_heading = "Redaction")]
    pub redact_env_file: Vec<PathBuf>,

    /// Also redact by the rules in FILE: `name<TAB>regex`, `!name` (off), `ok<TAB>regex` (allow).
    #[arg(long, value_name = "FILE", help_heading = "Redaction")]
    pub redact_rules: Option<PathBuf>,

    /// Make equal secrets have equal placeholders in each run that is given this file.
    #[arg(long, value_name = "FILE", help_heading = "Redaction")]
    pub redact_key: Option<PathBuf>,
}

impl RedactArgs {
    /// Whether something is redacted.
    pub fn is_on(&self) -> bool {
        self.redact || self.secrets.is_some()
    }
}

impl SecretArgs {
    fn is_some(&self) -> bool {
        !self.redact_env.is_empty()
            || !self.redact_env_file.is_empty()
            || self.redact_rules.is_some()
            || self.redact_key.is_some()
    }
}
