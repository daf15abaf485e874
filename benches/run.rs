//! The speed of the interpreter on the kernels of `crates/interp/tests/speed`, beside other programs that run the same
//! OpenCL C: pocl, which compiles it for the CPU, and Oclgrind, which interprets LLVM and checks it. All run in
//! alternating rounds. pocl uses one thread if `POCL_MAX_PTHREAD_COUNT` is 1. Prints a table of medians.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Instant;

use genvisa_interp::binary::DeviceBinary;
use genvisa_interp::dispatch::{Argument, Grid, Launch, Options};
use genvisa_interp::{Counts, Machine, Program};
use genvisa_opencl::{Program as Compiled, Source};

const ROUNDS: usize = 5;

/// The variables of the environment that name a Python with pyopencl: for pocl, and for Oclgrind.
const OTHERS: [&str; 2] = ["GENVISA_PYOPENCL", "GENVISA_PYOPENCL_OCLGRIND"];

/// A kernel with its arguments.
struct Case {
    kernel: &'static str,
    global: Vec<u32>,
    local: Vec<u32>,
    arguments: Vec<Argument>,
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test --benches` only checks that it runs.
    let is_test = !std::env::args().any(|argument| argument == "--bench");
    let rounds = if is_test { 1 } else { ROUNDS };
    // `cargo bench --bench run -- hash` runs one kernel.
    let named: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/interp/tests/speed");
    let binary = DeviceBinary::from_bytes(&fs::read(folder.join("speed-bmg.bin"))?)?;
    let source = fs::read_to_string(folder.join("speed.cl"))?;
    let mut others = OTHERS.map(|variable| {
        let other = std::env::var_os(variable).and_then(|python| compile(&python, &source));
        if other.is_none() {
            eprintln!("skipped: {variable} names no Python that runs OpenCL");
        }
        other
    });
    println!(
        "| Kernel | Work-items | Interpreter | Instructions/s | Lanes/s | 2 workers | pocl | Ratio | Oclgrind | Ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let is_named = |case: &Case| named.is_empty() || named.iter().any(|name| name == case.kernel);
    for case in cases(if is_test { 64 } else { 1 }).into_iter().filter(is_named) {
        let mut times: [Vec<f64>; 2] = Default::default();
        let mut times_of_others: [Vec<f64>; 2] = Default::default();
        let mut counts = Counts::default();
        for _ in 0..rounds {
            for (times, workers) in times.iter_mut().zip([1, 2]) {
                let (nanoseconds, counted) = interpret(&binary, &case, workers)?;
                times.push(nanoseconds);
                counts = counted;
            }
            for (times, program) in times_of_others.iter_mut().zip(&mut others) {
                if let Some(program) = program {
                    times.push(run_other(program, &case)?);
                }
            }
        }
        let [time, of_two] = times.map(|times| median(times).unwrap_or(f64::NAN));
        let per_second = |count: u64| format!("{:.1} M", count as f64 / time * 1e3);
        let of_others = times_of_others.map(|times| match median(times) {
            Some(other) => format!("{:.2} ms | {:.3}", other / 1e6, time / other),
            None => "- | -".into(),
        });
        println!(
            "| {} | {} | {:.2} ms | {} | {} | {:.2} | {} |",
            case.kernel,
            case.global.iter().product::<u32>(),
            time / 1e6,
            per_second(counts.instructions),
            per_second(counts.lanes),
            time / of_two,
            of_others.join(" | "),
        );
    }
    Ok(())
}

fn cases(divisor: u32) -> Vec<Case> {
    let floats = |count: u32| {
        let number = |index: u32| (index % 1000) as f32 / 1000.0;
        Argument::Buffer((0..count).flat_map(|index| number(index).to_le_bytes()).collect())
    };
    let words = |count: u32| Argument::Buffer((0..count).flat_map(u32::to_le_bytes).collect());
    let zeros = |count: u32| Argument::Buffer(vec![0; 4 * count as usize]);
    let value = |bytes: [u8; 4]| Argument::Value(bytes.to_vec());
    let integer = |value: u32| Argument::Value(value.to_le_bytes().to_vec());
    let case = |kernel, count: u32, arguments| Case {
        kernel,
        global: vec![count],
        local: vec![64],
        arguments,
    };
    let count = (1 << 18) / divisor;
    let arguments = vec![floats(count), floats(count), value(2f32.to_le_bytes()), integer(count)];
    let saxpy = case("saxpy", count, arguments);
    let count = (1 << 13) / divisor;
    let mandel = case("mandel", count, vec![zeros(count), integer(128), integer(256)]);
    let hash = case("hash", count, vec![zeros(count), words(count), integer(64)]);
    let count = (1 << 12) / divisor;
    let nbody = case("nbody", count, vec![zeros(4 * count), floats(4 * count), integer(64)]);
    let size = if divisor == 1 { 64 } else { 16 };
    let matrix = || floats(size * size);
    let arguments = vec![zeros(size * size), matrix(), matrix(), integer(size)];
    let (global, local) = (vec![size, size], vec![16, 16]);
    let matmul = Case { kernel: "matmul", global, local, arguments };
    vec![saxpy, mandel, matmul, hash, nbody]
}

/// Runs a kernel, and returns the nanoseconds of all groups.
fn interpret(
    binary: &DeviceBinary,
    case: &Case,
    workers: u32,
) -> Result<(f64, Counts), Box<dyn Error>> {
    let platform = binary.platform()?;
    let program = Program::of_kernel(binary, case.kernel, platform)?;
    let mut machine = Machine::new(&program).with_work_items(true);
    let grid = Grid::new(&case.global, &case.local)?;
    let options = Options { platform, workers };
    let arguments = case.arguments.clone();
    let launch = Launch::new(&mut machine, binary, case.kernel, options, grid, arguments)?;
    let start = Instant::now();
    let counts = launch.run(&machine, workers)?;
    Ok((start.elapsed().as_nanos() as f64, counts))
}

/// Compiles the source for the first platform that a Python finds.
fn compile(python: &OsString, source: &str) -> Option<Compiled> {
    Compiled::build(Path::new(python), Source::C(source), "-cl-std=CL1.2").ok()
}

/// Runs a kernel elsewhere, and returns the nanoseconds of a run.
fn run_other(program: &mut Compiled, case: &Case) -> Result<f64, Box<dyn Error>> {
    const RUNS: u32 = 5;
    let Case { kernel, global, local, arguments } = case;
    let (_, times) = program.run_times(kernel, global, local, arguments, RUNS)?;
    // The first run compiles the kernel for the size of the group.
    let times = times.into_iter().skip(1).map(|nanoseconds| nanoseconds as f64);
    Ok(median(times.collect()).unwrap_or(f64::NAN))
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
