//! The accesses, block ends and messages that instructions report about themselves.

use genvisa::isa::AccessKind::{self, AddressTaken, Read, Write};
use genvisa::isa::IdClass::{self, Address, Label, Predicate, Sampler, String, Surface, Variable};
use genvisa::isa::svm::{BlockSt, SvmAtomic};
use genvisa::isa::{
    Add, AddrAdd, Barrier, Call, Cmp, Dpas, DwordAtomic, Fence, Goto, Id, Ifcall, Info, Jmp, Kind,
    Lifetime, LscFence, MediaLd, MediaSt, Mov, Movs, OwordLd, Params, RawSend, RawSends, Ret,
    RtWrite, Sample3d, Setp, SwitchJmp, UrbWrite, VmeIme,
};
use genvisa::operand::{
    AddrId, AddrWidth, AddressOf, CmpDst, DataType, Dst, IfcallFlags, Imm, LifetimeClass,
    LifetimeProperties, Pred, PredId, Raw, Region, SamplerId, SendFlags, Stride, SurfaceId, VarId,
    Vector,
};
use genvisa::strategy::rows;
use genvisa::{Format, Instruction};
use genvisa_test_support::formats;
use genvisa_test_support::random::runner;

fn var(number: u32) -> Vector {
    Vector::scalar(VarId(number))
}

fn raw(number: u32) -> Raw {
    VarId(number).into()
}

fn predicate(number: u16) -> Pred {
    Pred::new(PredId(number)).expect("a small id")
}

fn accesses(instruction: &Instruction) -> Vec<(IdClass, u32, AccessKind)> {
    let mut accesses = Vec::new();
    instruction
        .visit_accesses(|access| accesses.push((access.id.class, access.id.number, access.kind)));
    accesses
}

#[track_caller]
fn assert_accesses(instruction: impl Into<Instruction>, expected: &[(IdClass, u32, AccessKind)]) {
    let instruction = instruction.into();
    assert_eq!(accesses(&instruction), expected, "{instruction:?}");
    for &(class, number, kind) in expected {
        let id = Id { class, number };
        let has = |kind| expected.contains(&(class, number, kind));
        assert_eq!(instruction.reads(id), has(Read), "{kind:?} of {id:?}");
        assert_eq!(instruction.writes(id), has(Write), "{kind:?} of {id:?}");
    }
}

#[test]
fn every_id_is_accessed_except_labels_and_strings() {
    for (salt, format) in formats::all().into_iter().enumerate() {
        for (opcode, row) in rows(format) {
            let result = runner(8, salt).run(&row, |instruction| {
                let (mut ids, mut accessed) = (Vec::new(), Vec::new());
                instruction.visit_ids(|id| ids.push(id));
                ids.retain(|id| !matches!(id.class, Label | String));
                instruction.visit_accesses(|access| accessed.push(access.id));
                proptest::prop_assert_eq!(accessed, ids);
                Ok(())
            });
            result.unwrap_or_else(|error| panic!("opcode {opcode:#04x} in {format}: {error}"));
        }
    }
}

#[test]
fn arithmetic_reads_its_sources_and_predicate_and_writes_its_destination() {
    let mov = Mov { pred: predicate(1), dst: Dst::new(VarId(33)), src0: var(32), ..Mov::default() };
    assert_accesses(mov, &[(Predicate, 1, Read), (Variable, 33, Write), (Variable, 32, Read)]);
    // A variable that is both source and destination has two accesses.
    let add =
        Add { dst: Dst::new(VarId(32)), src0: var(32), src1: Imm::d(1).into(), ..Add::default() };
    assert_accesses(add, &[(Variable, 32, Write), (Variable, 32, Read)]);
    let dpas = Dpas {
        pred: Some(predicate(2)),
        dst: raw(35),
        src0: raw(34),
        src1: raw(33),
        src2: var(32),
        ..Dpas::default()
    };
    assert_accesses(
        dpas,
        &[
            (Predicate, 2, Read),
            (Variable, 35, Write),
            (Variable, 34, Read),
            (Variable, 33, Read),
            (Variable, 32, Read),
        ],
    );
}

#[test]
fn indirect_destinations_read_the_address_variable() {
    let dst = Vector::indirect(AddrId(3), 0, 32, DataType::D, Region::dst(Stride::S1));
    let add = Add { dst: dst.into(), src0: var(32), src1: var(33), ..Add::default() };
    assert_accesses(add, &[(Address, 3, Read), (Variable, 32, Read), (Variable, 33, Read)]);
}

