//! The `.asm` files of two files that are compared.

use std::path::Path;

use genvisa::object::Routine;

use super::Diff;
use crate::finalizer_asm::{FinalizerAsm, MachineChange, MachineCode};
use crate::input::Input;
use crate::input::walk::is_folder;
use crate::modules::load::Loaded;
use crate::output::Output;

/// The `.asm` files of A and B, if the user requests them.
pub struct AsmFiles {
    pub a: Option<FinalizerAsm>,
    pub b: Option<FinalizerAsm>,
}

impl AsmFiles {
    /// Reads the `.asm` files of two files, which may be in the folders that are compared.
    pub fn read(args: &Diff, a: &Path, b: &Path) -> anyhow::Result<AsmFiles> {
        let of_input =
            |index, path| FinalizerAsm::of_input(&args.asm, index, path, is_folder(&args.a));
        Ok(AsmFiles { a: of_input(0, a)?, b: of_input(1, b)? })
    }

    /// Fails if a file is of another kernel than those of its input.
    pub fn check(
        &self,
        inputs: [(&Input, &Loaded<'_>); 2],
        out: &mut Output,
    ) -> anyhow::Result<()> {
        for (asm, (input, loaded)) in [&self.a, &self.b].into_iter().zip(inputs) {
            if let Some(asm) = asm {
                asm.check(&input.name, &loaded.module, loaded.platform, out)?;
            }
        }
        Ok(())
    }

    /// Returns the numbers of the machine code of two routines that differ.
    pub fn changes(
        &self,
        a: &Routine<'_, '_>,
        b: &Routine<'_, '_>,
    ) -> anyhow::Result<Vec<MachineChange>> {
        let (Some(of_a), Some(of_b)) = (code(self.a.as_ref(), a)?, code(self.b.as_ref(), b)?)
        else {
            return Ok(Vec::new());
        };
        let mut changes = of_a.changes(&of_b);
        changes.retain(|change| change.difference() != 0);
        Ok(changes)
    }
}

fn code(
    asm: Option<&FinalizerAsm>,
    routine: &Routine<'_, '_>,
) -> anyhow::Result<Option<MachineCode>> {
    let code = asm.map(|asm| asm.machine_code(routine, routine.instructions().count()));
    Ok(code.transpose()?.flatten())
}
