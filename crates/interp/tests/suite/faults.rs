//! What stops a run, with its message.

use genvisa::isa::IdClass;
use genvisa::operand::VarId;
use genvisa_interp::{Fault, FaultKind, Machine, Program, Source, ThreadStart};

use crate::support::{fault, kernel, program, run, variable};

#[track_caller]
fn assert_fault(statements: &str, expected: &str) {
    assert_eq!(fault(statements).to_string(), expected);
}

#[test]
fn an_address_that_nobody_wrote_names_the_instruction_that_computed_it() {
    assert_fault(
        "    add (M1, 16) q(0,0)<1> p(0,0)<1;1,0> 0x40:uq
    lsc_load.ugm (M1, 16) a:d32 flat[q]:a64",
        "\
lane 0, addrs: the address depends on a value that was never written: byte 0 of p, which $0 reads: \
add (M1, 16) q(0,0)<1> p(0,0)<1;1,0> 0x40:uq
  --> k $1, group (0, 0, 0), thread 0
  |  lsc_load.ugm (M1, 16)  a:d32  flat[q]:a64",
    );
}

#[test]
fn a_branch_on_what_nobody_wrote_is_a_fault() {
    assert_fault(
        "    cmp.lt (M1, 16) P1 a(0,0)<1;1,0> 0x4:ud
    (P1) goto (M1, 16) end
end:",
        "\
lane 0, pred: the predicate depends on a value that was never written: element 0 of P1
  --> k $1, group (0, 0, 0), thread 0
  |  (P1) goto (M1, 16) end",
    );
}

#[test]
fn copies_and_masks_of_undefined_bits_are_no_faults() {
    let statements = "    mov (M1, 16) b(0,0)<1> a(0,0)<1;1,0>
    and (M1, 16) b(0,0)<1> b(0,0)<1;1,0> 0x0:ud
    cmp.eq (M1, 16) P1 b(0,0)<1;1,0> 0x0:ud
    (P1) goto (M1, 16) end
end:";
    assert!(run(&program(&kernel(statements))).is_ok());
}

#[test]
fn operands_are_in_their_variables() {
    assert_fault(
        "    mov (M1, 16) a(0,1)<1> 0x1:ud",
        "\
lane 15, dst: accesses bytes 64 to 67 of a, which has 64 bytes
  --> k $0, group (0, 0, 0), thread 0
  |  mov (M1, 16) a(0,1)<1> 0x1:ud",
    );
}

#[test]
fn memory_accesses_are_in_buffers() {
    assert_fault(
        "    mov (M1, 16) p(0,0)<1> 0x123400:uq
    lsc_store.ugm (M1, 16) flat[p]:a64 a:d32",
        "\
lane 0, addrs: writes 4 bytes at 0x123400, which no buffer contains
  --> k $1, group (0, 0, 0), thread 0
  |  lsc_store.ugm (M1, 16)  flat[p]:a64  a:d32",
    );
}

#[test]
fn addresses_are_aligned() {
    let fault =
        fault("    mov (M1, 8) a(0,0)<1> 0x2:ud\n    lsc_load.slm (M1, 8) b:d32x2 flat[a]:a32");
    assert_eq!(fault.kind, FaultKind::Misaligned { address: 2, alignment: 4 });
}

/// The compiler combines and divides elements wherever they are.
#[test]
fn single_elements_have_no_alignment() {
    for size in ["d8u32", "d16u32", "d32", "d64"] {
        for address in 0..9u64 {
            let (data, lanes) = if size == "d64" { ("p", 1) } else { ("b", 1) };
            let statements = format!(
                "    mov (M1, {lanes}) a(0,0)<1> {address:#x}:ud
    lsc_store.slm (M1, {lanes}) flat[a]:a32 {data}:{size}
    lsc_load.slm (M1, {lanes}) {data}:{size} flat[a]:a32"
            );
            let program = program(&kernel(&statements));
            assert!(run(&program).is_ok(), "{statements}");
            // As in OpenCL C.
            let machine = Machine::new(&program).with_strict_alignment(true);
            let start = ThreadStart { image: vec![0; 64], mask: 0xffff, ..ThreadStart::default() };
            let group = machine.group("k", [0; 3], 0, 64, [start]);
            let result = group.and_then(|mut group| machine.run(&mut group));
            let bytes = match size {
                "d8u32" => 1,
                "d16u32" => 2,
                "d32" => 4,
                _ => 8,
            };
            match result.map_err(|fault| fault.kind) {
                Ok(_) => assert_eq!(address % bytes, 0, "{statements}"),
                Err(kind) => {
                    let misaligned = FaultKind::Misaligned { address, alignment: bytes as u32 };
                    assert_eq!(kind, misaligned, "{statements}");
                }
            }
        }
    }
}

