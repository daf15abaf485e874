//! Modules with other instructions.

use genvisa::isa::IdClass;
use genvisa::text;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::decoded::Decoded;
use crate::error;
use crate::instruction::Instruction;
use crate::module::Module;
use crate::routine::Routine;
use crate::verify;

/// Returns a copy of the module of a routine in which the routine has other instructions: those of the
/// module, and texts.
pub fn with_instructions(routine: &Routine, list: &Bound<'_, PyAny>) -> PyResult<Module> {
    let py = list.py();
    let mut instructions = Vec::new();
    let mut texts: Vec<(usize, String)> = Vec::new();
    for item in list.try_iter()? {
        let item = item?;
        match item.cast::<Instruction>() {
            Ok(one) => {
                let one = one.get();
                let (owner, inner) = one.get();
                if owner != routine {
                    return Err(error("an instruction belongs to another routine"));
                }
                instructions.push(*inner);
            }
            Err(_) => {
                texts.push((instructions.len(), item.extract()?));
                instructions.push(genvisa::Instruction::default());
            }
        }
    }
    let failed = |error| error::decoding(py, &error);
    let parsed = parse(py, routine, &texts)?;
    for ((at, _), instruction) in texts.iter().zip(parsed) {
        instructions[*at] = instruction;
    }
    let mut module = routine.decoded.module().clone().into_owned();
    let mut editor = module.edit(routine.index).map_err(failed)?;
    editor.instructions = instructions;
    editor.finish().map_err(failed)?;
    Ok(Module::new(Decoded::edited(module, verify::stated_platform(&routine.decoded))))
}

/// Parses instructions in the names of a routine.
fn parse(
    py: Python<'_>,
    routine: &Routine,
    texts: &[(usize, String)],
) -> PyResult<Vec<genvisa::Instruction>> {
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let failed = |error| error::decoding(py, &error);
    // A text of the routine without its code, and with the instructions.
    let mut empty = routine.decoded.module().clone().into_owned();
    let mut editor = empty.edit(routine.index).map_err(failed)?;
    editor.instructions.clear();
    editor.finish().map_err(failed)?;
    let declared = Decoded::edited(empty, None);
    let listing = declared.listing(routine.index).to_text();
    let mut source = listing.map_err(|error| error::printing(py, &error))?;
    for (_, line) in texts {
        if line.lines().count() != 1 {
            return Err(error("a text is not one line"));
        }
        source += line;
        source.push('\n');
    }
    let format = routine.decoded.module().format;
    let module = text::parse(&source, format).map_err(|errors| error::parsing(py, errors))?;
    let parsed = module.routines().next().ok_or_else(|| error("the routine has no text"))?;
    let parsed = parsed.instructions().map(|item| item.map(|(_, instruction)| instruction));
    let parsed: Vec<_> = parsed.collect::<Result<_, _>>().map_err(failed)?;
    if parsed.len() != texts.len() {
        return Err(error("a text is not an instruction"));
    }
    for (instruction, (_, line)) in parsed.iter().zip(texts) {
        let mut is_numbered = false;
        instruction.visit_ids(|id| {
            // Their numbers depend on the rest of the text.
            is_numbered |= matches!(id.class, IdClass::Label | IdClass::String);
        });
        if is_numbered {
            return Err(error(format!("`{}` names a label or a string", line.trim())));
        }
    }
    Ok(parsed)
}

fn error(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}
