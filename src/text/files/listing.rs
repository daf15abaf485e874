//! Printing of files: the annotations about the file, then the routines.

use alloc::collections::BTreeSet;
use alloc::string::String;
use core::fmt::{self, Write};

use crate::error::{PathSegment, Result};
use crate::object::{FileScopeVar, Linkage, Module, Section};
use crate::text::line::Line;
use crate::text::routines::{Listing, PrintError};
use crate::text::statements::annotations;
use crate::text::statements::header::target_after;
use crate::text::words::annotations::{item, line};
use crate::text::words::{Directive, Style};
use crate::wire::{Wire, Writer};

/// The text of a module: annotations about the file, then all routines.
///
/// From text in the complete style, [`parse`](fn@crate::text::parse) returns an equal module, except for
/// GEN binaries, which [`Module::with_gen_binaries_of`] copies from the original:
///
/// ```
/// use genvisa::text::{self, FileListing};
/// use genvisa::{Dialect, Module};
///
/// let file = std::fs::read("tests/data/tour.isa")?;
/// let module = Module::from_bytes(&file, Dialect::Igc2022)?;
/// let text = FileListing::new(&module).to_text()?;
/// let parsed = text::parse(&text, module.format)?;
/// assert_eq!(parsed.with_gen_binaries_of(&module).to_bytes()?, file);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FileListing<'m, 'a> {
    module: &'m Module<'a>,
    style: Style,
    offsets: bool,
    numbers: bool,
    text_version: Option<(u8, u8)>,
}

impl<'m, 'a> FileListing<'m, 'a> {
    /// Creates a listing of a module in the complete style.
    pub fn new(module: &'m Module<'a>) -> Self {
        FileListing {
            module,
            style: Style::default(),
            offsets: false,
            numbers: true,
            text_version: None,
        }
    }

    /// Sets the style.
    #[must_use]
    pub fn with_style(self, style: Style) -> Self {
        FileListing { style, ..self }
    }

    /// Prints the offset and the bytes of each instruction before it. The default is `false`.
    #[must_use]
    pub fn with_offsets(self, offsets: bool) -> Self {
        FileListing { offsets, ..self }
    }

    /// Prints instruction numbers; see [`Listing::with_numbers`].
    #[must_use]
    pub fn with_numbers(self, numbers: bool) -> Self {
        FileListing { numbers, ..self }
    }

    /// Sets the version that the text states; see [`Listing::with_text_version`].
    #[must_use]
    pub fn with_text_version(self, major: u8, minor: u8) -> Self {
        FileListing { text_version: Some((major, minor)), ..self }
    }

    /// Returns the listings of the routines, in the order of [`Module::routines`]. Each states the
    /// version.
    pub fn routines(self) -> impl Iterator<Item = Listing<'m, 'a>> {
        let mut target = None;
        let mut names = BTreeSet::new();
        self.module.routines().map(move |routine| {
            let has_repeated_name = !names.insert((routine.kind, routine.name));
            let listing = Listing::new(routine).with_target_before(target);
            let listing = listing.in_file(has_repeated_name);
            target = target_after(target, routine.body);
            let listing = listing.with_style(self.style).with_offsets(self.offsets);
            let listing = listing.with_numbers(self.numbers);
            match self.text_version {
                Some((major, minor)) => listing.with_text_version(major, minor),
                None => listing,
            }
        })
    }

    /// Writes the annotations about the file and the empty line after them. Most files have none.
    ///
    /// # Errors
    /// [`PrintError::Code`] if a file-scope variable cannot be encoded, [`PrintError::Write`] if
    /// `out` fails.
    pub fn write_head_to<W: Write>(&self, out: &mut W) -> Result<(), PrintError> {
        if self.style == Style::GenXIr {
            return Ok(());
        }
        let mut head = FileAnnotations { out, line: Line::default(), is_empty: true };
        head.functions(self.module)?;
        head.variables(self.module)?;
        head.sections(self.module)?;
        if self.module.routines().next().is_none() {
            let version = self.module.format.version;
            let (major, minor) = self.text_version.unwrap_or((version.major(), version.minor()));
            head.line.push(line::NO_ROUTINES);
            head.end_line()?;
            return Ok(writeln!(out, "{} {major}.{minor}", Directive::Version.text())?);
        }
        if !head.is_empty {
            out.write_str("\n")?;
        }
        Ok(())
    }

    /// Returns the text.
    ///
    /// # Errors
    /// [`PrintError::Code`] if an instruction cannot be decoded, or a file-scope variable cannot be
    /// encoded. Use [`write_to`](Self::write_to) for the text before the error.
    pub fn to_text(&self) -> Result<String, PrintError> {
        let mut text = String::new();
        self.write_to(&mut text)?;
        Ok(text)
    }

