//! Cases for the rules of operands.

use super::{Case, case};
use genvisa::Platform::{PvcSdv, PvcXt, Skl, Xe3};
use genvisa::isa::Mov;
use genvisa::object::Code;
use genvisa::operand::Stride as S;
use genvisa::operand::{
    AddrId, AddressOf, DataType, Dst, Imm, Modifier, Pred, PredControl, PredId, Raw, Region,
    SamplerId, StateClass, SurfaceId, VarId, Vector, VectorKind,
};
use genvisa::{Dialect, Format, Instruction, Module, Version};

/// A text and the change to its module.
type Changed = (&'static str, fn(&mut Module<'static>));

/// Declares V140, the first variable after the prologue's.
const MOV: &str = ".decl last v_type=G type=ud num_elts=8 align=GRF
    mov (M1, 8) ud_8(0,0)<1> ud_8(0,0)<8;8,1>";
const MOV_32: &str = "mov (M1, 32) ud_32(0,0)<1> ud_32(0,0)<16;16,1>";
const OWORD_LD: &str = ".decl last v_type=G type=ud num_elts=8 align=GRF
    oword_ld (1) T6 0x0:ud ud_8.0";
const ADDR_ADD: &str = "addr_add (M1, 8) addr_8(0)<8> &ud_8 0x0:uw";
const MOVS: &str = "movs (M1, 1) ud_1(0,0)<1> S1(0)";

/// Changes the first instruction.
fn edit(module: &mut Module<'static>, change: fn(&mut Instruction)) {
    let format = module.format;
    let body = &mut module.kernels[0].body;
    let items: Result<Vec<_>, _> = body.code.instructions(format).collect();
    let items = items.expect("valid code");
    let mut all: Vec<Instruction> = items.into_iter().map(|(_, i)| i).collect();
    change(&mut all[0]);
    body.code = Code::from_instructions(&all, format).expect("encodable");
}

macro_rules! edited {
    ($text:expr, $variant:ident, |$i:ident| $change:expr) => {{
        let changed: Changed = ($text, |module| {
            edit(module, |instruction| match instruction {
                Instruction::$variant($i) => $change,
                other => panic!("{other:?}"),
            })
        });
        changed
    }};
}

macro_rules! mov {
    (|$i:ident| $change:expr) => {
        edited!(MOV, Mov, |$i| $change)
    };
}

fn read(i: &mut Mov, var: u32, region: Region) {
    i.src0 = Vector::general(VarId(var), region);
}

/// The ids of `ud_8` and `ud_128`.
const UD_8: u32 = 32 + 4 * 9 + 3;
const UD_128: u32 = 32 + 4 * 9 + 8;

fn region(i: &mut Mov, vertical: S, width: S, horizontal: S) {
    read(i, UD_128, Region::new(vertical, width, horizontal));
}

fn indirect(i: &mut Mov, addr: u16, first: u8, offset: i16, ty: DataType, region: Region) {
    i.src0 = Vector::indirect(AddrId(addr), first, offset, ty, region);
}

const ROW: Region = Region::new(S::S8, S::S8, S::S1);
const EACH: Region = Region::new(S::NULL, S::S1, S::S0);

fn code(bits: u8) -> S {
    S::from_bits(bits).expect("four bits")
}

fn pred(id: u16) -> Pred {
    Pred::new(PredId(id)).expect("a small id")
}

pub fn cases() -> Vec<Case> {
    [lanes(), classes(), modifiers(), regions(), positions(), addresses(), states(), raws()]
        .into_iter()
        .flatten()
        .collect()
}

