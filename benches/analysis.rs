//! Benchmarks of the analysis, compared with decoding of the same files.
//!
//! The throughput is in instructions. The input is the `.isa` files in the folder `GENVISA_CORPUS`,
//! or copies of a test file if that is not set.

#![allow(missing_docs)] // criterion_group! makes a public function

mod corpus;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use genvisa::RegisterSize;
use genvisa::analysis::{AddressTargets, Cfg, Divergence, Liveness, Storage};
use genvisa::object::Routine;
use genvisa::{Dialect, Instruction, Module};

const REGISTERS: RegisterSize = RegisterSize::Bytes32;

/// A routine, decoded.
struct Decoded<'m> {
    routine: Routine<'m, 'm>,
    instructions: Vec<Instruction>,
    storage: Storage,
}

/// Decodes all instructions and returns their number.
fn decode(routines: &[Decoded<'_>]) -> u64 {
    let (mut instruction, mut count) = (Instruction::default(), 0);
    for Decoded { routine, .. } in routines {
        let mut instructions = routine.body.code.instructions(routine.format());
        while let Ok(Some(_)) = instructions.next_into(&mut instruction) {
            black_box(&instruction);
            count += 1;
        }
    }
    count
}

/// Returns a number that depends on all accesses.
fn accesses(routines: &[Decoded<'_>]) -> u32 {
    let mut sum = 0u32;
    for Decoded { instructions, storage, .. } in routines {
        for instruction in instructions {
            storage.visit_accesses(instruction, |access| {
                let footprint = access.footprint;
                sum = sum.wrapping_add(access.root.number ^ access.condition as u32);
                sum = sum.wrapping_add(footprint.start + footprint.element * footprint.columns);
            });
        }
    }
    sum
}

fn blocks(routines: &[Decoded<'_>]) -> usize {
    let blocks = routines.iter().map(|Decoded { instructions, .. }| {
        let cfg = Cfg::new(instructions);
        black_box(Divergence::new(&cfg, instructions, true));
        cfg.blocks().len()
    });
    blocks.sum()
}

fn liveness(routines: &[Decoded<'_>]) -> u32 {
    let peaks = routines.iter().map(|Decoded { routine, instructions, .. }| {
        let storage = Storage::new(routine, REGISTERS);
        let cfg = Cfg::new(instructions);
        let divergence = Divergence::new(&cfg, instructions, true);
        let targets = AddressTargets::new(instructions, &storage);
        let liveness = Liveness::new(routine, instructions, &storage, &cfg, &divergence, &targets);
        liveness.peak().map_or(0, |(_, pressure)| pressure.registers)
    });
    peaks.sum()
}

fn analysis(c: &mut Criterion) {
    let files = corpus::files();
    let module = |file| Module::from_bytes(file, Dialect::Igc2022).expect("an object");
    let modules: Vec<Module<'_>> = files.iter().map(|file| module(file)).collect();
    let routines = modules.iter().flat_map(Module::routines);
    let routines: Vec<Decoded<'_>> = routines
        .map(|routine| {
            let instructions = routine.instructions().map(|item| item.expect("valid code").1);
            let storage = Storage::new(&routine, REGISTERS);
            Decoded { routine, instructions: instructions.collect(), storage }
        })
        .collect();
    let mut group = c.benchmark_group("analysis");
    group.throughput(Throughput::Elements(decode(&routines)));
    group.bench_function("decode", |b| b.iter(|| decode(black_box(&routines))));
    group.bench_function("accesses", |b| b.iter(|| accesses(black_box(&routines))));
    group.bench_function("blocks", |b| b.iter(|| blocks(black_box(&routines))));
    group.bench_function("blocks and liveness", |b| b.iter(|| liveness(black_box(&routines))));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).measurement_time(Duration::from_secs(2))
        .warm_up_time(Duration::from_millis(500));
    targets = analysis
}
criterion_main!(benches);
