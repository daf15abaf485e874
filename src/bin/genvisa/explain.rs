//! Annotated bytes: a line a field, nested under its instruction.

mod names;
mod view;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use genvisa::object::{Body, Code, Module, Routine};
use genvisa::wire::{Notes, Reader, Wire};
use genvisa::{Error, Format, Instruction};

use crate::args::{Explain, Hex};
use crate::output::Output;
use crate::{count, read, routines, shown};
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
    let mut notes = Notes::default();
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
            notes = names::resolved(&notes, body);
        }
        view.instruction(index, mnemonic, start, len, &notes, out)?;
        if let Err(error) = result {
            let place = genvisa::error::Place::Instruction { index, mnemonic };
            return Ok(Some(error.within(place)));
        }
    }
    Ok(None)
}

/// A whole file.
fn file(args: &Explain, path: &Path, out: &mut Output) -> anyhow::Result<()> {
    let (file, name) = (read(path)?, shown(path));
    let view = View::new(&file, args.parts);
    let mut notes = Notes::default();
    let parsed = Module::parse_traced(&file, args.dialect.dialect, &mut notes);
    let notes = notes.take();
    let mut groups = notes.chunk_by(|_, next| next.depth > 0);
    let module = match parsed {
        Ok(module) => module,
        Err(error) => {
            groups.try_for_each(|group| view.group(group, out))?;
            out.complain(format_args!("{name}: {error}"))?;
            return Ok(());
        }
    };
    let header = groups.next().unwrap_or_default();
    if args.routine.is_none() {
        view.group(header, out)?;
    }
    // The trace has a group for each routine, in the same order.
    let tables: Vec<_> = groups.collect();
    for (index, routine) in routines(&module, &name, args.routine.as_ref())? {
        let tables = tables.get(index).copied().unwrap_or_default();
        view.group(&names::resolved(tables, routine.body), out)?;
        if let Some(error) = code(&view, &routine, module.format, out)? {
            out.complain(format_args!("{name}: {error}"))?;
        }
    }
    if args.routine.is_none() {
        binaries(&view, &module, out)?;
        for padding in module.padding() {
            view.remark(&format!("padding: {}", count(padding.len(), "byte")), out)?;
        }
    }
    Ok(())
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
            Ok(error.map(|error| error.within(routine.place())))
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
