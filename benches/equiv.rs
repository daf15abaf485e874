//! The speed of comparisons of kernels beside the runs alone, in alternating rounds. Prints a table of medians.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use genvisa_equiv::interp::binary::DeviceBinary;
use genvisa_equiv::interp::dispatch::{Argument, Grid, Launch, Options, Parameter};
use genvisa_equiv::interp::{Machine, Program};
use genvisa_equiv::{Comparison, Side, Verdict};

const ROUNDS: usize = 5;
/// The size of buffers, which is that of generated ones.
const BUFFER: usize = 1 << 16;
const ITEMS: u32 = 64;
const GROUP: u32 = 32;

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test --benches` only checks that it runs.
    let is_test = !std::env::args().any(|argument| argument == "--bench");
    let rounds = if is_test { 1 } else { ROUNDS };
    let runs = if is_test { 4 } else { 96 };
    println!("| Kernel | A | B | Comparison | Kernels/s | Runs alone | Ratio |");
    println!("|---|---|---|---|---|---|---|");
    for (a, b) in [("bmg", "dg2"), ("bmg", "tgllp"), ("bmg", "pvc")] {
        let [of_a, of_b] = [read(a)?, read(b)?];
        let kernel = "scale";
        let (mut compared, mut alone) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            compared.push(compare([&of_a, &of_b], kernel, runs)?);
            let mut total = 0.0;
            for binary in [&of_a, &of_b] {
                total += run(binary, kernel, runs)?;
            }
            alone.push(total);
        }
        let (compared, alone) = (median(compared), median(alone));
        println!(
            "| {kernel} | {a} | {b} | {:.1} ms | {:.1} | {:.1} ms | {:.2} |",
            compared * 1e3,
            1.0 / compared,
            alone * 1e3,
            compared / alone
        );
    }
    Ok(())
}

fn read(device: &str) -> Result<DeviceBinary, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/interp/tests/data");
    Ok(DeviceBinary::from_bytes(&fs::read(folder.join(format!("scale-{device}.bin")))?)?)
}

/// Compares the kernels of two builds, and returns the seconds.
fn compare(binaries: [&DeviceBinary; 2], kernel: &str, runs: u32) -> Result<f64, Box<dyn Error>> {
    let mut comparison = Comparison::new();
    comparison.runs = runs;
    comparison.sizes = Some((vec![ITEMS], vec![GROUP]));
    let start = Instant::now();
    let [a, b] = binaries.map(|binary| Side::new(binary, kernel, None));
    match comparison.compare(&a?, &b?) {
        Verdict::Equal { .. } => Ok(start.elapsed().as_secs_f64()),
        verdict => Err(format!("{kernel}: {verdict:?}").into()),
    }
}

/// Runs a kernel, and returns the seconds.
fn run(binary: &DeviceBinary, kernel: &str, runs: u32) -> Result<f64, Box<dyn Error>> {
    let platform = binary.platform()?;
    let described = binary.kernel(kernel).ok_or("no kernel")?;
    let arguments: Vec<Argument> = Parameter::of_kernel(described)
        .into_iter()
        .map(|parameter| match parameter {
            Parameter::Value(size) => {
                let mut bytes = ITEMS.to_le_bytes().to_vec();
                bytes.resize(size as usize, 0);
                Argument::Value(bytes)
            }
            _ => Argument::Buffer(vec![1; BUFFER]),
        })
        .collect();
    let start = Instant::now();
    let program = Program::of_kernel(binary, kernel, platform)?;
    for _ in 0..runs {
        let mut machine = Machine::new(&program);
        let grid = Grid::new(&[ITEMS], &[GROUP])?;
        let options = Options { platform, workers: 1 };
        let arguments = arguments.clone();
        Launch::new(&mut machine, binary, kernel, options, grid, arguments)?.run(&machine, 1)?;
    }
    Ok(start.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
