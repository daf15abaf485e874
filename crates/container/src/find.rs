//! What a file contains: objects, texts and machine code.

mod embedded;
mod limited;
mod scan;
mod sources;
mod tree;
mod unpacked;

use std::borrow::Cow;

use genvisa::text::{self, ParseOptions};
use genvisa::{Dialect, Error, Format, Version};

use crate::kind::is_text;
use crate::place::{Place, Start};
pub use limited::Limited;

/// The vISA objects and texts in a file: a library, a program, an archive, a device binary, a C source or the output
/// of a compiler.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Container<'b> {
    /// The bytes of the file.
    pub bytes: &'b [u8],
    /// The objects and texts, in the order of their places. The first is number 1.
    pub objects: Vec<Found<'b>>,
    /// Places with the magic and a plausible version of an object that cannot be read.
    pub broken: Limited<Broken>,
    /// The number of places with the magic of objects, but no plausible version after it.
    pub chance: usize,
    /// Device binaries without vISA.
    pub machine_code: MachineCode,
    /// Headers of ELF files and archives that cannot be read. Objects are found without them.
    pub damage: Limited<String>,
}

/// A vISA object or text in a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found<'b> {
    /// Whether it is an object or a text.
    pub kind: Kind,
    /// The place in the file.
    pub place: Place,
    /// The `.isa` file or text: bytes of the file, or the value of an array.
    pub bytes: Cow<'b, [u8]>,
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

impl<'b> Found<'b> {
    /// Returns the text at a place of a file, which is parsed.
    fn text(file: &'b [u8], place: Place, start: Start, dialect: Dialect) -> Found<'b> {
        let bytes = &file[place.range()];
        let mut options = ParseOptions::new();
        if text::format_of(bytes) != Format::V4_2 {
            options = options.with_dialect(dialect);
        }
        let (version, routines, error) = match text::parse(bytes, options) {
            Ok(module) => {
                let names = module.routines().map(|routine| routine.name.to_string_lossy());
                (Some(module.format.version), names.collect(), None)
            }
            Err(errors) => {
                let error = errors.first().map(|first| {
                    let line =
                        1 + start.lines + lines(bytes.get(..first.span.start).unwrap_or(bytes));
                    format!("line {line}: {first}")
                });
                (None, Vec::new(), error)
            }
        };
        Found {
            kind: Kind::Text,
            place,
            bytes: Cow::Borrowed(bytes),
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
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Broken {
    /// The offset in the file. In an array, the offset of the array.
    pub offset: usize,
    /// Why it cannot be read. The text of the error may contain a long name.
    pub error: Error,
}

/// A device binary (zebin) in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EmbeddedBinary<'b> {
    /// The ELF file: bytes of the file, or of an unpacked part.
    pub bytes: Cow<'b, [u8]>,
    /// The offset in the file, or in the unpacked part.
    pub offset: usize,
    /// The archive members, compressed parts and embedded ELF files that contain it, the outermost first, and its
    /// own name if it has one.
    pub path: Vec<String>,
}

/// The device binaries in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EmbeddedBinaries<'b> {
    /// In the order of their places; those in compressed parts after the others.
    pub binaries: Vec<EmbeddedBinary<'b>>,
    /// What cannot be read: headers of device binaries and archives, and compressed parts.
    pub damage: Limited<String>,
}

impl<'b> EmbeddedBinaries<'b> {
    /// Finds the device binaries in a file: the file itself, or in archives, programs, libraries and other files,
    /// and with feature `compressed` in what clang has compressed and in ZIP files.
    pub fn read(file: &'b [u8]) -> EmbeddedBinaries<'b> {
        let mut all = EmbeddedBinaries::default();
        embedded::add_device_binaries(file, &mut all);
        unpacked::add_device_binaries(file, &mut all);
        all
    }
}

/// Device binaries that contain machine code and no vISA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MachineCode {
    /// The number of device binaries.
    pub binaries: usize,
    /// The number of them in the older format with patch tokens. The others are ELF files (zebin).
    pub patch_tokens: usize,
    /// The number of kernels in them.
    pub kernels: usize,
}

impl<'b> Container<'b> {
    /// Finds the objects and texts in a file. `dialect` is the dialect of the objects, and of texts of versions that
    /// have objects.
    ///
    /// Objects are found by their magic, wherever they are, and proved by decoding them. In a text, they are in C
    /// arrays. Texts are in the sections of device binaries, or one after the other in the output of a
    /// compiler; a file that is one text is no container.
    pub fn read(bytes: &'b [u8], dialect: Dialect) -> Container<'b> {
        let mut container = Container { bytes, ..Container::default() };
        if is_text(bytes) {
            let texts =
                text::split_dump(bytes).into_iter().filter(|text| *text != (0..bytes.len()));
            let (mut start, mut at) = (Start::default(), 0);
            let texts = texts.map(|text| {
                start.advance(&bytes[at..text.start]);
                at = text.start;
                Found::text(bytes, Place::Lines(text), start, dialect)
            });
            container.objects.extend(texts);
            sources::add(&mut container, dialect);
        } else {
            scan::add(&mut container, dialect);
            embedded::add(&mut container, dialect);
        }
        container.objects.sort_by_key(|found| found.place.order());
        container
    }

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
        let has_it = |found: &Found<'_>| found.routines.iter().any(|routine| routine == name);
        let numbered = (1..).zip(&self.objects);
        numbered.filter(|(_, found)| has_it(found)).map(|(number, _)| number).collect()
    }
}
