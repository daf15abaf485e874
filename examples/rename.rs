//! Removes the declarations that nothing uses, which gives the others new ids, and names each variable
//! after its type and its id.
//!
//! `cargo run --example rename IN.isa OUT.isa`

use genvisa::object::RoutineEditor;
use genvisa::operand::VarId;
use genvisa::{Dialect, Module};

/// Renames the general variables of a routine.
pub fn rename(routine: &mut RoutineEditor<'_, '_>) {
    let types: Vec<_> = routine.body().variables.iter().map(|variable| variable.ty).collect();
    for (id, ty) in (VarId::FIRST_DECLARED.0..).zip(types) {
        routine.rename(VarId(id), &format!("{ty}_{id}"));
    }
}

/// Returns the file with new ids and names.
pub fn renamed(file: &[u8]) -> Result<Vec<u8>, genvisa::Error> {
    let mut module = Module::from_bytes(file, Dialect::Igc2022)?;
    for routine in 0..module.routines().count() {
        let mut editor = module.edit(routine)?;
        editor.retain_used();
        rename(&mut editor);
        // The old names are not used now.
        editor.retain_used();
        editor.finish()?;
    }
    module.to_bytes()
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (input, output) = (std::env::args_os().nth(1), std::env::args_os().nth(2));
    let (input, output) = input.zip(output).ok_or("usage: rename IN.isa OUT.isa")?;
    Ok(std::fs::write(output, renamed(&std::fs::read(input)?)?)?)
}
