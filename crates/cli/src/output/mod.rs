//! Standard output, standard error, output files and the exit code.

pub mod definitions;
mod files;
mod message;
pub mod parallel;
#[cfg_attr(not(feature = "progress"), path = "no_progress.rs")]
mod progress;
mod recording;
pub mod snippet;
mod style;

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;

use annotate_snippets::Renderer;
use serde_json::Value;

use crate::words::{inert, inert_bytes};
pub use files::{Batch, folder_of, write_atomically};
pub use message::{Message, MessageKind};
use progress::Progress;
use recording::Event;
pub use recording::Recording;
pub use style::Color;

/// An error in the command line, with exit code 2.
#[derive(Debug)]
pub struct UsageError(pub String);

impl Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// The output of a command, and whether an error has been reported.
pub struct Output {
    target: Target,
    verbosity: Verbosity,
    /// Whether the output has colors.
    has_color: bool,
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

enum Target {
    Standard(Box<Streams>),
    /// The output is kept until [`Output::replay`] prints it.
    Recording(Recording),
}

/// The properties of an output that what is written to it depends on.
#[derive(Clone, Copy)]
pub struct Settings {
    verbosity: Verbosity,
    has_color: bool,
}

impl Settings {
    /// Returns the settings of an output without colors.
    pub fn plain(verbosity: Verbosity) -> Settings {
        Settings { verbosity, has_color: false }
    }
}

/// Standard output and standard error.
struct Streams {
    out: BufWriter<StdoutLock<'static>>,
    has_color: bool,
    /// Whether messages on standard error have colors.
    has_color_in_messages: bool,
    progress: Progress,
}

impl Output {
    pub fn new(verbosity: Verbosity, color: Color) -> Output {
        let has_color = color.is_used_on(io::stdout().is_terminal());
        let streams = Streams {
            // Whole buffers: standard output of Rust would write each line.
            out: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            has_color,
            has_color_in_messages: color.is_used_on(io::stderr().is_terminal()),
            progress: Progress::none(),
        };
        Output::with(Target::Standard(Box::new(streams)), Settings { verbosity, has_color })
    }

    /// Returns an output that is only recorded.
    pub fn recording(settings: Settings) -> Output {
        Output::with(Target::Recording(Recording::default()), settings)
    }

    fn with(target: Target, Settings { verbosity, has_color }: Settings) -> Output {
        Output { target, verbosity, has_color, failed: false, has_unreadable_input: false }
    }

    pub fn settings(&self) -> Settings {
        Settings { verbosity: self.verbosity, has_color: self.has_color }
    }

    pub fn is_recording(&self) -> bool {
        matches!(self.target, Target::Recording(_))
    }

    /// Returns what was recorded.
    pub fn into_recording(self) -> Recording {
        match self.target {
            Target::Recording(recording) => recording,
            Target::Standard(_) => Recording::default(),
        }
    }

    /// Writes what was recorded, and sets the exit code.
    pub fn replay(&mut self, recording: Recording) -> io::Result<()> {
        recording.into_events().try_for_each(|event| {
            match event {
                Event::Report(bytes) => self.write_all(&bytes)?,
                Event::Raw(bytes) => self.write_raw(&bytes)?,
                Event::Message(message) => self.print_message(message)?,
                Event::Failed => self.set_failed(),
                Event::UnreadableInput => self.set_unreadable_input(),
            }
            Ok(())
        })
    }

    /// Returns whether warnings are printed.
    pub fn has_warnings(&self) -> bool {
        self.verbosity == Verbosity::All
    }

    /// Shows the progress of a command that reads so many files, if standard error is a terminal.
    pub fn start_progress(&mut self, files: usize) {
        if let (true, Target::Standard(streams)) = (self.has_warnings(), &mut self.target) {
            streams.progress = Progress::new(files);
        }
    }

    /// Shows that the next file is read.
    pub fn next_file(&mut self, path: &Path) {
        if let Target::Standard(streams) = &mut self.target {
            streams.progress.next(path);
        }
    }

    /// Writes bytes unchanged. `write` removes control characters if there are no colors.
    pub fn write_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.target {
            Target::Recording(recording) => {
                recording.push(Event::Raw(bytes.into()));
                Ok(())
            }
            Target::Standard(streams) => streams.write_raw(bytes),
        }
    }

    /// Writes a text like [`write_raw`](Self::write_raw), but [inert].
    pub fn write_inert(&mut self, text: &str) -> io::Result<()> {
        self.write_raw(inert(text).as_bytes())
    }

    /// Prints a list as JSON. It is printed even if the report is not, because the user requests it.
    pub fn write_json(&mut self, values: &[Value]) -> anyhow::Result<()> {
        let json = serde_json::to_string_pretty(values)? + "\n";
        Ok(self.write_inert(&json)?)
    }

    /// Returns whether the output has colors.
    pub fn has_color(&self) -> bool {
        self.has_color
    }

    /// Returns a renderer of messages for standard output. Without colors it is plain, because colors
    /// that are removed later take long to render.
    pub fn renderer(&self) -> Renderer {
        if self.has_color { Renderer::styled() } else { Renderer::plain() }
    }

