//! Reading of files, texts, and parts of other files.

pub mod binary;
pub mod choice;
pub mod container;
pub mod kind;
pub mod same_file;
pub mod walk;

use genvisa::object::MAGIC;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};
use genvisa::{Dialect, Module, text};
use genvisa_container::{Container, FileKind, Found, Place, is_text, is_visa_text};

use crate::bytes::Bytes;
use crate::options::DialectArg;
use crate::output::snippet::{Source, Start};
use crate::words::{count, is_standard, printable, shown};
use binary::Binary;
use choice::split_choice;
use kind::WrongKind;
use walk::is_folder;

/// Larger files that begin with nothing known are not read.
const MAX_UNKNOWN: u64 = 256 << 20;

/// Reads a file, or standard input for `-`, whatever it is. Fails if a file changes meanwhile: a part of
/// a text may be a correct text.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let context = || cannot_read(path);
    let mut reader = Reader::open(path).with_context(context)?;
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).with_context(context)?;
    Ok(bytes)
}

/// Reads a file as [`read`] does if its kind, which the first bytes determine, is wanted. `expected` is
/// what the error says that other files are not.
pub fn read_kind(
    path: &Path,
    is_wanted: impl FnOnce(FileKind) -> bool,
    expected: &str,
) -> anyhow::Result<Vec<u8>> {
    let context = || cannot_read(path);
    let mut reader = Reader::open(path).with_context(context)?;
    let mut bytes = Vec::with_capacity(FileKind::START);
    reader.read_up_to(FileKind::START as u64, &mut bytes).with_context(context)?;
    let kind = FileKind::of(&bytes);
    if !is_wanted(kind) {
        return Err(WrongKind::new(kind, &shown(path), expected).into());
    }
    if kind == FileKind::Unknown {
        let (file, name) = (shown(path), kind.name());
        let limit = format!("such files are read up to {MAX_UNKNOWN} bytes");
        if let Some(size) = reader.size().filter(|size| *size > MAX_UNKNOWN) {
            bail!("`{file}` is {name} with {size} bytes; {limit}");
        }
        reader.read_up_to(MAX_UNKNOWN + 1, &mut bytes).with_context(context)?;
        if bytes.len() as u64 > MAX_UNKNOWN {
            bail!("`{file}` is {name} with more bytes than are read; {limit}");
        }
    }
    reader.read_to_end(&mut bytes).with_context(context)?;
    Ok(bytes)
}

fn cannot_read(path: &Path) -> String {
    match is_standard(path) {
        true => "cannot read standard input".into(),
        false => format!("cannot read `{}`", shown(path)),
    }
}

/// A file or standard input that is read.
enum Reader {
    Stdin,
    File(File, Metadata),
}

impl Reader {
    fn open(path: &Path) -> io::Result<Reader> {
        if is_standard(path) {
            return Ok(Reader::Stdin);
        }
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        Ok(Reader::File(file, metadata))
    }

    /// Returns the size of a regular file.
    fn size(&self) -> Option<u64> {
        match self {
            Reader::File(_, metadata) if metadata.is_file() => Some(metadata.len()),
            _ => None,
        }
    }

    /// Reads until there are so many bytes.
    fn read_up_to(&mut self, size: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        let rest = size.saturating_sub(bytes.len() as u64);
        match self {
            Reader::Stdin => io::stdin().lock().take(rest).read_to_end(bytes)?,
            Reader::File(file, _) => file.take(rest).read_to_end(bytes)?,
        };
        Ok(())
    }

    fn read_to_end(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let (file, before) = match self {
            Reader::Stdin => return io::stdin().lock().read_to_end(bytes).map(drop),
            Reader::File(file, metadata) => (file, metadata),
        };
        file.read_to_end(bytes)?;
        let after = file.metadata()?;
        let is_same =
            before.len() == after.len() && before.modified().ok() == after.modified().ok();
        match is_same || !before.is_file() {
            true => Ok(()),
            false => Err(io::Error::other("it changed while it was read")),
        }
    }
}

/// Reads text in UTF-8, whatever it contains.
pub fn read_utf8(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_kind(path, FileKind::is_text, "text")
}

/// A `.isa` file or text, which may be part of another file.
pub struct Input {
    /// The name in messages.
    pub name: String,
    pub bytes: Bytes,
    /// Where a text begins in its file.
    pub start: Start,
    /// The names of its routines, if it is part of another file.
    pub routines: Vec<String>,
    /// The device binary of which it is a section.
    pub binary: Option<Binary>,
}

impl Input {
    /// Returns the contents of a whole file.
    pub fn whole(name: String, bytes: Bytes) -> Input {
        Input { name, bytes, start: Start::default(), routines: Vec::new(), binary: None }
    }

    /// Returns the text, with its place in the file.
    pub fn source(&self) -> Source {
        Source { name: self.name.clone(), text: self.bytes.clone(), start: self.start }
    }

    /// Returns whether it is a `.isa` file, or at least not text.
    pub fn is_object(&self) -> bool {
        self.bytes.starts_with(&MAGIC) || !is_text(&self.bytes)
    }

