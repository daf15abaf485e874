//! The command-line tool `genvisa`, as a library for the program and for other languages.
//!
//! [`main`] is the program, and [`run`] runs a command line and returns what it prints.

// Without some commands, parts of what commands share are not used.
#![cfg_attr(
    not(all(feature = "extract", feature = "inline", feature = "report", feature = "run")),
    allow(dead_code, unused_imports)
)]

mod bytes;
mod cli;
mod commands;
mod explanations;
mod finalizer_asm;
mod input;
mod modules;
#[cfg(any(feature = "inline", feature = "run"))]
mod ocloc;
mod options;
mod output;
mod page;
mod rule_list;
mod sarif;
mod source_files;
mod words;

use std::ffi::OsString;

pub use output::{Message, MessageKind};
use output::{Output, Verbosity};

/// Runs a command line, which begins with the name of the program. If it has an error, prints the error
/// and ends the process. Returns the exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args = cli::Args::from_command_line(args);
    let mut out = Output::new(args.verbosity(), args.color);
    let result = args.command.run(&mut out, cli::command);
    out.end(result)
}

/// What a command prints, and its exit code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The exit code of the program.
    pub code: u8,
    /// Standard output, without colors.
    pub output: Vec<u8>,
    /// The errors and warnings, which the program prints on standard error.
    pub messages: Vec<Message>,
}

/// Runs a command line, without the name of the program, and returns what it prints.
///
/// The command may read and write files, and standard input if an argument is `-`.
///
/// ```
/// let answer = genvisa_cli::run(["stats", "--json", "../../tests/data/tour.isa"]);
/// assert_eq!(answer.code, 0);
/// assert!(answer.output.starts_with(b"["));
/// ```
pub fn run<A: Into<OsString>>(args: impl IntoIterator<Item = A>) -> Answer {
    let program = std::iter::once(OsString::from("genvisa"));
    let args = match cli::Args::parse(program.chain(args.into_iter().map(Into::into))) {
        Ok(args) => args,
        Err(error) => return Answer::of_usage(&error),
    };
    let settings = output::Settings::plain(match args.verbosity() {
        // What is requested is a value, not a report to a terminal.
        Verbosity::NoReport => Verbosity::NoWarnings,
        verbosity => verbosity,
    });
    let mut out = Output::recording(settings);
    let result = args.command.run(&mut out, cli::command);
    let code = out.end(result);
    let (output, messages) = out.into_recording().into_text();
    Answer { code, output, messages }
}

impl Answer {
    /// Returns the answer to a command line with an error, or one that requests help.
    fn of_usage(error: &clap::Error) -> Answer {
        let (code, text) = (error.exit_code() as u8, error.render().to_string());
        match error.use_stderr() {
            true => {
                let message = Message::snippet(MessageKind::Error, text.trim_end());
                Answer { code, output: Vec::new(), messages: vec![message] }
            }
            false => Answer { code, output: text.into_bytes(), messages: Vec::new() },
        }
    }
}
