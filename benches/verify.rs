//! Benchmarks of the verifier, compared with decoding of the same files.
//!
//! The throughput is in instructions. The input is the `.isa` files in the folder `GENVISA_CORPUS`,
//! or copies of a test file if that is not set.

#![allow(missing_docs)] // criterion_group! makes a public function

mod corpus;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use genvisa::Platform;
use genvisa::verify::Verifier;
use genvisa::{Dialect, Module};

/// Decodes all instructions and returns their number.
fn decode(modules: &[Module<'_>]) -> u64 {
    modules.iter().map(corpus::decode).sum()
}

fn verify(c: &mut Criterion) {
    let files = corpus::files();
    let parse = || -> Vec<Module<'_>> {
        let module = |file| Module::from_bytes(file, Dialect::Igc2022).expect("an object");
        files.iter().map(|file| module(file)).collect()
    };
    let modules = parse();
    let mut group = c.benchmark_group("verify");
    group.throughput(Throughput::Elements(decode(&modules)));
    group.bench_function("decode", |b| b.iter(|| decode(black_box(&modules))));
    group.bench_function("parse and decode", |b| b.iter(|| decode(&parse())));
    // The verifier decodes the instructions.
    let verifier = Verifier::new().with_platform(Platform::Skl);
    group.bench_function("decode and verify", |b| {
        b.iter(|| modules.iter().map(|module| verifier.check_module(module).len()).sum::<usize>());
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).measurement_time(Duration::from_secs(2))
        .warm_up_time(Duration::from_millis(500));
    targets = verify
}
criterion_main!(benches);
