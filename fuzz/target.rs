//! The program of every target: it runs the function that has the name of the binary.

#![no_main]

use std::sync::LazyLock;

static BODY: LazyLock<fn(&[u8])> = LazyLock::new(|| genvisa_fuzz::body(env!("CARGO_BIN_NAME")));

libfuzzer_sys::fuzz_target!(|data: &[u8]| BODY(data));
