//! What may stand in front of a harness on a command line: programs that run another one.

use std::ffi::OsStr;

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
    /// Whether a command that stands before the `--` has only its arguments behind it.
    parts: bool,
}

/// Where a command names its program, and where that one's arguments begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) name: usize,
    pub(super) arguments: usize,
}

const PLAIN: Launcher = Launcher {
    words: &[],
    valued: &[],
    opaque: &[],
    arguments: 0,
    assigns: false,
    dashes: false,
    parts: false,
};

/// npm's options that take the next argument.
const NPM_VALUED: &[&str] = &[
    "-p",
    "--package",
    "-w",
    "--workspace",
    "-C",
    "--prefix",
    "--registry",
    "--cache",
    "--userconfig",
    "--loglevel",
    "--include",
    "--omit",
];

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
    Launcher { words: &["xvfb-run"], valued: &["-e", "--error-file", "-f", "--auth-file", "-n",
        "--server-num", "-p", "--xauth-protocol", "-s", "--server-args", "-w", "--wait"], ..PLAIN },
    Launcher { words: &["npx"], valued: &["-p", "--package"], opaque: &["-c", "--call"], ..PLAIN },
    Launcher { words: &["npm", "exec"], valued: NPM_VALUED,
        opaque: &["-c", "--call"], dashes: true, parts: true, ..PLAIN },
    Launcher { words: &["npm", "x"], valued: NPM_VALUED,
        opaque: &["-c", "--call"], dashes: true, parts: true, ..PLAIN },
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
    fn skip<S: AsRef<OsStr>>(&self, command: &[S], mut at: usize) -> Option<Found> {
        let mut arguments = self.arguments;
        at += self.words.len();
        if self.dashes {
            let dashes = (at..command.len()).find(|at| word(command, *at) == "--")?;
            let behind = Found { name: dashes + 1, arguments: dashes + 2 };
            if !self.parts {
                return Some(behind);
            }
            let named = Launcher { dashes: false, ..*self }.skip(command, at - self.words.len())?;
            let before = named.name < dashes;
            return Some(if before { Found { arguments: dashes + 1, ..named } } else { behind });
        }
        let found = |name: usize| Found { name, arguments: name + 1 };
        while at < command.len() {
            let word = word(command, at);
            if word == "--" {
                return Some(found(at + 1 + arguments));
            } else if self.opaque.iter().any(|option| is(word, option)) {
                return None;
            } else if self.valued.contains(&word) {
                at += 1;
            } else if word.starts_with('-') || (self.assigns && word.contains('=')) {
                // One of its options, or an assignment.
            } else if arguments > 0 {
                arguments -= 1;
            } else {
                return Some(found(at));
            }
            at += 1;
        }
        None
    }
}

/// Finds the program which `command` runs in the end.
pub(super) fn harness<S: AsRef<OsStr>>(command: &[S]) -> Option<Found> {
    let mut found = Found { name: 0, arguments: 1 };
    while found.name < command.len() {
        match LAUNCHERS.iter().find(|launcher| launcher.stands_at(command, found.name)) {
            Some(launcher) => found = launcher.skip(command, found.name)?,
            None => return Some(found),
        }
    }
    None
}

/// Returns the last part of a path, without what Windows adds and without a package's version.
pub(super) fn base(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = without_version(name);
    [".exe", ".cmd", ".bat", ".ps1"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

pub(super) fn without_version(package: &str) -> &str {
    match package.rsplit_once('@') {
        Some((name, _)) if !name.is_empty() => name,
        _ => package,
    }
}

/// Returns whether `word` is the option `flag`, alone or with its value.
pub(super) fn is(word: &str, flag: &str) -> bool {
    let is_short = flag.len() == 2;
    word.strip_prefix(flag).is_some_and(|rest| rest.is_empty() || rest.starts_with('=') || is_short)
}

/// Returns the word at `at`; one that is not UTF-8 is nothing that is looked for.
pub(super) fn word<S: AsRef<OsStr>>(command: &[S], at: usize) -> &str {
    command.get(at).and_then(|word| word.as_ref().to_str()).unwrap_or_default()
}
