//! Ids of names, and routines with other code.

use std::ffi::c_char;
use std::sync::Arc;

use visa::Instructions;
use visa::isa::IdClass;

use crate::abi::{call, genvisa_bytes, give, required};
use crate::error::{genvisa_error, genvisa_status};
use crate::instructions::genvisa_format;
use crate::module::{Shared, genvisa_module};
use genvisa_status::{GENVISA_END, GENVISA_OK};

/// Returns the format of a module; the default format for null. The name of its dialect is valid forever.
#[unsafe(no_mangle)]
pub extern "C" fn genvisa_module_format(module: Option<&genvisa_module>) -> genvisa_format {
    genvisa_format::of(module.map(|module| module.shared.module.format).unwrap_or_default())
}

/// Finds a variable or label of a routine by its name.
///
/// `letter` is the letter of its kind in a text: 'V' for a general variable, 'A' for an address, 'P'
/// for a predicate, 'S' for a sampler, 'T' for a surface and 'L' for a label. On success, `*id` is its
/// number. If there is none with this name, the status is `GENVISA_END`. If `error` is not null,
/// `*error` is a new error, or null.
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
        let routine = module.shared.module.routines().nth(routine);
        let Some(found) = routine.and_then(|routine| routine.body.find(class, name)) else {
            return Ok(GENVISA_END);
        };
        *id = found.number;
        Ok(GENVISA_OK)
    })
}

/// Copies a module, with other code in a routine: the bytes of instructions in the format of the module.
///
/// The tables of the routine do not change, except the offsets that depend on the code. On success,
/// `*result` is a new module, which the caller frees; the old one does not change. If the module has no
/// such routine, the status is `GENVISA_END`. If `error` is not null, `*error` is a new error, or null.
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
        if copy.routines().nth(routine).is_none() {
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
        give(result, genvisa_module { shared: Arc::new(Shared { module: copy, text: None }) });
        Ok(GENVISA_OK)
    })
}
