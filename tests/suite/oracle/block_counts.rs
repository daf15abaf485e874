//! Codes of block counts that mean no count: GenX_IR 12504 compiles them to other counts, or to other
//! fields of the message.

use std::collections::BTreeSet;

use genvisa::isa::Instruction;
use genvisa::isa::svm::Svm;
use genvisa::operand::BlockNum;
use genvisa::text::parse;
use genvisa::{Format, Version};
use genvisa_test_support::genx_ir;

/// Returns the machine code of a gather with each code of the number of blocks.
fn machine_codes(gather: &str, platform: &str, codes: &[u8]) -> Vec<Vec<u8>> {
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
    {gather}
    ret (M1, 1)
"
    );
    let mut module = parse(&text, Format::igc2022(Version::V3_6)).expect("a correct text");
    let compile = |code: &u8| {
        let mut editor = module.edit(0).expect("a kernel");
        for instruction in &mut editor.instructions {
            match instruction {
                Instruction::Svm(Svm::Gather(gather)) => {
                    gather.num_blocks = BlockNum::from_bits(*code).expect("a byte");
                }
                Instruction::QwGather(gather) => {
                    gather.num_blocks = BlockNum::from_bits(*code).expect("a byte");
                }
                _ => {}
            }
        }
        editor.finish().expect("an edited kernel");
        let file = module.to_bytes().expect("an encodable module");
        genx_ir::compile(&file, platform).expect("an accepted code")
    };
    codes.iter().map(compile).collect()
}

#[test]
#[ignore = "needs GenX_IR 12504"]
fn genx_ir_compiles_codes_that_mean_no_number_of_blocks() {
    let codes = [0, 1, 2, 3, 4, 5, 6, 7, 0x1f, 0x20, 0xff];
    let svm = machine_codes("svm_gather.4.1 (M1, 8) a.0 d.0", "SKL", &codes);
    for (code, machine_code) in codes.iter().zip(&svm) {
        assert_eq!(*machine_code, svm[usize::from(code & 3)], "{code}");
    }
    let qwords = machine_codes("qw_gather.1 (M1, 8) img a.0 d.0", "XeHP_SDV", &codes);
    let different: BTreeSet<_> = qwords.iter().collect();
    assert_eq!(different.len(), codes.len());
}
