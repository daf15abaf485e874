//! The speed of the interpreter beside pocl, which compiles the same OpenCL C for the CPU: three kernels of
//! `crates/interp/tests`, in alternating rounds. pocl uses one thread if `POCL_MAX_PTHREAD_COUNT` is 1. Prints a table of medians.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use genvisa_interp::binary::DeviceBinary;
use genvisa_interp::dispatch::{Argument, Grid, Launch, Options};
use genvisa_interp::{Counts, Machine, Program};
use genvisa_opencl::{Program as Compiled, Source};

const ROUNDS: usize = 5;

/// A kernel with its arguments.
struct Case {
    kernel: &'static str,
    /// The file of its source.
    source: &'static str,
    items: u32,
    group: u32,
    arguments: Vec<Argument>,
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test --benches` only checks that it runs.
    let is_test = !std::env::args().any(|argument| argument == "--bench");
    let rounds = if is_test { 1 } else { ROUNDS };
    println!("| Kernel | Work-items | Interpreter | Instructions/s | Lanes/s | pocl | Ratio |");
    println!("|---|---|---|---|---|---|---|");
    for case in cases(if is_test { 64 } else { 1 }) {
        let (mut interpreter, mut compiled) = (Vec::new(), Vec::new());
        let mut counts = Counts::default();
        let mut pocl = compile(&case);
        if let Err(error) = &pocl {
            eprintln!("skipped: {error}");
        }
        for _ in 0..rounds {
            let (nanoseconds, counted) = interpret(&case)?;
            interpreter.push(nanoseconds);
            counts = counted;
            if let Ok(program) = &mut pocl {
                compiled.push(run_pocl(program, &case)?);
            }
        }
        let time = median(interpreter);
        let per_second = |count: u64| format!("{:.1} M", count as f64 / time * 1e3);
        let other = if compiled.is_empty() { None } else { Some(median(compiled)) };
        println!(
            "| {} | {} | {:.2} ms | {} | {} | {} | {} |",
            case.kernel,
            case.items,
            time / 1e6,
            per_second(counts.instructions),
            per_second(counts.lanes),
            other.map_or("-".into(), |other| format!("{:.3} ms", other / 1e6)),
            other.map_or("-".into(), |other| format!("{:.0}", time / other)),
        );
    }
    Ok(())
}

fn cases(divisor: u32) -> Vec<Case> {
    let floats = |count: u32| {
        Argument::Buffer((0..count).flat_map(|it| (it as f32).to_le_bytes()).collect())
    };
    let value = |bytes: [u8; 4]| Argument::Value(bytes.to_vec());
    let count = (1 << 16) / divisor;
    let integers = (0..count).flat_map(|it| (it % 1000 + 1).to_le_bytes()).collect();
    vec![
        Case {
            kernel: "saxpy",
            source: "basic",
            items: count,
            group: 64,
            arguments: vec![
                floats(count),
                floats(count),
                value(2f32.to_le_bytes()),
                value(count.to_le_bytes()),
            ],
        },
        Case {
            kernel: "sum_tree",
            source: "reduce",
            items: count,
            group: 64,
            arguments: vec![floats(count / 64), floats(count), Argument::Local(256)],
        },
        Case {
            kernel: "collatz",
            source: "control",
            items: count / 4,
            group: 32,
            arguments: vec![floats(count / 4), Argument::Buffer(integers)],
        },
    ]
}

/// Runs a kernel, and returns the nanoseconds of all groups.
fn interpret(case: &Case) -> Result<(f64, Counts), Box<dyn Error>> {
    let file = |kind: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/interp/tests/mistakes");
        fs::read_to_string(folder.join(format!("{}.{kind}", case.kernel)))
    };
    let binary = DeviceBinary::from_texts(&file("zeinfo")?, [file("visaasm")?.into_bytes()])?;
    let platform = binary.platform()?;
    let program = Program::of_kernel(&binary, case.kernel, platform)?;
    let mut machine = Machine::new(&program);
    let grid = Grid::new(&[case.items], &[case.group])?;
    let options = Options { platform, workers: 1 };
    let arguments = case.arguments.clone();
    let launch = Launch::new(&mut machine, &binary, case.kernel, options, grid, arguments)?;
    let start = Instant::now();
    let counts = launch.run(&machine, 1)?;
    Ok((start.elapsed().as_nanos() as f64, counts))
}

/// Compiles the source of a kernel with pocl.
fn compile(case: &Case) -> Result<Compiled, Box<dyn Error>> {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/interp/tests/kernels");
    let text = fs::read_to_string(kernels.join(format!("{}.cl", case.source)))?;
    let text = format!("#define REFERENCE\n#define SG 16\n#define KERNEL kernel\n{text}");
    let python = std::env::var_os("GENVISA_PYOPENCL").unwrap_or("python3".into());
    Ok(Compiled::build(Path::new(&python), Source::C(&text), "-cl-std=CL1.2")?)
}

/// Runs a kernel with pocl, and returns the nanoseconds of a run.
fn run_pocl(program: &mut Compiled, case: &Case) -> Result<f64, Box<dyn Error>> {
    let (global, local) = ([case.items], [case.group]);
    let (_, times) = program.run_times(case.kernel, &global, &local, &case.arguments, 21)?;
    // The first run compiles the kernel for the size of the group.
    let times = times.into_iter().skip(1).map(|nanoseconds| nanoseconds as f64);
    Ok(median(times.collect()))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
