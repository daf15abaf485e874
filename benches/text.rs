//! Benchmarks of decoding and printing, compared with the decoder and fast formatter of iced-x86.
//!
//! The throughput is in bytes of text. The input is the `.isa` files in the folder
//! `GENVISA_CORPUS`, or copies of a test file if that is not set.

#![allow(missing_docs)] // criterion_group! makes a public function

mod corpus;
mod texts;
mod x86;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use genvisa::text::Style;
use genvisa::{Dialect, Module};

fn visa(c: &mut Criterion) {
    let files = corpus::files();
    let modules: Vec<Module<'_>> = files
        .iter()
        .map(|file| Module::from_bytes(file, Dialect::Igc2022).expect("an object"))
        .collect();
    let code: usize =
        modules.iter().flat_map(Module::routines).map(|r| r.body.code.bytes().len()).sum();
    let mut group = c.benchmark_group("text/visa");
    for (name, style) in [("complete", Style::Complete), ("genx-ir", Style::GenXIr)] {
        let bytes = texts::print(&modules, style);
        println!("{name}: {bytes} bytes of text from {code} bytes of code");
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(name, |b| b.iter(|| texts::print(black_box(&modules), style)));
    }
    group.finish();
}

/// Measures iced-x86 on the code of this program.
fn iced(c: &mut Criterion) {
    let code = x86::code();
    let mut formatter = iced_x86::FastFormatter::new();
    let bytes = x86::print(&code, &mut formatter);
    println!("iced-x86: {bytes} bytes of text from {} bytes of code", code.len());
    let mut group = c.benchmark_group("text/iced-x86");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("fast formatter", |b| b.iter(|| x86::print(&code, &mut formatter)));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).measurement_time(std::time::Duration::from_secs(2))
        .warm_up_time(std::time::Duration::from_millis(500));
    targets = iced, visa
}
criterion_main!(benches);
