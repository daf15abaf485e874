//! Messages with all codes and counts: their runs end within the limits of instructions and memory. (A binary of
//! its own, because it counts all allocations.)

#![allow(dead_code)]

#[path = "suite/messages.rs"]
mod messages;
#[path = "suite/modelled.rs"]
mod modelled;
#[path = "suite/support.rs"]
mod support;

use std::cell::RefCell;
use std::collections::BTreeMap;

use genvisa_interp::{Dimensions, Image, Machine, PixelFormat, ThreadStart};
use genvisa_test_support::random::runner;
use messages::{MEMORY_LIMIT, MESSAGES_OF_XE2, Outcome};
use proptest::prelude::*;

/// The number of bytes that a run takes for the program, the fault and the elements of a message.
const ALLOWANCE: u64 = 1 << 20;

#[test]
fn messages_end_within_limits() {
    let (messages, count) = (&*MESSAGES_OF_XE2, 3000);
    assert!(messages.missing.len() <= 3, "{:?}", messages.missing);
    let outcomes = RefCell::new(BTreeMap::new());
    let mut runner = runner(count, 51);
    let result = runner.run(&messages.cases(), |case| {
        let mut outcome = None;
        let taken = allocation_counter::measure(|| outcome = Some(messages.check(&case)));
        let outcome = outcome.expect("a result")?;
        let line = messages.module_of(&case).1;
        prop_assert!(taken.bytes_max <= MEMORY_LIMIT + ALLOWANCE, "{taken:?}: {line}");
        *outcomes.borrow_mut().entry(outcome).or_insert(0u32) += 1;
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let outcomes = outcomes.into_inner();
    assert!(outcomes.get(&Outcome::Ended) > Some(&(count / 10)), "{outcomes:?}");
}

/// The texts of faults are made only for faults.
#[test]
fn instructions_without_faults_have_no_text() {
    const ROUNDS: u64 = 200;
    let names = ".decl T6 v_type=T num_elts=1\n.decl A0 v_type=A num_elts=1\n";
    let statements = "    movs (M1_NM, 1) T6(0) 0x5:ud
    mov (M1_NM, 1) a(0,0)<1> 0x0:ud
    mov (M1_NM, 1) b(0,0)<1> 0x0:ud
again:
    addr_add (M1_NM, 1) A0(0)<1> &c a(0,0)<0;1,0>
    mov (M1_NM, 1) r[A0(0),0]<1>:ud b(0,0)<0;1,0>
    media_st.nomod (4,2) T6 0 a(0,0)<0;1,0> a(0,0)<0;1,0> c.0
    media_ld.nomod (4,2) T6 0 a(0,0)<0;1,0> a(0,0)<0;1,0> c.0
    add (M1_NM, 1) b(0,0)<1> b(0,0)<0;1,0> 0x1:ud
    cmp.lt (M1_NM, 1) P1 b(0,0)<0;1,0> 0xc8:ud
    (P1) jmp (M1_NM, 1) again";
    let program = support::program(&support::kernel(&(names.to_owned() + statements)));
    let mut machine = Machine::new(&program);
    let address = machine.memory().allocate("the image", vec![0; 64]);
    let image = Image::new(Dimensions::D2, PixelFormat::R8Uint, [8, 8, 1], address);
    machine.surfaces().set(5, image);
    let start = ThreadStart { image: vec![0; 64], mask: 0xffff, ..ThreadStart::default() };
    let mut group = machine.group("k", [0; 3], 0, 64, [start]).expect("a group");
    let taken = allocation_counter::measure(|| {
        machine.run(&mut group).unwrap_or_else(|fault| panic!("{fault}"));
    });
    assert!(taken.count_total < 2 * ROUNDS, "{taken:?}");
}
