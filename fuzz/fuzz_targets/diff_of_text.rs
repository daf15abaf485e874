#![no_main]

#[path = "../bodies/diff.rs"]
#[allow(dead_code)]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::diff_of_text(data));
