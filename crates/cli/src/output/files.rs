//! Output files.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::{SpooledTempFile, TempPath};

use super::signals::Deferred;
use crate::words::{count, shown};

/// The start of the names of temporary files. They are hidden, so commands that read folders skip them.
const PREFIX: &str = ".genvisa-";

/// Memory that is free when the first temporary file is created. A failed allocation aborts the process,
/// and temporary files would remain. While they exist, only paths and small buffers are allocated.
const RESERVE: usize = 1 << 20;

/// Longer text is kept in a file until it is complete.
const SPOOL_SIZE: usize = 1 << 20;

/// Output files that are written together: all of them or none.
///
/// Each is written under a temporary name in its folder. [`Batch::commit`] renames all. If the batch is
/// dropped, the temporary files are deleted. Meanwhile, signals do not end the process, so callers
/// compute the contents before they create the batch.
pub struct Batch {
    // Deleted before the signals arrive.
    files: Vec<Staged>,
    deferred: Deferred,
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
    File(TempPath),
    /// For a target that is not a file, such as `/dev/null`.
    Bytes(Vec<u8>),
}

impl Batch {
    /// Creates an empty batch. Fails if there is little memory.
    pub fn new() -> io::Result<Batch> {
        let mut reserve = Vec::<u8>::new();
        reserve.try_reserve_exact(RESERVE)?;
        // The compiler would remove an allocation that is not used.
        drop(black_box(reserve));
        Ok(Batch { files: Vec::new(), deferred: Deferred::new()? })
    }

    /// Writes a temporary file. If `path` is a link, its target will be replaced.
    pub fn add(&mut self, path: &Path, contents: impl Read) -> anyhow::Result<&Staged> {
        let staged = Staged::new(path, contents).with_context(|| cannot_write(path))?;
        self.files.push(staged);
        Ok(&self.files[self.files.len() - 1])
    }

    /// Renames the files to their final names. Without `force`, this fails before the first if an
    /// existing file would change.
    pub fn commit(self, force: bool) -> anyhow::Result<()> {
        // Temporary files are deleted before the signals arrive, as when the batch is dropped.
        let Batch { deferred, files } = self;
        if !force {
            for file in &files {
                if file.would_change_a_file()? {
                    bail!(
                        "`{}` exists with different contents; nothing was written (--force \
                         overwrites it)",
                        shown(&file.name)
                    );
                }
            }
        }
        let all = files.len();
        let mut written = 0;
        let mut end = |name: &Path, result: io::Result<()>| {
            let context = || match written {
                0 => cannot_write(name),
                _ => {
                    let all = count(all, "file");
                    format!("{written} of {all} were written, but not `{}`", shown(name))
                }
            };
            result.with_context(context)?;
            written += 1;
            anyhow::Ok(())
        };
        let mut others = Vec::new();
        for Staged { name, path, contents } in files {
            match contents {
                Contents::File(file) => {
                    end(&name, file.persist(path).map_err(|error| error.error))?;
                }
                Contents::Bytes(bytes) => others.push((name, path, bytes)),
            }
        }
        // Writing to a pipe may take any time.
        drop(deferred);
        others.into_iter().try_for_each(|(name, path, bytes)| end(&name, fs::write(path, bytes)))
    }
}

impl Staged {
    fn new(name: &Path, mut contents: impl Read) -> io::Result<Staged> {
        let path = followed(name)?;
        let existing = fs::metadata(&path).ok();
        if existing.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let name = name.to_path_buf();
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            let mut bytes = Vec::new();
            contents.read_to_end(&mut bytes)?;
            return Ok(Staged { name, path, contents: Contents::Bytes(bytes) });
        }
        let folder = folder_of(&path);
        let mut file = tempfile::Builder::new();
        file.prefix(PREFIX);
        #[cfg(unix)]
        if existing.is_none() {
            // The default of new files. `tempfile` would use 0o600.
            use std::os::unix::fs::PermissionsExt;
            file.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = file.tempfile_in(folder).map_err(|error| creation_error(folder, error))?;
        // The methods of `NamedTempFile` would name the temporary file in errors.
        let (mut file, temporary) = file.into_parts();
        io::copy(&mut contents, &mut file)?;
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
                let same = have_same_contents(file, &self.path);
                Ok(!same.with_context(|| cannot_write(&self.name))?)
            }
            _ => Ok(false),
        }
    }
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Returns the error of a temporary file that cannot be created, without its name.
fn creation_error(folder: &Path, error: io::Error) -> io::Error {
    match folder.exists() {
        true => without_path(error),
        false => {
            let message = format!("the folder `{}` does not exist", shown(folder));
            io::Error::new(error.kind(), message)
        }
    }
}

/// Returns an error of `tempfile` without the name of the temporary file.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path \"") {
        Some((cause, _)) => io::Error::new(error.kind(), cause),
        None => error,
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

/// Text for an output file, which is kept until it is complete: in memory, or in a file without a name
/// if it is long.
pub struct Spool(SpooledTempFile);

impl Spool {
    /// Returns an empty text. `folder` is where the output file will be.
    pub fn new(folder: &Path) -> Spool {
        Spool(tempfile::spooled_tempfile_in(SPOOL_SIZE, folder))
    }

    /// Returns the text, to be read from its start.
    pub fn rewound(mut self) -> io::Result<impl Read> {
        self.0.rewind()?;
        Ok(self.0)
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(without_path)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
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

/// Writes a file atomically, by way of a temporary file. Links are followed, and devices such as
/// `/dev/null` are written to directly.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut batch = Batch::new().with_context(|| cannot_write(path))?;
    batch.add(path, bytes)?;
    batch.commit(true)
}
