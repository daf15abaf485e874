//! The fields of files and instructions, as `genvisa explain` prints them.

use std::borrow::Cow;

use genvisa::error::PathSegment;
use genvisa::object::{Body, Code, Routine};
use genvisa::wire::{FieldRecorder, Reader, Reference, TracedField};
use genvisa::{Dialect, Error, Instruction};
use genvisa_isa::decode_recorded;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::decoded::{Decoded, Source, string};
use crate::error;

/// Returns the fields of the header and of each routine: its tables, then its instructions.
pub fn module<'py>(py: Python<'py>, decoded: &Decoded) -> PyResult<Bound<'py, PyList>> {
    let failed = |error: Error| error::decoding(py, &error);
    let file: Cow<'_, [u8]> = match decoded.source() {
        Source::File(file) => Cow::Borrowed(file),
        // The bytes of a text are the bytes of the file that it is assembled to.
        Source::Text(_) | Source::Edited(_) => decoded.module().to_bytes().map_err(failed)?.into(),
    };
    let dialect: Dialect = decoded.module().format.dialect;
    let mut recorder = FieldRecorder::default();
    let module =
        genvisa::Module::from_bytes_traced(&file, dialect, &mut recorder).map_err(failed)?;
    let fields = recorder.take();
    let is_same_group = |_: &TracedField, next: &TracedField| next.depth > 0;
    let groups = PyList::empty(py);
    // The first group is the header, and the others are the routines in their order.
    let mut routines = module.routines();
    for (index, group) in fields.chunk_by(is_same_group).enumerate() {
        let routine = if index == 0 { None } else { routines.next() };
        let group = tree(py, group, routine.map(|routine| routine.body))?.get_item(0)?;
        if let Some(routine) = routine {
            let parts = group.get_item(intern!(py, "parts"))?;
            instructions(parts.cast()?, &routine)?;
        }
        groups.append(group)?;
    }
    Ok(groups)
}

/// Appends the instructions of a routine to its fields.
fn instructions(parts: &Bound<'_, PyList>, routine: &Routine<'_, '_>) -> PyResult<()> {
    let py = parts.py();
    let Code::Present { bytes, offset } = &routine.body.code else { return Ok(()) };
    let mut recorder = FieldRecorder::default();
    let mut r = Reader::traced(bytes, *offset, routine.format(), &mut recorder);
    let mut instruction = Instruction::default();
    for index in 0.. {
        let (start, opcode) = (r.offset(), r.rest().first().copied());
        let Some(opcode) = opcode else { break };
        decode_recorded(&mut instruction, &mut r).map_err(|error| {
            let mnemonic = Instruction::mnemonic_of(opcode).unwrap_or_default();
            let error = error.within(PathSegment::Instruction { index, mnemonic });
            error::decoding(py, &error.within(routine.path_segment()))
        })?;
        let fields = tree(py, &r.trace_mut().take(), Some(routine.body))?;
        let name = format!("instruction {index}");
        let size = Some(r.offset() - start);
        parts.append(field(py, &name, start, size, instruction.mnemonic(), "", &fields)?)?;
    }
    Ok(())
}

/// Returns fields as a list. Nested fields are the parts of the field before them.
pub fn tree<'py>(
    py: Python<'py>,
    fields: &[TracedField],
    body: Option<&Body<'_>>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    // The lists of the fields that are open.
    let mut open = vec![list.clone()];
    for traced in fields {
        let TracedField { depth, name, offset, len, value, meaning, reference, .. } = traced;
        let referent = reference.zip(body).and_then(|(reference, body)| referent(reference, body));
        let meaning = referent.as_deref().unwrap_or(meaning);
        let parts = PyList::empty(py);
        open.truncate(depth + 1);
        if let Some(list) = open.last() {
            list.append(field(py, name, *offset, *len, value, meaning, &parts)?)?;
        }
        open.push(parts);
    }
    Ok(list)
}

/// Returns the string that a field refers to, or the name of the label.
fn referent(reference: Reference, body: &Body<'_>) -> Option<String> {
    match reference {
        Reference::String(id) => Some(string(body, id)),
        Reference::Label(id) => Some(string(body, body.labels.get(usize::from(id))?.name.0)),
        _ => None,
    }
}

fn field<'py>(
    py: Python<'py>,
    name: &str,
    offset: usize,
    size: Option<usize>,
    value: &str,
    meaning: &str,
    parts: &Bound<'py, PyList>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item(intern!(py, "name"), name)?;
    dict.set_item(intern!(py, "offset"), offset)?;
    dict.set_item(intern!(py, "size"), size)?;
    dict.set_item(intern!(py, "value"), value)?;
    dict.set_item(intern!(py, "meaning"), meaning)?;
    dict.set_item(intern!(py, "parts"), parts)?;
    Ok(dict)
}
