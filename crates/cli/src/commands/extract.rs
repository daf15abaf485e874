//! `genvisa extract`: finds the vISA in other files.

pub mod json;
mod list;

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use genvisa_container::{Broken, Container, FileKind, Found};

use super::{CommandLine, Run};
use crate::input::choice::split_choice;
use crate::input::container::{file_stem, no_object, problem, warn_of_damage};
use crate::input::kind::WrongKind;
use crate::input::read_kind;
use crate::input::same_file::output_is_input;
use crate::input::same_file::same_as;
use crate::input::walk::{self, File, Wanted};
use crate::options::DialectArg;
use crate::output::{Batch, Output, UsageError};
use crate::words::{count, shown};

/// Find .isa objects and .visaasm texts in libraries, programs, archives and dumps
///
/// An object is found by its magic, wherever it is in a file, and proved by decoding it up to its
/// end. Texts are the .visaasm sections of device binaries (zebin), which may be embedded in other
/// files, or texts that a compiler prints one after the other. In C sources, arrays of integers are
/// searched. In folders, all files are.
///
/// Writes each object and text to <FILE>-<N>.isa or <FILE>-<N>.visaasm, where <N> is its number in
/// the file. With --list, only lists them: number, offset, size, version, the start of the SHA-256,
/// and the section, symbol and routines. Other commands read such a part of a file by its number
/// or by a routine: `genvisa dis lib.so!3` or `genvisa dis lib.so --routine NAME`.
///
/// Objects that cannot be read are reported. Device binaries that contain only machine code are
/// counted.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  genvisa extract --list tests/data/kernels.c
  genvisa extract tests/data/kernels.c -o kernels
  genvisa extract --list /usr/lib/x86_64-linux-gnu/libmfxhw64.so.1
  genvisa extract libmfxhw64.so.1 -o kernels
  genvisa extract --list --json kernel.bin | jq '.[].objects[].routines'")]
pub struct Extract {
    /// Files of any kind, folders, or - for standard input. FILE!N and FILE!NAME choose an object
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Write the objects and texts to files in this folder
    #[arg(long, short = 'o', value_name = "DIR", default_value = ".")]
    pub out_dir: PathBuf,
    /// Only list the objects and texts
    #[arg(long, short, conflicts_with = "out_dir")]
    pub list: bool,
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
    /// Overwrite existing files that have different contents
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub dialect: DialectArg,
}

/// All files in folders, except links.
const ALL: Wanted = Wanted { is_wanted: |path| !path.is_symlink(), what: None };

/// A file and what it contains.
struct Searched<'b> {
    path: PathBuf,
    container: Container<'b>,
    /// The numbers of the objects that the user chooses.
    chosen: BTreeSet<usize>,
    /// Whether the user chooses objects. If so, problems of others are not reported.
    has_choice: bool,
    /// The SHA-256 of each object, in hex.
    hashes: Vec<String>,
    /// For each object, the number of the first object with the same bytes, if it is another.
    same_as: Vec<Option<usize>>,
}

impl<'b> Searched<'b> {
    fn new(path: PathBuf, container: Container<'b>, choices: &Choices) -> Searched<'b> {
        let chosen = match choices {
            None => (1..=container.objects.len()).collect(),
            Some(choices) => choices.iter().flat_map(|choice| container.choose(choice)).collect(),
        };

        let hashes: Vec<String> =
            container.objects.iter().map(|found| sha256(&found.bytes)).collect();
        let mut first = HashMap::new();
        let same_as = (1..).zip(&hashes).map(|(number, hash)| {
            let first = *first.entry(hash.clone()).or_insert(number);
            (first < number).then_some(first)
        });
        let same_as = same_as.collect();
        let has_choice = choices.is_some();
        Searched { path, container, chosen, has_choice, hashes, same_as }
    }

    /// Returns the chosen objects with their numbers.
    fn objects(&self) -> impl Iterator<Item = (usize, &Found<'b>)> {
        self.chosen.iter().map(|number| (*number, &self.container.objects[number - 1]))
    }
}

/// The choices of objects in a file by their numbers or routines; `None` for all objects.
type Choices = Option<Vec<String>>;

/// Returns the files of the command line, each once if objects in it are chosen.
fn choices(files: Vec<File>) -> Vec<(File, Choices)> {
    let mut choices: Vec<(File, Choices)> = Vec::new();
    for file in files {
        if file.is_in_folder {
            choices.push((file, None));
            continue;
        }
        let (path, choice) = split_choice(&file.path);
        match (choices.iter_mut().find(|(other, _)| other.path == path), choice) {
            (Some((_, Some(chosen))), Some(choice)) => chosen.push(choice),
            // All objects are chosen.
            (Some((_, all @ Some(_))), None) => *all = None,
            (Some((_, None)), Some(_)) => {}
            (_, choice) => {
                let file = File { path, is_in_folder: false };
                choices.push((file, choice.map(|choice| vec![choice])));
            }
        }
    }
    choices
}

/// The sums over all files.
#[derive(Default)]
struct Totals {
    files: usize,
    objects: usize,
    broken: usize,
    chance: usize,
    binaries: usize,
    kernels: usize,
}

impl Run for Extract {
    fn run(&self, out: &mut Output, _: CommandLine) -> anyhow::Result<()> {
        run(self, out)
    }