fn lanes() -> Vec<Case> {
    let mov =
        |mask: &str, pred: &str| format!("{pred} mov ({mask}) ud_16(0,0)<1> ud_16(0,0)<1;1,0>");
    let case = |rule, violating: String, legal: String| case(rule, &*violating, &*legal);
    vec![
        case("exec-mask", mov("M6, 16", ""), mov("M5, 16", "")),
        case("exec-mask", mov("M8_NM, 8", ""), mov("M7_NM, 8", "")),
        case("exec-mask-aligned", mov("M2, 8", ""), mov("M3, 8", "")),
        case("exec-mask-aligned", mov("M3, 16", ""), mov("M1, 16", "")),
        case("exec-mask-octet", mov("M2, 4", ""), mov("M2_NM, 4", "")).on(PvcXt),
        case("predicate-octet", mov("M2_NM, 4", "(flag_32)"), mov("M3_NM, 4", "(flag_32)"))
            .on(PvcXt),
        case("predicate-width", mov("M5, 8", "(flag_16)"), mov("M5, 8", "(flag_32)")),
        super::case(
            "predicate-width",
            "setp (M1, 32) flag_16 ud_32(0,0)<1;1,0>",
            "setp (M1, 32) flag_32 ud_32(0,0)<1;1,0>",
        ),
        case("predicate-lanes", mov("M3, 8", "(flag_8)"), mov("M3, 8", "(flag_16)")),
        case("predicate-lanes", mov("M1, 16", "(flag_8.any)"), mov("M1, 8", "(flag_8.any)")),
        super::case(
            "predicate-lanes",
            "(flag_8) sel (M1, 16) ud_16(0,0)<1> ud_16(0,0)<1;1,0> 0x0:ud",
            "(flag_8) sel (M1, 8) ud_16(0,0)<1> ud_16(0,0)<1;1,0> 0x0:ud",
        ),
        super::case(
            "predicate-lanes",
            "cmp.eq (M1, 16) flag_8 ud_16(0,0)<1;1,0> 0x0:ud",
            "cmp.eq (M1, 8) flag_8 ud_16(0,0)<1;1,0> 0x0:ud",
        ),
        super::case(
            "predicate-lanes",
            "or (M1, 16) flag_16 flag_16 flag_8",
            "or (M1, 8) flag_16 flag_8 flag_8",
        ),
        super::case("predicate-exists", mov!(|i| i.pred = pred(5)), mov!(|i| i.pred = pred(4))),
        super::case("predicate-zero", mov!(|i| i.pred = Pred::NONE.inverted()), MOV),
        super::case(
            "predicate-combine",
            mov!(|i| i.pred = Pred::from_bits(0x6002).expect("no reserved bit")),
            mov!(|i| i.pred = pred(2).with_control(PredControl::ALL)),
        ),
        super::case(
            "predicate-exists",
            edited!("setp (M1, 8) flag_8 ud_8(0,0)<1;1,0>", Setp, |i| i.dst =
                Dst(Vector::predicate(pred(5)))),
            "setp (M1, 8) flag_32 ud_8(0,0)<1;1,0>",
        ),
    ]
}

fn classes() -> Vec<Case> {
    let newer = Format::new(Dialect::Igc2026, Version::V3_6);
    vec![
        case("operand-exists", mov!(|i| read(i, 141, ROW)), mov!(|i| read(i, 140, ROW))),
        case(
            "operand-exists",
            mov!(|i| i.dst = Dst::new(VarId(141))),
            mov!(|i| i.dst = Dst::new(VarId(140))),
        ),
        case("reserved-variable", mov!(|i| read(i, 21, ROW)), mov!(|i| read(i, 20, ROW))),
        case("reserved-variable", mov!(|i| read(i, 31, ROW)), mov!(|i| read(i, 7, ROW))),
        case("reserved-variable", mov!(|i| read(i, 22, ROW)), mov!(|i| read(i, 21, ROW)))
            .format(newer),
        case(
            "reserved-variable",
            edited!(OWORD_LD, OwordLd, |i| i.dst.var = VarId(21)),
            edited!(OWORD_LD, OwordLd, |i| i.dst.var = VarId(8)),
        ),
        case(
            "dst-read-only",
            "mov (M1, 8) %r0(0,0)<1> ud_8(0,0)<8;8,1>",
            "mov (M1, 8) %arg(0,0)<1> ud_8(0,0)<8;8,1>",
        ),
        case(
            "dst-read-only",
            "mov (M1, 1) %sr0(0,0)<1> ud_8(0,0)<0;1,0>",
            "mov (M1, 1) %sr0(0,2)<1> ud_8(0,0)<0;1,0>",
        ),
        case(
            "scalar-operand",
            edited!(OWORD_LD, OwordLd, |i| i.offset = Vector::predicate(pred(2))),
            edited!(OWORD_LD, OwordLd, |i| i.offset = Vector::scalar(VarId(UD_8))),
        ),
        case(
            "imm-type",
            mov!(|i| i.src0 = Imm::bool(true).into()),
            mov!(|i| i.src0 = Imm::ud(1).into()),
        ),
        case("imm-dst", mov!(|i| i.dst = Dst(Imm::ud(1).into())), MOV),
    ]
}

