//! Ids of names, and routines with other code.

use std::ffi::c_char;
use std::sync::Arc;

use visa::Instructions;
use visa::isa::IdClass;
use visa::operand::{SurfaceId, VarId};

use crate::abi::{call, genvisa_bytes, give, required};
use crate::error::{genvisa_error, genvisa_status};
use crate::instructions::genvisa_format;
use crate::module::{Shared, genvisa_module};
use genvisa_status::{GENVISA_END, GENVISA_OK};

/// Returns the format of a module, for the functions that decode and encode structs. The name of its dialect is
/// valid forever. Returns dialect "igc2022" and version 3.6 for null.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_format(module: Option<&genvisa_module>) -> genvisa_format {
    genvisa_format::of(module.map(|module| module.shared.module.format).unwrap_or_default())
}

/// Finds the id of a variable or label of a routine by its name.
///
/// `letter` is its kind: 'V' for a general variable, 'A' for an address variable, 'P' for a predicate, 'S' for a
/// sampler, 'T' for a surface or 'L' for a label; other letters are an error. If there is no such routine or name, the
/// status is `GENVISA_END`. If several have the name, `*id` is the first.
///
/// Names that are not declared but predefined are found too: general variables such as "%null" (id 0) and "%r0" (id 7),
/// and surfaces: "%slm" (id 0, shared local memory), "%bss" (4), "%scratch" (5, T5 of the manual, stateless memory).
/// The first declared general variable has the id 32, the first surface 6, the first predicate 1, and the first of
/// other kinds 0. Sampler 31 is the bindless sampler, which has no name.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_find(
    module: Option<&genvisa_module>,
    routine: usize,
    letter: c_char,
    name: genvisa_bytes,
    id: Option<&mut u32>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (module, id) = (required(module, "module")?, required(id, "id")?);
        let classes = [
            IdClass::Variable,
            IdClass::Address,
            IdClass::Predicate,
            IdClass::Sampler,
            IdClass::Surface,
            IdClass::Label,
        ];
        let class = classes.into_iter().find(|class| class.letter() == char::from(letter as u8));
        let class =
            class.ok_or_else(|| genvisa_error::argument("`letter` is not the letter of a kind"))?;
        // SAFETY: the caller promises that the bytes are readable.
        let name = unsafe { name.text() }?;
        let Some(routine) = module.shared.module.routine(routine) else {
            return Ok(GENVISA_END);
        };
        let found = routine.body.find(class, name).map(|found| found.number);
        let Some(found) = found.or_else(|| predefined(class, name)) else {
            return Ok(GENVISA_END);
        };
        *id = found;
        Ok(GENVISA_OK)
    })
}

/// Returns the id of a predefined variable.
fn predefined(class: IdClass, name: &str) -> Option<u32> {
    let name_of: fn(u32) -> Option<&'static str> = match class {
        IdClass::Variable => |id| VarId(id).predefined_name(),
        IdClass::Surface => |id| SurfaceId(u8::try_from(id).ok()?).predefined_name(),
        _ => return None,
    };
    (0..class.first_declared()).find(|id| name_of(*id) == Some(name))
}

/// Copies a module, with other code in a routine: bytes of instructions, one after another, as in
/// `genvisa_routine.code`.
///
/// The function decodes all instructions in the format of the module. If that fails, `offset` of the error counts from
/// the start of `code`. Bytes in another format are not always noticed: encode in `genvisa_module_format`. Whether ids are
/// declared and instructions are legal is a question for `genvisa_verify`.
///
/// Variables and labels keep their ids. A label is an instruction, and jumps refer to its id, so they need no
/// adjustment. Offsets and sizes in the file are computed by `genvisa_module_encode`. If the code changes, the machine
/// code of the routine in the file is removed, since it was compiled from the old code.
///
/// On success, `*result` is a new module, which the caller frees; the old one does not change. If there is no such
/// routine, the status is `GENVISA_END`.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_with_code(
    module: Option<&genvisa_module>,
    routine: usize,
    code: genvisa_bytes,
    result: Option<&mut *mut genvisa_module>,
    error: Option<&mut *mut genvisa_error>,
) -> genvisa_status {
    call(error, || {
        let (module, result) = (required(module, "module")?, required(result, "result")?);
        let mut copy = module.shared.module.clone();
        if copy.routine(routine).is_none() {
            return Ok(GENVISA_END);
        }
        // SAFETY: the caller promises that the bytes are readable.
        let code = unsafe { code.get() }?;
        let instructions = Instructions::new(code, copy.format);
        let instructions =
            instructions.map(|item| item.map(|(_, instruction)| instruction)).collect();
        let instructions = visa::error::Result::<Vec<_>>::from(instructions)?;
        let mut editor = copy.edit(routine)?;
        editor.instructions = instructions;
        editor.finish()?;
        let shared = Shared { module: copy, text: None, platform: module.shared.platform };
        give(result, genvisa_module { shared: Arc::new(shared) });
        Ok(GENVISA_OK)
    })
}
