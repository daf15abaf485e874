//! Output files: each is written under a temporary name in its folder, and then renamed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, bail};

use crate::words::{count, shown};

/// The start of the names of temporary files. They are hidden, so commands that read folders skip them.
const PREFIX: &str = ".genvisa-";

/// Output files that are written together. If the batch is dropped before [`Batch::commit`], none is.
#[derive(Default)]
pub struct Batch {
    files: Vec<Staged>,
}

/// A file with its contents under a temporary name.
pub struct Staged {
    /// The target as the user states it.
    name: PathBuf,
    /// The target with all links followed.
    path: PathBuf,
    contents: Contents,
}

enum Contents {
    /// A temporary file in the folder of the target.
    File(Temporary),
    /// For a target that is not a file, such as `/dev/null`.
    Bytes(Vec<u8>),
}

impl Batch {
    /// Writes bytes to a temporary file. If `path` is a link, its target will be replaced.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> anyhow::Result<&Staged> {
        self.add_with(path, |file| file.write_all(bytes))
    }

    /// Adds a file like [`add`](Self::add), which a function writes.
    pub fn add_with(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<&Staged> {
        let staged = Staged::new(path, write).with_context(|| cannot_write(path))?;
        self.files.push(staged);
        Ok(&self.files[self.files.len() - 1])
    }

    /// Renames the files to their final names. Without `force`, this fails before the first if an
    /// existing file would change.
    pub fn commit(self, force: bool) -> anyhow::Result<()> {
        for file in self.files.iter().filter(|_| !force) {
            if file.would_change_a_file()? {
                let name = shown(&file.name);
                bail!(
                    "`{name}` exists with different contents; nothing was written (--force \
                     overwrites it)"
                );
            }
        }
        let all = count(self.files.len(), "file");
        // Writing to a pipe may take any time.
        let (files, others): (Vec<_>, Vec<_>) =
            self.files.into_iter().partition(|it| matches!(it.contents, Contents::File(_)));
        for (written, Staged { name, path, contents }) in
            files.into_iter().chain(others).enumerate()
        {
            let result = match contents {
                Contents::File(file) => file.rename(&path),
                Contents::Bytes(bytes) => fs::write(path, bytes),
            };
            result.with_context(|| match written {
                0 => cannot_write(&name),
                _ => format!("{written} of {all} were written, but not `{}`", shown(&name)),
            })?;
        }
        Ok(())
    }
}

impl Staged {
    fn new(
        name: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<Staged> {
        let path = followed(name)?;
        let existing = fs::metadata(&path).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let name = name.to_path_buf();
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            let mut bytes = Vec::new();
            write(&mut bytes)?;
            return Ok(Staged { name, path, contents: Contents::Bytes(bytes) });
        }
        let (temporary, file) = Temporary::create(folder_of(&path))?;
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(existing) = existing {
            file.set_permissions(existing.permissions())?;
            // Otherwise, a power loss after the renaming could lose the old contents and the new.
            file.sync_data()?;
        }
        // The file is closed: there may be more than a process can have open.
        Ok(Staged { name, path, contents: Contents::File(temporary) })
    }

    /// Returns whether the target exists with different contents.
    pub fn would_change_a_file(&self) -> anyhow::Result<bool> {
        match &self.contents {
            Contents::File(file) if self.path.exists() => {
                let same = have_same_contents(&file.path, &self.path);
                Ok(!same.with_context(|| cannot_write(&self.name))?)
            }
            _ => Ok(false),
        }
    }
}

/// A temporary file, which is deleted when dropped.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Creates a file with a name that no other has.
    fn create(folder: &Path) -> io::Result<(Temporary, File)> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{PREFIX}{number}"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((Temporary { path }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) if folder.exists() => return Err(error),
                Err(error) => {
                    let message = format!("the folder `{}` does not exist", shown(folder));
                    return Err(io::Error::new(error.kind(), message));
                }
            }
        }
    }

    fn rename(self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        std::mem::forget(self);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // There is nothing to do about a file that cannot be deleted.
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
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

/// Returns the path of a file that exists or will be created, with links followed.
fn followed(name: &Path) -> io::Result<PathBuf> {
    /// As on Linux.
    const MOST_LINKS: usize = 40;
    let mut path = name.to_path_buf();
    for _ in 0..=MOST_LINKS {
        if let Ok(path) = path.canonicalize() {
            return Ok(path);
        }
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

/// Returns the context of an error of an output file.
pub fn cannot_write(path: &Path) -> String {
    format!("cannot write `{}`", shown(path))
}

/// Writes a file as a whole: see [`Batch::add`]. Devices such as `/dev/null` are written to directly.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut batch = Batch::default();
    batch.add(path, bytes)?;
    batch.commit(true)
}