fn modifiers() -> Vec<Case> {
    vec![
        case(
            "operand-modifier-class",
            mov!(|i| i.src0 = Vector::from(Imm::ud(1)).with_modifier(Modifier::NEG)),
            mov!(|i| i.src0 = Imm::ud(1).into()),
        ),
        case(
            "src-modifier-arith",
            "and (M1, 8) ud_8(0,0)<1> (-)ud_8(0,0)<8;8,1> ud_8(0,0)<8;8,1>",
            "shl (M1, 8) d_8(0,0)<1> (-)d_8(0,0)<8;8,1> d_8(0,0)<8;8,1>",
        ),
        case(
            "src-modifier-logic",
            "mov (M1, 8) ud_8(0,0)<1> (~)ud_8(0,0)<8;8,1>",
            "and (M1, 8) ud_8(0,0)<1> (~)ud_8(0,0)<8;8,1> ud_8(0,0)<8;8,1>",
        ),
        case(
            "modifier-known",
            mov!(|i| i.src0.modifier = Modifier::from_bits(6).expect("three bits")),
            mov!(|i| i.src0.modifier = Modifier::ABS),
        ),
    ]
}

fn regions() -> Vec<Case> {
    use genvisa::operand::Stride as S;
    vec![
        case(
            "region-zero-width",
            mov!(|i| region(i, S::S8, S::S0, S::S1)),
            mov!(|i| region(i, S::S8, S::S1, S::S1)),
        ),
        case(
            "dst-stride",
            "mov (M1, 8) ud_8(0,0)<0> ud_8(0,0)<8;8,1>",
            "mov (M1, 8) ud_32(0,0)<4> ud_8(0,0)<8;8,1>",
        ),
        case(
            "region-stride-null",
            mov!(|i| region(i, S::S8, S::S8, S::NULL)),
            mov!(|i| region(i, S::S8, S::S8, S::S0)),
        ),
        case(
            "region-stride-null",
            mov!(|i| i.dst = Dst(Vector::general(VarId(UD_8), Region::dst(S::NULL)))),
            mov!(|i| i.dst = Dst(Vector::general(VarId(UD_8), Region::new(S::S0, S::S0, S::S1)))),
        ),
        case(
            "region-hstride",
            mov!(|i| region(i, S::S0, S::S1, S::S8)),
            mov!(|i| region(i, S::S0, S::S1, S::S4)),
        ),
        case(
            "region-hstride",
            mov!(|i| i.dst = Dst(Vector::general(VarId(UD_128), Region::dst(S::S8)))),
            mov!(|i| i.dst = Dst(Vector::general(VarId(UD_128), Region::dst(S::S4)))),
        ),
        case(
            "region-width",
            mov!(|i| region(i, S::S16, S::S16, S::S1)),
            mov!(|i| region(i, S::S8, S::S8, S::S1)),
        ),
        case(
            "region-width",
            edited!(MOV_32, Mov, |i| region(i, S::S32, S::S32, S::S1)),
            edited!(MOV_32, Mov, |i| region(i, S::S16, S::S16, S::S1)),
        ),
        case(
            "region-code",
            mov!(|i| region(i, code(8), S::S8, S::S1)),
            mov!(|i| region(i, code(7), S::S8, S::S1)),
        ),
        case(
            "region-general-vxh",
            mov!(|i| region(i, S::NULL, S::S8, S::S1)),
            mov!(|i| region(i, S::S0, S::S8, S::S1)),
        ),
    ]
}

