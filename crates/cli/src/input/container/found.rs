//! What a file contains: objects, texts and machine code.

use std::path::Path;

use genvisa::text::{self, ParseOptions, nearest};
use genvisa::{Dialect, Format, Version};

use super::limited::Limited;
use super::place::Place;
use crate::bytes::Bytes;
use crate::input::magic::is_visa_text;
use crate::output::snippet::Start;
use crate::words::{count, is_standard, printable};

/// The vISA objects and texts in a file.
#[derive(Default)]
pub struct Container {
    pub bytes: Bytes,
    /// The objects and texts, in the order of their places. The first is number 1.
    pub objects: Vec<Found>,
    /// Places with the magic and a plausible version of an object that cannot be read.
    pub broken: Limited<Broken>,
    /// The number of places with the magic of objects, but no plausible version after it.
    pub chance: usize,
    /// Device binaries without vISA.
    pub machine_code: MachineCode,
    /// Headers of ELF files and archives that cannot be read. Objects are found without them.
    pub damage: Limited<String>,
}

/// A vISA object or text in a container.
pub struct Found {
    pub kind: Kind,
    pub place: Place,
    pub bytes: Bytes,
    /// Where a text among others begins. In binary files, the text has its own lines.
    pub start: Start,
    /// The version; `None` for a text that cannot be parsed.
    pub version: Option<Version>,
    /// The names of the kernels and of the functions that are defined.
    pub routines: Vec<String>,
    /// Why a text cannot be parsed.
    pub error: Option<String>,
    /// The archive members and embedded ELF files that contain it, the outermost first.
    pub path: Vec<String>,
    /// The ELF section that contains it.
    pub section: Option<String>,
    /// The symbol or C array that contains it.
    pub symbol: Option<String>,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A `.isa` file.
    Object,
    /// A text.
    Text,
}

impl Kind {
    /// Returns the suffix of files of this kind.
    pub fn suffix(self) -> &'static str {
        match self {
            Kind::Object => "isa",
            Kind::Text => "visaasm",
        }
    }
}

impl Found {
    /// Returns the text at a place of a file, which is parsed.
    pub fn text(file: &Bytes, place: Place, start: Start, dialect: Dialect) -> Found {
        let bytes = file.slice(place.range());
        let mut options = ParseOptions::new();
        if text::format_of(&bytes) != Format::V4_2 {
            options = options.with_dialect(dialect);
        }
        let (version, routines, error) = match text::parse(&bytes, options) {
            Ok(module) => {
                let names = module.routines().map(|routine| routine.name.to_string_lossy());
                (Some(module.format.version), names.collect(), None)
            }
            Err(errors) => {
                let error = errors.first().map(|first| {
                    let line =
                        1 + start.lines + lines(bytes.get(..first.span.start).unwrap_or(&bytes));
                    format!("line {line}: {first}")
                });
                (None, Vec::new(), error)
            }
        };
        Found {
            kind: Kind::Text,
            place,
            bytes,
            start,
            version,
            routines,
            error,
            path: Vec::new(),
            section: None,
            symbol: None,
        }
    }
}

fn lines(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

/// A place that begins like an object, but contains none that can be read.
pub struct Broken {
    pub offset: usize,
    pub error: String,
}

/// Device binaries that contain machine code and no vISA.
#[derive(Clone, Copy, Debug, Default)]
pub struct MachineCode {
    /// The number of device binaries.
    pub binaries: usize,
    /// The number of them in the older format with patch tokens. The others are ELF files (zebin).
    pub patch_tokens: usize,
    /// The number of kernels in them.
    pub kernels: usize,
}

impl Container {
    /// Returns the numbers of the objects and texts that a user chooses by a number or by the name of
    /// a routine.
    pub fn choose(&self, choice: &str) -> Vec<usize> {
        match choice.parse() {
            Ok(number) if (1..=self.objects.len()).contains(&number) => vec![number],
            Ok(_) => Vec::new(),
            Err(_) => self.with_routine(choice),
        }
    }

    /// Returns the numbers of the objects and texts that contain a routine, from 1.
    pub fn with_routine(&self, name: &str) -> Vec<usize> {
        let has_it = |found: &Found| found.routines.iter().any(|routine| routine == name);
        let numbered = (1..).zip(&self.objects);
        numbered.filter(|(_, found)| has_it(found)).map(|(number, _)| number).collect()
    }

    /// Returns the error message for a number or a routine that the file does not contain.
    pub fn no_object(&self, file: &str, choice: &str) -> String {
        if is_visa_text(&self.bytes) && self.objects.is_empty() {
            return format!("`{file}` is one text; `!` chooses an object in a file with others");
        }
        let routines = self.objects.iter().flat_map(|found| &found.routines).map(String::as_str);
        let has = match (self.objects.len(), nearest(choice, routines)) {
            (0, _) => self.reason_for_none().unwrap_or_else(|| "it contains no vISA".into()),
            (_, Some(routine)) if choice.parse::<u64>().is_err() => {
                format!("did you mean `{}`?", printable(routine))
            }
            (objects, _) => {
                let objects = count(objects, "object");
                format!("it contains {objects}, which `genvisa extract --list` lists")
            }
        };
        format!("`{file}` contains no object or routine `{}`; {has}", printable(choice))
    }

    /// Returns why the file contains no objects, if this is known.
    pub fn reason_for_none(&self) -> Option<String> {
        let MachineCode { binaries, kernels, .. } = self.machine_code;
        let broken = self.broken.first().first();
        match broken {
            Some(Broken { offset, error }) => Some(format!("the object at {offset:#x}: {error}")),
            None if binaries > 0 => {
                Some(format!("only machine code ({})", count(kernels, "kernel")))
            }
            None => None,
        }
    }
}

/// Returns the name of the file for an object, without the suffix, from the path of its container.
pub fn file_stem(container: &Path, number: usize) -> String {
    let name = match container.file_name() {
        Some(name) if !is_standard(container) => name.to_string_lossy().into_owned(),
        _ => "stdin".into(),
    };
    format!("{name}-{number}")
}
