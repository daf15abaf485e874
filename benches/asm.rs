//! Benchmarks of assembling, compared with `wast`, an assembler for WebAssembly.
//!
//! The throughput is in bytes of text. The text is printed from the `.isa` files in the folder
//! `GENVISA_CORPUS`, or of copies of a test file if that is not set. The WebAssembly text has the
//! same length.

#![allow(missing_docs)] // criterion_group! makes a public function

mod corpus;
mod texts;
mod wat;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use genvisa::text::{self, Listing, Style};
use genvisa::{Dialect, Module};
use texts::{Text, Texts};

/// Returns one text per routine in the style of GenX_IR.
fn genx_ir(files: &[Vec<u8>]) -> Texts {
    let mut texts = Texts::new();
    for file in files {
        let module = Module::from_bytes(file, Dialect::Igc2022).expect("an object");
        // The text in the style of GenX_IR of a kernel without code cannot be assembled.
        for routine in module.routines().filter(|routine| !routine.body.code.bytes().is_empty()) {
            let mut text = String::new();
            let listing = Listing::new(routine).with_style(Style::GenXIr);
            listing.write_to(&mut text).expect("legal code");
            texts.push((text, module.format));
        }
    }
    texts
}

/// Assembles texts and returns the number of bytes.
fn assemble(texts: &Texts) -> usize {
    let assemble = |(text, format): &Text| {
        let module = text::parse(text, *format).expect("correct text");
        black_box(module.to_bytes().expect("a module")).len()
    };
    texts.iter().map(assemble).sum()
}

/// Measures this crate, and returns the length of the longest input.
fn visa(c: &mut Criterion) -> usize {
    let mut group = c.benchmark_group("asm/visa");
    let mut longest = 0;
    let files = corpus::files();
    for (name, texts) in [("complete", texts::complete(&files)), ("genx-ir", genx_ir(&files))] {
        let bytes: usize = texts.iter().map(|(text, _)| text.len()).sum();
        println!("{name}: {bytes} bytes of text to {} bytes", assemble(&texts));
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(name, |b| b.iter(|| assemble(black_box(&texts))));
        longest = longest.max(bytes);
    }
    group.finish();
    longest
}

fn all(c: &mut Criterion) {
    let len = visa(c);
    let text = wat::text(len);
    println!("wast: {} bytes of text to {} bytes", text.len(), wat::assemble(&text));
    let mut group = c.benchmark_group("asm/wast");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("wat", |b| b.iter(|| wat::assemble(black_box(&text))));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(2))
        .warm_up_time(std::time::Duration::from_millis(500));
    targets = all
}
criterion_main!(benches);
