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

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    genvisa_test_support::fuzz::body(env!("CARGO_BIN_NAME"), &[edits::TARGETS, library::TARGETS])(
        data,
    );
});
