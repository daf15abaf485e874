//! Builds for devices, and what the interpreter computes.

use std::fmt;

use genvisa_interp::binary::DeviceBinary;
use genvisa_interp::dispatch::{Grid, Launch, Options};
use genvisa_interp::{Machine, Program};
use genvisa_test_support::ocloc::Ocloc;

use super::Outcome;
use super::compare::difference;
use super::manifest::{Run, Source};
use super::reference::Results;

/// A device, and the numbers of lanes that its kernels can have.
pub struct Device {
    pub name: &'static str,
    pub widths: &'static [u32],
}

pub const DEVICES: [Device; 4] = [
    Device { name: "tgllp", widths: &[8, 16, 32] },
    Device { name: "dg2", widths: &[8, 16, 32] },
    Device { name: "pvc", widths: &[16, 32] },
    Device { name: "bmg", widths: &[16, 32] },
];

/// How a file is compiled.
#[derive(Clone, Copy)]
pub struct Build {
    pub device: &'static Device,
    pub width: u32,
    pub is_optimized: bool,
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = if self.is_optimized { "" } else { ", -cl-opt-disable" };
        write!(f, "{}, SIMD{}{options}", self.device.name, self.width)
    }
}

/// Compiles a file.
pub fn compile(ocloc: &Ocloc, source: &Source, build: Build) -> Result<DeviceBinary, String> {
    let text = format!("#define SG {}\n{}", build.width, source.text);
    let optimization = if build.is_optimized { "" } else { "-cl-opt-disable" };
    let options = format!("{} {optimization}", source.options);
    let bytes = ocloc.binary(&text, build.device.name, &options)?;
    DeviceBinary::from_bytes(&bytes).map_err(|error| error.to_string())
}

/// Compiles a file, and runs its kernels.
pub fn run(ocloc: &Ocloc, source: &Source, build: Build, expected: &Results) -> Vec<Outcome> {
    let binary = compile(ocloc, source, build);
    let outcome = |(run, expected): (&Run, &Vec<Vec<u8>>)| {
        let result = match &binary {
            Ok(binary) => run_kernel(binary, run, expected),
            Err(problem) => Err(problem.clone()),
        };
        Outcome { kernel: format!("{}/{}", source.name, run.kernel), build, result }
    };
    source.runs.iter().zip(expected).map(outcome).collect()
}

/// Runs a kernel, and returns the number of instructions.
fn run_kernel(binary: &DeviceBinary, run: &Run, expected: &[Vec<u8>]) -> Result<u64, String> {
    let (instructions, undefined) = run_and_compare(binary, run, expected, &[])?;
    match undefined {
        None => Ok(instructions),
        Some(name) => Err(format!("{name} depends on what nobody wrote")),
    }
}

/// Runs a kernel, and returns the number of instructions, and a buffer that has elements which are not compared:
/// those that are undefined, and those whose value in one of `others` is not the expected one.
pub fn run_and_compare(
    binary: &DeviceBinary,
    run: &Run,
    expected: &[Vec<u8>],
    others: &[Vec<Vec<u8>>],
) -> Result<(u64, Option<String>), String> {
    let platform = binary.platform().map_err(|error| error.to_string())?;
    let program =
        Program::of_kernel(binary, &run.kernel, platform).map_err(|error| error.to_string())?;
    let mut machine = Machine::new(&program).with_limit(20_000_000 * 32);
    let grid = Grid::new(&run.global, &run.local).map_err(|error| error.to_string())?;
    let arguments = run.arguments.iter().map(|(_, argument)| argument.value()).collect();
    let options = Options { platform, workers: 1 };
    let launch = Launch::new(&mut machine, binary, &run.kernel, options, grid, arguments)
        .map_err(|error| error.to_string())?;
    let counts = launch.run(&machine, 1).map_err(|fault| fault.to_string())?;
    let mut expected = expected.iter().zip(0..);
    let mut with_undefined = None;
    for ((name, argument), index) in run.arguments.iter().zip(0..) {
        let Some(buffer) = argument.buffer() else { continue };
        let (expected, position) = expected.next().expect("a result for each buffer");
        let address = launch.buffer(index).ok_or("the buffer has no address")?;
        let memory = machine.memory();
        let found = memory.bytes(address).ok_or("the buffer is not in memory")?;
        let undefined = memory.undefined_bits(address).ok_or("the buffer is not in memory")?;
        if !buffer.is_output && found != buffer.bytes {
            return Err(format!("{name} was changed"));
        }
        let size = buffer.ty.size;
        let is_undefined = |at: usize| {
            let element = at / size * size..at / size * size + size;
            undefined[element.clone()].iter().any(|it| *it != 0)
                || others
                    .iter()
                    .any(|it| it[position][element.clone()] != expected[element.clone()])
        };
        let defined = |(at, (found, expected)): (usize, (&u8, &u8))| match is_undefined(at) {
            true => *expected,
            false => *found,
        };
        let compared: Vec<u8> = found.iter().zip(expected).enumerate().map(defined).collect();
        if let Some(difference) = difference(buffer.ty, run.tolerance, &compared, expected) {
            return Err(format!("{name}{difference}"));
        }
        let undefined: Vec<usize> = (0..found.len()).filter(|byte| is_undefined(*byte)).collect();
        if undefined.len() > found.len() / 4 * 3 {
            return Err(format!("less than a quarter of {name} is defined"));
        }
        if let Some(byte) = undefined.first() {
            with_undefined.get_or_insert(format!("byte {byte} of {name}"));
        }
    }
    Ok((counts.instructions, with_undefined))
}
