//! The programs of the targets for the library.

#![no_main]
#![allow(dead_code, unused_imports)]

#[path = "../bodies/edits.rs"]
mod edits;
#[path = "../bodies/library.rs"]
mod library;

#[path = "../../tests/suite/edit"]
mod edit {
    pub mod random;
}

const NAME: &str = env!("CARGO_BIN_NAME");

libfuzzer_sys::fuzz_target!(
    // The first search takes longer than an input may.
    init: if NAME.ends_with("edits") { edits::search() },
    |data: &[u8]| {
        genvisa_test_support::fuzz::body(NAME, &[edits::TARGETS, library::TARGETS])(data);
    }
);
