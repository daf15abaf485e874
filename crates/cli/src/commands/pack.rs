//! `genvisa pack`: puts changed objects and texts back into the file that contains them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use genvisa::Module;
use genvisa_container::{Container, Edits, FileKind, Found, Kind};
use serde::Serialize;
use serde_json::{Value, json};

use super::{CommandLine, Run};
use crate::input::choice::split_choice;
use crate::input::container::{file_stem, no_object};
use crate::input::same_file::output_is_input;
use crate::input::same_file::same_as;
use crate::input::walk::add_folder;
use crate::input::walk::is_folder;
use crate::input::{Input, read, read_kind};
use crate::modules::assemble;
use crate::options::DialectArg;
use crate::output::definitions::{self, Size};
use crate::output::snippet::{Source, Start};
use crate::output::{Output, UsageError, write_atomically};
use crate::words::{count, is_standard, printable, shown};

/// Put changed .isa or .visaasm files back into the file that contains them
///
/// NEW are files that extract has written to, or folders with them: their names contain the number
/// of the object. A file of another name replaces the object that FILE!N names, or the only one.
/// A text that replaces a .isa object is assembled in the version of that object.
///
/// An object that is smaller than the old one is followed by zeros. A larger one is an error, except
/// that a .visaasm section may be moved to the end of a device binary. Everything else in the file
/// stays as it is. OUT is written only if all objects fit.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa pack 'tests/data/kernels.c!tour' tests/data/tour.isa -o changed.c
  genvisa pack --json 'tests/data/kernels.c!1' tests/data/manual.isa -o changed.c
  genvisa extract lib.so -o kernels
  genvisa dis kernels/lib.so-3.isa -o kernels/lib.so-3.visaasm
  (edit kernels/lib.so-3.visaasm)
  genvisa pack 'lib.so!3' kernels/lib.so-3.visaasm -o new/lib.so")]
pub struct Pack {
    /// The file with the objects, or - for standard input; FILE!N or FILE!ROUTINE chooses one
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Changed .isa or .visaasm files, folders that extract has written to, or - for standard input
    #[arg(value_name = "NEW", required = true)]
    pub new: Vec<PathBuf>,
    /// Write to this file, or to standard output with -
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// Print as JSON what was replaced
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

impl Run for Pack {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn inputs(&self) -> Vec<&Path> {
        self.new.iter().chain([&self.file]).map(PathBuf::as_path).collect()
    }

    fn output(&self) -> Option<PathBuf> {
        Some(self.output.clone())
    }

    fn prints_report(&self) -> bool {
        true
    }

    fn check(&self) -> Result<(), String> {
        match self.json && is_standard(&self.output) {
            true => Err("--json prints to standard output; choose another output".into()),
            false => Ok(()),
        }
    }
}

fn run(args: &Pack, out: &mut Output) -> anyhow::Result<()> {
    let (file, choice) = split_choice(&args.file);
    let bytes = read_kind(&file, FileKind::may_contain_visa, "a file with vISA")?;
    let container = Container::read(&bytes, args.dialect.of_files());
    let target = Target { name: shown(&file), file, choice, container };
    let mut changes = BTreeMap::new();
    let replacements = target.replacements(&args.new, out)?;
    let inputs: Vec<&Path> = replacements.values().map(PathBuf::as_path).collect();
    if let Some(same) = same_as(&args.output, &inputs) {
        return Err(UsageError(output_is_input(&args.output, same)).into());
    }
    for (number, path) in replacements {
        let found = &target.container.objects[number - 1];
        let new = Input::whole(shown(&path), read_kind(&path, FileKind::is_visa, "vISA")?.into());
        let Some(new) = converted(found, new, args, out)? else { return Ok(()) };
        if *new.bytes != *found.bytes {
            warn_of_machine_code(found, &new, args, out)?;
            changes.insert(number, new);
        }
    }
    let packed = target.packed(&changes, args)?;
    if is_standard(&args.output) {
        return Ok(out.write_raw(&packed)?);
    }
    write_atomically(&args.output, &packed)?;
    if args.json {
        return out.write_json(&[target.json(&changes, &packed, args)]);
    }
    let (replaced, all) = (changes.len(), count(target.container.objects.len(), "object"));
    Ok(writeln!(out, "{}: replaced {replaced} of {all}", shown(&args.output))?)
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct PackedFile<'p> {
    /// The file that was written.
    file: definitions::File<'p>,
    size: Size,
    /// The file with the objects.
    container: definitions::File<'p>,
    /// The number of its objects.
    objects: usize,
    replaced: Vec<Replaced<'p>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
struct Replaced<'p> {
    #[cfg_attr(test, schemars(range(min = 1)))]
    number: usize,
    /// The file that replaces the object.
    name: definitions::File<'p>,
    old_size: Size,
    size: Size,
}

/// The file whose objects are replaced.
struct Target<'b> {
    name: String,
    file: PathBuf,
    /// The object that the user chooses.
    choice: Option<String>,
    container: Container<'b>,
}

