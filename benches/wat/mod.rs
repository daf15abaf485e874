//! `wast`, an assembler for WebAssembly, on generated text.
//!
//! The text consists of functions that load, calculate, branch and store, with one instruction per
//! line and named locals.

use std::fmt::Write;
use std::hint::black_box;

/// Generates the text of a WebAssembly module with at least `min_len` bytes.
pub fn text(min_len: usize) -> String {
    let mut text = String::from("(module\n  (memory 1)\n");
    for function in 0.. {
        if text.len() >= min_len {
            break;
        }
        let _ = write!(
            text,
            "  (func $f{function} (param $p i32) (param $n i32) (result i32)\n    \
             (local $i i32) (local $sum i32) (local $x f32)\n"
        );
        for block in 0..8 {
            let _ = write!(
                text,
                "    (block $end{block}\n      (loop $again{block}\n        \
                 local.get $i\n        local.get $n\n        i32.ge_u\n        \
                 br_if $end{block}\n        local.get $p\n        local.get $i\n        \
                 i32.const {shift}\n        i32.shl\n        i32.add\n        \
                 i32.load offset={offset} align=4\n        local.get $sum\n        \
                 i32.add\n        local.set $sum\n        local.get $x\n        \
                 f32.const {block}.5\n        f32.mul\n        local.set $x\n        \
                 local.get $p\n        local.get $sum\n        i32.store offset={offset}\n        \
                 local.get $i\n        i32.const 1\n        i32.add\n        local.set $i\n        \
                 br $again{block}))\n",
                shift = block % 4,
                offset = 4 * block,
            );
        }
        text.push_str("    local.get $sum)\n");
    }
    text.push_str(")\n");
    text
}

/// Assembles text and returns the number of bytes.
pub fn assemble(text: &str) -> usize {
    let buffer = wast::parser::ParseBuffer::new(text).expect("correct tokens");
    let mut module = wast::parser::parse::<wast::Wat<'_>>(&buffer).expect("correct text");
    black_box(module.encode().expect("a module")).len()
}
