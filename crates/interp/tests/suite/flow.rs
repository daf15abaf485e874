//! Control flow of lanes.

use genvisa_interp::{Machine, ThreadStart};

use crate::support::{bytes, dwords, kernel, program, result, run, variable};

/// Sets `a` to the numbers of the lanes.
const LANES: &str = "    mov (M1, 8) a(0,0)<1> 0x76543210:v
    add (M1, 8) a(0,8)<1> a(0,0)<1;1,0> 0x8:ud
    mov (M1, 16) c(0,0)<1> 0x0:ud\n";

fn lanes(statements: &str) -> Vec<u32> {
    dwords(&result(&format!("{LANES}{statements}"), &[], "c"))
}

#[test]
fn lanes_that_jump_skip_what_the_others_execute() {
    let found = lanes(
        "    cmp.lt (M1, 16) P1 a(0,0)<1;1,0> 0x4:ud
    (P1) goto (M1, 16) low
    add (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x10:ud
low:
    add (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x1:ud",
    );
    let expected: Vec<u32> = (0..16).map(|lane| if lane < 4 { 1 } else { 0x11 }).collect();
    assert_eq!(found, expected);
}

#[test]
fn loops_run_as_often_as_each_lane_needs() {
    let found = lanes(
        "again:
    add (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x1:ud
    cmp.lt (M1, 16) P1 c(0,0)<1;1,0> a(0,0)<1;1,0>
    (P1) goto (M1, 16) again
    mul (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x2:ud",
    );
    let expected: Vec<u32> = (0..16).map(|lane: u32| 2 * lane.max(1)).collect();
    assert_eq!(found, expected);
}

/// An unconditional jump over a label at which other lanes wait.
#[test]
fn a_jump_does_not_skip_lanes_that_wait() {
    let found = lanes(
        "    cmp.lt (M1, 16) P1 a(0,0)<1;1,0> 0x8:ud
    (P1) goto (M1, 16) second
    mov (M1, 16) c(0,0)<1> 0x1:ud
    goto (M1, 1) end
second:
    mov (M1, 16) c(0,0)<1> 0x2:ud
end:
    add (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x10:ud",
    );
    let expected: Vec<u32> = (0..16).map(|lane| if lane < 8 { 0x12 } else { 0x11 }).collect();
    assert_eq!(found, expected);
}

#[test]
fn subroutines_return_to_their_callers() {
    let found = lanes(
        "    cmp.lt (M1, 16) P1 a(0,0)<1;1,0> 0x4:ud
    (P1) call (M1, 16) twice
    call (M1, 1) twice
    goto (M1, 1) end
.function \"twice\"
twice:
    add (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x1:ud
    ret (M1, 16)
end:
    mul (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x3:ud",
    );
    let expected: Vec<u32> = (0..16).map(|lane| if lane < 4 { 6 } else { 3 }).collect();
    assert_eq!(found, expected);
}

#[test]
fn instructions_without_a_mask_run_once_in_all_lanes() {
    let found = lanes(
        "    cmp.lt (M1, 16) P1 a(0,0)<1;1,0> 0x4:ud
    (P1) goto (M1, 16) low
    add (M1_NM, 16) c(0,0)<1> c(0,0)<1;1,0> 0x10:ud
low:
    add (M1_NM, 16) c(0,0)<1> c(0,0)<1;1,0> 0x1:ud",
    );
    assert_eq!(found, [0x11; 16]);
}

#[test]
fn masks_with_an_offset_use_the_upper_lanes() {
    let found = lanes(
        "    cmp.lt (M1, 16) P1 a(0,0)<1;1,0> 0xc:ud
    (P1) add (M3, 8) c(0,8)<1> c(0,8)<1;1,0> 0x1:ud",
    );
    let expected: Vec<u32> = (0..16).map(|lane| u32::from((8..12).contains(&lane))).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_predicate_of_any_or_all_decides_for_all_lanes() {
    let found = lanes(
        "    cmp.lt (M1, 16) P1 a(0,0)<1;1,0> 0x4:ud
    (P1.any) add (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x1:ud
    (P1.all) add (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x10:ud
    (!P1.all) add (M1, 16) c(0,0)<1> c(0,0)<1;1,0> 0x100:ud",
    );
    assert_eq!(found, [0x101; 16]);
}

/// The address of a function has 32 bits, and all lanes that are active call it.
#[test]
fn functions_are_called_by_their_address() {
    let source = "\
.version 4.2
.kernel \"k\"
.decl address v_type=G type=uq num_elts=1 align=qword
.decl low v_type=G type=ud num_elts=1 align=dword
.decl x v_type=G type=ud num_elts=16 align=GRF
    mov (M1, 16) x(0,0)<1> 0x7:ud
    faddr F address(0,0)<1>
    mov (M1_NM, 1) low(0,0)<1> address(0,0)<0;1,0>
    ifcall.uniform (M1, 16) low(0,0)<0;1,0> 0 1
    mov (M1, 16) x(0,0)<1> %retval(0,0)<1;1,0>
    ret (M1, 1)
.global_function \"F\"
    mov (M1, 16) %retval(0,0)<1> 0x2a:ud
    fret (M1, 16)
";
    let program = program(source);
    let group = run(&program).expect("no fault");
    assert_eq!(dwords(&bytes(&program, &group.threads()[0], "x")), [42; 16]);
}

#[test]
fn executions_are_counted() {
    let statements = "    mov (M1, 1) a(0,0)<1> 0x0:ud
again:
    add (M1, 1) a(0,0)<1> a(0,0)<0;1,0> 0x1:ud
    cmp.lt (M1, 1) P1 a(0,0)<0;1,0> 0x3:ud
    (P1) jmp (M1, 1) again
    jmp (M1, 1) end
    mov (M1, 1) a(0,0)<1> 0x0:ud
end:";
    let program = program(&kernel(statements));
    let times = |counts: bool| {
        let machine = Machine::new(&program).with_coverage(counts);
        for number in 0..2 {
            let start = ThreadStart { image: vec![0; 64], mask: 1, ..ThreadStart::default() };
            let mut group =
                machine.group("k", [number, 0, 0], number, 0, [start]).expect("a group");
            machine.run(&mut group).expect("no fault");
        }
        let all = machine.coverage().into_iter().map(|one| (one.site.line, one.times));
        let first_word = |line: String| line.split(' ').next().unwrap_or_default().to_owned();
        all.map(|(line, times)| (first_word(line), times)).collect::<Vec<_>>()
    };
    let expected =
        [("mov", 2), ("add", 6), ("cmp.lt", 6), ("(P1)", 6), ("jmp", 2), ("mov", 0), ("ret", 2)];
    assert_eq!(times(true), expected.map(|(word, times)| (word.to_owned(), times)));
    assert!(times(false).is_empty());
}

/// Each thread waits until all others have counted themselves.
#[test]
fn groups_in_turns_can_wait_for_each_other() {
    let statements = "    mov (M1, 1) a(0,0)<1> 0x1:ud
    lsc_atomic_iadd.ugm (M1, 1) %null:d32 flat[p]:a64 a %null
again:
    lsc_atomic_load.ugm (M1, 1) b:d32 flat[p]:a64 %null %null
    cmp.lt (M1, 1) P1 b(0,0)<0;1,0> 0x6:ud
    (P1) jmp (M1, 1) again";
    let program = program(&kernel(statements));
    let run = |seed: Option<u64>| {
        let mut machine = Machine::new(&program).with_limit(10_000);
        let address = machine.memory().allocate("the counter", vec![0; 4]);
        let group = |number: u32, _: u32| {
            let start = || ThreadStart { image: vec![0; 64], mask: 1, ..ThreadStart::default() };
            let mut group = machine.group("k", [number, 0, 0], number, 0, [start(), start()])?;
            for thread in 0..2 {
                let thread = group.thread_mut(thread).expect("a thread");
                let variable = variable(&program, "p");
                assert!(thread.set_variable(&program, variable, 0, &address.to_le_bytes()));
            }
            Ok(group)
        };
        match seed {
            None => machine.run_groups(3, 1, group),
            Some(seed) => machine.run_in_turns(3, 3, seed, group),
        }
    };
    assert_eq!(run(None).expect_err("a thread that waits").kind.name(), "too-long");
    let counts: Vec<_> = (0..8).map(|seed| run(Some(seed)).expect("no fault")).collect();
    assert!(counts.iter().any(|other| *other != counts[0]), "the seed has no effect");
    assert_eq!(run(Some(3)).expect("no fault"), counts[3]);
}