    /// Sets the exit code to 1.
    pub fn set_failed(&mut self) {
        self.failed = true;
        if let Target::Recording(recording) = &mut self.target {
            recording.push(Event::Failed);
        }
    }

    /// Returns whether the exit code is not 0.
    pub fn has_failed(&self) -> bool {
        self.failed || self.has_unreadable_input
    }

    /// Sets the exit code to 2.
    pub fn set_unreadable_input(&mut self) {
        self.has_unreadable_input = true;
        if let Target::Recording(recording) = &mut self.target {
            recording.push(Event::UnreadableInput);
        }
    }

    /// Prints an error on standard error, after all output so far, and sets the exit code to 1.
    pub fn report_error(&mut self, message: impl Display) -> io::Result<()> {
        self.set_failed();
        self.print_message(Message::new(MessageKind::Error, message))
    }

    /// Prints a warning on standard error, after all output so far, unless warnings are silent.
    pub fn warn(&mut self, message: impl Display) -> io::Result<()> {
        self.print_message(Message::new(MessageKind::Warning, message))
    }

    /// Warns that a result depends on an assumption.
    pub fn warn_of_assumption(&mut self, message: impl Display) -> io::Result<()> {
        self.print_message(Message::new(MessageKind::Assumption, message))
    }

    /// Prints a message on standard error, after all output so far. Warnings may be silent.
    pub fn print_message(&mut self, message: Message) -> io::Result<()> {
        if message.kind != MessageKind::Error && !self.has_warnings() {
            return Ok(());
        }
        match &mut self.target {
            Target::Recording(recording) => {
                recording.push(Event::Message(message));
                Ok(())
            }
            Target::Standard(streams) => {
                let flushed = streams.flush();
                let mut message = inert(&message.to_string()).into_owned();
                if !streams.has_color_in_messages {
                    message = style::without_styles(&message);
                }
                // Ignore that standard error may be closed.
                let print = || writeln!(io::stderr().lock(), "{message}");
                let _ = streams.progress.hide_while(print);
                flushed
            }
        }
    }

    /// Flushes the output, reports the error of a command, and returns the exit code. It is not an
    /// error if the reader of the output closes its pipe.
    pub fn end(&mut self, result: anyhow::Result<()>) -> u8 {
        if let Target::Standard(streams) = &mut self.target {
            streams.progress = Progress::none();
        }
        let result = result.and_then(|()| Ok(self.flush()?));
        if let Err(error) = result.or_else(ignore_broken_pipe) {
            let _ = self.report_error(format_args!("{error:#}"));
            if error.is::<UsageError>() {
                return 2;
            }
        }
        match self.has_unreadable_input {
            true => 2,
            false => u8::from(self.failed),
        }
    }
}

impl Streams {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Fast path: printable ASCII needs no filter.
        if is_printable_ascii(bytes) {
            return self.write_raw(bytes);
        }
        let inert = inert_bytes(bytes);
        match self.has_color {
            true => self.write_raw(&inert),
            false => self.write_raw(&style::bytes_without_styles(&inert)),
        }
    }

    /// Writes bytes. Only a full buffer reaches the terminal, where the progress is hidden meanwhile.
    fn write_raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.out.buffer().len() + bytes.len() < self.out.capacity() {
            return self.out.write_all(bytes);
        }
        self.progress.hide_while(|| self.out.write_all(bytes)).map_err(StdoutError::of)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.progress.hide_while(|| self.out.flush()).map_err(StdoutError::of)
    }
}

/// Returns whether bytes are printable ASCII characters and line ends.
fn is_printable_ascii(bytes: &[u8]) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n');
    // Without an exit for each byte, the compiler uses vectors.
    bytes.iter().fold(true, |all, byte| all & is_plain(*byte))
}

/// An error of standard output.
#[derive(Debug)]
pub struct StdoutError(io::Error);

impl StdoutError {
    /// Returns an error of standard output, of the same kind.
    pub fn of(error: io::Error) -> io::Error {
        io::Error::new(error.kind(), StdoutError(error))
    }
}

impl Display for StdoutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot write to standard output: {}", self.0)
    }
}

impl std::error::Error for StdoutError {}

/// Ignores that the reader of standard output closed its pipe. Other pipes are output files.
fn ignore_broken_pipe(error: anyhow::Error) -> anyhow::Result<()> {
    let is_broken_pipe = error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| {
            let of_stdout = error.get_ref().is_some_and(|inner| inner.is::<StdoutError>());
            of_stdout && error.kind() == io::ErrorKind::BrokenPipe
        })
    });
    if is_broken_pipe { Ok(()) } else { Err(error) }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.verbosity == Verbosity::NoReport {
            return Ok(bytes.len());
        }
        match &mut self.target {
            Target::Recording(recording) => {
                recording.report(bytes);
                Ok(bytes.len())
            }
            Target::Standard(streams) => streams.write(bytes).map(|()| bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Recording(_) => Ok(()),
            Target::Standard(streams) => streams.flush(),
        }
    }
}
