//! Output files.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::TempPath;

use crate::words::shown;

/// A file written under a temporary name, to be renamed later. It is deleted when dropped.
pub struct Staged {
    path: PathBuf,
    contents: Contents,
}

enum Contents {
    /// A temporary file in the folder of the target.
    File(TempPath),
    /// For a target that is not a file, such as `/dev/null`.
    Bytes(Vec<u8>),
}

impl Staged {
    /// Writes a temporary file. If `path` is a link, its target will be replaced.
    pub fn new(
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<Staged> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let existing = fs::metadata(&path).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            let mut bytes = Vec::new();
            write(&mut bytes)?;
            return Ok(Staged { path, contents: Contents::Bytes(bytes) });
        }
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let mut file = tempfile::Builder::new();
        #[cfg(unix)]
        if existing.is_none() {
            // The default of new files. `tempfile` would use 0o600.
            use std::os::unix::fs::PermissionsExt;
            file.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = file.tempfile_in(folder).map_err(|error| match folder.exists() {
            // The error names the temporary file.
            true => error.kind().into(),
            false => {
                let message = format!("the folder `{}` does not exist", shown(folder));
                io::Error::new(error.kind(), message)
            }
        })?;
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(existing) = existing {
            file.as_file().set_permissions(existing.permissions())?;
        }
        // Close the file: there may be more than a process can have open.
        Ok(Staged { path, contents: Contents::File(file.into_temp_path()) })
    }

    /// Returns whether the target exists with different contents.
    pub fn would_change_a_file(&self) -> io::Result<bool> {
        match &self.contents {
            Contents::File(file) if self.path.exists() => {
                Ok(!have_same_contents(file, &self.path)?)
            }
            _ => Ok(false),
        }
    }

    /// Renames the file to its final name.
    pub fn commit(self) -> io::Result<()> {
        match self.contents {
            Contents::File(file) => Ok(file.persist(self.path)?),
            Contents::Bytes(bytes) => fs::write(self.path, bytes),
        }
    }
}

fn have_same_contents(a: &Path, b: &Path) -> io::Result<bool> {
    let (mut a, mut b) = (BufReader::new(File::open(a)?), BufReader::new(File::open(b)?));
    loop {
        let (left, right) = (a.fill_buf()?, b.fill_buf()?);
        let len = left.len().min(right.len());
        if len == 0 {
            return Ok(left.is_empty() && right.is_empty());
        }
        if left[..len] != right[..len] {
            return Ok(false);
        }
        a.consume(len);
        b.consume(len);
    }
}

/// Renames staged files to their final names. Without `force`, this fails before the first if an
/// existing file would change.
pub fn commit_all(files: Vec<(PathBuf, Staged)>, force: bool) -> anyhow::Result<()> {
    if !force {
        for (path, file) in &files {
            if file.would_change_a_file().with_context(|| cannot_write(path))? {
                bail!(
                    "`{}` exists with different contents; nothing was written (--force \
                     overwrites it)",
                    shown(path)
                );
            }
        }
    }
    let mut files = files.into_iter();
    files.try_for_each(|(path, file)| file.commit().with_context(|| cannot_write(&path)))
}

/// Returns the context of an error of an output file.
pub fn cannot_write(path: &Path) -> String {
    format!("cannot write `{}`", shown(path))
}

/// Writes a file atomically, by way of a temporary file. Links are followed, and devices such as
/// `/dev/null` are written to directly.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Staged::new(path, |out| out.write_all(bytes))?.commit()
}
