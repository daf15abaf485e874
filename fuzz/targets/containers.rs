//! The programs of the targets for files that contain vISA.

#![no_main]
#![allow(dead_code, unused_imports)]

#[path = "../bodies/containers.rs"]
mod bodies;

#[path = "../../crates/cli/tests/suite/extract"]
mod extract {
    pub mod elf {
        pub mod builder;
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    genvisa_test_support::fuzz::body(env!("CARGO_BIN_NAME"), &[bodies::TARGETS])(data);
});
