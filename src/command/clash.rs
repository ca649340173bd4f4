//! A file that is read, or written otherwise, is not written: it would be lost, or grow for ever.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::cli::WriteArgs;

impl WriteArgs {
    /// Refuses files that `inputs` or another output hold already. Call it before one is made.
    pub(super) fn refuse_clashes(&self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        let is_printed = self.file().is_none() || self.show.is_some();
        let stdout = if is_printed { standard(false) } else { None };
        let mut taken = vec![(stdout, None, "standard output")];
        let options = [(self.file(), "-o"), (self.tee.as_deref(), "--tee")];
        for (path, option) in options.into_iter().filter_map(|(path, option)| Some((path?, option)))
        {
            let file = identity(path);
            let new = (!path.exists()).then_some(path);
            for &(other, other_new, at) in &taken {
                if file.is_some() && file == other || new.is_some() && new == other_new {
                    bail!("cannot write {}: {option} and {at} are one file", path.display());
                }
            }
            taken.push((file, new, option));
        }
        for input in inputs {
            let file = if input == Path::new("-") { standard(true) } else { identity(input) };
            if let Some((.., at)) =
                taken.iter().find(|(other, ..)| file.is_some() && *other == file)
            {
                bail!("cannot read {}: {at} is the same file", input.display());
            }
        }
        Ok(())
    }
}

/// What tells one regular file from another. Devices and pipes may be shared.
type Identity = Option<(u64, u64)>;

fn identity(path: &Path) -> Identity {
    path.metadata().ok().as_ref().and_then(identity_of)
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
fn identity_of(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn standard(_input: bool) -> Identity {
    None
}

#[cfg(not(unix))]
fn identity_of(_metadata: &Metadata) -> Identity {
    None
}
