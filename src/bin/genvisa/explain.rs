//! Annotated bytes: a line a field, nested under its instruction.

mod names;
mod view;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use genvisa::object::{Body, Code, Module, Routine};
use genvisa::wire::{Describe, FieldRecorder, Reader, Trace, Wire};
use genvisa::{Error, Format, Instruction};

use crate::args::{Explain, Hex};
use crate::input::{read, read_object};
use crate::output::Output;
use crate::{count, routines, shown};
use view::View;

pub fn run(args: &Explain, out: &mut Output) -> anyhow::Result<()> {
    match (&args.file, &args.hex) {
        (Some(path), _) => file(args, path, out),
        (None, Some(hex)) => bytes(args, hex, out),
        (None, None) => bail!("a file or --hex is required"),
    }
}

/// `--hex`: instructions without a file.
fn bytes(args: &Explain, hex: &Hex, out: &mut Output) -> anyhow::Result<()> {
    let bytes = match hex {
        Hex::Bytes(bytes) => bytes.clone(),
        Hex::Stdin => {
            let text = String::from_utf8_lossy(&read(Path::new("-"))?).into_owned();
            Hex::bytes(&text).map_err(anyhow::Error::msg).context("standard input")?
        }
    };
    let view = View::new(&bytes, args.parts);
    if let Some(error) = instructions(&view, &bytes, 0, args.hex_format(), None, out)? {
        out.complain(error)?;
    }
    Ok(())
}

/// Explains an instruction area and returns the error that ended it, if one did.
fn instructions(
    view: &View<'_>,
    code: &[u8],
    base: usize,
    format: Format,
    body: Option<&Body<'_>>,
    out: &mut impl Write,
) -> anyhow::Result<Option<Error>> {
    let mut notes = FieldRecorder::default();
    let mut r = Reader::traced(code, base, format, &mut notes);
    let mut instruction = Instruction::default();
    for index in 0.. {
        if r.is_empty() {
            break;
        }
        let start = r.offset();
        let opcode = r.rest().first().copied().unwrap_or_default();
        let mnemonic = Instruction::mnemonic_of(opcode).unwrap_or_default();
        let result = instruction.decode_into(&mut r);
        let len = result.is_ok().then(|| r.offset() - start);
        let mut notes = r.trace_mut().take();
        if let Some(body) = body {
            names::resolve(&mut notes, body);
        }
        view.instruction(index, mnemonic, start, len, &notes, out)?;
        if let Err(error) = result {
            let place = genvisa::error::PathSegment::Instruction { index, mnemonic };
            return Ok(Some(error.within(place)));
        }
    }
    Ok(None)
}

/// A whole file.
fn file(args: &Explain, path: &Path, out: &mut Output) -> anyhow::Result<()> {
    let (file, name) = (read_object(path)?, shown(path));
    let view = View::new(&file, args.parts);
    let dialect = args.dialect.dialect;
    // The notes on a file take many times its size: they are printed while the file is read a second
    // time, when the names that they refer to are known.
    match Module::from_bytes(&file, dialect) {
        Ok(module) => {
            let routines = routines(&module, &name, args.routine.as_ref())?;
            let mut tables = Tables::new(&view, out);
            tables.has_header = args.routine.is_none();
            tables.selection = Some(Selection { module: &module, name: &name, routines });
            let _ = Module::from_bytes_traced(&file, dialect, &mut tables);
            tables.end()?;
            if args.routine.is_none() {
                binaries(&view, &module, out)?;
                for padding in module.padding() {
                    view.remark(&format!("padding: {}", count(padding.len(), "byte")), out)?;
                }
            }
        }
        Err(error) => {
            let mut tables = Tables::new(&view, out);
            let _ = Module::from_bytes_traced(&file, dialect, &mut tables);
            tables.end()?;
            out.complain(format_args!("{name}: {error}"))?;
        }
    }
    Ok(())
}

/// The routines to print, with their positions in the module.
struct Selection<'t, 'm, 'a> {
    module: &'m Module<'a>,
    /// The name of the file.
    name: &'t str,
    routines: Vec<(usize, Routine<'m, 'a>)>,
}

