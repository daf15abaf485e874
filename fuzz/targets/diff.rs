//! The programs of the targets for the comparison.

#![no_main]
#![allow(dead_code, unused_imports)]

#[path = "../bodies/diff.rs"]
mod bodies;

#[path = "../../crates/diff/tests/suite/applied.rs"]
mod applied;
#[path = "../../crates/diff/tests/suite/permute.rs"]
mod permute;
#[path = "../../crates/diff/tests/suite/seeded/edits.rs"]
mod text_edits;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    genvisa_test_support::fuzz::body(env!("CARGO_BIN_NAME"), &[bodies::TARGETS])(data);
});
