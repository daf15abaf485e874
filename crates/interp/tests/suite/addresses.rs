//! Addresses of variables: `&V[n]` is the address of byte `n`, in every version and for every size of
//! registers.

use genvisa::RegisterSize;
use genvisa::text;
use genvisa_interp::{Device, Machine, Program, ThreadStart};
use proptest::prelude::*;

use crate::support::bytes;

/// Returns the bytes of a variable after the byte at an offset was set to 7.
fn bytes_with_one_set(version: &str, platform: &str, ty: &str, offset: usize) -> Vec<u8> {
    let registers = match platform {
        "DG2" => RegisterSize::Bytes32,
        _ => RegisterSize::Bytes64,
    };
    let source = format!(
        ".version {version}
.kernel \"k\"
.decl t v_type=G type={ty} num_elts={} align=GRF
.decl b v_type=G type=ub num_elts=256 align=GRF alias=<t,0>
.decl a v_type=A num_elts=1
.decl z v_type=G type=uw num_elts=1 align=word
    mov (M1, 32) b(0,0)<1> 0x0:ub
    mov (M1, 32) b(0,32)<1> 0x0:ub
    mov (M1, 32) b(0,64)<1> 0x0:ub
    mov (M1, 32) b(0,96)<1> 0x0:ub
    mov (M1, 32) b(0,128)<1> 0x0:ub
    mov (M1, 32) b(0,160)<1> 0x0:ub
    mov (M1, 32) b(0,192)<1> 0x0:ub
    mov (M1, 32) b(0,224)<1> 0x0:ub
    mov (M1, 1) z(0,0)<1> 0x0:uw
    addr_add (M1, 1) a(0)<1> &t[{offset}] z(0,0)<0;1,0>
    mov (M1, 1) r[a(0),0]<1>:ub 0x7:uw
    ret (M1, 1)
//Platform: {platform}
",
        256 / if ty == "d" { 4 } else { 1 }
    );
    let module = text::parse(&source, text::format_of(&source)).expect("a correct text");
    let program = Program::new([&module], Device { registers }).expect("a program");
    let machine = Machine::new(&program);
    let start = ThreadStart { image: vec![0; 64], mask: 0xffff_ffff, ..ThreadStart::default() };
    let mut group = machine.group("k", [0; 3], 0, 64, [start]).expect("a group");
    machine.run(&mut group).expect("no fault");
    bytes(&program, &group.threads()[0], "t")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_offset_is_a_number_of_bytes(
        offset in 0usize..256,
        is_new in any::<bool>(),
        is_large in any::<bool>(),
        is_dword in any::<bool>(),
    ) {
        // Files have elements, not bytes.
        let offset = if is_new || !is_dword { offset } else { offset / 4 * 4 };
        let version = if is_new { "4.2" } else { "4.1" };
        let platform = if is_large { "PVC" } else { "DG2" };
        let ty = if is_dword { "d" } else { "ub" };
        let mut expected = vec![0; 256];
        expected[offset] = 7;
        prop_assert_eq!(bytes_with_one_set(version, platform, ty, offset), expected);
    }
}
