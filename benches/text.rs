//! Benchmarks of decoding and printing, compared with the decoder and fast formatter of iced-x86.
//!
//! The throughput is in bytes of text. The input is the `.isa` files in the folder
//! `GENVISA_CORPUS`, or copies of a test file if that is not set.

#![allow(missing_docs)] // criterion_group! makes a public function

mod corpus;

use std::fmt;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use genvisa::text::{Listing, Style};
use genvisa::{Dialect, Module};

/// A writer that only counts bytes.
#[derive(Default)]
struct Count(usize);

impl fmt::Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += black_box(text).len();
        Ok(())
    }
}

/// Prints modules and returns the number of bytes.
fn print(modules: &[Module<'_>], style: Style) -> usize {
    let mut count = Count::default();
    for module in modules {
        for routine in module.routines() {
            let listing = Listing::new(routine).with_style(style);
            listing.write_to(&mut count).expect("legal code");
        }
    }
    count.0
}

fn visa(c: &mut Criterion) {
    let files = corpus::files();
    let modules: Vec<Module<'_>> = files
        .iter()
        .map(|file| Module::from_bytes(file, Dialect::Igc2022).expect("an object"))
        .collect();
    let code: usize =
        modules.iter().flat_map(Module::routines).map(|r| r.body.code.bytes().len()).sum();
    let mut group = c.benchmark_group("text/visa");
    for (name, style) in [("faithful", Style::Faithful), ("reference", Style::Reference)] {
        let bytes = print(&modules, style);
        println!("{name}: {bytes} bytes of text from {code} bytes of code");
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(name, |b| b.iter(|| print(black_box(&modules), style)));
    }
    group.finish();
}

/// Measures iced-x86 on the code of this program.
fn x86(c: &mut Criterion) {
    use object::{Object, ObjectSection};
    let exe = std::env::current_exe().and_then(std::fs::read).expect("this program's file");
    let exe = object::File::parse(&*exe).expect("an object file");
    let text = exe.section_by_name(".text").and_then(|s| s.data().ok()).expect("a text section");
    let text = &text[..text.len().min(1 << 20)];
    let mut formatter = iced_x86::FastFormatter::new();
    let mut instruction = iced_x86::Instruction::default();
    let mut line = String::new();
    let mut print = || {
        let mut decoder = iced_x86::Decoder::new(64, black_box(text), 0);
        let mut bytes = 0;
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            line.clear();
            formatter.format(&instruction, &mut line);
            bytes += black_box(&line).len();
        }
        bytes
    };
    let bytes = print();
    println!("iced-x86: {bytes} bytes of text from {} bytes of code", text.len());
    let mut group = c.benchmark_group("text/iced-x86");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("fast formatter", |b| b.iter(&mut print));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).measurement_time(std::time::Duration::from_secs(2))
        .warm_up_time(std::time::Duration::from_millis(500));
    targets = x86, visa
}
criterion_main!(benches);
