//! Reading of files, texts, and parts of other files.

pub mod choice;
pub mod container;
pub mod magic;
pub mod same_file;
pub mod walk;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};
use bytes::Bytes;
use genvisa::{Dialect, Module};

use crate::options::DialectArg;
use crate::words::{count, is_standard, printable, shown};
use choice::split_choice;
use container::Found;
use magic::{MAGIC, is_text, is_visa_text};
use walk::is_folder;

/// Reads a file, or standard input for `-`. Fails if a file changes meanwhile: a part of a text may be a
/// correct text.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    if is_standard(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(bytes);
    }
    read_unchanged(path).with_context(|| format!("cannot read `{}`", shown(path)))
}

fn read_unchanged(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let before = file.metadata()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let after = file.metadata()?;
    let is_same = before.len() == after.len() && before.modified().ok() == after.modified().ok();
    match is_same || !before.is_file() {
        true => Ok(bytes),
        false => Err(io::Error::other("it changed while it was read")),
    }
}

/// A `.isa` file or text, which may be part of another file.
pub struct Input {
    /// The name in messages.
    pub name: String,
    pub bytes: Bytes,
    /// The names of its routines, if it is part of another file.
    pub routines: Vec<String>,
}

impl Input {
    /// Returns the contents of a whole file.
    pub fn whole(name: String, bytes: Bytes) -> Input {
        Input { name, bytes, routines: Vec::new() }
    }

    /// Returns whether it is a `.isa` file, or at least not text.
    pub fn is_object(&self) -> bool {
        self.bytes.starts_with(MAGIC) || !is_text(&self.bytes)
    }

    /// Decodes a `.isa` file. For text, the error names the commands that read text.
    pub fn module(&self, dialect: Dialect) -> anyhow::Result<Module<'_>> {
        self.check_object()?;
        Module::from_bytes(&self.bytes, dialect)
            .map_err(|error| anyhow::anyhow!("{}: {error}", self.name))
    }

    /// Fails for text.
    pub fn check_object(&self) -> anyhow::Result<()> {
        if self.bytes.is_empty() {
            bail!("`{}` is empty", self.name);
        }
        match self.is_object() {
            true => Ok(()),
            false => bail!(
                "`{}` is text, not a .isa file; `genvisa asm` assembles text and `genvisa fmt` \
                 formats it",
                self.name
            ),
        }
    }
}

/// Returns the `.isa` files and texts that a path denotes: the file, or those in it if it is a
/// container. `FILE!N` denotes the `N`th, and `FILE!NAME` those with the routine `NAME`. With a
/// routine, others are omitted if the container has several.
pub fn open(
    path: &Path,
    routine: Option<&String>,
    dialect: &DialectArg,
) -> anyhow::Result<Vec<Input>> {
    let (file, choice) = split_choice(path);
    let (name, bytes) = (shown(&file), Bytes::from(read(&file)?));
    let whole = |bytes| vec![Input::whole(name.clone(), bytes)];
    let is_plain = is_visa_text(&bytes) || bytes.starts_with(MAGIC) && !may_have_more(&bytes);
    if is_plain && choice.is_none() {
        return Ok(whole(bytes));
    }
    let found = container::read(bytes.clone(), dialect.of_files());
    let count = found.objects.len();
    let is_first = |first: &Found| first.place.offset() == 0;
    let has_more = count > 1 && found.objects.first().is_some_and(is_first);
    if bytes.starts_with(MAGIC) && choice.is_none() && !has_more {
        return Ok(whole(bytes));
    }
    let input = |number: usize| Input {
        name: format!("{name}!{number}"),
        bytes: found.objects[number - 1].bytes.clone(),
        routines: found.objects[number - 1].routines.clone(),
    };
    let wanted = choice.as_ref().or(routine).cloned().unwrap_or_default();
    let chosen: Vec<usize> = match (choice, routine) {
        (None, _) if count == 0 => match found.reason_for_none() {
            Some(reason) => bail!("`{name}` contains no vISA: {reason}"),
            None => return Ok(whole(bytes)),
        },
        (Some(choice), _) => found.choose(&choice),
        (None, Some(routine)) if count > 1 => found.with_routine(routine),
        (None, _) => (1..=count).collect(),
    };
    match chosen.is_empty() {
        true => bail!(found.no_object(&name, &wanted)),
        false => Ok(chosen.into_iter().map(input).collect()),
    }
}

/// Returns the only `.isa` file or text that a path denotes. Fails if there are several with
/// different bytes.
pub fn open_one(
    path: &Path,
    routine: Option<&String>,
    dialect: &DialectArg,
) -> anyhow::Result<Input> {
    let mut inputs = open(path, routine, dialect)?;
    if inputs.iter().any(|input| input.bytes != inputs[0].bytes) {
        // An argument that begins with `-` is an option, unless it follows `--`.
        let dashes = if is_standard(path) { "-- " } else { "" };
        let (objects, or_routine) = match routine {
            Some(routine) => {
                let objects = count(inputs.len(), "object");
                (format!("{objects} with a routine `{}`", printable(routine)), "")
            }
            None => (count(inputs.len(), "object"), ", or by a routine"),
        };
        bail!(
            "`{}` contains {objects}; choose one by its number, such as `{dashes}{}`{or_routine}; \
             `genvisa extract --list` lists them",
            shown(path),
            inputs[0].name
        );
    }
    Ok(inputs.swap_remove(0))
}

/// Returns whether a `.isa` file may be followed by other objects.
fn may_have_more(bytes: &[u8]) -> bool {
    memchr::memmem::find(&bytes[MAGIC.len()..], MAGIC).is_some()
}

/// Reads text, which may be chosen in another file as for [`open`]. For a `.isa` file, the error names
/// the command that disassembles it.
pub fn read_text(path: &Path, dialect: &DialectArg) -> anyhow::Result<Bytes> {
    if is_folder(path) {
        // All texts would be one output.
        let folder = shown(path);
        let texts = shown(&path.join("*.visaasm"));
        bail!("`{folder}` is a folder; `asm` and `fmt` read files only, such as `{texts}`");
    }
    let bytes = match split_choice(path) {
        (_, Some(_)) => open_one(path, None, dialect)?.bytes,
        (file, None) => read(&file)?.into(),
    };
    if bytes.starts_with(MAGIC) {
        bail!("`{}` is a .isa file, not text; `genvisa dis` disassembles it", shown(path));
    }
    Ok(bytes)
}