    /// Decodes a `.isa` file. For text, the error names the commands that read text.
    pub fn module(&self, dialect: Dialect) -> anyhow::Result<Module<'_>> {
        self.check_object()?;
        Module::from_bytes(&self.bytes, dialect)
            .map_err(|error| anyhow::anyhow!("{}: {error}", self.name))
    }

    /// Fails unless it is a `.isa` file.
    pub fn check_object(&self) -> anyhow::Result<()> {
        let kind = FileKind::of(&self.bytes);
        match kind {
            _ if self.bytes.is_empty() => bail!("`{}` is empty", self.name),
            FileKind::Object => Ok(()),
            _ => Err(WrongKind::new(kind, &self.name, "a .isa file").into()),
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
    let bytes = read_kind(&file, FileKind::may_contain_visa, "vISA")?.into();
    inputs(shown(&file), bytes, choice, routine, dialect)
}

/// Returns the `.isa` files and texts in the contents of a file.
fn inputs(
    name: String,
    bytes: Bytes,
    choice: Option<String>,
    routine: Option<&String>,
    dialect: &DialectArg,
) -> anyhow::Result<Vec<Input>> {
    let whole = |bytes| vec![Input::whole(name.clone(), bytes)];
    let is_plain = match is_visa_text(&bytes) {
        true => text::split_dump(&bytes).first() == Some(&(0..bytes.len())),
        false => bytes.starts_with(&MAGIC) && !may_have_more(&bytes),
    };
    if is_plain && choice.is_none() {
        return Ok(whole(bytes));
    }
    let found = Container::read(&bytes, dialect.of_files());
    let count = found.objects.len();
    let is_first = |first: &Found<'_>| first.place.offset() == 0;
    let has_more = count > 1 && found.objects.first().is_some_and(is_first);
    if bytes.starts_with(&MAGIC) && choice.is_none() && !has_more {
        return Ok(whole(bytes.clone()));
    }
    let sections = found.objects.iter().filter_map(|found| match &found.place {
        Place::Section(section) => Some(&section.elf),
        _ => None,
    });
    let binaries: HashMap<usize, Binary> =
        sections.map(|elf| (elf.start, Binary::new(bytes.slice(elf.clone())))).collect();
    let input = |number: usize| {
        let Found { place, bytes: part, routines, start, .. } = &found.objects[number - 1];
        // The positions in the only text are those in the file.
        let is_file = count == 1 && matches!(place, Place::Lines(_));
        Input {
            name: if is_file { name.clone() } else { format!("{name}!{number}") },
            bytes: match part {
                Cow::Borrowed(_) => bytes.slice(place.range()),
                Cow::Owned(value) => value.clone().into(),
            },
            start: *start,
            routines: routines.clone(),
            binary: match place {
                Place::Section(section) => binaries.get(&section.elf.start).cloned(),
                _ => None,
            },
        }
    };
    let wanted = choice.as_ref().or(routine).cloned().unwrap_or_default();
    let chosen: Vec<usize> = match (choice, routine) {
        (None, _) if count == 0 => {
            if let Some(reason) = container::reason_for_none(&found) {
                bail!("`{name}` contains no vISA: {reason}");
            }
            let kind = FileKind::of(&bytes);
            match kind.is_visa() {
                true => return Ok(whole(bytes.clone())),
                false => return Err(WrongKind::new(kind, &name, "vISA").into()),
            }
        }
        (Some(choice), _) => found.choose(&choice),
        (None, Some(routine)) if count > 1 => found.with_routine(routine),
        (None, _) => (1..=count).collect(),
    };
    match chosen.is_empty() {
        true => bail!(container::no_object(&found, &name, &wanted)),
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
    only(path, open(path, routine, dialect)?, routine)
}

/// Returns the only `.isa` file or text that a path denotes, as [`open_one`] does, in the contents of its file.
pub fn one_of(
    path: &Path,
    contents: Bytes,
    routine: Option<&String>,
    dialect: &DialectArg,
) -> anyhow::Result<Input> {
    let (file, choice) = split_choice(path);
    only(path, inputs(shown(&file), contents, choice, routine, dialect)?, routine)
}

/// Returns the only of the inputs that a path denotes.
fn only(path: &Path, mut inputs: Vec<Input>, routine: Option<&String>) -> anyhow::Result<Input> {
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
    memchr::memmem::find(&bytes[MAGIC.len()..], &MAGIC).is_some()
}

/// Reads text, which may be chosen in another file as for [`open`].
pub fn read_text(path: &Path, dialect: &DialectArg) -> anyhow::Result<Input> {
    if is_folder(path) {
        // All texts would be one output.
        let folder = shown(path);
        let texts = shown(&path.join("*.visaasm"));
        bail!("`{folder}` is a folder; `asm` and `fmt` read files only, such as `{texts}`");
    }
    let check = |name: &str, bytes: &[u8]| {
        let kind = FileKind::of(bytes);
        match kind.may_be_visa_text() {
            true => Ok(()),
            false => Err(WrongKind::new(kind, name, "vISA text")),
        }
    };
    let input = match split_choice(path) {
        (_, Some(_)) => open_one(path, None, dialect)?,
        (file, None) => {
            let bytes = Bytes::from(read_kind(&file, FileKind::is_text, "text")?);
            check(&shown(&file), &bytes)?;
            only(path, inputs(shown(&file), bytes, None, None, dialect)?, None)?
        }
    };
    check(&input.name, &input.bytes)?;
    Ok(input)
}
