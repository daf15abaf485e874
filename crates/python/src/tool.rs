//! The command-line tool.

use std::ffi::OsString;

use genvisa_cli::MessageKind;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A message of a command: its kind, its text, and what the program prints.
type Message = (&'static str, String, String);

/// Runs a command line, and returns the exit code, standard output and the messages.
#[pyfunction]
pub fn _run(py: Python<'_>, args: Vec<OsString>) -> (u8, Py<PyBytes>, Vec<Message>) {
    let answer = py.detach(|| genvisa_cli::run(args));
    let messages = answer.messages.into_iter().map(|message| {
        let line = message.to_string();
        let kind = match message.kind {
            MessageKind::Error => "error",
            MessageKind::Assumption => "assumption",
            _ => "warning",
        };
        (kind, message.text, line)
    });
    (answer.code, PyBytes::new(py, &answer.output).unbind(), messages.collect())
}

/// Runs a command line, which begins with the name of the program, with the streams of the process.
/// Returns the exit code.
#[pyfunction]
pub fn _main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| genvisa_cli::main(args))
}
