#![no_main]

#[path = "../bodies/library.rs"]
#[allow(dead_code)]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::object(data));
