//! All forms of operands, in simple instructions.

use genvisa::Version;
use genvisa::isa::{AddrAdd, Mov, Movs};
use genvisa::operand::{
    AddrWidth, DataType, Dst, ExecMask, ExecSize, Imm, Modifier, Pred, PredControl, PredId, Region,
    Stride, VarId, Vector, VectorKind,
};

use super::fixture::*;

pub fn rows(version: Version) -> Vec<Row> {
    let mut rows = execs(version);
    rows.extend(predicates());
    rows.extend(sources());
    rows.extend(destinations());
    rows
}

/// Returns scalars of each class and form that the reader accepts, with their text.
pub fn scalars() -> Vec<(Vector, &'static str)> {
    let mut scalars = vec![
        (scalar(33, 1, 2), "V33(1,2)<0;1,0>"),
        (scalar(33, 1, 2).with_modifier(Modifier::ABS), "(abs)V33(1,2)<0;1,0>"),
        (scalar(33, 1, 2).with_modifier(Modifier::NEG), "(-)V33(1,2)<0;1,0>"),
        (scalar(33, 1, 2).with_modifier(Modifier::NEG_ABS), "(-abs)V33(1,2)<0;1,0>"),
        (scalar(33, 1, 2).with_modifier(Modifier::NOT), "(~)V33(1,2)<0;1,0>"),
        // A predefined variable.
        (scalar(1, 0, 0), "%thread_x(0,0)<0;1,0>"),
        (Vector::address(A1, 3, AddrWidth::W1), "A1(3)<1>"),
        (Vector::predicate(when(P3)), "P3"),
        (indirect(-17, DataType::UW, Region::SCALAR), "r[A1(3),-17]<0;1,0>:uw"),
        (
            indirect(511, DataType::F, Region::SCALAR).with_modifier(Modifier::NEG),
            "(-)r[A1(3),511]<0;1,0>:f",
        ),
        (Vector::surface(T8, 2), "T8(2)"),
        (Vector::sampler(S1, 1), "S1(1)"),
    ];
    scalars.extend(immediates().map(|(imm, text)| (imm.into(), text)));
    scalars
}

