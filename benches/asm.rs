//! Benchmarks of assembling, compared with `wast`, an assembler for WebAssembly.
//!
//! The throughput is in bytes of text. The text is that of the `.isa` files in the folder
//! `GENVISA_CORPUS`, or of copies of a test file if that is not set. The WebAssembly text is
//! generated with the same length: functions that load, calculate, branch and store, with one
//! instruction per line and named locals.

#![allow(missing_docs)] // criterion_group! makes a public function

mod corpus;

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use genvisa::text::{self, FileListing, Listing, Style};
use genvisa::{Dialect, Format, Module};

/// Texts with the formats to assemble them in.
type Texts = Vec<(String, Format)>;

/// Returns one text per file in the faithful style, and one per routine in the reference style.
fn texts(files: &[Vec<u8>]) -> [(&'static str, Texts); 2] {
    let (mut faithful, mut reference) = (Texts::new(), Texts::new());
    for file in files {
        let module = Module::from_bytes(file, Dialect::Igc2022).expect("an object");
        let mut text = String::new();
        FileListing::new(&module).write_to(&mut text).expect("legal code");
        faithful.push((text, module.format));
        // The reference style of a kernel without code cannot be assembled.
        for routine in module.routines().filter(|routine| !routine.body.code.bytes().is_empty()) {
            let mut text = String::new();
            let listing = Listing::new(routine).with_style(Style::Reference);
            listing.write_to(&mut text).expect("legal code");
            reference.push((text, module.format));
        }
    }
    [("faithful", faithful), ("reference", reference)]
}

/// Assembles texts and returns the number of bytes.
fn assemble(texts: &Texts) -> usize {
    let assemble = |(text, format): &(String, Format)| {
        let module = text::parse(text, *format).expect("correct text");
        black_box(module.to_bytes().expect("a module")).len()
    };
    texts.iter().map(assemble).sum()
}

/// Measures this crate, and returns the length of the longest input.
fn visa(c: &mut Criterion) -> usize {
    let mut group = c.benchmark_group("asm/visa");
    let mut longest = 0;
    for (name, texts) in texts(&corpus::files()) {
        let bytes: usize = texts.iter().map(|(text, _)| text.len()).sum();
        println!("{name}: {bytes} bytes of text to {} bytes", assemble(&texts));
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(name, |b| b.iter(|| assemble(black_box(&texts))));
        longest = longest.max(bytes);
    }
    group.finish();
    longest
}

/// Generates the text of a WebAssembly module with at least `min_len` bytes.
fn wat(min_len: usize) -> String {
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

/// Assembles WebAssembly text and returns the number of bytes.
fn assemble_wat(text: &str) -> usize {
    let buffer = wast::parser::ParseBuffer::new(text).expect("correct tokens");
    let mut module = wast::parser::parse::<wast::Wat<'_>>(&buffer).expect("correct text");
    black_box(module.encode().expect("a module")).len()
}

fn all(c: &mut Criterion) {
    let len = visa(c);
    let text = wat(len);
    println!("wast: {} bytes of text to {} bytes", text.len(), assemble_wat(&text));
    let mut group = c.benchmark_group("asm/wast");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("wat", |b| b.iter(|| assemble_wat(black_box(&text))));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(2))
        .warm_up_time(std::time::Duration::from_millis(500));
    targets = all
}
criterion_main!(benches);
