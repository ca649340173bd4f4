//! Which harness a command line starts, and the flags that make it print its events.

use std::ffi::OsStr;

use super::launcher::{Found, base, harness, is, without_version, word};
use crate::adapter::{Flags, Protocol};

/// Adds to `command` what makes its harness print `protocol`.
///
/// The flags stand where the command line takes them: right behind the harness's name or its
/// subcommand, never behind a `--` and never inside the prompt. A command that names the output's form
/// itself is left alone, so whoever wants other flags spells them out; so is a command that does not
/// start a harness of the protocol (`wrap` says so). What usually stands in front of one (`env`,
/// `npx`, `timeout`, …) is looked through.
///
/// Getting these flags wrong fails silently: without `--verbose` Claude Code refuses `stream-json`,
/// and without `--output-format` it prints prose.
///
/// ```
/// use agentnorm::{Protocol, apply_protocol};
///
/// let argv = |line: &str| line.split(' ').map(String::from).collect::<Vec<_>>();
/// let apply = |line| apply_protocol(Protocol::ClaudeJson, &argv(line)).join(" ");
///
/// assert_eq!(apply("claude -p hi"), "claude --output-format stream-json --verbose -p hi");
/// assert_eq!(apply("claude -p hi --output-format=text"), "claude -p hi --output-format=text");
/// assert_eq!(
///     apply("timeout 60 npx -y @anthropic-ai/claude-code@latest -p hi"),
///     "timeout 60 npx -y @anthropic-ai/claude-code@latest --output-format stream-json --verbose -p hi",
/// );
/// assert_eq!(apply("sh -c claude"), "sh -c claude");
/// ```
pub fn apply_protocol<S>(protocol: Protocol, command: &[S]) -> Vec<S>
where
    S: AsRef<OsStr> + Clone + for<'a> From<&'a str>,
{
    let mut argv = command.to_vec();
    let dialect = protocol.dialect();
    let Some(first) = harness(command).and_then(|found| speaks(dialect.commands, command, found))
    else {
        return argv;
    };
    let end = (first..command.len()).find(|at| word(command, *at) == "--").unwrap_or(command.len());
    let words: Vec<&str> = (first..end).map(|at| word(command, at)).collect();
    // Where the flags go in the command as it was, by rule; the last place first.
    let mut places: Vec<(usize, &Flags)> = dialect
        .flags
        .iter()
        .filter(|rule| !words.iter().any(|word| rule.unless.iter().any(|flag| is(word, flag))))
        .filter_map(|rule| {
            let behind = match rule.behind {
                None => Some(first),
                Some(sub) => words.iter().position(|word| *word == sub).map(|at| first + at + 1),
            };
            behind.map(|at| (at, rule))
        })
        .collect();
    places.reverse();
    places.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    for (at, rule) in places {
        argv.splice(at..at, rule.add.iter().map(|flag| S::from(flag)));
    }
    argv
}

/// Says why nothing is added to `command` although its harness needs flags to print `protocol`: nothing
/// of the harness was found in it. Whoever named the output's form has decided, and a protocol
/// without flags needs none.
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "wrap says it"))]
pub(crate) fn unflagged<S: AsRef<OsStr>>(protocol: Protocol, command: &[S]) -> Option<String> {
    let dialect = protocol.dialect();
    let rules = dialect.flags;
    let name = dialect.commands.first().filter(|_| !rules.is_empty())?;
    let Some(first) = harness(command).and_then(|found| speaks(dialect.commands, command, found))
    else {
        return Some(format!("it does not start {name} in a form that is known"));
    };
    let end = (first..command.len()).find(|at| word(command, *at) == "--").unwrap_or(command.len());
    let has = |sub: &str| (first..end).any(|at| word(command, at) == sub);
    let mut subcommands: Vec<&str> = rules.iter().filter_map(|rule| rule.behind).collect();
    subcommands.dedup();
    let whole = rules.iter().any(|rule| rule.behind.is_none());
    if whole || subcommands.iter().any(|sub| has(sub)) {
        return None;
    }
    let words: Vec<String> = subcommands.iter().map(|sub| format!("\"{sub}\"")).collect();
    Some(format!("{name} takes them behind {}", words.join(" or ")))
}