fn positions() -> Vec<Case> {
    vec![
        case(
            "region-span",
            "addr_add (M1, 8) addr_8(0)<8> &ud_8 uw_128(0,0)<16;1,0>",
            "addr_add (M1, 8) addr_8(0)<8> &ud_8 uw_128(0,0)<4;1,0>",
        ),
        case(
            "operand-bounds",
            "mov (M1, 16) ud_16(0,0)<1> ud_15(0,0)<1;1,0>",
            "mov (M1, 16) ud_16(0,0)<1> ud_16(0,0)<1;1,0>",
        ),
        case(
            "operand-bounds",
            "mov (M1, 16) ud_15(0,0)<1> ud_16(0,0)<1;1,0>",
            "mov (M1, 8) ud_15(0,0)<2> ud_8(0,0)<1;1,0>",
        ),
        case(
            "operand-bounds",
            "mov (M1, 8) ud_8(0,0)<1> ud_16(1,0)<8;4,2>",
            "mov (M1, 8) ud_8(0,0)<1> ud_16(0,0)<8;4,2>",
        ),
        case(
            "operand-bounds",
            "oword_ld (1) T6 ud_8(1,0)<0;1,0> ud_16.0",
            "oword_ld (1) T6 ud_8(0,7)<0;1,0> ud_16.0",
        ),
        case(
            "operand-bounds",
            "mov (M1, 8) ud_8(0,0)<1> ud_16(1,0)<1;1,0>",
            "mov (M1, 8) ud_8(0,0)<1> ud_32(1,0)<1;1,0>",
        )
        .on(PvcSdv),
        case(
            "operand-column",
            "mov (M1, 1) ud_1(0,0)<1> ud_16(0,8)<0;1,0>",
            "mov (M1, 1) ud_1(0,0)<1> ud_16(0,7)<0;1,0>",
        )
        .on(Skl),
        case(
            "operand-column",
            "mov (M1, 1) ud_1(0,0)<1> ud_32(0,16)<0;1,0>",
            "mov (M1, 1) ud_1(0,0)<1> ud_16(0,15)<0;1,0>",
        ),
        case(
            "operand-column",
            "mov (M1, 1) ud_1(0,0)<1> ud_32(0,16)<0;1,0>",
            "mov (M1, 1) ud_1(0,0)<1> ud_16(0,15)<0;1,0>",
        )
        .on(PvcSdv),
    ]
}

fn addresses() -> Vec<Case> {
    use DataType as T;
    vec![
        case(
            "address-exists",
            mov!(|i| indirect(i, 3, 0, 0, T::UD, ROW)),
            mov!(|i| indirect(i, 2, 0, 0, T::UD, ROW)),
        ),
        case(
            "address-bounds",
            mov!(|i| indirect(i, 1, 1, 0, T::UD, EACH)),
            mov!(|i| indirect(i, 1, 0, 0, T::UD, EACH)),
        ),
        case("address-bounds", "addr_add (M1, 8) addr_8(1)<8> &ud_8 0x0:uw", ADDR_ADD),
        case(
            "address-bounds",
            edited!(ADDR_ADD, AddrAdd, |i| i.src0 = source_address(1, 4, 3)),
            edited!(ADDR_ADD, AddrAdd, |i| i.src0 = source_address(2, 4, 3)),
        ),
        case(
            "indirect-offset",
            mov!(|i| indirect(i, 1, 0, 512, T::UD, ROW)),
            mov!(|i| indirect(i, 1, 0, 511, T::UD, ROW)),
        ),
        case(
            "indirect-offset",
            mov!(|i| indirect(i, 1, 0, -513, T::UD, ROW)),
            mov!(|i| indirect(i, 1, 0, -512, T::UD, ROW)),
        ),
        case(
            "indirect-type",
            mov!(|i| indirect(i, 1, 0, 0, T::UV, ROW)),
            mov!(|i| indirect(i, 1, 0, 0, T::UD, ROW)),
        ),
        case(
            "indirect-addresses",
            edited!(MOV_32, Mov, |i| indirect(i, 2, 0, 0, T::UD, EACH)),
            edited!(MOV_32, Mov, |i| indirect(
                i,
                2,
                0,
                0,
                T::UD,
                Region::new(S::NULL, S::S2, S::S1)
            )),
        ),
        case(
            "indirect-addresses",
            edited!(MOV_32, Mov, |i| indirect(i, 2, 0, 0, T::UD, EACH)),
            mov!(|i| indirect(i, 1, 0, 0, T::UD, EACH)),
        ),
        case(
            "address-exists",
            mov!(|i| indirect(i, 3, 0, 0, T::UD, EACH)),
            edited!(MOV_32, Mov, |i| indirect(i, 2, 0, 0, T::UD, EACH)),
        )
        .on(Xe3),
    ]
}

