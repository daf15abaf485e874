//! Buffers that are written to files after the run.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::bail;

use super::{Buffer, picture};
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
    let mut batch = Batch::default();
    for OutputText { name, path } in texts {
        let Buffer { bytes, image, first_undefined, .. } = find(name, buffers)?;
        debug_assert!(!is_standard(path));
        let bytes = picture::file(path, image.as_ref(), bytes)?;
        written.push(Written {
            name: name.clone(),
            path: path.clone(),
            size: bytes.len(),
            first_undefined: *first_undefined,
        });
        batch.add(path, &bytes)?;
    }
    batch.commit(true)?;
    Ok(written)
}

/// Returns the buffer of a name.
pub fn find<'b>(
    name: &str,
    buffers: impl IntoIterator<Item = &'b Buffer> + Clone,
) -> anyhow::Result<&'b Buffer> {
    let mut all = buffers.clone().into_iter();
    let found = all.find(|buffer| buffer.names.iter().any(|other| other == name));
    if let Some(buffer) = found {
        return Ok(buffer);
    }
    let names: Vec<&str> =
        buffers.into_iter().filter_map(|buffer| buffer.names.first()).map(|it| &**it).collect();
    match names.is_empty() {
        true => bail!("`{}` is not a buffer: there are none", printable(name)),
        false => bail!("`{}` is not a buffer; these are: {}", printable(name), names.join(", ")),
    }
}

/// Checks that all outputs are buffers, and that their files can have them, before a long run.
pub fn check<'b>(
    texts: &[OutputText],
    buffers: impl IntoIterator<Item = &'b Buffer> + Clone,
) -> anyhow::Result<()> {
    texts.iter().try_for_each(|OutputText { name, path }| {
        let buffer = find(name, buffers.clone())?;
        picture::check(path, buffer.image.as_ref())
    })
}
