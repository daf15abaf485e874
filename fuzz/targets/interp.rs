//! The programs of the targets for the interpreter.

#![no_main]
#![allow(dead_code, unused_imports)]

#[path = "../bodies/interp.rs"]
mod bodies;

#[path = "../../crates/interp/tests/suite/generated.rs"]
mod generated;
#[path = "../../crates/interp/tests/suite/messages.rs"]
mod messages;
#[path = "../../crates/interp/tests/suite/modelled.rs"]
mod modelled;
#[path = "../../crates/interp/tests/suite/support.rs"]
mod support;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    genvisa_test_support::fuzz::body(env!("CARGO_BIN_NAME"), &[bodies::TARGETS])(data);
});