fn source_address(addr: u16, first: u8, width: u8) -> AddressOf {
    let width = genvisa::operand::AddrWidth::from_bits(width).expect("a byte");
    AddressOf(Vector::address(AddrId(addr), first, width))
}

fn states() -> Vec<Case> {
    vec![
        case(
            "surface-exists",
            edited!(OWORD_LD, OwordLd, |i| i.surface = SurfaceId(8)),
            edited!(OWORD_LD, OwordLd, |i| i.surface = SurfaceId(7)),
        ),
        case(
            "surface-exists",
            edited!(MOVS, Movs, |i| i.src0 = Vector::surface(SurfaceId(8), 0)),
            edited!(MOVS, Movs, |i| i.src0 = Vector::surface(SurfaceId(7), 0)),
        ),
        case(
            "sampler-exists",
            edited!(MOVS, Movs, |i| i.src0 = Vector::sampler(SamplerId(2), 0)),
            MOVS,
        ),
        case(
            "sampler-exists",
            "sample.R (8) S31 T6 f_8.0 f_8.0 f_8.0 f_8.0",
            "sample.R (8) S1 T6 f_8.0 f_8.0 f_8.0 f_8.0",
        ),
        case(
            "sampler-exists",
            edited!(MOVS, Movs, |i| i.src0.kind =
                VectorKind::State { class: StateClass::SAMPLER, index: 30, offset: 0 }),
            edited!(MOVS, Movs, |i| i.src0 = Vector::sampler(SamplerId::BINDLESS, 0)),
        ),
    ]
}

fn raws() -> Vec<Case> {
    vec![
        case(
            "raw-exists",
            edited!(OWORD_LD, OwordLd, |i| i.dst = Raw::from(VarId(141))),
            edited!(OWORD_LD, OwordLd, |i| i.dst = Raw::from(VarId(140))),
        ),
        case("raw-aligned", "oword_ld (1) T6 0x0:ud ud_16.16", "oword_ld (1) T6 0x0:ud ud_16.32"),
        case(
            "raw-aligned",
            ".decl a v_type=G type=ud num_elts=24 align=GRF alias=<ud_32, 32>
            .decl b v_type=G type=ud num_elts=16 align=GRF alias=<a, 4>
            oword_ld (1) T6 0x0:ud b.0",
            ".decl a v_type=G type=ud num_elts=24 align=GRF alias=<ud_32, 32>
            .decl b v_type=G type=ud num_elts=16 align=GRF alias=<a, 4>
            oword_ld (1) T6 0x0:ud b.28",
        ),
        // Raw operands of variables smaller than a register may begin anywhere.
        case("raw-aligned", "oword_ld (1) T6 0x0:ud ud_8.4", "oword_ld (1) T6 0x0:ud ud_7.4"),
        case("raw-aligned", "oword_ld (1) T6 0x0:ud ud_32.32", "oword_ld (1) T6 0x0:ud ud_32.64")
            .on(PvcSdv),
        case("raw-bounds", "oword_ld (1) T6 0x0:ud ud_8.32", "oword_ld (1) T6 0x0:ud ud_16.32"),
    ]
}
