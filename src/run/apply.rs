//! Which harness a command line starts, and the flags that make it print its events.

use std::ffi::OsStr;

use crate::adapter::{Flags, Protocol};

/// Adds to `command` what makes its harness print `protocol`.
///
/// The flags stand where the command line takes them: right behind the harness's name or its
/// subcommand, never behind a `--` and never inside the prompt. A command that names the output's form
/// itself is left alone, so whoever wants other flags spells them out; so is a command that does not
/// start a harness of the protocol. What usually stands in front of one (`env`, `npx`, `timeout`, …)
/// is looked through.
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
    let Some(name) = harness(command).filter(|at| speaks(dialect.commands, word(command, *at)))
    else {
        return argv;
    };
    let first = name + 1;
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

/// Returns the form of output that `command` chooses itself, where its harness could stream and in
/// that form prints nothing before its end.
#[cfg(feature = "cli")]
pub(crate) fn chosen_form<S: AsRef<OsStr>>(protocol: Protocol, command: &[S]) -> Option<&str> {
    let dialect = protocol.dialect();
    let name = harness(command).filter(|at| speaks(dialect.commands, word(command, *at)))?;
    let words = (name + 1..command.len()).map(|at| word(command, at));
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
        let name = word(command, harness(command)?);
        Protocol::ALL.iter().copied().find(|p| speaks(p.dialect().commands, name))
    }
}

/// A program that runs another one.
struct Launcher {
    /// Its name, and the subcommand that does it.
    words: &'static [&'static str],
    /// Its options that take the next argument.
    valued: &'static [&'static str],
    /// Options behind which stands no argument list: the command is left alone.
    opaque: &'static [&'static str],
    /// How many arguments of its own come before the command.
    arguments: usize,
    /// Whether it takes `NAME=value`.
    assigns: bool,
    /// Whether the command is looked for behind a `--` alone: what stands before it may be its own.
    dashes: bool,
}

const PLAIN: Launcher =
    Launcher { words: &[], valued: &[], opaque: &[], arguments: 0, assigns: false, dashes: false };

#[rustfmt::skip]
const LAUNCHERS: &[Launcher] = &[
    Launcher { words: &["env"], valued: &["-u", "--unset", "-C", "--chdir"],
        opaque: &["-S", "--split-string"], assigns: true, ..PLAIN },
    Launcher { words: &["timeout"], valued: &["-k", "--kill-after", "-s", "--signal"],
        arguments: 1, ..PLAIN },
    Launcher { words: &["gtimeout"], valued: &["-k", "--kill-after", "-s", "--signal"],
        arguments: 1, ..PLAIN },
    Launcher { words: &["nice"], valued: &["-n", "--adjustment"], ..PLAIN },
    Launcher { words: &["ionice"], valued: &["-c", "--class", "-n", "--classdata"],
        opaque: &["-p", "--pid"], ..PLAIN },
    Launcher { words: &["nohup"], ..PLAIN },
    Launcher { words: &["setsid"], ..PLAIN },
    Launcher { words: &["stdbuf"], valued: &["-i", "--input", "-o", "--output", "-e", "--error"],
        ..PLAIN },
    Launcher { words: &["time"], valued: &["-f", "--format", "-o", "--output"], ..PLAIN },
    Launcher { words: &["sudo"], valued: &["-u", "--user", "-g", "--group", "-h", "--host", "-D",
        "--chdir"], opaque: &["-s", "--shell", "-i", "--login", "-e", "--edit"], assigns: true,
        ..PLAIN },
    Launcher { words: &["caffeinate"], valued: &["-t", "-w"], ..PLAIN },
    Launcher { words: &["npx"], valued: &["-p", "--package"], opaque: &["-c", "--call"], ..PLAIN },
    Launcher { words: &["npm", "exec"], dashes: true, ..PLAIN },
    Launcher { words: &["npm", "x"], dashes: true, ..PLAIN },
    Launcher { words: &["pnpx"], valued: &["--package"], opaque: &["-c"], ..PLAIN },
    Launcher { words: &["pnpm", "dlx"], valued: &["--package"], opaque: &["-c"], ..PLAIN },
    Launcher { words: &["pnpm", "exec"], opaque: &["-c"], ..PLAIN },
    Launcher { words: &["yarn", "dlx"], valued: &["-p", "--package"], ..PLAIN },
    Launcher { words: &["bunx"], valued: &["-p", "--package"], ..PLAIN },
    Launcher { words: &["bun", "x"], valued: &["-p", "--package"], ..PLAIN },
    Launcher { words: &["uvx"], valued: &["--from", "--with", "-p", "--python"], ..PLAIN },
    Launcher { words: &["uv", "tool", "run"], valued: &["--from", "--with", "-p", "--python"],
        ..PLAIN },
    Launcher { words: &["pipx", "run"], valued: &["--spec", "--python"], ..PLAIN },
    Launcher { words: &["mise", "exec"], dashes: true, ..PLAIN },
    Launcher { words: &["mise", "x"], dashes: true, ..PLAIN },
    Launcher { words: &["op", "run"], dashes: true, ..PLAIN },
    Launcher { words: &["doppler", "run"], dashes: true, ..PLAIN },
    Launcher { words: &["dotenvx", "run"], dashes: true, ..PLAIN },
];