    fn exit_codes() -> &'static [(u8, &'static str)] {
        &[(1, "Nothing was found")]
    }

    fn inputs(&self) -> Vec<&Path> {
        self.files.iter().map(PathBuf::as_path).collect()
    }

    fn prints_report(&self) -> bool {
        !self.list
    }
}

fn run(args: &Extract, out: &mut Output) -> anyhow::Result<()> {
    let mut totals = Totals::default();
    let (mut values, mut is_printed) = (Vec::new(), false);
    // The files that are written, by their paths, with the containers that they are from.
    let mut written: HashMap<PathBuf, PathBuf> = HashMap::new();
    let choices = choices(walk::expand(&args.files, &ALL, out)?.files);
    let files: Vec<PathBuf> = choices.iter().map(|(file, _)| file.path.clone()).collect();
    out.start_progress(files.len());
    for (File { path, is_in_folder }, choices) in &choices {
        out.next_file(path);
        let bytes = match read_kind(path, FileKind::may_contain_visa, "a file with vISA") {
            Ok(bytes) => bytes,
            // Folders contain files of all kinds.
            Err(error) if *is_in_folder && error.is::<WrongKind>() => Vec::new(),
            Err(error) => {
                out.report_error(format_args!("{error:#}"))?;
                continue;
            }
        };
        let container = Container::read(&bytes, args.dialect.of_files());
        let is_wrong = |choice: &&String| container.choose(choice).is_empty();
        let wrong: Vec<&String> = choices.iter().flatten().filter(is_wrong).collect();
        for choice in &wrong {
            out.report_error(no_object(&container, &shown(path), choice))?;
        }
        if !wrong.is_empty() {
            continue;
        }
        let searched = Searched::new(path.clone(), container, choices);
        totals.add(&searched);
        if !args.list {
            match write(&searched, args, &files, &mut written) {
                Err(error) if !error.is::<UsageError>() => {
                    out.report_error(format_args!("{error:#}"))?;
                }
                result => result?,
            }
        }
        match args.json {
            true => values.push(json::file(&searched)),
            false => is_printed |= list::print(&searched, out)?,
        }
        let name = shown(&searched.path);
        let Container { broken, damage, .. } = &searched.container;
        if searched.has_choice {
            continue;
        }
        for first @ Broken { offset, .. } in broken.first() {
            let error = problem(first);
            out.report_error(format_args!("{name}: the object at {offset:#x}: {error}"))?;
        }
        if broken.others() > 0 {
            let others = count(broken.others(), "other object");
            out.report_error(format_args!("{name}: {others} cannot be read"))?;
        }
        warn_of_damage(&name, damage, out)?;
    }
    if totals.objects == 0 {
        out.set_failed();
    }
    match args.json {
        true => out.write_json(&values),
        // The head of the table has the sums of one file.
        false if totals.files == 1 && is_printed => Ok(()),
        false => Ok(list::totals(&totals, out)?),
    }
}

impl Totals {
    fn add(&mut self, searched: &Searched<'_>) {
        let container = &searched.container;
        self.files += 1;
        self.objects += searched.chosen.len();
        if searched.has_choice {
            return;
        }
        self.broken += container.broken.len();
        self.chance += container.chance;
        self.binaries += container.machine_code.binaries;
        self.kernels += container.machine_code.kernels;
    }
}

/// Returns the name of the file for an object.
fn file_name(container: &Path, number: usize, found: &Found<'_>) -> String {
    format!("{}.{}", file_stem(container, number), found.kind.suffix())
}

/// Writes the objects of a file. `inputs` are all files that are searched.
fn write(
    searched: &Searched<'_>,
    args: &Extract,
    inputs: &[PathBuf],
    written: &mut HashMap<PathBuf, PathBuf>,
) -> anyhow::Result<()> {
    let folder = &args.out_dir;
    if searched.container.objects.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create folder `{}`", shown(folder)))?;
    let mut batch = Batch::default();
    for (number, found) in searched.objects() {
        let path = folder.join(file_name(&searched.path, number, found));
        if let Some(other) = written.insert(path.clone(), searched.path.clone()) {
            bail!(
                "`{}` and `{}` have the same name; extract them to different folders",
                shown(&other),
                shown(&searched.path)
            );
        }
        if batch.add(&path, &found.bytes[..])?.would_change_a_file()? {
            let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
            if let Some(same) = same_as(&path, &inputs) {
                return Err(UsageError(output_is_input(&path, same)).into());
            }
        }
    }
    batch.commit(args.force)
}

/// Returns the SHA-256 of bytes in hex.
fn sha256(bytes: &[u8]) -> String {
    hmac_sha256::Hash::hash(bytes).iter().fold(String::new(), |mut text, byte| {
        // Writing to a string never fails.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