impl Target<'_> {
    /// Returns the numbers of the objects to replace, with the files that replace them. Prints
    /// warnings of files in folders whose names have the number of no object.
    fn replacements(
        &self,
        new: &[PathBuf],
        out: &mut Output,
    ) -> anyhow::Result<BTreeMap<usize, PathBuf>> {
        let objects = &self.container.objects;
        let Some(first) = objects.first() else { bail!("`{}` contains no vISA", self.name) };
        match (self.chosen()?, new, &self.choice) {
            (Some(number), [path], _) if !is_folder(path) => {
                return Ok([(number, path.clone())].into());
            }
            (_, _, Some(choice)) => {
                bail!("`{}!{}` is replaced by one file", self.name, printable(choice))
            }
            _ => {}
        }
        let example = format!("{}.{}", file_stem(&self.file, 1), first.kind.suffix());
        let mut replacements = BTreeMap::new();
        for path in new {
            if is_folder(path) {
                let mut files = Vec::new();
                add_folder(path, |_| true, &mut files)?;
                let mut has_known = false;
                for file in files {
                    match self.stated_number(&file) {
                        Some(number) if self.has(number) => {
                            has_known = true;
                            self.add(&mut replacements, number, file)?;
                        }
                        Some(_) => out.warn(format_args!(
                            "`{}` was ignored: `{}` has no such object",
                            shown(&file),
                            self.name
                        ))?,
                        None => {}
                    }
                }
                if !has_known {
                    bail!("`{}` contains no file with a name such as `{example}`", shown(path));
                }
            } else if let Some(number) = self.stated_number(path).filter(|number| self.has(*number))
            {
                self.add(&mut replacements, number, path.clone())?;
            } else {
                bail!(
                    "the name `{}` does not state which object it replaces: choose one with \
                     `{}!N`, or use a name such as `{example}`",
                    shown(path),
                    self.name,
                );
            }
        }
        Ok(replacements)
    }

    /// Returns what was replaced, as JSON.
    fn json(&self, changes: &BTreeMap<usize, Input>, packed: &[u8], args: &Pack) -> Value {
        let replaced = changes.iter().map(|(&number, new)| Replaced {
            number,
            name: definitions::File(&new.name),
            old_size: Size(self.container.objects[number - 1].bytes.len() as u64),
            size: Size(new.bytes.len() as u64),
        });
        json!(PackedFile {
            file: definitions::File(&shown(&args.output)),
            size: Size(packed.len() as u64),
            container: definitions::File(&self.name),
            objects: self.container.objects.len(),
            replaced: replaced.collect(),
        })
    }

    /// Returns the number in the name of a file that extract has written, or that was made from one
    /// and has the suffix of a text.
    fn stated_number(&self, path: &Path) -> Option<usize> {
        let suffix = path.extension()?.to_str()?;
        if ![Kind::Object, Kind::Text].iter().any(|kind| kind.suffix() == suffix) {
            return None;
        }
        let stem = path.file_stem()?.to_string_lossy();
        let number: usize = stem.rsplit_once('-')?.1.parse().ok()?;
        (stem == file_stem(&self.file, number)).then_some(number)
    }

    /// Returns whether the file has an object of this number.
    fn has(&self, number: usize) -> bool {
        (1..=self.container.objects.len()).contains(&number)
    }

    /// Adds the file that replaces an object. A file with the old object is no replacement if there
    /// is another, such as a changed text beside the `.isa` file that it was printed from.
    fn add(
        &self,
        replacements: &mut BTreeMap<usize, PathBuf>,
        number: usize,
        path: PathBuf,
    ) -> anyhow::Result<()> {
        let is_old = |path: &Path| -> anyhow::Result<bool> {
            Ok(read(path)? == *self.container.objects[number - 1].bytes)
        };
        match replacements.entry(number) {
            Entry::Vacant(entry) => {
                entry.insert(path);
            }
            Entry::Occupied(mut entry) => {
                if is_old(entry.get())? {
                    entry.insert(path);
                } else if !is_old(&path)? {
                    let other = shown(entry.get());
                    bail!("`{other}` and `{}` replace the same object", shown(&path));
                }
            }
        }
        Ok(())
    }

    /// Returns the number of the object that the user chooses, or of the only object.
    fn chosen(&self) -> anyhow::Result<Option<usize>> {
        let Some(choice) = &self.choice else {
            return Ok((self.container.objects.len() == 1).then_some(1));
        };
        match self.container.choose(choice)[..] {
            [number] => Ok(Some(number)),
            [] => bail!(no_object(&self.container, &self.name, choice)),
            _ => bail!(
                "`{}` contains several objects with a routine `{}`",
                self.name,
                printable(choice)
            ),
        }
    }

    /// Returns the bytes of the file with these objects.
    fn packed(&self, changes: &BTreeMap<usize, Input>, args: &Pack) -> anyhow::Result<Vec<u8>> {
        let mut edits = Edits::new(self.container.bytes);
        for (number, new) in changes {
            let place = &self.container.objects[number - 1].place;
            let replaced = edits.replace(place, &new.bytes);
            replaced.with_context(|| format!("{}: does not fit", new.name))?;
        }
        let packed = edits.apply()?;
        // Check the result: an edit must not change how other objects are found.
        let again = Container::read(&packed, args.dialect.of_files());
        let old = self.container.objects.iter().map(|found| &*found.bytes);
        let expected =
            (1..).zip(old).map(|(number, old)| changes.get(&number).map_or(old, |new| &*new.bytes));
        match again.objects.iter().map(|found| &*found.bytes).eq(expected) {
            true => Ok(packed),
            false => bail!("{}: the objects would not be found again", self.name),
        }
    }
}

