//! Standard output, standard error, output files and the exit code.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Stdout, StdoutLock, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::AutoStream;
use anyhow::{Context, bail};
use serde_json::Value;
use tempfile::TempPath;

use crate::progress::Progress;
use crate::shown;

/// Whether standard output was closed when the program started. Rust's runtime opens `/dev/null`
/// instead, so writes would succeed.
static STDOUT_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
ctor::declarative::ctor! {
    // Runs before Rust's runtime, so it only duplicates a file descriptor and stores a flag.
    #[ctor(unsafe)]
    fn record_closed_stdout() {
        use std::os::fd::AsFd;
        let duplicate = io::stdout().as_fd().try_clone_to_owned();
        STDOUT_CLOSED.store(duplicate.is_err(), Ordering::Relaxed);
    }
}

/// The error message for a write to standard output that was closed at the start.
pub const STDOUT_CLOSED_MESSAGE: &str = "standard output is closed";

/// Returns whether standard output was closed when the program started.
pub fn is_stdout_closed() -> bool {
    STDOUT_CLOSED.load(Ordering::Relaxed)
}

/// An error in the command line, with exit code 2.
#[derive(Debug)]
pub struct UsageError(pub String);

impl Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Standard output, and whether an error has been reported.
pub struct Output {
    out: BufWriter<AutoStream<StdoutLock<'static>>>,
    /// Standard output without the removal of control characters.
    raw: BufWriter<Stdout>,
    verbosity: Verbosity,
    progress: Progress,
    failed: bool,
    has_unreadable_input: bool,
}

/// What is printed besides errors.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verbosity {
    /// The output, warnings and the progress.
    All,
    /// The output.
    NoWarnings,
    /// Only what is written with [`Output::write_raw`].
    NoReport,
}

impl Output {
    pub fn new(verbosity: Verbosity) -> Output {
        let out = BufWriter::new(anstream::AutoStream::auto(io::stdout().lock()));
        Output {
            out,
            raw: BufWriter::new(io::stdout()),
            verbosity,
            progress: Progress::none(),
            failed: false,
            has_unreadable_input: false,
        }
    }

    /// Returns whether warnings are printed.
    pub fn has_warnings(&self) -> bool {
        self.verbosity == Verbosity::All
    }

    /// Shows the progress of a command that reads so many files, if standard error is a terminal.
    pub fn start_progress(&mut self, files: usize) {
        if self.has_warnings() {
            self.progress = Progress::new(files);
        }
    }

    /// Shows that the next file is read.
    pub fn next_file(&mut self, path: &Path) {
        self.progress.next(path);
    }

    /// Writes bytes unchanged. `write` removes colors and other control sequences if the output is
    /// not a terminal.
    pub fn write_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        check_open()?;
        self.progress.hide_while(|| {
            if !self.out.buffer().is_empty() {
                self.out.flush()?;
            }
            self.raw.write_all(bytes)
        })
    }

    /// Prints a list as JSON. It is printed even if the report is not, because the user requests it.
    pub fn write_json(&mut self, values: &[Value]) -> anyhow::Result<()> {
        let mut json = serde_json::to_vec_pretty(values)?;
        json.push(b'\n');
        Ok(self.write_raw(&json)?)
    }

    /// Returns whether the output has colors.
    pub fn has_color(&self) -> bool {
        self.out.get_ref().current_choice() != anstream::ColorChoice::Never
    }

    /// Sets the exit code to 1.
    pub fn set_failed(&mut self) {
        self.failed = true;
    }

    /// Sets the exit code to 2.
    pub fn set_unreadable_input(&mut self) {
        self.has_unreadable_input = true;
    }

    /// Prints an error on standard error, after all output so far, and sets the exit code to 1.
    pub fn report_error(&mut self, message: impl Display) -> io::Result<()> {
        self.set_failed();
        self.print_message(format_args!("genvisa: {message}"))
    }

    /// Prints a warning on standard error, after all output so far, unless warnings are silent.
    pub fn warn(&mut self, message: impl Display) -> io::Result<()> {
        match self.has_warnings() {
            true => self.print_message(format_args!("genvisa: warning: {message}")),
            false => Ok(()),
        }
    }

    /// Prints a line on standard error, after all output so far.
    pub fn print_message(&mut self, message: impl Display) -> io::Result<()> {
        let flushed = self.flush();
        // Ignore that standard error may be closed.
        let _ = self.progress.hide_while(|| writeln!(anstream::stderr().lock(), "{message}"));
        flushed
    }

    /// Flushes the output, reports the error of a command, and returns the exit code. It is not an
    /// error if the reader of the output closes its pipe.
    pub fn end(mut self, result: anyhow::Result<()>) -> ExitCode {
        self.progress = Progress::none();
        let result = result.and_then(|()| Ok(self.flush()?));
        if let Err(error) = result.or_else(ignore_broken_pipe) {
            let _ = self.report_error(format_args!("{error:#}"));
            if error.is::<UsageError>() {
                return ExitCode::from(2);
            }
        }
        match self.has_unreadable_input {
            true => ExitCode::from(2),
            false => ExitCode::from(u8::from(self.failed)),
        }
    }
}

fn check_open() -> io::Result<()> {
    if is_stdout_closed() { Err(io::Error::other(STDOUT_CLOSED_MESSAGE)) } else { Ok(()) }
}

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
        let mut out = BufWriter::new(file.tempfile_in(folder)?);
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

fn ignore_broken_pipe(error: anyhow::Error) -> anyhow::Result<()> {
    let is_broken_pipe = error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    });
    if is_broken_pipe { Ok(()) } else { Err(error) }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.verbosity == Verbosity::NoReport {
            return Ok(bytes.len());
        }
        check_open()?;
        if !self.raw.buffer().is_empty() {
            self.progress.hide_while(|| self.raw.flush())?;
        }
        // Only a full buffer reaches the terminal.
        if self.out.buffer().len() + bytes.len() < self.out.capacity() {
            return self.out.write(bytes);
        }
        self.progress.hide_while(|| self.out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.progress.hide_while(|| {
            self.out.flush()?;
            self.raw.flush()
        })
    }
}
