//! Buffers that are written to files after the run.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::bail;

use super::Buffer;
use crate::output::Batch;
use crate::words::{is_standard, printable};

/// A buffer and the file that it is written to: `ARG=@FILE`.
#[derive(Clone, Debug)]
pub struct OutputText {
    pub name: String,
    pub path: PathBuf,
}

impl FromStr for OutputText {
    type Err = String;

    fn from_str(text: &str) -> Result<OutputText, String> {
        let (name, path) = text.split_once('=').ok_or("expected ARG=@FILE")?;
        let path = path.strip_prefix('@').unwrap_or(path);
        match path {
            "" => Err("expected a file after `=`".into()),
            "-" => Err("several outputs cannot share standard output; write to a file".into()),
            path => Ok(OutputText { name: name.into(), path: path.into() }),
        }
    }
}

/// A file that was written.
pub struct Written {
    pub name: String,
    pub path: PathBuf,
    pub size: usize,
    pub first_undefined: Option<usize>,
}

/// Writes the files: all of them or none.
pub fn write(texts: &[OutputText], buffers: &[Buffer]) -> anyhow::Result<Vec<Written>> {
    let mut written = Vec::new();
    for OutputText { name, path } in texts {
        let buffer = find(name, buffers)?;
        debug_assert!(!is_standard(path));
        written.push(Written {
            name: name.clone(),
            path: path.clone(),
            size: buffer.bytes.len(),
            first_undefined: buffer.first_undefined,
        });
    }
    let mut batch = Batch::default();
    for OutputText { name, path } in texts {
        batch.add(path, &find(name, buffers)?.bytes[..])?;
    }
    batch.commit(true)?;
    Ok(written)
}

/// Returns the buffer of a name.
pub fn find<'b>(name: &str, buffers: &'b [Buffer]) -> anyhow::Result<&'b Buffer> {
    let found = buffers.iter().find(|buffer| buffer.names.iter().any(|other| other == name));
    if let Some(buffer) = found {
        return Ok(buffer);
    }
    let names: Vec<&str> =
        buffers.iter().filter_map(|buffer| buffer.names.first()).map(|it| &**it).collect();
    match names.is_empty() {
        true => bail!("`{}` is not a buffer: there are none", printable(name)),
        false => bail!("`{}` is not a buffer; these are: {}", printable(name), names.join(", ")),
    }
}

/// Checks that all outputs are buffers, before a long run.
pub fn check(texts: &[OutputText], names: &[Vec<String>]) -> anyhow::Result<()> {
    let buffers: Vec<Buffer> = names
        .iter()
        .map(|names| Buffer { names: names.clone(), bytes: Vec::new(), first_undefined: None })
        .collect();
    texts.iter().try_for_each(|text| find(&text.name, &buffers).map(|_| ()))
}
