#![no_main]

#[path = "../bodies/inline.rs"]
#[allow(dead_code)]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::inline_mlir(data));