/// Returns the form of output that `command` chooses itself, where its harness could stream and in
/// that form prints nothing before its end.
#[cfg(feature = "cli")]
pub(crate) fn chosen_form<S: AsRef<OsStr>>(protocol: Protocol, command: &[S]) -> Option<&str> {
    let dialect = protocol.dialect();
    let first = harness(command).and_then(|found| speaks(dialect.commands, command, found))?;
    let words = (first..command.len()).map(|at| word(command, at));
    let words: Vec<&str> = words.take_while(|word| *word != "--").collect();
    let streams = |rule: &&Flags| rule.add.iter().any(|form| form.starts_with("stream"));
    dialect.flags.iter().filter(streams).find_map(|rule| {
        let at = words.iter().position(|word| rule.unless.iter().any(|flag| is(word, flag)))?;
        let form = match words.get(at)?.split_once('=') {
            Some((_, form)) => form,
            None => words.get(at + 1)?,
        };
        matches!(form, "json" | "text").then_some(form)
    })
}

impl Protocol {
    /// Returns the protocol of the harness that `command` starts, by the command's name. What
    /// usually stands in front of a command (`env`, `npx`, `timeout`, …) is looked through.
    ///
    /// ```
    /// use agentnorm::Protocol;
    ///
    /// let of = |command: &[&str]| Protocol::of_command(command);
    /// assert_eq!(of(&["/usr/local/bin/claude", "-p", "hi"]), Some(Protocol::ClaudeJson));
    /// assert_eq!(of(&["env", "CI=1", "nice", "claude"]), Some(Protocol::ClaudeJson));
    /// assert_eq!(of(&["sh", "-c", "claude -p hi"]), None);
    /// ```
    pub fn of_command<S: AsRef<OsStr>>(command: &[S]) -> Option<Protocol> {
        let found = harness(command)?;
        let known = |p: &Protocol| speaks(p.dialect().commands, command, found).is_some();
        Protocol::ALL.iter().copied().find(known)
    }
}