#[test]
fn comparisons_write_predicates_or_variables() {
    let to_predicate = CmpDst(Vector::predicate(predicate(4)));
    let cmp = Cmp { dst: to_predicate, src0: var(32), src1: var(33), ..Cmp::default() };
    assert_accesses(cmp, &[(Predicate, 4, Write), (Variable, 32, Read), (Variable, 33, Read)]);
    let cmp = Cmp { dst: CmpDst(var(34)), src0: var(32), src1: var(33), ..Cmp::default() };
    assert_accesses(cmp, &[(Variable, 34, Write), (Variable, 32, Read), (Variable, 33, Read)]);
    let setp =
        Setp { dst: Vector::predicate(predicate(1)).into(), src0: var(32), ..Setp::default() };
    assert_accesses(setp, &[(Predicate, 1, Write), (Variable, 32, Read)]);
}

#[test]
fn address_arithmetic_takes_addresses() {
    let a1 = Vector::address(AddrId(1), 0, AddrWidth::W8);
    let sum = |src0| AddrAdd {
        dst: a1.into(),
        src0: AddressOf(src0),
        src1: var(33),
        ..AddrAdd::default()
    };
    let accesses = [(Address, 1, Write), (Variable, 32, AddressTaken), (Variable, 33, Read)];
    assert_accesses(sum(var(32)), &accesses);
    let accesses = [(Address, 1, Write), (Surface, 7, AddressTaken), (Variable, 33, Read)];
    assert_accesses(sum(Vector::surface(SurfaceId(7), 0)), &accesses);
    let a0 = Vector::address(AddrId(0), 0, AddrWidth::W8);
    let accesses = [(Address, 1, Write), (Address, 0, Read), (Variable, 33, Read)];
    assert_accesses(sum(a0), &accesses);
}

#[test]
fn moves_of_states_write_surfaces_and_samplers() {
    let movs = Movs {
        dst: Vector::sampler(SamplerId(2), 0).into(),
        src0: Vector::surface(SurfaceId(6), 0),
        ..Movs::default()
    };
    assert_accesses(movs, &[(Sampler, 2, Write), (Surface, 6, Read)]);
}

#[test]
fn reads_of_memory_write_their_destination() {
    let media_ld = MediaLd {
        surface: SurfaceId(6),
        x_offset: var(33),
        y_offset: Imm::ud(0).into(),
        dst: raw(34),
        ..MediaLd::default()
    };
    assert_accesses(media_ld, &[(Surface, 6, Read), (Variable, 33, Read), (Variable, 34, Write)]);
    let oword_ld =
        OwordLd { surface: SurfaceId(6), offset: var(32), dst: raw(33), ..OwordLd::default() };
    assert_accesses(oword_ld, &[(Surface, 6, Read), (Variable, 32, Read), (Variable, 33, Write)]);
    let info =
        Info { surface: SurfaceId(9).into(), lod: Some(raw(32)), dst: raw(33), ..Info::default() };
    assert_accesses(info, &[(Surface, 9, Read), (Variable, 32, Read), (Variable, 33, Write)]);
    let sample = Sample3d {
        pred: predicate(1),
        sampler: SamplerId(3).into(),
        surface: SurfaceId(6).into(),
        dst: raw(34),
        params: Params::new(&[raw(32), raw(33)]).expect("at most 15"),
        ..Sample3d::default()
    };
    assert_accesses(
        sample,
        &[
            (Predicate, 1, Read),
            (Sampler, 3, Read),
            (Surface, 6, Read),
            (Variable, 34, Write),
            (Variable, 32, Read),
            (Variable, 33, Read),
        ],
    );
}

#[test]
fn writes_of_memory_only_read() {
    let media_st = MediaSt {
        surface: SurfaceId(6),
        x_offset: var(32),
        y_offset: var(33),
        src: raw(34),
        ..MediaSt::default()
    };
    assert_accesses(
        media_st,
        &[(Surface, 6, Read), (Variable, 32, Read), (Variable, 33, Read), (Variable, 34, Read)],
    );
    let block_st = BlockSt { address: var(32), src: raw(33), ..BlockSt::default() };
    assert_accesses(block_st, &[(Variable, 32, Read), (Variable, 33, Read)]);
    let rt_write = RtWrite {
        pred: predicate(1),
        surface: SurfaceId(6).into(),
        rt_index: Some(Imm::ub(1).into()),
        omask: Some(raw(36)),
        r: raw(32),
        g: raw(33),
        b: raw(34),
        a: raw(35),
        ..RtWrite::default()
    };
    assert_accesses(
        rt_write,
        &[
            (Predicate, 1, Read),
            (Surface, 6, Read),
            (Variable, 0, Read),
            (Variable, 36, Read),
            (Variable, 32, Read),
            (Variable, 33, Read),
            (Variable, 34, Read),
            (Variable, 35, Read),
        ],
    );
}

