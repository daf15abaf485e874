//! The programs of the targets for inline assembly.

#![no_main]
#![allow(dead_code, unused_imports)]

#[path = "../bodies/inline.rs"]
mod bodies;

#[path = "../../crates/inline/tests/suite"]
mod suite {
    pub mod catalogue;
    pub mod insertions;
}
use suite::{catalogue, insertions};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    genvisa_test_support::fuzz::body(env!("CARGO_BIN_NAME"), &[bodies::TARGETS])(data);
});