impl Launcher {
    /// Returns whether `command` starts with it from `at` on.
    fn stands_at<S: AsRef<OsStr>>(&self, command: &[S], at: usize) -> bool {
        self.words.iter().enumerate().all(|(offset, name)| {
            let word = word(command, at + offset);
            if offset == 0 { base(word) == *name } else { word == *name }
        })
    }

    /// Finds where the command stands that it runs.
    fn skip<S: AsRef<OsStr>>(&self, command: &[S], mut at: usize) -> Option<usize> {
        let mut arguments = self.arguments;
        at += self.words.len();
        if self.dashes {
            return (at..command.len()).find(|at| word(command, *at) == "--").map(|at| at + 1);
        }
        while at < command.len() {
            let word = word(command, at);
            if word == "--" {
                return Some(at + 1 + arguments);
            } else if self.opaque.iter().any(|option| is(word, option)) {
                return None;
            } else if self.valued.contains(&word) {
                at += 1;
            } else if word.starts_with('-') || (self.assigns && word.contains('=')) {
                // One of its options, or an assignment.
            } else if arguments > 0 {
                arguments -= 1;
            } else {
                return Some(at);
            }
            at += 1;
        }
        None
    }
}

/// Finds where the word stands that names the program which `command` runs in the end.
fn harness<S: AsRef<OsStr>>(command: &[S]) -> Option<usize> {
    let mut at = 0;
    while at < command.len() {
        match LAUNCHERS.iter().find(|launcher| launcher.stands_at(command, at)) {
            Some(launcher) => at = launcher.skip(command, at)?,
            None => return Some(at),
        }
    }
    None
}

/// Returns whether `name`, a command's path or a package with or without its version, is one of
/// `commands`.
fn speaks(commands: &[&str], name: &str) -> bool {
    commands.iter().any(|command| *command == base(name) || *command == without_version(name))
}

/// Returns the last part of a path, without what Windows adds and without a package's version.
fn base(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = without_version(name);
    [".exe", ".cmd", ".bat", ".ps1"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

fn without_version(package: &str) -> &str {
    match package.rsplit_once('@') {
        Some((name, _)) if !name.is_empty() => name,
        _ => package,
    }
}

/// Returns whether `word` is the option `flag`, alone or with its value.
fn is(word: &str, flag: &str) -> bool {
    let is_short = flag.len() == 2;
    word.strip_prefix(flag).is_some_and(|rest| rest.is_empty() || rest.starts_with('=') || is_short)
}

/// Returns the word at `at`; one that is not UTF-8 is nothing that is looked for.
fn word<S: AsRef<OsStr>>(command: &[S], at: usize) -> &str {
    command.get(at).and_then(|word| word.as_ref().to_str()).unwrap_or_default()
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
            "op run --env-file .env -- env ",
            "caffeinate -i -t 3600 ",
            "pnpm dlx ",
            "bunx ",
            "yarn dlx -p @anthropic-ai/claude-code ",
        ] {
            claude(&format!("{before}claude -p hi"), &format!("{before}claude {FLAGS} -p hi"));
        }
        for package in ["@anthropic-ai/claude-code", "@anthropic-ai/claude-code@2.1.3"] {
            claude(&format!("npx -y {package} -p hi"), &format!("npx -y {package} {FLAGS} -p hi"));
        }
        claude("claude", &format!("claude {FLAGS}"));
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
            "npm exec claude -- -p hi",
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
                let of = Protocol::of_command(&[name]).unwrap();
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