/// Returns where the arguments begin if the program, a command's path or a package with or without its
/// version, is one of `commands`. Some have a second word, which is their first argument.
fn speaks<S: AsRef<OsStr>>(commands: &[&str], command: &[S], found: Found) -> Option<usize> {
    let name = word(command, found.name);
    let is = |known: &str| known == base(name) || known == without_version(name);
    commands.iter().find_map(|known| match known.split_once(' ') {
        Some((known, second)) => {
            (is(known) && word(command, found.arguments) == second).then_some(found.arguments + 1)
        }
        None => is(known).then_some(found.arguments),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        shlex::split(line).unwrap()
    }

    #[track_caller]
    fn claude(line: &str, expected: &str) {
        assert_eq!(apply_protocol(Protocol::ClaudeJson, &words(line)), words(expected), "{line}");
    }

    const FLAGS: &str = "--output-format stream-json --verbose";

    #[test]
    fn the_harness_is_found_behind_the_usual_prefixes() {
        for before in [
            "",
            "./bin/",
            "env ",
            "env -i CI=1 -u HOME HOME=/tmp ",
            "/usr/bin/env -- ",
            "timeout 5m ",
            "timeout -k 5 --signal=INT 60 ",
            "timeout -- 60 ",
            "nice -n 5 ",
            "nice -n5 ",
            "nohup ",
            "stdbuf -oL -e 0 ",
            "env A=1 timeout 5 nice nohup setsid ",
            "sudo -u dev ",
            "npx ",
            "npx -y -- ",
            "npx --yes --package @anthropic-ai/claude-code ",
            "npm exec -- ",
            "npm exec --package @anthropic-ai/claude-code -- ",
            "npm exec --registry http://127.0.0.1:1 -- ",
            "op run --env-file .env -- env ",
            "caffeinate -i -t 3600 ",
            "pnpm dlx ",
            "bunx ",
            "yarn dlx -p @anthropic-ai/claude-code ",
            "xvfb-run -a -s '-screen 0 1024x768x24' ",
            "xvfb-run --server-num=7 -w 3 ",
        ] {
            claude(&format!("{before}claude -p hi"), &format!("{before}claude {FLAGS} -p hi"));
        }
        for package in ["@anthropic-ai/claude-code", "@anthropic-ai/claude-code@2.1.3"] {
            claude(&format!("npx -y {package} -p hi"), &format!("npx -y {package} {FLAGS} -p hi"));
        }
        claude("claude", &format!("claude {FLAGS}"));
        for npm in ["npm exec", "npm x -y", "npm exec --package=@anthropic-ai/claude-code"] {
            let line = format!("{npm} claude -- -p hi");
            claude(&line, &format!("{npm} claude -- {FLAGS} -p hi"));
        }
        claude("xvfb-run npm exec claude --", &format!("xvfb-run npm exec claude -- {FLAGS}"));
    }

    #[test]
    fn a_command_of_two_words_is_known_by_both() {
        let cursor = Protocol::Cursor;
        let flags = "--output-format stream-json";
        for (line, applied) in [
            ("cursor agent -p hi", format!("cursor agent {flags} -p hi")),
            ("env A=1 /opt/cursor agent -p hi", format!("env A=1 /opt/cursor agent {flags} -p hi")),
            ("cursor-agent -p hi", format!("cursor-agent {flags} -p hi")),
        ] {
            assert_eq!(apply_protocol(cursor, &words(line)), words(&applied), "{line}");
            assert_eq!(Protocol::of_command(&words(line)), Some(cursor), "{line}");
        }
        // An editor's window, and a name that is too general to guess.
        for line in ["cursor .", "cursor", "agent -p hi", "cursor --wait agent"] {
            assert_eq!(apply_protocol(cursor, &words(line)), words(line), "{line}");
            assert_eq!(Protocol::of_command(&words(line)), None, "{line}");
        }
    }

    #[test]
    fn a_command_that_gets_no_flags_is_told_why() {
        let why = |protocol: &str, line: &str| {
            unflagged(Protocol::from_name(protocol).unwrap(), &words(line))
        };
        let unknown = why("claude-json", "./my-wrapper -p hi").unwrap();
        assert_eq!(unknown, "it does not start claude in a form that is known");
        let interactive = why("codex", "codex hi").unwrap();
        assert!(interactive.starts_with("codex takes them behind \"exec\""), "{interactive}");
        for (protocol, line) in [
            ("claude-json", "claude -p hi"),
            ("claude-json", "claude -p hi --output-format text"),
            ("codex", "codex exec --json hi"),
            ("acp", "my-agent"),
            ("none", "ls"),
            ("auto", "ls"),
            ("jsonl", "./my-wrapper"),
        ] {
            assert_eq!(why(protocol, line), None, "{protocol}: {line}");
        }
    }

    #[test]
    fn what_is_not_the_harness_is_left_alone() {
        for line in [
            "sh -c 'claude -p hi'",
            "bash claude -p hi",
            "env",
            "env -S 'claude -p hi'",
            "env --split-string='claude -p hi'",
            "npx -c 'claude -p hi'",
            "npm exec claude -p hi",
            "npm exec -c 'claude -p hi' --",
            "npm exec other -- claude -p hi",
            "timeout 5",
            "timeout claude",
            "claudette -p hi",
            "ssh host claude -p hi",
            "cat claude",
            "",
        ] {
            assert_eq!(apply_protocol(Protocol::ClaudeJson, &words(line)), words(line), "{line}");
            assert_eq!(Protocol::of_command(&words(line)), None, "{line}");
        }
        for protocol in [Protocol::Auto, Protocol::None, Protocol::Jsonl] {
            assert_eq!(apply_protocol(protocol, &words("claude -p hi")), words("claude -p hi"));
        }
    }

    #[test]
    fn who_names_the_form_has_decided_but_a_prompt_decides_nothing() {
        for line in [
            "claude -p hi --output-format text",
            "claude --output-format=json -p hi",
            "npx claude -p hi --output-format=",
        ] {
            claude(line, line);
        }
        claude("claude -p -- --output-format", &format!("claude {FLAGS} -p -- --output-format"));
        claude(
            "claude -p '--output-format is what?'",
            &format!("claude {FLAGS} -p '--output-format is what?'"),
        );
        claude(
            "claude -p hi --output-formatter",
            &format!("claude {FLAGS} -p hi --output-formatter"),
        );
    }

    #[test]
    fn a_form_that_comes_at_the_end_is_known() {
        let chosen = |protocol: &str, line: &str| {
            let protocol = Protocol::from_name(protocol).unwrap();
            chosen_form(protocol, &words(line)).map(str::to_owned)
        };
        for (protocol, line, form) in [
            ("claude-json", "claude -p hi --output-format json", Some("json")),
            ("claude-json", "env A=1 claude -p hi --output-format=text", Some("text")),
            ("claude-json", "claude -p hi --output-format stream-json --verbose", None),
            ("claude-json", "claude -p hi -- --output-format json", None),
            ("claude-json", "claude -p hi", None),
            ("claude-json", "sh -c claude --output-format json", None),
            ("gemini", "gemini -o json -p hi", Some("json")),
            ("pi", "pi --mode json hi", None),
            ("codex", "codex exec --json hi", None),
        ] {
            assert_eq!(chosen(protocol, line).as_deref(), form, "{line}");
        }
    }

    #[test]
    fn each_dialect_gets_its_flags_where_it_takes_them() {
        let applied = |protocol: &str, line: &str| {
            apply_protocol(Protocol::from_name(protocol).unwrap(), &words(line)).join(" ")
        };
        let stream = "claude --output-format stream-json --verbose --input-format stream-json -p";
        assert_eq!(applied("claude-stream", "claude -p"), stream);
        assert_eq!(applied("codex", "codex exec hi"), "codex exec --json hi");
        assert_eq!(applied("codex", "codex -m gpt exec -"), "codex -m gpt exec --json -");
        assert_eq!(applied("codex", "codex exec resume ID hi"), "codex exec --json resume ID hi");
        assert_eq!(applied("codex", "codex e hi"), "codex e --json hi");
        assert_eq!(applied("codex", "codex exec e"), "codex exec --json e");
        assert_eq!(applied("codex", "npx @openai/codex exec x"), "npx @openai/codex exec --json x");
        for decided in ["codex exec hi --json", "codex exec --experimental-json hi", "codex hi"] {
            assert_eq!(applied("codex", decided), decided);
        }
        assert_eq!(applied("codex", "codex -- exec"), "codex -- exec");
        assert_eq!(applied("codex", "codex exec -- --json"), "codex exec --json -- --json");
        // Two rules, each for itself and in their order.
        assert_eq!(applied("openhands", "openhands -t x"), "openhands --headless --json -t x");
        assert_eq!(applied("openhands", "openhands --json"), "openhands --headless --json");
        assert_eq!(applied("gemini", "gemini -ojson -p x"), "gemini -ojson -p x");
    }

    #[test]
    fn a_command_or_a_package_means_the_first_dialect_of_the_table_that_names_it() {
        for (name, protocol) in [
            ("claude", "claude-json"),
            ("claude.cmd", "claude-json"),
            ("C:\\bin\\codex.exe", "codex"),
            ("@openai/codex@0.171.0", "codex"),
            ("@google/gemini-cli", "gemini"),
            ("opencode-ai@latest", "opencode"),
        ] {
            assert_eq!(Protocol::of_command(&[name]).map(Protocol::name), Some(protocol), "{name}");
        }
        // A name stands for one harness only.
        for protocol in Protocol::ALL {
            for name in protocol.dialect().commands {
                let of = Protocol::of_command(&words(name)).unwrap();
                assert_eq!(of.dialect().commands, protocol.dialect().commands, "{name}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn words_that_are_not_utf8_are_kept() {
        use std::ffi::OsString;
        use std::os::unix::ffi::OsStringExt as _;
        let odd = OsString::from_vec(vec![b'-', 0xff]);
        let got = apply_protocol(Protocol::ClaudeJson, &["claude".into(), odd.clone()]);
        assert_eq!(got.last(), Some(&odd));
        assert_eq!(got.len(), 5);
    }
}
