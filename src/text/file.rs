//! A file's text as a whole: the `//@` lines that speak of the file, then its routines.

use alloc::collections::BTreeSet;
use core::fmt::{self, Write};

use super::annotations::{self, item, line};
use super::directives::Directive;
use super::header::target_after;
use super::line::Line;
use super::{Listing, PrintError, Style};
use crate::error::Result;
use crate::object::{Linkage, Module, Section};
use crate::wire::{Wire, Writer};

/// The text of all routines of a module, and of what the file says of itself.
///
/// In the faithful style everything comes back from it but GEN binaries, which
/// [`Module::with_gen_binaries_of`] takes from where they are:
///
/// ```
/// use genvisa::text::{self, FileListing};
/// use genvisa::{Dialect, Module};
///
/// let file = std::fs::read("tests/data/tour.isa").expect("it is there");
/// let module = Module::from_bytes(&file, Dialect::Igc2022)?;
/// let mut text = String::new();
/// FileListing::new(&module).write_to(&mut text).expect("good code");
/// let again = text::parse(&text, module.format).expect("it was printed");
/// assert_eq!(again.with_gen_binaries_of(&module).to_bytes()?, file);
/// # Ok::<(), genvisa::Error>(())
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
    /// The faithful listing of a module.
    pub fn new(module: &'m Module<'a>) -> Self {
        FileListing {
            module,
            style: Style::default(),
            offsets: false,
            numbers: true,
            text_version: None,
        }
    }

    /// The same in another style.
    #[must_use]
    pub fn with_style(self, style: Style) -> Self {
        FileListing { style, ..self }
    }

    /// The same with the offset and the bytes of each instruction before it.
    #[must_use]
    pub fn with_offsets(self, offsets: bool) -> Self {
        FileListing { offsets, ..self }
    }

    /// The same with or without instruction numbers; see [`Listing::with_numbers`].
    #[must_use]
    pub fn with_numbers(self, numbers: bool) -> Self {
        FileListing { numbers, ..self }
    }

    /// The same with another version than that of the module; see [`Listing::with_text_version`].
    #[must_use]
    pub fn with_text_version(self, major: u8, minor: u8) -> Self {
        FileListing { text_version: Some((major, minor)), ..self }
    }

    /// The listings of the routines, one for each of [`Module::routines`].
    pub fn routines(self) -> impl Iterator<Item = Listing<'m, 'a>> {
        let mut target = None;
        let mut names = BTreeSet::new();
        self.module.routines().map(move |routine| {
            let is_again = !names.insert((routine.kind, routine.name));
            let listing = Listing::new(routine).with_target_before(target);
            let listing = listing.with_name_again(is_again);
            target = target_after(target, routine.body);
            let listing = listing.with_style(self.style).with_offsets(self.offsets);
            let listing = listing.with_numbers(self.numbers);
            match self.text_version {
                Some((major, minor)) => listing.with_text_version(major, minor),
                None => listing,
            }
        })
    }

    /// Writes what belongs to no routine, and the empty line behind it; for most files, nothing.
    ///
    /// # Errors
    /// [`PrintError::Code`] if a variable of the file cannot be encoded, [`PrintError::Write`] if `out`
    /// fails.
    pub fn write_head_to<W: Write>(&self, out: &mut W) -> Result<(), PrintError> {
        if self.style == Style::Reference {
            return Ok(());
        }
        let mut head = Head { out, line: Line::default(), is_empty: true };
        head.functions(self.module)?;
        head.variables(self.module)?;
        head.sections(self.module)?;
        if self.module.routines().next().is_none() {
            let version = self.module.format.version;
            let (major, minor) = self.text_version.unwrap_or((version.major(), version.minor()));
            head.line.push(line::NO_ROUTINES);
            head.end()?;
            return Ok(writeln!(out, "{} {major}.{minor}", Directive::Version.text())?);
        }
        if !head.is_empty {
            out.write_str("\n")?;
        }
        Ok(())
    }

    /// Writes it all, with an empty line between routines.
    ///
    /// # Errors
    /// [`PrintError::Code`] of the first routine that cannot be decoded to its end.
    /// [`PrintError::Write`] if `out` fails.
    pub fn write_to<W: Write>(&self, out: &mut W) -> Result<(), PrintError> {
        self.write_head_to(out)?;
        for (index, routine) in self.routines().enumerate() {
            if index > 0 {
                out.write_str("\n")?;
            }
            routine.write_to(out)?;
        }
        Ok(())
    }
}

/// Whether the functions are those that the text defines, then those that it only declares, each
/// once.
fn are_functions_implied(module: &Module<'_>) -> bool {
    let functions = &module.functions;
    let defined = functions.iter().take_while(|function| function.definition.is_some()).count();
    let mut names: BTreeSet<_> = functions[..defined].iter().map(|f| f.name.as_bytes()).collect();
    let mut declared = functions[defined..].iter();
    // `.funcdecl` stands in kernels.
    (defined == functions.len() || !module.kernels.is_empty())
        && declared.all(|f| f.definition.is_none() && names.insert(f.name.as_bytes()))
}

/// The lines before the first routine.
struct Head<'o, W> {
    out: &'o mut W,
    /// What follows `//@ `.
    line: Line,
    is_empty: bool,
}

impl<W: Write> Head<'_, W> {
    fn end(&mut self) -> fmt::Result {
        self.is_empty = false;
        writeln!(self.out, "//@ {}", self.line.as_str())?;
        self.line.clear();
        Ok(())
    }

    fn number(&mut self, number: usize) {
        self.line.ch(' ');
        self.line.dec(number as u64);
    }

    /// The functions that are defined elsewhere, where `.funcdecl` does not imply all of them.
    fn functions(&mut self, module: &Module<'_>) -> fmt::Result {
        let implied = are_functions_implied(module);
        for (index, function) in module.functions.iter().enumerate() {
            let relocs = [&function.variable_relocs[..], &function.function_relocs];
            let is_plain =
                function.linkage == Linkage::EXTERN && relocs.iter().all(|r| r.is_empty());
            if function.definition.is_some() || implied && is_plain {
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
            self.end()?;
            let mut text = Line::default();
            annotations::relocs(&mut text, module, relocs, self.out)?;
            text.flush(self.out)?;
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
        for variable in &module.file_scope_vars {
            w.clear();
            variable.encode(&mut w)?;
            self.line.push(line::FILE_VARIABLE);
            self.line.push(" =");
            self.line.hex_bytes(w.bytes());
            self.end()?;
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
                self.end()?;
            }
        }
        if self.line.len() > 0 { self.end() } else { Ok(()) }
    }
}
