//! Cases for the rules of messages, control flow and miscellaneous instructions.

mod control;
mod lsc;
mod memory;
mod sampler;
mod version_4_2;

use genvisa::object::Code;
use genvisa::{Instruction, Module};

use super::{Case, case, case_4_2};

pub fn cases() -> Vec<Case> {
    [memory::cases(), sampler::cases(), control::cases(), lsc::cases(), version_4_2::cases()]
        .into_iter()
        .flatten()
        .collect()
}

/// A scalar operand of a type.
macro_rules! scalar {
    ($ty:literal) => {
        concat!($ty, "_1(0,0)<0;1,0>")
    };
}

/// A text whose first instruction is changed after assembly.
macro_rules! edited {
    ($text:expr, $pattern:pat => $change:expr) => {{
        let change: fn(&mut genvisa::Module<'static>) = |module| {
            crate::verify::messages::edit(module, |instruction| {
                #[allow(unreachable_patterns)]
                match instruction {
                    $pattern => $change,
                    other => panic!("another instruction: {other:?}"),
                }
            });
        };
        ($text, change)
    }};
}

use {edited, scalar};

/// Changes the first instruction of a module.
fn edit(module: &mut Module<'static>, change: fn(&mut Instruction)) {
    let format = module.format;
    let code = &mut module.kernels[0].body.code;
    let mut instructions: Vec<Instruction> =
        code.instructions(format).map(|decoded| decoded.expect("valid code").1).collect();
    change(&mut instructions[0]);
    *code = Code::from_instructions(&instructions, format).expect("encodable");
}
