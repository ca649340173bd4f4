//! A file that is read, or written otherwise, is not written: it would be lost, or grow for ever.

use std::path::Path;

use anyhow::bail;

use crate::cli::args::WriteArgs;

impl WriteArgs {
    /// Refuses files that `inputs` or another output hold already. Call it before one is made.
    pub(super) fn refuse_clashes(&self, inputs: &[&Path]) -> anyhow::Result<()> {
        let is_printed = self.file().is_none() || self.show.is_some();
        let stdout = if is_printed { standard(false) } else { None };
        let mut taken: Vec<Taken<'_>> = vec![(stdout, None, "standard output")];
        let options = [(self.file(), "-o"), (self.tee.as_deref(), "--tee")];
        for (path, option) in options.into_iter().filter_map(|(path, option)| Some((path?, option)))
        {
            let file = identity(path);
            let new = (!path.exists()).then_some(path);
            for (other, other_new, at) in &taken {
                if file.is_some() && file == *other || new.is_some() && new == *other_new {
                    bail!("cannot write {}: {option} and {at} are the same file", path.display());
                }
            }
            taken.push((file, new, option));
        }
        refuse(inputs, &taken)
    }
}

/// Refuses to read what is written to standard output meanwhile.
pub(super) fn refuse_own_output(inputs: &[&Path]) -> anyhow::Result<()> {
    refuse(inputs, &[(standard(false), None, "standard output")])
}

fn refuse(inputs: &[&Path], taken: &[Taken<'_>]) -> anyhow::Result<()> {
    for &input in inputs {
        let file = if input == Path::new("-") { standard(true) } else { identity(input) };
        if let Some((.., at)) = taken.iter().find(|(other, ..)| file.is_some() && *other == file) {
            bail!("cannot read {}: {at} is the same file", input.display());
        }
    }
    Ok(())
}

/// A file that is written, its path if it is new, and what names it.
type Taken<'a> = (Identity, Option<&'a Path>, &'a str);

/// The identity of a regular file; `None` for devices and pipes, which may be shared.
#[cfg(unix)]
type Identity = Option<(u64, u64)>;
#[cfg(not(unix))]
type Identity = Option<std::path::PathBuf>;

#[cfg(unix)]
fn identity(path: &Path) -> Identity {
    identity_of(&path.metadata().ok()?)
}

#[cfg(unix)]
fn standard(input: bool) -> Identity {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd as _;
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let stream = if input { stdin.as_fd() } else { stdout.as_fd() };
    let file = File::from(stream.try_clone_to_owned().ok()?);
    identity_of(&file.metadata().ok()?)
}

#[cfg(unix)]
fn identity_of(metadata: &std::fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Identity {
    path.canonicalize().ok().filter(|path| path.is_file())
}

#[cfg(not(unix))]
fn standard(_input: bool) -> Identity {
    None
}
