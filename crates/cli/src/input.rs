//! Reading of input files, and checks that they are not overwritten.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use bytes::Bytes;
use genvisa::{Dialect, Module};
use same_file::Handle;

use crate::args::DialectArg;
use crate::container::{Container, Found};
use crate::walk::is_folder;
use crate::{count, is_standard, shown};

/// The first bytes of a `.isa` file.
pub const MAGIC: &[u8] = b"CISA";

/// Reads a file, or standard input for `-`.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    if is_standard(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(bytes);
    }
    fs::read(path).with_context(|| format!("cannot read `{}`", shown(path)))
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
    let container = Container::read(bytes.clone(), dialect.of_files());
    let count = container.objects.len();
    let is_first = |found: &Found| found.place.offset() == 0;
    let has_more = count > 1 && container.objects.first().is_some_and(is_first);
    if bytes.starts_with(MAGIC) && choice.is_none() && !has_more {
        return Ok(whole(bytes));
    }
    let input = |number: usize| Input {
        name: format!("{name}!{number}"),
        bytes: container.objects[number - 1].bytes.clone(),
        routines: container.objects[number - 1].routines.clone(),
    };
    let wanted = choice.as_ref().or(routine).cloned().unwrap_or_default();
    let chosen: Vec<usize> = match (choice, routine) {
        (None, _) if count == 0 => match container.reason_for_none() {
            Some(reason) => bail!("`{name}` contains no vISA: {reason}"),
            None => return Ok(whole(bytes)),
        },
        (Some(choice), _) => container.choose(&choice),
        (None, Some(routine)) if count > 1 => container.with_routine(routine),
        (None, _) => (1..=count).collect(),
    };
    match chosen.is_empty() {
        true => bail!(container.no_object(&name, &wanted)),
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
        bail!(
            "`{}` contains {}; choose one by its number, such as `{dashes}{}`, or by a routine; \
             `genvisa extract --list` lists them",
            shown(path),
            count(inputs.len(), "object"),
            inputs[0].name
        );
    }
    Ok(inputs.swap_remove(0))
}

/// Returns the file of a path, and the object in it that the path chooses: `a.so!2` is the second
/// object of `a.so`, unless there is a file of this name.
pub fn split_choice(path: &Path) -> (PathBuf, Option<String>) {
    let is_container = |file: &Path| !file.as_os_str().is_empty() && !file.is_dir();
    match split_last(path) {
        Some((file, choice)) if !choice.is_empty() && is_container(&file) && !path.exists() => {
            (file, Some(choice))
        }
        _ => (path.into(), None),
    }
}

/// Splits a path at its last `!`. The rest must be UTF-8; on Unix, the file may have any name.
fn split_last(path: &Path) -> Option<(PathBuf, String)> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let bytes = path.as_os_str().as_bytes();
        let (file, choice) = bytes.split_at(memchr::memrchr(b'!', bytes)?);
        let choice = std::str::from_utf8(&choice[1..]).ok()?;
        Some((std::ffi::OsStr::from_bytes(file).into(), choice.into()))
    }
    #[cfg(not(unix))]
    {
        let (file, choice) = path.to_str()?.rsplit_once('!')?;
        Some((file.into(), choice.into()))
    }
}

/// Returns whether a `.isa` file may be followed by other objects.
fn may_have_more(bytes: &[u8]) -> bool {
    memchr::memmem::find(&bytes[MAGIC.len()..], MAGIC).is_some()
}

/// Returns whether bytes are text with a directive that begins a vISA text. C sources have none.
pub fn is_visa_text(bytes: &[u8]) -> bool {
    const DIRECTIVES: [&[u8]; 3] = [b".version", b".kernel ", b".global_function "];
    is_text(bytes)
        && bytes.split(|byte| *byte == b'\n').any(|line| {
            let line = line.trim_ascii_start();
            DIRECTIVES.iter().any(|directive| line.starts_with(directive))
        })
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

/// Adds the files in a folder and its subfolders that a function accepts, in the order of their
/// names. Hidden files and folders, and links to folders, are skipped.
pub fn add_folder(
    folder: &Path,
    is_wanted: fn(&Path) -> bool,
    found: &mut Vec<PathBuf>,
) -> anyhow::Result<()> {
    let context = || format!("cannot read `{}`", shown(folder));
    let mut entries: Vec<fs::DirEntry> =
        fs::read_dir(folder).and_then(Iterator::collect).with_context(context)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = entry.path();
        if entry.file_type().with_context(context)?.is_dir() {
            add_folder(&path, is_wanted, found)?;
        } else if is_wanted(&path) && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

/// Returns whether bytes contain no control characters other than tabs, line ends and form feeds.
/// Comments of texts may contain bytes that are not UTF-8.
pub fn is_text(bytes: &[u8]) -> bool {
    let is_allowed =
        |byte: u8| !byte.is_ascii_control() | matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    // Without an exit for each byte, the compiler uses vectors.
    let are_allowed = |chunk: &[u8]| chunk.iter().fold(true, |all, byte| all & is_allowed(*byte));
    !bytes.is_empty() && bytes.chunks(256).all(are_allowed)
}

/// Returns whether a file begins like a `.isa` file.
pub fn is_object_file(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    // Standard input and pipes can be read only once.
    let is_regular = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let result =
        (is_regular && !is_standard(path)).then(|| File::open(path)?.read_exact(&mut start));
    matches!(result, Some(Ok(()))) && start == MAGIC
}

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