/// Returns a new file as what it replaces: a text that replaces an object is assembled. Prints
/// errors and returns `None` if the file has any.
fn converted(
    found: &Found<'_>,
    new: Input,
    args: &Pack,
    out: &mut Output,
) -> anyhow::Result<Option<Input>> {
    let name = &new.name;
    if *new.bytes == *found.bytes {
        return Ok(Some(new));
    }
    match (found.kind, new.is_object()) {
        (Kind::Object, true) => {
            let (_, size) = Module::from_prefix(&new.bytes, args.dialect.of_files())
                .map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
            match new.bytes.len() - size {
                0 => Ok(Some(new)),
                more => bail!("{name}: the object ends {} before the file", count(more, "byte")),
            }
        }
        (Kind::Object, false) => {
            let source =
                Source { name: name.clone(), text: new.bytes.clone(), start: Start::default() };
            let dialect = args.dialect.of_files();
            let sources = core::slice::from_ref(&source);
            let assembled = assemble::assemble(sources, dialect, found.version, out)?;
            let Some(assembled) = assembled else { return Ok(None) };
            let bytes = assembled.module.to_bytes();
            let bytes = bytes.map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
            Ok(Some(Input { bytes: bytes.into(), ..new }))
        }
        (Kind::Text, true) => {
            bail!("`{name}` is a .isa file, but replaces a text; `genvisa dis` disassembles it")
        }
        (Kind::Text, false) => {
            let source =
                Source { name: name.clone(), text: new.bytes.clone(), start: Start::default() };
            Ok(assemble::parse(&source, args.dialect.of_texts(), out)?.map(|_| new))
        }
    }
}

/// Warns if the old object contains machine code, which drivers prefer to vISA.
fn warn_of_machine_code(
    found: &Found<'_>,
    new: &Input,
    args: &Pack,
    out: &mut Output,
) -> anyhow::Result<()> {
    let dialect = args.dialect.of_files();
    let modules =
        (Module::from_bytes(&found.bytes, dialect), Module::from_bytes(&new.bytes, dialect));
    let (Ok(old), Ok(new_module)) = modules else { return Ok(()) };
    let has_code =
        |module: &Module<'_>| module.kernels.iter().any(|kernel| !kernel.gen_binaries.is_empty());
    let name = &new.name;
    match (has_code(&old), has_code(&new_module)) {
        (true, false) => out.warn(format_args!(
            "{name}: the old object contains machine code (GEN binaries), the new one does not"
        ))?,
        (true, true) => {
            let mut named = BTreeMap::new();
            for old in &old.kernels {
                named.entry(&old.name).or_insert(old);
            }
            for new in &new_module.kernels {
                let old = named.get(&new.name);
                let is_stale = old.is_some_and(|old| {
                    old.gen_binaries == new.gen_binaries && old.body != new.body
                });
                if is_stale && !new.gen_binaries.is_empty() {
                    out.warn(format_args!(
                        "{name}: kernel `{}` has changed, but not its machine code (GEN binaries)",
                        printable(&new.name.to_string_lossy())
                    ))?;
                }
            }
        }
        (false, _) => {}
    }
    let names = |module: &Module<'_>| -> Vec<String> {
        module.routines().map(|routine| routine.name.to_string_lossy()).collect()
    };
    if names(&old) != names(&new_module) {
        out.warn(format_args!("{name}: the routine names differ from the replaced object"))?;
    }
    Ok(())
}
