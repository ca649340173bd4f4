//! Where a harness keeps the names of its sessions, when its stream does not state them.

use crate::json::Value;

/// Where a harness keeps the names of its sessions.
#[derive(Debug)]
pub(crate) struct TitleFile {
    /// The environment variable that names the harness's folder.
    pub(crate) home: &'static str,
    /// The folder without it, in the user's home.
    pub(crate) default: &'static str,
    /// The file in the folder: a pattern of the shell, in which `{id}` stands for the session's id.
    pub(crate) path: &'static str,
    /// What lines that may hold a name contain, literally; the kind that counts most comes last.
    pub(crate) lines: &'static [&'static str],
    /// Of the lines of a kind those count that point into the file: what stands under the first key in
    /// such a line must stand under the second one in another.
    pub(crate) pointing: Option<Pointing>,
    /// Reads a line.
    pub(crate) read: fn(Value<'_>) -> Option<Named<'_>>,
}

/// A kind of lines that may name something else than the file's session.
#[derive(Debug)]
pub(crate) struct Pointing {
    /// The kind, as it stands among [`TitleFile::lines`].
    pub(crate) line: &'static str,
    /// The key in such a line.
    pub(crate) from: &'static str,
    /// The key in another one.
    pub(crate) to: &'static str,
}

/// What a line says of a session's name.
pub(crate) struct Named<'a> {
    /// The session.
    pub(crate) session: Value<'a>,
    /// The name.
    pub(crate) title: Value<'a>,
    /// A name of a higher rank counts, whatever the order of the lines.
    pub(crate) rank: u8,
}
