//! Arithmetic.

use crate::support::{bytes, kernel, program, run};

#[test]
fn sums_are_cut_or_clamped() {
    let program = program(&kernel(
        ".decl a v_type=G type=ub num_elts=16 align=GRF
.decl b v_type=G type=ub num_elts=16 align=GRF
    mov (M1, 16) a(0,0)<1> 0xf0:uw
    add.sat (M1, 16) b(0,0)<1> a(0,0)<1;1,0> 0x20:uw
    add (M1, 16) a(0,0)<1> a(0,0)<1;1,0> 0x20:uw",
    ));
    let group = run(&program).unwrap_or_else(|fault| panic!("{fault}"));
    let thread = &group.threads()[0];
    assert_eq!(bytes(&program, thread, "a"), [0x10; 16]);
    assert_eq!(bytes(&program, thread, "b"), [0xff; 16]);
}