/// Prints the fields of header and tables while they are read, and the instructions of each routine
/// after its tables.
struct Tables<'t, 'f, 'm, 'a> {
    view: &'t View<'f>,
    out: &'t mut Output,
    /// Whether the header is printed.
    has_header: bool,
    /// `None` if the file has an error: all tables are printed as far as they can be read, without
    /// code and names.
    selection: Option<Selection<'t, 'm, 'a>>,
    /// How many groups have ended: the header, then the routines.
    group: usize,
    /// How many fields are open.
    depth: usize,
    /// The current field of a group, with its parts.
    notes: FieldRecorder,
    error: Option<anyhow::Error>,
}

impl<'t, 'f, 'm, 'a> Tables<'t, 'f, 'm, 'a> {
    fn new(view: &'t View<'f>, out: &'t mut Output) -> Self {
        Tables {
            view,
            out,
            has_header: true,
            selection: None,
            group: 0,
            depth: 0,
            notes: FieldRecorder::default(),
            error: None,
        }
    }

    /// Prints what an error in the file cut short, and returns the error of the output, if any.
    fn end(mut self) -> anyhow::Result<()> {
        self.flush();
        self.error.map_or(Ok(()), Err)
    }

    /// The routine of the current group, if it is one of those to print.
    fn routine(&self) -> Option<Routine<'m, 'a>> {
        let routines = &self.selection.as_ref()?.routines;
        let index = self.group.checked_sub(1)?;
        // They are in the order of the module.
        let position = routines.binary_search_by_key(&index, |(routine, _)| *routine).ok()?;
        Some(routines[position].1)
    }

    fn is_wanted(&self) -> bool {
        self.error.is_none()
            && match self.group {
                0 => self.has_header,
                _ => self.selection.is_none() || self.routine().is_some(),
            }
    }

    /// Keeps the first error of the output: after it, nothing is printed.
    fn keep(&mut self, result: anyhow::Result<()>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }

    fn flush(&mut self) {
        let mut notes = self.notes.take();
        if let Some(routine) = self.routine() {
            names::resolve(&mut notes, routine.body);
        }
        if self.error.is_none() {
            let printed = self.view.fields(&notes, 0, self.out);
            self.keep(printed.map_err(Into::into));
        }
    }

    /// Prints the code after the tables of a routine.
    fn code(&mut self) -> anyhow::Result<()> {
        let Some(routine) = self.routine() else { return Ok(()) };
        let Some(Selection { module, name, .. }) = self.selection else { return Ok(()) };
        if let Some(error) = code(self.view, &routine, module.format, self.out)? {
            self.out.complain(format_args!("{name}: {error}"))?;
        }
        Ok(())
    }
}

impl Trace for Tables<'_, '_, '_, '_> {
    const ENABLED: bool = true;

    fn enter(&mut self, name: &str, offset: usize) {
        if self.is_wanted() {
            if self.depth == 0 {
                let heading = self.view.heading(name, offset, self.out);
                self.keep(heading.map_err(Into::into));
            } else {
                self.notes.enter(name, offset);
            }
        }
        self.depth += 1;
    }

    fn leave(&mut self, offset: usize, value: &dyn Describe, format: Format) {
        self.depth -= 1;
        if self.is_wanted() {
            match self.depth {
                0 => {
                    let printed = self.code();
                    self.keep(printed);
                }
                depth => {
                    self.notes.leave(offset, value, format);
                    if depth == 1 {
                        self.flush();
                    }
                }
            }
        }
        if self.depth == 0 {
            self.group += 1;
        }
    }
}

fn code(
    view: &View<'_>,
    routine: &Routine<'_, '_>,
    format: Format,
    out: &mut impl Write,
) -> anyhow::Result<Option<Error>> {
    match &routine.body.code {
        Code::Present { bytes, offset } => {
            let body = Some(routine.body);
            let error = instructions(view, bytes, *offset, format, body, out)?;
            Ok(error.map(|error| error.within(routine.path_segment())))
        }
        Code::Stripped { size, entry } => {
            let text = format!("stripped: {size} bytes of code were at {entry:#x} of the body");
            view.remark(&text, out)?;
            Ok(None)
        }
    }
}

/// The machine code, which is not looked into.
fn binaries(view: &View<'_>, module: &Module<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    for kernel in &module.kernels {
        for (index, binary) in kernel.gen_binaries.iter().enumerate() {
            let platform = binary.platform_name().unwrap_or("not in the documents");
            let text = format!(
                "gen binary {index} of kernel `{}`: {} bytes for platform {} ({platform})",
                kernel.name,
                binary.bytes.len(),
                binary.platform,
            );
            view.remark(&text, out)?;
        }
    }
    Ok(())
}
