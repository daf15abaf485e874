//! The command-line tool.

use std::ffi::OsString;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Runs a command line, and returns the exit code, standard output and the lines of standard error.
#[pyfunction]
pub fn _run(py: Python<'_>, args: Vec<OsString>) -> (u8, Py<PyBytes>, Vec<String>) {
    let answer = py.detach(|| genvisa_cli::run(args));
    (answer.code, PyBytes::new(py, &answer.output).unbind(), answer.messages)
}

/// Runs a command line, which begins with the name of the program, with the streams of the process.
/// Returns the exit code.
#[pyfunction]
pub fn _main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| genvisa_cli::main(args))
}
