//! Checks that inputs are not overwritten.

use std::fs;
use std::io;
use std::path::Path;

use same_file::Handle;

use crate::words::{is_standard, shown};

/// Returns the input that is the same file as an output. Links and redirected standard input and
/// output are followed.
pub fn same_as<'p>(output: &Path, inputs: &[&'p Path]) -> Option<&'p Path> {
    let output_file = regular_file(output, Handle::stdout);
    inputs.iter().copied().find(|input| {
        let is_same_path = *input == output && !is_standard(output);
        is_same_path || output_file.is_some() && regular_file(input, Handle::stdin) == output_file
    })
}

/// Returns the identity of a regular file, or `None` for terminals and pipes, which may be both
/// read and written.
fn regular_file(path: &Path, standard: fn() -> io::Result<Handle>) -> Option<Handle> {
    if is_standard(path) {
        let handle = standard().ok()?;
        return handle.as_file().metadata().is_ok_and(|file| file.is_file()).then_some(handle);
    }
    // Opening a pipe could disturb its other end.
    let is_regular = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_regular.then(|| Handle::from_path(path).ok()).flatten()
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
