//! Codes of block counts and block sizes that mean none: GenX_IR 12504 compiles them to others, or to other
//! fields of the message.

use std::collections::BTreeSet;

use genvisa::isa::Instruction;
use genvisa::isa::svm::Svm;
use genvisa::operand::{BlockNum, BlockType};
use genvisa::text::parse;
use genvisa::{Format, Version};
use genvisa_test_support::genx_ir;

/// Returns the machine code of a message with each code, which an edit puts into a field.
fn machine_codes(
    message: &str,
    platform: &str,
    codes: &[u8],
    edit: impl Fn(&mut Instruction, u8),
) -> Vec<Vec<u8>> {
    let asm_name = genx_ir::ASM_NAME;
    let text = format!(
        ".version 3.6
.kernel \"k\"
.decl a v_type=G type=ud num_elts=64 align=GRF
.decl d v_type=G type=uq num_elts=64 align=GRF
.decl img v_type=T num_elts=1
.kernel_attr AsmName=\"{asm_name}\"
.kernel_attr Target=\"cm\"
    mov (M1, 8) a(0,0)<1> 0x0:ud
    {message}
    ret (M1, 1)
"
    );
    let mut module = parse(&text, Format::igc2022(Version::V3_6)).expect("a correct text");
    let compile = |code: &u8| {
        let mut editor = module.edit(0).expect("a kernel");
        editor.instructions.iter_mut().for_each(|instruction| edit(instruction, *code));
        editor.finish().expect("an edited kernel");
        let file = module.to_bytes().expect("an encodable module");
        genx_ir::compile(&file, platform).expect("an accepted code")
    };
    codes.iter().map(compile).collect()
}

/// Codes of one byte, of which GenX_IR keeps the lowest two bits.
const CODES: [u8; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 0x1f, 0x20, 0xff];

#[test]
#[ignore = "needs GenX_IR 12504"]
fn genx_ir_compiles_codes_that_mean_no_number_of_blocks() {
    let set = |instruction: &mut Instruction, code| {
        let num_blocks = BlockNum::from_bits(code).expect("a byte");
        match instruction {
            Instruction::Svm(Svm::Gather(gather)) => gather.num_blocks = num_blocks,
            Instruction::QwGather(gather) => gather.num_blocks = num_blocks,
            _ => {}
        }
    };
    let svm = machine_codes("svm_gather.4.1 (M1, 8) a.0 d.0", "SKL", &CODES, set);
    for (code, machine_code) in CODES.iter().zip(&svm) {
        assert_eq!(*machine_code, svm[usize::from(code & 3)], "{code}");
    }
    let qwords = machine_codes("qw_gather.1 (M1, 8) img a.0 d.0", "XeHP_SDV", &CODES, set);
    let different: BTreeSet<_> = qwords.iter().collect();
    assert_eq!(different.len(), CODES.len());
}

#[test]
#[ignore = "needs GenX_IR 12504"]
fn genx_ir_compiles_codes_that_mean_no_size_of_blocks() {
    let set = |instruction: &mut Instruction, code| {
        let block_size = BlockType::from_bits(code).expect("a byte");
        match instruction {
            Instruction::Svm(Svm::Gather(gather)) => gather.block_size = block_size,
            Instruction::Svm(Svm::Scatter(scatter)) => scatter.block_size = block_size,
            _ => {}
        }
    };
    for message in ["svm_gather.4.1 (M1, 8) a.0 d.0", "svm_scatter.4.1 (M1, 8) a.0 d.0"] {
        for platform in ["SKL", "TGLLP"] {
            let machine_codes = machine_codes(message, platform, &CODES, set);
            for (code, machine_code) in CODES.iter().zip(&machine_codes) {
                assert_eq!(*machine_code, machine_codes[usize::from(code & 3)], "{code}");
            }
        }
    }
}