#[test]
fn predicates_and_addresses_have_elements() {
    let declared = |statements: &str| {
        let text = kernel(statements).replace(
            ".decl P2 v_type=P num_elts=16",
            "\
.decl P2 v_type=P num_elts=8\n.decl A0 v_type=A num_elts=8",
        );
        run(&program(&text)).expect_err("a fault").to_string()
    };
    for (statements, expected) in [
        ("    cmp.eq (M1, 16) P2 0x0:ud 0x0:ud", "accesses element 15 of P2, which has 8 elements"),
        (
            "    cmp.eq (M1, 8) P2 0x0:ud 0x0:ud\n    (P2) mov (M1, 16) a(0,0)<1> 0x0:ud",
            "lane 8, pred: accesses element 8 of P2, which has 8 elements",
        ),
        (
            "    addr_add (M1, 16) A0(0)<1> &a 0x0:uw",
            "accesses element 8 of A0, which has 8 elements",
        ),
    ] {
        let found = declared(statements);
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn lanes_do_not_write_different_values_to_a_place() {
    let fault = fault(
        "    mov (M1, 16) a(0,0)<1> 0x8:ud
    mov (M1, 8) b(0,0)<1> 0x76543210:v
    mov (M1, 8) b(0,8)<1> 0x76543210:v
    lsc_store.slm (M1, 16) flat[a]:a32 b:d32",
    );
    assert!(matches!(fault.kind, FaultKind::ConflictingLanes { address: 8, .. }), "{fault}");
}

#[test]
fn a_barrier_in_divergent_flow_is_a_fault() {
    let fault = fault(
        "    mov (M1, 8) a(0,0)<1> 0x76543210:v
    mov (M1, 8) a(0,8)<1> 0x76543210:v
    cmp.lt (M1, 16) P1 a(0,0)<1;1,0> 0x4:ud
    (P1) goto (M1, 16) end
    barrier
end:",
    );
    assert_eq!(fault.kind, FaultKind::DivergentBarrier { elsewhere: 0x0f0f });
}

/// Runs a kernel in two threads, which have their number in the first dword of `%r0`.
fn two_threads(statements: &str) -> Result<(), FaultKind> {
    fault_of_two_threads(statements).map_err(|fault| fault.kind)
}

fn fault_of_two_threads(statements: &str) -> Result<(), Fault> {
    let program = program(&kernel(statements));
    let machine = Machine::new(&program);
    let threads = (0..2u8).map(|thread| {
        let mut image = vec![0; 64];
        image[0] = thread;
        ThreadStart { image, mask: 0xffff, ..ThreadStart::default() }
    });
    let mut group = machine.group("k", [0; 3], 0, 64, threads).expect("a kernel");
    machine.run(&mut group).map(drop)
}

/// Each thread writes its number, and reads that of the other.
fn exchange(barrier: &str) -> String {
    format!(
        "    mov (M1, 1) a(0,0)<1> %r0(0,0)<0;1,0>
    mul (M1, 1) b(0,0)<1> a(0,0)<0;1,0> 0x4:ud
    lsc_store.slm (M1, 1) flat[b]:a32 a:d32
{barrier}
    xor (M1, 1) b(0,0)<1> b(0,0)<0;1,0> 0x4:ud
    lsc_load.slm (M1, 1) c:d32 flat[b]:a32"
    )
}

#[test]
fn a_race_names_both_instructions_and_their_source_lines() {
    let lines = exchange("    LOC 8")
        .replace("    lsc_store", "    FILE \"k.cl\"\n    LOC 7\n    lsc_store");
    let fault = fault_of_two_threads(&lines).expect_err("a race");
    // The second thread stores after the first has read.
    let earlier = fault.earlier.expect("an earlier access");
    assert!(earlier.line.starts_with("lsc_load.slm"), "{}", earlier.line);
    let source = |line| Some(Source { file: "k.cl".into(), line });
    assert_eq!(earlier.source, source(8));
    let later = fault.place.expect("an instruction").site;
    assert!(later.line.starts_with("lsc_store.slm"), "{}", later.line);
    assert_eq!(later.source, source(7));
    assert_eq!(earlier.instruction - later.instruction, 3);
}

#[test]
fn a_missing_barrier_is_a_race() {
    assert!(matches!(two_threads(&exchange("")), Err(FaultKind::Race { address: 4, .. })));
    assert_eq!(two_threads(&exchange("    barrier")), Ok(()));
    let named = "    nbarrier.signal 0x1:ub 0x2:ub\n    nbarrier.wait 0x1:ub";
    assert_eq!(two_threads(&exchange(named)), Ok(()));
    assert_eq!(two_threads(&exchange("    sbarrier.signal\n    sbarrier.wait")), Ok(()));
}

#[test]
fn a_barrier_that_one_thread_skips_is_a_fault() {
    let statements = "    cmp.eq (M1, 1) P1 %r0(0,0)<0;1,0> 0x0:ud
    (P1) goto (M1, 1) end
    barrier
end:";
    assert_eq!(two_threads(statements), Err(FaultKind::MissedBarrier { others: vec![0] }));
}

#[test]
fn endless_loops_end_at_the_limit() {
    let program = program(&kernel("again:\n    goto (M1, 1) again"));
    let machine = Machine::new(&program).with_limit(1000);
    let start = ThreadStart { mask: 1, ..ThreadStart::default() };
    let mut group = machine.group("k", [0; 3], 0, 0, [start]).expect("a kernel");
    assert_eq!(machine.run(&mut group).unwrap_err().kind, FaultKind::TooLong(1000));
    assert_eq!(group.counts().lanes, 1000);
}

#[test]
fn the_limit_counts_lanes() {
    let program = program(&kernel("again:\n    goto (M1, 16) again"));
    let machine = Machine::new(&program).with_limit(1000);
    let start = ThreadStart { mask: 0xff, ..ThreadStart::default() };
    let mut group = machine.group("k", [0; 3], 0, 0, [start]).expect("a kernel");
    assert_eq!(machine.run(&mut group).unwrap_err().kind, FaultKind::TooLong(1000));
    assert_eq!((group.counts().instructions, group.counts().lanes), (125, 1000));
}

/// Starts threads of a kernel, and returns the result of the first.
fn start(source: &str, threads: usize, limit: u64) -> Result<(), FaultKind> {
    let program = program(source);
    let machine = Machine::new(&program).with_limit(100_000).with_memory_limit(limit);
    let start = ThreadStart { mask: 0xffff, ..ThreadStart::default() };
    let group = machine.group("k", [0; 3], 0, 1024, vec![start; threads]);
    group.and_then(|mut group| machine.run(&mut group)).map(drop).map_err(|fault| fault.kind)
}

#[test]
fn memory_is_bounded() {
    let source = "\
.version 4.2
.kernel \"k\"
.decl b v_type=G type=q num_elts=10000 align=GRF
ret (M1, 1)
";
    assert_eq!(start(source, 1, 1 << 22), Ok(()));
    // The threads have equal shares of what the local memory leaves: it takes 2 bytes for each of its
    // bytes, and 80 more if there are several threads.
    assert_eq!(start(source, 2, 1 << 22), Ok(()));
    let share = ((1 << 22) - 82 * 1024) / 4;
    for (threads, limit) in [(4, 1 << 22), (1, share + 2 * 1024)] {
        match start(source, threads, limit) {
            Err(FaultKind::TooLarge { needed, limit, .. }) => {
                assert!(needed > 1_400_000 && needed < 1_600_000, "{needed}");
                assert_eq!(limit, share);
            }
            other => panic!("{other:?}"),
        }
    }
    // A predicate takes 8 bytes.
    let predicates: String =
        (0..1000).map(|id| format!(".decl p{id} v_type=P num_elts=16\n")).collect();
    let others = source.replace("ret (", &format!("{predicates}ret ("));
    let [needed, with_predicates] =
        [source, &others].map(|source| match start(source, 1, 1 << 20) {
            Err(FaultKind::TooLarge { needed, .. }) => needed,
            other => panic!("{other:?}"),
        });
    assert_eq!(with_predicates - needed, 8 * 1000);
    let huge = source.replace("10000", "2000000000");
    assert!(matches!(start(&huge, 1, 1 << 30), Err(FaultKind::TooLarge { .. })));
    let local = FaultKind::TooLarge {
        what: "the local memory of the group".into(),
        needed: 2 * 1024,
        limit: 2000,
    };
    assert_eq!(start(source, 1, 2000), Err(local));
}

/// Buffers, and what is recorded about accesses to them.
#[test]
fn memory_of_buffers_is_bounded() {
    const SIZE: usize = 1 << 16;
    let stores = |size: &str| {
        program(&kernel(&format!(
            "    lsc_store.ugm (M1, 1) flat[p]:a64 a:{size}
    lsc_store.ugm (M1, 1) flat[p+0x8000]:a64 a:{size}"
        )))
    };
    let run_in = |program: &Program, limit: usize, checks_races: bool| {
        let mut machine = Machine::new(program).with_memory_limit(limit as u64);
        machine.memory().check_races(checks_races);
        let address = machine.memory().allocate("the buffer", vec![0; SIZE]);
        let p = (variable(program, "p"), address.to_le_bytes().to_vec());
        let variables = vec![p, (variable(program, "a"), vec![0; 4])];
        let start = ThreadStart { mask: 1, variables, ..ThreadStart::default() };
        let group = machine.group("k", [0; 3], 0, 0, [start]);
        match group.and_then(|mut group| machine.run(&mut group)).map_err(|fault| fault.kind) {
            Ok(_) => Ok(()),
            Err(FaultKind::TooLarge { what, needed, .. }) => Err((what, needed as usize)),
            Err(other) => panic!("{other}"),
        }
    };
    // 80 bytes for each dword of a page of 256 bytes, or for each byte if one is accessed alone.
    for (size, page) in [("d32", 80 * 64), ("d8u32", 80 * 256)] {
        let program = stores(size);
        let run = |limit, checks_races| run_in(&program, limit, checks_races);
        assert_eq!(run(2 * SIZE - 1, true), Err(("the buffers".into(), 2 * SIZE)));
        let recorded = || "what is recorded about the buffers".to_owned();
        assert_eq!(run(2 * SIZE + page - 1, true), Err((recorded(), 2 * SIZE + page)));
        assert_eq!(run(2 * SIZE + page, true), Err((recorded(), 2 * SIZE + 2 * page)));
        assert_eq!(run(2 * SIZE + 2 * page, true), Ok(()));
        assert_eq!(run(2 * SIZE, false), Ok(()));
    }
}

/// Bytes of a dword that are forgotten get records of their own.
#[test]
fn memory_of_forgotten_bytes_is_bounded() {
    // More than the variables need, which have the same limit.
    const SIZE: usize = 1 << 16;
    let program = program(&kernel("    lsc_store.ugm (M1, 1) flat[p]:a64 a:d32"));
    let run = |limit: usize| {
        let mut machine = Machine::new(&program).with_memory_limit(limit as u64);
        let address = machine.memory().allocate("the buffer", vec![0; SIZE]);
        let store = |machine: &Machine<'_>, address: u64| {
            let p = (variable(&program, "p"), address.to_le_bytes().to_vec());
            let variables = vec![p, (variable(&program, "a"), vec![0; 4])];
            let start = ThreadStart { mask: 1, variables, ..ThreadStart::default() };
            let mut group = machine.group("k", [0; 3], 0, 0, [start]).expect("a group");
            machine.run(&mut group).map(drop)
        };
        store(&machine, address).expect("the first page");
        machine.reset_memory(address, 1);
        store(&machine, address + 256).is_ok()
    };
    // 80 bytes for each byte of the first page, and for each dword of the second.
    let needed = 2 * SIZE + 80 * 256 + 80 * 64;
    assert!(run(needed));
    assert!(!run(needed - 1));
}

#[test]
fn recursion_is_bounded() {
    let source = "\
.version 4.2
.kernel \"k\"
call (M1, 16) S
ret (M1, 1)
.function \"S\"
S:
call (M1, 16) S
ret (M1, 16)
";
    let too_deep = || FaultKind::NotModelled("a stack of more than 1024 subroutines".into());
    assert_eq!(start(source, 1, 1 << 30), Err(too_deep()));
    // Functions that call each other from subroutines have less than 1024 activations.
    let mut subroutines = String::from(
        "\
.version 4.2
.global_function \"F\"
call (M1, 16) s0
fret (M1, 16)
",
    );
    for depth in 0..8 {
        subroutines += &format!("s{depth}:\ncall (M1, 16) s{}\nret (M1, 16)\n", depth + 1);
    }
    subroutines += "s8:\nfcall (M1, 16) F 0 0\nret (M1, 16)\n";
    let kernel = ".version 4.2\n.kernel \"k\"\nfcall (M1, 16) F 0 0\nret (M1, 1)\n";
    assert_eq!(start(&(kernel.to_owned() + &subroutines), 1, 1 << 30), Err(too_deep()));
}

#[test]
fn instructions_that_are_not_modelled_are_refused_by_name() {
    let fault = fault("    lfsr.b32 (M1, 16) a(0,0)<1> a(0,0)<1;1,0> b(0,0)<1;1,0>");
    assert_eq!(fault.kind, FaultKind::InstructionNotModelled("instruction lfsr".into()));
}

#[test]
fn a_write_races_with_reads_of_all_other_groups() {
    let statements = "    lsc_load.ugm (M1, 1) a:d32 flat[p]:a64
    cmp.eq (M1, 1) P1 %r0(0,1)<0;1,0> b(0,0)<0;1,0>
    (P1) lsc_store.ugm (M1, 1) flat[p]:a64 a:d32";
    let program = program(&kernel(statements));
    // The group that writes reads before, as others do before and after it.
    for (groups, writer, races) in [
        (&[0, 1][..], 1, true),
        (&[0, 1, 2], 2, true),
        (&[0, 1, 0, 1, 2], 0, true),
        (&[1, 1], 1, false),
        (&[0, 1], 5, false),
    ] {
        let mut machine = Machine::new(&program);
        let address = machine.memory().allocate("the buffer", vec![0; 4]);
        let run = |id: u32| {
            let mut image = vec![0; 64];
            image[4..8].copy_from_slice(&id.to_le_bytes());
            let start = ThreadStart { image, mask: 1, ..ThreadStart::default() };
            let mut group = machine.group("k", [id, 0, 0], id, 0, [start]).expect("a kernel");
            let thread = group.thread_mut(0).expect("a thread");
            let body = program.routines()[0].body();
            let mut set = |name: &str, bytes: &[u8]| {
                let id = body.find(IdClass::Variable, name).expect("a variable");
                assert!(thread.set_variable(&program, VarId(id.number), 0, bytes));
            };
            set("p", &address.to_le_bytes());
            set("b", &u32::to_le_bytes(writer));
            machine.run(&mut group).map_err(|fault| fault.kind.name())
        };
        let found = groups.iter().try_for_each(|id| run(*id).map(drop));
        assert_eq!(found, if races { Err("race") } else { Ok(()) }, "{groups:?}, {writer}");
    }
}

/// Slips of a caller.
#[test]
fn groups_and_threads_belong_to_their_program() {
    let start = || ThreadStart { mask: 1, ..ThreadStart::default() };
    let (own, other) = (program(&kernel("barrier")), program(&kernel("")));
    let (machine, wrong) = (Machine::new(&own), Machine::new(&other));
    let mut group = machine.group("k", [0; 3], 0, 0, [start()]).expect("a kernel");
    let expected = FaultKind::Malformed("the group is of another program".into());
    assert_eq!(wrong.run(&mut group).unwrap_err().kind, expected);
    assert_eq!(wrong.step(&mut group).unwrap_err().kind, expected);
    assert_eq!(wrong.run_until(&mut group, |_, _| true).unwrap_err().kind, expected);
    let thread = group.thread_mut(0).expect("a thread");
    let var = VarId::FIRST_DECLARED;
    assert!(thread.variable(&own, var).is_some() && thread.variable(&other, var).is_none());
    assert!(!thread.set_variable(&other, var, 0, &[1]));
    assert!(!thread.set_variable(&own, var, usize::MAX, &[1]));
    assert!(thread.variable(&own, VarId(u32::MAX)).is_none());
    assert_eq!([32, usize::MAX].map(|lane| thread.lane(lane)), [genvisa_interp::Lane::Ended; 2]);
    // A clone of the program has the same routines.
    assert!(Machine::new(&own.clone()).run(&mut group).is_ok());
    let mut machine = machine;
    assert!(machine.memory().set_bytes(u64::MAX, &[]));
    assert!(!machine.memory().set_bytes(u64::MAX, &[1]));
    let address = machine.memory().allocate("empty", Vec::new());
    assert!(machine.memory().set_bytes(address, &[]));
}
