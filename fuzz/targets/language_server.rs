//! The program of the target for the language server.

#![no_main]
#![allow(dead_code, unused_imports)]

#[path = "../bodies/language_server.rs"]
mod bodies;

#[path = "../../crates/lsp/tests/suite/requests.rs"]
mod requests;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    genvisa_test_support::fuzz::body(env!("CARGO_BIN_NAME"), &[bodies::TARGETS])(data);
});
