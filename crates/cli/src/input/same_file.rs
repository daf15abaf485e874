//! Checks that inputs are not overwritten.

use std::fs::{self, Metadata};
use std::path::Path;

use crate::words::{is_standard, shown};
use system::Identity;

/// Returns the input that is the same file as an output. Links and redirected standard input and
/// output are followed.
pub fn same_as<'p>(output: &Path, inputs: &[&'p Path]) -> Option<&'p Path> {
    let output_file = identity(output, system::output);
    inputs.iter().copied().find(|input| {
        let is_same_path = *input == output && !is_standard(output);
        is_same_path || output_file.is_some() && identity(input, system::input) == output_file
    })
}

/// Returns what identifies a regular file, or `None` for terminals and pipes, which may be both read and
/// written.
fn identity(path: &Path, standard: fn() -> Option<Metadata>) -> Option<Identity> {
    let metadata = if is_standard(path) { standard() } else { fs::metadata(path).ok() }
        .filter(Metadata::is_file)?;
    system::identity(path, &metadata)
}

#[cfg(unix)]
mod system {
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    /// The device and the number of the file.
    pub type Identity = (u64, u64);

    pub fn identity(_: &Path, metadata: &Metadata) -> Option<Identity> {
        Some((metadata.dev(), metadata.ino()))
    }

    pub fn input() -> Option<Metadata> {
        of(&io::stdin())
    }

    pub fn output() -> Option<Metadata> {
        of(&io::stdout())
    }

    fn of(stream: &impl AsFd) -> Option<Metadata> {
        File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::Metadata;
    use std::path::{Path, PathBuf};

    /// The path with links followed. Hard links and redirected streams are not recognized.
    pub type Identity = PathBuf;

    pub fn identity(path: &Path, _: &Metadata) -> Option<Identity> {
        path.canonicalize().ok()
    }

    pub fn input() -> Option<Metadata> {
        None
    }

    pub fn output() -> Option<Metadata> {
        None
    }
}

/// Returns the error message for an output that is also an input.
pub fn output_is_input(output: &Path, input: &Path) -> String {
    if output == input && !is_standard(output) {
        return format!("output `{}` is also an input; choose another output", shown(output));
    }
    let name = |path: &Path, role: &str| {
        if is_standard(path) {
            format!("standard {role}")
        } else {
            format!("{role} `{}`", shown(path))
        }
    };
    let (output, input) = (name(output, "output"), name(input, "input"));
    format!("{output} and {input} are the same file; choose another output")
}