#[test]
fn atomics_read_their_sources_and_write_their_destination() {
    let atomic = DwordAtomic {
        surface: SurfaceId(6),
        element_offset: raw(32),
        src0: raw(33),
        dst: raw(34),
        ..DwordAtomic::default()
    };
    assert_accesses(
        atomic,
        &[
            (Surface, 6, Read),
            (Variable, 32, Read),
            (Variable, 33, Read),
            (Variable, 0, Read),
            (Variable, 34, Write),
        ],
    );
    let atomic =
        SvmAtomic { addresses: raw(32), src0: raw(33), dst: raw(34), ..SvmAtomic::default() };
    assert_accesses(
        atomic,
        &[(Variable, 32, Read), (Variable, 33, Read), (Variable, 0, Read), (Variable, 34, Write)],
    );
}

#[test]
fn raw_sends_read_and_write_whole_variables() {
    let send = RawSend {
        pred: predicate(1),
        desc: Vector::address(AddrId(0), 0, AddrWidth::W1),
        src: raw(32),
        dst: raw(33),
        ..RawSend::default()
    };
    assert_accesses(
        send,
        &[(Predicate, 1, Read), (Address, 0, Read), (Variable, 32, Read), (Variable, 33, Write)],
    );
}

#[test]
fn lifetimes_begin_with_a_write_and_end_with_a_read() {
    let lifetime =
        |class, end| Lifetime { properties: LifetimeProperties { end, class }, variable: VarId(5) };
    assert_accesses(lifetime(LifetimeClass::GENERAL, false), &[(Variable, 5, Write)]);
    assert_accesses(lifetime(LifetimeClass::PREDICATE, true), &[(Predicate, 5, Read)]);
    assert_accesses(lifetime(LifetimeClass::ADDRESS, true), &[(Address, 5, Read)]);
}

#[test]
fn jumps_and_returns_end_blocks_and_calls_do_not() {
    let pred = predicate(1);
    let eot = SendFlags::EOT;
    let no_return = Some(IfcallFlags::NO_RETURN);
    // The instruction, whether it ends a block, and whether control may continue after it.
    let cases: [(Instruction, bool, bool); 13] = [
        (Jmp::default().into(), true, false),
        (Jmp { pred, ..Jmp::default() }.into(), true, true),
        (Goto { pred, ..Goto::default() }.into(), true, true),
        (SwitchJmp::default().into(), true, false),
        (Ret::default().into(), true, false),
        (Ret { pred, ..Ret::default() }.into(), true, true),
        (Call::default().into(), false, true),
        (Ifcall::default().into(), false, true),
        (Ifcall { modifiers: no_return, ..Ifcall::default() }.into(), true, false),
        (RawSends::default().into(), false, true),
        (RawSends { modifiers: eot, ..RawSends::default() }.into(), true, false),
        (Barrier {}.into(), false, true),
        (Mov::default().into(), false, true),
    ];
    for (instruction, ends_block, falls_through) in cases {
        assert_eq!(instruction.ends_block(), ends_block, "{instruction:?}");
        assert_eq!(instruction.falls_through(), falls_through, "{instruction:?}");
    }
}

#[test]
fn messages_transfer_data() {
    let messages: [Instruction; 6] = [
        MediaLd::default().into(),
        Info::default().into(),
        BlockSt::default().into(),
        RawSends::default().into(),
        VmeIme::default().into(),
        UrbWrite::default().into(),
    ];
    for instruction in messages {
        assert!(instruction.is_message(), "{instruction:?}");
    }
    let others: [Instruction; 5] = [
        Barrier {}.into(),
        Fence::default().into(),
        LscFence::default().into(),
        Dpas::default().into(),
        Lifetime::default().into(),
    ];
    for instruction in others {
        assert!(!instruction.is_message(), "{instruction:?}");
    }
    for (_, row) in rows(Format::default()) {
        let result = runner(4, 0).run(&row, |instruction| {
            let kind = instruction.kind();
            let is_other = kind.is_arithmetic() || kind == Kind::Flow;
            proptest::prop_assert!(!(is_other && instruction.is_message()));
            Ok(())
        });
        result.expect("arithmetic and jumps are no messages");
    }
}
