//! Benchmarks of decoding, skipping and encoding vISA, compared with iced-x86 on x86 code.
//!
//! The mix of instructions is similar to media kernels, once repeating and once
//! shuffled, because the branch predictor learns an order that repeats. With `GENVISA_CORPUS`, the
//! code of the `.isa` files in that folder is measured too, in its order and shuffled.

#![allow(missing_docs)] // criterion_group! makes a public function

mod corpus;
mod streams;
mod x86;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use streams::{Numbers, Stream};

fn visa(c: &mut Criterion, name: &str, streams: &[Stream]) {
    let decoded = streams::decoded(streams);
    let count: usize = decoded.iter().map(|(_, instructions)| instructions.len()).sum();
    let bytes: usize = streams.iter().map(|(_, code)| code.len()).sum();
    println!("{name}: {count} instructions, {:.1} bytes each", bytes as f64 / count as f64);
    let mut group = c.benchmark_group(format!("visa/{name}"));
    group.throughput(Throughput::Elements(count as u64));
    group.bench_function("decode", |b| b.iter(|| streams::decode(streams)));
    group.bench_function("skip", |b| b.iter(|| streams::skip(streams)));
    let mut buffer = Vec::with_capacity(bytes + 1);
    group.bench_function("encode", |b| b.iter(|| streams::encode(&decoded, &mut buffer)));
    group.finish();
}

/// Measures iced-x86 on the code of this program.
fn iced(c: &mut Criterion) {
    let code = x86::code();
    let decoded = x86::decoded(&code);
    println!("x86: {} instructions", decoded.len());
    let mut group = c.benchmark_group("iced-x86");
    group.throughput(Throughput::Elements(decoded.len() as u64));
    group.bench_function("decode", |b| b.iter(|| x86::decode(&code)));
    let mut buffer = Vec::with_capacity(code.len() * 2);
    group.bench_function("encode", |b| b.iter(|| x86::encode(&decoded, &mut buffer)));
    group.finish();
}

fn all(c: &mut Criterion) {
    let mut n = Numbers(7);
    let [repeating, drawn] = streams::generated(&mut n);
    iced(c);
    visa(c, "repeating", &[repeating]);
    visa(c, "shuffled", &[drawn]);
    match corpus::real_files() {
        Some(files) => {
            let streams = streams::code_of(&files);
            visa(c, "corpus", &streams);
            visa(c, "corpus, shuffled", &streams::shuffled(&streams, &mut n));
        }
        None => println!("visa/corpus: skipped, GENVISA_CORPUS is not set"),
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).measurement_time(std::time::Duration::from_secs(2))
        .warm_up_time(std::time::Duration::from_millis(500));
    targets = all
}
criterion_main!(benches);
