//! Modules with the bytes that they borrow.

use std::sync::OnceLock;

use genvisa::Platform;
use genvisa::object::{Body, Routine};
use genvisa::text::{Diagnostics, Document, Errors, FileListing, Listing, ParseOptions, SourceMap};
use genvisa::{Dialect, Error, Module};
use pyo3::pybacked::PyBackedBytes;
use self_cell::self_cell;

/// What a module was read from.
pub enum Source {
    /// A `.isa` file.
    File(PyBackedBytes),
    /// A text.
    Text(Text),
    /// Another module, which was edited; with the platform that its text states.
    Edited(Option<Platform>),
}

/// A text, and what is known about it besides its module.
pub struct Text {
    pub bytes: Vec<u8>,
    pub source_map: SourceMap,
    pub warnings: Diagnostics,
    /// The platform that the text states.
    pub platform: Option<Platform>,
}

impl Source {
    fn bytes(&self) -> &[u8] {
        match self {
            Source::File(bytes) => bytes,
            Source::Text(text) => &text.bytes,
            Source::Edited(_) => &[],
        }
    }
}

self_cell!(
    struct ModuleCell {
        owner: Source,
        #[covariant]
        dependent: Module,
    }
);

/// The routines of a module, and their listings, in the order of [`Module::routines`].
struct Routines<'a> {
    routines: Vec<Routine<'a, 'a>>,
    listings: Vec<Listing<'a, 'a>>,
}

impl<'a> Routines<'a> {
    fn new(module: &'a Module<'a>) -> Routines<'a> {
        Routines {
            routines: module.routines().collect(),
            listings: FileListing::new(module).routines().collect(),
        }
    }
}

self_cell!(
    struct RoutineCell {
        owner: ModuleCell,
        #[covariant]
        dependent: Routines,
    }
);

/// A module, its source and its routines. All Python objects of a module share it.
pub struct Decoded {
    cell: RoutineCell,
    caches: Vec<Cache>,
}

/// Facts about a routine that are computed when they are first used.
#[derive(Default)]
struct Cache {
    starts: OnceLock<Result<Vec<usize>, Error>>,
    lines: OnceLock<Lines>,
}

impl Decoded {
    /// Reads a file.
    pub fn read(file: PyBackedBytes, dialect: Dialect) -> Result<Decoded, Error> {
        let source = Source::File(file);
        let module =
            ModuleCell::try_new(source, |source| Module::from_bytes(source.bytes(), dialect))?;
        Ok(Decoded::new(module))
    }

    /// Parses a text.
    pub fn parse(bytes: Vec<u8>, options: ParseOptions) -> Result<Decoded, Errors> {
        let document = Document::parse(&bytes, options).into_result()?;
        let newer = document.newer_version_warning();
        let Document { module, source_map, warnings, platform, .. } = document;
        let warnings = warnings.into_iter().chain(newer).collect();
        let source = Source::Text(Text { bytes, source_map, warnings, platform });
        Ok(Decoded::new(ModuleCell::new(source, |_| module)))
    }

    /// Returns a module that borrows nothing.
    pub fn edited(module: Module<'static>, platform: Option<Platform>) -> Decoded {
        Decoded::new(ModuleCell::new(Source::Edited(platform), |_| module))
    }

    fn new(module: ModuleCell) -> Decoded {
        let cell = RoutineCell::new(module, |module| Routines::new(module.borrow_dependent()));
        let caches = cell.borrow_dependent().routines.iter().map(|_| Cache::default()).collect();
        Decoded { cell, caches }
    }

    pub fn source(&self) -> &Source {
        self.cell.borrow_owner().borrow_owner()
    }

    pub fn module(&self) -> &Module<'_> {
        self.cell.borrow_owner().borrow_dependent()
    }

    /// Returns the routines, in the order of [`Module::routines`].
    pub fn routines(&self) -> &[Routine<'_, '_>] {
        &self.cell.borrow_dependent().routines
    }

    /// Returns the listing of a routine.
    pub fn listing(&self, routine: usize) -> Listing<'_, '_> {
        self.cell.borrow_dependent().listings[routine]
    }

    /// Returns the offset of each instruction of a routine, or the error of the first that cannot be
    /// decoded.
    pub fn starts(&self, routine: usize) -> Result<&[usize], &Error> {
        let starts = self.caches[routine].starts.get_or_init(|| {
            let instructions = self.routines()[routine].instructions();
            instructions.map(|item| item.map(|(offset, _)| offset)).collect()
        });
        starts.as_deref()
    }

    /// Returns the lines of the instructions of a routine.
    pub fn lines(&self, routine: usize) -> &Lines {
        self.caches[routine].lines.get_or_init(|| Lines::new(self.listing(routine)))
    }
}

/// The text of the instructions of a routine, with the names that the routine declares.
pub struct Lines {
    text: String,
    /// Where the line of each instruction starts.
    starts: Vec<usize>,
}

impl Lines {
    /// Marks the lines of instructions. The printer escapes control characters.
    const MARK: char = '\u{1}';

    fn new(listing: Listing<'_, '_>) -> Lines {
        let mut text = String::new();
        let listing = listing.with_numbers(false);
        // An instruction that cannot be decoded ends the text. It has no Python object.
        let _ = listing.write_with_margin_to(&mut text, |_, margin| margin.push(Self::MARK));
        let marks = text.match_indices(Self::MARK);
        let starts = marks.map(|(at, mark)| at + mark.len()).collect();
        Lines { text, starts }
    }

    /// Returns the line of an instruction.
    pub fn get(&self, index: usize) -> &str {
        let rest = self.starts.get(index).and_then(|start| self.text.get(*start..));
        // The mark of a label is in the line before it.
        let rest = rest.unwrap_or_default().trim_start();
        rest.lines().next().unwrap_or_default().trim_end()
    }
}

/// Returns a string of the pool of a routine; empty if there is none with this id.
pub fn string(body: &Body<'_>, id: u32) -> String {
    body.strings.get(id as usize).map(|name| name.to_string_lossy()).unwrap_or_default()
}
