//! Tests of `Display` of instructions, which prints ids instead of names.

use genvisa::Instruction;
use genvisa::isa::*;
use genvisa::operand::{
    AddrId, AddrWidth, DataType, Dst, ExecMask, ExecSize, Imm, LabelId, LifetimeClass,
    LifetimeProperties, OwordNum, Pred, PredControl, PredId, Raw, Region, SamplerId, ShortStringId,
    Stride, StringId, SurfaceId, VarId, Vector,
};

fn text(instruction: impl Into<Instruction>) -> String {
    instruction.into().to_string()
}

fn when(id: u16) -> Pred {
    Pred::new(PredId(id)).expect("a small id")
}

#[test]
fn prints_variables_by_id_and_predefined_variables_by_name() {
    let exec = genvisa::operand::Exec::new(ExecSize::S8, ExecMask::M2_NM);
    let dst = Dst::new(VarId(33));
    let thread_x = Vector::scalar(VarId(1));
    let mov = Mov { exec, pred: when(1).inverted(), dst, src0: thread_x };
    assert_eq!(text(mov), "(!P1) mov (M2_NM, 8) V33(0,0)<1> %thread_x(0,0)<0;1,0>");
    // V22 is the first id that is not predefined, V32 the first that can be declared.
    let mov = Mov { src0: Vector::scalar(VarId(22)), dst: Dst::new(VarId(32)), ..mov };
    assert_eq!(text(mov), "(!P1) mov (M2_NM, 8) V32(0,0)<1> V22(0,0)<0;1,0>");
    let pred = when(7).with_control(PredControl::ANY);
    let mov = Mov { pred, src0: Imm::w(-1).into(), ..mov };
    assert_eq!(text(mov), "(P7.any) mov (M2_NM, 8) V32(0,0)<1> 0xffffffff:w");
}

#[test]
fn prints_addresses_and_predicates_by_id() {
    let exec = ExecSize::S8.into();
    let row = Region::new(Stride::NULL, Stride::S8, Stride::S1);
    let src0 = Vector::indirect(AddrId(2), 3, -4, DataType::F, row);
    let setp = Setp { exec, dst: Dst(Vector::predicate(when(1))), src0 };
    assert_eq!(text(setp), "setp (M1, 8) P1 r[A2(3),-4]<8,1>:f");
    let dst = Dst(Vector::address(AddrId(0), 1, AddrWidth::W4));
    let surface = Vector::surface(SurfaceId(6), 0);
    let add = AddrAdd { exec, dst, src0: surface.into(), src1: Imm::uw(8).into() };
    assert_eq!(text(add), "addr_add (M1, 8) A0(1)<4> &T6 0x8:uw");
    // Without a declaration the type is unknown, so the offset is not printed in bytes.
    let var = Vector::general_at(VarId(40), 1, 2, Region::SCALAR);
    assert_eq!(
        text(AddrAdd { src0: var.into(), ..add }),
        "addr_add (M1, 8) A0(1)<4> &V40(1,2) 0x8:uw"
    );
    // Predefined variables have a type: `%tsc` has dwords.
    let var = Vector::general_at(VarId(6), 1, 2, Region::SCALAR);
    assert_eq!(
        text(AddrAdd { src0: var.into(), ..add }),
        "addr_add (M1, 8) A0(1)<4> &%tsc[40] 0x8:uw"
    );
}

#[test]
fn prints_surfaces_and_samplers_by_id_and_predefined_surfaces_by_name() {
    let load = |surface| OwordLd {
        size: OwordNum::N2,
        is_modified: 0,
        surface: SurfaceId(surface),
        offset: Imm::ud(16).into(),
        dst: Raw::new(VarId(33), 32),
    };
    let surfaces = [(0, "%slm"), (1, "T1"), (3, "TSS"), (4, "%bss"), (5, "%scratch"), (6, "T6")];
    for (id, name) in surfaces {
        assert_eq!(text(load(id)), format!("oword_ld (2) {name} 0x10:ud V33.32"));
    }
    let sample = Sample3d {
        exec: ExecSize::S8.into(),
        sampler: SamplerId(0).into(),
        surface: SurfaceId(7).into(),
        dst: VarId(34).into(),
        params: Params::new(&[VarId(35).into(), Raw::NULL]).expect("few parameters"),
        ..Sample3d::default()
    };
    assert_eq!(text(sample), "sample_3d.RGBA (M1, 8)  0x0:uw S0 T7 V34.0 %null.0 V35.0 %null.0");
}

#[test]
fn prints_labels_and_strings_by_id() {
    let (exec, pred, label) = (ExecSize::S1.into(), Pred::NONE, LabelId(3));
    assert_eq!(text(Label { label }), "L3:");
    assert_eq!(text(Subroutine { label }), ".function \"L3\"\n\nL3:");
    assert_eq!(text(Jmp { exec, pred: when(2), label }), "(P2) jmp (M1, 1) L3");
    assert_eq!(text(Goto { exec, pred, label }), "goto (M1, 1) L3");
    assert_eq!(text(Call { exec, pred, label }), "call (M1, 1) L3");
    let fcall = Fcall { exec, pred, func_id: ShortStringId(9), arg_size: 1, return_size: 2 };
    assert_eq!(text(fcall), "fcall (M1, 1) #9 1 2");
    assert_eq!(text(File { file_name: StringId(5) }), "FILE #5");
    assert_eq!(text(Loc { line_number: 77 }), "LOC 77");
}

#[test]
fn prints_lifetimes_of_all_classes() {
    let lifetime = |class, id| Lifetime {
        properties: LifetimeProperties { end: id % 2 == 1, class },
        variable: VarId(id),
    };
    let general = lifetime(LifetimeClass::GENERAL, 34);
    assert_eq!(text(general), "lifetime.start V34");
    assert_eq!(text(lifetime(LifetimeClass::ADDRESS, 1)), "lifetime.end A1");
    assert_eq!(text(lifetime(LifetimeClass::PREDICATE, 2)), "lifetime.start P2");
}

/// GenX_IR prints this instruction as `vme_sic`.
#[test]
fn prints_in_the_faithful_style() {
    let x = Raw::from(VarId(32));
    let idm = VmeIdm { uni_input: x, idm_input: x, surface: SurfaceId(6), output: x };
    assert_eq!(text(idm), "vme_idm T6  V32.0 V32.0 V32.0");
}
