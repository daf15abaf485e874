//! The files that a command reads.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};
use same_file::Handle;

use crate::{is_standard, shown};

/// The first bytes of an object file.
pub const MAGIC: &[u8] = b"CISA";

/// The bytes of a file, or of standard input for `-`.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    if is_standard(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
        return Ok(bytes);
    }
    fs::read(path).with_context(|| shown(path))
}

/// Reads an object file. For text, the error names the commands that read text.
pub fn read_object(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = read(path)?;
    if !bytes.starts_with(MAGIC) && is_text(&bytes) {
        bail!(
            "{} is text, not an object file; `genvisa asm` assembles visaasm and `genvisa fmt` \
             formats it",
            shown(path)
        );
    }
    Ok(bytes)
}

/// Reads text. For an object file, the error names the command that reads it.
pub fn read_text(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = read(path)?;
    if bytes.starts_with(MAGIC) {
        bail!("{} is an object file; use `genvisa dis`", shown(path));
    }
    Ok(bytes)
}

/// Whether bytes are UTF-8 without control characters, other than those that lay out text.
fn is_text(bytes: &[u8]) -> bool {
    let is_usual = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\x0c');
    !bytes.is_empty() && std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_usual))
}

/// Whether a file begins like an object file.
pub fn is_object_file(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    // Standard input and pipes can be read only once.
    let is_regular = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let result =
        (is_regular && !is_standard(path)).then(|| File::open(path)?.read_exact(&mut start));
    matches!(result, Some(Ok(()))) && start == MAGIC
}

/// The input that is the same file as an output, whatever paths lead there: links, other names,
/// redirected standard input or output.
pub fn same_as<'p>(output: &Path, inputs: &[&'p Path]) -> Option<&'p Path> {
    let output_file = regular_file(output, Handle::stdout);
    inputs.iter().copied().find(|input| {
        let is_same_path = *input == output && !is_standard(output);
        is_same_path || output_file.is_some() && regular_file(input, Handle::stdin) == output_file
    })
}

/// The identity of a regular file, if there is one. Terminals and pipes may be read and written.
fn regular_file(path: &Path, standard: fn() -> io::Result<Handle>) -> Option<Handle> {
    if is_standard(path) {
        let handle = standard().ok()?;
        return handle.as_file().metadata().is_ok_and(|file| file.is_file()).then_some(handle);
    }
    // Opening a pipe could take something from it: look before.
    let is_regular = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_regular.then(|| Handle::from_path(path).ok()).flatten()
}

/// Why a command that would write to its input is refused.
pub fn would_be_overwritten(output: &Path, input: &Path) -> String {
    let name = |path: &Path, standard: &str| {
        if is_standard(path) { standard.to_owned() } else { shown(path) }
    };
    let (output, input) = (name(output, "standard output"), name(input, "standard input"));
    if output == input {
        return format!("{output} is an input and would be overwritten; choose another output");
    }
    format!(
        "{output} is the same file as the input {input}, which would be overwritten; choose \
         another output"
    )
}
