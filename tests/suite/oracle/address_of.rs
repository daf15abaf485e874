//! Addresses of variables: GenX_IR 12504 compiles a text and the file that this crate assembles from it
//! to the same machine code, for registers of 32 and of 64 bytes.

use genvisa::text::parse;
use genvisa::{Format, Version};
use genvisa_test_support::genx_ir;

/// Returns a text that writes the element at an offset of a variable.
fn text(ty: &str, offset: u32, platform: &str) -> String {
    let asm_name = genx_ir::ASM_NAME;
    format!(
        ".version 3.6
.kernel \"k\"
.decl t v_type=G type={ty} num_elts=64 align=GRF
.decl z v_type=G type=uw num_elts=16 align=GRF
.decl a v_type=A num_elts=16
.decl img v_type=T num_elts=1
.kernel_attr AsmName=\"{asm_name}\"
.kernel_attr Target=\"cm\"
    mov (M1, 1) z(0,0)<1> 0x2:uw
    addr_add (M1, 1) a(0)<1> &t[{offset}] z(0,0)<0;1,0>
    mov (M1, 1) r[a(0),0]<1>:{ty} t(0,0)<0;1,0>
    oword_st (8) img 0x0:ud t.0
    ret (M1, 1)
//Platform: {platform}
"
    )
}

#[test]
#[ignore = "needs GenX_IR 12504"]
fn genx_ir_compiles_addresses_in_files_and_texts_alike() {
    for platform in ["SKL", "PVC"] {
        let mut codes = Vec::new();
        for (ty, offset) in [("d", 0), ("d", 32), ("d", 64), ("d", 68), ("w", 94), ("b", 129)] {
            let text = text(ty, offset, platform);
            let module = parse(&text, Format::igc2022(Version::V3_6)).expect("a correct text");
            let file = module.to_bytes().expect("an encodable module");
            let code = genx_ir::compile(&file, platform).expect("a correct file");
            let expected = genx_ir::compile_text(&text, platform).expect("a correct text");
            assert_eq!(code, expected, "{platform}: &t[{offset}] of {ty}");
            codes.push(code);
        }
        assert!(codes.windows(2).all(|pair| pair[0] != pair[1]), "the offset is in the code");
    }
}
