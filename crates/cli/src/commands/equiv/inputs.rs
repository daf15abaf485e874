//! The files to compare, and their kernels.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use genvisa_interp::binary::DeviceBinary;

use super::Equiv;
use crate::commands::run::device::is_device_binary;
use crate::input::walk::{add_folder, is_folder};
use crate::input::{read, read_text, read_utf8};
use crate::options::DialectArg;
use crate::output::Output;
use crate::words::{printable, shown};

/// Two files.
pub struct Pair {
    pub a: PathBuf,
    pub b: PathBuf,
}

/// The binaries of two files.
pub struct Loaded {
    pub a: DeviceBinary,
    pub b: DeviceBinary,
    /// The only kernel to compare, if B is an edit of it.
    edited: Option<String>,
}

/// Returns the files to compare: those of the command line, or the device binaries in both folders.
/// Warns of those that are only in one of them.
pub fn pairs(args: &Equiv, out: &mut Output) -> anyhow::Result<Vec<Pair>> {
    let (a, b) = (&args.a, &args.b);
    match (is_folder(a), is_folder(b)) {
        (false, false) => return Ok(vec![Pair { a: a.clone(), b: b.clone() }]),
        (true, true) => {}
        (true, false) => bail!("`{}` is a folder, but `{}` is not", shown(a), shown(b)),
        (false, true) => bail!("`{}` is a folder, but `{}` is not", shown(b), shown(a)),
    }
    let (of_a, of_b) = (binaries_in(a)?, binaries_in(b)?);
    for (names, others, folder) in [(&of_a, &of_b, a), (&of_b, &of_a, b)] {
        for name in names.difference(others) {
            out.warn(format_args!("only `{}` has `{}`", shown(folder), shown(name)))?;
        }
    }
    let both = of_a.intersection(&of_b);
    let pairs: Vec<Pair> = both.map(|name| Pair { a: a.join(name), b: b.join(name) }).collect();
    match pairs.is_empty() {
        true => {
            bail!("`{}` and `{}` have no device binaries of the same names", shown(a), shown(b))
        }
        false => Ok(pairs),
    }
}

/// Returns the paths of the device binaries in a folder.
fn binaries_in(folder: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut files = Vec::new();
    add_folder(folder, |path| !path.is_symlink(), &mut files)?;
    let mut binaries = BTreeSet::new();
    for file in files {
        if let Ok(name) = file.strip_prefix(folder) {
            if is_device_binary(&file)? {
                binaries.insert(name.to_path_buf());
            }
        }
    }
    Ok(binaries)
}

impl Pair {
    pub fn path(&self) -> &Path {
        &self.a
    }

    pub fn load(&self, args: &Equiv) -> anyhow::Result<Loaded> {
        let text = |path: &Path| -> anyhow::Result<Vec<u8>> {
            Ok(read_text(path, &DialectArg { dialect: None })?.bytes.into())
        };
        if let Some(info) = &args.info {
            let document = read_utf8(info)?;
            let document = String::from_utf8_lossy(&document);
            let load = |path: &Path| {
                DeviceBinary::from_texts(&document, [text(path)?])
                    .map_err(|error| anyhow!("`{}`: {error}", shown(info)))
            };
            return Ok(Loaded { a: load(&self.a)?, b: load(&self.b)?, edited: None });
        }
        let binary = |path: &Path| {
            let bytes = read(path)?;
            DeviceBinary::from_bytes(&bytes).map_err(|error| anyhow!("`{}`: {error}", shown(path)))
        };
        if !is_device_binary(&self.a)? {
            bail!(
                "`{}` is no device binary; give the .zeinfo file of texts with --info",
                shown(&self.a)
            );
        }
        let a = binary(&self.a)?;
        if is_device_binary(&self.b)? {
            return Ok(Loaded { a, b: binary(&self.b)?, edited: None });
        }
        let edited = edit(&a, text(&self.b)?);
        let (b, kernel) = edited.with_context(|| format!("`{}`", shown(&self.b)))?;
        Ok(Loaded { a, b, edited: Some(kernel) })
    }
}

/// Returns a binary in which a text replaces the one of its kernel, and the name of the kernel.
fn edit(binary: &DeviceBinary, edited: Vec<u8>) -> anyhow::Result<(DeviceBinary, String)> {
    let alone = DeviceBinary { texts: vec![edited], ..binary.clone() };
    let kernel = alone.kernels.iter().find(|kernel| alone.text(&kernel.name).is_some());
    let kernel = kernel.context("no kernel of A has the name of the one in this text")?;
    let name = kernel.name.clone();
    let old = binary.text(&name);
    let others = binary.texts.iter().filter(|text| Some(&***text) != old).cloned();
    let texts = alone.texts.iter().cloned().chain(others).collect();
    Ok((DeviceBinary { texts, ..binary.clone() }, name))
}

/// Returns the names of the kernels to compare.
pub fn kernels<'b>(
    args: &Equiv,
    pair: &Pair,
    Loaded { a, b, edited }: &'b Loaded,
    out: &mut Output,
) -> anyhow::Result<Vec<(&'b str, &'b str)>> {
    fn names(binary: &DeviceBinary) -> Vec<&str> {
        let kernels = binary.kernels.iter().map(|kernel| &*kernel.name);
        kernels.filter(|name| binary.text(name).is_some()).collect()
    }
    let (mut of_a, mut of_b) = (names(a), names(b));
    for (names, path) in [(&of_a, &pair.a), (&of_b, &pair.b)] {
        if names.is_empty() {
            bail!(
                "`{}` has no text of a kernel; ocloc adds the texts with -internal_options \
                 \"-ze-emit-zebin-visa-sections\"",
                shown(path)
            );
        }
    }
    if let Some(edited) = edited {
        of_a.retain(|name| name == edited);
        of_b.retain(|name| name == edited);
    }
    if let Some(routine) = &args.routine {
        for (names, path) in [(&mut of_a, &pair.a), (&mut of_b, &pair.b)] {
            let all: Vec<String> = names.iter().map(|name| printable(name)).collect();
            names.retain(|name| name == routine);
            if names.is_empty() {
                let routine = printable(routine);
                bail!("`{}` has no kernel `{routine}`; it has {}", shown(path), all.join(", "));
            }
        }
    }
    // Builds may give the only kernel another name.
    if let ([of_a], [of_b]) = (&of_a[..], &of_b[..]) {
        return Ok(vec![(of_a, of_b)]);
    }
    for (names, others, path) in [(&of_a, &of_b, &pair.a), (&of_b, &of_a, &pair.b)] {
        for name in names.iter().filter(|name| !others.contains(name)) {
            out.warn(format_args!("only `{}` has kernel `{}`", shown(path), printable(name)))?;
        }
    }
    Ok(of_a.into_iter().filter(|name| of_b.contains(name)).map(|name| (name, name)).collect())
}
