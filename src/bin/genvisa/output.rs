//! What goes to standard output, and the exit code that follows from it.

use std::fmt::Display;
use std::io::{self, BufWriter, Stdout, StdoutLock, Write};
use std::path::Path;
use std::process::ExitCode;

use anstream::AutoStream;

/// Standard output, and whether anything was found wrong on the way.
pub struct Output {
    out: BufWriter<AutoStream<StdoutLock<'static>>>,
    /// The same without a look at what goes through.
    raw: BufWriter<Stdout>,
    findings: bool,
}

impl Output {
    pub fn new() -> Output {
        let out = BufWriter::new(anstream::AutoStream::auto(io::stdout().lock()));
        Output { out, raw: BufWriter::new(io::stdout()), findings: false }
    }

    /// Writes bytes as they are: the other way is for text, which loses its control characters where
    /// no terminal reads it.
    pub fn write_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.out.buffer().is_empty() {
            self.out.flush()?;
        }
        self.raw.write_all(bytes)
    }

    /// Whether colours reach anybody.
    pub fn has_color(&self) -> bool {
        self.out.get_ref().current_choice() != anstream::ColorChoice::Never
    }

    /// Something is wrong with the input: the exit code will say so.
    pub fn found(&mut self) {
        self.findings = true;
    }

    /// Says on standard error what is wrong, after everything that was said before.
    pub fn complain(&mut self, what: impl Display) -> io::Result<()> {
        self.found();
        let flushed = self.flush();
        // Whoever closed standard error does not want to know.
        let _ = writeln!(anstream::stderr().lock(), "genvisa: {what}");
        flushed
    }

    /// The exit code of a run. That nobody reads the output any more is no failure.
    pub fn end(mut self, result: anyhow::Result<()>) -> ExitCode {
        let result = result.and_then(|()| Ok(self.flush()?));
        if let Err(error) = result.or_else(ignore_broken_pipe) {
            let _ = self.complain(format_args!("{error:#}"));
        }
        ExitCode::from(u8::from(self.findings))
    }
}

/// Writes a file whole or not at all: under another name first. What is no file, such as
/// `/dev/null`, is written to, and a link is followed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let existing = std::fs::metadata(path).ok();
    if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
        return std::fs::write(path, bytes);
    }
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new();
    #[cfg(unix)]
    if existing.is_none() {
        // As for any new file: what the user's mask leaves of it.
        use std::os::unix::fs::PermissionsExt;
        file.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = file.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(existing) = existing {
        file.as_file().set_permissions(existing.permissions())?;
    }
    file.persist(path)?;
    Ok(())
}

fn ignore_broken_pipe(error: anyhow::Error) -> anyhow::Result<()> {
    let is_broken_pipe = error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    });
    if is_broken_pipe { Ok(()) } else { Err(error) }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.raw.buffer().is_empty() {
            self.raw.flush()?;
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.raw.flush()
    }
}