    /// Writes the text, with an empty line between routines.
    ///
    /// # Errors
    /// [`PrintError::Code`] if an instruction cannot be decoded, or a file-scope variable cannot be
    /// encoded: the text before the error has been written. [`PrintError::Write`] if `out` fails.
    pub fn write_to<W: Write>(&self, out: &mut W) -> Result<(), PrintError> {
        self.write_head_to(out)?;
        for (index, routine) in self.routines().enumerate() {
            if index > 0 {
                out.write_str("\n")?;
            }
            // GenX_IR prints each routine to a file of its own.
            let states_version = index == 0 || self.style == Style::GenXIr;
            routine.with_version(states_version).write_to(out)?;
        }
        Ok(())
    }
}

/// Returns whether the routines imply the list of functions: first the functions that the text
/// defines, then those that it only declares, each once.
fn are_functions_implied(module: &Module<'_>) -> bool {
    let functions = &module.functions;
    let defined = functions.iter().take_while(|function| function.definition.is_some()).count();
    let mut names: BTreeSet<_> = functions[..defined].iter().map(|f| f.name.as_bytes()).collect();
    let mut declared = functions[defined..].iter();
    // Only kernels have `.funcdecl`.
    (defined == functions.len() || !module.kernels.is_empty())
        && declared.all(|f| f.definition.is_none() && names.insert(f.name.as_bytes()))
}

/// A printer of the annotations before the first routine.
struct FileAnnotations<'o, W> {
    out: &'o mut W,
    /// The current line without its `//@ `.
    line: Line,
    is_empty: bool,
}

impl<W: Write> FileAnnotations<'_, W> {
    fn end_line(&mut self) -> fmt::Result {
        self.is_empty = false;
        writeln!(self.out, "//@ {}", self.line.as_str())?;
        self.line.clear();
        Ok(())
    }

    fn number(&mut self, number: usize) {
        self.line.ch(' ');
        self.line.dec(number as u64);
    }

    /// Prints the functions that are defined in other files, unless `.funcdecl` implies them.
    fn functions(&mut self, module: &Module<'_>) -> fmt::Result {
        let implied = are_functions_implied(module);
        for (index, function) in module.functions.iter().enumerate() {
            let relocs = [&function.variable_relocs[..], &function.function_relocs];
            let is_default =
                function.linkage == Linkage::EXTERN && relocs.iter().all(|r| r.is_empty());
            if function.definition.is_some() || implied && is_default {
                continue;
            }
            self.line.push(line::EXTERN);
            self.line.ch(' ');
            self.line.quoted(function.name.as_bytes());
            if !implied {
                self.item(item::AT, index);
            }
            if function.linkage != Linkage::EXTERN {
                self.item(item::LINKAGE, function.linkage.bits().into());
            }
            self.end_line()?;
            let mut lines = Line::default();
            annotations::relocs(&mut lines, module, relocs, self.out)?;
            lines.flush(self.out)?;
        }
        Ok(())
    }

    fn item(&mut self, key: &str, number: usize) {
        self.line.ch(' ');
        self.line.push(key);
        self.line.ch('=');
        self.line.dec(number as u64);
    }

    fn variables(&mut self, module: &Module<'_>) -> Result<(), PrintError> {
        let mut w = Writer::new(module.format);
        for (index, variable) in module.file_scope_vars.iter().enumerate() {
            w.clear();
            let segment = PathSegment::Entry { table: FileScopeVar::TABLE, index };
            variable.encode(&mut w).map_err(|error| error.within(segment))?;
            self.line.push(line::FILE_VARIABLE);
            self.line.push(" =");
            self.line.hex_bytes(w.bytes());
            self.end_line()?;
        }
        Ok(())
    }

    fn sections(&mut self, module: &Module<'_>) -> fmt::Result {
        const WIDTH: usize = 90;
        for section in module.unusual_sections() {
            if self.line.len() == 0 {
                self.line.push(line::SECTIONS);
            }
            match &section {
                Section::Kernel(index) => {
                    self.line.push(" kernel");
                    self.number(*index);
                }
                Section::Function(index) => {
                    self.line.push(" function");
                    self.number(*index);
                }
                Section::GenBinary { kernel, index } => {
                    self.line.push(" binary");
                    self.number(*kernel);
                    self.number(*index);
                }
                Section::Gap(bytes) => {
                    self.line.push(" padding =");
                    self.line.hex_bytes(bytes);
                }
            }
            if self.line.len() > WIDTH || matches!(section, Section::Gap(_)) {
                self.end_line()?;
            }
        }
        if self.line.len() > 0 { self.end_line() } else { Ok(()) }
    }
}