/// Returns a constant of each type. GenX_IR loses the value for two types.
fn immediates() -> [(Imm, &'static str); 16] {
    [
        (Imm::ud(0xfedc_ba98), "0xfedcba98:ud"),
        (Imm::d(-2), "0xfffffffe:d"),
        (Imm::uw(0xfedc), "0xfedc:uw"),
        (Imm::w(-2), "0xfffffffe:w"),
        (Imm::ub(0xfe), "0xfe:ub"),
        (Imm::b(-2), "0xfffffffe:b"),
        (Imm::df(-2.5), "0xc004000000000000:df"),
        (Imm::f(-2.5), "0xc0200000:f"),
        (Imm::v([1, 2, 3, 4, -1, -2, -3, -4]).expect("small elements"), "0xcdef4321:v"),
        (Imm::vf([0x12, 0x34, 0x56, 0x78]), "0x78563412:vf"),
        (Imm::bool(true), "0xffffffff:bool"),
        (Imm::uq(0x0123_4567_89ab_cdef), "0x123456789abcdef:uq"),
        (Imm::uv([1, 2, 3, 4, 5, 6, 7, 15]).expect("small elements"), "0xf7654321:uv"),
        (Imm::q(-2), "0xfffffffffffffffe:q"),
        (Imm::hf(0xc100), "0xc100:hf"),
        (Imm::bf(0xc020), "0xffffffff:bf"),
    ]
}

fn indirect(offset: i16, ty: DataType, region: Region) -> Vector {
    let kind = VectorKind::Indirect { addr: A1, addr_offset: 3, offset, ty: ty.into(), region };
    Vector { modifier: Modifier::NONE, kind }
}

fn execs(version: Version) -> Vec<Row> {
    let mut masks = vec![
        (ExecMask::M1, "M1"),
        (ExecMask::M2, "M2"),
        (ExecMask::M3, "M3"),
        (ExecMask::M4, "M4"),
        (ExecMask::M5, "M5"),
        (ExecMask::M6, "M6"),
        (ExecMask::M7, "M7"),
        (ExecMask::M8, "M8"),
        (ExecMask::M1_NM, "M1_NM"),
    ];
    if version >= Version::V3_1 {
        masks.extend([
            (ExecMask::M2_NM, "M2_NM"),
            (ExecMask::M3_NM, "M3_NM"),
            (ExecMask::M4_NM, "M4_NM"),
            (ExecMask::M5_NM, "M5_NM"),
            (ExecMask::M6_NM, "M6_NM"),
            (ExecMask::M7_NM, "M7_NM"),
            (ExecMask::M8_NM, "M8_NM"),
        ]);
    } else {
        masks.extend((9..=15).map(|nibble| (ExecMask::legacy(nibble).expect("an old mask"), "M1")));
    }
    let sizes = [
        (ExecSize::S1, 1),
        (ExecSize::S2, 2),
        (ExecSize::S4, 4),
        (ExecSize::S8, 8),
        (ExecSize::S16, 16),
        (ExecSize::S32, 32),
    ];
    let masks = masks.into_iter().map(|mask| (mask, (ExecSize::S4, 4)));
    let sizes = sizes.into_iter().map(|size| ((ExecMask::M1, "M1"), size));
    let row = |((mask, mask_text), (size, lanes))| {
        let mov = Mov {
            exec: exec(mask, size),
            pred: Pred::NONE,
            dst: dst(32, 0, 1),
            src0: src(33, 1, 2),
        };
        Row::new(mov, format!("mov ({mask_text}, {lanes}) V32(0,1)<1> V33(1,2)<8;8,1>"))
    };
    masks.chain(sizes).map(row).collect()
}

fn predicates() -> Vec<Row> {
    let predicates = [
        (Pred::NONE, ""),
        (when(P1), "(P1)"),
        (when(P2).inverted(), "(!P2)"),
        (when(P3).with_control(PredControl::ANY), "(P3.any)"),
        (when(PredId(4)).inverted().with_control(PredControl::ALL), "(!P4.all)"),
    ];
    let row = |(pred, text)| {
        let mov = Mov { exec: ExecSize::S4.into(), pred, dst: dst(32, 0, 1), src0: src(33, 1, 2) };
        Row::new(mov, format!("{text} mov (M1, 4) V32(0,1)<1> V33(1,2)<8;8,1>"))
    };
    predicates.into_iter().map(row).collect()
}

fn sources() -> Vec<Row> {
    let region = |vertical, width, horizontal| {
        Vector::general(VarId(40), Region::new(vertical, width, horizontal))
    };
    let mut sources = scalars();
    sources.extend([
        (region(Stride::S16, Stride::S4, Stride::S2), "V40(0,0)<16;4,2>"),
        (region(Stride::S32, Stride::S16, Stride::S0), "V40(0,0)<32;16,0>"),
        (region(Stride::S1, Stride::S2, Stride::S4), "V40(0,0)<1;2,4>"),
        (Vector::address(A1, 3, AddrWidth::W16), "A1(3)<16>"),
        (
            indirect(32, DataType::HF, Region::new(Stride::NULL, Stride::S4, Stride::S1)),
            "r[A1(3),32]<4,1>:hf",
        ),
    ]);
    let row = |(src0, text)| {
        let mov = Mov { exec: ExecSize::S8.into(), pred: Pred::NONE, dst: dst(32, 0, 1), src0 };
        Row::new(mov, format!("mov (M1, 8) V32(0,1)<1> {text}"))
    };
    sources.into_iter().map(row).collect()
}

fn destinations() -> Vec<Row> {
    let (exec, pred) = (ExecSize::S8.into(), Pred::NONE);
    let src0 = src(33, 1, 2);
    let strided = Vector::general(VarId(32), Region::dst(Stride::S4));
    let address = Vector::address(A1, 3, AddrWidth::W8);
    rows![
        Mov { exec, pred, dst: dst(32, 7, 5), src0 } => "mov (M1, 8) V32(7,5)<1> V33(1,2)<8;8,1>",
        Mov { exec, pred, dst: Dst(strided), src0 }
            => "mov (M1, 8) V32(0,0)<4> V33(1,2)<8;8,1>",
        Mov { exec, pred, dst: Dst(strided.with_modifier(Modifier::SAT)), src0 }
            => "mov.sat (M1, 8) V32(0,0)<4> V33(1,2)<8;8,1>",
        Mov { exec, pred, dst: Dst(Vector::general(VarId::NULL, Region::dst(Stride::S1))), src0 }
            => "mov (M1, 8) %null(0,0)<1> V33(1,2)<8;8,1>",
        Mov { exec, pred, dst: Dst(indirect(-9, DataType::W, Region::dst(Stride::S2))), src0 }
            => "mov (M1, 8) r[A1(3),-9]<2>:w V33(1,2)<8;8,1>",
        Mov { exec, pred, dst: Dst(address), src0 } => "mov (M1, 8) A1(3)<8> V33(1,2)<8;8,1>",
        Movs { exec, dst: Dst(Vector::sampler(S1, 1)), src0 }
            => "movs (M1, 8) S1(1) V33(1,2)<8;8,1>",
        // GenX_IR multiplies the offset by 2 when it reads it, and by 4 when it prints it.
        AddrAdd { exec, dst: Dst(address), src0: Vector::surface(T7, 1).into(),
                  src1: src(34, 2, 3) }
            => "addr_add (M1, 8) A1(3)<8> &T7[8] V34(2,3)<8;8,1>",
        AddrAdd { exec, dst: Dst(address), src0: Vector::sampler(S1, 0).into(),
                  src1: src(34, 2, 3) }
            => "addr_add (M1, 8) A1(3)<8> &S1 V34(2,3)<8;8,1>",
    ]
}
