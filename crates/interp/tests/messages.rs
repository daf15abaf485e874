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
