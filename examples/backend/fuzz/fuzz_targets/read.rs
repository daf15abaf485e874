//! Files from elsewhere: what is read is written back, and the pass has a result or an error.

#![no_main]

use genvisa::{Dialect, Module};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(mut module) = Module::from_bytes(data, Dialect::Igc2022) else { return };
    assert_eq!(module.to_bytes().as_deref(), Ok(data));
    let _ = shader_backend::remove_moves(&mut module);
});
